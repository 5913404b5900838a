"""Statements of SQL: where each begins and ends, and what a CREATE makes; knows no references."""

from __future__ import annotations

from typing import NamedTuple

from twine_hooks.analysis.languages.sql_tokens import (
    BODY,
    COMMAND,
    END,
    NAME,
    ORACLE,
    STRING,
    TEMPLATE,
    TSQL,
    WORD,
    Chain,
    Token,
    chain_at,
    is_name,
)
from twine_hooks.analysis.languages.sql_words import words

#: What CREATE makes, and the kind of definition that it is.
KINDS = {
    "table": "table", "view": "view", "function": "function", "procedure": "procedure",
    "proc": "procedure", "type": "type", "domain": "type", "sequence": "sequence",
    "trigger": "trigger", "index": "index", "schema": "schema", "aggregate": "function",
    "rule": "rule", "policy": "policy", "synonym": "synonym", "package": "package",
    "macro": "macro", "event": "event",
}  # fmt: skip
ROUTINES = frozenset({"function", "procedure", "trigger", "package", "event"})
#: Objects that are named on the table that they belong to: two tables may have one of one name.
ON_TABLE = frozenset({"index", "trigger", "policy", "rule"})

_MODIFIERS = words(
    "or replace alter temp temporary global local unlogged external materialized recursive unique"
    " clustered nonclustered constraint foreign editionable noneditionable force no virtual"
    " transient dynamic iceberg secure bitmap fulltext spatial hybrid volatile multiset public"
    " private live streaming event columnstore if not exists hypertable xml primary"
)
_TEMPORARY = frozenset({"temp", "temporary"})
_BEHIND_KIND = frozenset({"if", "not", "exists", "concurrently", "body"})
_DECLARING = frozenset({"function", "procedure", "package", "type"})
_TRANSACTION = frozenset(
    {";", "transaction", "tran", "work", "isolation", "read", "exclusive", "immediate", "deferred"}
)
_BLOCK_CLOSERS = frozenset({"if", "loop", "while", "repeat", "for"})


class Head(NamedTuple):
    """The head of a CREATE: kind, name, and the tokens between which it stands."""

    kind: str
    name: Chain
    is_temporary: bool
    replaces: bool
    following: int  #: the token behind the name


class Statement(NamedTuple):
    """Tokens [first, last) of one statement; its end in the text includes the terminator."""

    first: int
    last: int
    end: int


def head_at(text: str, tokens: list[Token], index: int) -> Head | None:
    """What the CREATE at a token makes, None for kinds that nothing refers to by name."""
    at, modifiers = index + 1, set()
    last = min(len(tokens), index + 24)
    while at < last:
        token = tokens[at]
        if token.kind == WORD and token.text in KINDS and not _is_modifier(tokens, at):
            break
        if token.kind == WORD and token.text in ("definer", "algorithm", "sql"):
            at = _option_end(tokens, at, last)
        elif token.kind == TEMPLATE or (token.kind == WORD and token.text in _MODIFIERS):
            modifiers.add(token.text)
            at += 1
        else:
            return None
    if at >= last:
        return None
    kind = KINDS[tokens[at].text]
    at += 1
    while at < last and tokens[at].text in _BEHIND_KIND:
        at += 1
    if at >= last or not (is_name(tokens[at]) or tokens[at].kind == TEMPLATE):
        return None
    name = chain_at(text, tokens, at) if tokens[at].text not in ("on", "authorization") else None
    if name is None:
        return None
    is_temporary = not modifiers.isdisjoint(_TEMPORARY) or name.parts[-1].startswith(("#", "[#"))
    return Head(kind, name, is_temporary, "or" in modifiers, name.following)


def _is_modifier(tokens: list[Token], at: int) -> bool:
    """MySQL's CREATE AGGREGATE FUNCTION, a trigger's CREATE EVENT TRIGGER."""
    return (
        tokens[at].text in ("aggregate", "event")
        and tokens[at + 1 : at + 2] != []
        and (tokens[at + 1].text in ("function", "trigger"))
    )


def _option_end(tokens: list[Token], at: int, last: int) -> int:
    """Behind MySQL's ``DEFINER = user@host`` and the like: at the next word that goes on."""
    at += 1
    while at < last and tokens[at].text not in KINDS and tokens[at].text not in ("sql", "definer"):
        at += 1
    return at


class _Splitter:
    """Cuts tokens into statements; keeps count of what is open in the one at hand."""

    def __init__(self, text: str, tokens: list[Token], dialect: str) -> None:
        self._text = text
        self._tokens = tokens
        self._dialect = dialect
        self._found: list[Statement] = []
        self._delimited = False
        self._begin(0)

    def _begin(self, index: int) -> None:
        self._first = index
        self._parens = 0
        self._open = 0  #: BEGIN and CASE that wait for their END
        self._declares = False  #: Oracle: declarations, which the END of the routine ends
        self._was_open = False  #: the next END belongs to a BEGIN
        self._is_routine = False
        self._kind = ""

    def _end(self, index: int, end: int, resume: int) -> None:
        if index > self._first:
            self._found.append(Statement(self._first, index, end))
        self._begin(resume)

    def run(self) -> list[Statement]:
        tokens = self._tokens
        for index, token in enumerate(tokens):
            if token.kind == COMMAND or token.kind == END:
                self._command(index, token)
            elif token.kind == WORD:
                self._word(index, token)
            elif token.text in ("(", "["):
                self._parens += 1
            elif token.text in (")", "]"):
                self._parens = max(0, self._parens - 1)
            elif token.text == ";" and token.kind == "p" and self._may_end():
                self._end(index, token.end, index + 1)
        if tokens:
            self._end(len(tokens), tokens[-1].end, len(tokens))
        return self._found

    def _command(self, index: int, token: Token) -> None:
        before = self._tokens[index - 1].end if index else token.start
        word = token.text.strip().lower()
        if token.kind == COMMAND and word == "/" and not self._is_routine and self._parens:
            return
        self._end(index, token.end if token.kind == END else before, index + 1)
        if word.startswith("delimiter"):
            self._delimited = word.split()[-1] != ";"

    def _may_end(self) -> bool:
        if self._delimited or self._open or self._declares:
            return False
        if self._is_routine and self._dialect == TSQL:
            return False
        self._parens = 0
        return True

    def _word(self, index: int, token: Token) -> None:
        word = token.text
        if word == "create":
            self._create(index, token)
        elif self._is_routine or index == self._first:
            self._inside(index, word)

    def _create(self, index: int, token: Token) -> None:
        """A CREATE at the beginning of a line begins a statement even without a semicolon."""
        is_new = index == self._first or (
            self._text[token.start - 1 : token.start] in ("\n", "")
            and not self._delimited
            and not (self._kind in ROUTINES and (self._dialect == TSQL or self._open))
        )
        if not is_new:
            return
        if index > self._first:
            self._end(index, self._tokens[index - 1].end, index)
        head = head_at(self._text, self._tokens, index)
        self._is_routine = head is not None and head.kind in ROUTINES
        self._kind = head.kind if head else ""

    def _inside(self, index: int, word: str) -> None:
        following = self._tokens[index + 1] if index + 1 < len(self._tokens) else None
        after = following.text if following else ";"
        if word == "begin":
            if after not in _TRANSACTION:
                self._open += 1
                self._is_routine = self._was_open = True
                self._declares = self._declares and self._kind == "package"
        elif word == "case" and self._open:
            if self._tokens[index - 1].text != "end":
                self._open += 1
        elif word == "end":
            if after not in _BLOCK_CLOSERS:
                self._open = max(0, self._open - 1)
                # A package goes on behind the END of its members.
                self._declares = self._declares and self._was_open
                self._was_open = self._open > 0
        elif word == "declare" and not self._open and self._dialect == ORACLE:
            self._is_routine = self._declares = True
        elif word in ("is", "as") and self._kind in _DECLARING and not self._open | self._parens:
            self._declares = self._has_declarations(word, following)

    def _has_declarations(self, word: str, following: Token | None) -> bool:
        if following is None or self._dialect == TSQL or self._declares:
            return self._declares
        if following.kind in (BODY, STRING, TEMPLATE) or self._kind == "macro":
            return False
        if following.kind == NAME or (word == "is" and following.text not in ("not", "null")):
            return True
        return following.kind == WORD and self._dialect == ORACLE and following.text not in (
            "begin", "select", "with", "return", "language", "table", "row",
        )  # fmt: skip


def split(text: str, tokens: list[Token], dialect: str) -> list[Statement]:
    """The statements of a file in order."""
    return _Splitter(text, tokens, dialect).run()
