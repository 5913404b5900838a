"""Which project of MSBuild a C# source belongs to and which others it sees; knows no names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Project, folder_of, join

_ELEMENT = re.compile(
    r"<(ProjectReference|Compile|Import|Using|ImplicitUsings)\b([^>]*)(?:>([^<]*))?"
)
_ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*["']([^"']*)["']""")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HERE = re.compile(r"\$\((?:MSBuildThisFileDirectory|MSBuildProjectDirectory|ProjectDir)\)[\\/]?")
_SHARED = ("Directory.Build.props", "Directory.Build.targets")
#: What ``ImplicitUsings`` of the SDK adds.
_IMPLICIT = (
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http",
    "System.Threading", "System.Threading.Tasks",
)  # fmt: skip
_DEEPEST = 8  #: imports of project files inside one another


class _Said(NamedTuple):
    """What the project files of one folder say; paths from the root of the repository."""

    references: frozenset[str]  #: folders of other projects
    compiled: tuple[str, ...]  #: patterns of files outside of the folder
    usings: tuple[Import, ...]


class Projects:
    """The projects of a repository: a folder with a .csproj each."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._files: dict[str, list[str]] = {}
        for path in sorted(project.paths):
            if path.endswith((".csproj", ".projitems", ".shproj")):
                self._files.setdefault(folder_of(path), []).append(path)
        self._of_path: dict[str, str | None] = {}
        self._seen: dict[str, frozenset[str]] = {}
        self._said = {folder: self._read(folder) for folder in self._files}

    def of(self, path: str) -> str | None:
        """The folder of the project of a path, None where none is around it."""
        folder = folder_of(path)
        if folder not in self._of_path:
            found: str | None = folder
            while found is not None and found not in self._files:
                found = folder_of(found) if found else None
            self._of_path[folder] = found
        return self._of_path[folder]

    def distance(self, path: str, target: str) -> int | None:
        """0 in the same project, 1 in one that it references, 2 outside of all; None if unseen."""
        own, other = self.of(path), self.of(target)
        if own is None or own == other:
            return 0
        if other is not None and other in self._visible(own):
            return 1
        if any(_matches(one, target) for one in self._said[own].compiled):
            return 1
        return 2 if other is None else None

    def usings(self, path: str) -> tuple[Import, ...]:
        """The usings that the project files add to each source."""
        own = self.of(path)
        return self._said[own].usings if own is not None else ()

    def _visible(self, own: str) -> frozenset[str]:
        """The projects that one references, and those that these do."""
        if own not in self._seen:
            waiting, seen = [own], {own}
            while waiting:
                said = self._said.get(waiting.pop())
                for folder in sorted(said.references - seen) if said else ():
                    seen.add(folder)
                    waiting.append(folder)
            self._seen[own] = frozenset(seen)
        return self._seen[own]

    def _read(self, folder: str) -> _Said:
        references: set[str] = set()
        compiled: list[str] = []
        usings: list[Import] = []
        for path, tag, given, text in self._elements(folder):
            included = _path(path, given.get("Include", ""))
            if tag == "ProjectReference":
                references.update(self._referenced(path, given.get("Include", "")))
            elif tag == "Compile" and included is not None:
                compiled.append(included)
            elif tag == "Import" and (shared := _path(path, given.get("Project", ""))):
                if shared.endswith(".projitems"):
                    references.add(folder_of(shared))
            elif tag == "Using" and given.get("Include"):
                usings.append(_using(given))
            elif tag == "ImplicitUsings" and text.strip().lower() in ("enable", "true"):
                usings += [Import(one, "*", "", "import", 0) for one in _IMPLICIT]
        return _Said(frozenset(references), tuple(compiled), tuple(usings))

    def _referenced(self, path: str, written: str) -> Iterator[str]:
        """The folders of the projects that are meant; one behind a variable by its name alone."""
        whole = _path(path, written)
        if whole is not None and "*" not in whole:
            yield folder_of(whole)
            return
        name = written.replace("\\", "/").rpartition("/")[2]
        pattern = whole or f"**/{name}"
        found = [
            folder
            for folder, files in self._files.items()
            if "$(" not in pattern and any(_matches(pattern, one) for one in files)
        ]
        if whole is not None or len(found) == 1:
            yield from found

    def _elements(self, folder: str) -> Iterator[tuple[str, str, dict[str, str], str]]:
        """(file, element, attributes, text) of the project files and of what they import."""
        waiting = [(path, 0) for path in self._files[folder]]
        above: str | None = folder
        for name in _SHARED:
            above = folder
            while above is not None:
                path = f"{above}/{name}" if above else name
                if path in self._project.paths:
                    waiting.append((path, 0))
                    break
                above = folder_of(above) if above else None
        seen: set[str] = set()
        while waiting:
            path, depth = waiting.pop(0)
            if path in seen or path not in self._project.paths:
                continue
            seen.add(path)
            source = self._project.read(path) or b""
            for found in _ELEMENT.finditer(_COMMENT.sub("", source.decode("utf-8", "replace"))):
                given = dict(_ATTRIBUTE.findall(found[2]))
                if found[1] == "Import" and depth < _DEEPEST:
                    imported = _path(path, given.get("Project", ""))
                    if imported is not None:
                        waiting.append((imported, depth + 1))
                yield path, found[1], given, found[3] or ""


def _path(file: str, written: str) -> str | None:
    """A path as a project file writes it, from the root of the repository."""
    plain = _HERE.sub("", written).replace("\\", "/")
    return join(folder_of(file), plain) if plain and "$(" not in plain else None


def _matches(pattern: str, path: str) -> bool:
    if "*" not in pattern:
        return pattern == path
    parts = re.split(r"(\*\*/?|\*)", pattern)
    kinds = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return (
        re.fullmatch("".join(kinds.get(one) or re.escape(one) for one in parts), path) is not None
    )


def _using(given: dict[str, str]) -> Import:
    name = given["Include"]
    if given.get("Alias"):
        module, _, last = name.rpartition(".")
        return Import(module, last, given["Alias"], "alias", 0)
    is_static = given.get("Static", "").lower() == "true"
    return Import(name, "*", "", "static" if is_static else "import", 0)
