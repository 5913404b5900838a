"""Writes an export into its folder, only what differs from the last one; knows no repository."""

from __future__ import annotations

import fcntl
import marshal
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from docs_store.digest import digest, short
from docs_store.document import render
from docs_store.layout import doc_path
from twine_hooks.entries import Entries, Entry, Texts, as_bytes, as_text
from twine_hooks.errors import CodetwineError
from twine_hooks.export_record import Done, Record, packed, read_record, settle
from twine_hooks.exporters import cytoscape, dot, graphml, jsonl, mermaid
from twine_hooks.exporters.json import summary_json
from twine_hooks.file_graph import file_graph
from twine_hooks.places import (
    CACHE,
    DEPENDENCIES,
    DOC_JSON,
    DOC_MD,
    GRAPH_NAMES,
    KNOWLEDGE_JSON,
    KNOWLEDGE_SQLITE,
    MARK,
    RECORD,
    SUMMARY_JSON,
)
from twine_hooks.secret_files import holds_secrets
from twine_hooks.sinks import Before, JsonSink, Output, Sink, sinks_of
from twine_hooks.view import View

KNOWLEDGE_FORMATS = ("json", "sqlite", "both")
GRAPHS = {
    "mermaid": mermaid.lines,
    "graphml": graphml.lines,
    "dot": dot.lines,
    "cytoscape": cytoscape.lines,
    "jsonl": jsonl.lines,
}
#: Tells git not to add what is here, and people whose it is.
MARK_TEXT = "# Made by codetwine export, which may replace or delete what is here.\n*\n"
_DIAGRAMS = GRAPH_NAMES["mermaid"]
_TEMPORARY = ".export-"  #: how the names of half written files begin
_AT_ONCE = 256  #: files whose texts are read in one go


class Written(NamedTuple):
    """How an export ended: files listed, those with a document, and those made anew."""

    folder: Path
    files: int
    documents: int
    made: int


def claim(folder: Path) -> None:
    """See to it that there is a folder of ours: in another one files might be replaced.

    Raises CodetwineError for one that is not, or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / MARK
        is_ours = mark.is_file() and mark.read_bytes() == MARK_TEXT.encode()
        others = {one.name for one in folder.iterdir()} - {CACHE}
        if others and not is_ours and SUMMARY_JSON not in others:
            raise CodetwineError(
                f"{folder} is no export and holds {min(others)}; choose another --output-dir"
            )
        if not mark.exists():
            mark.write_text(MARK_TEXT)
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> CodetwineError:
    place = error.filename or folder
    return CodetwineError(f"{place}: {error.strerror}; choose another --output-dir")


@dataclass(frozen=True, eq=False)
class Export:
    """One export of a view into ``folder``, which is the project's own."""

    view: View
    folder: Path
    with_secrets: bool = False
    _folders: set[Path] = field(default_factory=set, repr=False)

    def write(self, form: str = "json") -> Written:
        """Write the knowledge in one of ``KNOWLEDGE_FORMATS``; the files of sources in each.

        What an earlier export left of sources that are gone is deleted. Raises CodetwineError for
        a folder that cannot be written.
        """
        claim(self.folder)
        try:
            with self._alone():
                return self._write(form)
        except OSError as error:
            raise _cannot_write(self.folder, error) from None

    def write_graph(self, form: str) -> Path:
        """Write one of ``GRAPHS`` only; where it is."""
        claim(self.folder)
        try:
            with self._alone():
                return self._write_graph(form)
        except OSError as error:
            raise CodetwineError(f"{error.filename}: {error.strerror}; make it writable") from None

    def _write_graph(self, form: str) -> Path:
        name, lines = GRAPH_NAMES[form], GRAPHS[form]
        self._put(name, _text_of(lines(file_graph(self.view, bare=form == "mermaid"))))
        return self.folder / name

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One export at a time; where the disk knows no locks, that is left to the person.

        What a killed one left half written is swept away.
        """
        with (self.folder / MARK).open("rb") as stream:
            with suppress(OSError):
                fcntl.flock(stream, fcntl.LOCK_EX)
            for left in filter(Path.is_file, self.folder.glob(f"{_TEMPORARY}*")):
                left.unlink()
            yield

    def _write(self, form: str) -> Written:
        entries = Entries(self.view)
        record = read_record(self.folder)
        suffix = "+" if self.with_secrets else ""
        keys = {path: entries.key(path) + suffix for path in self.view.paths}
        now = digest(form, self.view.name, self.view.time, *keys.values())
        same = self._same(form, keys, record)
        is_complete = len(same) == len(record.done) and record.holds(self.folder, record.sizes)
        if record.whole == now and is_complete:
            return self._written(record.done, 0)
        after = self._write_all(form, entries, keys, same, record)
        graph = self._write_diagrams(record)
        self._delete(record.done, after)
        wholes = [SUMMARY_JSON, _DIAGRAMS, *(name for name, _ in sinks_of(form))]
        sizes = {name: os.stat(f"{self.folder}/{name}").st_size for name in wholes}
        record = Record(now, form, graph, sizes, after)
        self._put(RECORD, packed(record))
        settle(self.folder, record)
        return self._written(after, len(after) - len(same))

    def _same(self, form: str, keys: Mapping[str, str], record: Record) -> dict[str, Done]:
        """The files that would come out as they did, and of which all is still there."""
        wholes = (name for name, _ in sinks_of(form))
        if record.form != form or not record.holds_at_top(self.folder, *wholes):
            return {}
        return {
            path: one
            for path, one in record.done.items()
            if keys.get(path) == one.key and record.holds(self.folder, one.files)
        }

    def _written(self, done: Mapping[str, Done], made: int) -> Written:
        documents = sum(one.has_document for one in done.values())
        return Written(self.folder, len(self.view.paths), documents, made)

    def _write_all(
        self,
        form: str,
        entries: Entries,
        keys: Mapping[str, str],
        same: Mapping[str, Done],
        record: Record,
    ) -> dict[str, Done]:
        after: dict[str, Done] = {}
        summaries = self._summaries(same)
        sizes = {path: one.entry for path, one in record.done.items()}
        before = Before(self.folder, sizes) if same else None
        said = {path: entries.listed(path, summaries[path]) for path in self.view.paths}
        listed = [as_text(one._asdict()) for one in said.values()]
        with ExitStack() as stack:
            sinks = self._sinks(form, entries, listed, before, stack)
            for path, texts in self._texts(entries, same):
                if texts is None:
                    after[path] = same[path]
                    for sink in sinks:
                        sink.keep(path)
                    continue
                entry = Entry(path, *said[path], *texts)
                after[path] = self._put_entry(entries, entry, keys[path])
                for sink in sinks:
                    sink.add(entry)
            for sink in sinks:
                sink.close()
                if isinstance(sink, JsonSink):
                    after = {p: one._replace(entry=sink.sizes[p]) for p, one in after.items()}
        self._put(SUMMARY_JSON, as_bytes("".join(summary_json(self.view.name, listed))))
        return after

    def _write_diagrams(self, record: Record) -> str:
        """Write the diagrams, unless they show what they did; a digest of what they show."""
        shown = (self.view.name, list(self.view.dependencies.items()))
        graph = short(marshal.dumps(shown, 2), 32)
        if graph != record.graph or not record.holds_at_top(self.folder, _DIAGRAMS):
            self._write_graph("mermaid")
        return graph

    def _summaries(self, same: Mapping[str, Done]) -> dict[str, str | None]:
        new = [path for path in self.view.paths if path not in same]
        self.view.load(doc_path(path) for path in new)
        found = {path: one.summary for path, one in same.items()}
        for path in new:
            document = self.view.document(path)
            found[path] = document.summary if document else None
        return found

    def _texts(
        self, entries: Entries, same: Mapping[str, Done]
    ) -> Iterator[tuple[str, Texts | None]]:
        """The texts of each file; None for one that is the same."""
        paths = self.view.paths
        for start in range(0, len(paths), _AT_ONCE):
            batch = paths[start : start + _AT_ONCE]
            new = [path for path in batch if path not in same]
            self.view.load(one for path in new for one in (*entries.around(path), doc_path(path)))
            for path in batch:
                made = None if path in same else entries.made(path, self.view.document(path))
                yield path, made

    def _sinks(
        self,
        form: str,
        entries: Entries,
        listed: Sequence[str],
        before: Before | None,
        stack: ExitStack,
    ) -> list[Sink]:
        sinks: list[Sink] = []
        kinds = dict(sinks_of(form))
        for name, kind in kinds.items():
            temporary = self.folder / f"{_TEMPORARY}{name}"
            stack.callback(temporary.unlink, missing_ok=True)
            sinks.append(kind(Output(entries, listed, temporary, self.folder / name, before)))
            stack.callback(sinks[-1].stop)
        for name in {KNOWLEDGE_JSON, KNOWLEDGE_SQLITE} - kinds.keys():
            # What an earlier export left would not say the same as the rest.
            (self.folder / name).unlink(missing_ok=True)
        return sinks

    def _put_entry(self, entries: Entries, entry: Entry, key: str) -> Done:
        """Write the files of one source."""
        place = entries.places[entry.path]
        files = {f"{place.folder}/{DEPENDENCIES}": as_bytes(entry.dependencies + "\n")}
        document = self.view.document(entry.path)
        if entry.doc is not None and document is not None:
            files[f"{place.folder}/{DOC_JSON}"] = as_bytes(entry.doc + "\n")
            files[f"{place.folder}/{DOC_MD}"] = as_bytes(render(document))
        data = self.view.data(entry.path)
        if self.with_secrets or not holds_secrets(entry.path, data):
            files[place.copy] = data
        for name, content in files.items():
            if not self._has(name, content):
                self._put(name, content)
        sizes = {name: len(content) for name, content in files.items()}
        return Done(key, entry.summary, entry.doc is not None, sizes)

    def _has(self, name: str, data: bytes) -> bool:
        """Whether a file is there with this content, as most of what is near a change."""
        try:
            with open(f"{self.folder}/{name}", "rb", buffering=0) as stream:
                size = os.fstat(stream.fileno()).st_size
                return size == len(data) and stream.read(size + 1) == data
        except OSError:
            return False

    def _put(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all; plain calls, since there are many thousands."""
        target = self.folder / name
        if target.parent not in self._folders:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(target.parent)
        temporary = f"{self.folder}/{_TEMPORARY}"
        try:
            with open(temporary, "wb", buffering=0) as stream:
                stream.write(data)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    def _delete(self, before: Mapping[str, Done], after: Mapping[str, Done]) -> None:
        """Delete what an earlier export wrote and this one did not, and folders left empty."""
        kept = {name for done in after.values() for name in done.files}
        gone = {name for done in before.values() for name in done.files} - kept
        for name in sorted(gone):
            target = self.folder / name
            target.unlink(missing_ok=True)
            for folder in target.parents:
                if folder == self.folder:
                    break
                with suppress(OSError):
                    folder.rmdir()


def _text_of(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
