"""dbt projects: which file a model, a source or a macro is named by; knows no SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Project, folder_of, join
from twine_hooks.analysis.languages.sql_words import words

_KEY = re.compile(r"^(\s*)(?:- +)?([\w-]+):[ \t]*(.*)$")
_NAME = re.compile(r"^(\s*)(-\s+)?(\w[\w+.-]*)\s*:\s*(.*?)\s*$")
_MODEL_SUFFIXES = (".sql", ".py", ".csv")
_VERSION = re.compile(r"_v\w+$")
#: Folders whose files nothing refers to.
_APART = words("analyses analysis tests macros target dbt_packages dbt_modules")
_MANIFEST = "dbt_project.yml"
#: Calls in templates that dbt itself answers.
_BUILT_IN = words(
    "config var env_var return run_query log set range zip fromjson tojson statement caller"
    " dispatch doc is_incremental exceptions modules print namespace this load_result"
)


class Projects:
    """The dbt projects of a repository; a folder without a manifest belongs to the root's."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        """Folders of projects, inner ones first."""
        found = {folder_of(path) for path in self._project.paths if _is_manifest(path)}
        return tuple(sorted(found or {""}, key=lambda root: (-root.count("/") - bool(root), root)))

    def root_of(self, path: str) -> str:
        return next((one for one in self._roots if _is_under(path, one)), "")

    @cached_property
    def _names(self) -> dict[str, str]:
        """Name of a project -> its folder."""
        found: dict[str, str] = {}
        for root in self._roots:
            data = self._project.read(join(root, _MANIFEST) or _MANIFEST) or b""
            name = re.search(r"^name:\s*['\"]?([\w-]+)", data.decode("utf-8", "replace"), re.M)
            if name:
                found.setdefault(name[1], root)
        return found

    # --- models -----------------------------------------------------------------------------------

    @cached_property
    def _models(self) -> dict[str, dict[str, list[str]]]:
        """Folder of a project -> name of a model, seed or snapshot -> files."""
        found: dict[str, dict[str, list[str]]] = {}
        for path in sorted(self._project.paths):
            if not path.endswith(_MODEL_SUFFIXES):
                continue
            root = self.root_of(path)
            parts = path[len(root) :].strip("/").split("/")
            if _APART.isdisjoint(parts[:-1]):
                stem = parts[-1].rpartition(".")[0]
                if path.endswith(".py") and "models" not in parts[:-1]:
                    continue
                found.setdefault(root, {}).setdefault(stem, []).append(path)
        for path, name in self._blocks("snapshot"):
            files = found.setdefault(self.root_of(path), {}).setdefault(name, [])
            if path not in files:
                files.insert(0, path)
        return found

    def _blocks(self, *kinds: str) -> Iterator[tuple[str, str]]:
        """(path, name) of the macros, tests or snapshots that SQL files define."""
        facts = self._project.facts
        for path in sorted(self._project.paths):
            if path.endswith(".sql") and path in facts:
                for one in facts[path].definitions:
                    if one.kind in kinds and one.parent < 0:
                        yield path, one.name

    def model(self, path: str, one: Import) -> list[str]:
        """The files that a ``ref`` means: one, none, or several when it is ambiguous."""
        for root in self._roots_for(path, one.name):
            models = self._models.get(root, {})
            found = models.get(one.module) or models.get(_VERSION.sub("", one.module))
            if found:
                return _preferred(found)
        return []

    def _roots_for(self, path: str, package: str) -> Iterable[str]:
        if package and package in self._names:
            return (self._names[package],)
        own = self.root_of(path)
        return (own, *(one for one in self._roots if one != own))

    # --- sources ----------------------------------------------------------------------------------

    @cached_property
    def _sources(self) -> dict[str, dict[tuple[str, str], list[str]]]:
        found: dict[str, dict[tuple[str, str], list[str]]] = {}
        for path in sorted(self._project.paths):
            if path.endswith((".yml", ".yaml")) and not _is_manifest(path):
                data = self._project.read(path) or b""
                if b"sources:" in data:
                    tables = found.setdefault(self.root_of(path), {})
                    for key in source_tables(data.decode("utf-8", "replace")):
                        tables.setdefault(key, []).append(path)
        return found

    def source(self, path: str, one: Import) -> list[str]:
        """The property files that declare a source's table."""
        own = self.root_of(path)
        for root in (own, *(other for other in self._roots if other != own)):
            found = self._sources.get(root, {}).get((one.module, one.name))
            if found:
                return found[:1]
        return []

    # --- macros -----------------------------------------------------------------------------------

    @cached_property
    def _macros(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, name in self._blocks("macro"):
            if path not in found.setdefault(name, []):
                found[name].append(path)
        return found

    def macro(self, path: str, one: Import) -> list[tuple[str, str]]:
        """(file, name) of the macros that a call means, for dispatch of all that answer it."""
        if one.name and one.name not in self._names:
            return []
        if not one.name and one.module in _BUILT_IN:
            return []
        names = [one.module]
        if one.kind == "dispatch":
            names = sorted(name for name in self._macros if name.endswith("__" + one.module))
        found = []
        for name in names:
            files = self._macros.get(name, [])
            for root in self._roots_for(path, one.name):
                inside = [file for file in files if self.root_of(file) == root]
                if inside:
                    found.append((path if path in inside else inside[0], name))
                    break
        return found


def source_tables(text: str) -> Iterator[tuple[str, str]]:
    """(source, table) for each table under ``sources:`` of a property file."""
    inside = in_tables = False
    source, source_indent, table_indent, tables_at = "", -1, -1, -1
    for line in text.split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0 and not line.startswith("-"):
            inside, in_tables = line.startswith("sources:"), False
            source_indent = table_indent = -1
            continue
        key = _NAME.match(line) if inside else None
        if key is None:
            continue
        is_item = bool(key[2])
        if is_item and (source_indent < 0 or indent <= source_indent):
            source_indent, in_tables, table_indent, source = indent, False, -1, ""
        inner = indent + len(key[2] or "")
        if not in_tables:
            if key[3] == "name" and inner == source_indent + 2:
                source = key[4].strip("'\"")
            elif key[3] == "tables":
                in_tables, tables_at, table_indent = True, inner, -1
        elif indent <= tables_at and not is_item:
            in_tables = False
            if key[3] == "name" and inner == source_indent + 2:
                source = key[4].strip("'\"")
        else:
            if is_item and table_indent < 0:
                table_indent = inner
            if key[3] == "name" and inner == table_indent:
                yield source, key[4].strip("'\"")


def _preferred(files: list[str]) -> list[str]:
    """A model before a file of the same stem that is none."""
    models = [one for one in files if "models" in one.split("/")[:-1] and not one.endswith(".csv")]
    return models or files


def _is_manifest(path: str) -> bool:
    return path == _MANIFEST or path.endswith("/" + _MANIFEST)


def _is_under(path: str, root: str) -> bool:
    return not root or path.startswith(root + "/")
