"""The dependencies between the files of one snapshot as plain edges, for diagrams; draws none."""

from __future__ import annotations

from typing import NamedTuple

from twine_hooks.view import View


class FileEdge(NamedTuple):
    """``source`` uses ``target``: by imports of these kinds, of these symbols there; sorted.

    ``confidence`` is that of the most certain import, 1.0 where there is none.
    """

    source: str
    target: str
    kinds: tuple[str, ...]
    symbols: tuple[str, ...]
    confidence: float


class FileGraph(NamedTuple):
    """A project's sources and their edges, sorted."""

    project: str
    files: tuple[str, ...]
    edges: tuple[FileEdge, ...]


def file_graph(view: View, bare: bool = False) -> FileGraph:
    """The file graph of a view: the sources, and what other files they use.

    A ``bare`` one does not say by what, which is known sooner.
    """
    edges_of = _bare_edges_of if bare else _edges_of
    edges = [edge for path in view.sources for edge in edges_of(view, path)]
    files = {*view.sources, *(edge.target for edge in edges)}
    return FileGraph(view.name, tuple(sorted(files)), tuple(edges))


def _bare_edges_of(view: View, path: str) -> list[FileEdge]:
    return [FileEdge(path, target, (), (), 1.0) for target in view.dependencies[path]]


def _edges_of(view: View, path: str) -> list[FileEdge]:
    kinds: dict[str, set[str]] = {}
    confidence: dict[str, float] = {}
    for edge in view.links[path].edges:
        kinds.setdefault(edge.target, set()).add(edge.kind)
        confidence[edge.target] = max(edge.confidence, confidence.get(edge.target, 0.0))
    symbols: dict[str, list[str]] = {}
    for one in view.used(path):
        symbols.setdefault(one.file, []).append(one.name)
    return [
        FileEdge(
            path,
            target,
            tuple(sorted(kinds.get(target, ()))),
            tuple(symbols.get(target, ())),
            confidence.get(target, 1.0),
        )
        for target in view.dependencies[path]
    ]
