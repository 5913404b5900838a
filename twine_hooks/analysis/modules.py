"""Linking for languages of modules (Python, JavaScript, TypeScript): names bound by imports,
followed through re-exports to the file that defines them; knows no one language's search path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

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
from twine_hooks.analysis.lang_base import Project, bound_names

#: A module: the path of its file, or that of a folder with a "/" behind it for a package without.
Location = str

_CONFIDENCE = {"dynamic": 0.5}
#: The export that a module is as a whole, and the one that is meant when none is named.
_WHOLE, _DEFAULT = "=", "default"
_VALUE_KINDS = frozenset({"constant", "variable"})
#: What of a list gives or returns one of its elements, as written in a chain.
ELEMENT = (
    r"(?:@\[\]|\.(?:forEach|map|filter|find|findLast|findIndex|some|every|flatMap)@0/0"
    r"|\.(?:find|findLast|pop|shift|at)@)"
)
#: Before a chain whose root is not written there, but is the type of what is.
OF_TYPE = "~"
_ROOT = re.compile(r"[.@]")
_OF_MANY = re.compile(ELEMENT)
#: An element of many, an entry of a mapping or a list.
_ELEMENTS = re.compile(r"@\[:?\]\Z")
_MOST_STEPS = 6  #: types that are gone through from one name
_NO_FACTS = Facts(language="")
#: Imports that do not bind a name of the module for others to import again.
_INNER_KINDS = frozenset({"lazy", "dynamic", "jsdoc"})
#: Imports of what may well be missing: they are no fault.
_SILENT_KINDS = frozenset({"jsdoc"})


class ModuleSystem(Protocol):
    """Where one language finds modules."""

    separator: str

    def locate(self, path: str, module: str) -> Location | None: ...

    def submodule(self, location: Location, name: str) -> Location | None: ...

    def is_local(self, path: str, module: str) -> bool: ...

    def stands_for(self, location: Location) -> tuple[str, ...]: ...

    def default_visible(self, name: str) -> bool: ...

    #: whether ``import a.b`` binds ``a``
    binds_first_part: bool
    #: whether nothing but what a module exports can be imported from it
    exports_are_strict: bool
    #: whether calling a class gives an object of it
    calls_make_instances: bool


class Target(NamedTuple):
    """A module (``symbol`` "") or a definition in the file at ``location``."""

    location: Location
    symbol: str


class ModuleLinker:
    """Links one file after the other; what it learns about exports it keeps for the next."""

    def __init__(
        self, project: Project, modules: ModuleSystem, self_names: frozenset[str] = frozenset()
    ) -> None:
        self._project = project
        self._modules = modules
        self._self_names = self_names
        self._exports = lru_cache(maxsize=None)(self._read_exports)
        self._top_level = lru_cache(maxsize=None)(self._read_top_level)
        self._members = lru_cache(maxsize=None)(self._read_members)
        self._bindings = lru_cache(maxsize=None)(self._read_bindings)
        self._local_bindings = lru_cache(maxsize=None)(self._read_local_bindings)
        self._types = lru_cache(maxsize=None)(self._read_types)
        self._bases = lru_cache(maxsize=None)(self._read_bases)
        self._member = lru_cache(maxsize=None)(self._find_member)
        self._types_of = lru_cache(maxsize=None)(self._find_types)
        self._roots = lru_cache(maxsize=None)(self._find_roots)
        self.exported = lru_cache(maxsize=None)(self._read_exported)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved imports of one file."""
        facts = self._project.facts.get(path, _NO_FACTS)
        uses = _Uses(path)
        self._add_imports(uses, path, facts)
        self._add_references(uses, path, facts)
        edges, unresolved = self._by_imports(path, facts)
        return Links(edges, uses.sorted(), unresolved)

    def edges(self, path: str) -> tuple[Edge, ...]:
        """The edges of one file alone, for which no name need be followed."""
        return self._by_imports(path, self._project.facts.get(path, _NO_FACTS))[0]

    def modules(self, path: str) -> frozenset[Location]:
        """The modules that the imports of a file bind as a whole: what is below them, or comes to
        be there, can be reached by their names."""
        found: set[Location | None] = set()
        for one in self._facts(path).imports:
            if one.name == EVERYTHING:
                found.add(self._modules.locate(path, one.module))
            else:
                found.add(self._whole_module(path, one))
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

    # --- files that an import names -------------------------------------------------------------

    def _files_of(self, path: str, one: Import) -> Iterator[tuple[str, str]]:
        """(file, name) for the file behind an import: the submodule, or the module itself."""
        location = self._modules.locate(path, one.module)
        if location is None:
            return
        if one.name not in ("", EVERYTHING):
            inner = self._modules.submodule(location, one.name)
            if inner is not None and not self._binds(location, one.name):
                yield from ((file, "") for file in self._modules.stands_for(inner))
                return
        yield from ((file, one.name) for file in self._modules.stands_for(location))

    def _binds(self, location: Location, name: str) -> bool:
        """Whether the module itself has the name, not only a submodule of that name."""
        if name in self._top_level(location):
            return True
        return any(
            self._modules.submodule(location, name) != self._whole_module(location, one)
            for one in self._bindings(location).get(name, ())
        ) or bool(self._through_stars(location, name, {(location, name)}))

    def _whole_module(self, location: Location, one: Import) -> Location | None:
        """The module that an import binds as a whole, None when it binds a name in one."""
        found = self._modules.locate(location, one.module)
        if found is None or not one.name:
            return found
        return self._modules.submodule(found, one.name)

    # --- names ------------------------------------------------------------------------------------

    def _read_exported(self, location: Location, name: str) -> tuple[Target, ...]:
        """What ``name`` of a module is: followed to the defining file; empty when unknown."""
        return self._find_exported(location, name, set())

    def _find_exported(
        self, location: Location, name: str, seen: set[tuple[str, str]]
    ) -> tuple[Target, ...]:
        """``seen`` are the names already followed, each once: imports may go in circles."""
        if (location, name) in seen:
            return ()
        seen.add((location, name))
        local = self._local_name(location, name)
        found: list[Target] = []
        for one in self._bindings(location).get(name, ()):
            if one.kind == "reexport":
                found += self._bound(location, one, seen)
        if not found and local in self._top_level(location):
            return (Target(location, local),)
        for one in self._bindings(location).get(local, ()) if not found else ():
            if one.kind != "reexport":
                found += self._bound(location, one, seen)
        found = found or list(self._through_stars(location, name, seen))
        if not found and name == _DEFAULT and self._modules.exports_are_strict:
            found = list(self._whole(location, seen))
        if not found:
            inner = self._modules.submodule(location, name)
            found = [Target(inner, "")] if inner is not None else []
        return tuple(dict.fromkeys(found))

    def _bound(self, path: str, one: Import, seen: set[tuple[str, str]]) -> Iterable[Target]:
        """What the name is that an import binds."""
        location = self._modules.locate(path, one.module)
        if location is None:
            return ()
        if one.name:
            return self._find_exported(location, one.name, seen)
        first = one.module.partition(".")[0] if self._modules.binds_first_part else one.module
        if one.alias == first and one.alias != one.module:
            top = self._modules.locate(path, one.alias)
            return (Target(top, ""),) if top is not None else ()
        return self._whole(location, seen)

    def _whole(self, location: Location, seen: set[tuple[str, str]]) -> tuple[Target, ...]:
        """The one thing that a module exports in place of itself, else the module."""
        exports = self._facts(location).exports or ()
        if any(outer == _WHOLE for outer, _ in exports):
            found = self._find_exported(location, _WHOLE, seen)
            if found:
                return found
        return (Target(location, ""),)

    def _through_stars(
        self, location: Location, name: str, seen: set[tuple[str, str]]
    ) -> tuple[Target, ...]:
        for one in self._facts(location).imports:
            if one.name == EVERYTHING and one.kind not in _INNER_KINDS:
                source = self._modules.locate(location, one.module)
                if source is not None and self._star_gives(source, name):
                    found = [
                        target
                        for target in self._find_exported(source, name, seen)
                        if target.symbol or self._bindings(source).get(name)
                    ]
                    if found:
                        return tuple(found)
        return ()

    def _star_gives(self, location: Location, name: str) -> bool:
        exports = self._facts(location).exports
        if name == _DEFAULT and self._modules.exports_are_strict:
            return False
        if exports is None:
            return self._modules.default_visible(name)
        return any(outer == name for outer, _ in exports) or any(
            one.name == EVERYTHING and one.kind == "reexport"
            for one in self._facts(location).imports
        )

    def _local_name(self, location: Location, name: str) -> str:
        exports = self._exports(location)
        if exports is None:
            return name
        return exports.get(name, "" if self._modules.exports_are_strict else name)

    def _facts(self, location: Location) -> Facts:
        return self._project.facts.get(location, _NO_FACTS)

    def _read_exports(self, location: Location) -> dict[str, str] | None:
        exports = self._facts(location).exports
        return None if exports is None else dict(exports)

    def _read_top_level(self, location: Location) -> dict[str, Definition]:
        return {one.name: one for one in self._facts(location).definitions if one.parent < 0}

    def _read_members(self, location: Location) -> dict[str, Definition]:
        return {one.qualified: one for one in self._facts(location).definitions}

    def _read_bindings(self, location: Location) -> dict[str, list[Import]]:
        imports = self._facts(location).imports
        return bound_names(one for one in imports if one.kind not in _INNER_KINDS)

    def _read_local_bindings(self, location: Location) -> dict[str, list[Import]]:
        """The names that imports bind in the file itself."""
        imports = self._facts(location).imports
        return bound_names(one for one in imports if one.kind != "reexport")

    # --- uses -------------------------------------------------------------------------------------

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
                for target in self._bound(path, one, set()) or (Target(location, ""),):
                    uses.add(_whole(target), kind, (one.line,), "")

    def _add_references(self, uses: _Uses, path: str, facts: Facts) -> None:
        known: dict[str, dict[Target, None]] = {}
        for reference in facts.references:
            scope = facts.definitions[reference.scope] if reference.scope >= 0 else None
            chain = reference.chain
            found = known.get(chain)
            if found is None:
                found = dict.fromkeys(self._resolve(path, chain, scope, 0))
                if _ROOT.split(chain, maxsplit=1)[0] not in self._self_names:
                    known[chain] = found
            for target in found:
                uses.add(_whole(target), reference.kind, reference.lines, _name(scope))

    def _resolve(
        self, path: str, chain: str, scope: Definition | None, steps: int
    ) -> Iterator[Target]:
        """What a chain written in a file leads to. ``steps`` counts the types gone through."""
        first, *rest = chain.split(".")
        root, at, how = first.removeprefix(OF_TYPE).partition("@")
        if root in self._self_names:
            roots = self._own_class(path, self._facts(path), scope)
            if root == "super":
                roots = [base for one in roots for base in self._bases(one)]
            if not rest:
                return
        else:
            roots = list(self._roots(path, root))
        if at:
            roots = [found for one in roots for found in self._types_of(one, how, steps, at)]
        for one in roots:
            if root in self._self_names and not at:
                yield from self._walk_member(one, rest, steps, missing=False)
            else:
                if rest and one.symbol and not at and not steps and first[:1] != OF_TYPE:
                    yield one
                yield from self._walk(one, rest, steps)

    def _find_roots(self, path: str, root: str) -> tuple[Target, ...]:
        """What a name is that stands alone in a file."""
        bound = self._local_bindings(path).get(root)
        if bound:
            return tuple(one for binding in bound for one in self._found(path, binding))
        if root in self._top_level(path):
            return (Target(path, root),)
        if self._modules.exports_are_strict:
            return ()  # there "export * from" gives names on without binding them here
        return self._through_stars(path, root, {(path, root)})

    def _found(self, path: str, one: Import) -> Iterable[Target]:
        """What an import binds; all of the module when the name cannot be pinned there."""
        found = self._bound(path, one, set())
        if not found:
            location = self._modules.locate(path, one.module)
            return (Target(location, EVERYTHING),) if location is not None else ()
        return found

    def _walk(self, target: Target, rest: Sequence[str], steps: int = 0) -> Iterator[Target]:
        """Follow a dotted name from its root as far as it leads."""
        if not rest:
            yield target
        elif not target.symbol:
            name, at, how = rest[0].partition("@")
            found = self.exported(target.location, name)
            if not found:
                yield Target(target.location, EVERYTHING)
            for one in found:
                yield from self._walk_on(one, at, how, rest, steps)
        else:
            yield from self._walk_member(target, rest, steps, missing=True)

    def _walk_on(
        self, found: Target, at: str, how: str, rest: Sequence[str], steps: int
    ) -> Iterator[Target]:
        if not at:
            if len(rest) > 1 and found.symbol:
                yield found
            yield from self._walk(found, rest[1:], steps)
            return
        for one in self._types_of(found, how, steps, at):
            yield from self._walk(one, rest[1:], steps + 1)

    def _walk_member(
        self, owner: Target, rest: Sequence[str], steps: int, missing: bool
    ) -> Iterator[Target]:
        """A member of a class or, by its type, of a value; the owner itself when ``missing``."""
        name, at, how = rest[0].partition("@")
        members: list[Target] = []
        for one in self._types_of(owner, "", steps):
            inner = self._member(one, name) if one.symbol else self.exported(one.location, name)
            members += inner
        members = members or list(self._member(owner, name))
        if not steps and (self._is_value(owner) or (missing and not members)):
            yield owner
        if not members and _OF_MANY.fullmatch("." + rest[0]):
            for one in self._types_of(owner, "[]", steps, "@"):
                yield from self._walk(one, rest[1:], steps + 1)
        for one in members:
            yield from self._walk_on(one, at, how, rest, steps)

    def _find_types(self, target: Target, how: str, steps: int, at: str = "") -> tuple[Target, ...]:
        """What has the members of a value (of what a function returns or gives away, for "@")."""
        if steps >= _MOST_STEPS or not target.symbol:
            return ()
        written = at + how
        if written.endswith("@with"):
            return tuple(self._entered(target, written.removesuffix("@with"), steps))
        if written == "@" and self._modules.calls_make_instances and self._is_class(target):
            return (target,)
        element = _ELEMENTS.search(written)
        key = target.symbol + (written[: element.start()] if element else written)
        chains = self._types(target.location).get(key, ())
        if element:
            chains = [rest for one in chains if (rest := _without_mark(one, element[0]))]
        found = [
            one
            for chain in chains
            for one in self._resolve(target.location, chain, None, steps + 1)
            if one != target and one.symbol != EVERYTHING
        ]
        return tuple(dict.fromkeys(found))

    def _entered(self, target: Target, written: str, steps: int) -> Sequence[Target]:
        """What ``with target as name`` binds; ``written`` is what is done to the target before."""
        found: list[Target] = []
        managers = self._types_of(target, written.removeprefix("@"), steps, written[:1])
        for one in managers or (() if written else (target,)):
            entered = [
                given
                for enter in ("__enter__", "__aenter__")
                for member in self._member(one, enter)
                for given in self._types_of(member, "", steps, "@")
            ]
            found += entered or [one]
        return found or self._types_of(target, written.removeprefix("@") + "@[]", steps, "@")

    def _is_class(self, one: Target) -> bool:
        definition = self._members(one.location).get(one.symbol)
        return definition is not None and definition.kind == "class"

    def _is_value(self, one: Target) -> bool:
        definition = self._members(one.location).get(one.symbol)
        return definition is not None and definition.kind in _VALUE_KINDS

    def _read_types(self, location: Location) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, chain in self._facts(location).extra:
            if key.startswith("type "):
                found.setdefault(key.removeprefix("type "), []).append(chain)
        return found

    def _find_member(self, owner: Target, name: str) -> tuple[Target, ...]:
        """A member of a class, its own or inherited."""
        waiting, seen = [owner], {owner}
        while waiting:
            one = waiting.pop(0)
            qualified = f"{one.symbol}{self._modules.separator}{name}"
            if qualified in self._members(one.location):
                return (Target(one.location, qualified),)
            fresh = [base for base in self._bases(one) if base not in seen]
            seen.update(fresh)
            waiting += fresh
        return ()

    def _read_bases(self, one: Target) -> tuple[Target, ...]:
        definition = self._members(one.location).get(one.symbol)
        found: list[Target] = []
        for base in definition.bases if definition else ():
            root, *rest = re.split(r"[\[<(]", base, maxsplit=1)[0].strip().split(".")
            for start in self._roots(one.location, root):
                found += self._walk(start, rest)
        return tuple(base for base in dict.fromkeys(found) if base.symbol)

    def _own_class(self, path: str, facts: Facts, scope: Definition | None) -> list[Target]:
        """The class in whose method a definition stands."""
        while scope is not None and scope.parent >= 0:
            scope = facts.definitions[scope.parent]
            if scope.kind not in ("method", "function"):
                return [Target(path, scope.qualified)]
        return []


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


def _without_mark(chain: str, taken: str) -> str:
    """ "Foo" for "[]Foo", of which an element is taken, and for "[:]Foo", of which an entry is."""
    if chain.startswith("[]"):
        return chain[2:]
    return chain[3:] if chain.startswith("[:]") and taken == "@[:]" else ""


def _whole(target: Target) -> Target:
    return target if target.symbol else Target(target.location, EVERYTHING)


def _name(scope: Definition | None) -> str:
    return scope.qualified if scope else ""


def _import_text(one: Import) -> str:
    return f"{one.module}: {one.name}" if one.name else one.module
