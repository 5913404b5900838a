"""Types as Go writes them, taken apart; knows no names but those of the syntax."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")
_NAMED = re.compile(r"(?:([^\W\d]\w*)\s*\.\s*)?([^\W\d]\w*)\s*(?=\[|\Z)")
_TYPE_WORDS = r"(?!(?:chan|func|map|struct|interface)\b)"
_FIELD = re.compile(_TYPE_WORDS + r"([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s+(?=\S)(.*)", re.DOTALL)
_TAG = re.compile(r"\s*(?:`[^`]*`|\"[^\"]*\")\Z")
_OPENING, _CLOSING = "([{", ")]}"
_DEEPEST = 20


class Written(NamedTuple):
    """A type: ``named`` (``args`` are its type arguments), ``list``, ``chan``, ``map`` (key,
    value), ``func`` (its result), ``tuple``, ``struct`` (types of ``fields``), "" for any other.
    Pointers are left out: they have the members of what they point to.
    """

    kind: str
    name: str = ""
    package: str = ""
    args: tuple[Written, ...] = ()
    fields: tuple[str, ...] = ()


OTHER = Written("")


def plain(text: str) -> str:
    """A type in one line: without comments, with ";" where lines end."""
    if "/" in text:
        text = _NOISE.sub(" ", text)
    return _LINE_END.sub(";", text.strip()) if "\n" in text else text.strip()


@lru_cache(maxsize=4096)
def parse(text: str, depth: int = 0) -> Written:
    """The type that a text from ``plain`` means."""
    text = text.strip(" ;*&~\t")
    if depth > _DEEPEST or not text:
        return OTHER
    if text.startswith("..."):
        return Written("list", args=(parse(text[3:], depth + 1),))
    if text[0] in "([":
        return _bracketed(text, depth + 1)
    for word, read in (("map", _map), ("func", _func), ("struct", _struct), ("chan", _chan)):
        if text.startswith(word) and not (text[len(word) : len(word) + 1] + "_").isidentifier():
            return read(text[len(word) :].strip(), depth + 1)
    if text.startswith("<-"):
        return parse(text[2:].lstrip(), depth + 1)
    found = _NAMED.match(text)
    if found is None:
        return OTHER
    rest = text[found.end() :].strip()
    args = _types(rest[1:-1], depth + 1) if rest.startswith("[") and rest.endswith("]") else ()
    return Written("named", found[2], found[1] or "", args)


def parameter_names(text: str) -> tuple[tuple[str, str], ...]:
    """(name, constraint) of each type parameter in "[K comparable, V any]"."""
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    for part in split(text.strip()[1:-1], ","):
        name, _, bound = part.strip(" ;").partition(" ")
        if name:
            waiting.append(name)
        if bound:
            found += [(one, bound.strip()) for one in waiting]
            waiting = []
    return tuple(found)


def split(text: str, separator: str) -> list[str]:
    """The parts between separators that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in (*parts, text[start:]) if part.strip(" ;")]


def _closing(text: str) -> int:
    """Where the bracket at the beginning of a text is closed, -1 for nowhere."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in _OPENING) - (char in _CLOSING)
        if depth == 0:
            return at
    return -1


def _bracketed(text: str, depth: int) -> Written:
    end = _closing(text)
    if end < 0:
        return OTHER
    if text[0] == "[":
        return Written("list", args=(parse(text[end + 1 :], depth),))
    types = _parameters(text[1:end], depth)
    return types[0] if len(types) == 1 else Written("tuple", args=types)


def _parameters(text: str, depth: int) -> tuple[Written, ...]:
    """The types of parameters or results, with names or without."""
    parts = [part.strip(" ;") for part in split(text, ",")]
    if not any(_FIELD.fullmatch(part) for part in parts):
        return tuple(parse(part, depth) for part in parts)
    types: list[Written] = []
    waiting = 0
    for part in parts:
        waiting += 1
        found = _FIELD.fullmatch(part)
        if found:
            types += [parse(found[2], depth)] * waiting
            waiting = 0
    return tuple(types)


def _types(text: str, depth: int) -> tuple[Written, ...]:
    return tuple(parse(part, depth) for part in split(text, ","))


def _map(text: str, depth: int) -> Written:
    end = _closing(text) if text.startswith("[") else -1
    if end < 0:
        return OTHER
    return Written("map", args=(parse(text[1:end], depth), parse(text[end + 1 :], depth)))


def _func(text: str, depth: int) -> Written:
    end = _closing(text) if text.startswith("(") else -1
    return Written("func", args=(parse(text[end + 1 :], depth),)) if end >= 0 else OTHER


def _chan(text: str, depth: int) -> Written:
    return Written("chan", args=(parse(text.removeprefix("<-"), depth),))


def _struct(text: str, depth: int) -> Written:
    names: list[str] = []
    types: list[Written] = []
    for part in split(text.strip("{} ;"), ";"):
        part = _TAG.sub("", part.strip())
        found = _FIELD.fullmatch(part)
        for name in found[1].split(",") if found else ():
            names.append(name.strip())
            types.append(parse(found[2] if found else "", depth))
    return Written("struct", args=tuple(types), fields=tuple(names))
