"""Where the modules are that JavaScript and TypeScript files name; knows no names in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from twine_hooks.analysis.lang_base import Project, folder_of, join
from twine_hooks.analysis.languages.javascript_manifests import (
    Compiler,
    Manifests,
    split_package,
    strings,
    table,
)
from twine_hooks.analysis.module_names import Location

_TYPED = (".ts", ".tsx", ".mts", ".cts")
_UNTYPED = (".js", ".jsx", ".mjs", ".cjs")
_DECLARED = (".d.ts", ".d.mts", ".d.cts")
_FROM_UNTYPED = (*_TYPED, *_UNTYPED, *_DECLARED, ".json")
_FROM_TYPED = (*_TYPED, *_DECLARED, *_UNTYPED, ".json")
#: What a written extension may stand for: the source that is compiled to it.
_SOURCES = {
    ".js": ((".ts", ".tsx"), (".d.ts",), (".js", ".jsx")),
    ".jsx": ((".tsx", ".ts"), (".d.ts",), (".jsx",)),
    ".mjs": ((".mts",), (".d.mts",), (".mjs",)),
    ".cjs": ((".cts",), (".d.cts",), (".cjs",)),
}
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z|\.json\Z")
_BUILT = re.compile(r"(?:\.min|\.prod|\.esm|\.cjs|\.umd|\.module|\.global)+\Z")
_SOURCE_FOLDERS = ("src", "source", "lib", "ts", "app", "")
_ENTRY_FIELDS = ("source", "svelte", "module", "main", "types", "typings", "browser")
_SCHEME = re.compile(r"[a-zA-Z][\w+.-]+:")
_ALIAS = re.compile(r"[@~]/(.+)")


class Modules:
    """Finds modules as TypeScript and Node do, and the source behind what is not built."""

    binds_first_part = False
    exports_are_strict = True
    calls_make_instances = False

    def __init__(self, project: Project) -> None:
        self._paths = project.paths
        self._folders = project.folders
        self._manifests = Manifests(project)
        self._from_folder = lru_cache(maxsize=None)(self._locate_from_folder)

    # --- what the linker asks -------------------------------------------------------------------

    def locate(self, path: str, module: str) -> Location | None:
        """The file that ``module`` names when ``path`` imports it."""
        return self._from_folder(folder_of(path), _without_loaders(module), _is_typed(path))

    def submodule(self, location: Location, name: str) -> Location | None:
        return None

    def is_local(self, path: str, module: str) -> bool:
        """Whether the module looks like the project's own although it cannot be found."""
        module = _without_loaders(module)
        folder = folder_of(path)
        if module.startswith((".", "#")) or _ALIAS.match(module):
            return True
        if _SCHEME.match(module) or module.startswith("/"):
            return False
        if self._manifests.package_named(folder, split_package(module)[0]) is not None:
            return True
        return any(
            pattern.rstrip("*/") and _matched(pattern, module) is not None
            for compiler in self._manifests.compilers(folder)
            for pattern, _ in compiler.paths
        )

    def stands_for(self, location: Location) -> tuple[str, ...]:
        return (location,) if location in self._paths else ()

    def default_visible(self, name: str) -> bool:
        return name != "default"

    # --- resolution -----------------------------------------------------------------------------

    def _locate_from_folder(self, folder: str, module: str, typed: bool) -> Location | None:
        if module.startswith("."):
            return self._relative(folder, module, typed)
        if not module or _SCHEME.match(module):
            return None
        if module.startswith("#"):
            found = self._package_import(folder, module, typed)
            if found is not None:
                return found
        return (
            self._by_compiler(folder, module, typed)
            or self._by_package(folder, module, typed)
            or self._by_custom(folder, module, typed)
        )

    def _relative(self, folder: str, module: str, typed: bool) -> Location | None:
        base = join(folder, module)
        if base is None:
            return None
        is_folder = module.endswith("/") or module.rpartition("/")[2] in (".", "..")
        found = self._folder(base, typed) if is_folder else self._at(base, typed)
        return found or self._in_other_roots(folder, base, typed)

    def _in_other_roots(self, folder: str, base: str, typed: bool) -> Location | None:
        """``rootDirs``: folders that are one folder when the program runs."""
        for compiler in self._manifests.compilers(folder):
            for root in compiler.root_dirs:
                if f"{base}/".startswith(f"{root}/" if root else ""):
                    rest = base[len(root) :].lstrip("/")
                    for other in compiler.root_dirs:
                        found = self._at(f"{other}/{rest}".strip("/"), typed)
                        if found is not None:
                            return found
        return None

    def _by_compiler(self, folder: str, module: str, typed: bool) -> Location | None:
        for compiler in self._manifests.compilers(folder):
            found = self._by_paths(compiler, module, typed)
            if found is None and compiler.base_url is not None:
                base = join(compiler.base_url, module)
                found = self._at(base, typed) if base is not None else None
            if found is not None:
                return found
        return None

    def _by_paths(self, compiler: Compiler, module: str, typed: bool) -> Location | None:
        """``paths``: the exact pattern, else the one with the longest text before the star."""
        best: tuple[int, str, tuple[str, ...]] | None = None
        for pattern, targets in compiler.paths:
            middle = _matched(pattern, module)
            if middle is not None:
                length = len(pattern.partition("*")[0]) if "*" in pattern else 1 << 20
                if best is None or length > best[0]:
                    best = (length, middle, targets)
        for target in best[2] if best is not None else ():
            base = join(compiler.paths_from, target.replace("*", best[1], 1) if best else "")
            found = self._at(base, typed) if base is not None else None
            found = found or (self._unbuilt(base, typed) if base is not None else None)
            if found is not None:
                return found
        return None

    def _by_custom(self, folder: str, module: str, typed: bool) -> Location | None:
        """ "@/x", "~/x" and "/x", which bundlers read as a place in the package."""
        found = _ALIAS.match(module)
        rest = found[1] if found else module[1:] if module.startswith("/") else None
        package = self._manifests.package_folder(folder)
        if rest is None or package is None:
            return None
        for root in ("src", "", "public") if found is None else ("src", "app", ""):
            base = join(package, f"{root}/{rest}")
            at = self._at(base, typed) if base is not None else None
            if at is not None:
                return at
        return None

    # --- packages -------------------------------------------------------------------------------

    def _by_package(self, folder: str, module: str, typed: bool) -> Location | None:
        name, rest = split_package(module)
        package = self._manifests.package_named(folder, name)
        return self._in_package(package, rest, typed) if package is not None else None

    def _package_import(self, folder: str, module: str, typed: bool) -> Location | None:
        """``imports`` of the nearest package.json."""
        package = self._manifests.package_folder(folder)
        if package is None:
            return None
        imports = table(self._manifests.package(package).get("imports"))
        for target in _mapped(imports, module):
            if target.startswith("."):
                found = self._source(package, target, typed)
            else:
                found = self._by_package(folder, target, typed)
            if found is not None:
                return found
        return None

    def _in_package(self, package: str, rest: str, typed: bool) -> Location | None:
        """A package's entry point, or what its ``exports`` (or folders) have under a subpath."""
        data = self._manifests.package(package)
        exports = data.get("exports")
        subpath = f"./{rest}" if rest else "."
        if not isinstance(exports, dict) or not any(one.startswith(".") for one in exports):
            exports = {".": exports} if exports is not None else {}
        targets = list(_mapped(exports, subpath))
        if not rest:
            targets += [one for field in _ENTRY_FIELDS for one in strings(data.get(field))]
        for target in targets:
            base = join(package, target)
            if base in self._paths and not base.endswith(_DECLARED):
                return self._at(base, typed)
        for target in targets:
            found = self._source(package, target, typed)
            if found is not None:
                return found
        return self._guessed(package, rest, typed)

    def _guessed(self, package: str, rest: str, typed: bool) -> Location | None:
        """The place where the source of a package is by custom."""
        for root in _SOURCE_FOLDERS:
            base = join(package, f"{root}/{rest}") or ""
            found = self._at(base, typed) if rest else self._index(base, typed)
            if found is not None:
                return found
        return self._unbuilt(join(package, rest) or "", typed) if rest else None

    def _source(self, package: str, target: str, typed: bool) -> Location | None:
        base = join(package, target)
        if base is None:
            return None
        found = self._at(base, typed)
        if found is not None and not found.endswith(_DECLARED):
            return found
        return self._unbuilt(base, typed) or found

    def _unbuilt(self, base: str, typed: bool) -> Location | None:
        """The source of a file that a build would write at ``base``."""
        package = self._manifests.package_folder(folder_of(base))
        if package is None:
            return None
        stem = _SUFFIX.sub("", base)
        for compiler in self._manifests.compilers(package):
            for out in compiler.out_dirs:
                if stem.startswith(f"{out}/"):
                    rest = stem[len(out) + 1 :]
                    root = compiler.root_dir
                    for start in (root,) if root is not None else (f"{package}/src", package):
                        found = self._stem(f"{start}/{rest}".strip("/"), typed)
                        if found is not None:
                            return found
        return self._without_build_folder(package, stem, typed)

    def _without_build_folder(self, package: str, stem: str, typed: bool) -> Location | None:
        """ "dist/esm/x" has its source in "src/x" or "x"."""
        parts = stem[len(package) :].strip("/").split("/")
        plain = _BUILT.sub("", parts[-1])
        for skipped in range(1, min(len(parts), 5)):
            for root in _SOURCE_FOLDERS:
                for last in dict.fromkeys((parts[-1], plain)):
                    rest = "/".join([root, *parts[skipped:-1], last])
                    found = self._stem(join(package, rest) or "", typed)
                    if found is not None:
                        return found
        return None

    # --- files ----------------------------------------------------------------------------------

    def _at(self, base: str, typed: bool) -> Location | None:
        """The file that ``base`` (a path as written, seen from the root) stands for."""
        name = base.rpartition("/")[2]
        stem, dot, extension = name.rpartition(".")
        if dot and stem:
            found = self._replaced(base, dot + extension, typed)
            if found is not None:
                return found
        if base in self._paths:
            return base
        return self._stem(base, typed) or self._folder(base, typed)

    def _replaced(self, base: str, extension: str, typed: bool) -> Location | None:
        """ "x.js" may be written for "x.ts"."""
        if extension not in _SOURCES:
            return None
        source, declared, plain = _SOURCES[extension]
        stem = base.removesuffix(extension)
        order = (*source, *declared, *plain) if typed else (*source, *plain, *declared)
        return next((stem + one for one in order if stem + one in self._paths), None)

    def _stem(self, base: str, typed: bool) -> Location | None:
        order = _FROM_TYPED if typed else _FROM_UNTYPED
        return next((base + one for one in order if base + one in self._paths), None)

    def _folder(self, base: str, typed: bool) -> Location | None:
        if base not in self._folders:
            return None
        data = self._manifests.package(base)
        for field in _ENTRY_FIELDS if data else ():
            for target in strings(data.get(field)):
                entry = join(base, target)
                if entry is not None and entry != base:
                    found = self._stem(entry, typed) or (
                        self._at(entry, typed) if entry in self._paths else None
                    )
                    found = found or self._replaced_entry(entry, typed)
                    if found is not None:
                        return found
        return self._index(base, typed) or (self._in_package(base, "", typed) if data else None)

    def _replaced_entry(self, entry: str, typed: bool) -> Location | None:
        dot = entry.rfind(".")
        found = self._replaced(entry, entry[dot:], typed) if dot > 0 else None
        return found or self._index(entry, typed)

    def _index(self, folder: str, typed: bool) -> Location | None:
        return self._stem(f"{folder}/index" if folder else "index", typed)


def _is_typed(path: str) -> bool:
    return path.endswith(_TYPED)


def _without_loaders(module: str) -> str:
    """ "!!raw-loader!./x.js?raw" without what a bundler reads for itself."""
    if "!" in module:
        module = module.rpartition("!")[2]
    if module.startswith("#"):
        return module
    return module.partition("?")[0]


def _matched(pattern: str, module: str) -> str | None:
    """What the star of a pattern stands for in ``module``; "" for an equal text without star."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == module else None
    if len(module) < len(before) + len(after):
        return None
    if module.startswith(before) and module.endswith(after):
        return module[len(before) : len(module) - len(after)]
    return None


def _mapped(entries: dict[str, object], subpath: str) -> Iterator[str]:
    """The targets of a subpath in ``exports`` or ``imports``, by Node's rules of patterns."""
    if subpath in entries:
        yield from _targets(entries[subpath])
        return
    best, middle = "", ""
    for pattern in entries:
        wild = pattern + "*" if pattern.endswith("/") else pattern
        found = _matched(wild, subpath) if "*" in wild else None
        if found is not None and len(wild.partition("*")[0]) > len(best.partition("*")[0]):
            best, middle = pattern, found
    if best:
        for target in _targets(entries[best]):
            yield target + middle if best.endswith("/") else target.replace("*", middle)


def _targets(value: object) -> Iterator[str]:
    """The files named in an entry, of any condition, in order."""
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)
