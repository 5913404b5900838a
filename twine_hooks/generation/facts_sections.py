"""Sections that are rendered from facts alone: one row a line, no counts, no line numbers."""

from __future__ import annotations

import posixpath
import re

from docs_store.layout import doc_path
from twine_hooks.analysis.facts import EVERYTHING, Definition
from twine_hooks.doc_comments import first_sentence
from twine_hooks.markup import code, link, plain_inside
from twine_hooks.material import Dependency, Material
from twine_hooks.members import Members, members_by_owner

_VALUE_KINDS = frozenset({"constant", "variable", "field", "property", "enumerator"})
_HEAD_LIMIT, _DECORATORS_LIMIT = 600, 40  #: characters
_VALUE_LIMIT = 200  #: characters of a head that is mostly what comes behind its name
_MOSTLY_VALUES = frozenset({"macro", "type", "constant", "variable"})
_COMPARES = ("=", "!", "<", ">")
#: A macro that stands for text, which may be a secret as well as any other text.
_TEXT_MACRO = re.compile(r"(#\s*define\s+\w+(?:\([^)]*\))?)[^\"]*\"")
#: A value that says something to a reader and cannot be a secret.
_SHOWN_VALUE = re.compile(
    r"[^=]*=\s*(?:[-+]?[\d._]+(?:e[-+]?\d+)?|True|False|None|true|false|null)\s*;?"
)


def render_section(name: str, material: Material) -> str:
    """The body of a facts section; "" when there is nothing to say."""
    return {"definitions": definitions, "dependencies": dependencies}[name](material)


def definitions(material: Material) -> str:
    """The public definitions and their public members, each with its signature and first words."""
    lines: list[str] = []
    members = members_by_owner(material.facts)
    _add_lines(lines, members, -1, 0)
    for owner in members:
        if isinstance(owner, str):
            lines.append(f"- Members of {code(owner)}")
            _add_lines(lines, members, owner, 1)
    return "\n".join(lines)


def _add_lines(lines: list[str], members: Members, owner: int | str, depth: int) -> None:
    seen: set[str] = set()
    for number, one in members.get(owner, ()):
        entry = _entry(one)
        if one.public and entry not in seen:  # `int a, b;` defines two, with one head
            seen.add(entry)
            lines.append(f"{'  ' * depth}- {entry}")
            _add_lines(lines, members, number, depth + 1)


def _entry(one: Definition) -> str:
    limit = _VALUE_LIMIT if one.kind in _MOSTLY_VALUES else _HEAD_LIMIT
    text = f"{_decorators(one)}{signature_of(one)}"
    head = code(text if len(text) <= limit else text[:limit].rstrip() + "…")
    said = first_sentence(one.doc)
    return f"{head}: {plain_inside(said)}" if said else head


def _decorators(one: Definition) -> str:
    """Decorators that say how a member is called; long ones say more about their framework.

    ``#[…]`` and ``[…]`` are whole as they are, all others go without their "@".
    """
    text = "".join(f"@{one} " if one[:1] not in "#[" else f"{one} " for one in one.decorators)
    return text if len(text) <= _DECORATORS_LIMIT else ""


def signature_of(one: Definition) -> str:
    """The signature as a document may show it: of a value only what cannot be a secret."""
    text = one.signature
    if one.kind in _VALUE_KINDS and not _SHOWN_VALUE.fullmatch(text):
        text = _without_value(text, one.name)
    elif macro := _TEXT_MACRO.match(text):
        text = macro[1]
    return text.rstrip(" ;,") or one.name


def _without_value(text: str, name: str) -> str:
    """The head of a value up to the "=" that belongs to no type, and to no "=>" in one."""
    braces = re.search(rf"\b{re.escape(name)}\s*(\{{[^{{}}]*[\"'][^{{}}]*\}})", text)
    if braces:
        text = text[: braces.start(1)]
    depth = 0
    for position, char in enumerate(text):
        before, after = text[position - 1 : position], text[position + 1 : position + 2]
        if char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and before not in ("=", "-")):
            depth -= 1
        elif char == "=" and depth <= 0 and before not in _COMPARES and after not in _COMPARES:
            return text[:position].rstrip(" :")
    return text


def dependencies(material: Material) -> str:
    """The files that it uses and the names that it uses of each."""
    lines = []
    for one in material.dependencies:
        lines.append(f"- {_file_link(material.path, one)}{_names(one)}")
        for used in one.symbols:
            if used.definition is not None and material.says_uses:
                said = plain_inside(first_sentence(used.definition.doc))
                if said:
                    lines.append(f"  - {code(used.name)}: {said}")
    return "\n".join(lines)


def _names(one: Dependency) -> str:
    names = [code(used.name) for used in one.symbols if used.name != EVERYTHING]
    return ": " + ", ".join(names) if names else ""


def _file_link(path: str, one: Dependency) -> str:
    folder = posixpath.dirname(doc_path(path))
    target = doc_path(one.path) if one.has_document else one.path
    return link(code(one.path), posixpath.relpath(target, folder))
