"""Questions to a symbol graph: by which name, who uses whom, over which way; prints nothing."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.graph import components
from twine_hooks.errors import CodetwineError
from twine_hooks.symbol_graph import FILE, Node, SymbolEdge, SymbolGraph
from twine_hooks.symbol_names import is_named, is_whole, places

STRUCTURE = frozenset({"defines", "has_method"})  #: edges that are no use of anything
_NAME = re.compile(r"[\w$]+")
_SHOWN = 20  #: candidates named in a message
_ENTRY_POINTS = frozenset({"main", "setup", "teardown", "default"})


class Use(NamedTuple):
    """A neighbour in the graph and the edge to it."""

    node: Node
    edge: SymbolEdge


class Reached(NamedTuple):
    """A node that a change may touch: the steps to it and the way there, the start first."""

    node: Node
    steps: int
    way: tuple[Node, ...]


class Unused(NamedTuple):
    """A definition nobody refers to, and what makes that uncertain."""

    node: Node
    doubts: tuple[str, ...]


def find(graph: SymbolGraph, name: str) -> int:
    """The number of the one node of a name: short, qualified, ``path::name`` or a path.

    Raises CodetwineError with the candidates for one that is ambiguous, and for an unknown one.
    """
    found = candidates(graph, name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise CodetwineError(f"no symbol or source is named {name}; check the spelling")
    listed = ", ".join(str(graph.nodes[one]) for one in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    raise CodetwineError(f"{name} may be {listed}{more}; name one of them")


def candidates(graph: SymbolGraph, name: str) -> list[int]:
    """The numbers of all nodes of a name; a whole qualified name goes before an end of one."""
    for path, inside in places(name):
        if (path, inside) in graph.ids:
            return [graph.ids[path, inside]]
        if (path, "") in graph.ids:
            nodes = [n for n, one in enumerate(graph.nodes) if one.path == path]
            return _named(graph, nodes, inside)
    if (name, "") in graph.ids:
        return [graph.ids[name, ""]]
    return _named(graph, range(len(graph.nodes)), name)


def _named(graph: SymbolGraph, numbers: Iterable[int], name: str) -> list[int]:
    found = [one for one in numbers if is_named(graph.nodes[one].qualified, name)]
    return [one for one in found if is_whole(graph.nodes[one].qualified, name)] or found


def with_members(graph: SymbolGraph, number: int) -> list[int]:
    """A node and all that is defined in it, at any depth."""
    found = [number]
    for one in found:
        edges = graph.outgoing.get(one, ())
        found += [edge.target for edge in edges if edge.kind in STRUCTURE]
    return found


def uses(graph: SymbolGraph, number: int) -> list[Use]:
    """What a node uses."""
    edges = graph.outgoing.get(number, ())
    return _sorted(Use(graph.nodes[one.target], one) for one in edges if one.kind not in STRUCTURE)


def users(graph: SymbolGraph, number: int) -> list[Use]:
    """Who uses a node."""
    edges = graph.incoming.get(number, ())
    return _sorted(Use(graph.nodes[one.source], one) for one in edges if one.kind not in STRUCTURE)


def _sorted(found: Iterable[Use]) -> list[Use]:
    return sorted(found, key=lambda one: (one.node.path, one.node.start_line, one.edge.kind))


def nowhere(graph: SymbolGraph, name: str) -> int:
    """How many references of this short name could not be resolved."""
    return sum(last_name(one.text) == name for found in graph.unresolved.values() for one in found)


def last_name(text: str) -> str:
    """The last name of what could not be resolved: ".rel: area" and "rel.area" ask for area."""
    names = _NAME.findall(text)
    return names[-1] if names else text


def shortest_ways(graph: SymbolGraph, start: int, end: int, most: int) -> list[tuple[int, ...]]:
    """All shortest ways over uses from one node to another, at most so many; sorted."""
    before: dict[int, list[int]] = {start: []}
    level = [start]
    while level and end not in before:
        found: dict[int, list[int]] = {}
        for one in level:
            for target in _targets(graph, one):
                if target not in before:
                    found.setdefault(target, []).append(one)
        before.update(found)
        level = sorted(found)
    if end not in before:
        return []
    ways: list[tuple[int, ...]] = []
    open_ways: list[tuple[int, ...]] = [(end,)]
    while open_ways and len(ways) < most:
        way = open_ways.pop()
        if way[0] == start:
            ways.append(way)
        open_ways += [(one, *way) for one in sorted(before[way[0]], reverse=True)]
    return sorted(ways)


def simple_ways(
    graph: SymbolGraph, start: int, end: int, longest: int, most: int
) -> list[tuple[int, ...]]:
    """Ways that meet no node twice, of at most so many steps, the shortest first."""
    steps_left = _distances(graph, end, longest)
    targets = cache(partial(_targets, graph))

    def going_on(way: tuple[int, ...], steps: int) -> Iterator[tuple[int, ...]]:
        if way[-1] == end:
            yield from [way] if steps == 0 else []
            return
        for target in targets(way[-1]) if steps else ():
            if target not in way and steps_left.get(target, steps) < steps:
                yield from going_on((*way, target), steps - 1)

    # Length by length: all beginnings at once may be more than there is memory for.
    found = (way for steps in range(longest + 1) for way in going_on((start,), steps))
    return list(islice(found, most))


def _distances(graph: SymbolGraph, end: int, longest: int) -> dict[int, int]:
    """By node the steps from it to ``end``, as far as there are no more than so many."""
    found = {end: 0}
    queue = deque([end])
    while queue:
        one = queue.popleft()
        if found[one] == longest:
            continue
        for edge in graph.incoming.get(one, ()):
            if edge.kind not in STRUCTURE and edge.source not in found:
                found[edge.source] = found[one] + 1
                queue.append(edge.source)
    return found


def _targets(graph: SymbolGraph, number: int) -> list[int]:
    edges = graph.outgoing.get(number, ())
    return sorted({edge.target for edge in edges if edge.kind not in STRUCTURE})


def impact(graph: SymbolGraph, number: int) -> list[Reached]:
    """All that a change of a node may touch, the nearest first.

    The node counts with what is defined in it. Whoever imports a file may be touched by any change
    of it; a member that is touched touches the users of what it belongs to only by its own name.
    """
    starts = with_members(graph, number)
    before: dict[int, int | None] = dict.fromkeys(starts)
    steps = dict.fromkeys(starts, 0)
    queue = deque(starts)
    while queue:
        one = queue.popleft()
        sources = {e.source for e in graph.incoming.get(one, ()) if e.kind not in STRUCTURE}
        for source in sorted(sources):
            if source not in before:
                before[source] = one
                steps[source] = steps[one] + 1
                queue.append(source)
    found = [
        Reached(graph.nodes[one], steps[one], tuple(_way(graph, one, before)))
        for one in before
        if steps[one]
    ]
    return sorted(found, key=lambda one: (one.steps, one.node.path, one.node.start_line))


def _way(graph: SymbolGraph, number: int, before: Mapping[int, int | None]) -> list[Node]:
    way = []
    one: int | None = number
    while one is not None:
        way.append(graph.nodes[one])
        one = before[one]
    return way[::-1]


def cycles(graph: SymbolGraph) -> list[list[Node]]:
    """The groups of symbols that use each other in a circle, the largest first."""
    targets = {
        str(n).zfill(9): [str(t).zfill(9) for t in _targets(graph, n)] for n in graph.outgoing
    }
    groups = [group for group in components(targets) if len(group) > 1]
    found = [[graph.nodes[int(one)] for one in group] for group in groups]
    return sorted(found, key=lambda group: (-len(group), str(group[0])))


def unused(graph: SymbolGraph, facts: Mapping[str, Facts]) -> list[Unused]:
    """The definitions that nothing outside of them refers to; those without doubts first."""
    nowhere_names = {last_name(one.text) for found in graph.unresolved.values() for one in found}
    found = []
    for number, node in enumerate(graph.nodes):
        if node.kind != FILE and not _is_used(graph, number):
            found.append(Unused(node, tuple(_doubts(graph, number, facts, nowhere_names))))
    return sorted(found, key=lambda one: (len(one.doubts), one.node.path, one.node.start_line))


def _is_used(graph: SymbolGraph, number: int) -> bool:
    inside = set(with_members(graph, number))
    return any(
        edge.kind not in STRUCTURE and edge.source not in inside
        for one in inside
        for edge in graph.incoming.get(one, ())
    )


def _doubts(
    graph: SymbolGraph, number: int, facts: Mapping[str, Facts], nowhere_names: set[str]
) -> Iterator[str]:
    node = graph.nodes[number]
    definition = next(
        one for one in facts[node.path].definitions if one.qualified == node.qualified
    )
    if definition.public:
        yield "it is public: others may use it"
    if node.name.startswith("__") and node.name.endswith("__"):
        yield "its name has a meaning to the language"
    if definition.decorators:
        yield "it has a decorator, which may register it"
    if node.name in nowhere_names:
        yield "a reference of this name could not be resolved"
    if node.name.lower() in _ENTRY_POINTS or node.name.lower().startswith("test"):
        yield "its name is that of an entry point"
    if definition.parent >= 0:
        parent = facts[node.path].definitions[definition.parent]
        if parent.bases:
            yield f"{parent.qualified} has bases, which may call it"
    used = facts[node.path].exports
    if used is not None and any(local == node.qualified for _, local in used):
        yield "its file exports it"


def file_cycles(dependencies: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """The groups of files that use each other in a circle, the largest first."""
    groups = [group for group in components(dependencies) if len(group) > 1]
    return sorted(groups, key=lambda group: (-len(group), group))
