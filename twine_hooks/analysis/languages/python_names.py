"""The names that a Python file uses from outside of its functions, with all that is written behind
them; knows nothing of other files.
"""

from __future__ import annotations

import keyword
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span, innermost
from twine_hooks.analysis.languages.python_text import (
    CALLED,
    CHAIN,
    as_chain,
    behind_call,
    continued,
)
from twine_hooks.analysis.modules import OF_TYPE
from twine_hooks.analysis.languages.python_types import Types, join_chain, split_root

#: What follows the name of a keyword argument, of a parameter with a default, of a new name.
_BOUND = re.compile(rb"\s*(?::=|=(?![=}!:]))")
_KEYWORDS = frozenset(one.encode() for one in keyword.kwlist)
_CALLS = 8  #: calls in one chain that are followed


def references_of(
    parsed: Parsed, code: bytes, types: Types, wanted: frozenset[str] | None, owners: Sequence[tuple[int, Definition]]
) -> list[Reference]:
    """What the file uses: names among ``wanted`` (all when None) and members of typed locals.

    ``owners`` are the definitions that uses are put down to, with their index in the file.
    """
    places = sorted(_places(parsed, code, types, wanted))
    spans = [(one.start, one.end) for _, one in owners]
    lines: dict[tuple[str, str, int], list[int]] = {}
    for (start, chain, kind), within in zip(
        places, innermost(spans, [start for start, _, _ in places]), strict=True
    ):
        scope = owners[within][0] if within >= 0 else -1
        found = lines.setdefault((chain, kind, scope), [])
        line = parsed.line_of(start)
        if not found or found[-1] != line:
            found.append(line)
    return [Reference(chain, kind, tuple(at), scope) for (chain, kind, scope), at in lines.items()]


def _places(
    parsed: Parsed, code: bytes, types: Types, wanted: frozenset[str] | None
) -> Iterator[tuple[int, str, str]]:
    """(place, chain, kind) of each use."""
    names = {one.encode() for one in (wanted or frozenset()) | types.names}
    skipped = {start for start, _ in parsed.spans("name", "local", "parameter")}
    imports = parsed.spans("import")
    annotations = _outermost(parsed.spans("type"))
    for found in CHAIN.finditer(code):
        if found[1] not in names if wanted is not None else found[1] in _KEYWORDS:
            continue
        start, end = found.span()
        if start in skipped or _is_in(imports, start):
            continue
        chain = as_chain(found[0])
        if end == found.end(1) and _BOUND.match(code, end):
            continue
        kind = "type" if annotations and _is_in(annotations, start) else ""
        yield from _followed(code, types, start, end, chain, kind)


def _followed(
    code: bytes, types: Types, start: int, end: int, chain: str, kind: str
) -> Iterator[tuple[int, str, str]]:
    """The chain, and again behind each call and subscript that something is taken of."""
    root, rest = split_root(chain)
    choices = (root,) if root == "super" else types.resolved(root, start)
    is_named = root == "super" or types.is_free(root, start)
    for _ in range(_CALLS if choices else 0):
        marks, after = behind_call(code, end)
        if (rest or (is_named and root != "super")) and not rest.endswith(("@", "]")):
            shown = kind or ("call" if marks == CALLED else "read")
            for one in choices:
                whole = join_chain(one, rest)
                if whole and not whole.startswith("["):
                    yield start, whole if is_named else OF_TYPE + whole, shown
        if not marks:
            return
        more, end = continued(code, after)
        rest += marks + more
        if not more and code[end : end + 1] not in (b"(", b"["):
            return


def _outermost(spans: Sequence[Span]) -> list[Span]:
    """Without those inside of others."""
    found: list[Span] = []
    for span in spans:
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


def _is_in(spans: Sequence[Span], position: int) -> bool:
    """Whether one of the sorted spans, none in another, is around a place."""
    index = bisect_right(spans, (position, 1 << 62)) - 1
    return index >= 0 and position < spans[index][1]
