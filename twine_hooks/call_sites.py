"""A few places where other files call what one file defines; knows not who is shown them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from twine_hooks.analysis.graph import Graph
from twine_hooks.material import CallSite

_OF_ONE, _OF_ALL = 3, 12  #: at most so many of one symbol, and of all
_LONGEST = 160  #: characters of a line
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testing)/|(?:^|/)test_[^/]*$|[._-](?:test|spec)\.[^/]*$"
    r"|Tests?\.\w+$",
)


def call_sites(
    path: str, symbols: Sequence[str], graph: Graph, text_of: Callable[[str], str]
) -> tuple[CallSite, ...]:
    """At most three calls of each of ``symbols`` of ``path``, in their order, and twelve in all.

    Those of the nearest files come first, and those of tests last. A function of its arguments.
    """
    found: dict[str, list[tuple[str, int]]] = {one: [] for one in symbols}
    for caller in sorted(graph.dependents(path), key=lambda one: _farness(path, one)):
        for use in graph.of(caller).uses:
            if use.target == path and use.kind == "call" and use.symbol in found:
                found[use.symbol] += [(caller, line) for line in use.lines]
    rounds = zip_longest(*(places[:_OF_ONE] for places in found.values()))
    chosen = [
        (symbol, place)
        for one in rounds
        for symbol, place in zip(found, one, strict=True)
        if place is not None
    ]
    return tuple(_read(chosen[:_OF_ALL], list(found), text_of))


def _read(
    chosen: Sequence[tuple[str, tuple[str, int]]],
    symbols: Sequence[str],
    text_of: Callable[[str], str],
) -> Iterator[CallSite]:
    texts: dict[str, list[str]] = {}
    seen = set()
    for symbol, (caller, number) in sorted(chosen, key=lambda one: symbols.index(one[0])):
        if caller not in texts:
            texts[caller] = text_of(caller).split("\n")
        line = texts[caller][number - 1].strip() if number <= len(texts[caller]) else ""
        site = CallSite(symbol, line[:_LONGEST])
        if line and site not in seen:
            seen.add(site)
            yield site


def _farness(path: str, other: str) -> tuple[bool, int, str]:
    """Orders files: tests last, else by the folders between them, else by path."""
    here, there = path.split("/")[:-1], other.split("/")[:-1]
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return bool(_TEST.search(other)), len(here) + len(there) - 2 * shared, other
