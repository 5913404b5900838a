"""`project_knowledge.sqlite`: the consolidated knowledge with symbols, edges and a text index.

Only writes; how it is read is in knowledge_db.py.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
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

#: What the rows of a file are found by in an earlier database; those of one file lie together.
_SPANS = {
    "files": "SELECT file, rowid, rowid FROM before.files",
    "file_edges": "SELECT file, min(rowid), max(rowid) FROM before.file_edges GROUP BY file",
    "definitions": "SELECT file, min(rowid), max(rowid) FROM before.definitions GROUP BY file",
    "symbols": "SELECT path, min(id), max(id) FROM before.symbols GROUP BY path",
    "unresolved": "SELECT path, min(rowid), max(rowid) FROM before.unresolved GROUP BY path",
}
_KEEP = "INSERT INTO {0} SELECT * FROM before.{0} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
_KEEP_SYMBOLS = """
INSERT INTO symbols
    SELECT id + ?, path, name, qualified, kind, start_line, end_line, public, signature, doc
    FROM before.symbols WHERE id BETWEEN ? AND ? ORDER BY id
"""
_ROWS = "SELECT min(rowid), max(rowid) FROM before.symbol_edges WHERE source BETWEEN ? AND ?"
_KEEP_EDGES = (
    "INSERT INTO symbol_edges SELECT * FROM before.symbol_edges AS edge"
    " WHERE edge.rowid BETWEEN ? AND ? ORDER BY edge.rowid"
)
_MOVE_EDGES = """
INSERT INTO symbol_edges
    SELECT one.new, other.new, edge.kind, edge.confidence, edge.lines
    FROM before.symbol_edges AS edge
        CROSS JOIN moved AS one ON one.old = edge.source
        CROSS JOIN moved AS other ON other.old = edge.target
    WHERE edge.rowid BETWEEN ? AND ? ORDER BY edge.rowid
"""
_PRAGMAS = (
    "page_size = 8192",
    "journal_mode = OFF",
    "synchronous = OFF",
    "cache_size = -65536",
    "temp_store = MEMORY",
)

#: id, path, name, qualified, kind, first and last line, whether it is public, signature, doc
SymbolRow = tuple[int, str, str, str, str, int, int, bool, str, str]
#: source, target, kind, confidence, the lines as JSON
EdgeRow = tuple[int, int, str, float, str]


class KnowledgeDatabase:
    """Writes the database to a file that does not exist yet; the same rows give the same bytes.

    ``before`` is one that was written earlier, of which rows can be kept.
    """

    def __init__(
        self, file: Path, project: str, created_at: str, before: Path | None = None
    ) -> None:
        self._are_moved = False
        self._spans: dict[str, dict[str, tuple[int, int]]] = {}
        self._connection = sqlite3.connect(file.absolute().as_uri(), isolation_level=None, uri=True)
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_SCHEMA)
        if before is not None:
            uri = f"{before.absolute().as_uri()}?mode=ro&immutable=1"
            self._connection.execute("ATTACH ? AS before", (uri,))
        self._connection.execute("BEGIN")
        meta = {
            "created_at": created_at,
            "project_name": storable(project),
            "schema_version": SCHEMA_VERSION,
        }
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

    def add_file(self, file: str, summary: str | None, dependencies: str, doc: str | None) -> None:
        """Add a file; both texts are JSON objects without ``file``."""
        texts = (storable(dependencies), None if doc is None else storable(doc))
        self._insert("files", 4, [(storable(file), summary, *texts)])

    def add_paths(self, rows: Iterable[tuple[str, str]]) -> None:
        """Tell the path of each file that was added or kept: path and file."""
        self._insert("paths", 2, ((storable(path), storable(file)) for path, file in rows))

    def add_file_edges(self, file: str, direction: str, others: Iterable[str]) -> None:
        """Add a file's callers or callees."""
        file = storable(file)
        self._insert("file_edges", 3, ((file, direction, storable(one)) for one in others))

    def keep(self, table: str, names: Iterable[str]) -> None:
        """Add the rows of some files as they were before, in the order that they had.

        The table is one of files, file_edges, definitions and unresolved; the last has files by
        their paths.
        """
        wanted = list(map(storable, names))
        spans = self.spans_before(table) if wanted else {}
        for first, last in _joined(spans[name] for name in wanted if name in spans):
            self._connection.execute(_KEEP.format(table), (first, last))

    def spans_before(self, table: str) -> Mapping[str, tuple[int, int]]:
        """By (``storable``) name of a file the first and the last number of its rows before."""
        if table not in self._spans:
            rows = self._connection.execute(_SPANS[table])
            self._spans[table] = {name: (first, last) for name, first, last in rows}
        return self._spans[table]

    def doc_before(self, file: str) -> str | None:
        """The document of a file as it was before; None where there was none."""
        query = "SELECT doc FROM before.files WHERE file = ?"
        [doc] = self._connection.execute(query, (storable(file),)).fetchone()
        return None if doc is None else str(doc)

    def numbers_before(self, path: str) -> list[tuple[str, int]]:
        """(qualified name, number) of the symbols of a file before."""
        query = "SELECT qualified, id FROM before.symbols WHERE path = ? ORDER BY id"
        return self._connection.execute(query, (storable(path),)).fetchall()

    def keep_symbols(self, spans: Iterable[tuple[int, int]], shift: int) -> None:
        """Add symbols as they were before, with numbers that are larger by ``shift``."""
        for first, last in _joined(spans):
            self._connection.execute(_KEEP_SYMBOLS, (shift, first, last))

    def symbols(self) -> Iterator[tuple[int, str, str, str]]:
        """(number, path, qualified name, doc comment) of all symbols so far."""
        return self._connection.execute("SELECT id, path, qualified, doc FROM symbols ORDER BY id")

    def move_symbols(self, numbers: Iterable[tuple[int, int]]) -> None:
        """Tell the number of each symbol before, and now; nothing where they are the same."""
        self._connection.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER)")
        self._insert("moved", 2, numbers)
        [(self._are_moved,)] = self._connection.execute("SELECT EXISTS (SELECT 1 FROM moved)")

    def keep_edges(self, spans: Iterable[tuple[int, int]]) -> None:
        """Add the edges from some symbols as they were before; see ``move_symbols``."""
        statement = _MOVE_EDGES if self._are_moved else _KEEP_EDGES
        for found in _joined(spans):
            first, last = self._connection.execute(_ROWS, found).fetchone()
            if first is not None:
                self._connection.execute(statement, (first, last))

    def add_definitions(self, file: str, rows: Iterable[tuple[str, str, int, int]]) -> None:
        """Add (name, type, first line, last line) of each definition of a file."""
        file = storable(file)
        self._insert("definitions", 5, ((file, *row) for row in rows))

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None:
        """Add symbols with the numbers that edges name them by; paths are ``storable``."""
        self._insert("symbols", 10, rows)

    def add_edges(self, rows: Iterable[EdgeRow]) -> None:
        """Add edges between symbols by their numbers, with the lines of each."""
        self._insert("symbol_edges", 5, rows)

    def add_unresolved(self, path: str, rows: Iterable[tuple[str, int]]) -> None:
        """Add what a file names and what leads nowhere: text and line."""
        path = storable(path)
        self._insert("unresolved", 3, ((path, *row) for row in rows))

    def add_texts(self, rows: Iterable[tuple[int, str, str, str]]) -> None:
        """Make symbols searchable: number, qualified name, doc comment, document of the file."""
        found = (
            (number, searchable(name), searchable(comment), searchable(document))
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


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same numbers in as few spans as there can be."""
    known: tuple[int, int] | None = None
    for first, last in spans:
        if known is not None and known[1] + 1 == first:
            known = (known[0], last)
            continue
        if known is not None:
            yield known
        known = (first, last)
    if known is not None:
        yield known


def searchable(text: str) -> str:
    """The text with the parts of each camelCase name behind it; the index splits the rest."""
    if not text or text.islower():
        return text
    return _HAS_CAMEL.sub(lambda found: f"{found[0]} {' '.join(_CAMEL.findall(found[0]))}", text)


def storable(text: str) -> str:
    """A file name as the database has it.

    SQLite takes no lone surrogates, which file names that are not UTF-8 decode to.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
