"""Where Ruby looks for files: the lib folders of gems, tests beside them, paths of constants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from twine_hooks.analysis.lang_base import Project, folder_of, join

_REQUIRE_PATHS = re.compile(r"require_paths?\s*=\s*(?:%w)?[\[(]?([^\]\n)]*)")
_WORD = re.compile(r"[\w./-]+")
_STARS = {"**/": "(?:.*/)?", "*": "[^/]*"}
_TEST = re.compile(r"(?:^|/)(?:test|tests|spec|specs)/")
_APART = re.compile(r"(?:^|/)(?:bench|benchmarks?|examples?|samples?|scripts?|features)/")
_TEST_CASE = re.compile(r"(?:_spec|_test)\.rb$|(?:^|/)test_(?!helper)\w+\.rb$")
_NOT_ALNUM = re.compile(r"[^a-z0-9/]")


class Paths:
    """The paths of a project as Ruby's ``require`` sees them."""

    def __init__(self, project: Project) -> None:
        self._paths = project.paths
        self._gems: dict[str, list[str]] = {}
        for path in sorted(project.paths):
            folder = folder_of(path)
            if path.endswith(".gemspec"):
                source = (project.read(path) or b"").decode("utf-8", "replace")
                found = _REQUIRE_PATHS.search(source)
                words = _WORD.findall(found[1]) if found else []
                roots = [joined for one in words or ["lib"] if (joined := join(folder, one))]
                self._gems.setdefault(folder, []).extend(roots)
            elif path.rpartition("/")[2] in ("Gemfile", "config.ru"):
                self._gems.setdefault(folder, [])
        self._gems.setdefault("", [])
        for folder, roots in self._gems.items():
            roots.append(f"{folder}/lib" if folder else "lib")
        self._roots: dict[str, list[str]] = {}

    def gem(self, path: str) -> str:
        """The folder of the gem or application that a path belongs to."""
        folder = folder_of(path)
        while folder not in self._gems:
            folder = folder_of(folder)
        return folder

    def roots(self, path: str) -> list[str]:
        """The folders that ``require`` in a file looks into: of its own gem, then of all others."""
        gem = self.gem(path)
        if gem not in self._roots:
            own = list(self._gems[gem])
            prefix = f"{gem}/" if gem else ""
            own += [prefix + one for one in ("test", "spec")]
            own += [root for folder in sorted(self._gems) for root in self._gems[folder]]
            self._roots[gem] = list(dict.fromkeys([*own, gem]))
        return self._roots[gem]

    def required(self, path: str, module: str, is_relative: bool) -> str | None:
        """The file that a file requires under that name."""
        around = list(dict.fromkeys([*_beside(path), *self.roots(path)]))
        folders = [folder_of(path), ""] if is_relative else around
        if is_relative and not module.startswith("./"):
            folders = folders[:1]
        for folder in folders:
            joined = join(folder, module)
            for one in (joined, f"{joined}.rb") if joined else ():
                if one in self._paths and one.endswith((".rb", ".rake", ".ru")):
                    return one
        return None

    def matching(self, path: str, pattern: str, is_relative: bool) -> list[str]:
        """The files that match a pattern with stars, seen from the file's folder or its gem."""
        folder = folder_of(path) if is_relative else self.gem(path)
        whole = join(folder, pattern)
        if whole is None:
            return []
        pieces = (_STARS.get(one, re.escape(one)) for one in re.split(r"(\*\*/|\*)", whole))
        wanted = re.compile("".join(pieces))
        return sorted(one for one in self._paths if one.endswith(".rb") and wanted.fullmatch(one))

    def is_own(self, path: str, module: str) -> bool:
        """Whether a required name looks like one of the file's own gem."""
        first = module.partition("/")[0]
        return any(
            f"{root}/{first}.rb" in self._paths
            for root in self._gems[self.gem(path)]
            if "/" in module
        )


def _beside(path: str) -> Iterator[str]:
    """The folders of tests and of the library around a file, as one runs its tests from there."""
    folder = folder_of(path)
    while folder:
        outer, _, name = folder.rpartition("/")
        if name in ("test", "spec", "lib"):
            yield folder
        if name in ("test", "spec"):
            yield f"{outer}/lib" if outer else "lib"
        folder = outer


def is_test(path: str) -> bool:
    return _TEST.search(path) is not None


def is_apart(path: str) -> bool:
    """Whether it is a program beside the library, that nothing sees without requiring it."""
    return _APART.search(path) is not None


def is_test_case(path: str) -> bool:
    """Whether it is a file of tests that no other file needs, unless it requires it."""
    return _TEST_CASE.search(path) is not None


def is_path_of(path: str, constant: str) -> bool:
    """Whether the path is that of a constant by convention: A::BigThing in a/big_thing.rb."""
    wanted = _NOT_ALNUM.sub("", constant.lower().replace("::", "/"))
    found = _NOT_ALNUM.sub("", path.lower().removesuffix(".rb"))
    return found == wanted or found.endswith(f"/{wanted}")
