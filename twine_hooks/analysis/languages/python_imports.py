"""What a Python file imports and what it says that it exports; knows nothing of other files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Parsed, is_within

if TYPE_CHECKING:
    from tree_sitter import Node

STRING = re.compile(r"""^[rRbBuUfF]*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)
_TYPE_CHECKING = re.compile(r"^(?:\w+\.)?TYPE_CHECKING$")


def imports_of(parsed: Parsed) -> Iterator[Import]:
    functions = parsed.spans("scope")
    typing_blocks = [
        (block.start_byte, block.end_byte)
        for condition, block in zip(
            parsed.nodes("typing.condition"), parsed.nodes("typing.block"), strict=False
        )
        if _TYPE_CHECKING.match(parsed.string(condition.start_byte, condition.end_byte))
    ]
    for node in parsed.nodes("import"):
        at = node.start_byte
        kind = "import"
        if is_within(functions, at):
            kind = "lazy"
        elif is_within(typing_blocks, at):
            kind = "typing"
        yield from _statement(parsed, node, kind)
    for start, end in parsed.spans("import.dynamic"):
        found = STRING.match(parsed.string(start, end))
        if found and re.fullmatch(r"\.*[^\W\d]\w*(\.\w+)*", found[2]):
            yield Import(found[2], "", "", "dynamic", parsed.line_of(start))


def _statement(parsed: Parsed, node: Node, kind: str) -> Iterator[Import]:
    line = node.start_point[0] + 1
    module = node.child_by_field_name("module_name")
    if module is None:
        for name, alias in _names(parsed, node):
            yield Import(name, "", alias or name.partition(".")[0], kind, line)
        return
    source = re.sub(r"\s", "", parsed.string(module.start_byte, module.end_byte))
    if any(child.type == "wildcard_import" for child in node.children):
        yield Import(source, "*", "", kind, line)
    for name, alias in _names(parsed, node):
        yield Import(source, name, alias or name, kind, line)


def _names(parsed: Parsed, node: Node) -> Iterator[tuple[str, str]]:
    """(name, alias or "") of each name of an import statement."""
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        name = child.child_by_field_name("name") or child
        text = re.sub(r"\s", "", parsed.string(name.start_byte, name.end_byte))
        yield text, parsed.string(alias.start_byte, alias.end_byte) if alias else ""


_QUOTED = re.compile(r"""(["'])((?:[^\W\d]|_)\w*)\1""")


def exports_of(parsed: Parsed) -> list[str] | None:
    """The names in ``__all__`` as far as they are written out, None without any ``__all__``."""
    spans = parsed.spans("exports")
    if not spans:
        return None
    return [found[2] for span in spans for found in _QUOTED.finditer(parsed.string(*span))]
