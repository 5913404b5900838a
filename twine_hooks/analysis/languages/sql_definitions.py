"""What the statements of a file define, as spans under the names of captures, and its columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from twine_hooks.analysis.languages.sql_statements import (
    ROUTINES,
    Head,
    Statement,
    head_at,
)
from twine_hooks.analysis.languages.sql_tokens import (
    BODY,
    COMMAND,
    NAME,
    PUNCTUATION,
    STRING,
    TEMPLATE,
    WORD,
    Chain,
    Token,
    bare,
    chain_at,
    is_name,
)
from twine_hooks.analysis.languages.sql_words import words

Span = tuple[int, int]

_NO_COLUMN = words(
    "constraint primary unique foreign check exclude like index key fulltext spatial period"
    " partition inherits supplemental"
)
_BODY_WORDS = frozenset({"begin", "return"})
#: "select" too: of the branches of a template each may be a query.
_ENDS_SELECT = words(
    "from where group order having limit union intersect except minus into window qualify select"
)
_NO_BODY = frozenset({"assignment", "implicit", "not", "null", "distinct"})  #: behind AS or IS
_MODES = frozenset({"in", "out", "inout", "variadic"})


class Made(NamedTuple):
    """A statement that defines something."""

    head: Head
    statement: Statement
    start: int


class Spans:
    """Spans by capture name, and the types that columns and parameters have."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self.found: dict[str, list[Span]] = {}
        self.types: list[Chain] = []

    def add(self, capture: str, start: int, end: int) -> None:
        self.found.setdefault(capture, []).append((start, end))

    def statement(self, statement: Statement) -> Made | None:
        """Note what one statement defines."""
        first = statement.first
        while first < statement.last and self._tokens[first].kind == TEMPLATE:
            first += 1
        token = self._tokens[first] if first < statement.last else None
        if token is None or token.text != "create" or token.kind != WORD:
            return None
        head = head_at(self._text, self._tokens, first)
        if head is None:
            return None
        self._parts(head, statement)
        if head.is_temporary:
            return Made(head, statement, token.start)
        self.add(f"definition.{head.kind}", token.start, statement.end)
        self.add("name", head.name.start, head.name.end)
        return Made(head, statement, token.start)

    def _parts(self, head: Head, statement: Statement) -> None:
        at, last = head.following, statement.last
        if head.kind in ROUTINES or head.kind == "macro":
            at = self._parameters(at, last)
            self._routine_body(head, at, last)
        elif head.kind in ("table", "view", "type"):
            self._columns(head, at, last)

    def _columns(self, head: Head, at: int, last: int) -> None:
        """The columns of a table, view or type; or of the query that it is made from."""
        kind, tokens = "field", self._tokens
        if head.kind == "type":
            if at < last:
                self.add("tail", tokens[at].start, tokens[at].end)
            while at < last and tokens[at].text != "(":
                kind = "enumerator" if tokens[at].text == "enum" else kind
                at += 1
        listed = at < last and tokens[at].text == "("
        if listed and not self._is_query(at + 1):
            if head.kind != "type":
                self.add("tail", tokens[at].start, tokens[at].end)
            items = list(self._items(at, last))
            for first, after in items:
                self._member(head, kind, first, after)
            at = items[-1][1] if items else at + 1
        query = self._query_from(at, last)
        if query is None or head.kind == "type":
            return
        start = query - (tokens[query - 1].text == "as")
        self.add("body", tokens[start].start, tokens[start].end)
        if not listed:
            for name in output_columns(self._text, tokens, query, last):
                self._add_field(name.start, name.end, name.start, name.end)

    def _is_query(self, at: int) -> bool:
        return at < len(self._tokens) and self._tokens[at].text in ("select", "with")

    def _query_from(self, at: int, last: int) -> int | None:
        depth = 0
        for index in range(at, last):
            text = self._tokens[index].text
            depth += (text == "(") - (text == ")")
            is_word = self._tokens[index].kind == WORD and depth <= 0 and index + 1 < last
            if text == "as" and is_word:
                after = index + 1
                while after < last and self._tokens[after].text == "(":
                    after += 1
                if self._is_query(after) or self._tokens[after : after + 1] == []:
                    return index + 1
            elif depth <= 0 and text == "select":
                return index
        return None

    def _items(self, at: int, last: int) -> Iterator[tuple[int, int]]:
        """(first token, token behind) of each part between "(" at a token and its ")"."""
        depth, first = 0, at + 1
        for index in range(at, last):
            token = self._tokens[index]
            if token.kind != PUNCTUATION:
                continue
            if token.text in ("(", "["):
                depth += 1
            elif token.text in (")", "]"):
                depth -= 1
                if depth == 0:
                    yield first, index
                    return
            elif token.text == "," and depth == 1:
                yield first, index
                first = index + 1
        yield first, last

    def _member(self, head: Head, kind: str, first: int, after: int) -> None:
        if first >= after:
            return
        name = self._tokens[first]
        end = self._tokens[after - 1].end
        if kind == "enumerator":
            if name.kind == STRING and not head.is_temporary:
                self.add("definition.enumerator", name.start, end)
                self.add("name", name.start + 1, name.end - 1)
            return
        if not is_name(name) or (name.kind == WORD and name.text in _NO_COLUMN):
            return
        self._type(first + 1, after)
        if not head.is_temporary:
            self._add_field(name.start, end, name.start, name.end)

    def _add_field(self, start: int, end: int, name: int, name_end: int) -> None:
        self.add("definition.field", start, end)
        quoted = self._text[name] in '"`['
        self.add("name", name + quoted, name_end - quoted)

    def _type(self, at: int, after: int) -> None:
        if at < after and is_name(self._tokens[at]):
            chain = chain_at(self._text, self._tokens, at)
            if chain and chain.following <= after:
                self.types.append(chain)

    def _parameters(self, at: int, last: int) -> int:
        """Note the types of the parameters; the token behind them."""
        if at >= last or self._tokens[at].text != "(":
            return at
        after = at
        for first, after in self._items(at, last):
            while first < after and self._tokens[first].text in _MODES:
                first += 1
            has_name = first + 1 < after and is_name(self._tokens[first + 1])
            self._type(first + has_name, after)
        return after + 1

    def _routine_body(self, head: Head, at: int, last: int) -> None:
        tokens = self._tokens
        depth = 0
        for index in range(at, last):
            token = tokens[index]
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            if depth > 0:
                continue
            word = token.text if token.kind == WORD else ""
            is_body = token.kind == BODY or word in _BODY_WORDS
            if word in ("as", "is") and index + 1 < last:
                following = tokens[index + 1]
                is_body = following.text not in _NO_BODY
            if word == "row" and head.kind == "trigger" and index + 1 < last:
                is_body = tokens[index + 1].text not in ("when", "execute")
                index += is_body
            if is_body:
                at_text = tokens[min(index, last - 1)]
                self.add("body", at_text.start, at_text.end)
                self.add("scope", at_text.start, tokens[last - 1].end)
                return


class _Select(NamedTuple):
    items: list[tuple[int, int]]
    source: str  #: the only name after FROM, in lower case


def output_columns(text: str, tokens: list[Token], first: int, last: int) -> list[Token]:
    """The tokens that name the columns of a query; ``*`` of a WITH query is followed into it."""
    ctes: dict[str, tuple[int, int]] = {}
    main = _main_select(text, tokens, first, last, ctes)
    found: list[Token] = []
    seen: set[str] = set()
    waiting = [main]
    while waiting:
        at = waiting.pop(0)
        if at is None:
            continue
        select = _select_list(text, tokens, at, last)
        for _, after in select.items:
            name = tokens[after - 1]
            if name.text == "*" and select.source in ctes and select.source not in seen:
                seen.add(select.source)
                inner = ctes[select.source]
                waiting.append(_main_select(text, tokens, *inner, ctes))
            elif is_name(name) or name.text == "*":
                found.append(name)
    return sorted(set(found), key=lambda token: token.start)


def _main_select(
    text: str, tokens: list[Token], first: int, last: int, ctes: dict[str, tuple[int, int]]
) -> int | None:
    """The token of the outer SELECT of a query; the bodies of its WITH are put into ``ctes``."""
    opened: list[int] = []
    base = 0
    for index in range(first, last):
        token = tokens[index]
        if token.text == "(" and token.kind == PUNCTUATION:
            if len(opened) == base and index == first + base:
                base += 1
            opened.append(index)
        elif token.text == ")" and token.kind == PUNCTUATION and opened:
            start = opened.pop()
            if len(opened) == base and start >= 2:
                _note_cte(text, tokens, start, index, ctes)
        elif token.text == "select" and token.kind == WORD and len(opened) == base:
            return index
    return None


def _note_cte(
    text: str, tokens: list[Token], start: int, end: int, ctes: dict[str, tuple[int, int]]
) -> None:
    at = start - 1
    while at > 0 and tokens[at].text in ("materialized", "not"):
        at -= 1
    if tokens[at].text == "as" and at and is_name(tokens[at - 1]):
        name = tokens[at - 1]
        ctes.setdefault(bare(text[name.start : name.end]).lower(), (start + 1, end))


def _select_list(text: str, tokens: list[Token], at: int, last: int) -> _Select:
    items: list[tuple[int, int]] = []
    depth, first = 0, at + 1
    index = at + 1
    source = ""
    while index < last:
        token = tokens[index]
        if token.kind == PUNCTUATION and token.text in ("(", "["):
            depth += 1
        elif token.kind == PUNCTUATION and token.text in (")", "]"):
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and token.text == "," and token.kind == PUNCTUATION:
            items.append((first, index))
            first = index + 1
        elif depth == 0 and token.kind == WORD and token.text in _ENDS_SELECT:
            if token.text == "from" and index + 1 < last and is_name(tokens[index + 1]):
                name = tokens[index + 1]
                source = bare(text[name.start : name.end]).lower()
            break
        elif token.text == ";" or token.kind == COMMAND:
            break
        index += 1
    items.append((first, index))
    return _Select([one for one in items if one[0] < one[1]], source)


def is_lone_query(tokens: list[Token], statements: list[Statement]) -> Statement | None:
    """The query that a file is as a whole, as a model of dbt is."""
    with_words = [
        one
        for one in statements
        if any(tokens[at].kind in (WORD, NAME) for at in range(one.first, one.last))
    ]
    if len(with_words) != 1:
        return None
    only = with_words[0]
    first = next(at for at in range(only.first, only.last) if tokens[at].kind in (WORD, NAME))
    return only if tokens[first].text in ("select", "with") else None
