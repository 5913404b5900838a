"""Sections that are rendered from facts alone: one row a line, no counts, no line numbers."""

from __future__ import annotations

import posixpath
import re

from docs_store.layout import doc_path
from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts
from twine_hooks.markup import code, first_sentence, link, plain_inside
from twine_hooks.material import Dependency, Material

_VALUE_KINDS = frozenset({"constant", "variable", "field", "property", "enumerator"})
_HEAD_LIMIT, _DECORATORS_LIMIT = 200, 40  #: characters
#: A value that says something to a reader and cannot be a secret.
_SHOWN_VALUE = re.compile(
    r"[^=]*=\s*(?:[-+]?[\d._]+(?:e[-+]?\d+)?|True|False|None|true|false|null)\s*;?"
)


def render_section(name: str, material: Material) -> str:
    """The body of a facts section; "" when there is nothing to say."""
    return {"definitions": definitions, "dependencies": dependencies}[name](material)


def definitions(material: Material) -> str:
    """The public definitions and their public members, each with its signature and first words."""
    return "\n".join(
        f"{'  ' * _depth(material.facts, one)}- {_entry(one)}"
        for one in _once_each(material.facts)
        if one.public
    )


def _once_each(facts: Facts) -> list[Definition]:
    """Without repetitions of the very same head (a variable assigned twice)."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for one in facts.definitions:
        key = (one.qualified, signature_of(one))
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept


def _depth(facts: Facts, one: Definition) -> int:
    depth = 0
    while one.parent >= 0:
        one = facts.definitions[one.parent]
        depth += 1
    return depth


def _entry(one: Definition) -> str:
    head = code(shortened(f"{_decorators(one)}{signature_of(one)}"))
    said = first_sentence(one.doc)
    return f"{head}: {plain_inside(said)}" if said else head


def _decorators(one: Definition) -> str:
    """Decorators that say how a member is called; long ones say more about their framework."""
    text = "".join(f"@{decorator} " for decorator in one.decorators)
    return text if len(text) <= _DECORATORS_LIMIT else ""


def shortened(text: str) -> str:
    """A head that still fits a line of review."""
    return text if len(text) <= _HEAD_LIMIT else text[:_HEAD_LIMIT].rstrip() + "…"


def signature_of(one: Definition) -> str:
    """The signature as a document may show it: of a value only what cannot be a secret."""
    if one.kind in _VALUE_KINDS and not _SHOWN_VALUE.fullmatch(one.signature):
        return one.signature.partition("=")[0].strip() or one.name
    return one.signature or one.name


def dependencies(material: Material) -> str:
    """The files that it uses and the names that it uses of each."""
    lines = []
    for one in material.dependencies:
        lines.append(f"- {_file_link(material.path, one)}{_names(one)}")
        for used in one.symbols:
            if used.definition is not None and material.says_uses and used.definition.doc:
                said = plain_inside(first_sentence(used.definition.doc))
                lines.append(f"  - {code(used.name)}: {said}")
    return "\n".join(lines)


def _names(one: Dependency) -> str:
    names = [code(used.name) for used in one.symbols if used.name != EVERYTHING]
    return ": " + ", ".join(names) if names else ""


def _file_link(path: str, one: Dependency) -> str:
    folder = posixpath.dirname(doc_path(path))
    target = doc_path(one.path) if one.has_document else one.path
    return link(code(one.path), posixpath.relpath(target, folder))
