"""Symbols and files of one snapshot as nodes, their connections as edges; asks no questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from twine_hooks.analysis.facts import Facts, Links, Unresolved, Use
from twine_hooks.symbol_names import owner_name, short_name
from twine_hooks.view import View

FILE = "file"
_KINDS = {
    "call": "calls",
    "base": "inherits_from",
    "import": "imports",
    "reexport": "imports",
}
_CALLABLE = frozenset({"function", "method", "constructor", "destructor", "operator"})
_TYPES = frozenset(
    (
        *("annotation", "class", "enum", "interface", "object"),
        *("record", "struct", "trait", "type", "union"),
    )
)
_LAST_NAME = re.compile(r"[\w$]+")


class Node(NamedTuple):
    """A file (``qualified`` is "") or a symbol. Symbols of one name in one file are one node."""

    path: str
    qualified: str
    kind: str
    start_line: int
    end_line: int
    public: bool

    @property
    def name(self) -> str:
        """The short name: the last one of the qualified name; of a file the file's."""
        return short_name(self.qualified) if self.qualified else self.path.rpartition("/")[2]

    def __str__(self) -> str:
        return f"{self.path}::{self.qualified}" if self.qualified else self.path


class SymbolEdge(NamedTuple):
    """``kind``: defines, has_method, calls, imports, inherits_from, references.

    ``confidence``: 1.0 certain … 0.0 guessed. ``lines`` are those of the source.
    """

    source: int
    target: int
    kind: str
    confidence: float
    lines: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SymbolGraph:
    """Nodes by number, edges sorted, and what could not be resolved, by file."""

    nodes: Sequence[Node]
    edges: Sequence[SymbolEdge]
    unresolved: Mapping[str, tuple[Unresolved, ...]]

    @cached_property
    def ids(self) -> Mapping[tuple[str, str], int]:
        """(path, qualified name) -> number of the node."""
        return {(one.path, one.qualified): number for number, one in enumerate(self.nodes)}

    @cached_property
    def outgoing(self) -> Mapping[int, Sequence[SymbolEdge]]:
        found: dict[int, list[SymbolEdge]] = {}
        for edge in self.edges:
            found.setdefault(edge.source, []).append(edge)
        return found

    @cached_property
    def incoming(self) -> Mapping[int, Sequence[SymbolEdge]]:
        found: dict[int, list[SymbolEdge]] = {}
        for edge in self.edges:
            found.setdefault(edge.target, []).append(edge)
        return found


def make_symbol_graph(view: View) -> SymbolGraph:
    """The symbol graph of a view."""
    nodes: list[Node] = []
    ids: dict[tuple[str, str], int] = {}
    for path in view.sources:
        for one in nodes_of(path, view.facts[path]):
            ids[path, one.qualified] = len(nodes)
            nodes.append(one)
    # Nodes are numbered file by file, hence the edges are sorted as a whole.
    edges = [
        edge
        for path in view.sources
        for edge in edges_of(path, view.facts[path], view.links[path], ids)
    ]
    unresolved = {p: view.links[p].unresolved for p in view.sources if view.links[p].unresolved}
    return SymbolGraph(nodes, edges, unresolved)


def nodes_of(path: str, facts: Facts) -> Iterator[Node]:
    """The nodes of one source: itself, then its symbols sorted by name."""
    yield Node(path, "", FILE, 1, facts.lines, True)
    seen: dict[str, Node] = {}
    for one in facts.definitions:
        if one.qualified not in seen:
            seen[one.qualified] = Node(
                path, one.qualified, one.kind, one.start_line, one.end_line, one.public
            )
    yield from (seen[name] for name in sorted(seen))


def edges_of(
    path: str, facts: Facts, links: Links, ids: Mapping[tuple[str, str], int]
) -> list[SymbolEdge]:
    """The edges from one source and its symbols, sorted. ``ids`` are as in ``SymbolGraph.ids``."""
    found = [*_structure(path, facts, ids), *_uses(path, facts, links, ids)]
    return sorted([*found, *_imports(path, links, ids)])


def _structure(path: str, facts: Facts, ids: Mapping[tuple[str, str], int]) -> Iterator[SymbolEdge]:
    known = set()
    types = {one.qualified for one in facts.definitions if one.kind in _TYPES}
    for one in facts.definitions:
        # Methods may stand outside of their type: in Go, Rust and C++.
        owner = owner_name(one.qualified)
        if owner not in types:
            owner = facts.definitions[one.parent].qualified if one.parent >= 0 else ""
        source, target = ids[path, owner], ids[path, one.qualified]
        is_method = owner in types and one.kind in _CALLABLE
        edge = (source, target, "has_method" if is_method else "defines")
        if edge not in known and source != target:
            known.add(edge)
            yield SymbolEdge(*edge, 1.0, (one.start_line,))


def _uses(
    path: str, facts: Facts, links: Links, ids: Mapping[tuple[str, str], int]
) -> Iterator[SymbolEdge]:
    confidence: dict[str, float] = {}
    for edge in links.edges:
        confidence[edge.target] = max(edge.confidence, confidence.get(edge.target, 0.0))
    bases = _base_names(facts)
    lines: dict[tuple[int, int, str, float], set[int]] = {}
    for use in links.uses:
        source = ids.get((path, use.scope), ids[path, ""])
        target = ids.get((use.target, use.symbol), ids.get((use.target, "")))
        if target is None:
            continue
        kind = _kind(use, bases)
        if kind == "calls" and (use.target, use.symbol) not in ids:
            kind = "references"  # of the file as a whole, since nobody knows what of it is called
        key = (source, target, kind, confidence.get(use.target, 1.0))
        lines.setdefault(key, set()).update(use.lines)
    for key, found in lines.items():
        yield SymbolEdge(*key, tuple(sorted(found)))


def _kind(use: Use, bases: Mapping[str, frozenset[str]]) -> str:
    """What a use is in the graph. A class that names another as its base inherits from it."""
    if use.kind == "base" and use.scope not in bases:
        return "references"  # of what stands in a module: Rust's `impl Trait for …`
    if use.kind in ("read", "type") and short_name(use.symbol) in bases.get(use.scope, ()):
        return "inherits_from"
    return _KINDS.get(use.kind, "references")


def _base_names(facts: Facts) -> dict[str, frozenset[str]]:
    """By type the short names of its bases as their own files have them."""
    original = {one.alias: one.name for one in facts.imports if one.alias and one.name}
    found: dict[str, frozenset[str]] = {}
    for one in facts.definitions:
        if one.kind in _TYPES:
            names = (_base_name(text, original) for text in one.bases)
            found[one.qualified] = found.get(one.qualified, frozenset()).union(names)
    return found


def _base_name(text: str, original: Mapping[str, str]) -> str:
    head = re.split(r"[<\[({]", text, maxsplit=1)[0]
    names = _LAST_NAME.findall(head)
    return original.get(names[-1], names[-1]) if names else ""


def _imports(path: str, links: Links, ids: Mapping[tuple[str, str], int]) -> Iterator[SymbolEdge]:
    best: dict[int, float] = {}
    for edge in links.edges:
        target = ids.get((edge.target, ""))
        if target is not None and edge.target != path:
            best[target] = max(edge.confidence, best.get(target, 0.0))
    for target, confidence in best.items():
        yield SymbolEdge(ids[path, ""], target, "imports", confidence, ())
