"""The names of modules, followed through imports and re-exports to the file that defines them;
knows no one language's search path, and nothing of values.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol

from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts, Import
from twine_hooks.analysis.lang_base import Project, bound_names

#: A module: the path of its file, or that of a folder with a "/" behind it for a package without.
Location = str

#: The export that a module is as a whole, and the one that is meant when none is named.
_WHOLE, _DEFAULT = "=", "default"
#: Imports that do not bind a name of the module for others to import again.
_INNER_KINDS = frozenset({"lazy", "dynamic", "jsdoc"})
_NO_FACTS = Facts(language="")


class ModuleSystem(Protocol):
    """Where one language finds modules."""

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


class Names:
    """Finds what a name is; what it learns of one module it keeps for the next.

    ``top_level`` gives the definitions of a module by name, ``exported`` what a name of a module
    is, empty where that is unknown, ``roots`` what a name is that stands alone in a file.
    """

    def __init__(self, project: Project, modules: ModuleSystem) -> None:
        self._project = project
        self._modules = modules
        self._exports = lru_cache(maxsize=None)(self._read_exports)
        self._bindings = lru_cache(maxsize=None)(self._read_bindings)
        self._local_bindings = lru_cache(maxsize=None)(self._read_local_bindings)
        self.top_level = lru_cache(maxsize=None)(self._read_top_level)
        self.exported = lru_cache(maxsize=None)(self._read_exported)
        self.roots = lru_cache(maxsize=None)(self._read_roots)

    def facts(self, location: Location) -> Facts:
        """What a module says about itself; of a package without a file, nothing."""
        return self._project.facts.get(location, _NO_FACTS)

    def _read_roots(self, path: str, root: str) -> tuple[Target, ...]:
        """What a name is that stands alone in a file."""
        bound = self._local_bindings(path).get(root)
        if bound:
            return tuple(one for binding in bound for one in self._found(path, binding))
        if root in self.top_level(path):
            return (Target(path, root),)
        if self._modules.exports_are_strict:
            return ()  # there "export * from" gives names on without binding them here
        return self._through_stars(path, root, {(path, root)})

    def _found(self, path: str, one: Import) -> Iterable[Target]:
        """What an import binds; all of the module when the name cannot be pinned there."""
        found = self.bound(path, one, set())
        if not found:
            location = self._modules.locate(path, one.module)
            return (Target(location, EVERYTHING),) if location is not None else ()
        return found

    def bound(self, path: str, one: Import, seen: set[tuple[str, str]]) -> Iterable[Target]:
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

    def binds(self, location: Location, name: str) -> bool:
        """Whether the module itself has the name, not only a submodule of that name."""
        if name in self.top_level(location):
            return True
        return any(
            self._modules.submodule(location, name) != self.whole_module(location, one)
            for one in self._bindings(location).get(name, ())
        ) or bool(self._through_stars(location, name, {(location, name)}))

    def whole_module(self, location: Location, one: Import) -> Location | None:
        """The module that an import binds as a whole, None when it binds a name in one."""
        found = self._modules.locate(location, one.module)
        if found is None or not one.name:
            return found
        return self._modules.submodule(found, one.name)

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
                found += self.bound(location, one, seen)
        if not found and local in self.top_level(location):
            return (Target(location, local),)
        for one in self._bindings(location).get(local, ()) if not found else ():
            if one.kind != "reexport":
                found += self.bound(location, one, seen)
        found = found or list(self._through_stars(location, name, seen))
        if not found and name == _DEFAULT and self._modules.exports_are_strict:
            found = list(self._whole(location, seen))
        if not found:
            inner = self._modules.submodule(location, name)
            found = [Target(inner, "")] if inner is not None else []
        return tuple(dict.fromkeys(found))

    def _whole(self, location: Location, seen: set[tuple[str, str]]) -> tuple[Target, ...]:
        """The one thing that a module exports in place of itself, else the module."""
        exports = self.facts(location).exports or ()
        if any(outer == _WHOLE for outer, _ in exports):
            found = self._find_exported(location, _WHOLE, seen)
            if found:
                return found
        return (Target(location, ""),)

    def _through_stars(
        self, location: Location, name: str, seen: set[tuple[str, str]]
    ) -> tuple[Target, ...]:
        for one in self.facts(location).imports:
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
        exports = self.facts(location).exports
        if name == _DEFAULT and self._modules.exports_are_strict:
            return False
        if exports is None:
            return self._modules.default_visible(name)
        return any(outer == name for outer, _ in exports) or any(
            one.name == EVERYTHING and one.kind == "reexport"
            for one in self.facts(location).imports
        )

    def _local_name(self, location: Location, name: str) -> str:
        exports = self._exports(location)
        if exports is None:
            return name
        return exports.get(name, "" if self._modules.exports_are_strict else name)

    def _read_exports(self, location: Location) -> dict[str, str] | None:
        exports = self.facts(location).exports
        return None if exports is None else dict(exports)

    def _read_top_level(self, location: Location) -> dict[str, Definition]:
        return {one.name: one for one in self.facts(location).definitions if one.parent < 0}

    def _read_bindings(self, location: Location) -> dict[str, list[Import]]:
        imports = self.facts(location).imports
        return bound_names(one for one in imports if one.kind not in _INNER_KINDS)

    def _read_local_bindings(self, location: Location) -> dict[str, list[Import]]:
        """The names that imports bind in the file itself."""
        imports = self.facts(location).imports
        return bound_names(one for one in imports if one.kind != "reexport")
