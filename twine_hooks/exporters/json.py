"""`project_knowledge.json` and `project_dependency_summary.json`, written entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

from twine_hooks.entries import as_bytes, as_text

_BETWEEN, _END = b",\n", b"\n]\n}\n"


class KnowledgeJson:
    """Writes `project_knowledge.json` to a stream; never holds more than one entry."""

    def __init__(self, stream: BinaryIO, project: str, listed: Iterable[str]) -> None:
        """``listed`` are the files of the project's list, each as JSON."""
        self._stream = stream
        self._is_first = True
        self._put(f'{{\n"project_name": {as_text(project)},\n"project_dependencies": [')
        self._put(",".join(f"\n{one}" for one in listed))
        self._put('\n],\n"files": [')

    def add(self, file: str, dependencies: str, doc: str | None) -> int:
        """Add a file; the bytes of its entry.

        Both texts are JSON objects without ``file``, the second may be missing.
        """
        tail = "" if doc is None else f', "doc": {doc}'
        text = f'{{"file": {as_text(file)}, "file_dependencies": {dependencies}{tail}}}'
        return self.add_bytes(as_bytes(text))

    def add_bytes(self, entry: bytes) -> int:
        """Add a file by its entry; the bytes of it."""
        self._stream.write(b"\n" if self._is_first else _BETWEEN)
        self._is_first = False
        return self._stream.write(entry)

    def close(self) -> None:
        """Write what follows the last file."""
        self._stream.write(_END)

    def _put(self, text: str) -> None:
        self._stream.write(as_bytes(text))


class KnowledgeBefore:
    """Reads the entries of a file that ``KnowledgeJson`` wrote, whose ``sizes`` are known."""

    def __init__(self, file: Path, sizes: Mapping[str, int]) -> None:
        self._stream = file.open("rb")
        end = self._stream.seek(0, SEEK_END) - len(_END)
        self._places: dict[str, tuple[int, int]] = {}
        for path in reversed(list(sizes)):
            self._places[path] = (end - sizes[path], sizes[path])
            end -= sizes[path] + len(_BETWEEN)

    def entry(self, path: str) -> bytes:
        """The entry of a file."""
        start, size = self._places[path]
        self._stream.seek(start)
        return self._stream.read(size)

    def close(self) -> None:
        self._stream.close()


def summary_json(project: str, listed: Iterable[str]) -> Iterator[str]:
    """The text of `project_dependency_summary.json`, in pieces; ``listed`` as above."""
    yield f'{{\n"project_name": {as_text(project)},\n"files": ['
    comma = ""
    for one in listed:
        yield f"{comma}\n{one}"
        comma = ","
    yield "\n]\n}\n"
