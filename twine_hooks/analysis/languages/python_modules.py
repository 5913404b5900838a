"""Where Python modules are: from the nearest source root of the importer, never a global path."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache

from twine_hooks.analysis.lang_base import Project, folder_of, join
from twine_hooks.analysis.module_names import Location

_SUFFIXES = (".py", ".pyi")
_SOURCE_FOLDERS = ("src", "lib", "python", "source")


class Modules:
    """The modules of one project."""

    binds_first_part = True
    exports_are_strict = False
    calls_make_instances = True

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths = project.paths
        self._folders = project.folders
        self._locate = lru_cache(maxsize=None)(self._locate_from)
        self.submodule = lru_cache(maxsize=None)(self._submodule)
        self._roots_above = lru_cache(maxsize=None)(self._roots_of_folder)

    def locate(self, path: str, module: str) -> Location | None:
        """The module that ``module`` names when ``path`` imports it."""
        return self._locate(folder_of(path), module)

    def _submodule(self, location: Location, name: str) -> Location | None:
        """``location.name`` where that is a module of a package."""
        folder = self._package_folder(location)
        return self._at(posixpath.join(folder, name)) if folder is not None else None

    def is_local(self, path: str, module: str) -> bool:
        """Whether the module looks like the project's own although it cannot be found."""
        if module.startswith("."):
            return True
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names:
            return False  # a folder of that name that has no such module says nothing
        return any(
            self._at(posixpath.join(root, top)) is not None
            for root in self._roots_above(folder_of(path))
        )

    def stands_for(self, location: Location) -> tuple[str, ...]:
        return (location,) if location in self._paths else ()

    def default_visible(self, name: str) -> bool:
        return not name.startswith("_")

    def _package_folder(self, location: Location) -> str | None:
        if location.endswith("/"):
            return location.rstrip("/")
        folder, _, file = location.rpartition("/")
        return folder if file in ("__init__.py", "__init__.pyi") else None

    def _at(self, base: str) -> Location | None:
        """The module at ``base`` (a path without suffix): package, file, stub, bare folder."""
        for suffix in _SUFFIXES:
            if f"{base}/__init__{suffix}" in self._paths:
                return f"{base}/__init__{suffix}"
        for suffix in _SUFFIXES:
            if base + suffix in self._paths:
                return base + suffix
        return base + "/" if base in self._folders else None

    def _locate_relative(self, folder: str, module: str) -> Location | None:
        rest = module.lstrip(".")
        base = join(folder, "/".join([".."] * (len(module) - len(rest) - 1)))
        if base is None:
            return None
        return self._at(posixpath.join(base, *rest.split("."))) if rest else self._at(base)

    def _locate_from(self, folder: str, module: str) -> Location | None:
        if module.startswith("."):
            return self._locate_relative(folder, module)
        return self._locate_absolute(folder, module)

    def _locate_absolute(self, folder: str, module: str) -> Location | None:
        relative = module.replace(".", "/")
        is_standard = module.partition(".")[0] in sys.stdlib_module_names
        bare = None
        for root in self._roots_above(folder):
            if is_standard and root != folder:
                break
            found = self._at(posixpath.join(root, relative))
            if found is not None and not found.endswith("/"):
                return found
            bare = bare or found
        return bare

    def _roots_of_folder(self, folder: str) -> tuple[str, ...]:
        """Source roots as seen from a folder, nearest first."""
        above = [folder]
        while above[-1]:
            above.append(folder_of(above[-1]))
        roots: list[str] = []
        for one in above:
            if not self._is_package(one):
                roots.append(one)
            roots += [
                inner
                for name in _SOURCE_FOLDERS
                if (inner := posixpath.join(one, name)) in self._folders
                and not self._is_package(inner)
            ]
        elsewhere = sorted(self._declared_roots, key=lambda root: (_distance(folder, root), root))
        return tuple(dict.fromkeys([*roots, *elsewhere]))

    def _is_package(self, folder: str) -> bool:
        names = (posixpath.join(folder, "__init__" + suffix) for suffix in _SUFFIXES)
        return any(name in self._paths for name in names)

    @cached_property
    def _declared_roots(self) -> tuple[str, ...]:
        """Folders that the repository calls source roots: settings, and beside each build file."""
        project = self._project
        roots = {join("", root) or "" for root in project.settings.source_roots}
        for path in project.paths:
            folder, _, file = path.rpartition("/")
            if file in ("pyproject.toml", "setup.py", "setup.cfg"):
                roots.add(folder)
                roots.update(posixpath.join(folder, name) for name in _SOURCE_FOLDERS)
                if file == "pyproject.toml":
                    roots.update(_pyproject_roots(project, path))
        return tuple(sorted(root for root in roots if root in project.folders))


def _pyproject_roots(project: Project, path: str) -> Iterator[str]:
    """The folders that setuptools, poetry, hatch, pdm or pytest settings name."""
    import tomllib  # 2 ms, which a project without a pyproject.toml need not wait for

    try:
        data = tomllib.loads((project.read(path) or b"").decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # not TOML, or a number that Python won't read
        return
    tool = data.get("tool")
    named: list[object] = [
        *_strings(tool, "setuptools", "packages", "find", "where"),
        *_strings(tool, "pytest", "ini_options", "pythonpath"),
        *_strings(tool, "pyright", "extraPaths"),
        *_strings(tool, "ruff", "src"),
    ]
    named.append(_value(tool, "setuptools", "package-dir", ""))
    packages = _value(tool, "poetry", "packages")
    named += [_value(one, "from") for one in packages] if isinstance(packages, list) else []
    for one in named:
        root = join(folder_of(path), one) if isinstance(one, str) else None
        if root is not None:
            yield root


def _strings(table: object, *keys: str) -> list[object]:
    value = _value(table, *keys)
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _value(table: object, *keys: str) -> object:
    """What stands at these keys, one below the other; None where nothing does."""
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _distance(folder: str, root: str) -> int:
    """How many steps lead from one folder to the other."""
    a, b = folder.split("/"), root.split("/")
    common = len(posixpath.commonpath([folder, root]).split("/")) if folder and root else 0
    return len(a) + len(b) - 2 * common
