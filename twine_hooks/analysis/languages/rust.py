"""Rust: what a file says about itself. What its names lead to is in rust_linker.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs_store.digest import short
from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import
from twine_hooks.analysis.interface import file_interface, interface_of
from twine_hooks.analysis.lang_base import Parsed, Span, Traits, without_stars
from twine_hooks.analysis.languages.jvm_chains import GAP
from twine_hooks.analysis.languages.rust_linker import RustLinker as linker
from twine_hooks.analysis.languages.rust_names import Names
from twine_hooks.analysis.languages.rust_types import plain, split
from twine_hooks.analysis.languages.rust_uses import PUBLIC, Use, read_uses
from twine_hooks.analysis.scopes import innermost, is_within

_gap = re.compile(GAP)
_LINE = re.compile(r"^[ \t]*//[/!] ?", re.MULTILINE)
_BEFORE_TYPE = re.compile(r"^(?:#\[[^\]]*\]\s*)*(?:pub\b(?:\([^)]*\))?\s*)?")
_INCLUDED = re.compile(rb'\binclude(_str|_bytes)?!\s*[(\[{]\s*"([^"\n]+)"')
_PATH_ATTRIBUTE = re.compile(r'#\[\s*path\s*=\s*"([^"]*)"')
_MACRO_USE = re.compile(r"#\[\s*macro_use\b")
_HEAD = re.compile(r"(?:pub\b(?:\([^()]*\))?\s+)?\w+\s+\Z")
_EXPORTED = re.compile(r"(?:#\[\s*)?macro_export\b")


def clean_doc(text: str) -> str:
    """The text of ``///``, ``//!``, ``/** … */`` or ``/*! … */`` comments."""
    if text.startswith("/*"):
        return without_stars(text[3:].removesuffix("*/")).strip()
    return _LINE.sub("", text).rstrip()


TRAITS = Traits(
    class_kinds=frozenset({"struct", "union", "enum", "trait", "module", "enumerator"}),
    separator="::",
    clean_doc=clean_doc,
    after_doc=re.compile(GAP + rb"\Z"),
    is_public=lambda name, head: PUBLIC.match(head) is not None,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one Rust file."""
    attributes = _Attributes(parsed)
    parsed = parsed.with_spans(_docs(parsed, attributes.of_definitions))
    found, tokens = collect_definitions(parsed, TRAITS)
    uses = read_uses(parsed)
    names = Names(parsed, found, uses)
    definitions, extra = _tidy(parsed, found, names)
    imports = [*_imports(parsed, found, uses, extra), *_modules(parsed, found, attributes, extra)]
    imports += _included(parsed)
    doc = "\n".join(clean_doc(parsed.string(*span)) for span in _file_docs(parsed)).strip()
    return Facts(
        language="rust",
        definitions=tuple(definitions),
        references=names.references.sorted(),
        imports=tuple(sorted(imports, key=lambda one: (one.line, one.module, one.name, one.alias))),
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple(sorted(extra)),
    )


# --- comments and attributes -------------------------------------------------------------------


class _Attributes:
    """Attributes by what they stand before."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._spans = parsed.spans("attribute")
        starts = {start for _, spans in parsed.kinds("definition") for start, _ in spans}
        found = self._before(starts)
        inside = innermost(parsed.spans("scope"), [start for start, _ in found])
        self.of_definitions = [span for span, index in zip(found, inside, strict=True) if index < 0]

    def _before(self, starts: set[int]) -> list[Span]:
        """The attributes that stand before one of these places, with nothing between."""
        found: list[Span] = []
        known = set(starts)
        for start, end in reversed(self._spans):
            if self._next(end) in known:
                known.add(start)
                found.append((start, end))
        return found[::-1]

    def _next(self, position: int) -> int:
        found = _gap.match(self._parsed.text, position)
        return found.end() if found else position

    def text_before(self, start: int) -> str:
        return " ".join(self._parsed.string(*span) for span in self._before({start}))


def _docs(parsed: Parsed, attributes: list[Span]) -> dict[str, list[Span]]:
    """Doc comments in lines as one; what they document comes behind, or is around inner ones."""
    text = parsed.text
    outer: list[Span] = []
    for start, end in parsed.spans("doc.outer"):
        if outer and text.startswith(b"//", start) and not text[outer[-1][1] : start].strip():
            outer[-1] = outer[-1][0], end
        else:
            outer.append((start, end))
    of_file = set(_file_docs(parsed))
    inner = [span for span in parsed.spans("doc.inner") if span not in of_file]
    # A comment in lines includes the end of its line, which is none of the text.
    outer = [(start, end - text.endswith(b"\n", start, end)) for start, end in outer]
    found = {"doc.before": outer, "doc": inner, "decorator": attributes}
    return {name: spans for name, spans in found.items() if spans}


def _file_docs(parsed: Parsed) -> list[Span]:
    """The inner doc comments that stand in no module."""
    bodies = parsed.spans("definition.module", "scope")
    return [span for span in parsed.spans("doc.inner") if not is_within(bodies, span[0])]


# --- definitions ---------------------------------------------------------------------------------


def _tidy(
    parsed: Parsed, found: Sequence[Definition], names: Names
) -> tuple[list[Definition], list[tuple[str, str]]]:
    """Definitions with the names of their types, and what linking asks of each by its index."""
    tidy: list[Definition] = []
    extra: list[tuple[str, str]] = list(names.impls)
    results = _parts(parsed, found, "result")
    impls = names.impls_around(found)
    made = _made_by_macros(parsed)
    for index, one in enumerate(found):
        owner = tidy[one.parent] if one.parent >= 0 else None
        impl = impls.get(index) if one.kind != "module" else None
        if impl is not None and (owner is None or owner.kind == "module"):
            prefix = f"{owner.qualified}::" if owner else ""
            one = one._replace(
                qualified=f"{prefix}{impl.name}::{one.name}",
                kind="method" if one.kind == "function" else one.kind,
                public=one.public or impl.is_trait,
            )
            extra.append((f"impl {index}", impl.key))
        elif owner is not None:
            is_member = owner.kind in ("enum", "trait", "enumerator")
            is_public = owner.public and (one.public or is_member)
            kind = "function" if owner.kind == "module" and one.kind == "method" else one.kind
            qualified = f"{owner.qualified}::{one.name}"
            one = one._replace(qualified=qualified, kind=kind, public=is_public)
        if one.start in made:
            one = _made(parsed, one, made[one.start])
        if one.kind == "macro" and any(_EXPORTED.search(text) for text in one.decorators):
            one = one._replace(public=True)
        tidy.append(one)
        if index in results:
            extra.append((f"type {index}", names.type_at(*results[index])))
    for index, span in _parts(parsed, found, "parameters").items():
        extra.append((f"parameters {index}", plain(parsed.string(*span))))
    for index, span in _parts(parsed, found, "tuple").items():
        extra.append((f"tuple {index}", _tuple(names.type_at(*span))))
    return _with_members(tidy), extra


def _made_by_macros(parsed: Parsed) -> dict[int, Span]:
    """Where the name of an item stands that a macro is given -> the call of the macro."""
    spans, names = parsed.spans("made"), parsed.spans("made.name")
    around = innermost(spans, [start for start, _ in names])
    return {
        start: spans[index] for (start, _), index in zip(names, around, strict=True) if index >= 0
    }


def _made(parsed: Parsed, one: Definition, call: Span) -> Definition:
    """An item that a macro is given: all of the macro's call may decide what others see of it."""
    head = _HEAD.search(parsed.string(call[0], one.start))
    told = short(" ".join(parsed.string(*call).split()), 16)
    return one._replace(
        signature=f"{head[0]}{one.name}" if head else one.name,
        public=one.public or (head is not None and PUBLIC.match(head[0]) is not None),
        interface=told,
        meaning=told,
    )


def _parts(parsed: Parsed, found: Sequence[Definition], capture: str) -> dict[int, Span]:
    """Index of a definition -> the span of the first such part of it."""
    spans = [(one.start, one.end) for one in found]
    order = sorted(range(len(spans)), key=lambda at: (spans[at][0], -spans[at][1]))
    parts = parsed.spans(capture)
    texts: dict[int, Span] = {}
    around = innermost([spans[at] for at in order], [at for at, _ in parts])
    for span, index in zip(parts, around, strict=True):
        if index >= 0:
            texts.setdefault(order[index], span)
    return texts


def _tuple(written: str) -> str:
    """The types of the fields without names of a struct or variant, as a tuple."""
    parts = (_BEFORE_TYPE.sub("", part.strip()) for part in split(written[1:-1], ","))
    return f"({', '.join(parts)},)"


def _with_members(tidy: list[Definition]) -> list[Definition]:
    """What can be seen of a trait or enum includes its members, which are not marked public."""
    members: dict[int, list[Definition]] = {}
    for index in range(len(tidy) - 1, -1, -1):
        one = tidy[index]
        if index in members and one.kind in ("trait", "enum", "enumerator"):
            seen = interface_of(members[index])
            tidy[index] = one._replace(interface=short(one.interface + seen, 16))
        if one.parent >= 0:
            members.setdefault(one.parent, []).append(tidy[index])
    return tidy


# --- imports -------------------------------------------------------------------------------------


def _scopes(found: Sequence[Definition], starts: Sequence[int]) -> list[str]:
    """The inline module around each of the sorted places, "" for the file itself."""
    modules = [one for one in found if one.kind == "module"]
    around = innermost([(one.start, one.end) for one in modules], starts)
    return [modules[index].qualified if index >= 0 else "" for index in around]


def _imports(
    parsed: Parsed, found: Sequence[Definition], uses: Sequence[Use], extra: list[tuple[str, str]]
) -> Iterator[Import]:
    """What ``use`` and ``extern crate`` bring; those of functions bind their names only there."""
    scopes = _scopes(found, [one.start for one in uses])
    for one, scope in zip(uses, scopes, strict=True):
        key = f"inner use {scope}" if one.is_inner and one.alias else f"use {scope}"
        extra.append((key, f"{one.module}|{one.name}|{one.alias}|{one.kind}"))
        alias = "" if one.alias == "_" else one.alias
        yield Import(one.module, one.name, alias, one.kind, parsed.line_of(one.start))


def _modules(
    parsed: Parsed,
    found: Sequence[Definition],
    attributes: _Attributes,
    extra: list[tuple[str, str]],
) -> Iterator[Import]:
    """``mod a;``: the files that belong to the crate."""
    names, spans = parsed.spans("module.name"), parsed.spans("module")
    scopes = _scopes(found, [start for start, _ in spans])
    for (start, _), name_span, scope in zip(spans, names, scopes, strict=False):
        name = parsed.string(*name_span).removeprefix("r#")
        before = attributes.text_before(start)
        path = _PATH_ATTRIBUTE.search(before)
        qualified = f"{scope}::{name}" if scope else name
        extra.append((f"mod {qualified}", path[1] if path else ""))
        if _MACRO_USE.search(before):
            extra.append((f"macros {qualified}", ""))
        is_public = PUBLIC.match(parsed.string(start, name_span[0])) is not None
        extra.append((f"visible {qualified}", "pub" if is_public else ""))
        yield Import(f"self::{qualified}", "", name, "module", parsed.line_of(start))
    for one in found:
        if one.kind == "module" and any(text.startswith("#[macro_use") for text in one.decorators):
            extra.append((f"macros {one.qualified}", ""))


def _included(parsed: Parsed) -> Iterator[Import]:
    if b"include" not in parsed.text:
        return
    comments = parsed.spans("ignored", "doc.outer", "doc.inner")
    for found in _INCLUDED.finditer(parsed.text):
        if not is_within(comments, found.start()):
            path = found[2].decode("utf-8", "replace")
            kind = "asset" if found[1] else "include"
            yield Import(path, "", "", kind, parsed.line_of(found.start()))


__all__ = ["TRAITS", "linker", "read"]
