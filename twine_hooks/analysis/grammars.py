"""Grammars of tree-sitter-language-pack by name, each loaded without the rest of the package.

Importing the package also imports grammars that it takes from elsewhere, and `importlib.resources`
with them: 15 ms, of which a hook would have no more than the file of one grammar.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language

_PACKAGE = "tree_sitter_language_pack"


def grammar(name: str) -> Language:
    """The grammar that `tree_sitter_language_pack.get_language` gives by this name.

    Raises LookupError where it has none.
    """
    from tree_sitter import Language

    binding = _binding(name)
    if binding is None or binding.loader is None:
        from tree_sitter_language_pack import get_language

        return get_language(name)  # type: ignore[arg-type]
    module = module_from_spec(binding)
    binding.loader.exec_module(module)
    return Language(module.language())


def _binding(name: str) -> ModuleSpec | None:
    """The module of a grammar in the package; None for one that it takes from elsewhere."""
    package = PathFinder.find_spec(_PACKAGE)
    places = package.submodule_search_locations if package else None
    if not places:
        return None
    folders = [f"{place}/bindings" for place in places]
    return PathFinder.find_spec(f"{_PACKAGE}.bindings.{name}", folders)
