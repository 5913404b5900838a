"""`project_knowledge.json` and `project_dependency_summary.json`, written entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from twine_hooks.entries import Listed, as_text


class KnowledgeJson:
    """Writes `project_knowledge.json` to a stream; never holds more than one entry."""

    def __init__(self, stream: BinaryIO, project: str, listed: Iterable[Listed]) -> None:
        self._stream = stream
        self._is_first = True
        self._put(f'{{\n"project_name": {as_text(project)},\n"project_dependencies": [')
        self._put(",".join(f"\n{as_text(one._asdict())}" for one in listed))
        self._put('\n],\n"files": [')

    def add(self, file: str, dependencies: str, doc: str | None) -> None:
        """Add a file. Both texts are JSON objects without ``file``, the second may be missing."""
        comma = "" if self._is_first else ","
        self._is_first = False
        tail = "" if doc is None else f', "doc": {doc}'
        self._put(
            f'{comma}\n{{"file": {as_text(file)}, "file_dependencies": {dependencies}{tail}}}'
        )

    def close(self) -> None:
        """Write what follows the last file."""
        self._put("\n]\n}\n")

    def _put(self, text: str) -> None:
        self._stream.write(text.encode("utf-8", "backslashreplace"))


def summary_json(project: str, listed: Iterable[Listed]) -> Iterator[str]:
    """The text of `project_dependency_summary.json`, in pieces."""
    yield f'{{\n"project_name": {as_text(project)},\n"files": ['
    comma = ""
    for one in listed:
        yield f"{comma}\n{as_text(one._asdict())}"
        comma = ","
    yield "\n]\n}\n"
