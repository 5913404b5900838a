"""The names that SQL uses, in the places where a relation, a routine or a type is named.

Goes through a statement token by token: what stands between keywords is read here. Knows no files.
"""

from __future__ import annotations

from collections.abc import Callable

from twine_hooks.analysis.languages.sql_keywords import ACTIONS, with_name
from twine_hooks.analysis.languages.sql_reading import Level, Named, Reading
from twine_hooks.analysis.languages.sql_tokens import (
    BODY,
    COMMAND,
    END,
    NAME,
    PUNCTUATION,
    STRING,
    TEMPLATE,
    VARIABLE,
    WORD,
    Chain,
    Token,
    chain_at,
    is_name,
    utf8,
)
from twine_hooks.analysis.languages.sql_words import (
    ANY,
    BODY_VERBS,
    CALL,
    COLUMN,
    ENDS_LIST,
    KEEPS_LIST,
    NEVER_NAMES,
    PASSED,
    SEQUENCES,
    STARTERS,
    TYPE,
)

_SPECIAL = ENDS_LIST.union(ACTIONS)


class NameReader:
    """Reads names statement by statement; temporary tables live on between them.

    ``body`` gives the tokens of a routine's body in SQL, none for what is no such body.
    """

    def __init__(self, text: str, body: Callable[[Token], list[Token]]) -> None:
        self._here = Reading(text)
        self._body = body
        self.found = self._here.found

    def read(self, tokens: list[Token], *, is_routine: bool) -> None:
        """Add the names of the tokens of one statement."""
        before = set(self._here.temporary)
        waiting = [tokens]
        while waiting:
            waiting += self._read_one(waiting.pop(0))
        if is_routine:
            self._here.temporary = before

    def add_type(self, chain: Chain) -> None:
        """Add a name in the place of a type."""
        self._here.add_type(chain)

    def _read_one(self, tokens: list[Token]) -> list[list[Token]]:
        """Read one run of tokens; gives the bodies of routines in it, which come after."""
        here = self._here
        here.begin(tokens)
        bodies: list[list[Token]] = []
        index, count = 0, len(tokens)
        while index < count:
            token = tokens[index]
            kind, text, _, _ = token
            if kind == WORD:
                if (
                    not here.expected
                    and here.first
                    and text not in _SPECIAL
                    and index + 1 < count
                    and tokens[index + 1].text not in ("(", ".")
                    and tokens[index - 1].text not in STARTERS
                    and tokens[index - 1].kind != TEMPLATE
                ):
                    index += 1  # most words are names of columns, which are looked at no further
                    continue
                index = _word(here, index, text)
            elif kind == PUNCTUATION:
                index = _punctuation(here, index, text)
            elif kind in (NAME, TEMPLATE):
                index = here.name(index)
            elif kind in (BODY, STRING):
                inner = self._body(token)
                if inner:
                    bodies.append(inner)
                else:
                    _string(here, index, token)
                here.expected = ""
                index += 1
            elif kind in (COMMAND, END):
                here.start_over()
                index += 1
            else:
                if kind == VARIABLE and here.expected != CALL:
                    here.expected = ""
                index += 1
        here.end_statement()
        return bodies


def _punctuation(here: Reading, index: int, text: str) -> int:
    level = here.levels[-1]
    if text in ("(", "["):
        inner = Level()
        inner.goal = here.expected or (level.goal if here.before(index) == "(" else "")
        if inner.goal:
            inner.listed, here.expected = inner.goal, inner.goal
        here.levels.append(inner)
    elif text in (")", "]"):
        here.expected = ""
        if len(here.levels) > 1:
            here.levels.pop()
        outer = here.levels[-1]
        if outer.pending:
            outer.ctes.add(outer.pending)
            outer.pending = ""
            if here.after(index) == ",":
                return with_name(here, index + 1)
    elif text == ",":
        here.expected = level.listed
    elif text == ";":
        here.start_over()
    elif text == "::":
        return here.type_at(index + 1)
    elif text == "%" and here.after(index) in ("type", "rowtype"):
        _row_type(here, index)
    return index + 1


def _row_type(here: Reading, index: int) -> None:
    """What stands before %TYPE (a column) or %ROWTYPE (a relation), whose "%" is at the index."""
    start = index - 1
    while start >= 2 and here.tokens[start - 1].text == ".":
        start -= 2
    if start >= 0 and is_name(here.tokens[start]):
        chain = chain_at(here.text, here.tokens, start)
        if chain:
            here.add(chain, TYPE if here.after(index) == "rowtype" else COLUMN)


def _string(here: Reading, index: int, token: Token) -> None:
    """Names that PostgreSQL has in strings: nextval('s'), 't'::regclass."""
    is_sequence = here.before(index) == "(" and here.before(index, 2) in SEQUENCES
    is_class = here.after(index) == "::" and here.after(index + 1) == "regclass"
    if is_sequence or is_class:
        here.found.append(Named(utf8(token.text[1:-1]), ANY, token.start))


def _word(here: Reading, index: int, text: str) -> int:
    before = here.before(index)
    if before in STARTERS or (before == "as" and text in BODY_VERBS) or not here.first:
        here.first = text
    if before == ".":
        return here.name(index)
    action = ACTIONS.get(text)
    if action is not None and here.after(index) != ".":
        moved = action(here, index, before)
        if moved:
            return moved
    if text in ENDS_LIST:
        level = here.levels[-1]
        if text not in KEEPS_LIST or here.first in ("grant", "revoke"):
            level.listed = ""
    if here.expected:
        following = here.following(index)
        if text in PASSED and (is_name(following) or following.text == "("):
            return index + 1
        if text in NEVER_NAMES:
            here.expected = ""
            return index + 1
    return here.name(index)
