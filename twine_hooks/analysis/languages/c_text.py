"""C and C++ source as text: comments, strings, directives, and what to show the parser of it.

Works beside the tree, on bytes alone: a tree with errors must never drop an include or a macro.
Knows no tree and no other file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Span
from twine_hooks.analysis.scopes import is_within


class Directive(NamedTuple):
    """One preprocessor line with its continuations; ``rest`` has no comments in it."""

    start: int
    end: int
    name: str
    rest: str
    inactive: bool  #: under ``#if 0``


class Scan(NamedTuple):
    """One file as text. All byte positions are those of the original."""

    code: bytes  #: comments and the insides of strings are spaces
    comments: tuple[Span, ...]
    strings: tuple[Span, ...]
    directives: tuple[Directive, ...]
    inactive: tuple[Span, ...]  #: what ``#if 0`` leaves out
    guard: str  #: the macro of the include guard; "#pragma once" for that; "" in no header


_LITERAL = re.compile(
    rb"[/\"'](?:"
    rb"(?<=/)(?:/[^\\\n]*+(?:\\[\s\S][^\\\n]*+)*+|\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/|\*[\s\S]*\Z)"
    rb'|(?<=R")([^\s()\\"]{0,16})\([\s\S]*?\)\1"'
    rb'|(?<=")[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"'
    rb"|(?<=')(?<![0-9a-fA-F]')(?:[^'\\\n]|\\[\s\S]){1,12}?')"
)
_DIRECTIVE = re.compile(rb"#[^\\\n]*(?:\\[\s\S][^\\\n]*)*")
_WORDS = re.compile(r"\s*#\s*(\w+)\s*(.*?)\s*\Z", re.DOTALL)
_NOT_LINE_END = re.compile(rb"[^\n]")


@lru_cache(maxsize=2)
def scan(text: bytes) -> Scan:
    """What the text says by itself; kept for the second of the two who ask."""
    code, no_comments, comments, strings = _without_literals(text)
    directives = tuple(_directives(code, no_comments))
    inactive = [(one.start, one.end) for one in _groups(code, directives).inactive]
    return Scan(code, comments, strings, directives, tuple(inactive), _guard(directives))


def blank(text: bytes) -> bytes:
    """As many spaces, with the same line ends."""
    return _NOT_LINE_END.sub(b" ", text)


def _without_literals(
    text: bytes,
) -> tuple[bytes, bytes, tuple[Span, ...], tuple[Span, ...]]:
    """(no comments and no strings, no comments, spans of comments, spans of strings)."""
    code: list[bytes] = []
    plain: list[bytes] = []
    comments: list[Span] = []
    strings: list[Span] = []
    position = 0
    for found in _LITERAL.finditer(text):
        start, end = found.span()
        between, literal = text[position:start], found[0]
        empty = b" " * len(literal) if b"\n" not in literal else blank(literal)
        if literal[:1] == b"/":
            comments.append((start, end))
            plain += (between, empty)
        else:
            strings.append((start, end))
            plain += (between, literal)
            empty = b'"' + empty[1:-1] + b'"'
        code += (between, empty)
        position = end
    code.append(text[position:])
    plain.append(text[position:])
    return b"".join(code), b"".join(plain), tuple(comments), tuple(strings)


def _directives(code: bytes, no_comments: bytes) -> Iterator[Directive]:
    """The directives, those under ``#if 0`` marked. Strings that span lines hide none."""
    stack: list[tuple[bool, bool]] = []  # (left out, it or one before it is certain)
    outer: list[bool] = []  # whether any around it is left out
    for found in _DIRECTIVE.finditer(code):
        if code[code.rfind(b"\n", 0, found.start()) + 1 : found.start()].strip():
            continue
        line = no_comments[found.start() : found.end()].replace(b"\\\n", b"")
        parts = _WORDS.match(line.decode("utf-8", "replace"))
        if parts is None:
            continue
        name, rest = parts[1], parts[2]
        if name in ("if", "ifdef", "ifndef"):
            outer.append(bool(stack) and (outer[-1] or stack[-1][0]))
            stack.append((name == "if" and rest in _NEVER, name == "if" and rest in _ALWAYS))
        elif name in ("else", "elif", "elifdef", "elifndef") and stack:
            certain = stack[-1][1]
            never = certain or (name == "elif" and rest in _NEVER)
            stack[-1] = (never, certain or (name == "elif" and rest in _ALWAYS))
        elif name == "endif" and stack:
            stack.pop()
            outer.pop()
        is_left_out = bool(stack) and (outer[-1] or stack[-1][0])
        yield Directive(found.start(), found.end(), name, rest, is_left_out)


_NEVER = frozenset({"0", "(0)", "false", "0L"})
_ALWAYS = frozenset({"1", "(1)", "true"})


def _guard(directives: tuple[Directive, ...]) -> str:
    """The name of the include guard where the file begins with one."""
    names = [one for one in directives[:4] if one.name != "include"]
    for one, following in pairwise(names):
        tested = re.fullmatch(r"!?\s*(?:defined)?\s*\(?\s*(\w+)\s*\)?", one.rest)
        if one.name in ("ifndef", "if") and tested and following.name == "define":
            defined = re.match(r"\w+", following.rest)
            if defined and defined[0] == tested[1] and one.start == directives[0].start:
                return tested[1]
    once = any(one.name == "pragma" and one.rest == "once" for one in directives[:4])
    return "#pragma once" if once else ""


# --- conditional groups ------------------------------------------------------------------------


class _Groups(NamedTuple):
    inactive: list[Directive]  #: spans left out; only start and end are meant
    hidden: list[Span]  #: what the parser does not see


class _Group:
    """One ``#if … #endif`` while it is read. A branch is (start, end, net, lowest, left out)."""

    def __init__(self, opening: Directive) -> None:
        self.lines = [opening]
        self.branches: list[tuple[int, int, int, int, bool]] = []
        self.begin(opening)

    def begin(self, line: Directive) -> None:
        self.start, self.net, self.low, self.left_out = line.end, 0, 0, line.inactive

    def add(self, net: int, low: int) -> None:
        self.low = min(self.low, self.net + low)
        self.net += net

    def close(self, line: Directive) -> None:
        self.branches.append((self.start, line.start, self.net, self.low, self.left_out))
        self.lines.append(line)


_BRACKET = re.compile(rb"[{}()]")
_DEPTH = {b"{": 1, b"(": 1, b"}": -1, b")": -1}


def _balance(code: bytes) -> tuple[int, int]:
    """(brackets opened and not closed, the lowest depth on the way)."""
    depth = low = 0
    for bracket in _BRACKET.findall(code):
        depth += _DEPTH[bracket]
        low = min(low, depth)
    return depth, low


def _groups(code: bytes, directives: tuple[Directive, ...]) -> _Groups:
    """Which branches are left out, and which the parser may not see so that brackets match."""
    groups = _Groups([], [])
    stack: list[_Group] = []
    position = 0
    for line in directives:
        if stack:
            stack[-1].add(*_balance(code[position : line.start]))
        position = line.end
        if line.name in ("if", "ifdef", "ifndef"):
            stack.append(_Group(line))
        elif line.name in ("else", "elif", "elifdef", "elifndef") and stack:
            stack[-1].close(line)
            stack[-1].begin(line)
        elif line.name == "endif" and stack:
            group = stack.pop()
            group.close(line)
            net, low = _settle(group, groups)
            if stack:
                stack[-1].add(net, low)
    return groups


def _settle(group: _Group, groups: _Groups) -> tuple[int, int]:
    """Hide all branches but one where brackets do not match or one is left out."""
    left_out = [branch for branch in group.branches if branch[4]]
    for start, end, *_ in left_out:
        groups.inactive.append(Directive(start, end, "", "", True))
    if not left_out and not any(net or low < 0 for _, _, net, low, _ in group.branches):
        return 0, 0
    kept = next((branch for branch in group.branches if not branch[4]), None)
    groups.hidden.extend((line.start, line.end) for line in group.lines)
    groups.hidden.extend((branch[0], branch[1]) for branch in group.branches if branch is not kept)
    return (kept[2], kept[3]) if kept else (0, 0)


# --- what the parser is shown ------------------------------------------------------------------

# A macro that stands where the grammars know no macro: "class API Name {", "API int f(void);",
# "int f(void) NOTHROW;". Only the parser does not see it; as a name used it is found in the text.
_MACRO_IN_HEAD = re.compile(
    rb"\b(?:class|struct|union|enum)\s+([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)"
    rb"(?=\s+[A-Za-z_][\w:]*(?:\s+final)?\s*[:{])"
)
_MACRO_BEFORE = re.compile(
    rb"\n[ \t]*(?:(?:extern|static|inline|const|virtual|friend|typedef)[ \t]+)*"
    rb"([A-Z][A-Z0-9_]{2,}\b(?:\([^()\n]*\))?)"
    rb"(?=[ \t]*\n?[ \t]*(?:[A-Za-z_][\w:]*(?:<[^;(){}\n]*>)?[ \t*&]+){1,5}"
    rb"\(?[A-Za-z_~][\w:]*\)?[ \t]*[(;=\[])"
)
_MACRO_BEFORE_CONSTRUCTOR = re.compile(
    rb"\n[ \t]*(?:(?:explicit|constexpr|inline)[ \t]+)*([A-Z][A-Z0-9_]{2,})"
    rb"(?=[ \t]+\w+\((?:[^(){};]|\([^(){};]*\))*\)\s*(?:noexcept\s*)?:\s*[A-Za-z_][\w:<>, ]*[({])"
)
_MACRO_IN_MIDDLE = re.compile(
    rb"\n(?:[a-z_]\w*[ \t*]+){1,4}([A-Z][A-Z0-9_]{3,})(?=[ \t]+\**[a-z_]\w*[ \t]*\()"
)
_MACRO_BEHIND = re.compile(rb"[\w)\]>]\s([A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()]*\))?)(?=\s*[;{=])")
_OLD_PARAMETERS = re.compile(rb"\(\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)(\))\s*;")
_BEFORE_OLD = re.compile(rb"\w[ \t]+([A-Z_]+[ \t]*)\Z")
_BEHIND_TYPE = re.compile(rb"(?:return|case|goto|else|define|new|throw)\s+\Z")
_IS_ANNOTATION = re.compile(
    rb"\w[\w:>]*[ \t*&]+(?!(?:int|char|void|long|short|float|double|bool|unsigned|signed|auto)\s"
    rb"|\w*_t\s)"
    rb"[a-z_]\w*(?:\[\w*\])*\s[A-Z][A-Z0-9_]+[ \t]*\((?!void\))[^()\s]+(?:,\s*[^()\s]+)*\)\Z"
)
_DEFAULTED = re.compile(rb"=\s*(?:default|delete)\s*;")
_BEFORE_DEFAULTED = re.compile(
    rb"(?:\A|[\n;}])[ \t]*(?:\w+(?:<[^;{}()]*>)?::)+~?\w+\s*\([^;{}]*\)\s*(?:noexcept\s*)?\Z"
)
_BEHIND_HEAD = re.compile(rb"(?:\)|\bconst|\boverride|\bnoexcept)\s\Z")
_ATTRIBUTE = re.compile(
    rb"\b(__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__\b|__restrict(?:__)?\b|"
    rb"__declspec\s*\([^()]*\))"
)


def for_parser(text: bytes) -> bytes:
    """The text with spaces in place of what a grammar stumbles over; as long as the original."""
    found = scan(text)
    hidden = list(_groups(found.code, found.directives).hidden)
    code = found.code
    macros = [(one.start, one.end) for one in found.directives if one.name == "define"]
    hidden += [span for span in _stumbling(code) if not is_within(macros, span[0])]
    shown = _hide(_without_blank_values(text, found.directives), hidden)
    for one in _DEFAULTED.finditer(code):
        start, end = one.span()
        if _BEFORE_DEFAULTED.search(code, max(0, start - 200), start):
            shown = shown[:start] + b"{}" + blank(shown[start + 2 : end]) + shown[end:]
    return shown


def _stumbling(code: bytes) -> Iterator[Span]:
    """What stands where the grammars know nothing of its kind."""
    yield from (one.span(1) for one in _MACRO_IN_HEAD.finditer(code))
    for pattern in (_MACRO_BEFORE, _MACRO_BEFORE_CONSTRUCTOR, _MACRO_IN_MIDDLE):
        for one in pattern.finditer(b"\n" + code):
            yield one.start(1) - 1, one.end(1) - 1
    if b"__" in code:
        yield from (one.span(1) for one in _ATTRIBUTE.finditer(code))
    for one in _OLD_PARAMETERS.finditer(code):
        before = _BEFORE_OLD.search(code, max(0, one.start() - 24), one.start())
        if before:
            yield from ((before.start(1), one.start() + 1), one.span(1))
    yield from (one.span(1) for one in _MACRO_BEHIND.finditer(code) if _is_behind(code, one))


_BLANK_VALUE = re.compile(rb"(?<=[\w)])[ \t\r\f\v][ \t\r\f\v\\\n]*\Z")


def _without_blank_values(text: bytes, directives: tuple[Directive, ...]) -> bytes:
    """With the line of a macro ended behind its name where only white space follows: there the
    grammars take the next line for its value.
    """
    for one in directives:
        blanks = _BLANK_VALUE.search(text, one.start, one.end) if one.name == "define" else None
        if blanks:
            rest = blank(text[blanks.start() + 1 : one.end])
            text = text[: blanks.start()] + b"\n" + rest + text[one.end :]
    return text


def _is_behind(code: bytes, one: re.Match[bytes]) -> bool:
    """Whether a macro stands behind what is declared, and is not itself the thing declared."""
    before = code[max(0, one.start() - 9) : one.start(1)]
    if _BEHIND_TYPE.search(before):
        return False
    if _BEHIND_HEAD.search(before):
        return True
    return _IS_ANNOTATION.search(code, max(0, one.start() - 40), one.end(1)) is not None


def _hide(text: bytes, spans: list[Span]) -> bytes:
    pieces: list[bytes] = []
    position = 0
    for start, end in sorted(spans):
        if end > position:
            start = max(start, position)
            pieces += (text[position:start], blank(text[start:end]))
            position = end
    return b"".join([*pieces, text[position:]])


_ONLY_FOR_CPP = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t]*\(?[ \t]*)__cplusplus"
    rb"[\s\S]*?^[ \t]*#[ \t]*(?:endif|else)",
    re.MULTILINE,
)
_CPP_MARK = re.compile(
    rb"^[ \t]*(?:(?:class|namespace|template|using)\s+[\w<]|(?:public|private|protected)\s*:)"
    rb"|\w::~?\w|\b(?:static_cast|constexpr|noexcept|nullptr|virtual|operator)\b",
    re.MULTILINE,
)


_CPP_HINTS = (b"::", b"namespace", b"class ", b"template", b"using ", b"virtual", b"operator")
_MORE_HINTS = (b"public", b"private", b"protected", b"constexpr", b"noexcept", b"nullptr", b"_cast")


def looks_like_cpp(text: bytes) -> bool:
    """Whether a header is C++ beyond what it hides behind ``__cplusplus``."""
    code = scan(text).code
    if not any(hint in code for hint in _CPP_HINTS + _MORE_HINTS):
        return False
    if b"__cplusplus" in code:
        code = _ONLY_FOR_CPP.sub(b"", code)
    return _CPP_MARK.search(code) is not None
