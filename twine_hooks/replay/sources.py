"""The sources of one commit after another, each advanced from the one before; knows no document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from docs_store.leaf import Leaf
from twine_hooks.analysis.all_languages import LANGUAGES, language_of
from twine_hooks.analysis.graph import components
from twine_hooks.config import Config
from twine_hooks.evaluation import Evaluation
from twine_hooks.extraction import key_of, rows_of
from twine_hooks.files import differences, excluded_by, is_own
from twine_hooks.git import (
    Blobs,
    Landed,
    Listing,
    Mainline,
    Repository,
    Snapshot,
    landed_on,
    lines_changed,
    parse_listing,
    tree_listing,
)
from twine_hooks.inputs import Inputs, below_digests
from twine_hooks.state import State
from twine_hooks.survey import make_survey
from twine_hooks.templating import Template

if TYPE_CHECKING:
    from docs_store.cache import Cache

_AT_ONCE = 200  #: commits whose new sources are read in one go
#: The policy of the state: its digests of what is used decide, too, what a question says of that.
_BASE = "interface"


@dataclass(frozen=True, eq=False)
class Sources:
    """The sources of a commit. Digests under each policy are made from the same links."""

    evaluation: Evaluation
    state: State
    _leaves: dict[str, Leaf] = field(default_factory=dict)

    def leaf(self, path: str) -> Leaf:
        """The leaf of a source, made once."""
        if path not in self._leaves:
            self._leaves[path] = self.evaluation.leaf(path)
        return self._leaves[path]

    @property
    def affected(self) -> frozenset[str] | None:
        """The sources that are not to the documents what they were a commit before; those that
        are gone as well. None where all may be."""
        found = self.evaluation.within_reach
        return None if found is None else found | self.evaluation.survey.changed

    def __contains__(self, path: object) -> bool:
        return path in self.state.rows

    def own(self, path: str) -> str:
        return self.evaluation.own(path)

    def base_inputs(self, path: str) -> Inputs:
        """The inputs of a document as far as they decide what its question says."""
        return self.evaluation.inputs[path]

    def dependencies(self, path: str) -> tuple[str, ...]:
        row = self.state.row(path)
        return row.dependencies if row else ()

    @cached_property
    def edges(self) -> dict[str, tuple[str, ...]]:
        """What each source uses, by path."""
        return {path: self.dependencies(path) for path in self.state.rows}

    @cached_property
    def _rank(self) -> dict[str, int]:
        groups = components(self.edges)
        return {path: rank for rank, path in enumerate(one for group in groups for one in group)}

    def order(self, paths: Sequence[str]) -> Sequence[str]:
        """Dependencies before dependents, circles together."""
        return sorted(paths, key=lambda path: self._rank.get(path, -1)) if paths[1:] else paths

    def inputs(self, policy: str, before: Mapping[str, Inputs]) -> dict[str, Inputs]:
        """The inputs of the documents that may differ from those ``before``, by path."""
        paths = self.state.rows if self.affected is None else self.affected
        present = [path for path in paths if path in self]
        if policy == _BASE:
            return {path: self.base_inputs(path) for path in present}
        if policy == "transitive":
            return self._transitive_inputs(before, present)
        inputs_of = self.evaluation.inputs_under(policy)
        links = self.evaluation.survey.links
        return {path: inputs_of(path, links[path]) for path in present}

    def _transitive_inputs(
        self, before: Mapping[str, Inputs], present: Iterable[str]
    ) -> dict[str, Inputs]:
        """What changes at any depth reaches files that are not affected under any other policy."""
        below = self._below
        behind = [path for path, one in before.items() if below.get(path, one.uses) != one.uses]
        return {
            path: self.base_inputs(path)._replace(uses=below[path])
            for path in sorted({*present, *behind})
        }

    @cached_property
    def _below(self) -> dict[str, str]:
        return below_digests(self.edges, self.own)


@dataclass(frozen=True, slots=True)
class Walk:
    """Goes along a main line, under the same settings and template all the way."""

    repo: Repository
    line: Mainline
    config: Config
    template: Template
    cache: Cache

    def sources(self) -> Iterator[Sources]:
        """The sources at the base, then those after each commit."""
        with closing(Blobs(self.repo)) as blobs:
            listing = parse_listing(tree_listing(self.repo, self.line.base))
            last = self._sources(Snapshot(self.line.base, listing, blobs), None)
            yield last
            for number, commit in enumerate(self.line.commits):
                if number % _AT_ONCE == 0:
                    self._read_ahead(self.line.commits[number : number + _AT_ONCE], blobs)
                listing = landed_on(listing, commit)
                last = self._sources(Snapshot(commit.id, listing, blobs), last.state)
                yield last

    def lines(self) -> dict[str, dict[str, int]]:
        """By commit and path the lines that changed in files that may be sources."""
        ends = {f".{end}" for language in LANGUAGES.values() for end in language.extensions}
        return lines_changed(self.repo, self.line, ends)

    def _sources(self, snapshot: Snapshot, previous: State | None) -> Sources:
        different = differences(snapshot.files, previous.files if previous else {})
        config = self.config._replace(dependents=_BASE)
        survey = make_survey(snapshot, config, self.cache, previous, different)
        evaluation = Evaluation(snapshot, survey, self.template, {}, {}, frozenset(), survey.before)
        return Sources(evaluation, evaluation.state(self.cache)._replace(stale=()))

    def _read_ahead(self, commits: Sequence[Landed], blobs: Blobs) -> None:
        """Put into the cache the facts of all that these commits bring, in as many processes as
        pay for their start."""
        excluded = excluded_by(self.config.exclude)
        found = {
            f"{one.object_id}/{one.path}": one.object_id
            for commit in commits
            for one in commit.entries
            if one.mode.startswith("100") and language_of(one.path) and not is_own(one.path)
            if not excluded(one.path)
        }
        snapshot = Snapshot("", Listing(found, {}, {}, frozenset()), blobs)
        rows_of(snapshot, self.config, self.cache, {path: key_of(snapshot, path) for path in found})
