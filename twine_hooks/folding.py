"""A file graph folded into folders until it is small enough to read; draws nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from twine_hooks.file_graph import FileGraph

_PATIENCE = 40  #: folders that do not fit, after which no smaller one is tried


class Folded(NamedTuple):
    """Folders with their numbers of files, edges with their numbers of file edges; sorted.

    A folder stands for all files below it but for those below a deeper folder that is listed.
    """

    folders: dict[str, int]
    edges: dict[tuple[str, str], int]


@dataclass(frozen=True, eq=False)
class Folding:
    """Folds one file graph."""

    graph: FileGraph

    def folded(self, most_folders: int, most_edges: int) -> Folded:
        """The largest folders one by one as long as both limits are kept.

        A folder of which only some subfolders are listed stands for the rest of it.
        """
        opened = {""}
        present = self._at(opened)
        heap = [(-self._files_below[one], one) for one in self._children.get("", ())]
        heapify(heap)
        refusals = 0
        while heap and refusals < _PATIENCE:
            _, folder = heappop(heap)
            found = self._at({*opened, folder})
            if len(found.folders) > most_folders or len(found.edges) > most_edges:
                refusals += 1
                continue
            opened.add(folder)
            present = found
            for one in self._children.get(folder, ()):
                heappush(heap, (-self._files_below[one], one))
        return present

    @cached_property
    def _children(self) -> Mapping[str, set[str]]:
        """By folder the folders directly in it that hold files at any depth."""
        found: dict[str, set[str]] = {}
        for folder in self._folders:
            while folder:
                parent = folder.rpartition("/")[0]
                found.setdefault(parent, set()).add(folder)
                folder = parent
        return found

    @cached_property
    def _files_below(self) -> Mapping[str, int]:
        """Files in each folder at any depth."""
        found: Counter[str] = Counter()
        for folder, files in self._folders.items():
            while folder:
                found[folder] += files
                folder = folder_of(folder)
        return found

    @cached_property
    def _folders(self) -> Mapping[str, int]:
        """Files directly in each folder."""
        return Counter(folder_of(path) for path in self.graph.files)

    @cached_property
    def _between(self) -> Mapping[tuple[str, str], int]:
        return Counter(
            (folder_of(edge.source), folder_of(edge.target)) for edge in self.graph.edges
        )

    def _at(self, opened: set[str]) -> Folded:
        place = {folder: _nearest(folder, opened) for folder in self._folders}
        folders: Counter[str] = Counter()
        for folder, files in self._folders.items():
            folders[place[folder]] += files
        edges: Counter[tuple[str, str]] = Counter()
        for (source, target), number in self._between.items():
            if place[source] != place[target]:
                edges[place[source], place[target]] += number
        return Folded(dict(sorted(folders.items())), dict(sorted(edges.items())))


def folder_of(path: str) -> str:
    """The folder of a path, "" for the root."""
    return path.rpartition("/")[0]


def _nearest(folder: str, opened: Iterable[str]) -> str:
    while folder and folder not in opened:
        folder = folder_of(folder)
    return folder
