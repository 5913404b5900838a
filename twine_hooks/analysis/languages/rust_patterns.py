"""The names that a pattern of Rust binds, and where in the value they are taken from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from twine_hooks.analysis.languages.jvm_chains import GAP

_BEFORE = re.compile(rb"(?:%s(?:&|ref\b|mut\b|box\b|\|))*%s" % (GAP, GAP))
_NAME = re.compile(rb"[a-z_][\w]*|[^\W\dA-Z]\w*")
_PATH = re.compile(rb"(?:::)?\w+(?:%s::%s(?:<[^<>]*>|\w+))*%s" % (GAP, GAP, GAP))
_FIELD = re.compile(rb"%s(?:(?:ref|mut)\s+)*(\w+)%s:(?!:)" % (GAP, GAP))
_OPENING, _CLOSING = b"([{<", b")]}>"
_DEEPEST = 12


class Bound(NamedTuple):
    """A name and where it stands; ``steps`` lead to it from the value, or from a value of the type
    ``owner`` where the pattern names one with fields.
    """

    start: int
    end: int
    steps: str
    owner: str


def bindings(text: bytes, start: int, end: int) -> Iterator[Bound]:
    """What the pattern between two places binds."""
    yield from _bindings(text, start, end, "", "", 0)


def _bindings(
    text: bytes, start: int, end: int, steps: str, owner: str, depth: int
) -> Iterator[Bound]:
    if depth > _DEEPEST:
        return
    for at, after in _split(text, start, end, b"|"):
        before = _BEFORE.match(text, at, after)
        at = before.end() if before else at
        opening = text[at : at + 1]
        if opening in (b"(", b"["):
            close = _closing(text, at, after)
            many = opening == b"["
            parts = list(_split(text, at + 1, close, b","))
            for number, (first, last) in enumerate(parts):
                step = "[]" if many else f"#{number}" if len(parts) > 1 else ""
                yield from _bindings(text, first, last, steps + step, owner, depth + 1)
            continue
        yield from _of_name(text, at, after, steps, owner, depth)


def _of_name(
    text: bytes, at: int, after: int, steps: str, owner: str, depth: int
) -> Iterator[Bound]:
    path = _PATH.match(text, at, after)
    if path is None:
        return
    following = text[path.end() : path.end() + 1] if path.end() < after else b""
    written = b"".join(path[0].split()).decode("utf-8", "replace")
    if following == b"(":
        close = _closing(text, path.end(), after)
        for number, (first, last) in enumerate(_split(text, path.end() + 1, close, b",")):
            step = f"{{{written}#{number}}}"
            yield from _bindings(text, first, last, steps + step, owner, depth + 1)
    elif following == b"{":
        close = _closing(text, path.end(), after)
        for first, last in _split(text, path.end() + 1, close, b","):
            yield from _of_field(text, first, last, written, depth)
    elif following in (b"", b"@"):
        name = _NAME.fullmatch(text, at, at + len(path[0].rstrip()))
        if name is not None and name[0] not in (
            b"_",
            b"true",
            b"false",
            b"self",
            b"crate",
            b"super",
        ):
            yield Bound(at, name.end(), steps, owner)
        if following == b"@":
            yield from _bindings(text, path.end() + 1, after, steps, owner, depth + 1)


def _of_field(text: bytes, first: int, last: int, owner: str, depth: int) -> Iterator[Bound]:
    field = _FIELD.match(text, first, last)
    if field is not None:
        step = "." + field[1].decode("utf-8", "replace")
        yield from _bindings(text, field.end(), last, step, owner, depth + 1)
        return
    for one in _bindings(text, first, last, "", owner, depth + 1):
        name = text[one.start : one.end].decode("utf-8", "replace")
        yield one._replace(steps=f".{name}")


def _split(text: bytes, start: int, end: int, separator: bytes) -> Iterator[tuple[int, int]]:
    """The parts between separators that stand in no brackets."""
    depth, first = 0, start
    for at in range(start, end):
        char = text[at : at + 1]
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and text[at - 1 : at + 1] not in (b"=>", b"->"):
            depth -= 1
        elif char == separator and depth == 0:
            if text[first:at].strip():
                yield first, at
            first = at + 1
    if text[first:end].strip():
        yield first, end


def _closing(text: bytes, start: int, end: int) -> int:
    depth = 0
    for at in range(start, end):
        char = text[at : at + 1]
        depth += (char in _OPENING) - (char in _CLOSING)
        if depth == 0:
            return at
    return end
