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


_NODE_MANIFESTS = (
    "package.json", "tsconfig*.json", "jsconfig*.json", "pnpm-workspace.yaml", "lerna.json",
    "rush.json",
)  # fmt: skip

LANGUAGES: dict[str, Entry] = {
    "python": Entry(
        "python", "python", "python", "python", ("py", "pyi"),
        ("pyproject.toml", "setup.py", "setup.cfg"),
    ),
    "c": Entry(
        "c", "c", "c", "c", ("c", "h"), ("compile_commands.json", "compile_flags.txt"),
        prepares=True,
    ),
    "cpp": Entry(
        "cpp", "cpp", "cpp", "c",
        ("cpp", "cc", "cxx", "hpp", "hh", "hxx", "ipp", "inl", "tcc", "tpp", "cppm", "ixx"),
        ("compile_commands.json", "compile_flags.txt"), prepares=True,
    ),
    "javascript": Entry(
        "javascript", "javascript", "javascript+javascript_untyped+jsx", "javascript",
        ("js", "jsx", "mjs", "cjs"), _NODE_MANIFESTS,
    ),
    "typescript": Entry(
        "javascript", "typescript", "javascript+typescript", "javascript",
        ("ts", "mts", "cts"), _NODE_MANIFESTS,
    ),
    "tsx": Entry(
        "javascript", "tsx", "javascript+typescript+jsx", "javascript", ("tsx",), _NODE_MANIFESTS,
    ),
    "java": Entry("java", "java", "java", "jvm", ("java",)),
    "kotlin": Entry("kotlin", "kotlin", "kotlin", "jvm", ("kt", "kts"), prepares=True),
    "go": Entry("go", "go", "go", "go", ("go",), ("go.mod", "go.work")),
    "rust": Entry("rust", "rust", "rust", "rust", ("rs",), ("Cargo.toml",)),
    # The grammar fails on nine of ten real files, so there is none.
    "sql": Entry("sql", "", "", "sql", ("sql",), ("dbt_project.yml",)),
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
