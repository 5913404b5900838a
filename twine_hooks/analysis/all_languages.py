"""The registry of languages: one line each, and which file names they own."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from twine_hooks.analysis.lang_base import Language


class Entry(NamedTuple):
    """Where a language's parts are. Modules and grammars are loaded when first needed."""

    module: str  #: under ``twine_hooks.analysis.languages``
    grammar: str  #: its name in tree-sitter-language-pack; "" where the text alone is read
    query: str  #: file under ``queries/``, without ".scm"; several are joined with "+"
    family: str  #: languages of one family resolve into each other
    extensions: tuple[str, ...]
    #: file names (or "*" patterns) that decide how imports resolve
    manifests: tuple[str, ...] = ()
    #: the module has ``prepare(text) -> (what the parser is shown, language)``: text of the same
    #: length with spaces where the grammar would stumble, and the dialect that the text is in
    prepares: bool = False
    #: a smaller query, for the module's ``read_names(parsed)``: the facts from which
    #: ``EdgeLinker.edges`` finds the same as from all facts
    names_query: str = ""
    imports: str = ""  #: how files are found, for people
    symbols: str = ""  #: how names and members are followed, for people


_NODE_MANIFESTS = (
    "package.json", "tsconfig*.json", "jsconfig*.json", "pnpm-workspace.yaml", "lerna.json",
    "rush.json",
)  # fmt: skip

_INCLUDES = "own folder, then compile_commands.json or include_dirs, else the nearest suffix"
_EXTERNAL = "what headers give; a declaration leads to the file that defines it"
_MODULES = "relative paths, tsconfig and package.json, workspaces; barrels followed"
_PACKAGES = "imports, then names of the same package, across all source roots"
_TYPED = "names; members by annotations, constructors, inheritance"

LANGUAGES: dict[str, Entry] = {
    "python": Entry(
        "python", "python", "python", "python", ("py", "pyi"),
        ("pyproject.toml", "setup.py", "setup.cfg"), names_query="python_names",
        imports="modules from the nearest source root; re-exports, star imports, stubs",
        symbols="names and attributes; members by annotations, constructors, inheritance",
    ),
    "c": Entry(
        "c", "c", "c", "c", ("c", "h"), ("compile_commands.json", "compile_flags.txt"),
        prepares=True, imports=_INCLUDES, symbols=_EXTERNAL,
    ),
    "cpp": Entry(
        "cpp", "cpp", "cpp", "c",
        ("cpp", "cc", "cxx", "hpp", "hh", "hxx", "ipp", "inl", "tcc", "tpp", "cppm", "ixx"),
        ("compile_commands.json", "compile_flags.txt"), prepares=True,
        imports=_INCLUDES, symbols=f"{_EXTERNAL}; members, templates, namespaces",
    ),
    "javascript": Entry(
        "javascript", "javascript", "javascript+javascript_untyped+jsx", "javascript",
        ("js", "jsx", "mjs", "cjs"), _NODE_MANIFESTS, imports=_MODULES,
        symbols="names; members by constructors, assignments, JSDoc",
    ),
    "typescript": Entry(
        "javascript", "typescript", "javascript+typescript", "javascript",
        ("ts", "mts", "cts"), _NODE_MANIFESTS, imports=_MODULES, symbols=_TYPED,
    ),
    "tsx": Entry(
        "javascript", "tsx", "javascript+typescript+jsx", "javascript", ("tsx",), _NODE_MANIFESTS,
        imports=_MODULES, symbols=_TYPED,
    ),
    "java": Entry(
        "java", "java", "java", "jvm", ("java",), imports=_PACKAGES, symbols=_TYPED,
    ),
    "kotlin": Entry(
        "kotlin", "kotlin", "kotlin", "jvm", ("kt", "kts"), prepares=True, imports=_PACKAGES,
        symbols=f"{_TYPED}; extensions, expect and actual",
    ),
    "csharp": Entry(
        "csharp", "csharp", "csharp", "csharp", ("cs",),
        ("*.csproj", "*.props", "*.targets", "*.projitems", "*.shproj"),
        prepares=True, imports="using, then the namespaces around, in projects in reach",
        symbols=f"{_TYPED}; extensions, partial types",
    ),
    "ruby": Entry(
        "ruby", "ruby", "ruby", "ruby", ("rb", "rake", "ru"), ("*.gemspec", "Gemfile"),
        imports="require, load paths of gems, autoload; constants by Zeitwerk's folders",
        symbols="constants by nesting; methods through self, inheritance and mixins",
    ),
    "go": Entry(
        "go", "go", "go", "go", ("go",), ("go.mod", "go.work"),
        imports="packages by the modules of go.mod and go.work, replaced ones too",
        symbols=f"{_TYPED}; methods and embedded fields across a package",
    ),
    "rust": Entry(
        "rust", "rust", "rust", "rust", ("rs",), ("Cargo.toml",),
        imports="the tree of mod, use with globs and re-exports, crates of Cargo.toml",
        symbols=f"{_TYPED}; impl blocks, traits, macros",
    ),
    # The grammar fails on nine of ten real files, so there is none.
    "sql": Entry(
        "sql", "", "", "sql", ("sql",), ("dbt_project.yml",),
        imports="\\i and \\ir of psql; ref, source and macros of dbt",
        symbols="tables, views, functions, types and columns of statements, by schema",
    ),
}  # fmt: skip

_BY_EXTENSION = {
    extension: name for name, entry in LANGUAGES.items() for extension in entry.extensions
}
_MANIFESTS = re.compile(
    "|".join(sorted({translate(one) for entry in LANGUAGES.values() for one in entry.manifests}))
)


def language_of(path: str) -> str | None:
    """The name of the language that owns a path by its extension, or None."""
    return _BY_EXTENSION.get(path.rpartition(".")[2]) if "." in path else None


def family_of(path: str) -> str:
    """The family of the language that owns a path, "" for none."""
    language = language_of(path)
    return LANGUAGES[language].family if language else ""


def is_manifest(path: str) -> bool:
    """Whether a file of that name may decide how imports resolve."""
    return _MANIFESTS.match(path.rpartition("/")[2]) is not None


@cache
def load(name: str) -> Language:
    """The module of a language."""
    module = f"twine_hooks.analysis.languages.{LANGUAGES[name].module}"
    return cast("Language", import_module(module))
