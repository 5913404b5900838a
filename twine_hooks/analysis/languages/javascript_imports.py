"""What a JavaScript or TypeScript file takes from others: statements, calls, types and doc comments
that name a module; knows no other file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twine_hooks.analysis.facts import EVERYTHING, Import
from twine_hooks.analysis.lang_base import Parsed
from twine_hooks.analysis.languages.javascript_nodes import (
    EXPORTS,
    WHOLE,
    WRAPPERS,
    has_token,
    literal,
    specifier,
    specifiers,
    text_of,
)
from twine_hooks.analysis.scopes import is_within, local_names

if TYPE_CHECKING:
    from tree_sitter import Node

_IN_TYPES = re.compile(r".*_type\Z|type_(?:annotation|alias_declaration|arguments|query)\Z")
_JSDOC_IMPORT = re.compile(
    rb"""import\(\s*(["'])([^"'\n]+)\1\s*\)(?:\s*\.\s*([A-Za-z_$][\w$]*))?"""
    rb"""|@import\b[^@]*?\bfrom\s*(["'])([^"'\n]+)\4"""
)


class Imports:
    """Imports while they are gathered from one file."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._functions = parsed.spans("scope")
        self.found: list[Import] = []
        self.exported: dict[str, str] = {}  #: name that is given on -> name that it is bound to
        self.bound: set[int] = set()  #: where names are bound by an import that is no statement

    def read(self) -> None:
        """Find all but what `read_augmentations` does."""
        for node in self._nodes("import"):
            source = literal(self._text(node.child_by_field_name("source")))
            if node.type == "export_statement":
                self._reexport(node, source)
            else:
                self._import_statement(node, source)
        for node in self._nodes("import.equals"):
            clause = node.parent
            if clause is not None and clause.named_children:
                self._add(node, "", self._text(clause.named_children[0]), "import")
        shadowed = local_names(self._parsed, lambda name: name == "require").get("require", [])
        for node in self._nodes("import.require"):
            if not is_within(shadowed, node.start_byte):
                lazy = is_within(self._functions, node.start_byte)
                self._call(node, "lazy" if lazy else "import")
        for node in self._nodes("import.dynamic"):
            self._call(node, "typing" if _is_type(node) else "dynamic")
        self._read_jsdoc()

    @property
    def make_a_module(self) -> bool:
        """Whether the file is a module for what it imports."""
        return bool(self.found) or bool(self._nodes("import"))

    def read_augmentations(self) -> None:
        """`declare module "x"` inside of a module adds to what `x` says; elsewhere it says it."""
        for node in self._nodes("import.augmented"):
            if "*" not in self._text(node):
                self._add(node, "", "", "typing")

    def _nodes(self, capture: str) -> list[Node]:
        return self._parsed.nodes(capture)

    def _text(self, node: Node | None) -> str:
        return text_of(self._parsed, node)

    def _add(self, source: Node, name: str, alias: str, kind: str) -> None:
        module = literal(self._text(source))
        if module:
            self.found.append(Import(module, name, alias, kind, source.start_point[0] + 1))

    def _import_statement(self, node: Node, module: str) -> None:
        line = node.start_point[0] + 1
        whole_kind = "typing" if has_token(node, "type") else "import"
        clause = next((one for one in node.named_children if one.type == "import_clause"), None)
        if clause is None:
            if module:
                self.found.append(Import(module, "", "", whole_kind, line))
            return
        before = len(self.found)
        for child in clause.named_children:
            if child.type == "identifier":
                names = [("default", self._text(child), whole_kind)]
            elif child.type == "namespace_import":
                names = [("", self._text(one), whole_kind) for one in child.named_children[:1]]
            else:
                names = [self._specifier(one, whole_kind) for one in specifiers(child)]
            self.found += [
                Import(module, name, alias, kind, line) for name, alias, kind in names if module
            ]
        if len(self.found) == before and module:
            self.found.append(Import(module, "", "", whole_kind, line))

    def _specifier(self, node: Node, kind: str) -> tuple[str, str, str]:
        return *specifier(self._parsed, node), "typing" if has_token(node, "type") else kind

    def _reexport(self, node: Node, module: str) -> None:
        line = node.start_point[0] + 1
        clauses = [one for one in node.named_children if one.type.endswith(("_export", "_clause"))]
        if not clauses:
            self.found.append(Import(module, EVERYTHING, "", "reexport", line))
        for clause in clauses:
            if clause.type == "export_clause":
                names = [specifier(self._parsed, one) for one in specifiers(clause)]
            else:
                names = [("", literal(self._text(one))) for one in clause.named_children[:1]]
            for name, alias in names:
                self.found.append(Import(module, name, alias, "reexport", line))
                self.exported[alias] = alias
            if not names:
                self.found.append(Import(module, "", "", "reexport", line))

    def _call(self, source: Node, kind: str) -> None:
        """``require(source)`` or ``import(source)``, with what is made of its result."""
        text = self._text(source)
        call = source.parent.parent if source.parent is not None else None
        is_computed = source.type == "template_string" and "${" in text
        if call is None or not _is_first(source) or is_computed:
            return
        name, node = "", call
        parent = node.parent
        while parent is not None and parent.type in ("await_expression", *WRAPPERS):
            node, parent = parent, parent.parent
        if parent is not None and parent.type == "member_expression":
            name = self._text(parent.child_by_field_name("property"))
            if kind == "dynamic" and name in ("then", "catch", "finally"):
                name = ""
            elif kind != "typing":
                node, parent = parent, parent.parent
        for taken, alias in self._bindings(node, parent, name):
            self._add(source, taken, alias, kind)

    def _bindings(self, value: Node, parent: Node | None, name: str) -> list[tuple[str, str]]:
        """(name taken, name bound) for the result of a call that stands as ``value``."""
        if parent is not None and parent.type == "variable_declarator":
            target = parent.child_by_field_name("name")
            if target is not None and target.type == "identifier":
                self.bound.add(target.start_byte)
                return [(name, self._text(target))]
            if target is not None and target.type == "object_pattern" and not name:
                return list(self._destructured(target)) or [("", "")]
        if parent is not None and parent.type == "assignment_expression":
            left = parent.child_by_field_name("left")
            if left is not None and left.start_byte < value.start_byte:
                found = EXPORTS.match(self._text(left))
                if found:
                    return [(name, self._export_alias(found[1] or ""))]
                if left.type == "identifier":
                    return [(name, self._text(left))]
        if parent is not None and parent.type == "pair":
            key = literal(self._text(parent.child_by_field_name("key")))
            return [(name, WHOLE + key)]
        if parent is not None and parent.type == "spread_element":
            return [(EVERYTHING, "")]
        return [(name, "")]

    def _export_alias(self, name: str) -> str:
        """The name, possible in no program, under which an imported value is exported."""
        self.exported.setdefault(name or WHOLE, WHOLE + name)
        return WHOLE + name

    def _destructured(self, pattern: Node) -> Iterator[tuple[str, str]]:
        for child in pattern.named_children:
            name, target = child, child
            if child.type == "pair_pattern":
                key = child.child_by_field_name("key")
                value = child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                name, target = key, value
            elif child.type == "rest_pattern":
                continue
            if target.type in ("assignment_pattern", "object_assignment_pattern"):
                target = target.child_by_field_name("left") or target
                name = target if name is child else name
            bound = target.type in ("identifier", "shorthand_property_identifier_pattern")
            if bound:
                self.bound.add(target.start_byte)
            yield literal(self._text(name)), self._text(target) if bound else ""

    def _read_jsdoc(self) -> None:
        text = self._parsed.text
        if b"import" not in text:
            return
        comments = [
            span for span in self._parsed.spans("comment") if text.startswith(b"/**", span[0])
        ]
        for start, end in comments:
            for found in _JSDOC_IMPORT.finditer(text, start, end):
                module = (found[2] or found[5]).decode("utf-8", "replace")
                name = (found[3] or b"").decode("utf-8", "replace")
                line = self._parsed.line_of(found.start())
                self.found.append(Import(module, name, "", "jsdoc", line))


def _is_first(argument: Node) -> bool:
    """Whether nothing but comments stands before an argument."""
    before = argument.prev_named_sibling
    return before is None or (before.type == "comment" and _is_first(before))


def _is_type(source: Node) -> bool:
    """Whether ``import(source)`` stands where a type does."""
    node = source.parent.parent if source.parent is not None else None
    while node is not None and node.type in ("call_expression", "member_expression"):
        node = node.parent
    return node is not None and bool(_IN_TYPES.match(node.type))
