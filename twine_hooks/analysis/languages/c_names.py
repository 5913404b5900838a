"""The names that a C or C++ file uses, from its text, with the declared type of local variables.

A chain begins with a name of the file's scope ("server.clients"), with the type of a local
variable in parentheses ("(client).argv"), or with nothing where its root is not known (".argv").
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.c_definitions import Normal
from twine_hooks.analysis.languages.c_text import Scan
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import innermost

_TOKEN = re.compile(
    rb"[A-Za-z_0-9$\x80-\xff][\w$\x80-\xff]*"
    rb"(?:\s*(?:->|\.(?!\.)|::)\s*~?[A-Za-z_\x80-\xff][\w\x80-\xff]*)*"
)
_JOINT = re.compile(r"\s*(->|\.|::)\s*")
_CALL = re.compile(rb"\s*\(")
_FORWARD = re.compile(rb"\s*;")

KEYWORDS = frozenset(
    b"""alignas alignof asm auto bool break case catch char class const const_cast constexpr
    consteval constinit continue co_await co_return co_yield decltype default defined delete do
    double dynamic_cast else enum explicit export extern false final float for friend goto if
    inline int long mutable namespace new noexcept nullptr operator override private protected
    public register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template thread_local throw true try typedef typeid
    typename typeof union unsigned using virtual void volatile wchar_t while _Bool _Static_assert
    __attribute__ __inline __inline__ __typeof__ __extension__ __cplusplus size_t ssize_t std
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t NULL ifdef ifndef endif
    define undef elif include concept char8_t char16_t char32_t __restrict __VA_ARGS__ __FILE__
    __LINE__ __func__ __FUNCTION__ __asm__ __volatile__ __has_include include_next""".split()
)
_TAGS = frozenset({b"struct", b"union", b"enum", b"class"})
_SKIPPED = frozenset(
    {"include", "include_next", "import", "pragma", "error", "warning", "line", "ident"}
)


def collect_names(parsed: Parsed, found: Scan, normal: Normal) -> list[Reference]:
    """The names used in a file that are not local, each with its lines."""
    return _Names(parsed, found, normal).references()


class _Place(NamedTuple):
    """A function or macro: in it some names are local. Their types: "" where not known."""

    start: int
    end: int
    types: dict[bytes, str]


class _Names:
    """One pass over the tokens of a file."""

    def __init__(self, parsed: Parsed, found: Scan, normal: Normal) -> None:
        self._parsed = parsed
        self._code = found.code
        self._normal = normal
        self._chains: dict[int, str] = {}  # end of a chain -> the chain
        self._type_starts = {start for start, _ in parsed.spans("type")}
        self._places = sorted([*self._functions(), *_macros(found)])
        self._not_uses = {start for start, _ in normal.names}
        self._not_uses.update(_macro_names(found))
        self._skipped = _skipped(found)

    def references(self) -> list[Reference]:
        """Sorted references."""
        uses = list(self._uses())
        scopes = innermost(self._normal.spans, [start for start, _, _ in uses])
        return sorted(merged(self._parsed, uses, scopes))

    def _uses(self) -> Iterator[tuple[int, str, str]]:
        """(start, chain, kind) of each use in order."""
        code, skipped = self._code, self._skipped
        places, not_uses, chains = self._places, self._not_uses, self._chains
        place = skip = 0
        here = _NOWHERE
        before = previous = b""
        for token in _TOKEN.finditer(code):
            start, end = token.span()
            while skip < len(skipped) and skipped[skip][1] <= start:
                skip += 1
            if skip < len(skipped) and skipped[skip][0] <= start:
                continue
            text = token[0]
            before, previous = previous, text
            if text in KEYWORDS or text[0] in _DIGITS:
                continue
            while place < len(places) and places[place].start <= start:
                here = places[place]
                place += 1
            if before in _TAGS and _FORWARD.match(code, end):
                continue
            if start in not_uses:
                text = text.rpartition(b"::")[0]
                if not text:
                    continue
            local = here.types if start < here.end and before not in _TAGS else _NOTHING
            joint = self._joint_before(start) if code[start - 1] in _BEFORE else 0
            if not joint and text in local and start not in self._type_starts:
                chains[end] = f"({local[text]})" if local[text] else ""
                continue
            chain = self._chain(text, start, joint, local)
            if chain:
                chains[end] = chain
                if chain[0] not in "(t." or not _BARE.match(chain):
                    called = code[end : end + 1] == b"(" or _CALL.match(code, end)
                    yield start, chain, "call" if called else "read"

    def _chain(self, text: bytes, start: int, joint: int, local: _Types) -> str:
        """The chain as the linker reads it, "" for a name that leads nowhere."""
        name, root, key = _split(text)
        if joint:
            left = self._left_of(start - joint)
            if self._code[start - 1] == 0x3A:
                return "" if left == ">" else name
            return f"{'' if left == '>' else left}.{name}"
        if key in KEYWORDS:
            return ""
        if key in local and start not in self._type_starts:
            declared = local[key]
            return (f"({declared})" if declared else "") + name[len(root) :]
        return name

    def _joint_before(self, start: int) -> int:
        """How many bytes of ".", "->" or "::" and one space stand before a name; 0 for none."""
        last = self._code[start - 1 : start]
        if last == b".":
            return 1 if self._code[start - 2 : start - 1] != b"." else 0
        if last in (b">", b":"):
            return 2 if self._code[start - 2 : start] in (b"->", b"::") else 0
        if last in (b" ", b"\n") and self._code[start - 3 : start - 1] == b"->":
            return 0 if _RETURNS.search(self._code, max(0, start - 16), start - 3) else 3
        return 0

    def _left_of(self, end: int) -> str:
        """The chain that ends where a "." or "->" stands: "" when not known, ">" for a template."""
        code, chains = self._code, self._chains
        for _ in range(8):
            end -= len(code[max(0, end - 200) : end]) - len(code[max(0, end - 200) : end].rstrip())
            if end in chains:
                return chains[end]
            last = code[end - 1 : end]
            if last == b">":
                return ">"
            if last not in (b"]", b")"):
                return ""
            start = self._opening(end)
            if last == b")":
                inner = self._inside(start, end)
                if inner:
                    return inner
            end = start
        return ""

    def _opening(self, end: int) -> int:
        """Where the bracket opens that closes before ``end``; not far away, or 0."""
        depth = 0
        code = self._code
        for position in range(end - 1, max(-1, end - 400), -1):
            byte = code[position]
            if byte in b")]":
                depth += 1
            elif byte in b"([":
                depth -= 1
                if not depth:
                    return position
        return 0

    def _inside(self, start: int, end: int) -> str:
        """What an expression in parentheses is: a cast's type, or what stands last in it."""
        code = self._code
        cast = _CAST.match(code, start, end)
        if cast:
            return f"({cast[1].decode('utf-8', 'replace')})"
        before = code[max(0, start - 80) : start]
        cast = _NAMED_CAST.search(before)
        if cast:
            return f"({cast[1].decode('utf-8', 'replace')})"
        if re.search(rb"[\w\])>]\s*\Z", before):
            return ""
        return self._chains.get(start + len(code[start : end - 1].rstrip()), "")

    # --- local names ----------------------------------------------------------------------------

    def _functions(self) -> Iterator[_Place]:
        """The functions with what is local in each."""
        names = self._normal.names
        type_spans = self._parsed.spans("type")
        type_starts = [start for start, _ in type_spans]
        taken = 0
        for start, end in self._parsed.spans("scope"):
            if start < taken:
                continue
            taken = end
            types: dict[bytes, str] = {}
            own = True
            for at, until in names[bisect_left(names, (start, 0)) : bisect_left(names, (end, 0))]:
                if own:
                    own = False
                    continue
                index = bisect_right(type_starts, at) - 1
                declared = ""
                if index >= 0 and start <= type_starts[index] and type_spans[index][1] <= at:
                    declared = self._type(type_spans[index], until, types)
                types.setdefault(self._code[at:until], declared)
            yield _Place(start, end, types)

    def _type(self, span: Span, name_end: int, known: _Types) -> str:
        """The project's types that may be meant, "," between; "=" and a chain for ``auto``."""
        text = self._code[span[0] : span[1]]
        if text != b"auto" and not text.startswith((b"auto ", b"decltype")):
            return _type_names(text)
        value = _INITIAL.match(self._code, name_end)
        if value is None:
            return ""
        if value[2] and _type_names(value[2]) != "-":
            return _type_names(value[2])
        chain = _JOINT.sub(_joint, value[1].decode("utf-8", "replace"))
        root = _ROOT.match(chain)
        key = root[0].encode() if root else b""
        if key in known:
            return f"=({known[key]}){chain[len(key) :]}" if known[key] else ""
        return "" if key == b"std" or key in KEYWORDS else "=" + chain


_Types = Mapping[bytes, str]
_NOTHING: _Types = {}
_NOWHERE = _Place(-1, -1, {})
_ROOT = re.compile(r"[^.:]+")
#: What stands before " -> T" where that says what a function returns.
_RETURNS = re.compile(rb"(?:\)|\bconst|\bnoexcept|\bmutable)\s\Z")
_BARE = re.compile(r"\(.*\)\Z|this\Z|\.\Z")
_CAST = re.compile(
    rb"\(\s*\(\s*(?:(?:const|struct|union|volatile)\s+)*([A-Za-z_][\w:]*)\s*(?:const\s*)?\*+\s*\)"
)
_NAMED_CAST = re.compile(rb"_cast\s*<\s*(?:const\s+)?([A-Za-z_][\w:]*)[^<>]*>\s*\Z")
_INITIAL = re.compile(
    rb"\s*(?:=|:|\{|\()\s*[*&(]*\s*(?:new\s+)?"
    rb"([A-Za-z_]\w*(?:\s*(?:->|\.|::)\s*\w+)*)(?:\s*<([\w:\s*,]+)>)?"
)
_TYPE_NAME = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")


_DIGITS = b"0123456789"
_BEFORE = b".>: \n"


@lru_cache(maxsize=65536)
def _split(text: bytes) -> tuple[str, str, bytes]:
    """(the chain in one spelling, its first name, that name in bytes)."""
    name = text.decode("utf-8", "replace")
    if name.isidentifier():
        return name, name, text
    name = _JOINT.sub(_joint, name)
    found = _ROOT.match(name)
    root = found[0] if found else name
    return name, root, root.encode()


def _joint(found: re.Match[str]) -> str:
    return "::" if found[1] == "::" else "."


@lru_cache(maxsize=4096)
def _type_names(text: bytes) -> str:
    """The names in a type, outermost first, those of no project left out; "-" for none."""
    names = [
        re.sub(rb"\s", b"", name).decode()
        for name in _TYPE_NAME.findall(text)
        if name not in KEYWORDS and not name.startswith(b"std")
    ]
    return ",".join(dict.fromkeys(names)) or "-"


_DEFINE = re.compile(r"(\w+)(\(([^)]*)\))?")


def _macros(found: Scan) -> Iterator[_Place]:
    """The macros with their parameters, whose types nobody knows."""
    for one in found.directives:
        macro = _DEFINE.match(one.rest) if one.name == "define" else None
        if macro:
            names = re.findall(r"\w+", macro[3] or "")
            yield _Place(one.start, one.end, {name.encode(): "" for name in names})


def _macro_names(found: Scan) -> Iterator[int]:
    """Where macros get their names, where the guard stands, and the names of parameters."""
    for one in found.directives:
        if one.name in ("define", "ifndef", "undef"):
            macro = _DEFINED.match(found.code, one.start)
            if macro and (one.name == "define" or macro[1] == found.guard.encode()):
                yield macro.start(1)


_DEFINED = re.compile(rb"\s*#\s*\w+\s+(\w+)")


def _skipped(found: Scan) -> list[Span]:
    """Where no name is a use."""
    lines = [(one.start, one.end) for one in found.directives if one.name in _SKIPPED]
    merged: list[Span] = []
    for start, end in sorted([*lines, *found.inactive]):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
