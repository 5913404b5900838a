"""Edges and uses of one file while a linker gathers them; knows no language and no names."""

from __future__ import annotations

from collections.abc import Iterable, Set

from twine_hooks.analysis.facts import EVERYTHING, Edge, Use

MEMBER = "member"  #: reached through a value only, the file does not name it
INFERRED = "inferred"  #: the type of a call whose name the file does not write

_WEAK = frozenset({MEMBER, INFERRED})


class Gathered:
    """Each definition that a file uses, and how the file names it."""

    def __init__(self, path: str, weak: Set[str] = _WEAK) -> None:
        """``weak``: the kinds of edges that are left out where there is one of another kind."""
        self._path = path
        self._weak = weak
        self._edges: dict[str, dict[str, set[str]]] = {}
        self._uses: dict[tuple[str, str, str, str], set[int]] = {}

    def add(
        self, symbol: tuple[str, str], how: str, kind: str, lines: Iterable[int], scope: str
    ) -> None:
        target, qualified = symbol
        if target != self._path:
            self._edges.setdefault(target, {}).setdefault(how, set()).add(qualified)
        elif qualified == EVERYTHING:
            return
        self._uses.setdefault((target, qualified, kind, scope), set()).update(lines)

    def add_edge(self, target: str, how: str) -> None:
        """A file that is depended on as it stands, with no symbol of it."""
        if target != self._path:
            self._edges.setdefault(target, {}).setdefault(how, set())

    def edges(self) -> tuple[Edge, ...]:
        """One for each way in which a file is named; as a member only where it never is."""
        found = []
        for target, by_kind in sorted(self._edges.items()):
            kinds = sorted(set(by_kind) - self._weak) or sorted(by_kind)[-1:]
            for kind in kinds:
                found.append(Edge(target, kind, 1.0, tuple(sorted(by_kind[kind] - {EVERYTHING}))))
        return tuple(found)

    def uses(self) -> tuple[Use, ...]:
        return tuple(
            Use(target, symbol, kind, tuple(sorted(lines)), scope)
            for (target, symbol, kind, scope), lines in sorted(self._uses.items())
        )
