"""How many documents of a commit cannot do without a call, found without any plan.

One call for each document whose own source means something else than before, or that uses something
which does: what counts is for the policy to say. A source whose meaning was that of another one,
as after a rename, needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from twine_hooks.analysis.facts import EVERYTHING
from twine_hooks.inputs import symbol_digests
from twine_hooks.replay.sources import Sources


class Bound:
    """What changed between two commits, as far as documents have to say so."""

    def __init__(self, before: Sources, now: Sources) -> None:
        self._before = before
        self._now = now
        self._symbols: dict[tuple[str, str], Mapping[str, bool]] = {}

    def least_calls(self, policy: str) -> int:
        """How many documents have to be written anew."""
        if policy == "transitive":
            return len(self._changed | self._reached)
        return sum(self._is_due(path, policy) for path in self._candidates)

    @cached_property
    def _candidates(self) -> list[str]:
        affected = self._now.affected
        paths = self._now.state.rows if affected is None else affected
        return [path for path in paths if path in self._now]

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The sources that mean something new."""
        known = {self._before.own(path) for path in self._before.state.rows}
        return frozenset(path for path in self._candidates if self._is_new(path, known))

    def _is_new(self, path: str, known: set[str]) -> bool:
        own = self._now.own(path)
        return own != self._before.own(path) if path in self._before else own not in known

    @cached_property
    def _edited(self) -> frozenset[str]:
        return frozenset(path for path in self._changed if path in self._before)

    def _is_due(self, path: str, policy: str) -> bool:
        if path in self._changed:
            return True
        if policy == "none":
            return False
        if policy == "direct":
            return not self._edited.isdisjoint(self._now.dependencies(path))
        links = self._now.evaluation.survey.graph.of(path)
        passed_on: dict[tuple[str, str], bool] = {}
        for one in links.uses:
            if one.target in self._edited:
                key = (one.target, one.symbol)
                passed_on[key] = passed_on.get(key, True) and one.kind == "reexport"
        return any(
            self._differs(file, name, "interface" if only else policy)
            for (file, name), only in passed_on.items()
        )

    def _differs(self, file: str, name: str, policy: str) -> bool:
        """Whether a used symbol, or the file where it is none, is seen otherwise than before."""
        key = (file, policy)
        if key not in self._symbols:
            old, new = (
                symbol_digests(one.evaluation.survey.facts.get(file), policy)
                for one in (self._before, self._now)
            )
            names = old.keys() | new.keys()
            self._symbols[key] = {one: old.get(one) != new.get(one) for one in names}
        found = self._symbols[key]
        return found.get(name, found.get(EVERYTHING, False))

    @cached_property
    def _reached(self) -> frozenset[str]:
        """The sources that depend on an edited one at any depth."""
        users: dict[str, list[str]] = {}
        for path, others in self._now.edges.items():
            for one in others:
                users.setdefault(one, []).append(path)
        found: set[str] = set()
        waiting: list[str] = list(self._edited)
        while waiting:
            for path in users.get(waiting.pop(), ()):
                if path not in found:
                    found.add(path)
                    waiting.append(path)
        return frozenset(found)
