"""Conditional compilation of C#: the text as the grammar can read it, with all branches that fit.

The grammar knows ``#if`` between statements and members only. Lines of the preprocessor become
spaces. Where one branch may stand after the other all stay; else the first one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from twine_hooks.analysis.lang_base import Span

_LINE = re.compile(
    rb"^[ \t]*#[ \t]*(if|elif|else|endif|region|endregion|pragma|nullable|define|undef|error"
    rb"|warning|line|r|load)\b[^\n]*",
    re.MULTILINE,
)
_CONDITIONS = frozenset({b"if", b"elif", b"else", b"endif"})
_WITHOUT_MEANING = frozenset({b"region", b"endregion", b"pragma"})
_NOISE = re.compile(
    rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^[ \t]*#[^\n]*',
    re.DOTALL | re.MULTILINE,
)
_BEFORE = b";{}],:"  #: what a list of statements, members or attributes may follow
_AFTER = b";}],"
_GOES_ON = re.compile(rb"(?:[.,)\]?:&|+*/=;]|else\b|catch\b|finally\b|or\b|and\b|is\b|as\b)")
_PAIRS = ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))
_DEEPEST = 40  #: conditions in one another that are looked at
_LOOK_BACK = 2000  #: bytes
_BLANK = bytes(10 if byte == 10 else 32 for byte in range(256))


def prepare(text: bytes) -> tuple[bytes, str]:
    """The text as the grammar can read it, of the same length."""
    if b"#" not in text or not (lines := list(_LINE.finditer(text))):
        return text, "csharp"
    shown = bytearray(text)
    for found in lines:
        shown[found.start() : found.end()] = found[0].translate(_BLANK)
    for start, end in _dropped(text, lines):
        shown[start:end] = text[start:end].translate(_BLANK)
    return bytes(shown), "csharp"


def directives(text: bytes) -> tuple[list[Span], list[Span]]:
    """(lines that decide what is compiled, lines that mean nothing)."""
    if b"#" not in text:
        return [], []
    lines = list(_LINE.finditer(text))
    return (
        [found.span() for found in lines if found[1] in _CONDITIONS],
        [found.span() for found in lines if found[1] in _WITHOUT_MEANING],
    )


def _dropped(text: bytes, lines: Sequence[re.Match[bytes]]) -> Iterator[Span]:
    """The branches that can't stand after the first one."""
    groups: list[list[re.Match[bytes]]] = []
    for found in lines:
        if found[1] == b"if":
            groups.append([found])
        elif found[1] in _CONDITIONS and groups:
            groups[-1].append(found)
            if found[1] == b"endif":
                group = groups.pop()
                if len(groups) < _DEEPEST:
                    yield from _dropped_of(text, group)


def _dropped_of(text: bytes, group: Sequence[re.Match[bytes]]) -> Iterator[Span]:
    branches = [(one.end(), following.start()) for one, following in pairwise(group)]
    if len(branches) < 2:
        return
    at = group[0].start()
    before = _NOISE.sub(b" ", text[max(0, at - _LOOK_BACK) : at]).rstrip()[-1:]
    parts = [_NOISE.sub(b" ", text[start:end]).strip() for start, end in branches]
    if (before and before not in _BEFORE) or not all(map(_is_whole, filter(None, parts))):
        first = next((index for index, part in enumerate(parts) if part), 0)
        yield from (branch for index, branch in enumerate(branches) if index != first)


def _is_whole(part: bytes) -> bool:
    return (
        part[-1:] in _AFTER
        and not _GOES_ON.match(part)
        and all(part.count(one) == part.count(other) for one, other in _PAIRS)
    )
