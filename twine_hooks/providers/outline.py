"""Prose without a model: from doc comments, names and dependencies, and it says that it is that."""

from __future__ import annotations

import re
from collections.abc import Mapping

from twine_hooks.markup import code, first_sentence, one_line, plain, plain_inside, visible
from twine_hooks.material import Material
from twine_hooks.sentences import at_most

NAME = "outline"
NOTE = "_Outlined from the code; no model wrote this._"  # what prettier would make of "*"
_NAMED_AT_MOST = 6
_LAYOUT = re.compile(r" |>>>|```|\$ |\||.*\S {3}")
_VALUES = ("constant", "variable", "field")


def outline(material: Material) -> Mapping[str, str]:
    """Text by section id for the summary and each prose section with something to say."""
    first, rest = _split(material.facts.doc)
    summary = plain(one_line(first)) if first else _what_it_defines(material)
    summary = at_most(summary, material.template.summary_max_chars)
    texts = {"summary": f"{summary}\n\n{NOTE}"}
    for section in material.template.sections:
        if section.each:
            texts[section.id] = "\n".join(entries(material).values())
        elif section.kind == "prose" and rest:
            texts[section.id] = "\n\n".join(_block(one) for one in rest)
            rest = []
    return {name: text for name, text in texts.items() if text}


def entries(material: Material) -> dict[str, str]:
    """A list item for each public definition by its name, with the first words said of it."""
    found = {}
    for one in material.facts.definitions:
        if one.public and one.qualified not in found:
            said = plain_inside(first_sentence(one.doc)) or f"a {one.kind}"
            found[one.qualified] = f"- {code(one.qualified)}: {said}"
    return found


def _split(doc: str) -> tuple[str, list[str]]:
    """The first paragraph and the others; a fenced or indented block stays in one piece."""
    paragraphs = [one for one in re.split(r"\n\s*\n", doc.strip("\n")) if one.strip()]
    return (paragraphs[0], paragraphs[1:]) if paragraphs else ("", [])


def _block(paragraph: str) -> str:
    """A paragraph of a doc comment: text as text, layout as code."""
    lines = visible(paragraph).expandtabs(4).split("\n")
    if any(_LAYOUT.match(line) for line in lines):
        longest = max((len(run) for run in re.findall(r"`+", paragraph)), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n".join([f"{fence}text", *(line.rstrip() for line in lines), fence])
    return plain("\n".join(one_line(line) for line in lines))


def _what_it_defines(material: Material) -> str:
    top = [one for one in material.facts.definitions if one.parent < 0]
    shown = [one for one in top if one.public] or top
    if not shown:
        used = [code(one.path) for one in material.dependencies[:_NAMED_AT_MOST]]
        return f"Uses {', '.join(used)}." if used else "Defines nothing that others can use."
    by_kind: dict[str, dict[str, None]] = {}
    for one in shown:
        by_kind.setdefault(one.kind, {})[code(one.name)] = None
    kinds = sorted(by_kind, key=lambda kind: (kind in _VALUES, kind))
    return f"Defines {'; '.join(_of_kind(kind, list(by_kind[kind])) for kind in kinds)}."


def _of_kind(kind: str, names: list[str]) -> str:
    """One kind with its names: function `a`; functions `a`, `b`, …"""
    if len(names) == 1:
        return f"{kind} {names[0]}"
    more = len(names) - _NAMED_AT_MOST
    listed = names if more <= 0 else [*names[:_NAMED_AT_MOST], "…"]
    return f"{_plural(kind)} {', '.join(listed)}"


def _plural(kind: str) -> str:
    if kind.endswith("y"):
        return kind[:-1] + "ies"
    return kind + ("es" if kind.endswith(("s", "x", "sh", "ch")) else "s")
