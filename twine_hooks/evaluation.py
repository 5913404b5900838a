"""One snapshot held against what is recorded of it: everything up to the plan, and no writing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from docs_store.digest import digest
from docs_store.leaf import Leaf
from twine_hooks.analysis.facts import EVERYTHING
from twine_hooks.analysis.graph import components, dependencies_of
from twine_hooks.call_sites import call_sites
from twine_hooks.config import Config
from twine_hooks.files import Files, differences, read_file
from twine_hooks.following import outward_digest
from twine_hooks.inputs import Inputs, InputsOf, leaf_of
from twine_hooks.material import CallSite, Dependency, Material, UsedSymbol
from twine_hooks.parsed import read_config, read_template
from twine_hooks.plan import Current, Plan, Recorded, make_plan
from twine_hooks.recorded import Docs, Leaves, read_docs, recorded_of
from twine_hooks.spelling import spelled
from twine_hooks.state import DEPENDENCIES, Row, State, keep_links
from twine_hooks.survey import Survey, make_survey
from twine_hooks.templating import Template

if TYPE_CHECKING:
    from docs_store.cache import Cache


class Evaluation:
    """A snapshot with its survey, its template and what is recorded; the rest follows from these.

    ``previous`` is the state that the survey was advanced from: its rows stand for all that does
    not depend on the survey's ``fresh`` files.
    """

    def __init__(
        self,
        snapshot: Files,
        survey: Survey,
        template: Template,
        docs: Docs,
        leaf_rows: Leaves,
        touched: frozenset[str],
        previous: State | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.survey = survey
        self.template = template
        self.docs = docs
        self.leaf_rows = leaf_rows
        self.touched = touched  #: sources whose documents are not those of the state before
        self.previous = previous

    @property
    def config(self) -> Config:
        return self.survey.config

    @cached_property
    def recorded(self) -> Recorded:
        """The headers and leaves of the snapshot's documents."""
        return recorded_of(self.snapshot, self.docs, self.leaf_rows)

    @cached_property
    def affected(self) -> frozenset[str] | None:
        """The sources whose rows differ from those of the state before; None for all."""
        changed = self.survey.changed
        if changed and self.config.dependents == "transitive":
            return None
        return self._linked_or_using(self._is_seen_otherwise)

    @cached_property
    def within_reach(self) -> frozenset[str] | None:
        """The sources that what changed may concern under any policy that does not go on through
        others; None for all."""
        return self._linked_or_using(lambda changed: True)

    def _linked_or_using(self, counts: Callable[[str], bool]) -> frozenset[str] | None:
        """What was linked anew, and who uses one of the changed files that count."""
        fresh = self.survey.fresh
        if self.previous is None or fresh is None:
            return None
        seen = frozenset(filter(counts, self.survey.changed))
        if not seen:
            return fresh
        users = (
            path
            for path, fields in self.previous.rows.items()
            if not seen.isdisjoint(fields[DEPENDENCIES])  # type: ignore[arg-type]
        )
        return fresh.union(users)

    def _is_seen_otherwise(self, path: str) -> bool:
        """Whether those who use a file that changed may have to say something else of it."""
        before = self.previous and self.previous.row(path)
        return (
            not before or path not in self.survey.facts or before.seen != self._inputs_of.seen(path)
        )

    def _row_before(self, path: str) -> Row | None:
        """The row of a source that still holds."""
        affected = self.affected
        if self.previous is None or affected is None or path in affected:
            return None
        return self.previous.row(path)

    @cached_property
    def inputs(self) -> Mapping[str, Inputs]:
        """What the document of each source is made from, by path; made when it is asked for."""
        return _InputsMapping(self)

    def inputs_of(self, path: str) -> Inputs:
        """What the document of one source is made from."""
        row = self._row_before(path)
        if row is not None:
            return Inputs(row.own, self._template_digest, row.uses, row.place)
        return self._inputs_of(path, self.survey.links[path])

    @cached_property
    def _template_digest(self) -> str:
        return digest(self.template.digest, self.config.output_language)

    @cached_property
    def suspects(self) -> frozenset[str] | None:
        """The sources whose documents may not be fresh, going by the state before; None for all."""
        before, affected = self.previous, self.affected
        if before is None or affected is None or before.template != self._template_digest:
            return None
        return affected.union(before.stale, self.touched, self.survey.changed)

    @property
    def is_as_before(self) -> bool:
        """Whether the state before says all that there is to say: what differs are other files."""
        before = self.previous
        return (
            before is not None
            and self.affected == frozenset()
            and not self.touched
            and before.template == self._template_digest
        )

    @property
    def stale(self) -> tuple[str, ...]:
        """The sources whose documents are not fresh: without any document all of them."""
        if not self.docs and not self.leaf_rows:
            return tuple(self.survey.facts)
        return tuple(task.path for task in self.plan().tasks)

    def state(self, cache: Cache) -> State:
        """What the next evaluation can start from. Links are put into the cache, not into it."""
        affected, linked = self.affected, self.survey.fresh
        renewed = self.survey.facts if affected is None else affected
        links = self.survey.links
        keep_links(cache, (links[path] for path in (links if linked is None else linked)))
        rows: dict[str, tuple[object, ...]] = {path: tuple(self._row(path)) for path in renewed}
        if self.previous is not None and affected is not None:
            rows = self.previous.rows | rows
        return State(
            settings=settings_digest(self.config),
            files=dict(self.snapshot.files),
            rows=rows,
            skipped={one.path: one.reason for one in self.survey.skipped},
            read=tuple(sorted(self.survey.read)),
            docs=self.docs,
            leaves=self.leaf_rows,
            template=self._template_digest,
            stale=self.stale,
        )

    def _row(self, path: str) -> Row:
        inputs, facts = self.inputs[path], self.survey.facts[path]
        before = self.survey.row_before(path)
        if before is not None:
            return before._replace(own=inputs.own, uses=inputs.uses, place=inputs.place)
        return Row(
            outward=outward_digest(facts),
            links=self.survey.links_digest(path),
            dependencies=self.survey.dependencies(path),
            own=inputs.own,
            uses=inputs.uses,
            place=inputs.place,
            seen=self._inputs_of.seen(path),
            spelled=spelled(facts),
        )

    @cached_property
    def _inputs_of(self) -> InputsOf:
        return self.inputs_under(self.config.dependents)

    def inputs_under(self, policy: str) -> InputsOf:
        """What computes inputs under any policy, each of them anew."""
        facts = self.survey.facts
        return InputsOf(
            facts=facts.get,
            own=self.own,
            template=self._template_digest,
            policy=policy,
            has_document=facts.__contains__,
            links=self.survey.links,
        )

    def own(self, path: str) -> str:
        """The digest of a source itself, under the cut-off of the settings."""
        row = self.survey.row_before(path)
        if row is not None:
            return row.own
        facts = self.survey.facts.get(path)
        if facts is None or self.config.cutoff == "bytes":
            return digest(self.snapshot.files.get(path, ""))
        return f"b3:{facts.meaning}"

    def leaf(self, path: str) -> Leaf:
        return leaf_of(self.survey.facts[path], self.own(path))

    def used(self, path: str) -> list[tuple[str, str]]:
        """(file, symbol) of what a file uses of others."""
        links = self.survey.graph.of(path)
        return [(file, name) for file, name, _ in self._inputs_of.used(path, links)]

    @cached_property
    def _rank(self) -> Mapping[str, int]:
        uses = {path: self.survey.dependencies(path) for path in self.survey.facts}
        groups = components(uses)
        return {path: rank for rank, path in enumerate(one for group in groups for one in group)}

    def order(self, paths: Sequence[str]) -> Sequence[str]:
        """Dependencies before dependents, circles together."""
        if len(paths) < 2:
            return paths
        return sorted(paths, key=lambda path: self._rank.get(path, -1))

    def plan(
        self,
        paths: Callable[[str], bool] | None = None,
        all_: bool = False,
        upgrade: bool = False,
    ) -> Plan:
        """What refresh would do; see ``make_plan``."""
        if paths is None and not all_ and not upgrade:
            return self._whole_plan
        return make_plan(self._current, self.recorded, self.suspects, paths, all_, upgrade)

    @cached_property
    def _whole_plan(self) -> Plan:
        return make_plan(self._current, self.recorded, self.suspects)

    @property
    def _current(self) -> Current:
        return Current(self.inputs, self.leaf, self.used, self.order)

    def material(self, path: str, summary: Callable[[str], str]) -> Material:
        """What the document of a source is made from. ``summary`` gives that of another's."""
        links = self.survey.graph.of(path)
        by_file: dict[str, list[str]] = {file: [] for file in dependencies_of(path, links)}
        for file, name in self.used(path):
            by_file.setdefault(file, []).append(name)
        return Material(
            path=path,
            facts=self.survey.facts[path],
            dependencies=tuple(
                self._dependency(file, names, summary) for file, names in by_file.items()
            ),
            template=self.template,
            output_language=self.config.output_language,
            source=cache(lambda: self._text(path)),
            says_uses=self.config.dependents != "none",
            call_sites=cache(lambda: self._call_sites(path)),
        )

    def _call_sites(self, path: str) -> tuple[CallSite, ...]:
        public = [one.qualified for one in self.survey.facts[path].definitions if one.public]
        return call_sites(path, public, self.survey.graph, self._text)

    def _text(self, path: str) -> str:
        return (read_file(self.snapshot, path) or b"").decode("utf-8", "replace")

    def _dependency(
        self, file: str, names: Sequence[str], summary: Callable[[str], str]
    ) -> Dependency:
        facts = self.survey.facts.get(file)
        known = {one.qualified: one for one in reversed(facts.definitions if facts else ())}
        symbols = tuple(
            UsedSymbol(name, known.get(name)) for name in sorted(names) if name != EVERYTHING
        )
        return Dependency(file, facts is not None, symbols, lambda: summary(file))


class _InputsMapping(Mapping[str, Inputs]):
    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[str, Inputs] = {}

    def __getitem__(self, path: str) -> Inputs:
        if path not in self._known:
            if path not in self._evaluation.survey.facts:
                raise KeyError(path)
            self._known[path] = self._evaluation.inputs_of(path)
        return self._known[path]

    def __contains__(self, path: object) -> bool:
        return path in self._evaluation.survey.facts

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluation.survey.facts)

    def __len__(self) -> int:
        return len(self._evaluation.survey.facts)


def settings_digest(config: Config) -> str:
    """Digest of the settings on which the rows of a state depend."""
    relevant = (
        config.dependents,
        config.cutoff,
        repr(config.exclude),
        str(config.max_file_kb),
        repr(config.analysis),
    )
    return digest(*relevant)


def evaluate(snapshot: Files, cache: Cache, previous: State | None = None) -> Evaluation:
    """Hold a snapshot against what is recorded of it. Raises ConfigError, TemplateError, GitError.

    ``previous`` makes it faster and changes nothing.
    """
    config = read_config(snapshot, cache)
    template = read_template(snapshot, config, cache)
    different = differences(snapshot.files, previous.files if previous else {})
    docs, leaf_rows, touched = read_docs(snapshot, cache, different, previous)
    usable = previous if previous and previous.settings == settings_digest(config) else None
    survey = make_survey(snapshot, config, cache, usable, different)
    return Evaluation(snapshot, survey, template, docs, leaf_rows, touched, survey.before)
