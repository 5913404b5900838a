"""The Merkle tree over all leaves, recomputed and never stored; knows only paths and digests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docs_store.digest import digest

FILE = "file"
FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Node:
    """A source file with its leaf's digest, or a folder (the root's path is "") with its own."""

    path: str
    kind: str
    digest: str


@dataclass(frozen=True, slots=True)
class Tree:
    """Per folder its sorted entries, `name NUL kind NUL digest`; nodes are made when asked for."""

    root: Node
    _folders: Mapping[str, list[str]]

    def find(self, path: str) -> Node | None:
        """The node at `path` ("" or "." is the root; a slash at the end is fine), or None."""
        path = path.rstrip("/")
        if path in ("", "."):
            return self.root
        folder, _, name = path.rpartition("/")
        return (
            next((node for node in self.children(folder) if node.path == path), None)
            if name
            else None
        )

    def children(self, path: str = "") -> Iterator[Node]:
        """The direct children of a folder, sorted by name; none for a file or an unknown path."""
        prefix = f"{path}/" if path else ""
        for entry in self._folders.get(path, ()):
            name, kind, value = entry.split("\0")
            yield Node(prefix + name, kind, value)


def build(leaves: Mapping[str, str]) -> Tree:
    """The tree of `leaves` (source path to leaf digest); whatever their order, the same tree.

    A folder's digest covers name, kind and digest of each child. Neither paths nor digests may hold
    a NUL, which git's paths cannot.
    """
    folders: dict[str, list[str]] = {"": []}
    for path, leaf in leaves.items():
        folder, _, name = path.rpartition("/")
        entry = f"{name}\0{FILE}\0{leaf}"
        if folder in folders:
            folders[folder].append(entry)
        else:
            folders[folder] = [entry]
    for folder in list(folders):
        while (folder := folder.rpartition("/")[0]) not in folders:
            folders[folder] = []
    value = ""
    for folder in sorted(
        folders, reverse=True
    ):  # a folder sorts before what it holds, so children come first here
        folders[folder].sort()
        value = digest("\0".join(folders[folder]))
        if folder:
            parent, _, name = folder.rpartition("/")
            folders[parent].append(f"{name}\0{FOLDER}\0{value}")
    return Tree(Node("", FOLDER, value), folders)
