"""Jinja in SQL (dbt): blanked out of the text, and what it asks for; knows no files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from twine_hooks.analysis.languages.sql_tokens import utf8

Span = tuple[int, int]

_OPENER = re.compile(r"\{\{(?!\d)|\{%|\{#")
_CLOSERS = {"{": "}}", "%": "%}", "#": "#}"}
_OPENING = re.compile(
    r"\{%-?\s*((macro|test|snapshot|materialization|data_test)\s+(\w+)\s*(?:\([^%]*\))?(?:[^%]|%(?!\}))*?)\s*-?%\}",
)
_CLOSING = re.compile(r"\{%-?\s*end(?:macro|test|snapshot|materialization|data_test)\b")
_CALL = re.compile(r"(?<![\w.'\"])([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*){0,2})\s*\(")
_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_VERSION = re.compile(r"\b(?:v|version)\s*=\s*['\"]?(\w+)")
_DISPATCH = frozenset({"adapter.dispatch", "adapter_dispatch"})


class Asked(NamedTuple):
    """A call in a template: ref, source, or a macro by its name."""

    kind: str  #: ref, source, macro, dispatch
    names: tuple[str, ...]
    at: int


class Block(NamedTuple):
    """A macro, test or snapshot."""

    kind: str
    start: int
    end: int
    name: Span
    tail: int  #: where its head ends
    body: int


class Templates(NamedTuple):
    """All templates of a file."""

    blanked: str  #: the text with them replaced: NUL for what gives text, spaces for the rest
    comments: tuple[Span, ...]
    strings: tuple[Span, ...]
    asked: tuple[Asked, ...]
    blocks: tuple[Block, ...]


def templates_of(text: str) -> Templates:
    """The templates of a text; the blanked text has the same length and lines."""
    pieces: list[str] = []
    comments: list[Span] = []
    strings: list[Span] = []
    asked: list[Asked] = []
    blocks: list[Block] = []
    position = 0
    for offset, end in _tags(text):
        pieces.append(text[position:offset])
        position, tag = end, text[offset:end]
        pieces.append(_blank(tag))
        if tag[1] == "#":
            comments.append((offset, end))
            continue
        strings += [(offset + one.start(), offset + one.end()) for one in _TEXT.finditer(tag)]
        asked += _calls(tag, offset)
        if tag[1] == "%":
            _note_block(tag, offset, blocks)
    pieces.append(text[position:])
    closed = (one if one.end > 0 else one._replace(end=len(text)) for one in blocks)
    return Templates("".join(pieces), tuple(comments), tuple(strings), tuple(asked), tuple(closed))


def _tags(text: str) -> Iterator[Span]:
    """Where each closed tag stands."""
    position, unclosed = 0, set[str]()
    while opener := _OPENER.search(text, position):
        closer = _CLOSERS[opener[0][1]]
        end = -1 if closer in unclosed else text.find(closer, opener.end())
        if end < 0:
            unclosed.add(closer)
            position = opener.end()
        else:
            position = end + 2
            yield opener.start(), position


def _blank(tag: str) -> str:
    if tag[1] == "{":
        return "\0" * len(tag) if "\n" not in tag else "\0" + re.sub(r"[^\n]", "\0", tag[1:])
    blank = re.sub(r"[^\n]", " ", tag)
    # What stands in one macro does not go on in the next.
    return ";" + blank[1:] if _OPENING.match(tag) or _CLOSING.match(tag) else blank


def _note_block(tag: str, offset: int, blocks: list[Block]) -> None:
    opening = _OPENING.match(tag)
    if opening:
        name = (offset + opening.start(3), offset + opening.end(3))
        start, tail = offset + opening.start(1), offset + opening.end(1)
        if blocks and blocks[-1].end == 0:
            blocks[-1] = blocks[-1]._replace(end=offset)
        blocks.append(Block(opening[2], start, 0, name, tail, offset + len(tag)))
    elif _CLOSING.match(tag) and blocks and blocks[-1].end == 0:
        blocks[-1] = blocks[-1]._replace(end=offset + len(tag))


def _calls(tag: str, offset: int) -> Iterator[Asked]:
    is_opening = _OPENING.match(tag)
    for call in _CALL.finditer(tag):
        if is_opening and call.start() == is_opening.start(3):
            continue
        name = re.sub(r"\s", "", call[1])
        at = offset + call.start()
        last = name.removeprefix("builtins.")
        if last in ("ref", "source"):
            arguments = tuple(_arguments(tag, call.end()))
            version = _VERSION.search(tag, call.end())
            if last == "ref" and version and len(arguments) == 1:
                arguments = (f"{arguments[0]}_v{version[1].removeprefix('v')}",)
            if arguments and (last == "ref" or len(arguments) == 2):
                yield Asked(last, arguments, at)
        elif name in _DISPATCH:
            for one in list(_arguments(tag, call.end()))[:1]:
                yield Asked("dispatch", (one,), at)
        elif name.count(".") <= 1:
            yield Asked("macro", tuple(name.split(".")), at)


def _arguments(tag: str, start: int) -> Iterator[str]:
    """The literal strings that a call's arguments begin with, at most two."""
    for _ in range(2):
        found = _TEXT.match(tag, _skip(tag, start))
        if not found:
            return
        yield utf8(found[0][1:-1])
        start = _skip(tag, found.end())
        if tag[start : start + 1] != ",":
            return
        start += 1


def _skip(tag: str, start: int) -> int:
    found = re.compile(r"\s*(?:(?:package|name|model_name|macro_name)\s*=\s*)?").match(tag, start)
    return found.end() if found else start
