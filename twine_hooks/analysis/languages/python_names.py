"""The names that a Python file uses from outside of its functions, with all that is written behind
them; knows nothing of other files.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence, Set

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.python_text import (
    BINDS,
    CALLED,
    CHAINS,
    Code,
    behind_call,
    continued,
)
from twine_hooks.analysis.languages.python_types import Types, join_chain
from twine_hooks.analysis.module_values import OF_TYPE
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import innermost

_KEYWORDS = frozenset(keyword.kwlist)
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
    within = innermost(spans, [place[0] for place in places])
    numbers = [*(number for number, _ in owners), -1]  # the last is that of no scope
    return merged(parsed, places, [numbers[one] for one in within])


def _places(parsed: Parsed, code: Code, types: Types, wanted: frozenset[str] | None) -> list[Place]:
    """Each use, in the order of the file."""
    text = code.text + b"\n"  # a character behind each name
    bound = parsed.starts("name", "local", "local.global", "parameter")
    pieces = CHAINS.split(text)
    written_as = _written(pieces[1::2], None if wanted is None else wanted | types.names)
    places: list[Place] = []
    behind = 0
    upcoming = iter(pieces)
    for before, chain in zip(upcoming, upcoming, strict=False):
        start = behind + len(before)
        end = behind = start + len(chain)
        written = written_as.get(chain)
        if written is None:
            continue
        if start in bound or text[start - 1] in _INSIDE:
            continue
        after = text[end]
        if after in _SPACES and text[end + 1 : end + 2] in _MAY_GO_ON:
            more, end = continued(text, end)
            if more:
                written, after = (written[0], written[1] + more), text[end]
        root, rest = written
        if after in _MAY_BIND and not rest and BINDS.match(text, end):
            continue
        choices = types.choices(root, start)
        if after in _OPENING:
            _add_followed(places, code, (start, end), written, choices)
        elif choices is None:
            places.append((start, root + rest, "read"))
        elif rest:
            for one in choices:
                _add(places, start, one, rest, "read")
    return _typed_places(parsed, places)


def _written(chains: Iterable[bytes], names: Set[str] | None) -> dict[bytes, tuple[str, str]]:
    """Chain as it is written -> its root and the rest, for roots among the names or any name."""
    found = {}
    for chain in set(chains):
        root, dot, rest = chain.decode("utf-8", "replace").partition(".")
        if root in names if names is not None else root not in _KEYWORDS:
            found[chain] = root, dot + rest
    return found


#: What stands before the rest of an expression or of a number.
_SPACES, _MAY_BIND = b" \n\t\\", b" =:"
_MAY_GO_ON = frozenset({b" ", b"\n", b"\t", b"\\", b"."})
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
