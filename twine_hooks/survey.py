"""The sources of one snapshot, their facts and their links; facts come from a cache by blob."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, cast

from docs_store.digest import short
from docs_store.layout import ROOT
from twine_hooks.analysis.all_languages import family_of, is_manifest, language_of, load
from twine_hooks.analysis.facts import EXTRACTOR_VERSION, Facts, Links, pack, unpack
from twine_hooks.analysis.graph import Graph, link
from twine_hooks.analysis.lang_base import Project, Settings
from twine_hooks.config import Config
from twine_hooks.state import DEPENDENCIES, LinksOf, State

if TYPE_CHECKING:
    from docs_store.cache import Cache

_FACTS = "facts"
_POOL_FROM = 1_500_000  #: bytes of source from which a second process pays for its start
_BATCH = 64  #: files handed to a process at once
_MINIFIED = 500  #: bytes a line, on average, that nobody writes by hand
EMPTY = "it is empty"
_SYMLINK = "it is a symbolic link"
Analyse = Callable[[str], bytes]
_LFS = b"version https://git-lfs.github.com/spec/"


class Files(Protocol):
    """What a survey needs of a snapshot (``twine_hooks.git.Snapshot``)."""

    @property
    def files(self) -> Mapping[str, str]: ...

    @property
    def symlinks(self) -> frozenset[str]: ...

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]: ...

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]: ...


@dataclass(frozen=True, slots=True)
class Skipped:
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
        return _key(self._snapshot, path)

    def __contains__(self, path: object) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class FactsOf(Mapping[str, Facts]):
    """Facts by path, unpacked when they are asked for: from rows at hand, else from the cache."""

    def __init__(
        self, keys: Mapping[str, str], cache: Cache, rows: Mapping[str, bytes], again: Analyse
    ) -> None:
        self._keys = keys  #: path -> key of its row, in the order of the paths
        self._cache = cache
        self._rows = rows
        self._again = again
        self._known: dict[str, Facts] = {}

    def __getitem__(self, path: str) -> Facts:
        if path not in self._known:
            key = self._keys[path]
            row = self._rows.get(key) or self._cache.get(_FACTS, key) or self._again(path)
            found = unpacked(row)
            self._known[path] = (
                found if isinstance(found, Facts) else Facts(language_of(path) or "")
            )
        return self._known[path]

    def __contains__(self, path: object) -> bool:
        return path in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@dataclass(frozen=True, eq=False)
class Survey:
    """Facts and links by path for each source, and what was passed over, sorted by path.

    ``fresh`` are the paths whose facts or links are not those of the state before; None for all.
    ``changed`` are all files that differ from that state, those without facts too.
    """

    snapshot: Files
    config: Config
    facts: Mapping[str, Facts]
    skipped: tuple[Skipped, ...]
    links: Mapping[str, Links]
    read: frozenset[str]
    fresh: frozenset[str] | None = None
    changed: frozenset[str] = frozenset()

    @cached_property
    def graph(self) -> Graph:
        """The dependencies of everything."""
        return Graph(self.links)


def is_own(path: str) -> bool:
    """Whether a path is the tool's own."""
    return path.startswith(ROOT + "/")


def read_file(snapshot: Files, path: str) -> bytes | None:
    """One file of a snapshot, or None."""
    blob = snapshot.files.get(path)
    if blob is None:
        return None
    return next((data for _, data in snapshot.read([blob])), None)


def source_paths(snapshot: Files, config: Config) -> Iterator[str]:
    """The paths whose names make them sources, excluded ones left out; in no order."""
    excluded = excluded_by(config.exclude)
    for path in snapshot.files:
        if _is_source(path) and not excluded(path):
            yield path


def make_survey(
    snapshot: Files, config: Config, cache: Cache, previous: State | None = None
) -> Survey:
    """Facts and links of all sources of a snapshot.

    With a state of ``previous`` only what differs is looked at; the outcome is the same.
    """
    if previous is not None:
        survey = _advanced(snapshot, config, cache, previous)
        if survey is not None:
            return survey
    return _from_scratch(snapshot, config, cache)


def _from_scratch(snapshot: Files, config: Config, cache: Cache) -> Survey:
    wanted = {path: _key(snapshot, path) for path in sorted(source_paths(snapshot, config))}
    rows = _rows_of(snapshot, config, cache, wanted)
    skipped = _symlinks(snapshot)
    skipped |= {
        path: rows[key][1:].decode() for path, key in wanted.items() if rows[key][:1] != b"F"
    }
    keys = {path: key for path, key in wanted.items() if path not in skipped}
    facts = _facts_of(snapshot, config, cache, keys, rows)
    project, read = _project(snapshot, config, facts)
    links = link(project)
    return Survey(snapshot, config, facts, _listed(skipped), links, frozenset(read))


def _advanced(snapshot: Files, config: Config, cache: Cache, previous: State) -> Survey | None:
    """The survey where nothing but the content of some files differs; None where more does."""
    changed, removed = differences(snapshot.files, previous.files)
    changed = [path for path in changed if not is_own(path)]
    if any(path not in previous.files for path in changed) or not all(map(is_own, removed)):
        return None
    if any(path in previous.read or is_manifest(path) for path in changed):
        return None
    known = [path for path in changed if path in previous.rows or path in previous.skipped]
    wanted = {path: _key(snapshot, path) for path in sorted(known)}
    rows = _rows_of(snapshot, config, cache, wanted)
    facts = _facts_of(snapshot, config, cache, _Keys(snapshot, previous), rows)
    seen_otherwise = set()
    for path, key in wanted.items():
        row = previous.row(path)
        if row is None or rows[key][:1] != b"F":
            return None
        if outward_digest(facts[path]) != row.outward:
            seen_otherwise.add(path)
    relinked = wanted.keys() | _looking_at(seen_otherwise, previous)
    links, read = LinksOf(previous), set(previous.read)
    if relinked:
        project, asked = _project(snapshot, config, facts)
        links.update(link(project, relinked))
        read |= asked
    skipped = {path: why for path, why in previous.skipped.items() if why != _SYMLINK}
    skipped |= _symlinks(snapshot)
    return Survey(
        snapshot,
        config,
        facts,
        _listed(skipped),
        links,
        frozenset(read),
        fresh=frozenset(relinked),
        changed=frozenset(changed),
    )


def _looking_at(changed: set[str], previous: State) -> set[str]:
    """The files whose links may differ because others see these ones otherwise than before.

    In languages of modules, names are followed from file to file along dependencies; a package's
    own file is looked at by all who use anything of the package. Elsewhere any file of the family
    may look.
    """
    if not changed:
        return set()
    families = {family_of(path) for path in changed if _sees_bodies(path)}
    found = {path for path in previous.rows if family_of(path) in families}
    users: dict[str, list[str]] = {}
    packages = {_package_folder(path) for path in changed} - {""}
    waiting = set(changed)
    for path, fields in previous.rows.items():
        for target in cast("tuple[str, ...]", fields[DEPENDENCIES]):
            users.setdefault(target, []).append(path)
            if packages and any(target.startswith(folder) for folder in packages):
                waiting.add(path)
    while waiting:
        path = waiting.pop()
        if path not in found or path in changed:
            found.add(path)
            waiting.update(one for one in users.get(path, ()) if one not in found)
    return found & previous.rows.keys()


def _sees_bodies(path: str) -> bool:
    return load(language_of(path) or "").TRAITS.linking_reads_bodies


def _package_folder(path: str) -> str:
    """The folder, with a "/" behind it, whose package the file stands for; "" for a plain file."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/" if folder and name.partition(".")[0] in ("__init__", "index") else ""


def differences(now: Mapping[str, str], before: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The paths that are new or have another blob, and those that are gone."""
    changed = [path for path, blob in now.items() if before.get(path) != blob]
    new = sum(path not in before for path in changed)
    if len(now) - new == len(before):
        return changed, []
    return changed, [path for path in before if path not in now]


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


def outward_digest(facts: Facts) -> str:
    """Digest of all that the linking of other files may look at in a file, lines left out."""
    whole = load(facts.language).TRAITS.linking_reads_bodies if facts.language else False
    seen = (
        [
            (d.qualified, d.kind, d.public, d.parent, d.bases, d.signature if whole else "")
            for d in facts.definitions
        ],
        [one[:4] for one in facts.imports],
        [(one.chain, one.kind, one.scope) for one in facts.references] if whole else (),
        facts.exports,
        facts.namespace,
        facts.extra,
    )
    return short(marshal.dumps(seen, 2), 16)


def _listed(skipped: Mapping[str, str]) -> tuple[Skipped, ...]:
    return tuple(Skipped(path, skipped[path]) for path in sorted(skipped))


def _rows_of(
    snapshot: Files, config: Config, cache: Cache, wanted: Mapping[str, str]
) -> dict[str, bytes]:
    """key -> row for each key, from the cache, else from the blob."""
    known = cache.get_many(_FACTS, set(wanted.values()))
    fresh = dict(_analyse(snapshot, config, _unknown(snapshot, wanted, known)))
    cache.put_many(_FACTS, sorted((key, row) for key, row in fresh.items() if row[:1] != b"T"))
    rows = known | fresh
    return {key: rows.get(key, b"Sit could not be read") for key in wanted.values()}


def _facts_of(
    snapshot: Files,
    config: Config,
    cache: Cache,
    keys: Mapping[str, str],
    rows: Mapping[str, bytes],
) -> FactsOf:
    def again(path: str) -> bytes:
        # The cache has lost what the state relies on: it may be deleted at any time.
        return _rows_of(snapshot, config, cache, {path: keys[path]})[keys[path]]

    return FactsOf(keys, cache, rows, again)


def facts_of_blob(path: str, data: bytes) -> Facts | str:
    """Facts of one file, or why it is passed over."""
    return unpacked(_row((path, language_of(path) or "", data))[1])


def _is_source(path: str) -> bool:
    return language_of(path) is not None and not is_own(path)


def _symlinks(snapshot: Files) -> dict[str, str]:
    return {path: _SYMLINK for path in snapshot.symlinks if _is_source(path)}


def _key(snapshot: Files, path: str) -> str:
    return f"{snapshot.files[path]} {language_of(path)} {EXTRACTOR_VERSION}"


def _unknown(
    snapshot: Files, wanted: Mapping[str, str], known: Mapping[str, bytes]
) -> dict[str, tuple[str, str]]:
    """key -> (blob, language) for each file whose facts are not known yet."""
    return {
        key: (snapshot.files[path], language_of(path) or "")
        for path, key in sorted(wanted.items())
        if key not in known
    }


def _analyse(
    snapshot: Files, config: Config, unknown: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[str, bytes]]:
    """(key, row) of each: b"F" + packed facts, b"S" + reason, b"T" + reason that is not kept."""
    sizes = snapshot.sizes({blob for blob, _ in unknown.values()})
    limit = config.max_file_kb * 1000
    by_blob: dict[str, list[tuple[str, str]]] = {}
    for key, (blob, language) in unknown.items():
        size = sizes.get(blob, 0)
        if size > limit:
            yield key, f"Tit has {size // 1000} KB (max_file_kb: {config.max_file_kb})".encode()
        else:
            by_blob.setdefault(blob, []).append((key, language))
    jobs = (
        (key, language, data)
        for blob, data in snapshot.read(list(by_blob))
        for key, language in by_blob[blob]
    )
    total = sum(min(sizes.get(blob, 0), limit) for blob in by_blob)
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if total < _POOL_FROM or (processes or 1) < 2:
        yield from map(_row, jobs)
    else:
        yield from _in_processes(jobs, processes or 1)


def _in_processes(
    jobs: Iterable[tuple[str, str, bytes]], processes: int
) -> Iterator[tuple[str, bytes]]:
    from concurrent.futures import ProcessPoolExecutor  # 15 ms that a small change does not need

    with ProcessPoolExecutor(processes) as pool:
        for rows in pool.map(_rows, _batches(jobs)):
            yield from rows


def _batches(jobs: Iterable[tuple[str, str, bytes]]) -> Iterator[list[tuple[str, str, bytes]]]:
    batch: list[tuple[str, str, bytes]] = []
    for job in jobs:
        batch.append(job)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _rows(batch: Sequence[tuple[str, str, bytes]]) -> list[tuple[str, bytes]]:
    return [_row(job) for job in batch]


def _row(job: tuple[str, str, bytes]) -> tuple[str, bytes]:
    from twine_hooks.analysis.extract import extract

    key, language, data = job
    reason = _unfit(data)
    if reason:
        return key, b"S" + reason.encode()
    return key, b"F" + pack(extract(data, language))


def _unfit(data: bytes) -> str:
    """Why a file is no source that anyone wrote, or ""."""
    if not data.strip():
        return EMPTY
    if data.startswith(_LFS):
        return "it is a pointer of Git LFS"
    if b"\0" in data[:8192] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "it is binary"
    if len(data) > 20_000 and len(data) // (data.count(b"\n") + 1) > _MINIFIED:
        return "it is minified"
    return ""


def unpacked(row: bytes) -> Facts | str:
    """Facts from a row, or why there are none."""
    if row[:1] == b"F":
        facts = unpack(row[1:])
        return facts if facts is not None else "its cached facts are damaged; run again"
    return row[1:].decode()


def excluded_by(patterns: Sequence[str]) -> Callable[[str], bool]:
    if not patterns:
        return lambda path: False
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    return lambda path: bool(spec.match_file(path))
