"""Writes an export into its folder, only what differs from the last one; knows no repository."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from docs_store.digest import digest, short
from docs_store.document import render
from docs_store.layout import doc_path
from twine_hooks.entries import Entries, Entry, Listed, Texts, as_bytes
from twine_hooks.errors import CodetwineError
from twine_hooks.exporters import cytoscape, dot, graphml, jsonl, mermaid
from twine_hooks.exporters.json import summary_json
from twine_hooks.file_graph import file_graph
from twine_hooks.places import (
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
from twine_hooks.sinks import Sink, sinks_of
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
_RECORD_FORMAT = 2
_AT_ONCE = 256  #: files whose texts are read in one go


class Written(NamedTuple):
    """How an export ended: files listed, those with a document, and those made anew."""

    folder: Path
    files: int
    documents: int
    made: int


class _Done(NamedTuple):
    """What is recorded of one file: its key and summary, digests of its texts, files written."""

    key: str
    summary: str | None
    dependencies: str
    doc: str
    files: tuple[str, ...]


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
        try:
            self._prepare()
            return self._write(form)
        except OSError as error:
            raise CodetwineError(
                f"{error.filename or self.folder}: {error.strerror}; choose another --output-dir"
            ) from None

    def write_graph(self, form: str) -> Path:
        """Write one of ``GRAPHS`` only; where it is."""
        name, lines = GRAPH_NAMES[form], GRAPHS[form]
        try:
            self._prepare()
            self._put(name, _text_of(lines(file_graph(self.view))))
        except OSError as error:
            raise CodetwineError(f"{error.filename}: {error.strerror}; make it writable") from None
        return self.folder / name

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = self.folder / MARK
        if not mark.exists():
            mark.write_text(MARK_TEXT)

    def _write(self, form: str) -> Written:
        entries = Entries(self.view)
        whole, before = _read_record(self.folder)
        suffix = "+" if self.with_secrets else ""
        keys = {path: entries.key(path) + suffix for path in self.view.paths}
        now = digest(form, self.view.name, self.view.time, *keys.values())
        if whole == now and self._is_complete(form, before):
            return self._written(before, 0)
        same = {path: one for path, one in before.items() if keys.get(path) == one.key}
        after = self._write_all(form, entries, keys, same)
        made = sum(before.get(path) is not one for path, one in after.items())
        self._delete(before, after)
        self._put(RECORD, _record_text(now, after))
        return self._written(after, made)

    def _is_complete(self, form: str, before: Mapping[str, _Done]) -> bool:
        """Whether all that an export writes is there."""
        names = [SUMMARY_JSON, GRAPH_NAMES["mermaid"], *(name for name, _ in sinks_of(form))]
        names += [name for one in before.values() for name in one.files]
        return all(os.path.isfile(f"{self.folder}/{name}") for name in names)

    def _written(self, done: Mapping[str, _Done], made: int) -> Written:
        documents = sum(bool(one.doc) for one in done.values())
        return Written(self.folder, len(self.view.paths), documents, made)

    def _write_all(
        self, form: str, entries: Entries, keys: Mapping[str, str], same: dict[str, _Done]
    ) -> dict[str, _Done]:
        after: dict[str, _Done] = {}
        summaries = self._summaries(same)
        with ExitStack() as stack:
            listed = [entries.listed(path, summaries[path]) for path in self.view.paths]
            sinks = self._sinks(form, entries, listed, stack)
            for path, texts in self._texts(entries, same):
                entry = entries.entry(path, summaries[path], texts)
                known = same.get(path)
                after[path] = known or self._put_entry(entries, entry, keys[path])
                for sink in sinks:
                    sink.add(entry)
            for sink in sinks:
                sink.close()
        self._put(SUMMARY_JSON, as_bytes("".join(summary_json(self.view.name, listed))))
        self.write_graph("mermaid")
        return after

    def _summaries(self, same: Mapping[str, _Done]) -> dict[str, str | None]:
        new = [path for path in self.view.paths if path not in same]
        self.view.load(doc_path(path) for path in new)
        found = {path: one.summary for path, one in same.items()}
        for path in new:
            document = self.view.document(path)
            found[path] = document.summary if document else None
        return found

    def _texts(self, entries: Entries, same: dict[str, _Done]) -> Iterator[tuple[str, Texts]]:
        """The texts of each file. ``same`` loses those that are no longer as they were written."""
        paths = self.view.paths
        for start in range(0, len(paths), _AT_ONCE):
            batch = paths[start : start + _AT_ONCE]
            known: dict[str, Texts] = {}
            for path in batch:
                texts = self._known(entries.places[path].folder, same.get(path))
                if texts is None:
                    same.pop(path, None)
                else:
                    known[path] = texts
            new = [path for path in batch if path not in known]
            self.view.load(one for path in new for one in (*entries.around(path), doc_path(path)))
            for path in batch:
                yield path, known.get(path) or entries.made(path, self.view.document(path))

    def _known(self, folder: str, done: _Done | None) -> Texts | None:
        """The texts as the last export wrote them, if all is still there."""
        if done is None or not all(os.path.isfile(f"{self.folder}/{name}") for name in done.files):
            return None
        dependencies = self._unchanged(f"{folder}/{DEPENDENCIES}", done.dependencies)
        doc = self._unchanged(f"{folder}/{DOC_JSON}", done.doc) if done.doc else None
        if dependencies is None or (done.doc and doc is None):
            return None
        return Texts(dependencies, doc)

    def _unchanged(self, name: str, expected: str) -> str | None:
        with open(f"{self.folder}/{name}", "rb") as stream:
            data = stream.read()
        return data.decode().rstrip("\n") if short(data) == expected else None

    def _sinks(
        self, form: str, entries: Entries, listed: Sequence[Listed], stack: ExitStack
    ) -> list[Sink]:
        sinks: list[Sink] = []
        for name, kind in sinks_of(form):
            temporary = self.folder / f".{name}.{os.getpid()}"
            stack.callback(temporary.unlink, missing_ok=True)
            sinks.append(kind(entries, listed, temporary, self.folder / name))
            stack.callback(sinks[-1].stop)
        for name in {KNOWLEDGE_JSON, KNOWLEDGE_SQLITE} - {sink.target.name for sink in sinks}:
            # What an earlier export left would not say the same as the rest.
            (self.folder / name).unlink(missing_ok=True)
        return sinks

    def _put_entry(self, entries: Entries, entry: Entry, key: str) -> _Done:
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
            self._put(name, content)
        dependencies, doc = (
            short(files[name]) if name in files else ""
            for name in (f"{place.folder}/{DEPENDENCIES}", f"{place.folder}/{DOC_JSON}")
        )
        return _Done(key, entry.summary, dependencies, doc, tuple(files))

    def _put(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all; plain calls, since there are many thousands."""
        target = self.folder / name
        if target.parent not in self._folders:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(target.parent)
        temporary = f"{target.parent}/.export-{os.getpid()}"
        try:
            with open(temporary, "wb", buffering=0) as stream:
                stream.write(data)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    def _delete(self, before: Mapping[str, _Done], after: Mapping[str, _Done]) -> None:
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


def _read_record(folder: Path) -> tuple[str, dict[str, _Done]]:
    """What the last export wrote: a digest of all, and by source.

    Nothing where its record is damaged or of another version.
    """
    try:
        record = json.loads((folder / RECORD).read_bytes())
        if record["format"] != _RECORD_FORMAT:
            return "", {}
        return record["whole"], {
            path: _Done(key, summary, dependencies, doc, tuple(files))
            for path, (key, summary, dependencies, doc, files) in record["files"].items()
            if all(map(_is_inside, files))
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return "", {}


def _is_inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in name.split("/")


def _record_text(whole: str, done: Mapping[str, _Done]) -> bytes:
    files: Mapping[str, Sequence[object]] = {path: list(one) for path, one in done.items()}
    record = {"format": _RECORD_FORMAT, "whole": whole, "files": files}
    return json.dumps(record).encode() + b"\n"
