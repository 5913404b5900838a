"""The little of Markdown that the store needs: where headings are, what is only style.

It renders nothing and knows nothing of documents. Constructs follow CommonMark 0.31 and GitHub's
tables. Where it knows less than a full parser, a formatter's change may count as an edit, which is
harmless; never the reverse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from docs_store.layout import quote

_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*\Z)|~{3,})(.*)\Z")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_ITEM = re.compile(r"( *)([-+*]|(\d{1,9})[.)])( +|\Z)")
_BREAK = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_DELIMITERS = re.compile(r" *\|? *:?-+:? *(\| *:?-+:? *)*\|? *\Z")
_CELL = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(
    r"""(?P<ticks>(?<!`)`+(?!`))(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
      | \\(?P<escaped>[!-/:-@\[-`{-~])
      | \\(?P<hard_break>\n)
      | (?P<tag></?[A-Za-z][^<>]*>|<!--.*?-->)
      | \]\(\s*(?:<(?P<angle>[^<>\n]*)>|(?P<target>[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*))
        (?:\s+(?P<title>"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)
      | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_NOT_URL = re.compile(r"[^!-~]|[\"<>\\^`{|}]")  # what formatters percent-encode in a target
_RUN = re.compile(r"(?<![\w_])(?P<opens>_+(?=[^\s_]))|(?<=[^\s_])(?P<closes>_+)(?![\w_])")
_UNDERSCORE = "\x02"  # one that is no emphasis: in code, in a link, escaped


class Line(NamedTuple):
    """One line, or the list marker before one. Kinds: text blank quote item fence code end html.

    `text` is free of quote marks, list markers and the indent of its container. `nested`: in a list
    or a quote.
    """

    number: int
    kind: str
    text: str
    nested: bool


class Heading(NamedTuple):
    """A heading outside lists and quotes, in the lines from `first` (from 0) to before `end`."""

    level: int
    title: str
    first: int
    end: int


def scan(text: str) -> Iterator[Line]:
    """The lines of `text` (ends are LF) with what CommonMark's blocks make of them."""
    scanner = _Scanner()
    for number, raw in enumerate(text.split("\n")):
        yield from scanner.feed(number, raw)


class _Scanner:
    def __init__(self) -> None:
        self.fence = ""  # what closes the open code: a fence, "-->" or, for indented code, a space
        self.fence_indent = 0
        self.quoted = False
        self.columns: list[int] = []  # where the content of each open list item begins
        self.in_paragraph = False

    def feed(self, number: int, raw: str) -> Iterator[Line]:
        quote = _QUOTE.match(raw)
        line = raw[quote.end() :] if quote and (self.quoted or not self.fence) else raw
        if self.fence and (quote or not self.quoted) and (kind := self._inside(line)):
            yield Line(number, kind, _dedent(line, self.fence_indent), True)
            return
        is_quoted = quote is not None or self._is_lazy(raw)
        if is_quoted != self.quoted:
            self.columns.clear()
        if is_quoted and not self.quoted:
            yield Line(number, "quote", "", True)
        self.fence = ""
        self.quoted = is_quoted
        yield from self._outside(number, raw[quote.end() :] if quote else raw)

    def _is_lazy(self, line: str) -> bool:
        """Whether a line without a mark goes on with the paragraph of the quote above it."""
        is_block = any(block.match(line) for block in (_ITEM, _HEADING, _BREAK, _FENCE))
        return self.quoted and self.in_paragraph and bool(line.strip()) and not is_block

    def _inside(self, line: str) -> str:
        """The kind of a line in open code; "" where the code ended before it."""
        if self.fence == " ":
            is_code = not line.strip() or _indent(line) >= self.fence_indent
            return "code" if is_code else ""
        if self.fence == "-->":
            self.fence = "" if "-->" in line else self.fence
            return "html"
        bare = line.strip()
        if bare.startswith(self.fence) and not bare.strip(self.fence[0]):
            self.fence = ""
            return "end"
        return "code"

    def _outside(self, number: int, line: str) -> Iterator[Line]:
        if not line.strip():
            self.in_paragraph = False
            yield Line(number, "blank", "", self._nested())
            return
        offset = 0
        while item := self._item(line, offset):
            while self.columns and self.columns[-1] > offset + len(item[1]):
                self.columns.pop()
            # Five spaces after a marker are one and indented code.
            width = item.end() if len(item[4]) < 5 else item.end(2) + 1
            offset += width
            self.columns.append(offset)
            self.in_paragraph = False
            yield Line(number, "item", "1." if item[3] else "-", True)
            line = line[width:]
        yield from self._content(number, line, offset)

    def _item(self, line: str, offset: int) -> re.Match[str] | None:
        """A list marker at the start of `line`, which begins in column `offset`."""
        item = _ITEM.match(line)
        if item is None or _BREAK.match(
            _dedent(line, self._column(offset + len(item[1])) - offset)
        ):
            return None
        indent = offset + len(item[1])
        if self._is_code(indent):
            return None
        interrupts = self.in_paragraph and not (self.columns and indent < self.columns[-1])
        return None if interrupts and item[3] not in (None, "1") else item

    def _content(self, number: int, line: str, offset: int) -> Iterator[Line]:
        indent = offset + _indent(line)
        is_code = self._is_code(indent)
        text = _dedent(line, self._column(indent) - offset)
        fence = None if is_code else _FENCE.match(text)
        is_block = is_code or fence or _HEADING.match(text) or _BREAK.match(text)
        if is_block or not self.in_paragraph:
            self.columns = [column for column in self.columns if column <= indent]
        self.in_paragraph = not is_block
        if is_code:
            self.fence, self.fence_indent = " ", self._column(indent) + 4
            yield Line(number, "fence", "", True)
            yield Line(number, "code", _dedent(line, self.fence_indent - offset), True)
        elif fence:
            self.fence, self.fence_indent = fence[2], indent
            yield Line(number, "fence", fence[3].strip(), self._nested())
        elif text.lstrip().startswith("<!--") and "-->" not in text:
            self.fence, self.fence_indent = "-->", 0
            yield Line(number, "html", text, self._nested())
        else:
            yield Line(number, "text", text, self._nested())

    def _column(self, indent: int) -> int:
        """Where the content of the innermost item that reaches to `indent` begins."""
        return max((column for column in self.columns if column <= indent), default=0)

    def _is_code(self, indent: int) -> bool:
        return not self.in_paragraph and indent - self._column(indent) >= 4

    def _nested(self) -> bool:
        return self.quoted or bool(self.columns)


def headings(text: str) -> list[Heading]:
    """The headings of `text`, `#` or underlined; not in code, comments, lists or quotes."""
    found: list[Heading] = []
    paragraph: list[Line] = []
    for line in scan(text):
        if line.kind != "text" or line.nested:
            paragraph.clear()
        elif match := _HEADING.match(line.text):
            found.append(Heading(len(match[1]), match[2] or "", line.number, line.number + 1))
            paragraph.clear()
        elif paragraph and (underline := _UNDERLINE.match(line.text)):
            title = " ".join(part.text.strip() for part in paragraph)
            level = 1 if underline[1][0] == "=" else 2
            found.append(Heading(level, title, paragraph[0].number, line.number + 1))
            paragraph.clear()
        elif _BREAK.match(line.text):
            paragraph.clear()
        else:
            paragraph.append(line)
    return found


def trimmed(text: str) -> str:
    """`text` without white space at line ends and blank lines around it; hard breaks stay."""
    lines = text.split("\n")
    for line in scan(text):
        stripped = lines[line.number].rstrip()
        follows = line.number + 1 < len(lines) and lines[line.number + 1].strip()
        is_break = line.kind == "text" and lines[line.number].endswith("  ") and follows
        lines[line.number] = (
            stripped + "\\" if is_break and not _HEADING.match(line.text) else stripped
        )
    return "\n".join(lines).strip("\n")


def canonical(text: str) -> str:
    """`text` with everything that a formatter may change made equal; for comparing only.

    Equal become: white space and wrapping, the characters of bullets, emphasis, breaks and fences,
    list numbers, escapes and entities, underlined headings, padding of tables. Code keeps all but
    the white space at its line ends.
    """
    form = _Canonical()
    for line in scan(text.replace("\r\n", "\n")):
        form.feed(line)
    form.flush()
    return " ".join(part for part in form.parts if part)


class _Canonical:
    """The canonical parts of the lines fed so far; control characters stand for what is markup."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.paragraph: list[str] = []
        self.code: list[str] = []

    def feed(self, line: Line) -> None:
        if line.kind == "code":
            self.code.append(line.text.rstrip())
        elif line.kind == "text":
            self._text(line)
        else:
            self.flush()
            if line.kind == "item":
                self.parts.append("\x05" if line.text == "-" else "\x06")
            elif line.kind == "quote":
                self.parts.append("\x0e")
            elif line.kind == "fence":
                self.parts.append(f"\n\x07{line.text}\n")
            elif line.kind == "html":
                self.parts.append(" ".join(line.text.split()))

    def _text(self, line: Line) -> None:
        heading = _HEADING.match(line.text)
        underline = None if line.nested else _UNDERLINE.match(line.text)
        if underline and self.paragraph:
            self.flush("\n" + ("\x03" if underline[1][0] == "=" else "\x03\x03"))
        elif heading:
            self.flush()
            self.paragraph.append(heading[2] or "")
            self.flush("\n" + "\x03" * len(heading[1]))
        elif _BREAK.match(line.text):
            self.flush()
            self.parts.append("\x04")
        else:
            if self.code:
                self.flush()
            self.paragraph.append(line.text)

    def flush(self, mark: str = "") -> None:
        """Close what is open. Blank lines at the end of code are white space like any other."""
        code = "\n\x08".join(self.code).rstrip("\n\x08")
        self.parts += [f"\x08{code}\n" if self.code else "", mark + _block(self.paragraph)]
        self.code.clear()
        self.paragraph.clear()


def _block(lines: list[str]) -> str:
    """One paragraph or table, canonical."""
    delimiters = (n for n, line in enumerate(lines) if n and _DELIMITERS.match(line))
    head = next((n for n in delimiters if "|" in lines[n - 1]), 0)
    if not head:
        return _inline("\n".join(lines))
    table = [_cells(line) for line in lines[head - 1 :]]
    rows = ["|".join(_inline(cell) for cell in row).rstrip("|") for row in table]
    rows[1] = re.sub("-+", "-", rows[1])
    return _inline("\n".join(lines[: head - 1])) + "".join(f"\n|{row}" for row in rows)


def _cells(row: str) -> list[str]:
    return _CELL.split(re.sub(r"\A\||(?<!\\)\|\Z", "", row.strip()))


def _inline(text: str) -> str:
    text = _starred(_INLINE.sub(_plain, text))
    return " ".join(text.replace(_UNDERSCORE, "_").split())


def _starred(text: str) -> str:
    """`text` with underscores that are emphasis made stars: each end with the nearest start."""
    characters = list(text)
    starts: list[re.Match[str]] = []
    for run in _RUN.finditer(text):
        if run["opens"]:
            starts.append(run)
            continue
        level = next((n for n in reversed(range(len(starts))) if starts[n][0] == run[0]), None)
        if level is not None:
            for end in (starts[level], run):
                characters[end.start() : end.end()] = "*" * len(end[0])
            del starts[level:]
    return "".join(characters)


def _plain(found: re.Match[str]) -> str:
    if found["ticks"]:
        plain = f"`{' '.join(found['code'].split())}`"
    elif found["hard_break"]:
        plain = "\n"
    elif found["entity"]:
        from html import unescape  # it brings a table of thousands, and few texts have one

        plain = unescape(found["entity"])
    elif found[0].startswith("]("):
        target = found["target"] if found["angle"] is None else found["angle"]
        target = quote(_ESCAPED.sub(r"\1", target), _NOT_URL)
        title = f' "{found["title"][1:-1]}"' if found["title"] else ""
        plain = f"]({target}{title})"
    else:
        plain = found["escaped"] or found["tag"]
    return plain.replace("_", _UNDERSCORE)


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())


def _dedent(line: str, columns: int) -> str:
    """`line` less up to `columns` of leading white space; a tab stop is four columns."""
    at = 0
    for position, character in enumerate(line):
        if at >= columns or character not in " \t":
            return " " * (at - columns) + line[position:]
        at += 4 - at % 4 if character == "\t" else 1
    return ""
