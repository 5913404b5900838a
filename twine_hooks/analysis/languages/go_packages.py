"""Where Go finds packages: modules, workspaces, vendor folders, build constraints; no names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Project, folder_of, join

_MODULE = re.compile(r'^\s*module\s+(?:\(\s*)?"?([^\s"()]+)', re.MULTILINE)
_REPLACED = re.compile(
    r'^\s*(?:replace\s+)?"?([^\s"()]+)"?(?:\s+v\S+)?\s+=>\s+"?([^\s"]+)', re.MULTILINE
)

_WORK = re.compile(r'^\s*(?:use\s+)?(?:\(\s*)?"?(\.{1,2}(?:/[^\s"()]*)?)"?\s*\)?\s*$', re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*")
_TAG = re.compile(r"[\w.]+")
_TOKEN = re.compile(r"\s*([\w.]+|&&|\|\||[!()])")
_SYSTEMS = frozenset(
    {
        "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux",
        "netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows",
    }
)  # fmt: skip
_MACHINES = frozenset(
    {
        "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64",
        "ppc64le", "riscv64", "s390x", "wasm",
    }
)  # fmt: skip
#: Systems in which the tags of others hold as well.
_ALSO = {"android": {"linux"}, "ios": {"darwin"}, "illumos": {"solaris"}}
_NOT_UNIX = frozenset({"windows", "plan9", "js", "wasip1"})
_MOST_TAGS = 5
_LONGEST = 120  #: tokens of a constraint; a longer one counts as held


class View(NamedTuple):
    """The files of one package as another file sees them."""

    folder: str
    name: str  #: as its files declare it
    has_tests: bool


class Packages:
    """Packages by import path, and the files that make them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.folder = lru_cache(maxsize=None)(self._find_folder)
        self.named = lru_cache(maxsize=None)(self._find_named)
        self._replaced = lru_cache(maxsize=None)(self._find_replaced)
        self._beside = lru_cache(maxsize=None)(self._find_beside)
        self._fit = lru_cache(maxsize=None)(_can_hold_together)

    @cached_property
    def _files(self) -> dict[str, dict[str, list[str]]]:
        """Folder -> package as declared -> its files."""
        found: dict[str, dict[str, list[str]]] = {}
        for path in sorted(self._project.facts):
            facts = self._project.facts[path]
            if facts.language == "go":
                names = found.setdefault(folder_of(path), {})
                names.setdefault(facts.namespace, []).append(path)
        return found

    def view(self, path: str) -> View:
        """The package of a file as the file itself sees it."""
        return View(folder_of(path), self._project.facts[path].namespace, _is_test(path))

    def files(self, view: View) -> list[str]:
        found = self._files.get(view.folder, {}).get(view.name, [])
        return found if view.has_tests else [path for path in found if not _is_test(path)]

    def imported(self, path: str, module: str) -> View | None:
        """The package that an import leads to, None where it is not in the project."""
        folder = self.folder(folder_of(path), module)
        name = self.named(folder) if folder is not None else ""
        if folder is None or not name:
            return None
        own = self._project.facts[path].namespace
        return View(folder, name, folder == folder_of(path) and own == f"{name}_test")

    def _find_named(self, folder: str) -> str:
        """The name of the package that can be imported from a folder, "" for none."""
        counts = {
            name: sum(not _is_test(path) for path in paths)
            for name, paths in self._files.get(folder, {}).items()
            if not name.endswith("_test") or not all(map(_is_test, paths))
        }
        apart = {name: counts[name] for name in counts if name not in ("main", "ignore")}
        counts = apart or counts
        return max(sorted(counts), key=lambda name: counts[name], default="")

    # --- modules ----------------------------------------------------------------------------------

    @cached_property
    def _modules(self) -> dict[str, str]:
        """Folder with a go.mod -> the path of its module."""
        found = {}
        for path in sorted(self._project.paths):
            if path == "go.mod" or path.endswith("/go.mod"):
                declared = _MODULE.search(self._text(path))
                found[folder_of(path)] = declared[1] if declared else ""
        return found

    def _text(self, path: str) -> str:
        return _COMMENT.sub("", (self._project.read(path) or b"").decode("utf-8", "replace"))

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        """Path of a module -> the folders that declare it."""
        found: dict[str, list[str]] = {}
        for folder, module in self._modules.items():
            if module:
                found.setdefault(module, []).append(folder)
        return found

    def _root(self, folder: str) -> str | None:
        """The folder of the module that a folder belongs to."""
        while True:
            if folder in self._modules:
                return folder
            if not folder:
                return None
            folder = folder_of(folder)

    def _find_replaced(self, root: str) -> dict[str, str]:
        """Module -> what go.mod or go.work have in its place: a folder and "/", or a path."""
        found: dict[str, str] = {}
        for name in ("go.mod", "go.work"):
            folder: str | None = root
            while name == "go.work" and folder and join(folder, name) not in self._project.paths:
                folder = folder_of(folder)
            path = join(folder or "", name) or name
            if path not in self._project.paths:
                continue
            for old, new in _REPLACED.findall(self._text(path)):
                if new.startswith("."):
                    local = join(folder or "", new)
                    new = f"{local}/" if local is not None else ""
                found[old] = new
        return found

    def _find_folder(self, folder: str, module: str) -> str | None:
        """The folder of an imported package."""
        if module.startswith("./") or module.startswith("../"):
            return self._with_files(join(folder, module))
        root = self._root(folder)
        found = self._in_modules(root, module) if root is not None else None
        if found is None:
            found = self._vendored(folder, module)
        if found is None and root is None:
            found = self._with_files(f"src/{module}")
        return found

    def _in_modules(self, root: str, module: str) -> str | None:
        replaced = self._replaced(root)
        for prefix in _prefixes(module):
            rest = module[len(prefix) :].lstrip("/")
            where = replaced.get(prefix)
            if where is not None and where.endswith("/"):
                return self._with_files(join(where.rstrip("/"), rest))
            for at in self._candidates(root, where or prefix):
                inner = join(at, rest) or ""
                if self._root(inner) == at:
                    return self._with_files(inner)
        return None

    def _candidates(self, root: str, module: str) -> list[str]:
        """The folder of a module: the own one, else the only one of that path."""
        folders = self._folders.get(module, [])
        if root in folders:
            return [root]
        if len(folders) > 1:
            folders = [folder for folder in folders if folder in self._used]
        return folders if len(folders) == 1 else []

    @cached_property
    def _used(self) -> set[str | None]:
        """The folders of modules that a go.work names."""
        return {
            join(folder_of(path), used)
            for path in self._project.paths
            if path == "go.work" or path.endswith("/go.work")
            for used in _WORK.findall(self._text(path))
        }

    def _vendored(self, folder: str, module: str) -> str | None:
        while True:
            found = self._with_files(join(folder, f"vendor/{module}"))
            if found is not None or not folder:
                return found
            folder = folder_of(folder)

    def _with_files(self, folder: str | None) -> str | None:
        return folder if folder is not None and folder in self._files else None

    def is_local(self, path: str, module: str) -> bool:
        """Whether an import looks like a package of the project."""
        if module.startswith("./") or module.startswith("../"):
            return True
        root = self._root(folder_of(path))
        if root is None:
            return False
        own = self._modules[root]
        return bool(own) and (module == own or module.startswith(f"{own}/"))

    # --- build constraints ------------------------------------------------------------------------

    def together(self, path: str, other: str) -> bool:
        """Whether one build can hold both files."""
        first, second = self._constraint(path), self._constraint(other)
        return not (first and second) or self._fit(first, second)

    def _constraint(self, path: str) -> str:
        facts = self._project.facts[path]
        parts = [f"({value})" for key, value in facts.extra if key == "build"]
        words = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
        if words and words[-1] in _MACHINES:
            parts.append(words.pop())
        if words and words[-1] in _SYSTEMS:
            parts.append(words[-1])
        return " && ".join(parts)

    # --- files that are no sources ----------------------------------------------------------------

    def embedded(self, path: str, pattern: str) -> list[str]:
        """The files that ``//go:embed`` takes by a pattern."""
        takes_all = pattern.startswith("all:")
        wanted = join(folder_of(path), pattern.removeprefix("all:"))
        if wanted is None:
            return []
        found = []
        depth = wanted.count("/") + 1
        for one in self._beside(folder_of(path)):
            parts = one.split("/")
            if not fnmatchcase("/".join(parts[:depth]), wanted) or len(parts) < depth:
                continue
            if takes_all or not any(part[:1] in "._" for part in parts[depth:]):
                found.append(one)
        return found

    def _find_beside(self, folder: str) -> list[str]:
        prefix = f"{folder}/" if folder else ""
        return sorted(path for path in self._project.paths if path.startswith(prefix))

    def header(self, path: str, name: str) -> str | None:
        """The file that a ``#include "…"`` before ``import "C"`` names."""
        found = join(folder_of(path), name)
        return found if found in self._project.paths else None


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")


def _prefixes(module: str) -> Iterator[str]:
    """The import path and what is before each of its slashes, the longest first."""
    while module:
        yield module
        module = module.rpartition("/")[0]


def _can_hold_together(first: str, second: str) -> bool:
    expression = f"({first}) && ({second})"
    tags = set(_TAG.findall(expression))
    free = sorted(tags - _SYSTEMS - _MACHINES - {"unix"})
    if len(free) > _MOST_TAGS:
        return True
    systems = sorted(tags & _SYSTEMS | {"linux", "windows", "darwin", "plan9"})
    machines = sorted(tags & _MACHINES | {"amd64", "arm64"})
    for system, machine, *values in product(systems, machines, *([(False, True)] * len(free))):
        held = {system, machine, *_ALSO.get(system, ())}
        held |= set() if system in _NOT_UNIX else {"unix"}
        held |= {tag for tag, value in zip(free, values, strict=True) if value}
        if _holds(expression, held):
            return True
    return False


def _holds(expression: str, tags: Iterable[str]) -> bool:
    """Whether a build constraint holds; True for what is none."""
    tokens = _TOKEN.findall(expression)[::-1]
    if len(tokens) > _LONGEST:
        return True

    def either() -> bool:
        held = both()
        while tokens and tokens[-1] == "||":
            tokens.pop()
            held = both() or held
        return held

    def both() -> bool:
        held = one()
        while tokens and tokens[-1] == "&&":
            tokens.pop()
            held = one() and held
        return held

    def one() -> bool:
        negated = False
        while tokens and tokens[-1] == "!":
            tokens.pop()
            negated = not negated
        token = tokens.pop() if tokens else ""
        held = either() if token == "(" else token in tags
        if token == "(" and tokens and tokens[-1] == ")":
            tokens.pop()
        return held != negated

    return either()
