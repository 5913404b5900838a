"""Types as Rust writes them, taken apart; knows no names but those of the syntax."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BEFORE = re.compile(r"(?:&|\*const\b|\*mut\b|'\w+|\b(?:mut|dyn|impl|unsafe|for\s*<[^<>]*>)\b|\s)+")
_PATH = re.compile(r"(?:::)?\w+(?:\s*::\s*\w+)*")
_FUNCTION = re.compile(r"(?:extern\s*(?:\"\w*\"\s*)?)?(?:fn|Fn|FnMut|FnOnce)\s*\(")
_OPENING, _CLOSING = "(<[{", ")>]}"
_DEEPEST = 20


class Written(NamedTuple):
    """A type: ``path`` (``args`` are its type arguments), ``list``, ``tuple``, ``func`` (its
    result), ``bounds`` (several traits), "" for any other. References have the members of what they
    refer to and are left out.
    """

    kind: str
    path: str = ""
    args: tuple[Written, ...] = ()


OTHER = Written("")


def plain(text: str) -> str:
    """A type in one line, without comments."""
    if "/" in text:
        text = _NOISE.sub(" ", text)
    return " ".join(text.split())


@lru_cache(maxsize=4096)
def parse(text: str, depth: int = 0) -> Written:
    """The type that a text from ``plain`` means."""
    before = _BEFORE.match(text)
    text = text[before.end() :].strip() if before else text.strip()
    if depth > _DEEPEST or not text:
        return OTHER
    parts = split(text, "+")
    if len(parts) > 1:
        found = tuple(parse(part, depth + 1) for part in parts)
        return Written("bounds", args=tuple(one for one in found if one != OTHER))
    if text[0] == "[":
        return Written(
            "list", args=(parse(split(text[1:-1], ";")[0] if text[1:-1] else "", depth + 1),)
        )
    if text[0] == "(":
        types = tuple(parse(part, depth + 1) for part in split(text[1:-1], ","))
        return (
            types[0]
            if len(types) == 1 and not text.endswith(",)")
            else Written("tuple", args=types)
        )
    if _FUNCTION.match(text):
        return Written(
            "func", args=(parse(text.rpartition("->")[2] if "->" in text else "", depth + 1),)
        )
    found_path = _PATH.match(text)
    if found_path is None:
        return OTHER
    return _named(found_path[0], text[found_path.end() :].strip(), depth)


def _named(path: str, rest: str, depth: int) -> Written:
    rest = rest.removeprefix("::").strip()
    args: tuple[Written, ...] = ()
    if rest.startswith("<") and rest.endswith(">"):
        args = tuple(
            parse(part.partition("=")[2] if "=" in part else part, depth + 1)
            for part in split(rest[1:-1], ",")
            if not part.strip().startswith("'")
        )
    return Written("path", "".join(path.split()), args)


def split(text: str, separator: str) -> list[str]:
    """The parts between separators that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and not (char == ">" and text[at - 1 : at] in ("-", "=")):
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def parameter_names(text: str) -> tuple[str, ...]:
    """The names of the type parameters in "<'a, T: Bound, const N: usize>"."""
    parts = (part.strip() for part in split(text.strip()[1:-1], ","))
    return tuple(
        part.removeprefix("const ").partition(":")[0].partition("=")[0].strip()
        for part in parts
        if not part.startswith("'")
    )
