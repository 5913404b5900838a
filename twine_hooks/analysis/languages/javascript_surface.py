"""What a JavaScript or TypeScript file takes from others and gives to them: imports, exports,
and definitions by assignment; knows no other file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twine_hooks.analysis.facts import EVERYTHING, Import
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.scopes import is_within, local_names

if TYPE_CHECKING:
    from tree_sitter import Node

#: The export that a module is as a whole: ``module.exports = x``, ``export = x``.
WHOLE = "="

_EXPORTS = re.compile(r"(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?\Z")
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_IN_TYPES = re.compile(r".*_type\Z|type_(?:annotation|alias_declaration|arguments|query)\Z")
_JSDOC_IMPORT = re.compile(
    rb"""import\(\s*(["'])([^"'\n]+)\1\s*\)(?:\s*\.\s*([A-Za-z_$][\w$]*))?"""
    rb"""|@import\b[^@]*?\bfrom\s*(["'])([^"'\n]+)\4"""
)


def read_surface(parsed: Parsed) -> Surface:
    """Imports, exports and the captures that stand for definitions by assignment."""
    surface = Surface(parsed)
    surface.read_imports()
    surface.read_exports()
    surface.read_augmentations()
    surface.read_variables()
    return surface


class Surface:
    """Imports, exports and definitions while they are gathered from one file."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._functions = parsed.spans("scope")
        self.imports: list[Import] = []
        self._exported: dict[str, str] = {}
        self.is_module = False  #: it imports or exports, so what it keeps to itself is its own
        self._captures: dict[str, list[Node]] = {}
        self._shared: frozenset[str] = frozenset()  #: local names that are exported
        self._bound: set[int] = set()  #: where names are bound by an import that is no statement

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
        return self._parsed.string(node.start_byte, node.end_byte) if node is not None else ""

    # --- imports --------------------------------------------------------------------------------

    def read_imports(self) -> None:
        for node in self._nodes("import"):
            source = _literal(self._text(node.child_by_field_name("source")))
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
        self.is_module = bool(self.imports) or bool(self._nodes("import"))

    def read_augmentations(self) -> None:
        """`declare module "x"` inside of a module adds to what `x` says; elsewhere it says it."""
        for node in self._nodes("import.augmented") if self.is_module else ():
            if "*" not in self._text(node):
                self._add(node, "", "", "typing")

    def _add(self, source: Node, name: str, alias: str, kind: str) -> None:
        module = _literal(self._text(source))
        if module:
            self.imports.append(Import(module, name, alias, kind, source.start_point[0] + 1))

    def _import_statement(self, node: Node, module: str) -> None:
        line = node.start_point[0] + 1
        whole_kind = "typing" if _has_token(node, "type") else "import"
        clause = next((one for one in node.named_children if one.type == "import_clause"), None)
        if clause is None:
            if module:
                self.imports.append(Import(module, "", "", whole_kind, line))
            return
        before = len(self.imports)
        for child in clause.named_children:
            if child.type == "identifier":
                names = [("default", self._text(child), whole_kind)]
            elif child.type == "namespace_import":
                names = [("", self._text(one), whole_kind) for one in child.named_children[:1]]
            else:
                names = [self._specifier(one, whole_kind) for one in _specifiers(child)]
            self.imports += [
                Import(module, name, alias, kind, line) for name, alias, kind in names if module
            ]
        if len(self.imports) == before and module:
            self.imports.append(Import(module, "", "", whole_kind, line))

    def _specifier(self, node: Node, kind: str) -> tuple[str, str, str]:
        name = _literal(self._text(node.child_by_field_name("name")))
        alias = _literal(self._text(node.child_by_field_name("alias")))
        return name, alias or name, "typing" if _has_token(node, "type") else kind

    def _reexport(self, node: Node, module: str) -> None:
        line = node.start_point[0] + 1
        clauses = [one for one in node.named_children if one.type.endswith(("_export", "_clause"))]
        if not clauses:
            self.imports.append(Import(module, EVERYTHING, "", "reexport", line))
        for clause in clauses:
            if clause.type == "export_clause":
                names = [self._specifier(one, "reexport")[:2] for one in _specifiers(clause)]
            else:
                names = [("", _literal(self._text(one))) for one in clause.named_children[:1]]
            for name, alias in names:
                self.imports.append(Import(module, name, alias, "reexport", line))
                self._exported[alias] = alias
            if not names:
                self.imports.append(Import(module, "", "", "reexport", line))

    def _call(self, source: Node, kind: str) -> None:
        """``require(source)`` or ``import(source)``, with what is made of its result."""
        text = self._text(source)
        call = source.parent.parent if source.parent is not None else None
        is_computed = source.type == "template_string" and "${" in text
        if call is None or not _is_first(source) or is_computed:
            return
        name, node = "", call
        parent = node.parent
        while parent is not None and parent.type in ("await_expression", *_WRAPPERS):
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
                self._bound.add(target.start_byte)
                return [(name, self._text(target))]
            if target is not None and target.type == "object_pattern" and not name:
                return list(self._destructured(target)) or [("", "")]
        if parent is not None and parent.type == "assignment_expression":
            left = parent.child_by_field_name("left")
            if left is not None and left.start_byte < value.start_byte:
                found = _EXPORTS.match(self._text(left))
                if found:
                    return [(name, self._export_alias(found[1] or ""))]
                if left.type == "identifier":
                    return [(name, self._text(left))]
        if parent is not None and parent.type == "pair":
            key = _literal(self._text(parent.child_by_field_name("key")))
            return [(name, WHOLE + key)]
        if parent is not None and parent.type == "spread_element":
            return [(EVERYTHING, "")]
        return [(name, "")]

    def _export_alias(self, name: str) -> str:
        """The name, possible in no program, under which an imported value is exported."""
        self._exported.setdefault(name or WHOLE, WHOLE + name)
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
                self._bound.add(target.start_byte)
            yield _literal(self._text(name)), self._text(target) if bound else ""

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
                self.imports.append(Import(module, name, "", "jsdoc", line))

    # --- exports --------------------------------------------------------------------------------

    def read_exports(self) -> None:
        for node in self._nodes("export"):
            self.is_module = True
            if node.child_by_field_name("source") is None:
                self._export_statement(node)
        for node in self._nodes("exports.assigned"):
            self._assigned(node)

    def _export_statement(self, node: Node) -> None:
        is_default = _has_token(node, "default")
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
        elif _has_token(node, "="):
            for child in node.named_children[:1]:
                self._export_value(node, child, WHOLE)
        else:
            for clause in node.named_children:
                if clause.type == "export_clause":
                    for one in _specifiers(clause):
                        name, alias, _ = self._specifier(one, "")
                        self._exported[alias] = name

    def _export_value(self, node: Node, value: Node, name: str) -> None:
        """``export default value`` and ``export = value``."""
        value = _unwrapped(value)
        if value.type == "identifier":
            self._exported[name] = self._text(value)
            return
        own = value.child_by_field_name("name") if _value_kind(value) != "variable" else None
        token = next((one for one in node.children if one.type in ("default", "=")), None)
        label = own or token
        if label is not None:
            self._exported[name] = self._text(label)
            self._define(_value_kind(value), node, label, value)
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
                    yield from map(self._text, _bound_in(target))
            return
        if declaration.type == "import_alias" and declaration.named_children:
            yield self._text(declaration.named_children[0])
        name = self._text(declaration.child_by_field_name("name"))
        if name:
            yield name.partition(".")[0].strip()

    def _assigned(self, node: Node) -> None:
        """``exports.name = value`` and ``module.exports = value``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        found = _EXPORTS.match(self._text(left))
        if not found or left is None or right is None:
            return
        self.is_module = True
        while right.type == "assignment_expression":
            right = right.child_by_field_name("right") or right.children[-1]
        variable = _variable_around(node)
        if variable is not None and not found[1]:
            self._exported.setdefault(WHOLE, self._text(variable))
        else:
            self._export_assigned(node, left, _unwrapped(right), found[1] or WHOLE)

    def _export_assigned(self, node: Node, left: Node, value: Node, name: str) -> None:
        if value.type == "identifier":
            self._exported.setdefault(name, self._text(value))
        elif value.type in ("unary_expression", "undefined") or self._is_import(value):
            return
        elif name == WHOLE and value.type == "object":
            self._export_members(value)
        else:
            kind = _value_kind(value)
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
                    self._export_member(child, child.child_by_field_name("key"), _unwrapped(entry))

    def _export_member(self, node: Node, key: Node | None, value: Node) -> None:
        name = _literal(self._text(key))
        if key is None or key.type not in ("property_identifier", "string"):
            return
        if value.type == "identifier":
            self._exported[name] = self._text(value)
        elif self._is_import(value):
            self._exported[name] = WHOLE + name
        else:
            self._exported[name] = name
            self._define(_value_kind(value), node, key, value)
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
        constant = "constant" if _has_token(declaration, "const") else "variable"
        if target.type != "identifier":
            for name in _bound_in(target):
                if name.start_byte not in self._bound:
                    self._define(constant, name, name, None)
            return
        value = declarator.child_by_field_name("value")
        value = _unwrapped(value) if value is not None else None
        kind = _value_kind(value) if value is not None else "variable"
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
                if entry is not None and entry.type in _FUNCTIONS:
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


#: The left side of an assignment to a member, at the beginning of a signature.
MEMBER = re.compile(r"([A-Za-z_$][\w$]*)\s*\.\s*(?:prototype\s*\.\s*)?[\w$#]+(?=\s*(?:=|\Z))")
_IMPORT_CALL = re.compile(rb"(?:await\s+)?(?:require|import)\s*\(")


def _is_first(argument: Node) -> bool:
    """Whether nothing but comments stands before an argument."""
    before = argument.prev_named_sibling
    return before is None or (before.type == "comment" and _is_first(before))


def _variable_around(node: Node) -> Node | None:
    """``app`` in ``var app = exports = module.exports = {}``."""
    parent = node.parent
    while parent is not None and parent.type == "assignment_expression":
        parent = parent.parent
    if parent is None or parent.type != "variable_declarator":
        return None
    name = parent.child_by_field_name("name")
    return name if name is not None and name.type == "identifier" else None


def _literal(text: str) -> str:
    """The text in quotes; a bare name as it is."""
    return text[1:-1] if text[:1] in ("'", '"', "`") and len(text) > 1 else text


def _has_token(node: Node, token: str) -> bool:
    return any(child.type == token for child in node.children)


def _specifiers(clause: Node) -> list[Node]:
    return [one for one in clause.named_children if one.type.endswith("_specifier")]


def _unwrapped(value: Node) -> Node:
    """The value without brackets and type assertions around it."""
    while value.type in _WRAPPERS and value.named_children:
        value = value.named_children[0]
    return value


def _value_kind(value: Node) -> str:
    if value.type in _FUNCTIONS or value.type == "method_definition":
        return "function"
    return "class" if value.type == "class" else "variable"


def _bound_in(pattern: Node) -> list[Node]:
    """The names that a pattern binds, in their order."""
    found, waiting = [], [pattern]
    while waiting:
        node = waiting.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            found.append(node)
        elif node.type == "pair_pattern":
            waiting += [one for one in [node.child_by_field_name("value")] if one is not None]
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            waiting += [one for one in [node.child_by_field_name("left")] if one is not None]
        elif node.type.endswith("_pattern"):
            waiting += reversed(node.named_children)
    return found


def _is_type(source: Node) -> bool:
    """Whether ``import(source)`` stands where a type does."""
    node = source.parent.parent if source.parent is not None else None
    while node is not None and node.type in ("call_expression", "member_expression"):
        node = node.parent
    return node is not None and bool(_IN_TYPES.match(node.type))


__all__ = ["WHOLE", "Span", "Surface", "read_surface"]
