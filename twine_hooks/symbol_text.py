"""Symbols and their uses as lines for people and as values for JSON; asks nothing of a graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twine_hooks.presentation import as_json
from twine_hooks.symbol_graph import Node
from twine_hooks.symbol_queries import Use


def node_value(node: Node) -> dict[str, Any]:
    """One symbol or file for JSON."""
    return {
        "path": node.path,
        "name": node.qualified,
        "kind": node.kind,
        "start_line": node.start_line,
        "end_line": node.end_line,
    }


def as_values(found: Iterable[Use]) -> str:
    """Uses as JSON: the other node, the kind of the edge, its lines and its confidence."""
    values = [
        {
            **node_value(one.node),
            "edge": one.edge.kind,
            "lines": one.edge.lines,
            "confidence": one.edge.confidence,
        }
        for one in found
    ]
    return as_json(values)


def use_line(one: Use, path: str) -> str:
    """One use: the kind, the other node, and the lines of ``path`` where it stands."""
    lines = ",".join(map(str, one.edge.lines))
    place = f"  at {path}:{lines}" if lines else ""
    doubt = "" if one.edge.confidence >= 1 else f"  ({one.edge.confidence:.2f} certain)"
    return f"{one.edge.kind:<13} {one.node}{place}{doubt}"
