"""The documents of a history under one policy, as they would stand; kept in memory alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from docs_store.digest import short
from docs_store.header import Header
from docs_store.leaf import Leaf
from twine_hooks.inputs import Inputs
from twine_hooks.plan import REMOVE, WRITE, Current, Plan, Recorded, Task, make_plan
from twine_hooks.replay.sources import Sources


class Doc(NamedTuple):
    """One document: the blob of the source that its prose was written for, and its text as it
    would be without a model: all but the first line, and of that the prose by section."""

    blob: str
    body: str
    prose: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Documents:
    """What is documented after a commit, all of it fresh."""

    policy: str
    docs: dict[str, Doc] = field(default_factory=dict)
    inputs: dict[str, Inputs] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)
    _owns: dict[str, str] = field(default_factory=dict)
    #: (source, digest of inputs) of all prose that a model wrote: it is remembered for good
    _written: set[tuple[str, str]] = field(default_factory=set)

    def plan(self, now: Sources, before: Sources | None) -> tuple[Plan, dict[str, Inputs]]:
        """What a refresh would do after a commit, and the inputs of all documents then."""
        changed = now.inputs(self.policy, self.inputs)
        affected = now.affected
        suspects = None if affected is None else affected.union(changed)
        if suspects is not None and not any(one in now or one in self.docs for one in suspects):
            return Plan((), len(self.docs)), self.inputs
        inputs = {path: one for path, one in (self.inputs | changed).items() if path in now}
        current = Current(inputs, now.leaf, now.evaluation.used, now.order)
        return make_plan(current, self._recorded(before), suspects), inputs

    def _recorded(self, before: Sources | None) -> Recorded:
        def leaf(path: str) -> Leaf | None:
            return before.leaf(path) if before and path in before else None

        return Recorded(_Headers(self.inputs, self._digests), self._digests, {}, self._owns, leaf)

    def is_remembered(self, path: str, inputs: Inputs) -> bool:
        """Whether a model wrote about this source with these inputs before."""
        return (path, inputs.digest) in self._written

    def take(self, plan: Plan, inputs: dict[str, Inputs], docs: Mapping[str, Doc]) -> None:
        """What stands there once a plan is done; ``docs`` are those that it writes."""
        for task in plan.tasks:
            path = task.path
            if task.action == REMOVE:
                for kept in (self.docs, self._digests, self._owns):
                    kept.pop(path, None)
                continue
            self.docs[path] = docs[path]
            self._digests[path], self._owns[path] = inputs[path].digest, inputs[path].own
            if task.action == WRITE:
                self._written.add((path, inputs[path].digest))
        self.inputs = inputs

    def present(self, task: Task) -> Doc | None:
        """The document that a task begins from."""
        return self.docs.get(task.origin or task.path)


class _Headers(Mapping[str, "Header | None"]):
    """Headers as they would be recorded, made when they are asked for."""

    def __init__(self, inputs: Mapping[str, Inputs], digests: Mapping[str, str]) -> None:
        self._inputs = inputs
        self._digests = digests

    def __getitem__(self, path: str) -> Header:
        one = self._inputs[path]
        return Header(
            self._digests[path],
            short(one.own),
            short(one.template),
            short(one.uses),
            short(one.place),
        )

    def __contains__(self, path: object) -> bool:
        return path in self._inputs

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)
