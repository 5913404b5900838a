"""Kotlin: what a file says about itself. What its names lead to is in analysis/jvm.py."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import, Reference
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.jvm import JVM_CHANGES
from twine_hooks.analysis.jvm import JvmLinker as linker
from twine_hooks.analysis.lang_base import Parsed, Span, Traits
from twine_hooks.analysis.languages.jvm_chains import GAP, NAME, UNKNOWN, Chains, Scoped, Syntax
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

_CLASS_KINDS = frozenset({"class", "interface", "enum", "object", "annotation"})
_KIND = re.compile(r"(?:[\w@.]+ )*?(enum|annotation) class\b|(?:[\w@.]+ )*?(?:fun )?(interface)\b")
_PRIVATE = re.compile(r"(?:\w+ )*?private (?!constructor)")
_CONSTANT = re.compile(r"(?:\w+ )*?const val ")
_IMPORT = re.compile(r"import ([^\s*;]+?)(\.\*)?(?: as (\S+?))?(?: .*|;)?$")
_FACADE = re.compile(r'JvmName\s*\(\s*"([^"]+)"')
_QUOTED_NAME = NAME + rb"|`[^`\n]+`"
_WHOLE = ["let", "also", "takeIf", "takeUnless"]
_ELEMENTS = [
    "all", "any", "associate", "associateBy", "associateWith", "count", "distinctBy", "dropWhile",
    "filter", "filterKeys", "filterNot", "filterTo", "find", "first", "firstOrNull", "flatMap",
    "flatMapTo", "forEach", "groupBy", "indexOfFirst", "indexOfLast", "joinTo", "joinToString",
    "last", "lastOrNull", "map", "mapNotNull", "mapTo", "mapValues", "maxBy", "maxByOrNull",
    "minBy", "minByOrNull", "none", "onEach", "partition", "removeAll", "removeIf", "single",
    "singleOrNull", "sortedBy", "sortedByDescending", "sumOf", "takeWhile", "zip",
]  # fmt: skip
_SYNTAX = Syntax(
    gives={**dict.fromkeys(_WHOLE, ""), **dict.fromkeys(_ELEMENTS, "[]")},
    rebinds_this=frozenset({"apply", "run"}),
    step=re.compile(rb"(?:!!)*%s(\?\.|\.|\?::|::)%s(%s)" % (GAP, GAP, _QUOTED_NAME)),
    element=re.compile(rb"\[(?:[^\[\]]|\[[^\[\]]*\]){1,200}\]"),
    has_extensions=True,
)
_BOUND = re.compile(rb"\s*:\s*([\w.$\x80-\xff]+)")
_TYPED = re.compile(rb"%s:%s" % (GAP, GAP))
_SET_TO = re.compile(rb"%s(=|in\b|by\s+lazy\s*\{)%s" % (GAP, GAP))
_IS = re.compile(rb"\bis\s+\Z")
_GIVES = re.compile(rb"%s=%s" % (GAP, GAP))
_GETTER = re.compile(rb"%sget%s\(%s\)%s=%s" % (GAP, GAP, GAP, GAP, GAP))

# What the grammar stumbles over, and the same with as many bytes that it understands.
_HEAD = re.compile(
    rb"\bclass\s+\w+(?:\s*<[^<>{}()]*(?:<[^<>{}()]*>[^<>{}()]*)*>)?"
    rb"\s+(?:@[\w.]+(?:\([^()]*\))?\s+)*(?:(?:private|internal|protected|public)\s+)?constructor\b"
)
_NEW_LINE = re.compile(rb"\n(?=\s*(?:as\??\s+\w|where\s+\w+\s*:))")
_ONE_LINE = re.compile(rb"(?<=[^\s{;,(>$]) (?=\})")
_ACTUAL = re.compile(
    rb"\bactual(?= +(?:va[lr]|fun|class|constructor|object|interface|typealias|open|override"
    rb"|inline|abstract|suspend|operator|infix|enum|internal|private|protected|public|sealed"
    rb"|annotation|value|const|external)\b)"
)
#: "class A(b: B) : C by b {": the body is taken for a lambda
_DELEGATED = re.compile(
    rb"(?:\)|\bobject(?:\s+\w+)?|\bclass\s+\w+)\s*:\s*[^{}=;]{1,400}?\s(by\s+[\w.]+)(?=\s*\{)"
)
_OTHER_THAN_BASES = re.compile(rb"\b(?:va[lr]|fun)\b")
_BINARY = re.compile(rb"\b0[bB](?=[01])")
_SOFT = re.compile(rb"\bannotation(?=\s*[.,)=\]]|\s+in\b)")


def prepare(text: bytes) -> tuple[bytes, str]:
    """The text as the grammar can read it, of the same length."""
    shown = _ACTUAL.sub(b"      ", text) if b"actual " in text else text
    shown = _HEAD.sub(lambda found: found[0].replace(b"\n", b" "), shown)
    shown = _NEW_LINE.sub(b" ", shown)
    shown = _ONE_LINE.sub(b";", shown)
    shown = _SOFT.sub(b"annotatio_", shown)
    if b" by " in shown:
        shown = _DELEGATED.sub(_without_delegate, shown)
    shown = _BINARY.sub(b"0x", shown)
    shown = shown.replace(b"..<", b".. ").replace(b"fun interface ", b"    interface ")
    return shown.replace(b"<*>::", b"   ::"), "kotlin"


def _without_delegate(found: re.Match[bytes]) -> bytes:
    if _OTHER_THAN_BASES.search(found[0]):
        return found[0]
    return found[0][: -len(found[1])] + b" " * len(found[1])


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
    """Facts of one Kotlin file."""
    # Where a statement ends is marked by where the next begins; strings keep theirs.
    semicolons = [found.span() for found in re.finditer(b";", parsed.text)]
    parsed = parsed.with_spans({"ignored": semicolons})
    found, tokens = collect_definitions(parsed, TRAITS)
    definitions = _tidy(found)
    doc = file_doc(parsed, definitions)
    inner = _Inner(parsed, found)
    references, chains = _references(parsed, found, inner)
    return Facts(
        language="kotlin",
        definitions=tuple(definitions),
        references=references,
        imports=tuple(sorted(_imports(parsed), key=lambda one: (one.line, one.module, one.name))),
        namespace="".join(
            dotted(parsed.string(*span)).replace("`", "") for span in parsed.spans("package")[:1]
        ).partition(" ")[0],
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple(_extra(parsed, found, chains)),
    )


def _tidy(found: Sequence[Definition]) -> list[Definition]:
    """Definitions under their usual kinds and names."""
    tidy: list[Definition] = []
    for one in found:
        around = one.qualified.removesuffix(one.name).replace("`", "")
        parent = tidy[one.parent] if one.parent >= 0 else None
        if parent is not None:
            around = parent.qualified + "."
        name, kind = one.name.strip("`"), one.kind
        if kind == "constructor":
            name = "<init>"
        elif kind == "class" and (special := _KIND.match(one.signature)):
            kind = special[1] or special[2]
        elif kind == "property" and _CONSTANT.match(one.signature):
            kind = "constant"
        tidy.append(one._replace(name=name, kind=kind, qualified=around + name))
    return tidy


def _imports(parsed: Parsed) -> Iterator[Import]:
    for start, end in parsed.spans("import"):
        text = parsed.string(start, end).partition("\n")[0]
        found = _IMPORT.match(_spaced(dotted(text)))
        if found is None:
            continue
        path, line = _unquoted(found[1]), parsed.line_of(start)
        if found[2]:
            yield Import(path, "*", "", "import", line)
        else:
            module, _, name = path.rpartition(".")
            yield Import(module, name, _unquoted(found[3] or name), "import", line)


def _spaced(text: str) -> str:
    """With a mark instead of the spaces in quoted names."""
    return re.sub(r"`[^`]*`", lambda found: found[0].replace(" ", "\x00"), text)


def _unquoted(text: str) -> str:
    return text.replace("`", "").replace("\x00", " ")


def _type(text: str) -> str:
    return plain_type(text).replace("?", "").replace("`", "").removeprefix("suspend ")


def _extra(
    parsed: Parsed, found: Sequence[Definition], chains: Chains
) -> Iterator[tuple[str, str]]:
    named = [
        name
        for span in parsed.spans("file.annotation")
        for name in _FACADE.findall(parsed.string(*span))
    ]
    yield "facade", named[0] if named else "?"
    spans = [(one.start, one.end) for one in found]
    receivers = parsed.spans("receiver")
    owners = innermost(spans, [start for start, _ in receivers])
    for (start, end), index in zip(receivers, owners, strict=True):
        if index >= 0:
            yield f"receiver {index}", _type(parsed.string(start, end))
    types = {index: _type(text) for index, text in types_of(parsed, found).items()}
    for index, chain in _inferred(parsed, found, chains):
        types.setdefault(index, "=" + chain)
    yield from ((f"type {index}", types[index]) for index in sorted(types))


def _inferred(
    parsed: Parsed, found: Sequence[Definition], chains: Chains
) -> Iterator[tuple[int, str]]:
    """What the functions and properties without a declared type are set to."""
    spans = [(one.start, one.end) for one in found]
    bodies = parsed.spans("body")
    owners = innermost(spans, [start for start, _ in bodies])
    for (start, _), index in zip(bodies, owners, strict=True):
        given = _GIVES.match(parsed.text, start) or _GETTER.match(parsed.text, start)
        chain = chains.expression(given.end()) if given and index >= 0 else None
        if chain is not None and found[index].kind in ("method", "function", "property"):
            yield index, chain
    names = parsed.spans("name")
    owners = innermost(spans, [start for start, _ in names])
    for (_, end), index in zip(names, owners, strict=True):
        if index >= 0 and found[index].kind == "property":
            given = _SET_TO.match(parsed.text, end)
            chain = chains.expression(given.end()) if given else None
            if chain is not None and not chain.startswith(UNKNOWN):
                yield index, chain


# --- what is local -----------------------------------------------------------------------------


def _references(
    parsed: Parsed, definitions: Sequence[Definition], inner: _Inner
) -> tuple[tuple[Reference, ...], Chains]:
    chains = Chains(parsed, _SYNTAX, _arguments(parsed), inner.types)
    _add_locals(parsed, chains, inner)
    gathered = Gathered(parsed, definitions, inner.contexts(chains))
    read_names(parsed, chains, gathered)
    return gathered.references(chains), chains


def _arguments(parsed: Parsed) -> dict[int, tuple[int, int]]:
    """Where a call's arguments begin -> (where they end, how many they are)."""
    found = {}
    for node in parsed.nodes("call"):
        count = 0
        for child in node.named_children:
            if child.type == "value_arguments":
                count += child.named_child_count
            elif child.type == "annotated_lambda":
                count += 1
        found[node.start_byte] = node.end_byte, count
    return found


class _Inner:
    """What is defined inside of functions, type parameters, and implicit receivers."""

    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self._definitions = definitions
        self.types = Scoped()
        self.scopes = parsed.spans("scope")
        kept = {(one.start, one.end) for one in definitions}
        owners, hidden = set(self.scopes), []
        for kind, nodes in parsed.captured_kinds("definition"):
            for node in nodes:
                owners.add((node.start_byte, node.end_byte))
                if (node.start_byte, node.end_byte) not in kept and kind != "property":
                    hidden.append(node)
        self._owners = sorted(owners, key=lambda span: (span[0], -span[1]))
        self._add_type_parameters()
        self._add_hidden(sorted(hidden, key=lambda node: node.start_byte))

    def _add_type_parameters(self) -> None:
        spans = self._parsed.spans("type.parameter")
        around = innermost(self._owners, [start for start, _ in spans])
        for (start, end), index in zip(spans, around, strict=True):
            if index >= 0:
                bound = _BOUND.match(self._parsed.text, end)
                meaning = bound[1].decode("utf-8", "replace") if bound else UNKNOWN
                self.types.add(self._parsed.string(start, end), *self._owners[index], meaning)

    def _add_hidden(self, hidden: Sequence[Node]) -> None:
        """Classes and functions inside of functions are local names without more."""
        names = self._parsed.spans("name")
        starts = [start for start, _ in names]
        around = innermost(self.scopes, [node.start_byte - 1 for node in hidden])
        for node, index in zip(hidden, around, strict=True):
            at = bisect_left(starts, node.start_byte)
            if index >= 0 and at < len(names) and names[at][0] < node.end_byte:
                name = self._parsed.string(*names[at]).strip("`")
                self.types.add(name, *self.scopes[index], UNKNOWN)

    def contexts(self, chains: Chains) -> Iterator[tuple[Span, str]]:
        """Bodies of anonymous objects with their types, extensions with their receivers."""
        parsed = self._parsed
        bodies = parsed.spans("anonymous")
        starts = [start for start, _ in bodies]
        for start, end in parsed.spans("anonymous.type"):
            at = bisect_left(starts, end)
            if at < len(bodies):
                written = _type(parsed.string(start, end).partition("(")[0])
                yield bodies[at], chains.local_type(written, start)
        lambdas, calls = parsed.spans("lambda"), parsed.spans("call")
        around = innermost(calls, [start for start, _ in lambdas])
        for span, index in zip(lambdas, around, strict=True):
            if index >= 0:
                yield span, f"\x01{calls[index][0]}"
        spans = [(one.start, one.end) for one in self._definitions]
        receivers = parsed.spans("receiver")
        owners = innermost(spans, [start for start, _ in receivers])
        for (start, end), index in zip(receivers, owners, strict=True):
            if index >= 0:
                written = _type(parsed.string(start, end))
                yield spans[index], chains.local_type(written, start)


def _add_locals(parsed: Parsed, chains: Chains, inner: _Inner) -> None:
    scopes = _with_headed(parsed, inner.scopes)
    types = dict(parsed.spans("local.type"))
    given = _add_lambdas(parsed, chains)
    fields = {start for start, _ in parsed.spans("name")}
    names = parsed.spans("local")
    around = innermost(scopes, [start for start, _ in names])
    in_function = innermost(inner.scopes, [start for start, _ in names])
    for (start, end), index, function in zip(names, around, in_function, strict=True):
        if index < 0 or (function < 0 and start in fields):
            continue
        meaning = given.get(start) or _meaning(parsed, chains, types, start, end)
        name = parsed.string(start, end).strip("`")
        begin = scopes[index][0] if function < 0 else start
        chains.local.add(name, begin, scopes[index][1], meaning)
    _add_checked(parsed, chains, inner.scopes)


def _add_lambdas(parsed: Parsed, chains: Chains) -> dict[int, str]:
    """Make ``it`` local; gives what else the lambdas name their parameter."""
    lambdas, calls = parsed.spans("lambda"), parsed.spans("call")
    around = innermost(calls, [start for start, _ in lambdas])
    meanings = {
        span: f"\x01{calls[index][0]}"
        for span, index in zip(lambdas, around, strict=True)
        if index >= 0
    }
    for (start, end), meaning in meanings.items():
        chains.local.add("it", start, end, meaning)
    names = parsed.spans("lambda.parameter")
    inside = innermost(lambdas, [start for start, _ in names])
    return {
        start: meanings.get(lambdas[index], UNKNOWN)
        for (start, _), index in zip(names, inside, strict=True)
        if index >= 0
    }


def _add_checked(parsed: Parsed, chains: Chains, scopes: Sequence[Span]) -> None:
    """What a local name is after ``name is Type``."""
    checks = list(zip(parsed.spans("checked"), parsed.spans("checked.type"), strict=False))
    whens = parsed.spans("subject.when")
    tests = parsed.spans("tested.type")
    subjects = parsed.spans("subject")
    starts = [start for start, _ in subjects]
    for written, index in zip(tests, innermost(whens, [one[0] for one in tests]), strict=True):
        at = bisect_left(starts, whens[index][0]) if index >= 0 else len(subjects)
        if at < len(subjects) and subjects[at][1] <= written[0]:
            checks.append((subjects[at], written))
    around = innermost(scopes, sorted(written[0] for _, written in checks))
    checks.sort(key=lambda one: one[1])
    for (name, written), index in zip(checks, around, strict=True):
        text = parsed.string(*name).strip("`")
        if index >= 0 and chains.local.has(text) and _IS.search(parsed.text[name[1] : written[0]]):
            value = value_of(chains, _type(parsed.string(*written)), written[0])
            chains.local.add(text, written[0], scopes[index][1], value)


def _with_headed(parsed: Parsed, scopes: Sequence[Span]) -> list[Span]:
    """The scopes with the classes whose parameters hold in all of their bodies."""
    return sorted({*scopes, *parsed.spans("headed")}, key=lambda span: (span[0], -span[1]))


def _meaning(
    parsed: Parsed, chains: Chains, types: dict[int, int], start: int, end: int
) -> str | int:
    """What a local name stands for: a value of its type, or what it is set to."""
    typed = _TYPED.match(parsed.text, end)
    if typed is not None:
        after = types.get(typed.end())
        if after is None:
            return UNKNOWN
        return value_of(chains, _type(parsed.string(typed.end(), after)), start)
    found = _SET_TO.match(parsed.text, end)
    if found is None:
        return UNKNOWN
    return -found.end() if found[1] == b"in" else found.end()


__all__ = ["TRAITS", "linker", "prepare", "read"]
