"""How nodes of the JavaScript and TypeScript grammars are read; knows no captures and no facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from twine_hooks.analysis.lang_base import Parsed

if TYPE_CHECKING:
    from tree_sitter import Node

#: The export that a module is as a whole: ``module.exports = x``, ``export = x``.
WHOLE = "="
#: What is assigned to for an export; its name, None for the whole.
EXPORTS = re.compile(r"(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?\Z")

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})


def literal(text: str) -> str:
    """The text in quotes; a bare name as it is."""
    return text[1:-1] if text[:1] in ("'", '"', "`") and len(text) > 1 else text


def text_of(parsed: Parsed, node: Node | None) -> str:
    """The text of a node, "" for none."""
    return parsed.string(node.start_byte, node.end_byte) if node is not None else ""


def specifier(parsed: Parsed, node: Node) -> tuple[str, str]:
    """("a", "b") for ``a as b``, ("a", "a") for ``a``."""
    name = literal(text_of(parsed, node.child_by_field_name("name")))
    alias = literal(text_of(parsed, node.child_by_field_name("alias")))
    return name, alias or name


def has_token(node: Node, token: str) -> bool:
    """Whether a word or sign stands in a node itself, not only in a part of it."""
    return any(child.type == token for child in node.children)


def specifiers(clause: Node) -> list[Node]:
    """The names in the braces of an import or an export."""
    return [one for one in clause.named_children if one.type.endswith("_specifier")]


def unwrapped(value: Node) -> Node:
    """The value without brackets and type assertions around it."""
    while value.type in WRAPPERS and value.named_children:
        value = value.named_children[0]
    return value


def value_kind(value: Node) -> str:
    """The kind of definition that a name becomes by having this value."""
    if value.type in FUNCTIONS or value.type == "method_definition":
        return "function"
    return "class" if value.type == "class" else "variable"


def bound_in(pattern: Node) -> list[Node]:
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
