"""Reading Python expressions and annotations where they stand in the text, by patterns; knows
nothing of what their names mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Parsed, Span

# Written out: a class with "\w" in it takes several times as long.
_NAME = rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*+"
_MORE = rb"(?:\s*\.\s*" + _NAME + rb")"
#: A dotted name, which may continue another expression behind a dot; the group is its root.
CHAIN = re.compile(rb"(" + _NAME + rb")(?:\." + _NAME + rb")*+")
#: The same for splitting a text at each.
CHAINS = re.compile(rb"(" + _NAME + rb"(?:\." + _NAME + rb")*+)")
#: The mark behind a name that is bound there: as keyword argument, parameter, new name.
BINDS = re.compile(rb"\s*+:?=(?![=}!:])")
_VALUE = re.compile(rb"\(?\s*(?:await\s+)?(" + _NAME + _MORE + rb"*)")
_CONTINUED = re.compile(_MORE + rb"+")
#: What comes behind an expression when it was the whole of a value, or the first choice of one.
_VALUE_ENDS = re.compile(rb"[ \t]*(?:[\n;:)\]}]|\Z|(?:if|or|for|else|as|async)\b)")
_ANNOTATION = re.compile(
    rb"""[ \t]*((?:[\w.|"'\x80-\xff]|[ \t]+(?=[|\w"'])|(?<=\|)\s+"""
    rb"""|\[(?:[^\[\]]++|\[(?:[^\[\]]++|\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\])*+\])*+\])+)"""
)
_BRACKET = re.compile(rb"([()\[\]{}])")
_OPENING = frozenset({b"(", b"[", b"{"})
_SPACE = re.compile(rb"\s+")
_STEPS = 8  #: calls and subscripts that are followed in one expression

#: What is done to a value, as written in a chain behind "@": calling it, an element, an entry.
CALLED, EACH, ENTRY, ENTERED = "@", "@[]", "@[:]", "@with"


class Code(NamedTuple):
    """The text with spaces for comments, strings and imports, as long as before.

    Names in annotations and f-strings stay.
    """

    text: bytes
    closed: dict[int, int]  #: where a bracket opens -> behind the one that closes it
    outer: list[Span]  #: from bracket to bracket, for those in no others


def code_of(parsed: Parsed) -> Code:
    """The code of one file."""
    text = _blanked(parsed)
    return Code(text, *closing_brackets(text))


def closing_brackets(text: bytes) -> tuple[dict[int, int], list[Span]]:
    """``Code.closed`` and ``Code.outer`` of a text without comments and strings."""
    closed: dict[int, int] = {}
    outer: list[Span] = []
    open_brackets: list[int] = []
    at = 0
    pieces = iter(_BRACKET.split(text))  # faster than to ask matches for where they are
    for before, bracket in zip(pieces, pieces, strict=False):
        at += len(before)
        if bracket in _OPENING:
            open_brackets.append(at)
        elif open_brackets:
            opened = open_brackets.pop()
            closed[opened] = at + 1
            if not open_brackets:
                outer.append((opened, at + 1))
        at += 1
    return closed, outer


def _blanked(parsed: Parsed) -> bytes:
    text, position = parsed.text, 0
    pieces: list[bytes] = []
    shown = parsed.spans("interpolation")
    quoted = _quoted_types(parsed)
    upcoming = 0
    for start, end in parsed.spans("comment", "verbatim", "import"):
        if start < position:
            continue
        pieces.append(text[position:start])
        position = end
        if start in quoted:
            pieces.append(text[start:end].replace(b'"', b" ").replace(b"'", b" "))
            continue
        while upcoming < len(shown) and shown[upcoming][0] < end:
            inner, inner_end = shown[upcoming]
            upcoming += 1
            if inner >= start:
                pieces += b" " * (inner - start), text[inner:inner_end]
                start = inner_end
        pieces.append(b" " * (end - start))
    pieces.append(text[position:])
    return b"".join(pieces)


def line_spans(parsed: Parsed, code: Code) -> dict[str, list[Span]]:
    """The line ends that end no statement, and the semicolons that do."""
    text = parsed.text
    joined: list[Span] = []
    for start, end in code.outer + parsed.spans("import"):
        if b"\n" in text[start:end]:
            joined += [(at, at + 1) for at in parsed.line_ends(start, end)]
    if b"\\" in code.text:
        joined += [found.span() for found in _CONTINUED_LINE.finditer(code.text)]
    ended = [found.span() for found in _SEMICOLON.finditer(code.text)] if b";" in code.text else []
    return {"line.joined": joined, "line.ended": ended}


_CONTINUED_LINE, _SEMICOLON = re.compile(rb"\\\n"), re.compile(rb";")
_LITERAL = re.compile(rb"\bLiteral\s*\[[^\]]*\]")


def _quoted_types(parsed: Parsed) -> frozenset[int]:
    """Where annotations are written as strings."""
    text = parsed.text
    found: set[int] = set()
    for start, end in parsed.spans("type"):
        inside = text[start:end]
        if b'"' in inside or b"'" in inside:
            inside = _LITERAL.sub(lambda literal: b" " * len(literal[0]), inside)
            found.update(start + at for at, byte in enumerate(inside) if byte in b"\"'")
    return frozenset(found)


def read_value(code: Code, at: int, whole: bool = True) -> str:
    """The chain of the expression at a place, "" when it is no plain one.

    ``whole``: nothing else may follow it in the value.
    """
    text = code.text
    found = _VALUE.match(text, at)
    if found is None:
        return ""
    chain, end = as_chain(found[1]), found.end()
    for _ in range(_STEPS):
        marks, after = behind_call(code, end)
        if not marks:
            break
        more, end = continued(text, after)
        chain += marks + more
    if whole and not _VALUE_ENDS.match(text, end):
        return ""
    return chain


def behind_call(code: Code, end: int) -> tuple[str, int]:
    """The marks of the call or subscript at a place and where it ends; ("", end) without one."""
    closed = code.closed.get(end)
    if closed is None or code.text[end] == _BRACE:
        return "", end
    return (CALLED if code.text[end] == _ROUND else ENTRY), closed


_ROUND, _BRACE = b"({"


_ENDING = frozenset({b")", b",", b":", b"]", b"}", b"(", b"[", b""})


def continued(code: bytes, end: int) -> tuple[str, int]:
    """The rest of a dotted name and where it ends."""
    if code[end : end + 1] in _ENDING:
        return "", end  # as behind most calls
    found = _CONTINUED.match(code, end)
    return (as_chain(found[0]), found.end()) if found else ("", end)


def statement_end(code: Code, at: int) -> int:
    """Where the statement ends in which a place is."""
    end = code.text.find(b"\n", at)
    for start, closed in code.outer[bisect_left(code.outer, (at, 0)) :]:
        if start > end >= 0:
            break
        end = code.text.find(b"\n", closed)
    return end if end >= 0 else len(code.text)


def as_chain(text: bytes) -> str:
    """A dotted name without white space."""
    if b" " in text or b"\n" in text or b"\t" in text:
        text = _SPACE.sub(b"", text)
    return text.decode("utf-8", "replace")


def read_annotation(text: bytes, at: int) -> tuple[str, ...]:
    """The chains of the annotation that begins at a place, behind its colon or arrow."""
    found = _ANNOTATION.match(text, at)
    return annotated(found[1].decode("utf-8", "replace")) if found else ()


#: Types whose value is used as if it were of the type inside.
_TRANSPARENT = frozenset(
    {"Optional", "Union", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly",
     "Awaitable", "Type", "type", "InitVar"}
)  # fmt: skip
_MANY = frozenset(
    {"list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "MutableSequence",
     "Iterable", "Iterator", "Collection", "Generator", "AsyncIterable", "AsyncIterator",
     "AsyncGenerator", "deque", "Deque", "Reversible", "AbstractSet", "MutableSet",
     "KeysView", "ValuesView", "ContextManager", "AbstractContextManager",
     "AsyncContextManager", "AbstractAsyncContextManager"}
)  # fmt: skip
_MAPS = frozenset(
    {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict",
     "WeakKeyDictionary", "WeakValueDictionary", "ChainMap", "MappingProxyType"}
)  # fmt: skip
_PLAIN = frozenset(
    {"", "None", "str", "int", "bool", "float", "bytes", "object", "Any", "complex", "Callable",
     "Literal", "Never", "NoReturn", "LiteralString", "tuple", "Tuple", "..."}
)  # fmt: skip
_GENERIC = re.compile(r"([^\W\d][\w.]*)\s*(?:\[(.*)\])?\Z", re.DOTALL)


@lru_cache(maxsize=4096)
def annotated(text: str) -> tuple[str, ...]:
    """The names in "Foo[T] | list[bar.Baz] | None": what a value of that type has the members of.

    "[]Foo" is many of it, "[:]Foo" what a mapping maps to.
    """
    found: list[str] = []
    for part in _split(text.replace('"', "").replace("'", ""), "|"):
        generic = _GENERIC.match(part)
        if generic:
            found += _chains_of(generic[1], generic[2])
    return tuple(dict.fromkeys(found))


def _chains_of(name: str, inside: str | None) -> tuple[str, ...]:
    last = name.rpartition(".")[2]
    if last in _PLAIN and not (inside and last in ("tuple", "Tuple")):
        return ()
    if inside is None:
        return (name,)
    arguments = _split(inside, ",")
    if last == "Union":
        return tuple(chain for one in arguments for chain in annotated(one))
    if last in _TRANSPARENT:
        return annotated(arguments[0])
    if last in _MANY or (last in ("tuple", "Tuple") and arguments[1:] == ["..."]):
        return _marked("[]", arguments[0])
    if last in _MAPS:
        return _marked("[:]", arguments[-1])
    if last == "Coroutine":
        return annotated(arguments[-1])
    return () if last in _PLAIN else (name,)


def _marked(mark: str, inside: str) -> tuple[str, ...]:
    return tuple(mark + chain for chain in annotated(inside) if not chain.startswith("["))


def _split(text: str, mark: str) -> list[str]:
    """The parts between marks that stand in no bracket."""
    if "[" not in text:
        return [part.strip() for part in text.split(mark)]
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif character == mark and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]
