"""Python: what a file says about itself, and where its imports lead."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from twine_hooks.analysis.definitions import collect_definitions, collect_names
from twine_hooks.analysis.facts import Definition, Facts, Import
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import Parsed, Project, Traits, without_indentation
from twine_hooks.analysis.languages.python_imports import MARKS, STRING, exports_of, imports_of
from twine_hooks.analysis.languages.python_modules import Modules
from twine_hooks.analysis.languages.python_names import references_of
from twine_hooks.analysis.languages.python_surface import read_surface, with_variables
from twine_hooks.analysis.languages.python_text import Code, code_of
from twine_hooks.analysis.languages.python_types import Types
from twine_hooks.analysis.modules import ModuleLinker
from twine_hooks.analysis.name_changes import MODULE_CHANGES

_SELF = frozenset({"self", "cls", "super"})


def _clean_doc(text: str) -> str:
    found = STRING.match(text)
    return without_indentation(found[2]) if found else text


def _is_public(name: str, head: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


TRAITS = Traits(
    linking_reads_heads=False,
    changes=MODULE_CHANGES,
    imports_spell_paths=True,
    lines_end_statements=True,
    quotes_are_equal=True,
    clean_doc=_clean_doc,
    is_public=_is_public,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one Python file."""
    code = code_of(parsed)
    imports = list(imports_of(parsed, code))
    exports = exports_of(parsed, code)
    exported = frozenset(exports or ())
    parsed, methods, members = read_surface(parsed, code)
    definitions, tokens = collect_definitions(parsed, TRAITS, exported)
    definitions = [
        one._replace(kind="constant")
        if one.kind == "variable" and one.name.strip("_").isupper()
        else one
        for one in definitions
    ]
    names = _names(imports, definitions)
    types = Types(parsed, code, _Everything() if names is None else names, methods, definitions)
    given = {one.start for one in members}
    owners = [one for one in enumerate(definitions) if one[1].start not in given]
    doc = "".join(_clean_doc(parsed.string(*span)) for span in parsed.spans("doc.module")[:1])
    return Facts(
        language="python",
        definitions=tuple(definitions),
        references=tuple(sorted(references_of(parsed, code, types, names, owners))),
        imports=_sorted(imports),
        exports=_listed(exports),
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=types.of_definitions(definitions, members),
    )


def read_names(parsed: Parsed) -> Facts:
    """What the edges between Python files follow from: imports, exports, names of definitions."""
    needs_code = any(mark in parsed.text for mark in MARKS)
    code = code_of(parsed) if needs_code else Code(b"", {}, [])
    exports = exports_of(parsed, code)
    return Facts(
        language="python",
        definitions=tuple(collect_names(with_variables(parsed), TRAITS)),
        imports=_sorted(imports_of(parsed, code)),
        exports=_listed(exports),
        lines=parsed.line_count,
    )


def _sorted(imports: Iterable[Import]) -> tuple[Import, ...]:
    return tuple(sorted(imports, key=lambda one: (one.line, one.module, one.name)))


def _listed(exports: Sequence[str] | None) -> tuple[tuple[str, str], ...] | None:
    return None if exports is None else tuple((name, name) for name in sorted(set(exports)))


def _names(imports: Sequence[Import], definitions: Sequence[Definition]) -> frozenset[str] | None:
    """The names that can lead out of a function; None for any name at all."""
    if any(one.name == "*" for one in imports):
        return None
    top = [one.name for one in definitions if one.parent < 0]
    return _SELF.union(top, (one.alias for one in imports))


class _Everything(Container[str]):
    def __contains__(self, name: object) -> bool:
        return True


def linker(project: Project) -> ModuleLinker:
    """Resolves the imports and references of Python files."""
    return ModuleLinker(project, Modules(project), self_names=_SELF)


__all__ = ["TRAITS", "linker", "read"]
