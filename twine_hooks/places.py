"""Where the files of an export lie: one folder per source, no two the same; knows no content."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import NamedTuple

from docs_store.digest import short

DEPENDENCIES, DOC_JSON, DOC_MD = "file_dependencies.json", "doc.json", "doc.md"
_OURS = (DEPENDENCIES, DOC_JSON, DOC_MD)
MARK, RECORD, CACHE = ".gitignore", ".export.json", ".cache"
DOCUMENTS = "documents"  #: in the cache: those that a program had written beside its export
KNOWLEDGE_JSON, KNOWLEDGE_SQLITE = "project_knowledge.json", "project_knowledge.sqlite"
SUMMARY_JSON = "project_dependency_summary.json"
GRAPH_NAMES = {
    "mermaid": "dependency_graph.md",
    "graphml": "dependency_graph.graphml",
    "dot": "dependency_graph.dot",
    "cytoscape": "dependency_graph.cytoscape.json",
    "jsonl": "dependency_graph.jsonl",
}
#: What lies at the top of an export beside the folders of sources.
_AT_THE_TOP = (
    MARK, RECORD, CACHE, KNOWLEDGE_JSON, KNOWLEDGE_SQLITE, SUMMARY_JSON, *GRAPH_NAMES.values()
)  # fmt: skip


class Place(NamedTuple):
    """The folder of one source, and in it the copy of the source: "main_py", "main_py/main.py"."""

    folder: str
    copy: str


def folder_name(path: str) -> str:
    """The folder of a source: "pkg/main.py" lies in "pkg/main_py", "Makefile" in "Makefile"."""
    folder, _, name = path.rpartition("/")
    stem, extension = posixpath.splitext(name)
    mangled = f"{stem}_{extension[1:]}" if extension[1:] else name
    return f"{folder}/{mangled}" if folder else mangled


def places_of(paths: Iterable[str]) -> dict[str, Place]:
    """By source where its files lie.

    Where another source is in the way, also on a disk that knows no capital letters, the first
    part of the name gets a digest of the path; "a.b" and "a_b" never overwrite each other.
    """
    taken = _Taken()
    places = {}
    for path in sorted(paths):
        place = _place(folder_name(path), path)
        if not taken.add(place):
            mark = short(path.encode("utf-8", "surrogateescape"))
            # Marked at the top: what is in the way may be a copy in the place of a folder above.
            top, slash, rest = folder_name(path).partition("/")
            place = _place(f"{top}~{mark}{slash}{rest}", path)
            taken.add(place)
        places[path] = place
    return places


def _place(folder: str, path: str) -> Place:
    name = path.rpartition("/")[2]
    inner = "/source" if name.casefold() in _OURS else ""
    return Place(folder, f"{folder}{inner}/{name}")


class _Taken:
    """The files and folders that are spoken for; no path may be both."""

    def __init__(self) -> None:
        self._owned: set[str] = set()
        self._files: set[str] = set(_AT_THE_TOP)
        self._folders: set[str] = set()

    def add(self, place: Place) -> bool:
        """Take a folder with its files, if it is free."""
        key, copy = place.folder.casefold(), place.copy.casefold()
        above = set(_above(copy))
        files = {f"{key}/{name}" for name in _OURS} | {copy}
        if key in self._owned or above & self._files or files & self._folders:
            return False
        self._owned.add(key)
        self._files |= files
        self._folders |= above
        return True


def _above(path: str) -> Iterable[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
