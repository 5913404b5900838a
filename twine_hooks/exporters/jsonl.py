"""The file graph as JSON lines: one edge a line, then the files that no edge touches."""

from __future__ import annotations

import json
from collections.abc import Iterator

from twine_hooks.file_graph import FileGraph


def lines(graph: FileGraph) -> Iterator[str]:
    """One line per edge; a file without any has a line of its own."""
    for edge in graph.edges:
        value = {
            "from": edge.source,
            "to": edge.target,
            "kinds": edge.kinds,
            "symbols": edge.symbols,
            "confidence": edge.confidence,
        }
        yield json.dumps(value, ensure_ascii=False)
    touched = {path for edge in graph.edges for path in (edge.source, edge.target)}
    for path in graph.files:
        if path not in touched:
            yield json.dumps({"file": path}, ensure_ascii=False)
