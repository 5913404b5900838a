"""Reads `project_knowledge.sqlite`, for programs that use what codetwine knows; writes nothing.

    knowledge = open_knowledge(".codetwine/export/shop/project_knowledge.sqlite")
    callers_of_symbol(knowledge, "area")

Files are named as in the exported formats ("shop/pkg/main_py/main.py"); symbols by their short or
qualified name, or as "pkg/main.py::Class.method"; a path names the file.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twine_hooks.errors import CodetwineError
from twine_hooks.symbol_names import is_named, places, short_name

_WORD = re.compile(r"[^\W_]+|_+")
_DEPENDENCY_KINDS = "('calls', 'imports', 'inherits_from', 'references')"
_IDS = "(SELECT value FROM json_each(?))"
_SYMBOL = "path, name, qualified, kind, start_line, end_line"


def open_knowledge(file: str | Path) -> sqlite3.Connection:
    """A connection that cannot write. Raises CodetwineError for a file that is no such database."""
    path = Path(file).resolve()
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
        connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    except sqlite3.Error as error:
        raise CodetwineError(
            f"{path}: {error}; `codetwine export --format sqlite` writes such a file"
        ) from None
    return connection


def iter_files(knowledge: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Each file as in `project_knowledge.json`: file, file_dependencies and, if any, doc."""
    rows = knowledge.execute("SELECT file, file_dependencies, doc FROM files ORDER BY file")
    for file, dependencies, doc in rows:
        yield _file(file, dependencies, doc)


def iter_dependencies(knowledge: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Each file with summary, callers and callees, as in `project_dependency_summary.json`."""
    for file, summary in knowledge.execute("SELECT file, summary FROM files ORDER BY file"):
        yield {
            "file": file,
            "summary": summary,
            "callers": callers_of(knowledge, file),
            "callees": callees_of(knowledge, file),
        }


def get_file(knowledge: sqlite3.Connection, file: str) -> dict[str, Any] | None:
    """One file as ``iter_files`` gives it, by its name there or its path; None if there is none."""
    row = knowledge.execute(
        "SELECT file, file_dependencies, doc FROM files"
        " WHERE file = ? OR file = (SELECT file FROM paths WHERE path = ?)",
        (file, file),
    ).fetchone()
    return _file(*row) if row else None


def callees_of(knowledge: sqlite3.Connection, file: str) -> list[str]:
    """The files that a file uses."""
    return _others(knowledge, file, "callee")


def callers_of(knowledge: sqlite3.Connection, file: str) -> list[str]:
    """The files that use a file."""
    return _others(knowledge, file, "caller")


def find_definitions(
    knowledge: sqlite3.Connection, name: str, partial: bool = False
) -> list[dict[str, Any]]:
    """Definitions of a name, or with ``partial`` of all names that it is a part of."""
    escaped = name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    condition, value = (
        ("name LIKE ? ESCAPE '\\'", f"%{escaped}%") if partial else ("name = ?", name)
    )
    rows = knowledge.execute(
        "SELECT file, name, type, start_line, end_line FROM definitions"
        f" WHERE {condition} ORDER BY file, start_line, name",
        (value,),
    )
    return _dicts(rows)


def find_symbols(knowledge: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    """Symbols of a short or qualified name, or the one of "path::name"."""
    return _dicts(
        knowledge.execute(
            f"SELECT {_SYMBOL} FROM symbols WHERE id IN {_IDS}"
            " ORDER BY path, start_line, qualified",
            (_chosen(knowledge, name),),
        )
    )


def callers_of_symbol(knowledge: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    """Who uses a symbol: the user, the kind of the edge, and the lines where."""
    return _neighbours(knowledge, name, "target", "source")


def callees_of_symbol(knowledge: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    """What a symbol uses: the used symbol, the kind of the edge, and the lines where."""
    return _neighbours(knowledge, name, "source", "target")


def impact_of_symbol(
    knowledge: sqlite3.Connection, name: str, depth: int = 20
) -> list[dict[str, Any]]:
    """All that uses a symbol, directly or not, with the number of steps to it."""
    rows = knowledge.execute(
        f"""
        WITH RECURSIVE reached (id, steps) AS (
            SELECT value, 0 FROM json_each(?)
            UNION
            SELECT edge.source, reached.steps + 1
            FROM reached JOIN symbol_edges AS edge ON edge.target = reached.id
            WHERE edge.kind IN {_DEPENDENCY_KINDS} AND reached.steps < ?
        )
        SELECT {_SYMBOL}, min(steps) AS steps FROM reached JOIN symbols USING (id)
        GROUP BY id HAVING min(steps) > 0 ORDER BY min(steps), path, start_line, qualified
        """,
        (_chosen(knowledge, name), depth),
    )
    return _dicts(rows)


def search(knowledge: sqlite3.Connection, text: str, limit: int = 20) -> list[dict[str, Any]]:
    """Symbols and files whose names, doc comments or documents hold all words, the best first.

    A word may be the beginning of one. The parts of camelCase and snake_case names are words.
    """
    words = [word for word in _WORD.findall(text) if not word.startswith("_")]
    if not words:
        return []
    query = " ".join(f'"{word}"*' for word in words)
    rows = knowledge.execute(
        f"SELECT {_SYMBOL}, doc FROM ("
        "  SELECT rowid AS id, bm25(search, 8.0, 2.0, 1.0) AS distance FROM search"
        "  WHERE search MATCH ? ORDER BY distance, rowid LIMIT ?"
        ") JOIN symbols USING (id) ORDER BY distance, id",
        (query, limit),
    )
    return _dicts(rows)


def _file(file: str, dependencies: str, doc: str | None) -> dict[str, Any]:
    entry = {"file": file, "file_dependencies": json.loads(dependencies)}
    return entry if doc is None else {**entry, "doc": json.loads(doc)}


def _others(knowledge: sqlite3.Connection, file: str, direction: str) -> list[str]:
    rows = knowledge.execute(
        "SELECT other FROM file_edges WHERE file = ? AND direction = ? ORDER BY other",
        (file, direction),
    )
    return [other for (other,) in rows]


def _neighbours(
    knowledge: sqlite3.Connection, name: str, known: str, wanted: str
) -> list[dict[str, Any]]:
    rows = knowledge.execute(
        f"SELECT {_SYMBOL}, edge_kind AS edge, confidence, lines FROM ("
        f"  SELECT {wanted} AS id, kind AS edge_kind, confidence, lines FROM symbol_edges"
        f"  WHERE {known} IN {_IDS} AND kind IN {_DEPENDENCY_KINDS}"
        ") JOIN symbols USING (id) ORDER BY path, start_line, qualified, edge_kind",
        (_chosen(knowledge, name),),
    )
    return [{**row, "lines": json.loads(row["lines"])} for row in _dicts(rows)]


def _chosen(knowledge: sqlite3.Connection, name: str) -> str:
    """The ids of a file or of all symbols of a name, as JSON."""
    for path, inside in places(name):
        found = _named(knowledge, inside, "path = ?", path)
        if found:
            return json.dumps(found)
    files = knowledge.execute("SELECT id FROM symbols WHERE path = ? AND qualified = ''", (name,))
    return json.dumps([one for (one,) in files] or _named(knowledge, name, "name = ?"))


def _named(knowledge: sqlite3.Connection, name: str, condition: str, *value: str) -> list[int]:
    rows = knowledge.execute(
        f"SELECT id, qualified FROM symbols WHERE {condition}", value or (short_name(name),)
    )
    return [number for number, qualified in rows if is_named(qualified, name)]


def _dicts(rows: sqlite3.Cursor) -> list[dict[str, Any]]:
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows]
