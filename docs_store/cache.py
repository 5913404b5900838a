"""A disposable keyed store in one SQLite file, shared by processes; knows not what the values mean.

Nothing here is ever needed: what is damaged, locked for too long or on a full disk is a miss, and
is made anew. Two versions of the format live in two files, so that two versions of the tool do not
fight.
"""

from __future__ import annotations

import threading
from binascii import crc32
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError

NAME = "cache-1.sqlite"
_BUSY_MILLISECONDS = 5000
_CHUNK = 900  # SQLite before 3.32 allows 999 variables in a statement
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS entries (
        age INTEGER PRIMARY KEY, kind TEXT NOT NULL, key BLOB NOT NULL, crc INTEGER NOT NULL, value
        BLOB NOT NULL, UNIQUE (kind, key))
"""
_Result = TypeVar("_Result")


class Cache:
    """Values by kind and key in `folder`, made at the first use, as sqlite3 is imported only then.

    Where the folder cannot be written it works in memory, and `writable` says so. Threads may share
    one object.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._connection: Connection | None = None
        self._writable = False
        self._guard = threading.RLock()

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def writable(self) -> bool:
        """Whether what is put outlives this process."""
        with self._guard:
            self._connect()
            return self._writable

    def get(self, kind: str, key: str) -> bytes | None:
        """The value, or None."""
        return self.get_many(kind, [key]).get(key)

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Store one value; once the call returns it outlives a kill of this process."""
        self.put_many(kind, [(key, value)])

    def get_many(self, kind: str, keys: Iterable[str]) -> dict[str, bytes]:
        """The values that are there and whole, by key."""
        names = {_encoded(key): key for key in keys}
        wanted = list(names)

        def select(connection: Connection) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            for start in range(0, len(wanted), _CHUNK):
                chunk = wanted[start : start + _CHUNK]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT key, crc, value FROM entries WHERE kind = ? AND key IN ({marks})"
                for key, crc, value in connection.execute(query, (kind, *chunk)):
                    if isinstance(value, bytes) and crc == _checksum(kind, key, value):
                        found[names[key]] = value
            return found

        return self._run(select, {})

    def put_many(self, kind: str, items: Iterable[tuple[str, bytes]]) -> None:
        """Store values in one transaction; a key that is there already becomes the newest."""
        encoded = [(_encoded(key), value) for key, value in items]
        rows = [(kind, key, _checksum(kind, key, value), value) for key, value in encoded]
        query = "INSERT OR REPLACE INTO entries (kind, key, crc, value) VALUES (?, ?, ?, ?)"
        self._run(
            lambda connection: _write(connection, lambda: connection.executemany(query, rows)), None
        )

    def prune(self, kind: str, keep_newest: int) -> None:
        """Forget all but the `keep_newest` values of a kind that were put last."""
        query = """DELETE FROM entries WHERE kind = ?1 AND age <= (
            SELECT age FROM entries WHERE kind = ?1 ORDER BY age DESC LIMIT 1 OFFSET ?2)"""
        self._run(
            lambda connection: _write(
                connection, lambda: connection.execute(query, (kind, keep_newest))
            ),
            None,
        )

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _run(self, work: Callable[[Connection], _Result], fallback: _Result) -> _Result:
        from sqlite3 import DatabaseError

        with self._guard:
            try:
                return work(self._connect())
            except DatabaseError as error:
                if _is_damage(error):
                    self._discard()
                return fallback

    def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = self._open_file()
            self._writable = self._connection is not None
        if self._connection is None:
            self._connection = _open(":memory:")
        return self._connection

    def _open_file(self) -> Connection | None:
        from sqlite3 import DatabaseError

        for _ in range(2):  # the second time after a damaged file is gone
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                return _open(str(self._path))
            except OSError:
                break
            except DatabaseError as error:
                if not (_is_damage(error) and self._discard()):
                    break
        return None

    def _discard(self) -> bool:
        """Delete the file, its journals first, since a new file must not meet an old journal."""
        self.close()
        try:
            for suffix in ("-wal", "-shm", "-journal", ""):
                self._path.with_name(NAME + suffix).unlink(missing_ok=True)
        except OSError:
            return False
        return True


def _open(name: str) -> Connection:
    from sqlite3 import DatabaseError, connect

    connection = connect(
        name, timeout=_BUSY_MILLISECONDS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone():
            _write(connection, lambda: connection.execute(_SCHEMA))
        elif name != ":memory:":
            _write(
                connection, lambda: None
            )  # tells a file that can only be read from one that can be written
    except DatabaseError:
        connection.close()
        raise
    return connection


def _write(connection: Connection, work: Callable[[], object]) -> None:
    """One transaction, with the write lock from the start: a reader could not wait for it later."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        work()
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _is_damage(error: DatabaseError) -> bool:
    """Whether a new file would help: not so where it is locked, read-only or out of space."""
    import sqlite3

    if not hasattr(error, "sqlite_errorcode"):
        raise error  # not from SQLite but from a wrong call of it
    return error.sqlite_errorcode & 0xFF in (  # the low byte is the kind, the rest tells more of it
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_MISMATCH,
    )


def _encoded(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _checksum(kind: str, key: bytes, value: bytes) -> int:
    return crc32(value, crc32(key, crc32(kind.encode())))
