"""The sources of one snapshot, their facts and their links; starts from what was found before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from twine_hooks.analysis.all_languages import is_manifest
from twine_hooks.analysis.facts import Edge, Facts, Links
from twine_hooks.analysis.graph import Graph, dependencies_of, edges, link
from twine_hooks.analysis.lang_base import Project, Settings
from twine_hooks.config import Config
from twine_hooks.extraction import facts_before, facts_of, key_of, rows_of
from twine_hooks.files import Differences, Files, excluded_by, is_own, read_file
from twine_hooks.following import (
    can_be_followed,
    concerned_by,
    is_source,
    led_elsewhere,
    looking_at,
    moves_names,
    names_of_moved,
    names_that_changed,
    outward_digest,
    users_of,
)
from twine_hooks.state import OUTWARD, LinksOf, Row, State, links_digest

if TYPE_CHECKING:
    from docs_store.cache import Cache

_SYMLINK = "it is a symbolic link"
_MANY = 500  #: links that are made in no time to speak of


class Skipped(NamedTuple):
    """A file that looks like a source and gets no document."""

    path: str
    reason: str


class _Keys(Mapping[str, str]):
    """path -> key of its facts for all sources of a state, made when they are asked for."""

    def __init__(self, snapshot: Files, previous: State) -> None:
        self._snapshot = snapshot
        self._rows = previous.rows

    def __getitem__(self, path: str) -> str:
        if path not in self._rows:
            raise KeyError(path)
        return key_of(self._snapshot, path)

    def __contains__(self, path: object) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class Survey:
    """Facts and links by path for each source, and what was passed over, sorted by path.

    ``fresh`` are the paths whose facts or links are not those of the state before; None for all.
    ``changed`` are all files that differ from that state, those without facts and those that are
    gone too. ``before`` is that state, with rows for just the sources that there are now.
    """

    def __init__(
        self,
        snapshot: Files,
        config: Config,
        facts: Mapping[str, Facts],
        skipped: tuple[Skipped, ...],
        links: Mapping[str, Links],
        read: frozenset[str],
        fresh: frozenset[str] | None = None,
        changed: frozenset[str] = frozenset(),
        before: State | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.config = config
        self.facts = facts
        self.skipped = skipped
        self.links = links
        self.read = read
        self.fresh = fresh
        self.changed = changed
        self.before = before

    @cached_property
    def graph(self) -> Graph:
        """The dependencies of everything."""
        return Graph(self.links)

    def dependencies(self, path: str) -> tuple[str, ...]:
        """The other files that a source uses, sorted."""
        row = self.row_before(path)
        return dependencies_of(path, self.links[path]) if row is None else row.dependencies

    def links_digest(self, path: str) -> str:
        """A digest of a source's links."""
        row = self.row_before(path)
        return links_digest(self.links[path]) if row is None else row.links

    def row_before(self, path: str) -> Row | None:
        """What the state before says of a source whose facts and links are the same."""
        if self.before is None or self.fresh is None or path in self.fresh:
            return None
        return self.before.row(path)


def source_paths(snapshot: Files, config: Config) -> Iterator[str]:
    """The paths whose names make them sources, excluded ones left out; in no order."""
    excluded = excluded_by(config.exclude)
    for path in snapshot.files:
        if is_source(path) and not excluded(path):
            yield path


def make_survey(
    snapshot: Files,
    config: Config,
    cache: Cache,
    previous: State | None = None,
    different: Differences | None = None,
) -> Survey:
    """Facts and links of all sources of a snapshot.

    With a state of ``previous`` only what is ``different`` from it is looked at; the outcome is the
    same.
    """
    if previous is not None and different is not None:
        survey = _advanced(snapshot, config, cache, previous, different)
        if survey is not None:
            return survey
    return _from_scratch(snapshot, config, cache)


def edges_of(snapshot: Files, config: Config, cache: Cache) -> Mapping[str, tuple[Edge, ...]]:
    """The edges between the files of a snapshot, by path."""
    facts, _ = _facts_of_all(snapshot, config, cache, names_only=True)
    return edges(_project(snapshot, config, facts)[0])


def _from_scratch(snapshot: Files, config: Config, cache: Cache) -> Survey:
    facts, skipped = _facts_of_all(snapshot, config, cache)
    project, read = _project(snapshot, config, facts)
    links = link(project)
    return Survey(snapshot, config, facts, _listed(skipped), links, frozenset(read))


def _facts_of_all(
    snapshot: Files, config: Config, cache: Cache, names_only: bool = False
) -> tuple[Mapping[str, Facts], dict[str, str]]:
    """Facts by path of all sources, and why others were passed over."""
    wanted = {path: key_of(snapshot, path) for path in sorted(source_paths(snapshot, config))}
    rows = rows_of(snapshot, config, cache, wanted, names_only)
    skipped = _symlinks(snapshot)
    skipped |= {
        path: rows[key][1:].decode() for path, key in wanted.items() if rows[key][:1] != b"F"
    }
    keys = {path: key for path, key in wanted.items() if path not in skipped}
    return facts_of(snapshot, config, cache, keys, rows), skipped


def _advanced(
    snapshot: Files, config: Config, cache: Cache, previous: State, different: Differences
) -> Survey | None:
    """The survey where no more differs than what can be followed; None where more does."""
    changed, removed = ([path for path in paths if not is_own(path)] for paths in different)
    if any(path in previous.read or is_manifest(path) for path in [*changed, *removed]):
        return None
    before, added = previous, _added(snapshot, config, previous, changed)
    came = [path for path in changed if path not in previous.files]
    if came or removed:
        if not can_be_followed(snapshot, previous, came, removed):
            return None
        before = previous.with_sources(added, removed)
    known = [path for path in changed if path in before.rows or path in before.skipped]
    wanted = {path: key_of(snapshot, path) for path in sorted(known)}
    rows = rows_of(snapshot, config, cache, wanted)
    facts = facts_of(snapshot, config, cache, _Keys(snapshot, before), rows)
    if any(row[:1] != b"F" for row in rows.values()) or not before.rows.keys() >= wanted.keys():
        return None
    moved = {path for path in [*came, *removed] if is_source(path)}
    project, asked = _project(snapshot, config, facts)
    step = _Step(cache, previous, before, facts)
    seen_otherwise = step.seen_otherwise(project, moved, wanted.keys())
    if seen_otherwise is None:
        return None
    relinked = wanted.keys() | looking_at(seen_otherwise, before, facts)
    relinked |= users_of(moved.intersection(removed), before)
    if len(relinked) > step.most:
        return None
    links = LinksOf(before, cache, lambda path: link(project, [path])[path])
    if relinked:
        links.update(link(project, relinked))
    skipped = {path: why for path, why in before.skipped.items() if why != _SYMLINK}
    skipped |= _symlinks(snapshot)
    return Survey(
        snapshot,
        config,
        facts,
        _listed(skipped),
        links,
        frozenset(asked.union(before.read)),
        fresh=frozenset(relinked),
        changed=frozenset([*changed, *removed]),
        before=before,
    )


class _Step(NamedTuple):
    """From the state ``previous`` to another snapshot, of whose sources ``before`` has rows."""

    cache: Cache
    previous: State
    before: State
    facts: Mapping[str, Facts]

    @property
    def most(self) -> int:
        """So many files can be looked at; with more it is sooner done from nothing."""
        return max(_MANY, len(self.before.rows) // 2)

    def seen_otherwise(
        self, project: Project, moved: Set[str], changed: Set[str]
    ) -> dict[str, frozenset[str] | None] | None:
        """By path the names under which others may find something else there, None for any name;
        None for too many files. ``moved`` are sources that came or went."""
        by_name = frozenset(filter(moves_names, moved))
        by_path = moved - by_name
        concerned = concerned_by(by_path, self.previous, self.facts) & self.before.rows.keys()
        if max(len(concerned), len(by_name)) > self.most:
            return None
        led = led_elsewhere(concerned - moved, by_path, project, self.before)
        found: dict[str, frozenset[str] | None] = dict.fromkeys(led.union(by_path))
        found |= self._names_of_moved(by_name)
        for path in sorted(changed - found.keys()):
            if outward_digest(self.facts[path]) != self.before.rows[path][OUTWARD]:
                found[path] = names_that_changed(self._facts_before(path), self.facts[path])
        return found

    def _names_of_moved(self, moved: Set[str]) -> dict[str, frozenset[str] | None]:
        found: dict[str, frozenset[str] | None] = {}
        for path in sorted(moved):
            if path in self.before.rows:
                found[path] = names_of_moved(path, self.facts[path], self.facts, moved)
            elif path in self.previous.rows:
                found[path] = names_of_moved(path, self._facts_before(path), self.facts, moved)
        return found

    def _facts_before(self, path: str) -> Facts | None:
        return facts_before(self.cache, path, self.previous.files.get(path, ""))


def _added(snapshot: Files, config: Config, previous: State, changed: Sequence[str]) -> list[str]:
    """The sources that are new."""
    excluded = excluded_by(config.exclude)
    return [
        path
        for path in changed
        if path not in previous.files and is_source(path) and not excluded(path)
    ]


def _project(
    snapshot: Files, config: Config, facts: Mapping[str, Facts]
) -> tuple[Project, set[str]]:
    """What linking may look at, and the set of manifests that it asks for while it does."""
    analysis = config.analysis
    settings = Settings(analysis.source_roots, analysis.include_dirs, analysis.compile_args)
    paths = frozenset(path for path in snapshot.files if not is_own(path))
    asked: set[str] = set()

    def read(path: str) -> bytes | None:
        asked.add(path)
        return read_file(snapshot, path)

    return Project(paths, facts, read, settings), asked


def _listed(skipped: Mapping[str, str]) -> tuple[Skipped, ...]:
    return tuple(Skipped(path, skipped[path]) for path in sorted(skipped))


def _symlinks(snapshot: Files) -> dict[str, str]:
    return {path: _SYMLINK for path in snapshot.symlinks if is_source(path)}
