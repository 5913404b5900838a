"""`project_knowledge.sqlite`: the consolidated knowledge with symbols, edges and a text index.

Only writes; how it is read is in knowledge_db.py.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

SCHEMA_VERSION = "1"

#: The first four are codetwine's. `file` is "project/pkg/main_py/main.py", `path` "pkg/main.py".
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files (file TEXT PRIMARY KEY, summary TEXT, file_dependencies TEXT, doc TEXT);
CREATE TABLE file_edges (file TEXT, direction TEXT, other TEXT);
CREATE TABLE definitions (file TEXT, name TEXT, type TEXT, start_line INTEGER, end_line INTEGER);
CREATE TABLE paths (path TEXT PRIMARY KEY, file TEXT) WITHOUT ROWID;
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY, path TEXT, name TEXT, qualified TEXT, kind TEXT,
    start_line INTEGER, end_line INTEGER, public INTEGER, signature TEXT, doc TEXT
);
CREATE TABLE symbol_edges (
    source INTEGER, target INTEGER, kind TEXT, confidence REAL, lines TEXT
);
CREATE TABLE unresolved (path TEXT, text TEXT, line INTEGER);
CREATE VIEW symbol_references AS
    SELECT edge.source, edge.target, edge.kind, place.value AS line
    FROM symbol_edges AS edge, json_each(edge.lines) AS place
    WHERE edge.kind NOT IN ('defines', 'has_method');
CREATE VIRTUAL TABLE search USING fts5 (
    name, comment, document, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
"""
_INDEXES = """
CREATE INDEX file_edges_of ON file_edges (file, direction);
CREATE INDEX definitions_by_name ON definitions (name);
CREATE INDEX definitions_by_file ON definitions (file);
CREATE INDEX symbols_by_name ON symbols (name);
CREATE INDEX symbols_by_path ON symbols (path, qualified);
CREATE INDEX edges_from ON symbol_edges (source, kind);
CREATE INDEX edges_to ON symbol_edges (target, kind);
CREATE INDEX unresolved_of ON unresolved (path);
"""
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HAS_CAMEL = re.compile(r"\b\w*(?:[a-z][A-Z]|[A-Z]{2}[a-z])\w*")

SymbolRow = tuple[int, str, str, str, str, int, int, bool, str, str]
EdgeRow = tuple[int, int, str, float, tuple[int, ...]]


class KnowledgeDatabase:
    """Writes the database to a file that does not exist yet; the same rows give the same bytes."""

    def __init__(self, file: Path, project: str, created_at: str) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        for pragma in ("page_size = 8192", "journal_mode = OFF", "synchronous = OFF"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_SCHEMA)
        self._connection.execute("BEGIN")
        meta = {"created_at": created_at, "project_name": project, "schema_version": SCHEMA_VERSION}
        self._insert("meta", 2, meta.items())

    def __enter__(self) -> KnowledgeDatabase:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._connection.close()

    def add_file(
        self,
        path: str,
        file: str,
        summary: str | None,
        dependencies: str,
        doc: str | None,
        callers: Iterable[str],
        callees: Iterable[str],
    ) -> None:
        """Add a file; both texts are JSON objects without ``file``."""
        file = _storable(file)
        row = (file, summary, _storable(dependencies), None if doc is None else _storable(doc))
        self._insert("files", 4, [row])
        self._insert("paths", 2, [(_storable(path), file)])
        self._insert("file_edges", 3, [(file, "caller", _storable(one)) for one in callers])
        self._insert("file_edges", 3, [(file, "callee", _storable(one)) for one in callees])

    def add_definitions(self, file: str, rows: Iterable[tuple[str, str, int, int]]) -> None:
        """Add (name, type, first line, last line) of each definition of a file."""
        file = _storable(file)
        self._insert("definitions", 5, ((file, *row) for row in rows))

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None:
        """Add symbols with the numbers that edges name them by."""
        self._insert("symbols", 10, ((row[0], _storable(row[1]), *row[2:]) for row in rows))

    def add_edges(self, rows: Iterable[EdgeRow]) -> None:
        """Add edges between symbols by their numbers, with the lines of each."""
        self._insert(
            "symbol_edges",
            5,
            ((a, b, kind, sure, _numbers(lines)) for a, b, kind, sure, lines in rows),
        )

    def add_unresolved(self, path: str, rows: Iterable[tuple[str, int]]) -> None:
        """Add what a file names and what leads nowhere: text and line."""
        path = _storable(path)
        self._insert("unresolved", 3, ((path, *row) for row in rows))

    def add_texts(self, rows: Iterable[tuple[int, str, str, str]]) -> None:
        """Make symbols searchable: number, qualified name, doc comment, document of the file."""
        found = (
            (number, searchable(_storable(name)), searchable(comment), searchable(document))
            for number, name, comment, document in rows
        )
        insert = "INSERT INTO search (rowid, name, comment, document) VALUES (?, ?, ?, ?)"
        self._connection.executemany(insert, found)

    def close(self) -> None:
        """Finish the file: without this it has no indexes."""
        self._connection.execute("COMMIT")
        self._connection.executescript(_INDEXES)
        self._connection.close()

    def _insert(self, table: str, columns: int, rows: Iterable[tuple[object, ...]]) -> None:
        marks = ", ".join("?" * columns)
        self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def searchable(text: str) -> str:
    """The text with the parts of each camelCase name behind it; the index splits the rest."""
    if not text or text.islower():
        return text
    return _HAS_CAMEL.sub(lambda found: f"{found[0]} {' '.join(_CAMEL.findall(found[0]))}", text)


def _numbers(lines: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, lines))}]"


def _storable(text: str) -> str:
    """SQLite takes no lone surrogates, which file names that are not UTF-8 decode to."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
