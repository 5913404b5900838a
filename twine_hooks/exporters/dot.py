"""The file graph in Graphviz' language DOT, a cluster per folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from twine_hooks.file_graph import FileGraph


def lines(graph: FileGraph) -> Iterator[str]:
    """The text line by line; node ids are paths."""
    yield f"digraph {_quoted(graph.project)} {{"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    in_order = sorted(graph.files, key=lambda path: (_folder(path), path))
    for number, (folder, paths) in enumerate(groupby(in_order, key=_folder)):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_quoted(folder or '.')};"
        for path in paths:
            yield f"    {_quoted(path)} [label={_quoted(path.rpartition('/')[2])}];"
        yield "  }"
    for edge in graph.edges:
        style = "" if edge.confidence >= 1 else " [style=dashed]"
        yield f"  {_quoted(edge.source)} -> {_quoted(edge.target)}{style};"
    yield "}"


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else _escape(char) for char in escaped) + '"'


def _escape(char: str) -> str:
    return "".join(f"\\\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
