"""Everything that docs_store raises; knows nothing of where a message is shown.

StoreError
├── LeafError       a leaf.twine that cannot be read
├── DocumentError   a doc.md whose header cannot be read
└── LockedError     another process is writing
"""

from __future__ import annotations


class StoreError(Exception):
    """One sentence that names file and line (counted from 1) and ends with the next step."""

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(place + message)
        self.path = path
        self.line = line


class LeafError(StoreError):
    """A leaf.twine is damaged, of a newer format, or holds conflict markers."""


class DocumentError(StoreError):
    """The first line of a doc.md is damaged, of a newer format, or a conflict marker."""


class LockedError(StoreError):
    """Another process holds the lock; `pid` is its process id, 0 where unknown."""

    def __init__(self, message: str, path: str, pid: int = 0) -> None:
        super().__init__(message, path)
        self.pid = pid
