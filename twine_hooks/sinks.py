"""Where the entries of an export go, one after the other: the consolidated files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from twine_hooks.entries import Entries, Entry, definition_name
from twine_hooks.exporters.json import KnowledgeBefore, KnowledgeJson
from twine_hooks.exporters.sqlite import KnowledgeDatabase
from twine_hooks.places import KNOWLEDGE_JSON, KNOWLEDGE_SQLITE
from twine_hooks.symbol_rows import SymbolRows


class Before(NamedTuple):
    """An earlier export: its folder, and by path the bytes that each entry has in its JSON."""

    folder: Path
    sizes: Mapping[str, int]


class Output(NamedTuple):
    """One consolidated file to write: ``listed`` are the files of the project's list as JSON.

    ``before`` is the export whose entries can be kept; it has the file, too.
    """

    entries: Entries
    listed: Sequence[str]
    temporary: Path
    target: Path
    before: Before | None


class Sink:
    """Where entries go: one consolidated file, written beside its place and moved there."""

    def __init__(self, output: Output) -> None:
        self.output = output

    def add(self, entry: Entry) -> None:
        """Add a file."""
        raise NotImplementedError

    def keep(self, path: str) -> None:
        """Add a file as the export before has it."""
        raise NotImplementedError

    def finish(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Let go of the file, finished or not."""

    def close(self) -> None:
        self.finish()
        self.output.temporary.replace(self.output.target)


class JsonSink(Sink):
    """``sizes`` has the bytes of each entry."""

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        before, name = output.before, output.target.name
        self._stream = output.temporary.open("wb")
        self._writer = KnowledgeJson(self._stream, output.entries.view.name, output.listed)
        self._before = before and KnowledgeBefore(before.folder / name, before.sizes)
        self._kept: list[str] = []  #: files since the last one that was added
        self.sizes: dict[str, int] = {}

    def add(self, entry: Entry) -> None:
        self._keep_entries()
        doc = None if entry.doc is None else entry.without_file(entry.doc)
        dependencies = entry.without_file(entry.dependencies)
        self.sizes[entry.path] = self._writer.add(entry.file, dependencies, doc)

    def keep(self, path: str) -> None:
        self._kept.append(path)

    def _keep_entries(self) -> None:
        if self._before is not None:
            self.sizes |= self._before.copy(self._kept, self._writer)
        self._kept.clear()

    def finish(self) -> None:
        self._keep_entries()
        self._writer.close()
        self._stream.close()

    def stop(self) -> None:
        self._stream.close()
        if self._before is not None:
            self._before.close()


class SqliteSink(Sink):
    """Each table is written whole before the next, so that files which are kept side by side are
    copied in one go and the database still comes out as one from nothing."""

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        output.temporary.unlink(missing_ok=True)
        self._view = view = output.entries.view
        known = output.before and output.before.folder / output.target.name
        self._database = KnowledgeDatabase(output.temporary, view.name, view.time, known)
        self._documents: dict[str, str] = {}
        self._edges: dict[str, tuple[Sequence[str], Sequence[str]]] = {}  #: callers and callees
        self._kept: list[str] = []  #: files since the last one that was added

    def add(self, entry: Entry) -> None:
        self._keep_files()
        doc = None if entry.doc is None else entry.without_file(entry.doc)
        dependencies = entry.without_file(entry.dependencies)
        self._database.add_file(entry.file, entry.summary, dependencies, doc)
        self._edges[entry.path] = (entry.callers, entry.callees)
        if entry.doc is not None:
            self._documents[entry.path] = entry.doc

    def keep(self, path: str) -> None:
        self._kept.append(path)

    def _keep_files(self) -> None:
        self._database.keep("files", map(self._file, self._kept))
        self._kept.clear()

    def finish(self) -> None:
        self._keep_files()
        view, database = self._view, self._database
        database.add_paths((path, self._file(path)) for path in view.paths)
        self._write_table("file_edges", self._add_edges)
        self._write_table("definitions", self._add_definitions)
        kept = view.facts.keys() - self._edges.keys()
        SymbolRows(view, database, kept, self._file).write(self._documents)
        database.close()

    def _write_table(self, table: str, add: Callable[[str], None]) -> None:
        """The rows of all files in order: kept ones, and such that are added one by one."""
        for is_new, paths in groupby(self._view.paths, key=self._edges.__contains__):
            if is_new:
                for path in paths:
                    add(path)
            else:
                self._database.keep(table, map(self._file, paths))

    def _add_edges(self, path: str) -> None:
        callers, callees = self._edges[path]
        self._database.add_file_edges(self._file(path), "caller", callers)
        self._database.add_file_edges(self._file(path), "callee", callees)

    def _add_definitions(self, path: str) -> None:
        facts = self._view.facts.get(path)
        rows = (
            (definition_name(one), one.kind, one.start_line, one.end_line)
            for one in (facts.definitions if facts else ())
        )
        self._database.add_definitions(self._file(path), rows)

    def _file(self, path: str) -> str:
        return self.output.entries.file(path)

    def stop(self) -> None:
        with self._database:
            pass


def sinks_of(form: str) -> list[tuple[str, type[Sink]]]:
    """The consolidated files of one of ``KNOWLEDGE_FORMATS``, and what writes them."""
    found: list[tuple[str, type[Sink]]] = []
    if form in ("json", "both"):
        found.append((KNOWLEDGE_JSON, JsonSink))
    if form in ("sqlite", "both"):
        found.append((KNOWLEDGE_SQLITE, SqliteSink))
    return found
