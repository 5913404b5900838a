"""Python: what a file says about itself, and where its imports lead."""

from __future__ import annotations

import inspect
import posixpath
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Facts, Import, Reference
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import (
    Parsed,
    Project,
    Span,
    Traits,
    collect_references,
    folder_of,
    is_within,
    join,
)
from twine_hooks.analysis.modules import Location, ModuleLinker

if TYPE_CHECKING:
    from tree_sitter import Node

_SELF = frozenset({"self", "cls", "super"})
_STRING = re.compile(r"""^[rRbBuUfF]*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)
_WORD = re.compile(rb"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*")
_TYPE_CHECKING = re.compile(r"^(?:\w+\.)?TYPE_CHECKING$")


def _clean_doc(text: str) -> str:
    found = _STRING.match(text)
    return inspect.cleandoc(found[2]) if found else text


def _is_public(name: str, head: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


TRAITS = Traits(
    linking_reads_bodies=False,
    quotes_are_equal=True,
    clean_doc=_clean_doc, is_public=_is_public)


def read(parsed: Parsed) -> Facts:
    """Facts of one Python file."""
    imports = list(_imports(parsed))
    exports = _exports(parsed)
    exported = frozenset(exports or ())
    definitions, tokens = collect_definitions(parsed, TRAITS, exported)
    definitions = [
        one._replace(kind="constant")
        if one.kind == "variable" and one.name.strip("_").isupper()
        else one
        for one in definitions
    ]
    interesting = _interesting(imports, [one.name for one in definitions if one.parent < 0])
    spans = [(one.start, one.end) for one in definitions]
    references = collect_references(parsed, TRAITS, interesting, spans)
    references += _annotation_references(parsed, interesting)
    doc = "".join(_clean_doc(parsed.string(*span)) for span in parsed.spans("doc.module")[:1])
    return Facts(
        language="python",
        definitions=tuple(definitions),
        references=tuple(sorted(references)),
        imports=tuple(sorted(imports, key=lambda one: (one.line, one.module, one.name))),
        exports=None if exports is None else tuple((name, name) for name in sorted(exported)),
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
    )


class _interesting:  # noqa: N801  (used like the function that it replaces)
    """Whether a name can lead out of the function in which it stands."""

    def __init__(self, imports: Sequence[Import], defined: Sequence[str]) -> None:
        self._all = any(one.name == "*" for one in imports)
        self._names = _SELF.union(defined, (one.alias for one in imports))

    def __call__(self, name: str) -> bool:
        return self._all or name in self._names


def _annotation_references(parsed: Parsed, interesting: _interesting) -> Iterator[Reference]:
    """Names inside annotations that are written as strings."""
    for start, end in parsed.spans("annotation"):
        for found in _WORD.finditer(parsed.text[start:end]):
            chain = re.sub(r"\s", "", found[0].decode("utf-8", "replace"))
            if interesting(chain.partition(".")[0]):
                yield Reference(chain, "type", (parsed.line_of(start + found.start()),), -1)


# --- imports -----------------------------------------------------------------------------------


def _imports(parsed: Parsed) -> Iterator[Import]:
    functions = parsed.spans("scope")
    typing_blocks = [
        (block.start_byte, block.end_byte)
        for condition, block in zip(
            parsed.nodes("typing.condition"), parsed.nodes("typing.block"), strict=False
        )
        if _TYPE_CHECKING.match(parsed.string(condition.start_byte, condition.end_byte))
    ]
    for node in parsed.nodes("import"):
        at = node.start_byte
        kind = "import"
        if is_within(functions, at):
            kind = "lazy"
        elif is_within(typing_blocks, at):
            kind = "typing"
        yield from _statement(parsed, node, kind)
    for start, end in parsed.spans("import.dynamic"):
        found = _STRING.match(parsed.string(start, end))
        if found and re.fullmatch(r"\.*[^\W\d]\w*(\.\w+)*", found[2]):
            yield Import(found[2], "", "", "dynamic", parsed.line_of(start))


def _statement(parsed: Parsed, node: Node, kind: str) -> Iterator[Import]:
    line = node.start_point[0] + 1
    module = node.child_by_field_name("module_name")
    if module is None:
        for name, alias in _names(parsed, node):
            yield Import(name, "", alias or name.partition(".")[0], kind, line)
        return
    source = re.sub(r"\s", "", parsed.string(module.start_byte, module.end_byte))
    if any(child.type == "wildcard_import" for child in node.children):
        yield Import(source, "*", "", kind, line)
    for name, alias in _names(parsed, node):
        yield Import(source, name, alias or name, kind, line)


def _names(parsed: Parsed, node: Node) -> Iterator[tuple[str, str]]:
    """(name, alias or "") of each name of an import statement."""
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name = child.child_by_field_name("name") or child
        text = re.sub(r"\s", "", parsed.string(name.start_byte, name.end_byte))
        yield text, parsed.string(alias.start_byte, alias.end_byte) if alias else ""


_QUOTED = re.compile(r"""(["'])((?:[^\W\d]|_)\w*)\1""")


def _exports(parsed: Parsed) -> list[str] | None:
    """The names in ``__all__`` as far as they are written out, None without any ``__all__``."""
    spans = parsed.spans("exports")
    if not spans:
        return None
    return [found[2] for span in spans for found in _QUOTED.finditer(parsed.string(*span))]


# --- resolution --------------------------------------------------------------------------------

_SUFFIXES = (".py", ".pyi")
_SOURCE_FOLDERS = ("src", "lib", "python", "source")


class _Modules:
    """Where Python modules are: from the nearest source root of the importer, never a global path."""

    separator = TRAITS.separator
    binds_first_part = True
    exports_are_strict = False

    def __init__(self, project: Project) -> None:
        self._project = project
        self._paths = project.paths
        self._folders = project.folders
        self._locate = lru_cache(maxsize=None)(self._locate_absolute)
        self._roots_above = lru_cache(maxsize=None)(self._roots_of_folder)

    def locate(self, path: str, module: str) -> Location | None:
        """The module that ``module`` names when ``path`` imports it."""
        folder = folder_of(path)
        if module.startswith("."):
            return self._locate_relative(folder, module)
        return self._locate(folder, module)

    def submodule(self, location: Location, name: str) -> Location | None:
        """``location.name`` where that is a module of a package."""
        folder = self._package_folder(location)
        return self._at(posixpath.join(folder, name)) if folder is not None else None

    def is_local(self, path: str, module: str) -> bool:
        """Whether the module looks like the project's own although it cannot be found."""
        if module.startswith("."):
            return True
        top = module.partition(".")[0]
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
        return any(posixpath.join(folder, "__init__" + suffix) in self._paths for suffix in _SUFFIXES)

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
    try:
        data = tomllib.loads((project.read(path) or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return
    tool = data.get("tool", {})
    named: list[object] = [
        *_strings(tool, "setuptools", "packages", "find", "where"),
        *_strings(tool, "pytest", "ini_options", "pythonpath"),
        *_strings(tool, "pyright", "extraPaths"),
        *_strings(tool, "ruff", "src"),
    ]
    package_dir = tool.get("setuptools", {}).get("package-dir", {})
    named += [package_dir[""]] if isinstance(package_dir, dict) and "" in package_dir else []
    packages = tool.get("poetry", {}).get("packages", [])
    named += [one["from"] for one in packages if isinstance(one, dict) and "from" in one]
    for one in named:
        root = join(folder_of(path), one) if isinstance(one, str) else None
        if root is not None:
            yield root


def _strings(table: object, *keys: str) -> list[object]:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, list) else [table] if isinstance(table, str) else []


def _distance(folder: str, root: str) -> int:
    """How many steps lead from one folder to the other."""
    a, b = folder.split("/"), root.split("/")
    common = len(posixpath.commonpath([folder, root]).split("/")) if folder and root else 0
    return len(a) + len(b) - 2 * common


def linker(project: Project) -> ModuleLinker:
    """Resolves the imports and references of Python files."""
    return ModuleLinker(project, _Modules(project), self_names=_SELF)


__all__ = ["TRAITS", "Span", "linker", "read"]
