"""C#: what a file says about itself. What its names lead to is in csharp_linker.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import
from twine_hooks.analysis.head_changes import HEAD_CHANGES
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.jvm_types import split
from twine_hooks.analysis.lang_base import Parsed, Span, Traits
from twine_hooks.analysis.languages.csharp_conditions import directives, prepare
from twine_hooks.analysis.languages.csharp_linker import ATTRIBUTE
from twine_hooks.analysis.languages.csharp_linker import CSharpLinker as linker
from twine_hooks.analysis.languages.csharp_reader import references_of
from twine_hooks.analysis.languages.csharp_text import clean_doc, plain_doc
from twine_hooks.analysis.languages.jvm_chains import GAP
from twine_hooks.analysis.languages.jvm_files import dotted, types_of
from twine_hooks.analysis.scopes import innermost, innermost_parents

_CLASS_KINDS = frozenset({"class", "struct", "record", "interface", "enum", "delegate"})
_USING = re.compile(
    r"(global )?using (?:(static )|unsafe )?(?:@?(\w+) ?= ?)?(?:unsafe )?([^=]+?) ?;?$"
)
_PRIVATE = re.compile(r"(?!(?:\w+ )*?protected )(?:\w+ )*?(?:private|file) ")
_CONSTANT = re.compile(r"(?:\w+ )*?(?:const |static readonly |readonly static )")
_SEEN_OUTSIDE = frozenset({b"public", b"internal", b"protected"})
_THIS = re.compile(r"\((?:\[[^\[\]]*\] ?)*(?:\w+ )*?this (?:(?:in|ref|readonly|scoped) )*(.+)")
_OPERATOR = re.compile(r"\b(operator (?:checked )?[^\s(]+)")


def _is_public(name: str, head: str) -> bool:
    return _PRIVATE.match(head) is None


def _with_attributes(names: Set[str], languages: Set[str]) -> Set[str]:
    return names | {one.removesuffix(ATTRIBUTE) for one in names}


TRAITS = Traits(
    changes=HEAD_CHANGES._replace(words=_with_attributes),
    clean_doc=clean_doc,
    after_doc=re.compile(rb"(?:%s#[^\n]*\n)*%s\Z" % (GAP, GAP)),
    is_public=_is_public,
    class_kinds=_CLASS_KINDS,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one C# file."""
    parsed = parsed.with_spans(_beside(parsed))
    found, tokens = collect_definitions(parsed, TRAITS)
    types = types_of(parsed, found)
    definitions = _tidy(found, types)
    namespaces = list(_namespaces(parsed))
    own = namespaces[0][1] if namespaces else ""
    imports = sorted(_imports(parsed), key=lambda one: (one.line, one.module, one.name))
    return Facts(
        language="csharp",
        definitions=tuple(definitions),
        references=references_of(parsed, found),
        imports=tuple(imports),
        namespace=own,
        meaning=tokens.meaning,
        interface=file_interface(definitions, ""),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=(
            *((f"type {index}", types[index]) for index in sorted(types)),
            *_receivers(definitions),
            *_other_namespaces(definitions, namespaces, own),
            *_inside(parsed, namespaces, imports),
        ),
    )


def _beside(parsed: Parsed) -> dict[str, list[Span]]:
    """What a query can't say: doc comments, and members that are private by default."""
    comments = parsed.spans("comment")
    text = parsed.text
    docs = [
        (start, end)
        for start, end in comments
        if (text.startswith(b"///", start) and text[start + 3 : start + 4] != b"/")
        or (text.startswith(b"/**", start) and end - start > 5)
    ]
    values = parsed.spans("value")
    constants = [
        start
        for start, end in parsed.spans("definition.field")
        if _CONSTANT.match(parsed.string(start, min(end, start + 200)))
    ]
    spans = parsed.spans("definition.field")
    around = innermost(spans, [start for start, _ in values])
    parents = innermost_parents(spans)
    shown = set(constants)
    unseen = []
    for value, index in zip(values, around, strict=True):
        while index >= 0 and parents[index] >= 0:
            index = parents[index]
        if index >= 0 and spans[index][0] not in shown:
            unseen.append(value)
    conditions, without_meaning = directives(text)
    return {
        "doc.before": docs,
        "ignored": [*comments, *without_meaning],
        "private": _private(parsed),
        "unseen": [*unseen, *conditions],
    }


def _private(parsed: Parsed) -> list[Span]:
    """Members of classes, structs and records that have no modifier of access."""
    kinds: dict[Span, str] = {}
    for kind, found in parsed.kinds("definition"):
        kinds.update(dict.fromkeys(found, kind))
    spans = sorted(kinds, key=lambda span: (span[0], -span[1]))
    holders = set(parsed.spans("holder"))
    modifiers = [
        start for start, end in parsed.spans("modifier") if parsed.text[start:end] in _SEEN_OUTSIDE
    ]
    seen = set(innermost(spans, modifiers))
    parameters = parsed.starts("parameter")
    names = parsed.spans("name")
    at = dict(zip(innermost(spans, [start for start, _ in names]), names, strict=True))
    found = []
    for index, parent in enumerate(innermost_parents(spans)):
        is_member = parent >= 0 and spans[parent] in holders
        if is_member and index not in seen and at.get(index, (-1, -1))[0] not in parameters:
            found.append(spans[index])
    return found


def _tidy(found: Sequence[Definition], types: dict[int, str]) -> list[Definition]:
    """Constants and operators under their usual names, ``int a, b`` as two fields, docs as text."""
    tidy: list[Definition] = []
    for index, one in enumerate(found):
        first = tidy[one.parent] if one.parent >= 0 else None
        if first is not None and first.kind in ("field", "constant", "event"):
            if one.parent in types:
                types.setdefault(index, types[one.parent])
            one = one._replace(
                parent=first.parent,
                qualified=f"{first.qualified.removesuffix(first.name)}{one.name}",
                kind=first.kind,
                signature=f"{first.signature.partition(first.name)[0]}{one.signature}",
            )
        elif one.kind == "field" and _CONSTANT.match(one.signature):
            one = one._replace(kind="constant")
        elif one.kind in ("operator", "destructor", "indexer"):
            one = _renamed(one)
        if one.decorators:
            one = one._replace(decorators=tuple(_attributes(one.decorators)))
        tidy.append(one._replace(doc=plain_doc(one.doc)) if one.doc else one)
    return tidy


def _attributes(lists: Sequence[str]) -> Iterator[str]:
    """The attributes, each in brackets of its own."""
    for one in lists:
        yield from (f"[{each}]" for each in split(one.removeprefix("[").removesuffix("]")))


def _renamed(one: Definition) -> Definition:
    around = one.qualified.rpartition(".")[0]
    if one.kind == "indexer":
        return one._replace(kind="property")
    if one.kind == "destructor":
        name = f"~{around.rpartition('.')[2]}"
    else:
        found = _OPERATOR.search(one.signature)
        name = found[1] if found else one.name
    return one._replace(name=name, qualified=f"{around}.{name}", kind="method")


def _receivers(definitions: Sequence[Definition]) -> Iterator[tuple[str, str]]:
    """The types of what extension methods are called on."""
    for index, one in enumerate(definitions):
        found = _THIS.search(one.signature) if one.kind == "method" else None
        if found is not None:
            yield f"receiver {index}", _first_type(found[1])


def _first_type(text: str) -> str:
    """The type with which a list of parameters begins."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]")
        if char == " " and not depth:
            return text[:at]
    return text


# --- namespaces and usings ---------------------------------------------------------------------


def _namespaces(parsed: Parsed) -> Iterator[tuple[Span, str]]:
    """Where each namespace holds, and its full name."""
    names = parsed.spans("namespace.name")
    spans = []
    for (start, end), name in zip(parsed.spans("namespace"), names, strict=False):
        is_block = parsed.text[name[1] : end].lstrip().startswith((b"{", b"/"))
        spans.append(((start, end if is_block else len(parsed.text)), name))
    spans.sort(key=lambda one: (one[0][0], -one[0][1]))
    full: list[str] = []
    for (span, name), parent in zip(
        spans, innermost_parents([span for span, _ in spans]), strict=True
    ):
        own = dotted(parsed.string(*name))
        full.append(f"{full[parent]}.{own}" if parent >= 0 else own)
        yield span, full[-1]


def _other_namespaces(
    definitions: Sequence[Definition], namespaces: Sequence[tuple[Span, str]], own: str
) -> Iterator[tuple[str, str]]:
    """The namespaces of the top-level definitions that stand in another than the file's first."""
    top = [(index, one.start) for index, one in enumerate(definitions) if one.parent < 0]
    spans = [span for span, _ in namespaces]
    around = innermost(spans, [start for _, start in top])
    for (index, _), at in zip(top, around, strict=True):
        name = namespaces[at][1] if at >= 0 else ""
        if name != own:
            yield f"namespace {index}", name


def _inside(
    parsed: Parsed, namespaces: Sequence[tuple[Span, str]], imports: Sequence[Import]
) -> Iterator[tuple[str, str]]:
    """Which of the usings stand in a namespace, by their places in the list."""
    starts = [start for start, _ in parsed.spans("import")]
    around = innermost([span for span, _ in namespaces], starts)
    lines = {parsed.line_of(start) for start, at in zip(starts, around, strict=True) if at >= 0}
    found = [str(number) for number, one in enumerate(imports) if one.line in lines]
    if found:
        yield "inside", ",".join(found)


def _imports(parsed: Parsed) -> Iterator[Import]:
    for start, end in parsed.spans("import"):
        found = _USING.match(dotted(parsed.string(start, end)).replace("::", "."))
        if found is None:
            continue
        shared, static, alias, name = found.groups()
        kind = (shared or "") + ("static" if static else "alias" if alias else "import")
        line = parsed.line_of(start)
        if not alias:
            yield Import(name, "*", "", kind, line)
            continue
        plain = name.partition("<")[0]
        module, _, last = plain.rpartition(".")
        yield Import(module, last + name[len(plain) :], alias, kind, line)


__all__ = ["TRAITS", "linker", "prepare", "read"]
