"""What the database says of symbols: from facts, or as an earlier database said; writes no file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from twine_hooks.exporters.sqlite import EdgeRow, KnowledgeDatabase, SymbolRow, storable
from twine_hooks.symbol_graph import Node, edges_of, nodes_of
from twine_hooks.view import View

_Said = tuple[str, str, str, int, int, bool, str, str]  #: a ``SymbolRow`` less id and path


@dataclass(frozen=True, eq=False)
class SymbolRows:
    """The rows of a view's symbols. Those of the files in ``kept`` come from what was before."""

    view: View
    database: KnowledgeDatabase
    kept: Collection[str]
    _ids: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)

    def write(self, documents: Mapping[str, str]) -> None:
        """Add all to the database. ``documents`` are the new ones by path, as JSON."""
        before = list(self.database.symbols_before()) if self.kept else []
        rows = self._symbols(before)
        self.database.add_symbols(rows)
        self._write_edges(before)
        for path in self.view.sources:
            if path in self.kept:
                self.database.keep_unresolved(path)
            else:
                self.database.add_unresolved(path, self.view.links[path].unresolved)
        self.database.add_texts(self._texts(rows, documents))

    def _symbols(self, before: list[SymbolRow]) -> list[SymbolRow]:
        """All symbols, numbered file by file."""
        known: dict[str, list[SymbolRow]] = {}
        for row in before:
            known.setdefault(row[1], []).append(row)
        rows: list[SymbolRow] = []
        for path in self.view.sources:
            name = storable(path)
            if path in self.kept:
                found = [row[2:] for row in known[name]]
            else:
                found = [self._said(one) for one in nodes_of(path, self.view.facts[path])]
            for one in found:
                self._ids[path, one[1]] = len(rows)
                rows.append((len(rows), name, *one))
        return rows

    def _said(self, node: Node) -> _Said:
        lines = (node.start_line, node.end_line)
        signature, doc = "", self.view.facts[node.path].doc
        if node.qualified:
            found = self.view.definitions(node.path, node.qualified)
            signature = found[0].signature
            doc = next((one.doc for one in found if one.doc), "")
        return node.name, node.qualified, node.kind, *lines, node.public, signature, doc

    def _write_edges(self, before: list[SymbolRow]) -> None:
        ranges = self._move(before) if before else {}
        for kept, paths in groupby(self.view.sources, key=lambda path: path in self.kept):
            run = list(paths)
            if kept:
                # Files that follow each other now did so before, with others in between.
                self.database.keep_edges([ranges[path] for path in run])
            else:
                self.database.add_edges(edge for path in run for edge in self._edges(path))

    def _edges(self, path: str) -> Iterator[EdgeRow]:
        facts, links = self.view.facts[path], self.view.links[path]
        for source, target, kind, sure, lines in edges_of(path, facts, links, self._ids):
            yield source, target, kind, sure, f"[{', '.join(map(str, lines))}]"

    def _move(self, before: list[SymbolRow]) -> dict[str, tuple[int, int]]:
        """Tell the database the new number of each symbol; by file the first and last old one."""
        paths = {storable(path): path for path in self.view.sources}
        moved: list[tuple[int, int]] = []
        ranges: dict[str, tuple[int, int]] = {}
        for old, name, _, qualified, *_ in before:
            path = paths.get(name, "")
            new = self._ids.get((path, qualified))
            if new is not None:
                moved.append((old, new))
            ranges[path] = (ranges.get(path, (old, old))[0], old)
        self.database.move_symbols(moved)
        return ranges

    def _texts(
        self, rows: list[SymbolRow], documents: Mapping[str, str]
    ) -> Iterator[tuple[int, str, str, str]]:
        paths = {storable(path): path for path in self.view.sources}
        for number, path, _, qualified, *_, doc in rows:
            document = "" if qualified else self._document(paths[path], documents)
            yield number, qualified or path, doc, document

    def _document(self, path: str, documents: Mapping[str, str]) -> str:
        text = self.database.doc_before(path) if path in self.kept else documents.get(path)
        if text is None:
            return ""
        value = json.loads(text)
        sections = (f"{one['title']}\n{one['content']}" for one in value["sections"])
        return "\n".join([value["summary"], *sections])
