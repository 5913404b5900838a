"""The names that a Python file uses from outside of its functions, with all that is written behind
them; knows nothing of other files.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span, innermost
from twine_hooks.analysis.languages.python_text import (
    BINDS,
    CALLED,
    CHAIN,
    Code,
    as_chain,
    behind_call,
    continued,
)
from twine_hooks.analysis.languages.python_types import Types, join_chain
from twine_hooks.analysis.modules import OF_TYPE

_KEYWORDS = frozenset(one.encode() for one in keyword.kwlist)
_CALLS = 8  #: calls in one chain that are followed

Place = tuple[int, str, str]  #: where, chain, kind


def references_of(
    parsed: Parsed,
    code: Code,
    types: Types,
    wanted: frozenset[str] | None,
    owners: Sequence[tuple[int, Definition]],
) -> list[Reference]:
    """What the file uses: names among ``wanted`` (all when None) and members of typed locals.

    ``owners`` are the definitions that uses are put down to, with their index in the file.
    """
    places = _places(parsed, code, types, wanted)
    spans = [(one.start, one.end) for _, one in owners]
    lines: dict[tuple[str, str, int], list[int]] = {}
    scopes = innermost(spans, [place[0] for place in places])
    for (start, chain, kind), within in zip(places, scopes, strict=True):
        found = lines.setdefault((chain, kind, within), [])
        found.append(start)
    return [
        Reference(chain, kind, parsed.lines_of(at), owners[within][0] if within >= 0 else -1)
        for (chain, kind, within), at in lines.items()
    ]


def _places(parsed: Parsed, code: Code, types: Types, wanted: frozenset[str] | None) -> list[Place]:
    """Each use, in the order of the file."""
    text = code.text + b"\n"  # a character behind each name
    names = {one.encode() for one in (wanted or frozenset()) | types.names}
    bound = parsed.starts("name", "local", "local.global", "parameter")
    parts: dict[bytes, tuple[str, str]] = {}  #: chain as written -> its root and the rest
    places: list[Place] = []
    for found in CHAIN.finditer(text):
        root_text = found[1]
        if root_text not in names if wanted is not None else root_text in _KEYWORDS:
            continue
        start, end = found.span()
        if start in bound or text[start - 1] in _INSIDE:
            continue
        whole = found[0]
        written = parts.get(whole)
        if written is None:
            chain, root = as_chain(whole), as_chain(root_text)
            written = parts[whole] = (root, chain[len(root) :])
        if text[end] in _SPACES:
            more, end = continued(text, end)
            written = (written[0], written[1] + more)
        root, rest = written
        if not rest and text[end] in _MAY_BIND and BINDS.match(text, end):
            continue
        choices = types.choices(root, start)
        if text[end] in _OPENING:
            _add_followed(places, code, (start, end), written, choices)
        elif choices is None:
            places.append((start, root + rest, "read"))
        elif rest:
            for one in choices:
                _add(places, start, one, rest, "read")
    return _typed_places(parsed, places)


#: What stands before the rest of an expression or of a number.
_SPACES, _MAY_BIND = b" \n\t\\", b" =:"
_INSIDE = b".0123456789"
_OPENING = b"(["


def _add_followed(
    places: list[Place],
    code: Code,
    at: Span,
    written: tuple[str, str],
    choices: tuple[str, ...] | None,
) -> None:
    """The chain, and again behind each call and subscript that something is taken of."""
    (start, end), (root, rest) = at, written
    is_free = choices is None and root != "super"
    for _ in range(_CALLS if choices != () else 0):
        marks, after = behind_call(code, end)
        if (rest or is_free) and not rest.endswith(("@", "]")):
            kind = "call" if marks == CALLED else "read"
            if choices is None:
                places.append((start, root + rest, kind))
            for one in choices or ():
                _add(places, start, one, rest, kind)
        if not marks:
            return
        more, end = continued(code.text, after)
        rest += marks + more
        if not more and end not in code.closed:
            return


def _add(places: list[Place], start: int, typed: str, rest: str, kind: str) -> None:
    whole = join_chain(typed, rest)
    if whole and whole[0] != "[":
        places.append((start, OF_TYPE + whole, kind))


def _typed_places(parsed: Parsed, places: list[Place]) -> list[Place]:
    """With the kind of those that stand in annotations."""
    annotations = _outermost(parsed.spans("type"))
    if not annotations:
        return places
    within = innermost(annotations, [place[0] for place in places])
    return [
        (place[0], place[1], "type") if index >= 0 else place
        for place, index in zip(places, within, strict=True)
    ]


def _outermost(spans: Sequence[Span]) -> list[Span]:
    """Without those inside of others."""
    found: list[Span] = []
    for span in spans:
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found
