"""Where the entries of an export go, one after the other: the consolidated files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from twine_hooks.entries import Entries, Entry, Listed
from twine_hooks.exporters.json import KnowledgeJson
from twine_hooks.exporters.sqlite import KnowledgeDatabase, SymbolRow
from twine_hooks.places import KNOWLEDGE_JSON, KNOWLEDGE_SQLITE
from twine_hooks.symbol_graph import SymbolGraph, make_symbol_graph
from twine_hooks.view import View


class Sink:
    """Where entries go: one consolidated file, written beside its place and moved there."""

    def __init__(
        self, entries: Entries, listed: Sequence[Listed], temporary: Path, target: Path
    ) -> None:
        self.entries = entries
        self.listed = listed
        self.temporary = temporary
        self.target = target

    def add(self, entry: Entry) -> None:
        raise NotImplementedError

    def finish(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Let go of the file, finished or not."""

    def close(self) -> None:
        self.finish()
        self.temporary.replace(self.target)


class JsonSink(Sink):
    def __init__(
        self, entries: Entries, listed: Sequence[Listed], temporary: Path, target: Path
    ) -> None:
        super().__init__(entries, listed, temporary, target)
        self._stream = temporary.open("wb")
        self._writer = KnowledgeJson(self._stream, entries.view.name, listed)

    def add(self, entry: Entry) -> None:
        doc = None if entry.doc is None else entry.without_file(entry.doc)
        self._writer.add(entry.file, entry.without_file(entry.dependencies), doc)

    def finish(self) -> None:
        self._writer.close()
        self._stream.close()

    def stop(self) -> None:
        self._stream.close()


class SqliteSink(Sink):
    def __init__(
        self, entries: Entries, listed: Sequence[Listed], temporary: Path, target: Path
    ) -> None:
        super().__init__(entries, listed, temporary, target)
        temporary.unlink(missing_ok=True)
        self._view = entries.view
        self._database = KnowledgeDatabase(temporary, self._view.name, self._view.time)
        self._documents: dict[str, str] = {}

    def add(self, entry: Entry) -> None:
        doc = None if entry.doc is None else entry.without_file(entry.doc)
        dependencies = entry.without_file(entry.dependencies)
        self._database.add_file(
            entry.path, entry.file, entry.summary, dependencies, doc, entry.callers, entry.callees
        )
        facts = self._view.facts.get(entry.path)
        self._database.add_definitions(
            entry.file,
            (
                (d.name, d.kind, d.start_line, d.end_line)
                for d in (facts.definitions if facts else ())
            ),
        )
        if entry.doc is not None:
            self._documents[entry.path] = entry.doc

    def finish(self) -> None:
        graph = make_symbol_graph(self._view)
        database = self._database
        database.add_symbols(_symbol_rows(self._view, graph))
        database.add_edges(graph.edges)
        for path, unresolved in sorted(graph.unresolved.items()):
            database.add_unresolved(path, unresolved)
        database.add_texts(_texts(self._view, graph, self._documents))
        database.close()

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


def _symbol_rows(view: View, graph: SymbolGraph) -> Iterator[SymbolRow]:
    for number, node in enumerate(graph.nodes):
        signature, doc = _said(view, node.path, node.qualified)
        lines = (node.start_line, node.end_line)
        row = (number, node.path, node.name, node.qualified, node.kind, *lines, node.public)
        yield (*row, signature, doc)


def _texts(
    view: View, graph: SymbolGraph, documents: Mapping[str, str]
) -> Iterator[tuple[int, str, str, str]]:
    for number, node in enumerate(graph.nodes):
        _, doc = _said(view, node.path, node.qualified)
        document = ""
        if not node.qualified and node.path in documents:
            value = json.loads(documents[node.path])
            document = "\n".join(
                [value["summary"], *(f"{s['title']}\n{s['content']}" for s in value["sections"])]
            )
        yield number, node.qualified or node.path, doc, document


def _said(view: View, path: str, qualified: str) -> tuple[str, str]:
    """Signature and doc comment of a symbol; of a file nothing and its doc comment."""
    if not qualified:
        return "", view.facts[path].doc
    found = view.definitions(path, qualified)
    return found[0].signature, next((one.doc for one in found if one.doc), "")
