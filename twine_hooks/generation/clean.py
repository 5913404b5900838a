"""A model's Markdown without what could act or break out of its section; judges no statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from docs_store.markdown import trimmed
from twine_hooks.markup import visible

_FENCE = re.compile(r"( {0,3}(?:[-+*>] +| *\d+[.)] +)* *)(`{3,}(?=[^`]*\Z)|~{3,})(.*)\Z")
_DIAGRAMS = frozenset({"mermaid", "dot", "graphviz", "plantuml", "puml", "d2", "svg", "html"})
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?\?>|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_ACTIVE = re.compile(
    r"<(script|style|iframe|object|svg|math)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.I
)
_TAG = re.compile(
    r"</?(?:a|abbr|article|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em"
    r"|embed|font|footer|form|frame|h[1-6]|head|header|hr|html|i|img|input|ins|kbd|label|li|link"
    r"|main|mark|meta|nav|ol|option|p|picture|pre|q|s|samp|section|select|small|source|span"
    r"|strike|strong|sub|summary|sup|table|tbody|td|textarea|th|thead|title|tr|tt|u|ul|var|video"
    r"|audio|base|canvas|noscript)(?:\s[^<>]*)?/?>",
    re.I,
)
_ANGLE = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])")
_IMAGE = re.compile(r"!\[([^\]]*)\](?:\([^)\n]*\)|\[[^\]]*\])?")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\(\s*<?((?:[^()\s>]|\([^()\s]*\))*)>?[^()\n]*\)|\[[^\]]*\])")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:[^\n]*$", re.M)
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]*:[^<>\s]*)>", re.I)
_TOP_HEADING = re.compile(r"^( {0,3})#{1,2}(?=[ \t]|$)", re.M)
_UNDERLINE = re.compile(r"(?<=\S)\n {0,3}(?:=+|-+)[ \t]*(?=\n|\Z)")
_MENTION = re.compile(r"(?<![\w/`.@])@([A-Za-z][\w.-]*\w|[A-Za-z])")
_ISSUE = re.compile(r"(?<![\w&`/])#(?=\d)")


def cleaned(text: str, is_known_address: Callable[[str], bool] = lambda address: False) -> str:
    """The text of one section as Markdown that only says something.

    Links stay where ``is_known_address`` knows their http address, else their words. No heading of
    level 1 or 2, no HTML, comment, image, diagram, open fence or invisible character is left.
    """
    text = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    parts = []
    for is_code, part in _parts(text):
        parts.append(part if is_code else _outside_spans(part, is_known_address))
    lines = [line.rstrip() for line in "\n".join(parts).split("\n")]
    return trimmed(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """(is fenced code, lines) in order; an open fence is closed, a diagram left out."""
    lines: list[str] = []
    fence, indent, info = "", "", ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not fence and found:
            if lines:
                yield False, "\n".join(lines)
            lines, (indent, fence, info) = [line], (found[1], found[2], found[3].strip().lower())
        elif fence and found and found[2].startswith(fence) and not found[3].strip():
            if info.split(" ")[0] not in _DIAGRAMS:
                yield True, "\n".join([*lines, line])
            lines, fence = [], ""
        else:
            lines.append(line)
    if fence:
        margin = " " * len(indent)
        if info.split(" ")[0] not in _DIAGRAMS:
            yield True, "\n".join([*lines, margin + fence])
    elif lines:
        yield False, "\n".join(lines)


def _outside_spans(text: str, is_known_address: Callable[[str], bool]) -> str:
    """Everything but code spans made harmless; the spans are set aside meanwhile."""
    spans: list[str] = []

    def aside(found: re.Match[str]) -> str:
        # In one line: a heading may begin in a span that goes on in the next.
        spans.append(" ".join(found[0].split("\n")))
        return f"\x01{len(spans) - 1}\x02"

    text = _without_markup(_SPAN.sub(aside, text), is_known_address)
    text = _TOP_HEADING.sub(r"\1###", text)
    text = _UNDERLINE.sub("\n", text)
    text = _MENTION.sub(r"`@\1`", text)
    text = _ISSUE.sub("#\u2060", text)
    return re.sub("\x01(\\d+)\x02", lambda found: spans[int(found[1])], text)


def _without_markup(text: str, is_known_address: Callable[[str], bool]) -> str:
    def linked(found: re.Match[str]) -> str:
        address = found[2] or ""
        is_web = address.startswith(("http://", "https://"))
        return f"[{found[1]}]({address})" if is_web and is_known_address(address) else found[1]

    before = ""
    while before != text:  # what is left when a part is taken out may be markup again
        before = text
        for pattern in (_COMMENT, _ACTIVE, _TAG, _REFERENCE):
            text = pattern.sub("", text)
        text = _AUTOLINK.sub(r"\1", text)
        text = _IMAGE.sub(r"\1", text)
        text = _LINK.sub(linked, text)
    return _ANGLE.sub(r"\\<", text)
