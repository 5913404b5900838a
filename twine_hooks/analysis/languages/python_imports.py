"""What a Python file imports and what it says that it exports; knows nothing of other files."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Parsed, Span, is_within
from twine_hooks.analysis.languages.python_text import Code, statement_end

if TYPE_CHECKING:
    from tree_sitter import Node

STRING = re.compile(r"""^[rRbBuUfF]*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)
_TYPE_CHECKING = re.compile(
    rb"^[ \t]*if[ \t]*\(?[ \t]*(?:\w+\.)?TYPE_CHECKING[ \t]*\)?[ \t]*:", re.M
)
_DYNAMIC = re.compile(rb"\b(?:import_module|__import__)\(")
_MODULE = re.compile(r"\.*[^\W\d]\w*(?:\.\w+)*")
_EXPORTS = re.compile(rb"^__all__[ \t]*(?::[^=\n]*)?\+?=|^__all__\.(?:extend|append)\b", re.M)


def imports_of(parsed: Parsed, code: Code) -> Iterator[Import]:
    """Each imported name. ``code`` is the text without strings and comments."""
    functions = parsed.spans("scope")
    typing_blocks = _typing_blocks(parsed, code)
    for node in parsed.nodes("import"):
        at = node.start_byte
        kind = "import"
        if is_within(functions, at):
            kind = "lazy"
        elif is_within(typing_blocks, at):
            kind = "typing"
        yield from _statement(parsed, node, kind)
    if b"import_module" in code.text or b"__import__" in code.text:
        yield from _dynamic(parsed, code)


def _typing_blocks(parsed: Parsed, code: Code) -> list[Span]:
    """What only type checkers read."""
    if b"TYPE_CHECKING" not in code.text:
        return []
    blocks = parsed.spans("block")
    found = []
    for condition in _TYPE_CHECKING.finditer(code.text):
        index = bisect_left(blocks, (condition.end(), 0))
        if index < len(blocks):
            found.append(blocks[index])
    return found


def _dynamic(parsed: Parsed, code: Code) -> Iterator[Import]:
    strings = dict(parsed.spans("verbatim"))
    for call in _DYNAMIC.finditer(code.text):
        start = call.end()
        # The string is blank in the code: it begins with the first of the text's own characters.
        while parsed.text[start : start + 1].isspace():
            start += 1
        found = STRING.match(parsed.string(start, strings.get(start, start)))
        if found and _MODULE.fullmatch(found[2]):
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


def exports_of(parsed: Parsed, code: Code) -> list[str] | None:
    """The names in ``__all__`` as far as they are written out, None without any ``__all__``."""
    if b"__all__" not in code.text:
        return None
    found = [match.end() for match in _EXPORTS.finditer(code.text)]
    if not found:
        return None
    return [
        named[2]
        for at in found
        for named in _QUOTED.finditer(parsed.string(at, statement_end(code, at)))
    ]
