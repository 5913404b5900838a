"""Settles documents and leaves that a merge left in conflict; knows not how git is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from docs_store import leaf as leaves
from docs_store import store
from docs_store.document import Document, edited, parse, render
from docs_store.errors import StoreError
from docs_store.layout import DOC_NAME, DOCS, LEAF_NAME, doc_path, leaf_path, source_of
from docs_store.merge import has_markers, merge, sides
from twine_hooks.evaluation import Evaluation
from twine_hooks.git import Sides

Read = Callable[[str], bytes]  #: the content of a blob
OURS, THEIRS = "ours", "theirs"


class Settled(NamedTuple):
    """How one file was settled. `lost` are sections that people edited on both sides: the text of
    the `kept` side stays, and `other` is the blob that has the other one, "" where none has."""

    path: str
    how: str
    lost: tuple[str, ...] = ()
    kept: str = OURS
    other: str = ""


class Resolution(NamedTuple):
    """Settles what is unmerged among the documents of a work tree, on the disk.

    `evaluation` is that of the index, whose unmerged paths are in no mapping. `is_whole` says that
    no source is among them: only then its inputs are those of the merge.
    """

    evaluation: Evaluation
    root: Path
    unmerged: Mapping[str, Sides]
    read: Read
    is_whole: bool

    def run(self) -> Iterator[Settled]:
        """Settle one file after the other, and tell how."""
        for path, blobs in sorted(self.unmerged.items()):
            source = source_of(path)
            if source is None:
                continue
            if path == leaf_path(source):
                yield self._settle_leaf(source, blobs)
            else:
                yield self._settle_document(source, blobs)
        for source in self._with_markers():
            yield from self._settle_markers(source)

    def _settle_leaf(self, source: str, blobs: Sides) -> Settled:
        path = leaf_path(source)
        if source in self.evaluation.survey.facts:
            store.write_leaf(self.root, source, leaves.render(self.evaluation.leaf(source)))
            return Settled(path, "rebuilt")
        if not self._is_pending(source) or not (blobs.ours or blobs.theirs):
            (self.root / path).unlink(missing_ok=True)
            return Settled(path, "removed, as its source is gone")
        store.write_leaf(self.root, source, self._text(blobs.ours or blobs.theirs))
        return Settled(path, "kept as it was until its source is resolved")

    def _is_pending(self, source: str) -> bool:
        """Whether a source is in the merge conflict itself, so that nobody knows what becomes."""
        listed = self.evaluation.snapshot.files
        return source not in listed and not self.is_whole and source in self._pending

    @property
    def _pending(self) -> frozenset[str]:
        paths = [path for path in self.unmerged if not path.startswith(f"{DOCS}/")]
        # Where a folder is in the way of a file, git names the file `<path>~<branch>`.
        return frozenset(paths).union(path.rpartition("~")[0] for path in paths)

    def _settle_document(self, source: str, blobs: Sides) -> Settled:
        path = doc_path(source)
        if self._is_resolved_by_hand(path, blobs):
            return Settled(path, "kept as you resolved it")
        is_gone = source not in self.evaluation.survey.facts and not self._is_pending(source)
        if is_gone or not (blobs.ours or blobs.theirs):
            (self.root / path).unlink(missing_ok=True)
            return Settled(path, "removed, as its source is gone")
        if not blobs.ours or not blobs.theirs:
            return self._keep(source, self._text(blobs.ours or blobs.theirs))
        ours, theirs = self._text(blobs.ours), self._text(blobs.theirs)
        base = self._text(blobs.base) if blobs.base else ""
        return self._merge(source, ours, theirs, base, blobs)

    def _keep(self, source: str, text: str) -> Settled:
        """The text of the only side; of a rename to two names, git marks the conflict inside."""
        found = sides(text)
        if found is not None and any(self._parsed(one, doc_path(source)) for one in found):
            return self._merge(source, *found, base="")
        store.write_document(self.root, source, text)
        return Settled(doc_path(source), "kept: the other side has none")

    def _is_resolved_by_hand(self, path: str, blobs: Sides) -> bool:
        """Whether a person took the markers out of what git wrote."""
        file = self.root / path
        if not file.is_file():
            return False
        text = _decoded(file.read_bytes())
        known = {self._text(blob) for blob in (blobs.base, blobs.ours, blobs.theirs) if blob}
        return not has_markers(text) and text not in known and bool(self._parsed(text, path))

    def _merge(
        self, source: str, ours: str, theirs: str, base: str, blobs: Sides | None = None
    ) -> Settled:
        """`blobs` are those of the texts, where these are the whole of them."""
        path = doc_path(source)
        one, other = self._parsed(ours, path), self._parsed(theirs, path)
        if one is None or other is None:
            kept = theirs if one is None and other is not None else ours
            store.write_document(self.root, source, kept)
            return Settled(path, "kept as the side with a header has it")
        how, side = "our text, to be refreshed", OURS
        if self._is_true(source, other) and not self._is_true(source, one):
            one, other = other, one
            how, side = "their text, which is true of the merge", THEIRS
        elif self._is_true(source, one):
            how = "our text, which is true of the merge"
        merged = merge(one, other, self._parsed(base, path))
        store.write_document(self.root, source, render(merged.document))
        blob = "" if blobs is None else blobs.theirs if side == OURS else blobs.ours
        return Settled(path, how, merged.lost, side, blob)

    def _is_true(self, source: str, document: Document) -> bool:
        """Whether a text was made from exactly what is merged now."""
        inputs = self.evaluation.inputs
        return (
            self.is_whole and source in inputs and inputs[source].digest == document.header.inputs
        )

    def _with_markers(self) -> list[str]:
        """Sources whose documents were staged with markers before the header."""
        problems = self.evaluation.recorded.problems
        return sorted(one for one in problems if doc_path(one) not in self.unmerged)

    def _settle_markers(self, source: str) -> Iterator[Settled]:
        path = doc_path(source)
        file = self.root / path
        found = sides(_decoded(file.read_bytes())) if file.is_file() else None
        if found is not None and any(self._parsed(text, path) for text in found):
            yield self._merge(source, *found, base="")

    def _parsed(self, text: str, path: str) -> Document | None:
        with suppress(StoreError):
            return parse(text, self.evaluation.template.titles, path)
        return None

    def _text(self, blob: str) -> str:
        return _decoded(self.read(blob))


def merged_text(
    ours: str, theirs: str, base: str, path: str, titles: Callable[[], Mapping[str, str]]
) -> tuple[str, tuple[str, ...]]:
    """What the merge driver leaves of a document or leaf: ours, with what people edited in theirs.
    With it the titles of the sections that people edited on both sides, where ours stays.

    `titles` are asked for only where people edited something.

    A leaf is ours until it is rebuilt: its digest tells that it is behind. No freshness is decided
    here, since git has not merged the sources yet.
    """
    if path.endswith(f"/{LEAF_NAME}") or not path.endswith(f"/{DOC_NAME}"):
        return ours, ()
    try:
        if not any(_is_edited(parse(text, {}, path)) for text in (ours, theirs)):
            return ours, ()
        one, other = (parse(text, titles(), path) for text in (ours, theirs))
    except StoreError:
        return ours, ()
    before = None
    with suppress(StoreError):
        before = parse(base, titles(), path)
    merged = merge(one, other, before)
    text = ours if merged.document == one else render(merged.document)
    return text, merged.lost


def _is_edited(document: Document) -> bool:
    return bool(edited(document)) or not all(one.id for one in document.sections)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
