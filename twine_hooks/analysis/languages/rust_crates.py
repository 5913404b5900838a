"""Where Rust finds crates and the files of their modules: Cargo.toml, ``mod``; no names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.lang_base import Project, folder_of, join

_MANIFEST = "Cargo.toml"
_TARGETS = {"bin": "src/bin", "example": "examples", "test": "tests", "bench": "benches"}
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_NEW = "2018"  #: the edition from which on paths of ``use`` begin in the module
_MOST_MODULES = 100_000


class Module(NamedTuple):
    """A module of a crate: the file of the crate's root, and its path, "" for the root."""

    crate: str
    path: str

    def child(self, name: str) -> Module:
        return Module(self.crate, f"{self.path}::{name}" if self.path else name)

    def parent(self) -> Module:
        return Module(self.crate, self.path.rpartition("::")[0])


class Place(NamedTuple):
    """Where a module's text is: a file, and the inline module in it, "" for the file itself."""

    file: str
    scope: str


class _Package(NamedTuple):
    folder: str
    data: Mapping[str, Any]

    def table(self, name: str) -> Mapping[str, Any]:
        found = self.data.get(name)
        return found if isinstance(found, dict) else {}


class Crates:
    """The crates of a project with their trees of modules."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.tree = lru_cache(maxsize=None)(self._read_tree)
        self._externs = lru_cache(maxsize=None)(self._read_externs)

    # --- manifests --------------------------------------------------------------------------------

    @cached_property
    def _packages(self) -> dict[str, _Package]:
        """Folder -> what its Cargo.toml says."""
        found = {}
        for path in sorted(self._project.paths):
            if path == _MANIFEST or path.endswith(f"/{_MANIFEST}"):
                text = (self._project.read(path) or b"").decode("utf-8", "replace")
                try:
                    found[folder_of(path)] = _Package(folder_of(path), tomllib.loads(text))
                except (ValueError, RecursionError):
                    continue
        return found

    def _package_of(self, path: str) -> _Package | None:
        folder = folder_of(path)
        while True:
            package = self._packages.get(folder)
            if package is not None and package.table("package"):
                return package
            if not folder:
                return None
            folder = folder_of(folder)

    @cached_property
    def _by_name(self) -> dict[str, list[_Package]]:
        found: dict[str, list[_Package]] = {}
        for package in self._packages.values():
            name = package.table("package").get("name")
            if isinstance(name, str):
                found.setdefault(name, []).append(package)
        return found

    def _library(self, package: _Package) -> str | None:
        path = package.table("lib").get("path")
        found = join(package.folder, path if isinstance(path, str) else "src/lib.rs")
        return found if found in self._project.facts else None

    def _library_name(self, package: _Package) -> str:
        name = package.table("lib").get("name") or package.table("package").get("name")
        return name.replace("-", "_") if isinstance(name, str) else ""

    def _read_externs(self, folder: str) -> dict[str, str]:
        """The names of other crates in a package -> their roots."""
        package = self._packages[folder]
        found: dict[str, str] = {}
        tables = [package.table(name) for name in _DEPENDENCIES]
        for target in package.table("target").values():
            if isinstance(target, dict):
                tables += [
                    one for name in _DEPENDENCIES if isinstance(one := target.get(name), dict)
                ]
        for name, wanted in ((name, one) for table in tables for name, one in table.items()):
            root = self._dependency(package, name, wanted if isinstance(wanted, dict) else {})
            if root is not None:
                other, path = root
                is_renamed = isinstance(wanted, dict) and "package" in wanted
                found[name.replace("-", "_") if is_renamed else self._library_name(other)] = path
        own = self._library(package)
        if own is not None:
            found[self._library_name(package)] = own
        return found

    def _dependency(
        self, package: _Package, name: str, wanted: Mapping[str, Any]
    ) -> tuple[_Package, str] | None:
        """The package that a dependency means and the root of its library."""
        folder = package.folder
        if wanted.get("workspace") is True:
            workspace = self._workspace(package)
            listed = workspace.table("workspace").get("dependencies") if workspace else None
            one = listed.get(name) if isinstance(listed, dict) else None
            wanted = one if isinstance(one, dict) else {}
            folder = workspace.folder if workspace else folder
        path = wanted.get("path")
        if isinstance(path, str):
            other = self._packages.get(join(folder, path) or "")
        else:
            called = wanted.get("package", name)
            same = self._by_name.get(called, []) if isinstance(called, str) else []
            other = same[0] if len(same) == 1 else None
        root = self._library(other) if other is not None else None
        return (other, root) if other is not None and root is not None else None

    def _workspace(self, package: _Package) -> _Package | None:
        folder = package.folder
        while True:
            found = self._packages.get(folder)
            if found is not None and "workspace" in found.data:
                return found
            if not folder:
                return None
            folder = folder_of(folder)

    # --- crates -----------------------------------------------------------------------------------

    def extern(self, crate: str, name: str) -> Module | None:
        """The root of another crate by its name in a crate."""
        package = self._package_of(crate)
        root = self._externs(package.folder).get(name) if package is not None else None
        return Module(root, "") if root is not None else None

    def begins_in_root(self, crate: str) -> bool:
        """Whether paths of ``use`` begin in the crate's root, as they did until 2018."""
        package = self._package_of(crate)
        edition = package.table("package").get("edition") if package is not None else _NEW
        if isinstance(edition, dict) and package is not None:
            workspace = self._workspace(package)
            shared = workspace.table("workspace").get("package") if workspace else None
            edition = shared.get("edition") if isinstance(shared, dict) else None
        return not isinstance(edition, str) or edition < _NEW

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The root files of all crates."""
        found: dict[str, None] = {}
        for package in self._packages.values():
            if package.table("package"):
                found |= dict.fromkeys(self._roots_of(package))
        return tuple(path for path in sorted(found) if path in self._project.facts)

    def _roots_of(self, package: _Package) -> Iterator[str]:
        folder = package.folder
        library = self._library(package)
        if library is not None:
            yield library
        build = package.table("package").get("build", "build.rs")
        for path in ("src/main.rs", build if isinstance(build, str) else "build.rs"):
            yield join(folder, path) or ""
        for kind, where in _TARGETS.items():
            yield from self._found_in(join(folder, where) or "")
            targets = package.data.get(kind)
            for target in targets if isinstance(targets, list) else ():
                written = target.get("path") if isinstance(target, dict) else None
                if isinstance(written, str):
                    yield join(folder, written) or ""

    def _found_in(self, folder: str) -> Iterator[str]:
        """The files and the folders with a main.rs that are crates of their own."""
        depth = folder.count("/") + 1
        for path in self._project.facts:
            if path.startswith(f"{folder}/") and path.endswith(".rs"):
                inner = path.count("/") - depth
                if inner == 0 or (inner == 1 and path.endswith("/main.rs")):
                    yield path

    def _read_tree(self, crate: str) -> dict[str, list[Place]]:
        """The modules of a crate by their paths; several places where cfg chooses."""
        found: dict[str, list[Place]] = {"": [Place(crate, "")]}
        waiting = [("", Place(crate, ""), folder_of(crate))]
        while waiting and len(found) < _MOST_MODULES:
            module, place, folder = waiting.pop()
            for name, child, inside in self._children(place, folder):
                path = f"{module}::{name}" if module else name
                places = found.setdefault(path, [])
                if child not in places and path.count("::") < 100:
                    places.append(child)
                    waiting.append((path, child, inside))
        return found

    def _children(self, place: Place, folder: str) -> Iterator[tuple[str, Place, str]]:
        """(name, place, folder of its own children) of the modules in a module."""
        facts = self._project.facts.get(place.file)
        if facts is None:
            return
        for one in facts.definitions:
            if one.kind == "module":
                scope, _, name = one.qualified.rpartition("::")
                if scope == place.scope:
                    yield name, Place(place.file, one.qualified), f"{folder}/{name}".lstrip("/")
        for key, value in facts.extra:
            if key.startswith("mod "):
                scope, _, name = key[4:].rpartition("::")
                if scope == place.scope:
                    yield from self._file(place, name, value, folder)

    def _file(
        self, place: Place, name: str, written: str, folder: str
    ) -> Iterator[tuple[str, Place, str]]:
        if written:
            base = folder_of(place.file) if not place.scope else folder
            chosen = join(base, written)
            if chosen is not None and chosen in self._project.facts:
                yield name, Place(chosen, ""), folder_of(chosen)
            return
        for path, inside in ((f"{name}.rs", name), (f"{name}/mod.rs", name)):
            full = join(folder, path)
            if full is not None and full in self._project.facts:
                yield name, Place(full, ""), join(folder, inside) or ""
                return

    # --- modules of files -------------------------------------------------------------------------

    @cached_property
    def _modules(self) -> dict[str, list[Module]]:
        """File -> the modules that it is, in one crate or several."""
        found: dict[str, list[Module]] = {}
        for root in self.roots:
            self._add(root, found)
        for path in sorted(self._project.facts):
            if path not in found and self._project.facts[path].language == "rust":
                self._add(path, found)
        return found

    def _add(self, root: str, found: dict[str, list[Module]]) -> None:
        for module, places in self.tree(root).items():
            for place in places:
                if not place.scope:
                    found.setdefault(place.file, []).append(Module(root, module))

    def modules(self, path: str) -> list[Module]:
        """The modules that a file is; of a file in no crate, the root of one of its own."""
        return self._modules.get(path, [])

    def places(self, module: Module) -> list[Place]:
        return self.tree(module.crate).get(module.path, [])

    def facts(self, path: str) -> Facts:
        return self._project.facts[path]
