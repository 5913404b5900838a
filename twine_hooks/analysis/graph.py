"""The dependencies of all files of one snapshot: links of each, components, who uses whom."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

from twine_hooks.analysis.all_languages import LANGUAGES, load
from twine_hooks.analysis.facts import Edge, Links
from twine_hooks.analysis.lang_base import EdgeLinker, Linker, Project

_NO_LINKS = Links()


class Graph:
    """Links by path; everything else is derived from them."""

    def __init__(self, links: Mapping[str, Links]) -> None:
        self.links = links

    def of(self, path: str) -> Links:
        return self.links.get(path, _NO_LINKS)

    def dependencies(self, path: str) -> tuple[str, ...]:
        """The other files that a file uses: by an import or by a symbol."""
        return dependencies_of(path, self.of(path))

    @cached_property
    def _dependents(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.links):
            for target in self.dependencies(path):
                found.setdefault(target, []).append(path)
        return found

    def dependents(self, path: str) -> tuple[str, ...]:
        """The other files that use a file."""
        return tuple(self._dependents.get(path, ()))

    def components(self) -> list[tuple[str, ...]]:
        """Strongly connected components, dependencies before dependents; sorted inside."""
        return components({path: self.dependencies(path) for path in self.links})


def dependencies_of(path: str, links: Links) -> tuple[str, ...]:
    """The other files that a file with these links uses, sorted."""
    targets = {edge.target for edge in links.edges} | {use.target for use in links.uses}
    return tuple(sorted(targets - {path}))


def link(project: Project, paths: Iterable[str] | None = None) -> dict[str, Links]:
    """Links of the given files (all files that have facts when None)."""
    linker = _linkers(project)
    with without_collection():
        return {
            path: linker(path).link(path)
            for path in sorted(project.facts if paths is None else paths)
        }


def edges(project: Project) -> dict[str, tuple[Edge, ...]]:
    """``Links.edges`` of all files that have facts, without their uses where those come apart."""
    linker = _linkers(project)
    found = {}
    with without_collection():
        for path in sorted(project.facts):
            one = linker(path)
            found[path] = one.edges(path) if isinstance(one, EdgeLinker) else one.link(path).edges
    return found


def modules(project: Project, paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """The modules that the imports of each file bind as a whole, in languages of modules."""
    linker = _linkers(project)
    found = {path: linker(path) for path in sorted(paths)}
    return {
        path: one.modules(path) if isinstance(one, EdgeLinker) else frozenset()
        for path, one in found.items()
    }


def _linkers(project: Project) -> Callable[[str], Linker]:
    """path -> the linker of its family, made when it is first asked for."""
    linkers: dict[str, Linker] = {}

    def linker_of(path: str) -> Linker:
        language = project.facts[path].language
        family = LANGUAGES[language].family
        if family not in linkers:
            linkers[family] = load(language).linker(project)
        return linkers[family]

    return linker_of


@contextmanager
def without_collection() -> Iterator[None]:
    """For what makes many values and no circles: to look for those takes a third of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def build(project: Project) -> Graph:
    """The whole graph, from facts alone."""
    return Graph(link(project))


def components(edges: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Tarjan's strongly connected components, without recursion.

    The order is a function of the edges alone: dependencies first, else by path.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: set[str] = set()
    stack: list[str] = []
    found: list[tuple[str, ...]] = []
    for root in sorted(edges):
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(edges.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            child = next((one for one in rest if one in edges), None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_pop_component(node, stack, on_stack))
            elif child not in index:
                index[child] = low[child] = len(index)
                stack.append(child)
                on_stack.add(child)
                work.append((child, iter(edges.get(child, ()))))
            elif child in on_stack:
                low[node] = min(low[node], index[child])
    return found


def _pop_component(node: str, stack: list[str], on_stack: set[str]) -> tuple[str, ...]:
    members = []
    while True:
        one = stack.pop()
        on_stack.discard(one)
        members.append(one)
        if one == node:
            return tuple(sorted(members))
