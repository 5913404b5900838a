"""Prose without a model: from doc comments, names and dependencies, and it says that it is that."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.doc_comments import ITEM, first_sentence, heading, paragraphs
from twine_hooks.markup import code, one_line, plain, plain_inside, visible
from twine_hooks.material import Material
from twine_hooks.members import Members, members_by_owner
from twine_hooks.sentences import at_most

NAME = "outline"
NOTE = "_Outlined from the code; no model wrote this._"  # what prettier would make of "*"
_NAMED_AT_MOST = 6
_LAYOUT = re.compile(r" |>>>|\$ |\||.*\S {3}")
_FENCED = re.compile(
    r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+#-]*)[^\n]*\n(?:(.*)\n)?[ \t]*\1[`~]*\s*", re.DOTALL
)
_VALUES = ("constant", "variable", "field")
_SPACES = ("namespace", "module")  #: kinds whose members matter, not they themselves


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
    """The first paragraph that is a sentence, without a title before it, and the others."""
    found = paragraphs(doc)
    if len(found) > 1 and heading(found[0]) and not heading(found[1]):
        found = found[1:]
    if not found or ITEM.match(found[0]) or _FENCED.match(found[0]):
        return "", found
    return heading(found[0]) or found[0], found[1:]


def _block(paragraph: str) -> str:
    """A paragraph of a doc comment: text as text, layout as code, a list as a list."""
    paragraph = visible(paragraph).expandtabs(4)
    lines = paragraph.split("\n")
    if fenced := _FENCED.fullmatch(paragraph):
        return _code_block(textwrap.dedent(fenced[3] or "").split("\n"), fenced[2])
    if title := heading(paragraph):
        return f"**{plain_inside(one_line(title))}**"
    if ITEM.match(paragraph) and len({_indent(one) for one in lines if ITEM.match(one)}) == 1:
        return "\n".join(f"- {plain(one_line(item))}" for item in ITEM.split(paragraph)[1:])
    if any(_LAYOUT.match(line) for line in lines):
        return _code_block(lines, "text")
    return plain("\n".join(one_line(line) for line in lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _code_block(lines: list[str], language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", "\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *(line.rstrip() for line in lines), fence])


def _what_it_defines(material: Material) -> str:
    shown = _main_definitions(material.facts)
    if not shown:
        used = [code(one.path) for one in material.dependencies[:_NAMED_AT_MOST]]
        return f"Uses {', '.join(used)}." if used else "Defines nothing that others can use."
    by_kind: dict[str, dict[str, None]] = {}
    for one in shown:
        by_kind.setdefault(one.kind, {})[code(one.qualified)] = None
    kinds = sorted(by_kind, key=lambda kind: (kind in _VALUES, kind))
    named = f"Defines {'; '.join(_of_kind(kind, list(by_kind[kind])) for kind in kinds)}"
    said = plain_inside(first_sentence(shown[0].doc)) if len(shown) == 1 else ""
    return f"{named}: {said}" if said else f"{named}."


def _main_definitions(facts: Facts) -> list[Definition]:
    """The public definitions that stand in none, or only in namespaces; all where none is public.

    Methods outside of a type of the same file go without saying.
    """
    members = members_by_owner(facts)
    outside = [row for owner, rows in members.items() if isinstance(owner, str) for row in rows]
    found = [one for _, one in _opened(members, -1)] + [one for _, one in outside if one.public]
    return found or [one for _, one in [*members[-1], *outside]]


def _opened(members: Members, owner: int | str) -> Iterator[tuple[int, Definition]]:
    for number, one in members.get(owner, ()):
        if one.public and one.kind in _SPACES and number in members:
            yield from _opened(members, number)
        elif one.public:
            yield number, one


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
