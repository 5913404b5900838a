"""Java: what a file says about itself. What its names lead to is in analysis/jvm.py."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import, Reference
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.jvm import JVM_CHANGES
from twine_hooks.analysis.jvm import JvmLinker as linker
from twine_hooks.analysis.lang_base import Parsed, Span, Traits
from twine_hooks.analysis.languages.jvm_chains import (
    GAP,
    NAME,
    UNKNOWN,
    Chains,
    Scoped,
    Syntax,
)
from twine_hooks.analysis.languages.jvm_files import (
    Gathered,
    clean_doc,
    dotted,
    file_doc,
    plain_type,
    types_of,
)
from twine_hooks.analysis.languages.jvm_reader import read_names, value_of
from twine_hooks.analysis.scopes import innermost

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASS_KINDS = frozenset({"class", "interface", "enum", "record", "annotation"})
_IMPORT = re.compile(r"import (static )?([^\s*;]+?)(\.\*)? ?;?$")
_SYNTAX = Syntax(
    step=re.compile(rb"%s(\.|::)%s(?:<[\w\s,.<>?\[\]&@]*>%s)?(%s)" % (GAP, GAP, GAP, NAME)),
    element=re.compile(rb"\[(?:[^\[\]]|\[[^\[\]]*\]){1,200}\]"),
)
_BOUND = re.compile(rb"\s+extends\s+([\w.$\x80-\xff]+)")
_PLAIN_TYPES = frozenset({"integral_type", "floating_point_type", "boolean_type", "void_type"})
_SET_TO = re.compile(rb"%s([=:])(?!:)" % GAP)
_PRIVATE = re.compile(r"(?:\w+ )*?private ")
_CONSTANT = re.compile(r"(?=(?:\w+ )*?static )(?=(?:\w+ )*?final )")


def _is_public(name: str, head: str) -> bool:
    return _PRIVATE.match(head) is None


TRAITS = Traits(
    changes=JVM_CHANGES,
    imports_lead_to_sources=True,
    clean_doc=clean_doc,
    after_doc=re.compile(rb"%s\Z" % GAP),
    is_public=_is_public,
    class_kinds=_CLASS_KINDS,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one Java file."""
    found, tokens = collect_definitions(parsed, TRAITS)
    types = types_of(parsed, found)
    definitions = _tidy(found, types)
    doc = file_doc(parsed, definitions)
    return Facts(
        language="java",
        definitions=tuple(definitions),
        references=_references(parsed, found),
        imports=tuple(sorted(_imports(parsed), key=lambda one: (one.line, one.module, one.name))),
        namespace="".join(dotted(parsed.string(*span)) for span in parsed.spans("package")[:1]),
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple((f"type {index}", types[index]) for index in sorted(types)),
    )


def _tidy(found: Sequence[Definition], types: dict[int, str]) -> list[Definition]:
    """Constructors and constants under their usual names, ``int a, b`` as two fields."""
    tidy: list[Definition] = []
    for index, one in enumerate(found):
        first = tidy[one.parent] if one.parent >= 0 else None
        if first is not None and first.kind in ("field", "constant"):
            if one.parent in types:
                types.setdefault(index, types[one.parent])
            one = one._replace(
                parent=first.parent,
                qualified=f"{first.qualified.removesuffix(first.name)}{one.name}",
                kind=first.kind,
                signature=f"{first.signature.partition(first.name)[0]}{one.signature}",
            )
        elif one.kind == "constructor":
            around = one.qualified.rpartition(".")[0]
            one = one._replace(name="<init>", qualified=f"{around}.<init>")
        elif one.kind == "field" and _CONSTANT.match(one.signature):
            one = one._replace(kind="constant")
        tidy.append(one)
    return tidy


def _imports(parsed: Parsed) -> Iterator[Import]:
    for start, end in parsed.spans("import"):
        found = _IMPORT.match(dotted(parsed.string(start, end)))
        if found is None:
            continue
        kind, line = "static" if found[1] else "import", parsed.line_of(start)
        if found[3]:
            yield Import(found[2], "*", "", kind, line)
        else:
            module, _, name = found[2].rpartition(".")
            yield Import(module, name, name, kind, line)


# --- what is local -----------------------------------------------------------------------------


def _references(parsed: Parsed, definitions: Sequence[Definition]) -> tuple[Reference, ...]:
    inner = _Inner(parsed, definitions)
    arguments = {
        node.start_byte: (node.end_byte, node.named_child_count)
        for node in parsed.nodes("arguments")
    }
    chains = Chains(parsed, _SYNTAX, arguments, inner.types)
    _add_locals(parsed, chains)
    inner.add_fields(chains)
    gathered = Gathered(parsed, definitions, inner.contexts(chains))
    read_names(parsed, chains, gathered)
    return gathered.references(chains)


class _Inner:
    """Classes inside of functions, whose members nobody else sees, and type parameters."""

    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self.types = Scoped()
        kept = {(one.start, one.end) for one in definitions}
        self._scopes = parsed.spans("scope")
        owners = set(self._scopes)
        self._classes: list[Node] = []
        members: list[tuple[str, Node]] = []
        for kind, nodes in parsed.captured_kinds("definition"):
            if kind in _CLASS_KINDS or kind in ("method", "constructor"):
                owners.update((node.start_byte, node.end_byte) for node in nodes)
            hidden = [node for node in nodes if (node.start_byte, node.end_byte) not in kept]
            if kind in _CLASS_KINDS:
                self._classes += hidden
            else:
                members += [(kind, node) for node in hidden]
        self._add_type_parameters(sorted(owners, key=lambda span: (span[0], -span[1])))
        for node in self._classes:
            self._add_class(node)
        bodies = {*parsed.spans("anonymous"), *self._bodies()}
        bodies.update(self._scopes)
        self._member_spans = sorted(bodies, key=lambda span: (span[0], -span[1]))
        self._members = sorted(members, key=lambda one: one[1].start_byte)
        for kind, node, span in self._with_bodies():
            name = node.child_by_field_name("name")
            if kind == "method" and name is not None:
                text = parsed.string(name.start_byte, name.end_byte)
                self.types.add(text, *span, self._result(node))

    def _result(self, method: Node) -> str:
        """The chain of what a hidden method gives."""
        declared = method.child_by_field_name("type")
        if declared is None or declared.type in _PLAIN_TYPES:
            return UNKNOWN
        return f"«{plain_type(self._parsed.string(declared.start_byte, declared.end_byte))}»"

    def _bodies(self) -> list[Span]:
        found = (node.child_by_field_name("body") for node in self._classes)
        return [(node.start_byte, node.end_byte) for node in found if node is not None]

    def _with_bodies(self) -> Iterator[tuple[str, Node, Span]]:
        """(kind, node, span of the class body around it) of each hidden member."""
        starts = [node.start_byte - 1 for _, node in self._members]
        around = innermost(self._member_spans, starts)
        for (kind, node), index in zip(self._members, around, strict=True):
            if index >= 0:
                yield kind, node, self._member_spans[index]

    def _add_type_parameters(self, owners: Sequence[Span]) -> None:
        spans = self._parsed.spans("type.parameter")
        around = innermost(owners, [start for start, _ in spans])
        for (start, end), index in zip(spans, around, strict=True):
            if index >= 0:
                bound = _BOUND.match(self._parsed.text, end)
                meaning = bound[1].decode("utf-8", "replace") if bound else UNKNOWN
                self.types.add(self._parsed.string(start, end), *owners[index], meaning)

    def _add_class(self, node: Node) -> None:
        """A local class counts as what it extends."""
        name = node.child_by_field_name("name")
        index = innermost(self._scopes, [node.start_byte])[0]
        if name is not None and index >= 0:
            text = self._parsed.string(name.start_byte, name.end_byte)
            self.types.add(text, *self._scopes[index], self._base(node) or UNKNOWN)

    def _base(self, node: Node) -> str:
        base = node.child_by_field_name("superclass") or node.child_by_field_name("interfaces")
        if base is None:
            return ""
        text = plain_type(self._parsed.string(base.start_byte, base.end_byte))
        return text.partition(" ")[2].partition(",")[0]

    def add_fields(self, chains: Chains) -> None:
        for kind, node, (start, end) in self._with_bodies():
            declared = node.child_by_field_name("type")
            if kind not in ("field", "constant") or declared is None:
                continue
            written = plain_type(self._parsed.string(declared.start_byte, declared.end_byte))
            for one in node.children_by_field_name("declarator"):
                name = one.child_by_field_name("name")
                if name is not None:
                    text = self._parsed.string(name.start_byte, name.end_byte)
                    chains.local.add(text, start, end, value_of(chains, written, start))

    def contexts(self, chains: Chains) -> Iterator[tuple[Span, str]]:
        parsed = self._parsed
        for (start, end), body in zip(
            parsed.spans("anonymous.type"), parsed.spans("anonymous"), strict=False
        ):
            yield body, chains.local_type(plain_type(parsed.string(start, end)), start)
        for node in self._classes:
            base, body_node = self._base(node), node.child_by_field_name("body")
            if base and body_node is not None:
                yield (body_node.start_byte, body_node.end_byte), base


def _add_locals(parsed: Parsed, chains: Chains) -> None:
    scopes = parsed.spans("scope")
    types = parsed.spans("local.type")
    type_starts = [start for start, _ in types]
    names = parsed.spans("local")
    around = innermost(scopes, [start for start, _ in names])
    for (start, end), index in zip(names, around, strict=True):
        before = bisect_right(type_starts, start) - 1
        while before >= 0 and types[before][1] > start:
            before -= 1
        if index < 0 or before < 0:
            continue
        meaning = _meaning(parsed, chains, types[before], (start, end))
        chains.local.add(parsed.string(start, end), start, scopes[index][1], meaning)
    names = parsed.spans("local.inferred")
    for (start, end), index in zip(
        names, innermost(scopes, [start for start, _ in names]), strict=True
    ):
        if index >= 0:
            chains.local.add(parsed.string(start, end), start, scopes[index][1], UNKNOWN)


def _meaning(parsed: Parsed, chains: Chains, declared: Span, name: Span) -> str | int:
    """What a local variable stands for: a value of its type, or what it is set to."""
    written = plain_type(parsed.string(*declared))
    if written == "var":
        found = _SET_TO.match(parsed.text, name[1])
        if found is None:
            return UNKNOWN
        return -found.end() if found[1] == b":" else found.end()
    if b"..." in parsed.text[declared[1] : name[0]]:
        written += "[]"
    return value_of(chains, written, name[0])


__all__ = ["TRAITS", "linker", "read"]
