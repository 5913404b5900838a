"""How much the symbols and files of one snapshot matter to the rest of it; prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from twine_hooks.ranking import Ranks, katz, pagerank
from twine_hooks.symbol_graph import FILE, Node, SymbolGraph
from twine_hooks.symbol_queries import STRUCTURE

METHODS: dict[str, Callable[..., Ranks]] = {"katz": katz, "pagerank": pagerank}
#: How much a use says: a call or a base more than a name in passing.
_WEIGHTS = {"calls": 1.0, "inherits_from": 1.0, "references": 0.5, "imports": 0.25}
_PRIVATE = 0.1  #: of the score of what is marked as nobody else's business


class Ranked(NamedTuple):
    """A symbol or a file and its score, damped where its name is private."""

    node: Node
    score: float


def ranked(
    graph: SymbolGraph, method: str, level: str, focus: frozenset[str] = frozenset()
) -> tuple[list[Ranked], bool]:
    """Symbols or files (``level``), the most important first, and whether the sum converged.

    Edges count by their confidence, and by nothing that their ends are called. With PageRank
    ``focus`` are the files to which they are to matter; none for all.
    """
    merged: dict[tuple[int, int], float] = {}
    place = _files(graph) if level == "file" else list(range(len(graph.nodes)))
    for source, target, weight in _weighted(graph):
        pair = (place[source], place[target])
        if pair[0] != pair[1]:
            merged[pair] = max(weight, merged.get(pair, 0.0))
    # Files are there on the level of symbols, too: they use what stands outside of functions.
    kept = [n for n, node in enumerate(graph.nodes) if node.kind == FILE or level != "file"]
    number = {node: index for index, node in enumerate(kept)}
    edges = [
        (number[source], number[target], weight)
        for (source, target), weight in sorted(merged.items())
        if source in number and target in number
    ]
    options = {"start": [float(graph.nodes[one].path in focus) for one in kept]} if focus else {}
    ranks = METHODS[method](len(kept), edges, **options)
    found = [
        Ranked(graph.nodes[one], score * (_PRIVATE if _is_private(graph.nodes[one]) else 1.0))
        for one, score in zip(kept, ranks.scores, strict=True)
        if (graph.nodes[one].kind == FILE) == (level == "file")
    ]
    ordered = sorted(found, key=lambda one: (-round(one.score, 12), str(one.node)))
    return ordered, ranks.converged


def _weighted(graph: SymbolGraph) -> Iterator[tuple[int, int, float]]:
    for edge in graph.edges:
        if edge.kind not in STRUCTURE:
            yield edge.source, edge.target, _WEIGHTS[edge.kind] * edge.confidence


def _files(graph: SymbolGraph) -> list[int]:
    return [graph.ids[node.path, ""] for node in graph.nodes]


def _is_private(node: Node) -> bool:
    name = node.name
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
