"""Prose without a model: from doc comments, names and dependencies, and it says that it is that."""

from __future__ import annotations

import re
from collections.abc import Mapping

from twine_hooks.analysis.facts import Definition
from twine_hooks.markup import code, one_line, plain, visible
from twine_hooks.material import Material

NAME = "outline"
NOTE = "*Outlined from the code; no model wrote this.*"
_NAMED_AT_MOST = 6


def outline(material: Material) -> Mapping[str, str]:
    """Text by section id for the summary and each prose section with something to say."""
    first, rest = _split(material.facts.doc)
    summary = plain(one_line(first)) if first else _what_it_defines(material)
    texts = {"summary": f"{summary}\n\n{NOTE}"}
    for section in material.template.sections:
        if section.kind == "prose" and rest:
            texts[section.id] = "\n\n".join(_block(one) for one in rest)
            rest = []
    return texts


def _split(doc: str) -> tuple[str, list[str]]:
    """The first paragraph and the others; a fenced or indented block stays in one piece."""
    paragraphs = [one for one in re.split(r"\n\s*\n", doc.strip("\n")) if one.strip()]
    return (paragraphs[0], paragraphs[1:]) if paragraphs else ("", [])


def _block(paragraph: str) -> str:
    """A paragraph of a doc comment: text as text, layout as code."""
    lines = visible(paragraph).expandtabs(4).split("\n")
    if any(line.startswith((" ", ">>>", "```", "$ ", "|")) for line in lines):
        longest = max((len(run) for run in re.findall(r"`+", paragraph)), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n".join([f"{fence}text", *(line.rstrip() for line in lines), fence])
    return plain("\n".join(line.rstrip() for line in lines))


def _what_it_defines(material: Material) -> str:
    top = [one for one in material.facts.definitions if one.parent < 0]
    shown = [one for one in top if one.public] or top
    names = list(dict.fromkeys(f"{one.kind} {code(one.name)}" for one in _best_first(shown)))
    if names:
        more = ", …" if len(names) > _NAMED_AT_MOST else ""
        return f"Defines {', '.join(names[:_NAMED_AT_MOST])}{more}."
    used = [code(one.path) for one in material.dependencies[:_NAMED_AT_MOST]]
    return f"Uses {', '.join(used)}." if used else "Defines nothing that others can use."


def _best_first(definitions: list[Definition]) -> list[Definition]:
    """Types and functions before values, else in the file's order."""
    values = ("constant", "variable", "field")
    return sorted(definitions, key=lambda one: one.kind in values)
