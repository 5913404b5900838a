"""C and C++ definitions as a reader knows them: tags and typedefs made one, several declarators of
one declaration told apart, members out of line, and what of each can be seen by others.

Works on the definitions of one file as its tree gives them; knows no other file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from docs_store.digest import short
from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.interface import interface_of
from twine_hooks.analysis.lang_base import Parsed, Span, outer_first
from twine_hooks.analysis.languages.c_text import Scan
from twine_hooks.analysis.scopes import innermost, is_within

_CLASSES = frozenset({"class", "struct", "union"})
_TYPES = _CLASSES | {"enum"}
_VALUES = frozenset({"variable", "field"})


class Normal(NamedTuple):
    """Definitions in the order of the file, and what ``Facts`` has no place for."""

    definitions: list[Definition]
    declarations: list[int]  #: indices of what is declared here and defined elsewhere
    spans: list[Span]  #: where names used belong to a definition: sorted
    owners: list[int]  #: the definition of each span
    names: list[Span]  #: all names declared, local ones too


class _Row:
    """One definition while it is put right."""

    __slots__ = ("at", "declares", "gone", "one", "parent", "span")

    def __init__(self, one: Definition, at: Span) -> None:
        self.one = one
        self.span = (one.start, one.end)
        self.at = at  # where its name stands
        self.parent = one.parent
        self.declares = False
        self.gone = False


def normal_definitions(
    parsed: Parsed, found: Scan, drafts: Sequence[Definition], cpp: bool
) -> Normal:
    """The definitions of one file put right."""
    names = parsed.spans("name")
    rows = [_Row(one, _name_at(parsed, names, one)) for one in drafts]
    _adjust_kinds(found.code, rows)
    _merge_typedefs(rows)
    _drop_declared_twice(rows, found.guard)
    rows = _with_more_declarators(parsed, found.code, names, rows)
    return _finish(parsed, found, rows, names, cpp)


def _name_at(parsed: Parsed, names: Sequence[Span], one: Definition) -> Span:
    """Where its name stands: the first of that spelling, of a typedef the last."""
    found = (one.start, one.start)
    size = len(one.name.encode())
    for index in range(bisect_left(names, (one.start, one.start)), len(names)):
        start, end = names[index]
        if start >= one.end:
            break
        if end - start == size and parsed.string(start, end) == one.name:
            found = (start, end)
            if one.kind != "type":
                break
    return found


# --- kinds -------------------------------------------------------------------------------------

_PARAMETERS = re.compile(rb"\s*+\)?\s*+(?:[A-Z_]{1,12}[ \t]*\((?=\())?\(")
_TAIL = re.compile(rb"=\s*(?:default|delete|0)\s*;?\Z")


def _adjust_kinds(code: bytes, rows: list[_Row]) -> None:
    """Prototypes are functions that are only declared, as ``extern`` variables are."""
    for row in rows:
        one = row.one
        if one.kind in _VALUES and _is_function(code, row):
            row.one = one._replace(kind="function")
            row.declares = not _TAIL.search(code[row.at[1] : one.end].rstrip(b"; \n"))
        elif one.kind == "function" and b"{" not in code[row.at[1] : one.end]:
            row.declares = not _TAIL.search(code[row.at[1] : one.end].rstrip())
        elif one.kind == "variable" and re.match(r"extern\b(?!\s*\")", one.signature):
            row.declares = b"=" not in code[row.at[1] : one.end]


def _is_function(code: bytes, row: _Row) -> bool:
    start, end = row.at
    if re.match(rb"(?:[\w:]|<[^<>]*>)*\boperator\b", code[start:end]):
        return True
    found = _PARAMETERS.match(code, end)
    if not found or found.end() > row.one.end:
        return False
    before = code[row.one.start : start].rstrip()
    return not (b")" in found[0] and before.endswith((b"*", b"^", b"&"))) and b"=" not in before


def _merge_typedefs(rows: list[_Row]) -> None:
    """``typedef struct x {…} x;`` is one definition, and a tag within a declaration stands free."""
    for row in rows:
        parent = rows[row.parent] if row.parent >= 0 else None
        if parent is None or parent.one.kind not in ("type", "variable", "field", "function"):
            continue
        if row.one.kind in _TYPES or (row.one.kind == "enumerator" and parent.one.kind != "type"):
            if parent.one.kind == "type" and parent.one.name == row.one.name:
                _take_over(row, parent)
            row.parent = parent.parent
        elif parent.one.kind == "type":
            kind = "enum" if row.one.kind == "enumerator" else _tag_kind(parent.one.signature)
            parent.one = parent.one._replace(kind=kind)


def _tag_kind(signature: str) -> str:
    found = re.search(r"\b(struct|union|class)\b", signature)
    return found[1] if found else "struct"


def _take_over(row: _Row, typedef: _Row) -> None:
    """The tag gets all that the typedef around it has but the children."""
    outer = typedef.one
    row.one = row.one._replace(
        start_line=outer.start_line,
        end_line=outer.end_line,
        start=outer.start,
        end=outer.end,
        doc=outer.doc or row.one.doc,
        interface=outer.interface,
        meaning=outer.meaning,
    )
    typedef.gone = True


def _drop_declared_twice(rows: list[_Row], guard: str) -> None:
    """What the file defines itself need not be declared; an include guard is no definition."""
    defined = {
        (row.one.name, row.parent)
        for row in rows
        if row.one.kind in ("function", "variable") and not row.declares and not row.gone
    }
    seen: set[tuple[str, int, str]] = set()
    for row in rows:
        key = (row.one.name, row.parent, row.one.meaning)
        if row.one.kind == "macro" and row.one.name == guard:
            row.gone = True
        elif row.declares and row.parent < 0:
            row.gone = row.gone or (row.one.name, row.parent) in defined or key in seen
            seen.add(key)


# --- several declarators of one declaration ----------------------------------------------------


def _with_more_declarators(
    parsed: Parsed, code: bytes, names: Sequence[Span], rows: list[_Row]
) -> list[_Row]:
    """``int a, *b;`` defines two."""
    spans = [row.span for row in rows]
    order = sorted(range(len(rows)), key=lambda index: (spans[index][0], -spans[index][1]))
    within = innermost([spans[index] for index in order], [start for start, _ in names])
    taken = {row.at for row in rows}
    more: list[_Row] = []
    for at, place in zip(names, within, strict=True):
        if place < 0 or at in taken:
            continue
        row = rows[order[place]]
        if row.one.kind in ("variable", "field", "type") and _is_beside(code, row.at[1], at[0]):
            name = parsed.string(*at)
            clone = _Row(row.one._replace(name=name, qualified=name), at)
            clone.parent, clone.declares = row.parent, row.declares
            more.append(clone)
    return rows + more


def _is_beside(code: bytes, after: int, at: int) -> bool:
    """Whether a comma that is in no brackets stands between two names."""
    between = code[after:at]
    if b"," not in between:
        return False
    depth, top = 0, False
    for byte in between:
        if byte in b"([{<":
            depth += 1
        elif byte in b")]}>":
            depth = max(depth - 1, 0)
        elif byte == 0x2C and depth == 0:
            top = True
        elif byte == 0x3B:
            return False
    return top and depth == 0


# --- names, parents, visibility ----------------------------------------------------------------

_TEMPLATE = re.compile(r"<[^<>]*>")


def _plain(name: str) -> str:
    """``X<T>::f`` without template arguments and white space."""
    if "operator" not in name:
        while "<" in name and _TEMPLATE.search(name):
            name = _TEMPLATE.sub("", name)
        return re.sub(r"\s+", "", name).strip(":")
    scope, _, rest = name.rpartition("operator")
    if re.match(r"\s+\w", rest):  # a conversion: the node has its parameters too
        rest = " " + " ".join(rest.partition("(")[0].split())
        return re.sub(r"\s+", "", _TEMPLATE.sub("", scope)) + "operator" + rest
    return re.sub(r"\s+", "", _TEMPLATE.sub("", scope)) + "operator" + " ".join(rest.split())


class _Seen(NamedTuple):
    """What decides who sees what."""

    is_header: bool
    internal: list[Span]
    access: dict[int, list[tuple[int, str]]]  #: by the start of the class around them
    templates: dict[int, Span]
    scoped: set[int]


def _finish(parsed: Parsed, found: Scan, rows: list[_Row], names: list[Span], cpp: bool) -> Normal:
    seen = _Seen(
        bool(found.guard),
        parsed.spans("internal"),
        _access_by_class(parsed, rows),
        _template_heads(parsed, found.code),
        {start for start, _ in parsed.spans("scoped")},
    )
    order = [index for index in range(len(rows)) if not rows[index].gone]
    order.sort(key=lambda index: (rows[index].one.start, -rows[index].one.end, rows[index].at))
    place = {old: new for new, old in enumerate(order)}
    definitions: list[Definition] = []
    for old in order:
        row = rows[old]
        parent = row.parent
        while parent >= 0 and rows[parent].gone:
            parent = rows[parent].parent
        index = place.get(parent, -1)
        index = index if index < len(definitions) else -1
        outer = definitions[index] if index >= 0 else None
        definitions.append(_definition(parsed, row, outer, index, seen, cpp))
    _show_members(definitions)
    spans = [(one.start, one.end) for one in definitions]
    return Normal(
        definitions,
        [new for new, old in enumerate(order) if rows[old].declares],
        spans,
        list(range(len(spans))),
        names,
    )


def _definition(
    parsed: Parsed, row: _Row, outer: Definition | None, parent: int, seen: _Seen, cpp: bool
) -> Definition:
    one = row.one
    full = _plain(one.name) or one.name
    scope, _, name = full.rpartition("::") if "operator" not in full else _operator(full)
    above = outer.qualified if outer else ""
    if outer is not None and outer.kind == "enum" and outer.start not in seen.scoped:
        above = above.rpartition("::")[0]
    public = (outer is None or outer.public) and not is_within(seen.internal, one.start)
    if one.kind in ("function", "variable") and (outer is None or outer.kind == "namespace"):
        is_static = re.match(r"(?:inline\s+)?static\b", one.signature) is not None
        public = public and (not is_static or seen.is_header)
    kind = _kind(one, name, scope, outer)
    if one.kind in ("field", "type", "variable") and name not in _words(one.signature):
        one = one._replace(signature=f"{one.signature} {name}".strip())
    template = _template_of(parsed, seen.templates, one.start)
    interface, signature = one.interface, one.signature
    if template:
        interface = short(interface + template, 16)
        signature = f"template {template} {signature}"
    if kind in _TYPES or (kind in _FUNCTIONS and _body_is_visible(row, outer, template, seen)):
        interface = short(interface + one.meaning, 16)
    access = _access(seen, outer, one.start)
    if (access or _access_at_first(outer)) == "private":
        public = False
    return one._replace(
        name=name,
        qualified="::".join(part for part in (above, full) if part),
        kind=kind,
        parent=parent,
        public=public,
        signature=signature,
        interface=short(interface + access, 16) if access else interface,
    )


def _words(signature: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", signature))


_FUNCTIONS = frozenset({"function", "method", "constructor"})


def _operator(full: str) -> tuple[str, str, str]:
    scope, _, rest = full.rpartition("operator")
    return scope.removesuffix("::"), "::", "operator" + rest


def _kind(one: Definition, name: str, scope: str, outer: Definition | None) -> str:
    if one.kind in ("function", "method"):
        if name == (scope.rpartition("::")[2] or (outer.name if outer else "")):
            return "constructor" if scope or (outer and outer.kind in _CLASSES) else one.kind
        return "method" if scope or (outer and outer.kind in _CLASSES) else "function"
    if one.kind == "variable":
        is_constant = re.match(r"(?:\w+\s+)*(?:const|constexpr)\b(?![^=]*\*)", one.signature)
        return "constant" if is_constant else "variable"
    return one.kind


def _body_is_visible(row: _Row, outer: Definition | None, template: str, seen: _Seen) -> bool:
    if row.declares:
        return False
    is_inline = re.search(r"\b(?:inline|constexpr|consteval|__inline\w*)\b", row.one.signature)
    in_class = outer is not None and outer.kind in _CLASSES
    return seen.is_header or in_class or bool(template or is_inline)


def _template_heads(parsed: Parsed, code: bytes) -> dict[int, Span]:
    """Where what a template's parameters belong to may begin -> the parameters.

    That is the next token, and behind words in capitals, which may be macros, the one after them.
    """
    heads = {}
    for start, end in parsed.spans("template"):
        following = _NEXT.match(code, end)
        while following:
            heads[following.end()] = (start, end)
            following = _BEHIND_MACRO.match(code, following.end())
    return heads


_NEXT = re.compile(rb"\s*")
_BEHIND_MACRO = re.compile(rb"[A-Z][A-Z0-9_]{2,}\s+")


def _template_of(parsed: Parsed, heads: dict[int, Span], start: int) -> str:
    return " ".join(parsed.string(*heads[start]).split()) if start in heads else ""


def _access_by_class(parsed: Parsed, rows: Sequence[_Row]) -> dict[int, list[tuple[int, str]]]:
    """Where "public:" and its like stand in each class: not in the classes inside of it."""
    found: dict[int, list[tuple[int, str]]] = {}
    spans = parsed.spans("access")
    classes = {row.span: row.one.start for row in rows if row.one.kind in _CLASSES}
    order = sorted(classes, key=outer_first)
    within = innermost(order, [start for start, _ in spans])
    for span, index in zip(spans, within, strict=True):
        if index >= 0:
            words = parsed.string(*span).strip(": ")
            found.setdefault(classes[order[index]], []).append((span[0], words))
    return found


def _access(seen: _Seen, outer: Definition | None, start: int) -> str:
    """The last access specifier before a member, "" where there is none."""
    if outer is None or outer.kind not in _CLASSES:
        return ""
    before = [words for at, words in seen.access.get(outer.start, ()) if at < start]
    return before[-1] if before else ""


def _access_at_first(outer: Definition | None) -> str:
    return "private" if outer is not None and outer.kind == "class" else ""


def _show_members(definitions: list[Definition]) -> None:
    """What can be seen of a namespace is what can be seen of all in it."""
    members: dict[int, list[Definition]] = {}
    for index in range(len(definitions) - 1, -1, -1):
        one = definitions[index]
        if one.kind == "namespace" and index in members:
            seen = interface_of(members[index])
            one = definitions[index] = one._replace(interface=short(one.interface + seen, 16))
        if one.parent >= 0 and one.public:
            members.setdefault(one.parent, []).append(one)
