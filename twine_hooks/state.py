"""What the last evaluation of a work tree found, so that the next one looks only at what differs.

One disposable file per work tree under the git common directory. Whatever stands in it follows from
the listing that it was made from; a file that is damaged or made by another version is not there.
"""

from __future__ import annotations

import marshal
import os
from binascii import crc32
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from docs_store.digest import short
from twine_hooks.analysis.facts import EXTRACTOR_VERSION, Edge, Links, Unresolved, Use

if TYPE_CHECKING:
    from docs_store.cache import Cache

_FORMAT = 8
_LINKS = "links"  #: the kind of links in the cache
_AT_ONCE = 500


class Row(NamedTuple):
    """What is known of one source."""

    outward: str  #: digest of what linking other files may look at
    links: str  #: their digest, under which the cache has them
    dependencies: tuple[str, ...]
    own: str
    uses: str
    place: str
    seen: str  #: digest of what documents of those who use it say of it
    spelled: bytes  #: what it spells, see ``twine_hooks.spelling``


OUTWARD = Row._fields.index("outward")
DEPENDENCIES = Row._fields.index("dependencies")
LINKS = Row._fields.index("links")
SPELLED = Row._fields.index("spelled")
_NO_ROW = tuple(Row("", "", (), "", "", "", "", b""))


class State(NamedTuple):
    """All rows, and the listing that they belong to."""

    settings: str  #: digest of everything but files that rows depend on
    files: dict[str, str]  #: path -> blob of the snapshot
    rows: dict[str, tuple[object, ...]]  #: fields of a ``Row``; see ``row``
    skipped: dict[str, str]  #: path -> why it has no document
    read: tuple[str, ...]  #: the manifests that linking looked at, or looked for
    docs: dict[str, tuple[str, bytes]]  #: source -> (inputs digest, packed header)
    leaves: dict[str, str]  #: source -> source digest, "" for a damaged one
    template: str  #: digest of the template that documents were compared with
    stale: tuple[str, ...]  #: sources whose documents were not fresh

    def row(self, path: str) -> Row | None:
        """The row of a source. Rows are made one by one: few of them are ever asked for."""
        fields = self.rows.get(path)
        return None if fields is None else Row(*fields)  # type: ignore[arg-type]

    def with_sources(self, added: Iterable[str], removed: Iterable[str]) -> State:
        """The state with empty rows for new sources, which are not to be believed, in order."""
        gone = set(removed)
        rows = {path: fields for path, fields in self.rows.items() if path not in gone}
        rows.update((path, _NO_ROW) for path in added)
        skipped = {path: why for path, why in self.skipped.items() if path not in gone}
        return self._replace(rows=dict(sorted(rows.items())), skipped=skipped)


def load(file: Path) -> State | None:
    """The state in a file; None when there is none that this version can read."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    if data[4:6] != _version() or crc32(data[6:]).to_bytes(4, "big") != data[:4]:
        return None
    try:
        settings, files, rows, skipped, read, docs, leaves, template, stale = marshal.loads(
            data[6:]
        )
    except (EOFError, ValueError, TypeError):
        return None
    return State(settings, files, rows, skipped, read, docs, leaves, template, tuple(stale))


def save(file: Path, state: State) -> None:
    """Keep a state; a folder that cannot be written is no reason to fail."""
    body = marshal.dumps(tuple(state))
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(crc32(body).to_bytes(4, "big") + _version() + body)
        temporary.replace(file)


def _version() -> bytes:
    return bytes((_FORMAT, EXTRACTOR_VERSION % 256))


def keep_links(cache: Cache, links: Iterable[Links]) -> None:
    """Put links where ``LinksOf`` finds them."""
    rows = ((links_digest(one), marshal.dumps(_plain(one))) for one in links)
    while some := list(islice(rows, _AT_ONCE)):
        cache.put_many(_LINKS, some)


def links_digest(links: Links) -> str:
    """A digest of links: 32 hex digits.

    Of a form without references, which depend on how often a text happens to be in memory.
    """
    return short(marshal.dumps(_plain(links), 2), 32)


def _plain(links: Links) -> tuple[list[tuple[object, ...]], ...]:
    return (
        [tuple(one) for one in links.edges],
        [tuple(one) for one in links.uses],
        [tuple(one) for one in links.unresolved],
    )


def _unpacked(packed: bytes) -> Links:
    edges, uses, unresolved = marshal.loads(packed)
    return Links(
        tuple(map(Edge._make, edges)),
        tuple(map(Use._make, uses)),
        tuple(map(Unresolved._make, unresolved)),
    )


class LinksOf(Mapping[str, Links]):
    """Links by path, from the cache when they are asked for, else made again."""

    def __init__(self, previous: State, cache: Cache, again: Callable[[str], Links]) -> None:
        self._rows = previous.rows
        self._cache = cache
        self._again = again
        self._packed: dict[str, bytes] = {}
        self._known: dict[str, Links] = {}

    def update(self, links: Mapping[str, Links]) -> None:
        """Put these in the place of what was there."""
        self._known.update(links)

    def __getitem__(self, path: str) -> Links:
        if path not in self._known:
            key = self._key(path)
            packed = self._packed.get(key) or self._cache.get(_LINKS, key)
            self._known[path] = _unpacked(packed) if packed else self._again(path)
        return self._known[path]

    def __contains__(self, path: object) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[str]:
        paths = iter(self._rows)
        # Who goes through all of them asks for each, and one by one that takes far longer.
        while some := list(islice(paths, _AT_ONCE)):
            keys = {self._key(path) for path in some if path not in self._known}
            self._packed = self._cache.get_many(_LINKS, keys)
            yield from some

    def __len__(self) -> int:
        return len(self._rows)

    def _key(self, path: str) -> str:
        return cast("str", self._rows[path][LINKS])
