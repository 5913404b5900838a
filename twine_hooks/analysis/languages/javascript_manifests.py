"""What package.json, tsconfig.json and the workspace files of a project say; knows no importer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from twine_hooks.analysis.lang_base import Project, folder_of, join

_COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])')
_YAML_ITEM = re.compile(r"""^\s*-\s*(["']?)([^"'#\n]+?)\1\s*(?:#.*)?$""")
_LOCAL_LINK = re.compile(r"(?:file|link|portal):(.+)")
_DEPENDENCIES = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
)


def parse_json(source: bytes | None) -> dict[str, Any]:
    """The object in a JSON text, comments and trailing commas allowed; {} for anything else."""
    if not source:
        return {}
    text = source.decode("utf-8-sig", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        text = _COMMENTS.sub(lambda one: one[0] if one[0][0] == '"' else " ", text)
        text = _TRAILING.sub(lambda one: one[0] if one[0][0] == '"' else "", text)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}


def table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def strings(value: object) -> list[str]:
    """The strings of a list, or the one string; nothing of anything else."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


class Compiler(NamedTuple):
    """What one tsconfig.json or jsconfig.json says about where modules are, "extends" followed."""

    folder: str
    base_url: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()  #: pattern, targets from ``paths_from``
    paths_from: str = ""
    root_dirs: tuple[str, ...] = ()
    out_dirs: tuple[str, ...] = ()
    root_dir: str | None = None
    references: tuple[str, ...] = ()


class Manifests:
    """The manifests of one project, each read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.package = lru_cache(maxsize=None)(self._package)
        self.package_folder = lru_cache(maxsize=None)(self._package_folder)
        self.compilers = lru_cache(maxsize=None)(self._compilers)
        self._workspace = lru_cache(maxsize=None)(self._members_of)
        self.package_named = lru_cache(maxsize=None)(self._package_named)

    def _package(self, folder: str) -> dict[str, Any]:
        """The package.json in a folder."""
        path = _inside(folder, "package.json")
        return parse_json(self._project.read(path)) if path in self._project.paths else {}

    def _package_folder(self, folder: str) -> str | None:
        """The nearest folder, from this one up, that has a package.json."""
        for one in upwards(folder):
            if _inside(one, "package.json") in self._project.paths:
                return one
        return None

    # --- packages of the project ----------------------------------------------------------------

    @cached_property
    def _package_folders(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                folder_of(path)
                for path in self._project.paths
                if path.rpartition("/")[2] == "package.json" and "node_modules/" not in path
            )
        )

    def _package_named(self, folder: str, name: str) -> str | None:
        """The folder of the project's own package of that name, as ``folder`` sees it."""
        own = self.package_folder(folder)
        if own is not None:
            linked = self._linked(own, name)
            if linked is not None:
                return linked
            if self.package(own).get("name") == name and "exports" in self.package(own):
                return own
        for root in upwards(folder):
            members = self._workspace(root)
            if name in members and not self._from_registry(own, name, root, members):
                return members[name]
        return None

    def _linked(self, own: str, name: str) -> str | None:
        """The folder that a dependency names itself: "file:../x"."""
        for kind in _DEPENDENCIES:
            found = _LOCAL_LINK.match(str(table(self.package(own).get(kind)).get(name, "")))
            target = join(own, found[1]) if found else None
            if target is not None and target in self._project.folders:
                return target
        return None

    def _from_registry(
        self, own: str | None, name: str, root: str, members: Mapping[str, str]
    ) -> bool:
        """Whether a package outside the workspace asks for the published one of that name."""
        if own is None or own == root or own in members.values():
            return False
        return any(name in table(self.package(own).get(kind)) for kind in _DEPENDENCIES)

    def _members_of(self, root: str) -> dict[str, str]:
        """Name -> folder of the packages of the workspace whose root is this folder."""
        patterns = list(self._workspace_patterns(root))
        if not patterns:
            return {}
        wanted = [_glob(one) for one in patterns if not one.startswith("!")]
        unwanted = [_glob(one[1:]) for one in patterns if one.startswith("!")]
        prefix = f"{root}/" if root else ""
        found: dict[str, str] = {}
        for folder in (root, *self._package_folders):
            name = self.package(folder).get("name")
            relative = folder.removeprefix(prefix)
            inside = folder == root or (
                folder.startswith(prefix)
                and any(one.fullmatch(relative) for one in wanted)
                and not any(one.fullmatch(relative) for one in unwanted)
            )
            if inside and isinstance(name, str):
                found.setdefault(name, folder)
        return found

    def _workspace_patterns(self, root: str) -> Iterator[str]:
        workspaces = self.package(root).get("workspaces")
        yield from strings(
            workspaces.get("packages") if isinstance(workspaces, dict) else workspaces
        )
        yield from _yaml_packages(self._read(root, "pnpm-workspace.yaml"))
        yield from strings(parse_json(self._read(root, "lerna.json")).get("packages"))
        projects = parse_json(self._read(root, "rush.json")).get("projects")
        for one in projects if isinstance(projects, list) else ():
            yield from strings(table(one).get("projectFolder"))

    def _read(self, folder: str, name: str) -> bytes | None:
        path = _inside(folder, name)
        return self._project.read(path) if path in self._project.paths else None

    # --- tsconfig and jsconfig ------------------------------------------------------------------

    def _compilers(self, folder: str) -> tuple[Compiler, ...]:
        """The configurations that may govern a folder: the nearest, and what it refers to."""
        for one in upwards(folder):
            paths = [
                path
                for name in ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
                if (path := _inside(one, name)) in self._project.paths
            ]
            if paths:
                return tuple(self._with_references(paths, folder))
        return ()

    def _with_references(self, paths: list[str], folder: str) -> Iterator[Compiler]:
        waiting, seen = list(paths), set(paths)
        while waiting:
            found = self.compiler(waiting.pop(0))
            yield found
            for one in found.references:
                inside = folder_of(one)
                if one not in seen and (not inside or f"{folder}/".startswith(f"{inside}/")):
                    seen.add(one)
                    waiting.append(one)

    def compiler(self, path: str) -> Compiler:
        """One configuration file with all that it extends."""
        chain = self._extended(path)
        folder = folder_of(path)
        found = Compiler(folder)
        for one, data in chain:
            found = _overridden(found, folder_of(one), table(data.get("compilerOptions")), folder)
        references = [
            target
            for one in _list(parse_json(self._project.read(path)).get("references"))
            for named in strings(table(one).get("path"))
            if (target := self._config_at(folder, named)) is not None
        ]
        return found._replace(references=tuple(references))

    def _extended(self, path: str) -> list[tuple[str, dict[str, Any]]]:
        """(path, content) of a configuration and all that it extends, the most general first."""
        found: list[tuple[str, dict[str, Any]]] = []
        waiting, seen = [path], set()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            data = parse_json(self._project.read(one))
            found.append((one, data))
            for named in strings(data.get("extends")):
                target = self._extends(folder_of(one), named)
                if target is not None:
                    waiting.append(target)
        return found[::-1]

    def _extends(self, folder: str, named: str) -> str | None:
        if named.startswith("."):
            return self._config_at(folder, named)
        if named.startswith("/"):
            return None
        name, rest = split_package(named)
        package = self.package_named(folder, name)
        if package is None:
            return None
        if not rest:
            rest = next(iter(strings(self.package(package).get("tsconfig"))), "tsconfig.json")
        exports = table(self.package(package).get("exports"))
        mapped = strings(exports.get(f"./{rest}")) or strings(exports.get(f"./{rest}.json"))
        return self._config_at(package, mapped[0] if mapped else rest)

    def _config_at(self, folder: str, named: str) -> str | None:
        base = join(folder, named)
        if base is None:
            return None
        for candidate in (base, f"{base}.json", _inside(base, "tsconfig.json")):
            if candidate in self._project.paths:
                return candidate
        return None


def _overridden(found: Compiler, folder: str, options: dict[str, Any], leaf: str) -> Compiler:
    """The configuration with the options of one that extends it, relative to ``folder``."""

    def at(value: str) -> str | None:
        if value.startswith("${configDir}"):
            return join(leaf, value.removeprefix("${configDir}").lstrip("/"))
        return join(folder, value)

    base = options.get("baseUrl")
    if isinstance(base, str):
        found = found._replace(base_url=at(base), paths_from=at(base) or "")
    if isinstance(options.get("paths"), dict):
        patterns = tuple(
            (pattern, tuple(one.replace("${configDir}", ".") for one in strings(targets)))
            for pattern, targets in options["paths"].items()
        )
        start = found.base_url if found.base_url is not None else folder
        found = found._replace(paths=patterns, paths_from=start)
    if isinstance(options.get("rootDirs"), list):
        roots = [at(one) for one in strings(options["rootDirs"])]
        found = found._replace(root_dirs=tuple(one for one in roots if one is not None))
    if isinstance(options.get("rootDir"), str):
        found = found._replace(root_dir=at(options["rootDir"]))
    outs = [
        target
        for key in ("outDir", "declarationDir")
        for one in strings(options.get(key))
        if (target := at(one)) is not None
    ]
    return found._replace(out_dirs=tuple(outs)) if outs else found


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _inside(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def upwards(folder: str) -> Iterator[str]:
    """The folder and all above it, "" (the root) last."""
    while folder:
        yield folder
        folder = folder_of(folder)
    yield ""


def split_package(module: str) -> tuple[str, str]:
    """("@scope/name", "rest") of "@scope/name/rest"."""
    parts = module.split("/")
    length = 2 if module.startswith("@") else 1
    return "/".join(parts[:length]), "/".join(parts[length:])


def _glob(pattern: str) -> re.Pattern[str]:
    """A workspace pattern as an expression: "*" within one folder name, "**" over any number."""
    *parts, last = pattern.strip().removeprefix("./").rstrip("/").split("/")
    head = "".join("(?:[^/]+/)*" if one == "**" else _glob_part(one) + "/" for one in parts)
    return re.compile(head + (".+" if last == "**" else _glob_part(last)))


def _glob_part(part: str) -> str:
    return re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")


def _yaml_packages(source: bytes | None) -> Iterator[str]:
    """The entries of ``packages:`` in a pnpm-workspace.yaml."""
    inside = False
    for line in (source or b"").decode("utf-8", "replace").splitlines():
        if line[:1] not in (" ", "\t", "-", "#", ""):
            inside = line.startswith("packages:")
            for found in re.finditer(r"""["']([^"']+)["']""", line) if inside else ():
                yield found[1]
        elif inside:
            item = _YAML_ITEM.match(line)
            if item:
                yield item[2]
