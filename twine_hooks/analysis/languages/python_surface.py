"""What a Python file defines besides classes and functions: variables, attributes of ``self``, type
aliases, doc comments. The query leaves these to the text: patterns for them take long to compile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.python_text import Code, line_spans
from twine_hooks.analysis.scopes import innermost, innermost_parents

_DEF = re.compile(rb"(?:async\s+)?def\s+(\w+)")
_WORD = re.compile(rb"[\w\x80-\xff]+")
_ALIAS = re.compile(rb"type\s+([\w\x80-\xff]+)")
_MEMBER = re.compile(rb"(?:self|cls)\s*\.\s*(\w+)\s*(:(?!=))?")
_BEFORE_DOC = re.compile(rb"(?:\s++|#[^\n]*+\n)*+(?=[rRuU]?[\"'])")
_AFTER_DOC = re.compile(rb"[ \t]*(?:[\n;#]|\Z)")


class Member(NamedTuple):
    """An attribute that a method gives to its object: ``self.size = 1``."""

    start: int
    end: int
    name: Span
    value: int  #: where the value begins, -1 when there is none
    annotation: int  #: where the annotation begins, -1 without one


class Surface(NamedTuple):
    """What was found: the file with it, and what the types of names need to know of it."""

    parsed: Parsed
    methods: dict[Span, Span]  #: span of a method -> span of its class
    members: list[Member]


def methods_of(parsed: Parsed) -> dict[Span, Span]:
    """span of a method -> span of its class, for the classes that are in no function."""
    classes = set(parsed.spans("definition.class"))
    functions = set(parsed.spans("definition.function"))
    if not classes:
        return {}
    spans = parsed.spans("definition.class", "definition.function")
    parents = innermost_parents(spans)
    reached = [True] * len(spans)  #: whether it is in no function
    found = {}
    for index, (span, parent) in enumerate(zip(spans, parents, strict=True)):
        outer = spans[parent] if parent >= 0 else None
        reached[index] = parent < 0 or (reached[parent] and outer not in functions)
        if span in functions and outer in classes and reached[index] and outer is not None:
            found[span] = outer
    return found


def members_of(parsed: Parsed, methods: Mapping[Span, Span], fields: list[Span]) -> list[Member]:
    """The attributes that methods give to ``self``, each where it is first given."""
    assigned = parsed.spans("assigned.attribute")
    if not assigned or not methods:
        return []
    taken = _declared(parsed, methods, fields)
    scopes = parsed.spans("scope")
    found = []
    for (start, end), scope in zip(
        assigned, innermost(scopes, [start for start, _ in assigned]), strict=True
    ):
        owner = methods.get(scopes[scope]) if scope >= 0 else None
        named = _MEMBER.match(parsed.text, start) if owner is not None else None
        if owner is None or named is None or (owner, named[1]) in taken:
            continue
        taken.add((owner, named[1]))
        found.append(_member(parsed.text, start, end, named))
    return found


def _member(text: bytes, start: int, end: int, named: re.Match[bytes]) -> Member:
    annotation = named.end() if named[2] else -1
    value = text.find(b"=", named.end(), end)
    return Member(start, end, named.span(1), value + 1 if value >= 0 else -1, annotation)


def _declared(
    parsed: Parsed, methods: Mapping[Span, Span], fields: list[Span]
) -> set[tuple[Span, bytes]]:
    """(class, name) of all that stands in the body of a class itself."""
    found = set()
    for (start, _), owner in methods.items():
        named = _DEF.match(parsed.text, start)
        if named:
            found.add((owner, named[1]))
    classes = sorted(set(methods.values()), key=lambda span: (span[0], -span[1]))
    owners = innermost(classes, [start for start, _ in fields])
    for (start, _), index in zip(fields, owners, strict=True):
        named = _WORD.match(parsed.text, start)
        if index >= 0 and named:
            found.add((classes[index], named[0]))
    return found


def read_surface(parsed: Parsed, code: Code) -> Surface:
    """The file with its variables, attributes, aliases, doc comments and line ends captured."""
    methods = methods_of(parsed)
    found = _variables_and_aliases(parsed)
    members = members_of(parsed, methods, found["definition.field"])
    for one in members:
        found["definition.field"].append((one.start, one.end))
        found["outside"].append((one.start, one.end))
        found["name"].append(one.name)
    found["body"] = [(one.value, one.end) for one in members if one.value >= 0]
    return Surface(
        parsed.with_spans({**found, **_docs(parsed), **line_spans(parsed, code)}), methods, members
    )


def with_variables(parsed: Parsed) -> Parsed:
    """The file with its variables and aliases captured."""
    return parsed.with_spans(_variables_and_aliases(parsed))


def _variables_and_aliases(parsed: Parsed) -> dict[str, list[Span]]:
    found = _variables(parsed)
    for start, _ in parsed.spans("definition.type"):
        named = _ALIAS.match(parsed.text, start)
        if named:
            found["name"].append(named.span(1))
    return found


def _variables(parsed: Parsed) -> dict[str, list[Span]]:
    """The variables of the file and the fields of classes, under their capture names."""
    fields: list[Span] = []
    variables: list[Span] = []
    inner: list[Span] = []
    names: list[Span] = []
    assigned, unpacked = parsed.spans("assigned"), set(parsed.spans("unpacked"))
    spans = sorted({*assigned, *unpacked}, key=lambda span: (span[0], -span[1]))
    starts = [start for start, _ in spans]
    functions = innermost(parsed.spans("scope"), starts)
    classes = innermost(parsed.spans("definition.class"), starts)
    covered = 0
    for span, function, owner in zip(spans, functions, classes, strict=True):
        named = _WORD.match(parsed.text, span[0]) if function < 0 else None
        if named is None or (owner >= 0 and span in unpacked):
            continue
        (fields if owner >= 0 else variables).append(span)
        names.append(named.span())
        if span[0] < covered:
            inner.append(span)  # the second name in "a = b = 1"
        covered = max(covered, span[1])
    return {
        "definition.variable": variables,
        "definition.field": fields,
        "name": names,
        "outside": inner,
    }


def _docs(parsed: Parsed) -> dict[str, list[Span]]:
    strings = dict(parsed.spans("verbatim"))
    bodies = [
        found for start, _ in parsed.spans("body") for found in _doc_at(parsed, start, strings)
    ]
    return {"doc": bodies, "doc.module": _doc_at(parsed, 0, strings)}


def _doc_at(parsed: Parsed, at: int, strings: Mapping[int, int]) -> list[Span]:
    """The string that is the first statement of a body."""
    before = _BEFORE_DOC.match(parsed.text, at)
    end = strings.get(before.end()) if before else None
    if before is None or end is None or not _AFTER_DOC.match(parsed.text, end):
        return []
    return [(before.end(), end)]
