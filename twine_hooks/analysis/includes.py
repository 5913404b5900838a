"""Which files a C or C++ file includes, and what is visible in it: all that it includes at any
depth. Knows no names in them but the macros and modules that includes name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import Facts, Import
from twine_hooks.analysis.include_paths import CERTAIN, Flags, Found, IncludePaths
from twine_hooks.analysis.lang_base import Project

_NO_FACTS = Facts(language="")
_MACRO_DEPTH = 4


class Included(NamedTuple):
    """One include or module import of a file, and the files that it means."""

    one: Import
    found: tuple[Found, ...]


class Includes:
    """Includes of all files of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths = IncludePaths(project)
        self.of = lru_cache(maxsize=None)(self._read)
        self._plain = lru_cache(maxsize=None)(self._read_plain)
        self.visible = lru_cache(maxsize=4096)(self._read_visible)

    def is_compiled(self, path: str) -> bool:
        """Whether a compile command names the file; True where there are none."""
        return not self._paths.commands or path in self._paths.commands

    def forced(self, path: str) -> tuple[Found, ...]:
        """What the compile command of a file includes before it."""
        found = []
        flags = self._flags(path)
        for name in flags.forced if path in self._paths.commands else ():
            if name in self._project.paths:
                found.append(Found(name, CERTAIN, -1))
            elif (there := self._paths.find(path, f'"{name}"', flags)) is not None:
                found.append(there)
        return tuple(one for one in found if one.path != path)

    def _facts(self, path: str) -> Facts:
        return self._project.facts.get(path, _NO_FACTS)

    # --- flags ----------------------------------------------------------------------------------

    def _flags(self, path: str) -> Flags:
        return self._flags_of_headers.get(path) or self._paths.flags_of(path)

    @cached_property
    def _flags_of_headers(self) -> Mapping[str, Flags]:
        """Header -> the flags of the first compiled file that reaches it."""
        reached: dict[str, Flags] = {}
        for source in sorted(self._paths.commands):
            flags = self._paths.commands[source]
            waiting = [source]
            while waiting:
                path = waiting.pop()
                for one in self._facts(path).imports:
                    found = self._look(path, one, flags)
                    is_new = found is not None and found.path not in reached
                    if found is not None and is_new and found.path not in self._paths.commands:
                        reached[found.path] = flags
                        waiting.append(found.path)
        return reached

    # --- one include ----------------------------------------------------------------------------

    def _look(self, path: str, one: Import, flags: Flags) -> Found | None:
        if one.module[:1] not in ('"', "<"):
            return None
        if one.name == "next":
            return self._paths.find_next(path, one.module, flags)
        return self._paths.find(path, one.module, flags)

    def _read_plain(self, path: str) -> tuple[Included, ...]:
        """Includes that name their file, and imports of modules."""
        flags = self._flags(path)
        rows = []
        for one in self._facts(path).imports:
            if one.module[:1] in ('"', "<"):
                found = self._look(path, one, flags)
                rows.append(Included(one, (found,) if found else ()))
            elif one.kind in ("import", "reexport"):
                there = self._modules.get(one.module, ())
                found_all = tuple(Found(file, CERTAIN, -1) for file in there if file != path)
                rows.append(Included(one, found_all))
        return tuple(rows)

    def _read(self, path: str) -> tuple[Included, ...]:
        """All includes of a file, those through a macro too."""
        rows = list(self._plain(path))
        named = [
            one
            for one in self._facts(path).imports
            if one.module[:1] not in ('"', "<") and one.kind in ("include", "inactive")
        ]
        if named:
            flags = self._flags(path)
            for one in named:
                found = {}
                for value in self._macro_values(path, one.module, flags):
                    there = self._look(path, one._replace(module=value), flags)
                    if there is not None and there.path != path:
                        found[there.path] = there
                rows.append(Included(one, tuple(found[file] for file in sorted(found))))
        return tuple(sorted(rows, key=lambda row: row.one.line))

    def _macro_values(self, path: str, macro: str, flags: Flags) -> Iterator[str]:
        """The files that a macro may stand for: defined in the file, before it, or by a flag."""
        waiting, seen = [macro], {macro}
        for _ in range(_MACRO_DEPTH):
            following: list[str] = []
            for name in waiting:
                for value in self._definitions_of(path, name, flags):
                    if value[0] in '"<':
                        yield value
                    elif value not in seen:
                        seen.add(value)
                        following.append(value)
            waiting = following

    def _definitions_of(self, path: str, macro: str, flags: Flags) -> list[str]:
        key = f"macro {macro}"
        found = [value for name, value in self._facts(path).extra if name == key]
        found += [value for name, value in flags.macros if name == macro]
        if not found:
            for file in self._walk(path, self._plain):
                found = [value for name, value in self._facts(file).extra if name == key]
                if found:
                    break
        return found

    @cached_property
    def _modules(self) -> Mapping[str, tuple[str, ...]]:
        """C++20 module -> the files that declare it."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._project.facts):
            facts = self._project.facts[path]
            if facts.namespace:
                found.setdefault(facts.namespace, []).append(path)
        return {name: tuple(files) for name, files in found.items()}

    # --- what is visible ------------------------------------------------------------------------

    def _walk(self, path: str, of: object) -> Iterator[str]:
        """The files that a file includes, nearest first, at any depth."""
        seen, level = {path}, [path]
        while level:
            following: list[str] = []
            for file in level:
                for row in of(file):  # type: ignore[operator]
                    if row.one.kind == "inactive":
                        continue
                    for found in row.found:
                        if found.path not in seen:
                            seen.add(found.path)
                            following.append(found.path)
                            yield found.path
            level = following

    def _read_visible(self, path: str) -> Mapping[str, int]:
        """All that is included at any depth -> its place, nearest first; the file itself is 0."""
        files = [path, *(one.path for one in self.forced(path)), *self._walk(path, self.of)]
        return {file: place for place, file in reversed(list(enumerate(files)))}

    @cached_property
    def includers(self) -> Mapping[str, tuple[str, ...]]:
        """File -> the files that include it, sorted."""
        found: dict[str, list[str]] = {}
        for path in sorted(self._project.facts):
            for row in self.of(path):
                if row.one.kind != "inactive":
                    for target in row.found:
                        found.setdefault(target.path, []).append(path)
        return {path: tuple(dict.fromkeys(files)) for path, files in found.items()}

    def around(self, path: str) -> Mapping[str, int]:
        """What files that include this one can see: where a header leans on who includes it."""
        seen: dict[str, int] = {}
        waiting, known = [path], {path}
        while waiting and len(known) < _MOST_INCLUDERS:
            file = waiting.pop(0)
            for one in self.includers.get(file, ()):
                if one not in known and len(known) < _MOST_INCLUDERS:
                    known.add(one)
                    waiting.append(one)
                    for target, place in self.visible(one).items():
                        seen[target] = min(place, seen.get(target, place))
        return seen


_MOST_INCLUDERS = 16
