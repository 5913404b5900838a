"""What a snapshot's committed documents and leaves say; headers come from a cache by blob."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from docs_store import leaf as leaves
from docs_store.digest import digest
from docs_store.document import Document, HandEdit, hand_edits, parse
from docs_store.errors import DocumentError, LeafError, StoreError
from docs_store.header import Header, parse_header
from docs_store.layout import DOCS, doc_path, leaf_path, source_of
from docs_store.leaf import Leaf
from twine_hooks.files import Differences, Files, read_file
from twine_hooks.plan import Recorded
from twine_hooks.state import State

if TYPE_CHECKING:
    from docs_store.cache import Cache

_HEADERS, _LEAVES, _EDITS = "header", "leaf", "edits"


#: source -> (inputs digest, "" for a file that is not ours; packed header). Of thousands of
#: headers hardly one is ever looked at whole.
Docs = dict[str, tuple[str, bytes]]
Leaves = dict[str, str]  #: source -> source digest, "" for a damaged leaf


class HeadersOf(Mapping[str, "Header | None"]):
    """Headers by source, made when they are asked for; None for a file that is not ours."""

    def __init__(self, docs: Docs) -> None:
        self._docs = docs

    def __getitem__(self, source: str) -> Header | None:
        inputs, packed = self._docs[source]
        return Header(*marshal.loads(packed)) if inputs else None

    def __contains__(self, source: object) -> bool:
        return source in self._docs

    def __iter__(self) -> Iterator[str]:
        return iter(self._docs)

    def __len__(self) -> int:
        return len(self._docs)


def read_docs(
    snapshot: Files, cache: Cache, different: Differences, previous: State | None = None
) -> tuple[Docs, Leaves, frozenset[str]]:
    """Headers and leaves of all documents in a snapshot, and the sources whose ones are new.

    Only what is different from the state before is looked at.
    """
    touched: set[str] = set()
    docs: Docs = dict(previous.docs) if previous else {}
    leaf_rows: Leaves = dict(previous.leaves) if previous else {}
    files = snapshot.files
    changed, removed = different
    for path in removed:
        source = source_of(path) if path.startswith(DOCS) else None
        if source is not None:
            touched.add(source)
            (docs if path == doc_path(source) else leaf_rows).pop(source, None)
    doc_blobs: dict[str, str] = {}
    leaf_blobs: dict[str, str] = {}
    for path in changed:
        source = source_of(path) if path.startswith(DOCS) else None
        if source is not None:
            touched.add(source)
            (doc_blobs if path == doc_path(source) else leaf_blobs)[source] = files[path]
    rows = _rows(snapshot, cache, _HEADERS, doc_blobs.values())
    docs.update((source, _listed(rows[blob])) for source, blob in doc_blobs.items())
    rows = _rows(snapshot, cache, _LEAVES, leaf_blobs.values())
    leaf_rows.update((source, rows[blob].decode()) for source, blob in leaf_blobs.items())
    return docs, leaf_rows, frozenset(touched)


def recorded_of(snapshot: Files, docs: Docs, leaf_rows: Leaves) -> Recorded:
    """What a plan needs of them."""

    def leaf(source: str) -> Leaf | None:
        if not leaf_rows.get(source):
            return None
        data = read_file(snapshot, leaf_path(source)) or b""
        return leaves.parse(data.decode("utf-8", "replace"), leaf_path(source))

    problems = {
        source: _problem(marshal.loads(packed), source)
        for source, (inputs, packed) in docs.items()
        if not inputs
    }
    known = {source: inputs for source, (inputs, _) in docs.items() if inputs}
    return Recorded(HeadersOf(docs), known, problems, leaf_rows, leaf)


def _listed(packed: bytes) -> tuple[str, bytes]:
    header = marshal.loads(packed)
    return (str(header[0]) if isinstance(header, tuple) else "", packed)


def present_document(data: bytes | None, titles: Mapping[str, str], path: str) -> Document | None:
    """The document in the bytes of a doc.md; None where there is none that can be read."""
    if data is None:
        return None
    try:
        return parse(data.decode("utf-8", "replace"), titles, path)
    except StoreError:
        return None


def leaf_problem(snapshot: Files, source: str) -> str:
    """What is wrong with a leaf, with file and line; "" for a good one or none."""
    data = read_file(snapshot, leaf_path(source))
    if data is None:
        return ""
    try:
        leaves.parse(data.decode("utf-8", "replace"), leaf_path(source))
    except LeafError as error:
        return str(error)
    return ""


def hand_edits_of(
    snapshot: Files, cache: Cache, sources: Iterable[str], titles: Mapping[str, str]
) -> dict[str, tuple[HandEdit, ...]]:
    """By source the sections that a person edited, for documents with any."""
    blobs = {
        source: snapshot.files[doc_path(source)]
        for source in sources
        if doc_path(source) in snapshot.files
    }
    # Which section is which depends on the titles of the template.
    kind = f"{_EDITS} {digest(*(part for one in titles.items() for part in one))}"
    known = cache.get_many(kind, set(blobs.values()))
    unknown = sorted(set(blobs.values()) - known.keys())
    fresh = {}
    for blob, data in snapshot.read(unknown):
        document = present_document(data, titles, "")
        rows = [tuple(one) for one in hand_edits(document)] if document else []
        fresh[blob] = marshal.dumps(rows)
    cache.put_many(kind, sorted(fresh.items()))
    packed = known | fresh
    found = {
        source: tuple(HandEdit._make(row) for row in marshal.loads(packed[blob]))
        for source, blob in sorted(blobs.items())
        if blob in packed
    }
    return {source: edits for source, edits in found.items() if edits}


def _rows(snapshot: Files, cache: Cache, kind: str, wanted: Iterable[str]) -> dict[str, bytes]:
    """By blob what the cache keeps of it, read and kept where it is not there yet."""
    blobs = set(wanted)
    known = cache.get_many(kind, blobs)
    unknown = sorted(blobs - known.keys())
    if not unknown:
        return known
    make = {_HEADERS: _header_row, _LEAVES: _leaf_row}[kind]
    fresh = {blob: make(data) for blob, data in snapshot.read(unknown)}
    cache.put_many(kind, sorted(fresh.items()))
    return known | fresh


def _header_row(data: bytes) -> bytes:
    """The header packed; the first line as text where it has none or a damaged one."""
    line = data.partition(b"\n")[0].decode("utf-8", "replace")
    try:
        header = parse_header(line, "")
    except DocumentError:
        return marshal.dumps(line[:200])
    if header is None:
        return marshal.dumps(None)
    return marshal.dumps(tuple(header))


def _problem(line: object, source: str) -> str:
    if isinstance(line, str):
        try:
            parse_header(line, doc_path(source))
        except DocumentError as error:
            return str(error)
    return f"{doc_path(source)} has no codetwine header"


def _leaf_row(data: bytes) -> bytes:
    """The source digest of a whole leaf, b"" for a damaged one."""
    try:
        return leaves.parse(data.decode("utf-8", "replace"), "").source.encode()
    except LeafError:
        return b""
