"""`project_knowledge.json` and `project_dependency_summary.json`, written entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO

from twine_hooks.entries import as_bytes, as_text

_BETWEEN, _END = b",\n", b"\n]\n}\n"
_BLOCK = 1_000_000  #: bytes that are copied at once


class KnowledgeJson:
    """Writes `project_knowledge.json` to a stream; holds no more than one entry."""

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
        return self.add_bytes([as_bytes(text)])

    def add_bytes(self, parts: Iterable[bytes]) -> int:
        """Add files by their entries with what stands between; the bytes of it all."""
        self._stream.write(b"\n" if self._is_first else _BETWEEN)
        self._is_first = False
        return sum(map(self._stream.write, parts))

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

    def copy(self, paths: Iterable[str], writer: KnowledgeJson) -> dict[str, int]:
        """Add the entries of some files as they were, those that lie side by side in one go.

        The files must be in the order that they had. Gives the bytes of each.
        """
        sizes: dict[str, int] = {}
        start = end = -1
        for path in paths:
            first, sizes[path] = self._places[path]
            if end >= 0 and first != end + len(_BETWEEN):
                writer.add_bytes(self._blocks(start, end))
                end = -1
            start, end = (first if end < 0 else start), first + sizes[path]
        if end >= 0:
            writer.add_bytes(self._blocks(start, end))
        return sizes

    def _blocks(self, start: int, end: int) -> Iterator[bytes]:
        self._stream.seek(start)
        for at in range(start, end, _BLOCK):
            yield self._stream.read(min(_BLOCK, end - at))

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
