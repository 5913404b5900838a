"""SQL text as tokens, whatever its dialect; knows no statements.

Offsets are bytes: the text is decoded as Latin-1, which keeps them. A name is given back as UTF-8.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

#: Kinds of tokens.
WORD, NAME, STRING, BODY, PUNCTUATION = "w", "q", "s", "b", "p"
TEMPLATE, VARIABLE, COMMAND, END, COMMENT = "j", "v", "x", "t", "c"

POSTGRES, MYSQL, BIGQUERY, TSQL, ORACLE = "postgres", "mysql", "bigquery", "tsql", "oracle"
SNOWFLAKE, SQLITE = "snowflake", "sqlite"

#: What only one dialect says, in upper case; the first that is found decides.
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        TSQL,
        ("].[", "DBO.", "NVARCHAR", "SET NOCOUNT", "OBJECT_ID(", "CROSS APPLY", "\nGO\n", "TABLE [",
         "VIEW [", "PROCEDURE ["),
    ),
    (MYSQL, ("AUTO_INCREMENT", "/*!4", "/*!5", "ENGINE=", "ENGINE =", "DEFINER=", "\nDELIMITER ")),
    (BIGQUERY, ("STRUCT<", "ARRAY<", "SAFE_CAST(", " INT64", "DATETIME_DIFF(", "SAFE_DIVIDE(")),
    (
        POSTGRES,
        ("$$", "PLPGSQL", "BIGSERIAL", " SERIAL ", " SERIAL,", "SEARCH_PATH", "REGCLASS", "\n\\I",
         "TIMESTAMPTZ", "JSONB", "BYTEA", "OWNER TO", "ILIKE", "\n\\SET", "\n\\C", "\n\\ECHO"),
    ),
    (ORACLE, ("VARCHAR2", "FROM DUAL", "SYSDATE", "%ROWTYPE", "\n/\n")),
    (MYSQL, ("TABLE `", "EXISTS `", "INTO `")),
    (SNOWFLAKE, (" VARIANT", "\nQUALIFY", "FILE FORMAT", "WAREHOUSE", "FLATTEN(", "TRY_CAST(")),
    (SQLITE, ("AUTOINCREMENT", "PRAGMA ", "WITHOUT ROWID")),
)  # fmt: skip
_DEEP_BACKTICKS = re.compile(r"`[^`\n]*\.[^`\n]*`")
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)", re.IGNORECASE | re.MULTILINE)


class Token(NamedTuple):
    """One token; a word is in lower case, everything else as it is written."""

    kind: str
    text: str
    start: int
    end: int


class Manner(NamedTuple):
    """How a text is to be cut into tokens."""

    dialect: str
    delimiters: tuple[str, ...] = ()
    has_escapes: bool = False
    has_commands: bool = False


def dialect_of(text: str) -> str:
    """The dialect whose own words stand in a text, "" for plain SQL."""
    upper = f"\n{text[:200_000].upper()}\n"
    for name, words in _MARKS:
        for word in words:
            if word in upper:
                return name
    return BIGQUERY if "`" in upper and _DEEP_BACKTICKS.search(upper) else ""


def manner_of(text: str, dialect: str, is_templated: bool) -> Manner:
    """How a text of a dialect is written: its own delimiters, back slashes in strings."""
    found = {one[1] for one in _DELIMITER.finditer(text)} if dialect == MYSQL else set()
    delimiters = tuple(sorted(found - {";"}, key=lambda one: (-len(one), one)))
    escapes = dialect in (MYSQL, BIGQUERY, SNOWFLAKE) or (is_templated and "\\'" in text)
    return Manner(dialect, delimiters, escapes, _HAS_WORD_COMMAND.search(text) is not None)


_COMMAND = (
    r"^(?:\\[A-Za-z!.?][^\n]*|@@?[ \t]*[\w./\\-]+\.\w+[ \t]*;?[ \t]*$|:r[ \t][^\n]*"
    r"|\.(?:read|import|mode|headers?|bail|echo|output|open|once|load|print|timer)\b[^\n]*"
    r"|/[ \t]*$)"
)
#: Commands that look like words.
_WORD_COMMAND = (
    r"^(?:(?:source|start)[ \t]+[^\n;]+\.\w+[ \t]*;?[ \t]*$|go(?:[ \t]+\d+)?[ \t]*;?[ \t]*$"
    r"|delimiter[ \t]+\S+[ \t]*$)"
)
_HAS_WORD_COMMAND = re.compile(_WORD_COMMAND, re.IGNORECASE | re.MULTILINE)


@lru_cache(maxsize=32)
def _pattern(manner: Manner) -> re.Pattern[str]:
    dialect = manner.dialect
    has_hash_comments = dialect in (MYSQL, BIGQUERY)
    comment = r"--[^\n]*|/\*(?!!)(?:[^*]|\*(?!/))*(?:\*/|\Z)"
    quote = r"'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'" if manner.has_escapes else r"'[^']*(?:''[^']*)*'"
    string = r"[eE]'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'|[qQ]'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|!.*?!)'"
    if dialect == BIGQUERY:
        string += r'|"""(?:[^"]|"(?!""))*"""|' + r"'''(?:[^']|'(?!''))*'''"
    string += rf"|(?:[nNbBxXrR]|[uU]&)?{quote}"
    name = r'"[^"]*(?:""[^"]*)*"|`[^`]*`'
    name += r"|\[[^\]\n]+\]" if dialect == TSQL else r"|(?<![\w\])\"])\[[A-Za-z_][\w ]*\]"
    body = r"\$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$"
    word = r"[A-Za-z_\x80-\xff][\w$#\x80-\xff]*+"
    early = word + "(?!')"
    if dialect == TSQL:
        early = r"\#{1,2}[\w$#]+|" + early
    elif has_hash_comments:
        comment += r"|\#[^\n]*"
    commands = f"(?i:{_WORD_COMMAND})|{_COMMAND}" if manner.has_commands else _COMMAND
    parts = [
        *([(COMMAND, commands)] if manner.has_commands else []),
        (WORD, early),
        *([] if manner.has_commands else [(COMMAND, commands)]),
        *([(END, "|".join(map(re.escape, manner.delimiters)))] if manner.delimiters else []),
        (NAME, name),
        (PUNCTUATION, r"::|[(),;.=%\[\]]|\*(?!/)"),
        (COMMENT, comment),
        (STRING, string),
        (BODY, r"(?!)" if has_hash_comments else body),
        (TEMPLATE, r"\x00+|\$\{[^}\n]*\}|\$\(\w+\)|@\w+@"),
        (VARIABLE, r"@{1,2}[\w$#]+|:(?!:)(?:\w+|'[^'\n]*'|\"[^\"\n]*\")|\$\d+"),
        ("late", word),
        ("n", r"\d[\w]*(?:\.\d\w*)?|[^\s\w]"),
    ]
    one_of = "|".join(f"(?P<{kind}>{one})" for kind, one in parts)
    return re.compile(rf"\s*(?:{one_of})", re.DOTALL | re.MULTILINE)


def tokens_of(
    text: str, manner: Manner, start: int = 0, end: int | None = None
) -> tuple[list[Token], list[Token]]:
    """(tokens, comments) between two offsets of a text in Latin-1."""
    end = len(text) if end is None else end
    pattern = _pattern(manner)
    tokens: list[Token] = []
    comments: list[Token] = []
    append, make = tokens.append, tuple.__new__  # half the time of a call of the class
    position: int | None = start
    while position is not None:
        begin, position = position, None
        for found in pattern.finditer(text, begin, end):
            kind = found.lastgroup or ""
            at, after = found.span(kind)
            if kind == WORD:
                append(make(Token, (WORD, text[at:after].lower(), at, after)))
            elif kind == PUNCTUATION:
                append(make(Token, (PUNCTUATION, text[at:after], at, after)))
            elif kind == COMMENT:
                stop = _comment_end(text, at, after, manner.dialect, end)
                comments.append(Token(COMMENT, text[at:stop], at, stop))
                if stop != after:
                    position = stop
                    break
            elif kind == "late":
                append(make(Token, (WORD, text[at:after].lower(), at, after)))
            elif kind != "n":
                append(make(Token, (kind, text[at:after], at, after)))
    return tokens, comments


_COMMENT_EDGE = re.compile(r"/\*|\*/")


def _comment_end(text: str, first: int, after: int, dialect: str, end: int) -> int:
    """Where a comment ends if comments nest, as they do almost everywhere but in MySQL."""
    if dialect in (MYSQL, ORACLE, BIGQUERY, SQLITE) or text[first] != "/":
        return after
    if text.find("/*", first + 2, after) < 0:
        return after
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, first, min(end, first + 100_000)):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return after


def utf8(text: str) -> str:
    """The text that a Latin-1 reading of UTF-8 stands for."""
    return text if text.isascii() else text.encode("latin-1", "replace").decode("utf-8", "replace")


def is_name(token: Token) -> bool:
    return token.kind in (WORD, NAME)


def bare(written: str) -> str:
    """A name without its quotes."""
    if written[:1] in ('"', "`", "[") and len(written) > 1:
        close = "]" if written[0] == "[" else written[0]
        return written[1:-1].replace(close * 2, close)
    return written


class Chain(NamedTuple):
    """A dotted name as written, quotes kept; ``following`` is the token behind it."""

    parts: tuple[str, ...]
    start: int
    end: int
    following: int


def chain_at(text: str, tokens: list[Token], index: int) -> Chain | None:
    """The dotted name that begins at a token; None where a template makes up part of a word."""
    parts: list[str] = []
    first, count = tokens[index].start, len(tokens)
    while True:
        token = tokens[index]
        if token.kind == TEMPLATE:
            parts.clear()
        else:
            parts += _parts_of(text[token.start : token.end])
        index += 1
        if index < count and tokens[index].start == token.end and tokens[index].kind in _GLUED:
            return None
        after = index
        while after < count and tokens[after].text == ".":
            after += 1
        if after in (index, count) or tokens[after].kind not in (WORD, NAME, TEMPLATE):
            break
        index = after
    return Chain(tuple(map(utf8, parts)), first, token.end, index) if parts else None


_GLUED = frozenset({TEMPLATE, WORD, VARIABLE})


def _parts_of(written: str) -> list[str]:
    """BigQuery writes whole paths in one pair of back ticks."""
    if written[0] == "`" and "." in written:
        return [f"`{one}`" for one in written[1:-1].split(".") if one]
    return [written]
