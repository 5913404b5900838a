"""Which span is around a place, and which names are local where; knows no one language."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property

from twine_hooks.analysis.lang_base import Parsed, Span, outer_first


def innermost(spans: Sequence[Span], positions: Iterable[int]) -> list[int]:
    """For each position the index of the smallest span around it, or -1.

    The spans are sorted (outer ones first) and nest but never cross, as a tree's do.
    """
    positions = list(positions)
    if not positions or not spans:
        return [-1] * len(positions)
    starts, owners = stretches(spans)
    return [owners[bisect_right(starts, position)] for position in positions]


def stretches(spans: Sequence[Span]) -> tuple[list[int], list[int]]:
    """Where another span becomes the innermost one, and which: ``owners[i]``, or -1, is it from
    ``starts[i - 1]`` to before ``starts[i]``. The spans are as for ``innermost``.
    """
    starts: list[int] = []
    owners = [-1]
    open_spans: list[tuple[int, int]] = []  #: (end, index)
    for index, (start, end) in enumerate(spans):
        while open_spans and open_spans[-1][0] <= start:
            starts.append(open_spans.pop()[0])
            owners.append(open_spans[-1][1] if open_spans else -1)
        open_spans.append((end, index))
        starts.append(start)
        owners.append(index)
    while open_spans:
        starts.append(open_spans.pop()[0])
        owners.append(open_spans[-1][1] if open_spans else -1)
    return starts, owners


class Nesting:
    """Spans, as for ``innermost``, that are asked about more than once."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = spans
        self._starts, self._owners = stretches(spans)

    def at(self, position: int) -> int:
        """The index of the smallest span around a position, or -1."""
        return self._owners[bisect_right(self._starts, position)]

    @cached_property
    def parents(self) -> list[int]:
        """For each span the index of the one directly around it, or -1."""
        return innermost_parents(self.spans)


def local_names(parsed: Parsed, interesting: Callable[[str], bool]) -> dict[str, list[Span]]:
    """Where each interesting name is local: name -> spans of the scopes that bind it.

    From ``@scope`` (functions), ``@scope.block`` (blocks that are no function) and ``@local``
    (bound in the innermost of both), ``@local.outer`` (in the one around the innermost),
    ``@local.hoisted`` (in the innermost function) and ``@local.global`` (not bound here after all).
    """
    functions = parsed.spans("scope")
    scopes = parsed.spans("scope", "scope.block")
    bound: dict[str, set[Span]] = {}
    for capture, levels_up, around in (
        ("local", 0, scopes),
        ("local.outer", 1, scopes),
        ("local.hoisted", 0, functions),
    ):
        for name, scope in _scopes_of(parsed, capture, around, levels_up, interesting):
            bound.setdefault(name, set()).add(scope)
    for name, scope in _scopes_of(parsed, "local.global", functions, 0, interesting):
        if name in bound:
            bound[name].discard(scope)
    return {name: sorted(spans, key=outer_first) for name, spans in bound.items() if spans}


def _scopes_of(
    parsed: Parsed,
    capture: str,
    scopes: list[Span],
    levels_up: int,
    interesting: Callable[[str], bool],
) -> Iterator[tuple[str, Span]]:
    """(name, the scope that many levels up around it) for each interesting captured name."""
    named = [
        (start, name)
        for start, end in parsed.spans(capture)
        if interesting(name := parsed.string(start, end))
    ]
    if not named:
        return
    parents = innermost_parents(scopes) if levels_up else ()
    for (_, name), index in zip(
        named, innermost(scopes, [start for start, _ in named]), strict=True
    ):
        for _ in range(levels_up):
            index = parents[index] if index >= 0 else -1
        if index >= 0:
            yield name, scopes[index]


def innermost_parents(spans: Sequence[Span]) -> list[int]:
    """For each of the sorted, nested spans the index of the one directly around it, or -1."""
    parents: list[int] = []
    open_spans: list[int] = []
    for index, (start, end) in enumerate(spans):
        while (open_spans and spans[open_spans[-1]][1] < end) or (
            open_spans and spans[open_spans[-1]][1] <= start
        ):
            open_spans.pop()
        parents.append(open_spans[-1] if open_spans else -1)
        open_spans.append(index)
    return parents


def is_within(spans: Sequence[Span], position: int) -> bool:
    return any(start <= position < end for start, end in spans)


class Locals:
    """Which names are local where, as ``local_names`` finds them."""

    def __init__(self, parsed: Parsed, interesting: Callable[[str], bool]) -> None:
        self._spans = local_names(parsed, interesting)
        self._stretches: dict[str, tuple[list[int], list[int]]] = {}

    @property
    def names(self) -> Set[str]:
        """The names that are local somewhere."""
        return self._spans.keys()

    def binding(self, name: str, position: int) -> Span | None:
        """The innermost scope around ``position`` in which the name is local, None if in none."""
        return self.stretch(name, position)[0]

    def stretch(self, name: str, position: int) -> tuple[Span | None, int, int]:
        """The binding at a place, and from where to before where it is the same."""
        known = self._stretches.get(name)
        if known is None:
            known = self._stretches[name] = stretches(self._spans.get(name, ()))
        starts, owners = known
        at = bisect_right(starts, position)
        owner = owners[at]
        return (
            self._spans[name][owner] if owner >= 0 else None,
            starts[at - 1] if at else 0,
            starts[at] if at < len(starts) else sys.maxsize,
        )
