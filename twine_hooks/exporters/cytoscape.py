"""The file graph as Cytoscape.js reads it: `{"elements": {"nodes": […], "edges": […]}}`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from twine_hooks.file_graph import FileGraph


def lines(graph: FileGraph) -> Iterator[str]:
    """The text line by line, an element each."""
    nodes = [
        {"data": {"id": path, "label": path.rpartition("/")[2], "folder": path.rpartition("/")[0]}}
        for path in graph.files
    ]
    edges = [
        {
            "data": {
                "id": f"e{number}",
                "source": edge.source,
                "target": edge.target,
                "kinds": edge.kinds,
                "symbols": edge.symbols,
                "confidence": edge.confidence,
            }
        }
        for number, edge in enumerate(graph.edges)
    ]
    yield f'{{"data": {{"name": {json.dumps(graph.project, ensure_ascii=False)}}},'
    yield '"elements": {"nodes": ['
    yield from _listed(nodes)
    yield '], "edges": ['
    yield from _listed(edges)
    yield "]}}"


def _listed(values: Sequence[object]) -> Iterator[str]:
    for number, value in enumerate(values):
        comma = "" if number == len(values) - 1 else ","
        yield json.dumps(value, ensure_ascii=False) + comma
