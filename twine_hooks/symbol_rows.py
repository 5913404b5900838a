"""What the database says of symbols: from facts, or as an earlier database said; writes no file."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from twine_hooks.exporters.sqlite import EdgeRow, KnowledgeDatabase, SymbolRow, storable
from twine_hooks.symbol_graph import Node, edges_of, nodes_of
from twine_hooks.view import View


@dataclass(frozen=True, eq=False)
class SymbolRows:
    """The rows of a view's symbols. Those of the files in ``kept`` come from what was before.

    Symbols are numbered file by file, so those of a file that is kept move together.
    """

    view: View
    database: KnowledgeDatabase
    kept: Collection[str]
    file: Callable[[str], str]  #: path -> how the database names the file
    _ids: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)
    _shifts: dict[str, int] = field(default_factory=dict, repr=False)  #: of kept files

    def write(self, documents: Mapping[str, str]) -> None:
        """Add all to the database. ``documents`` are the new ones by path, as JSON."""
        spans = self._spans()
        self._write_symbols(spans)
        self._write_edges(spans)
        for kept, paths in self._runs():
            if kept:
                self.database.keep("unresolved", paths)
                continue
            for path in paths:
                self.database.add_unresolved(path, self.view.links[path].unresolved)
        self.database.add_texts(self._texts(documents))

    def _spans(self) -> dict[str, tuple[int, int]]:
        """By file the first and the last number of its symbols as they were before."""
        found = self.database.spans_before("symbols") if self.kept else {}
        return {
            path: found[storable(path)] for path in self.view.sources if storable(path) in found
        }

    def _runs(self) -> Iterator[tuple[bool, list[str]]]:
        """The sources in order: such that are kept, and such that are not."""
        for kept, paths in groupby(self.view.sources, key=self.kept.__contains__):
            yield kept, list(paths)

    def _write_symbols(self, spans: Mapping[str, tuple[int, int]]) -> None:
        number = 0
        for kept, paths in self._runs():
            if not kept:
                rows = list(self._symbols(paths, number))
                self.database.add_symbols(rows)
                number += len(rows)
                continue
            for path in paths:
                first, last = spans[path]
                self._shifts[path] = number - first
                number += last - first + 1
            for shift, run in groupby(paths, key=self._shifts.__getitem__):
                self.database.keep_symbols([spans[path] for path in run], shift)

    def _symbols(self, paths: list[str], number: int) -> Iterator[SymbolRow]:
        for path in paths:
            for node in nodes_of(path, self.view.facts[path]):
                self._ids[path, node.qualified] = number
                yield self._row(number, node)
                number += 1

    def _row(self, number: int, node: Node) -> SymbolRow:
        signature, doc = "", self.view.facts[node.path].doc
        if node.qualified:
            found = self.view.definitions(node.path, node.qualified)
            signature = found[0].signature
            doc = next((one.doc for one in found if one.doc), "")
        place = (number, storable(node.path), storable(node.name), node.qualified, node.kind)
        return (*place, node.start_line, node.end_line, node.public, signature, doc)

    def _write_edges(self, spans: Mapping[str, tuple[int, int]]) -> None:
        if self.kept:
            self.database.move_symbols(self._moved(spans))
        for kept, paths in self._runs():
            if kept:
                self.database.keep_edges([spans[path] for path in paths])
            else:
                self.database.add_edges(edge for path in paths for edge in self._edges(path))

    def _edges(self, path: str) -> Iterator[EdgeRow]:
        for one in self.view.dependencies[path]:
            self._learn_numbers(one)
        facts, links = self.view.facts[path], self.view.links[path]
        for source, target, kind, sure, lines in edges_of(path, facts, links, self._ids):
            yield source, target, kind, sure, f"[{', '.join(map(str, lines))}]"

    def _learn_numbers(self, path: str) -> None:
        """See to it that the symbols of a file that is kept are among the known ids."""
        if path in self._shifts and (path, "") not in self._ids:
            shift = self._shifts[path]
            for qualified, old in self.database.numbers_before(path):
                self._ids[path, qualified] = old + shift

    def _moved(self, spans: Mapping[str, tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """(old number, new number) of each symbol that is still there; none if all are the same."""
        new = [
            (old, self._ids[path, qualified])
            for path in spans
            if path not in self._shifts
            for qualified, old in self.database.numbers_before(path)
            if (path, qualified) in self._ids
        ]
        if not any(self._shifts.values()) and all(old == now for old, now in new):
            return
        yield from new
        for path, shift in self._shifts.items():
            first, last = spans[path]
            yield from ((number, number + shift) for number in range(first, last + 1))

    def _texts(self, documents: Mapping[str, str]) -> Iterator[tuple[int, str, str, str]]:
        paths = {storable(path): path for path in self.view.sources}
        for number, path, qualified, doc in self.database.symbols():
            document = "" if qualified else self._document(paths[path], documents)
            yield number, qualified or path, doc, document

    def _document(self, path: str, documents: Mapping[str, str]) -> str:
        is_kept = path in self.kept
        text = self.database.doc_before(self.file(path)) if is_kept else documents.get(path)
        if text is None:
            return ""
        value = json.loads(text)
        sections = (f"{one['title']}\n{one['content']}" for one in value["sections"])
        return "\n".join([value["summary"], *sections])
