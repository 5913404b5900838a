"""Facts of blobs: from a cache, else read in as many processes as pay for their start.

A row is what is kept of one blob in one language: b"F" and packed facts, b"S" and the reason why it
is passed over, or b"T" and a reason that depends on the settings and is not kept.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from twine_hooks.analysis.all_languages import LANGUAGES, language_of
from twine_hooks.analysis.facts import EXTRACTOR_VERSION, Facts, pack, unpack
from twine_hooks.config import Config
from twine_hooks.files import Files

if TYPE_CHECKING:
    from concurrent.futures import Future

    from docs_store.cache import Cache

EMPTY = "it is empty"
_FACTS, _NAMES = "facts", "names"
_POOL_FROM = 1_500_000  #: bytes of source from which a second process pays for its start
_BATCH = 64  #: files handed to a process at once
_MINIFIED = 500  #: bytes a line, on average, that nobody writes by hand
_LFS = b"version https://git-lfs.github.com/spec/"

Job = tuple[str, str, bytes, bool]  #: key, language, content, whether names are enough


class FactsOf(Mapping[str, Facts]):
    """Facts by path, unpacked when they are asked for: from rows at hand, else from the cache."""

    def __init__(
        self,
        keys: Mapping[str, str],
        cache: Cache,
        rows: Mapping[str, bytes],
        again: Callable[[str], bytes],
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


def rows_of(
    snapshot: Files,
    config: Config,
    cache: Cache,
    wanted: Mapping[str, str],
    names_only: bool = False,
) -> dict[str, bytes]:
    """key -> row for each key, from the cache, else from the blob.

    ``names_only``: rows with no more than what edges follow from will do. They are kept apart.
    """
    known = cache.get_many(_FACTS, set(wanted.values()))
    if names_only:
        known = cache.get_many(_NAMES, set(wanted.values()) - known.keys()) | known
    unknown = _unknown(snapshot, wanted, known)
    fresh = dict(_analyse(snapshot, config, unknown, names_only))
    kept: dict[str, list[tuple[str, bytes]]] = {}
    for key, row in sorted(fresh.items()):
        if row[:1] != b"T":
            has_less = names_only and LANGUAGES[unknown[key][1]].names_query
            kept.setdefault(_NAMES if has_less else _FACTS, []).append((key, row))
    for layer, items in kept.items():
        cache.put_many(layer, items)
    rows = known | fresh
    return {key: rows.get(key, b"Sit could not be read") for key in wanted.values()}


def facts_of(
    snapshot: Files,
    config: Config,
    cache: Cache,
    keys: Mapping[str, str],
    rows: Mapping[str, bytes],
) -> FactsOf:
    def again(path: str) -> bytes:
        # The cache has lost what the state relies on: it may be deleted at any time.
        return rows_of(snapshot, config, cache, {path: keys[path]})[keys[path]]

    return FactsOf(keys, cache, rows, again)


def facts_of_blob(path: str, data: bytes) -> Facts | str:
    """Facts of one file, or why it is passed over."""
    return unpacked(_row((path, language_of(path) or "", data, False))[1])


def facts_before(cache: Cache, path: str, blob: str) -> Facts | None:
    """Facts of what a file was; None where the cache does not have them any more."""
    row = cache.get(_FACTS, _key(path, blob))
    found = unpacked(row) if row else None
    return found if isinstance(found, Facts) else None


def key_of(snapshot: Files, path: str) -> str:
    return _key(path, snapshot.files[path])


def _key(path: str, blob: str) -> str:
    return f"{blob} {language_of(path)} {EXTRACTOR_VERSION}"


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
    snapshot: Files, config: Config, unknown: Mapping[str, tuple[str, str]], names_only: bool
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
        (key, language, data, names_only)
        for blob, data in snapshot.read(list(by_blob))
        for key, language in by_blob[blob]
    )
    total = sum(min(sizes.get(blob, 0), limit) for blob in by_blob)
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if total < _POOL_FROM or (processes or 1) < 2:
        yield from map(_row, jobs)
    else:
        yield from _in_processes(jobs, processes or 1)


def _in_processes(jobs: Iterable[Job], processes: int) -> Iterator[tuple[str, bytes]]:
    """Rows in the order of the jobs; only so many batches are in memory at once."""
    from concurrent.futures import ProcessPoolExecutor  # 15 ms that a small change does not need

    # Extraction makes no circles of values: the search for them would take a tenth of its time.
    with ProcessPoolExecutor(processes, initializer=gc.disable) as pool:
        waiting: deque[Future[list[tuple[str, bytes]]]] = deque()
        for batch in _batches(jobs):
            waiting.append(pool.submit(_rows, batch))
            if len(waiting) > 2 * processes:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    batch: list[Job] = []
    for job in jobs:
        batch.append(job)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _rows(batch: Sequence[Job]) -> list[tuple[str, bytes]]:
    return [_row(job) for job in batch]


def _row(job: Job) -> tuple[str, bytes]:
    from twine_hooks.analysis.extract import extract

    key, language, data, names_only = job
    reason = _unfit(data)
    if reason:
        return key, b"S" + reason.encode()
    return key, b"F" + pack(extract(data, language, names_only))


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
