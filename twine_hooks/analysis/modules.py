"""Linking for languages of modules (Python, JavaScript, TypeScript): from imports and references to
edges and uses; knows no one language's search path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from twine_hooks.analysis.facts import (
    EVERYTHING,
    Definition,
    Edge,
    Facts,
    Import,
    Links,
    Unresolved,
    Use,
)
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.module_names import Location, ModuleSystem, Names, Target
from twine_hooks.analysis.module_values import Values

_CONFIDENCE = {"dynamic": 0.5}
#: Imports of what may well be missing: they are no fault.
_SILENT_KINDS = frozenset({"jsdoc"})


class ModuleLinker:
    """Links one file after the other; what it learns about exports it keeps for the next."""

    def __init__(
        self, project: Project, modules: ModuleSystem, self_names: frozenset[str] = frozenset()
    ) -> None:
        self._project = project
        self._modules = modules
        self._names = Names(project, modules)
        self._values = Values(self._names, modules, self_names)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved imports of one file."""
        facts = self._names.facts(path)
        uses = _Uses(path)
        self._add_imports(uses, path, facts)
        self._add_references(uses, path, facts)
        edges, unresolved = self._by_imports(path, facts)
        return Links(edges, uses.sorted(), unresolved)

    def edges(self, path: str) -> tuple[Edge, ...]:
        """The edges of one file alone, for which no name need be followed."""
        return self._by_imports(path, self._names.facts(path))[0]

    def modules(self, path: str) -> frozenset[Location]:
        """The modules that the imports of a file bind as a whole: what is below them, or comes to
        be there, can be reached by their names."""
        found: set[Location | None] = set()
        for one in self._names.facts(path).imports:
            if one.name == EVERYTHING:
                found.add(self._modules.locate(path, one.module))
            else:
                found.add(self._names.whole_module(path, one))
            if self._modules.binds_first_part and not one.name:
                found.add(self._modules.locate(path, one.module.partition(".")[0]))
        return frozenset(one for one in found if one is not None)

    def _by_imports(
        self, path: str, facts: Facts
    ) -> tuple[tuple[Edge, ...], tuple[Unresolved, ...]]:
        edges: dict[tuple[str, str], set[str]] = {}
        unresolved = set()
        for one in facts.imports:
            found = list(self._files_of(path, one))
            for target, name in found:
                if target != path:
                    kind = one.kind if target in self._project.facts else "asset"
                    edges.setdefault((target, kind), set()).add(name)
            local = one.kind not in _SILENT_KINDS and self._modules.is_local(path, one.module)
            if not found and local:
                unresolved.add(Unresolved(_import_text(one), one.line))
        listed = tuple(
            Edge(target, kind, _CONFIDENCE.get(kind, 1.0), tuple(sorted(names - {""})))
            for (target, kind), names in sorted(edges.items())
        )
        return listed, tuple(sorted(unresolved))

    def _files_of(self, path: str, one: Import) -> Iterator[tuple[str, str]]:
        """(file, name) for the file behind an import: the submodule, or the module itself."""
        location = self._modules.locate(path, one.module)
        if location is None:
            return
        if one.name not in ("", EVERYTHING):
            inner = self._modules.submodule(location, one.name)
            if inner is not None and not self._names.binds(location, one.name):
                yield from ((file, "") for file in self._modules.stands_for(inner))
                return
        yield from ((file, one.name) for file in self._modules.stands_for(location))

    def _add_imports(self, uses: _Uses, path: str, facts: Facts) -> None:
        """A name that is imported counts as used, and so does a module that is taken whole."""
        mentioned = {one.chain.partition(".")[0] for one in facts.references}
        for one in facts.imports:
            location = self._modules.locate(path, one.module)
            if location is None:
                continue
            is_passed_on = one.kind == "reexport"
            if one.name == EVERYTHING:
                kind = "reexport" if is_passed_on else "import"
                uses.add(Target(location, EVERYTHING), kind, (one.line,), "")
            elif is_passed_on or not one.alias or one.alias not in mentioned:
                # A name that nothing here mentions is there for others to import it.
                kind = "reexport" if is_passed_on or one.name else "import"
                for target in self._names.bound(path, one, set()) or (Target(location, ""),):
                    uses.add(_whole(target), kind, (one.line,), "")

    def _add_references(self, uses: _Uses, path: str, facts: Facts) -> None:
        known: dict[str, dict[Target, None]] = {}
        for reference in facts.references:
            scope = facts.definitions[reference.scope] if reference.scope >= 0 else None
            chain = reference.chain
            found = known.get(chain)
            if found is None:
                found = dict.fromkeys(self._values.resolve(path, chain, scope, 0))
                if not self._values.is_of_self(chain):
                    known[chain] = found
            for target in found:
                uses.add(_whole(target), reference.kind, reference.lines, _name(scope))


class _Uses:
    """Uses while they are gathered: one per symbol, kind and place of use."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[tuple[str, str, str, str], set[int]] = {}

    def add(self, target: Target, kind: str, lines: Iterable[int], scope: str) -> None:
        if target.location.endswith("/"):
            return
        if target.location == self._path and target.symbol in (EVERYTHING, ""):
            return
        key = (target.location, target.symbol, kind, scope)
        self._found.setdefault(key, set()).update(lines)

    def sorted(self) -> tuple[Use, ...]:
        return tuple(
            Use(target, symbol, kind, tuple(sorted(lines)), scope)
            for (target, symbol, kind, scope), lines in sorted(self._found.items())
        )


def _whole(target: Target) -> Target:
    return target if target.symbol else Target(target.location, EVERYTHING)


def _name(scope: Definition | None) -> str:
    return scope.qualified if scope else ""


def _import_text(one: Import) -> str:
    return f"{one.module}: {one.name}" if one.name else one.module
