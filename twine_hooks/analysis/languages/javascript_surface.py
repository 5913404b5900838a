"""What a JavaScript or TypeScript file gives to others: exports, and definitions by assignment;
knows no other file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Parsed
from twine_hooks.analysis.languages.javascript_imports import Imports
from twine_hooks.analysis.languages.javascript_nodes import (
    EXPORTS,
    FUNCTIONS,
    WHOLE,
    bound_in,
    has_token,
    literal,
    specifier,
    specifiers,
    text_of,
    unwrapped,
    value_kind,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: The left side of an assignment to a member, at the beginning of a signature.
MEMBER = re.compile(r"([A-Za-z_$][\w$]*)\s*\.\s*(?:prototype\s*\.\s*)?[\w$#]+(?=\s*(?:=|\Z))")
_IMPORT_CALL = re.compile(rb"(?:await\s+)?(?:require|import)\s*\(")


def read_surface(parsed: Parsed) -> Surface:
    """Imports, exports and the captures that stand for definitions by assignment."""
    imports = Imports(parsed)
    imports.read()
    surface = Surface(parsed, imports)
    surface.read_exports()
    if surface.is_module:
        imports.read_augmentations()
    surface.read_variables()
    return surface


class Surface:
    """Imports, exports and definitions while they are gathered from one file."""

    def __init__(self, parsed: Parsed, imports: Imports) -> None:
        self._parsed = parsed
        self.imports: list[Import] = imports.found
        self._bound = imports.bound
        self._exported = dict(imports.exported)
        #: it imports or exports, so what it keeps to itself is its own
        self.is_module = imports.make_a_module
        self._captures: dict[str, list[Node]] = {}
        self._shared: frozenset[str] = frozenset()  #: local names that are exported

    @property
    def exports(self) -> tuple[tuple[str, str], ...] | None:
        """(exported name, local name), sorted; None for a script, which hides nothing."""
        return tuple(sorted(self._exported.items())) if self.is_module else None

    @property
    def local_names(self) -> frozenset[str]:
        """The local names that are exported under any name."""
        return frozenset(self._exported.values())

    def captures(self) -> Parsed:
        """The file with the definitions that were found here among its captures."""
        locals_ = {name: self._nodes(name) for name in ("local", "local.hoisted")}
        bound = [
            one for nodes in locals_.values() for one in nodes if one.start_byte in self._bound
        ]
        kept = {
            name: [one for one in nodes if one.start_byte not in self._bound]
            for name, nodes in locals_.items()
        }
        bases = [*self._captures.get("base", ()), *self._nodes("base")]
        added = {name: [*self._nodes(name), *nodes] for name, nodes in self._captures.items()}
        return self._parsed.with_captures(
            {
                **added,
                **kept,
                "base": bases,
                "not_reference": [*self._nodes("not_reference"), *bound],
            }
        )

    def _nodes(self, capture: str) -> list[Node]:
        return self._parsed.nodes(capture)

    def _text(self, node: Node | None) -> str:
        return text_of(self._parsed, node)

    # --- exports --------------------------------------------------------------------------------

    def read_exports(self) -> None:
        for node in self._nodes("export"):
            self.is_module = True
            if node.child_by_field_name("source") is None:
                self._export_statement(node)
        for node in self._nodes("exports.assigned"):
            self._assigned(node)

    def _export_statement(self, node: Node) -> None:
        is_default = has_token(node, "default")
        declaration = node.child_by_field_name("declaration")
        value = node.child_by_field_name("value")
        if declaration is not None:
            names = list(self._declared(declaration))
            if is_default:
                self._exported["default"] = names[0] if names else "default"
            else:
                self._exported.update((name, name) for name in names)
        elif value is not None:
            self._export_value(node, value, "default")
        elif has_token(node, "="):
            for child in node.named_children[:1]:
                self._export_value(node, child, WHOLE)
        else:
            for clause in node.named_children:
                if clause.type == "export_clause":
                    for one in specifiers(clause):
                        name, alias = specifier(self._parsed, one)
                        self._exported[alias] = name

    def _export_value(self, node: Node, value: Node, name: str) -> None:
        """``export default value`` and ``export = value``."""
        value = unwrapped(value)
        if value.type == "identifier":
            self._exported[name] = self._text(value)
            return
        own = value.child_by_field_name("name") if value_kind(value) != "variable" else None
        token = next((one for one in node.children if one.type in ("default", "=")), None)
        label = own or token
        if label is not None:
            self._exported[name] = self._text(label)
            self._define(value_kind(value), node, label, value)
            self._define_methods(value)

    def _declared(self, declaration: Node) -> Iterator[str]:
        """The names that a declaration binds."""
        if declaration.type == "ambient_declaration":
            for child in declaration.named_children:
                yield from self._declared(child)
            return
        if declaration.type in ("lexical_declaration", "variable_declaration"):
            for one in declaration.named_children:
                target = one.child_by_field_name("name")
                if target is not None:
                    yield from map(self._text, bound_in(target))
            return
        if declaration.type == "import_alias" and declaration.named_children:
            yield self._text(declaration.named_children[0])
        name = self._text(declaration.child_by_field_name("name"))
        if name:
            yield name.partition(".")[0].strip()

    def _assigned(self, node: Node) -> None:
        """``exports.name = value`` and ``module.exports = value``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        found = EXPORTS.match(self._text(left))
        if not found or left is None or right is None:
            return
        self.is_module = True
        while right.type == "assignment_expression":
            right = right.child_by_field_name("right") or right.children[-1]
        variable = _variable_around(node)
        if variable is not None and not found[1]:
            self._exported.setdefault(WHOLE, self._text(variable))
        else:
            self._export_assigned(node, left, unwrapped(right), found[1] or WHOLE)

    def _export_assigned(self, node: Node, left: Node, value: Node, name: str) -> None:
        if value.type == "identifier":
            self._exported.setdefault(name, self._text(value))
        elif value.type in ("unary_expression", "undefined") or self._is_import(value):
            return
        elif name == WHOLE and value.type == "object":
            self._export_members(value)
        else:
            kind = value_kind(value)
            own = value.child_by_field_name("name") if kind != "variable" else None
            label = own if own is not None and name == WHOLE else left.named_children[-1]
            self._exported.setdefault(name, self._text(label))
            self._define(kind, node, label, value)
            self._define_methods(value)

    def _export_members(self, value: Node) -> None:
        """Each entry of ``module.exports = {…}`` is an export."""
        for child in value.named_children:
            if child.type == "shorthand_property_identifier":
                self._exported[self._text(child)] = self._text(child)
            elif child.type == "method_definition":
                self._export_member(child, child.child_by_field_name("name"), child)
            elif child.type == "pair":
                entry = child.child_by_field_name("value")
                if entry is not None:
                    self._export_member(child, child.child_by_field_name("key"), unwrapped(entry))

    def _export_member(self, node: Node, key: Node | None, value: Node) -> None:
        name = literal(self._text(key))
        if key is None or key.type not in ("property_identifier", "string"):
            return
        if value.type == "identifier":
            self._exported[name] = self._text(value)
        elif self._is_import(value):
            self._exported[name] = WHOLE + name
        else:
            self._exported[name] = name
            self._define(value_kind(value), node, key, value)
            self._define_methods(value)

    def _is_import(self, value: Node) -> bool:
        """Whether a value is what ``require`` or ``import`` gives, which is known as an import."""
        return bool(_IMPORT_CALL.match(self._parsed.text, value.start_byte)) and value.type in (
            "call_expression",
            "member_expression",
            "await_expression",
        )

    # --- definitions ----------------------------------------------------------------------------

    def read_variables(self) -> None:
        self._shared = self.local_names
        for node in self._nodes("top.variable"):
            declarators = [one for one in node.named_children if one.type == "variable_declarator"]
            for one in declarators:
                self._variable(node if len(declarators) == 1 else one, one, node)
        for node in self._nodes("member.assigned"):
            self._member(node)
        for node in self._nodes("import.alias"):
            if len(node.named_children) == 2:
                self._define("variable", node, node.named_children[0], None)
                self._capture("base", node.named_children[1])

    def _member(self, node: Node) -> None:
        """``Shape.prototype.area = function…`` and ``Shape.of = function…``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        owner = MEMBER.match(self._text(left))
        if owner and left is not None and owner[1] not in ("exports", "module", "window", "global"):
            self._define("method", node, left.child_by_field_name("property"), right)

    def _variable(self, whole: Node, declarator: Node, declaration: Node) -> None:
        target = declarator.child_by_field_name("name")
        if target is None or target.start_byte in self._bound:
            return
        constant = "constant" if has_token(declaration, "const") else "variable"
        if target.type != "identifier":
            for name in bound_in(target):
                if name.start_byte not in self._bound:
                    self._define(constant, name, name, None)
            return
        value = declarator.child_by_field_name("value")
        value = unwrapped(value) if value is not None else None
        kind = value_kind(value) if value is not None else "variable"
        self._define(constant if kind == "variable" else kind, whole, target, value)
        if value is not None and (not self.is_module or self._text(target) in self._shared):
            self._define_methods(value)

    def _define_methods(self, value: Node) -> None:
        """The functions in an object that others can reach."""
        for child in value.named_children if value.type == "object" else ():
            if child.type == "method_definition":
                self._define("method", child, child.child_by_field_name("name"), child)
            elif child.type == "pair":
                entry = child.child_by_field_name("value")
                if entry is not None and entry.type in FUNCTIONS:
                    self._define("method", child, child.child_by_field_name("key"), entry)

    def _define(self, kind: str, node: Node, name: Node | None, value: Node | None) -> None:
        if name is None:
            return
        self._capture(f"definition.{kind}", node)
        self._capture("name", name)
        body = value.child_by_field_name("body") if value is not None else None
        if body is not None:
            self._capture("body", body)

    def _capture(self, name: str, node: Node) -> None:
        self._captures.setdefault(name, []).append(node)


def _variable_around(node: Node) -> Node | None:
    """``app`` in ``var app = exports = module.exports = {}``."""
    parent = node.parent
    while parent is not None and parent.type == "assignment_expression":
        parent = parent.parent
    if parent is None or parent.type != "variable_declarator":
        return None
    name = parent.child_by_field_name("name")
    return name if name is not None and name.type == "identifier" else None
