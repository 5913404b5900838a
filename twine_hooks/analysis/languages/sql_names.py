"""The names that SQL uses, in the places where a relation, a routine or a type is named.

What is local is left out: names of WITH, temporary tables, variables. Knows no files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twine_hooks.analysis.languages.sql_statements import ON_TABLE, head_at
from twine_hooks.analysis.languages.sql_tokens import (
    COMMAND,
    END,
    NAME,
    STRING,
    TEMPLATE,
    VARIABLE,
    WORD,
    Chain,
    Token,
    bare,
    chain_at,
    is_name,
    utf8,
)
from twine_hooks.analysis.languages.sql_words import (
    ANY,
    BEFORE_OBJECTS,
    BODY_VERBS,
    BUILT_IN,
    BUILT_IN_TYPES,
    CALL,
    COLUMN,
    DROP,
    ENDS_LIST,
    INSERT_WORDS,
    KEEPS_LIST,
    MAINTENANCE,
    NAMED_ON_TABLES,
    NEVER_NAMES,
    NOT_A_STATEMENT,
    NOT_FROM,
    OBJECT_VERBS,
    OBJECTS,
    PASSED,
    PSEUDO,
    RELATION,
    SCHEMA,
    SEQUENCES,
    STARTERS,
    TYPE,
)


class Named(NamedTuple):
    """One use of a name."""

    chain: str
    kind: str
    at: int


_NO_TABLE = frozenset({"(", "=", ",", ")", "."})  #: behind the word TABLE where it names none


class _Level:
    """What is open between two parentheses."""

    __slots__ = ("ctes", "goal", "listed", "pending", "query", "verb")

    def __init__(self) -> None:
        self.query = False  #: FROM names relations here
        self.verb = ""
        self.listed = ""  #: the kind of what a comma goes on with
        self.goal = ""  #: what "(" goes on with: ((a join b))
        self.ctes: set[str] = set()
        self.pending = ""  #: a name of WITH whose body is open


class NameReader:
    """Reads names statement by statement; temporary tables live on between them."""

    def __init__(self, text: str, dialect: str, body: Callable[[Token], list[Token]]) -> None:
        self._text = text
        self._dialect = dialect
        self._body = body
        self.found: list[Named] = []
        self._temporary: set[str] = set()
        self._fresh = ""

    def read(self, tokens: list[Token], is_routine: bool = False) -> None:
        """Add the names of the tokens of one statement."""
        before = set(self._temporary)
        waiting = [tokens]
        while waiting:
            waiting += self._read_one(waiting.pop(0))
        if is_routine:
            self._temporary = before

    # The state of the statement at hand; made anew by ``_read_one``.
    _tokens: list[Token]
    _levels: list[_Level]
    _expected: str
    _first: str
    _on: bool

    def _read_one(self, tokens: list[Token]) -> list[list[Token]]:
        """Read one run of tokens; the bodies of routines in it come after."""
        self._tokens = tokens
        self._levels = [_Level()]
        self._end_statement()
        bodies: list[list[Token]] = []
        index, count = 0, len(tokens)
        while index < count:
            token = tokens[index]
            kind, text, _, _ = token
            if kind == WORD:
                if (
                    not self._expected
                    and self._first
                    and text not in _SPECIAL
                    and index + 1 < count
                    and tokens[index + 1].text not in ("(", ".")
                    and tokens[index - 1].text not in STARTERS
                    and tokens[index - 1].kind != TEMPLATE
                ):
                    index += 1  # most words are names of columns, which are looked at no further
                    continue
                index = self._word(index, token)
            elif kind == "p":
                index = self._punctuation(index, token)
            elif kind in (NAME, TEMPLATE):
                index = self._name(index)
            elif kind in ("b", STRING):
                inner = self._body(token)
                if inner:
                    bodies.append(inner)
                else:
                    self._string(index, token)
                self._expected = ""
                index += 1
            elif kind in (COMMAND, END):
                self._levels = [_Level()]
                self._end_statement()
                index += 1
            else:
                if kind == VARIABLE and self._expected != CALL:
                    self._expected = ""
                index += 1
        self._end_statement()
        return bodies

    def _end_statement(self) -> None:
        self._expected = self._first = ""
        self._on = False
        if self._fresh:
            self._temporary.add(self._fresh)
        self._fresh = ""

    def _before(self, index: int, distance: int = 1) -> str:
        at = index - distance
        while at >= 0 and self._tokens[at].kind == TEMPLATE:
            at -= 1
        return self._tokens[at].text if at >= 0 else ""

    def _after(self, index: int) -> str:
        return self._tokens[index + 1].text if index + 1 < len(self._tokens) else ";"

    # --- punctuation ------------------------------------------------------------------------------

    def _punctuation(self, index: int, token: Token) -> int:
        text, level = token.text, self._levels[-1]
        if text in ("(", "["):
            inner = _Level()
            inner.goal = self._expected or (level.goal if self._before(index) == "(" else "")
            if inner.goal:
                inner.listed, self._expected = inner.goal, inner.goal
            self._levels.append(inner)
        elif text in (")", "]"):
            self._expected = ""
            if len(self._levels) > 1:
                self._levels.pop()
            outer = self._levels[-1]
            if outer.pending:
                outer.ctes.add(outer.pending)
                outer.pending = ""
                if self._after(index) == ",":
                    return self._with(index + 1)
        elif text == ",":
            self._expected = level.listed
        elif text == ";":
            self._levels = [_Level()]
            self._end_statement()
        elif text == "::":
            return self._type(index + 1)
        elif text == "%" and self._after(index) in ("type", "rowtype"):
            self._row_type(index)
        return index + 1

    def _row_type(self, index: int) -> None:
        start = index - 1
        while start >= 2 and self._tokens[start - 1].text == ".":
            start -= 2
        if start >= 0 and is_name(self._tokens[start]):
            chain = chain_at(self._text, self._tokens, start)
            if chain:
                self._add(chain, TYPE if self._after(index) == "rowtype" else COLUMN)

    def _string(self, index: int, token: Token) -> None:
        """Names that PostgreSQL has in strings: nextval('s'), 't'::regclass."""
        is_sequence = self._before(index) == "(" and self._before(index, 2) in SEQUENCES
        is_class = self._after(index) == "::" and self._after(index + 1) == "regclass"
        if is_sequence or is_class:
            self.found.append(Named(utf8(token.text[1:-1]), ANY, token.start))

    # --- words ------------------------------------------------------------------------------------

    def _word(self, index: int, token: Token) -> int:
        text = token.text
        before = self._before(index)
        if before in STARTERS or (before == "as" and text in BODY_VERBS) or not self._first:
            self._first = text
        if before == ".":
            return self._name(index)
        action = _ACTIONS.get(text)
        if action is not None and self._after(index) != ".":
            moved = action(self, index, before)
            if moved:
                return moved
        if text in ENDS_LIST:
            level = self._levels[-1]
            if text not in KEEPS_LIST or self._first in ("grant", "revoke"):
                level.listed = ""
        if self._expected:
            following = self._following(index)
            if text in PASSED and (is_name(following) or following.text == "("):
                return index + 1
            if text in NEVER_NAMES:
                self._expected = ""
                return index + 1
        return self._name(index)

    def _following(self, index: int) -> Token:
        """The token behind another; at the end of the file, as ``_after``, the end of a statement."""
        if index + 1 < len(self._tokens):
            return self._tokens[index + 1]
        end = self._tokens[index].end
        return Token(END, ";", end, end)

    def _name(self, index: int) -> int:
        """A name: the one that is expected, a call, or of no interest."""
        chain = chain_at(self._text, self._tokens, index)
        expected, self._expected = self._expected, ""
        if chain is None:
            return index + 1
        is_call = self._after(chain.following - 1) == "("
        if expected:
            level = self._levels[-1]
            in_from = level.listed == RELATION and level.verb in ("select", "delete", "update")
            if is_call and expected == RELATION and in_from and not self._is_hint(chain.following):
                self._add(chain, CALL)
            else:
                self._add(chain, expected)
            if self._first == "drop" and expected in (DROP, RELATION):
                self._temporary.discard(bare(chain.parts[-1]).lower())
        elif (
            is_call
            and self._before(index) != "as"
            and (len(chain.parts) > 1 or chain.parts[0].lower() not in BUILT_IN)
        ):
            self._add(chain, CALL)
        return max(chain.following, index + 1)

    def _is_hint(self, index: int) -> bool:
        return self._after(index) in ("nolock", "holdlock", "updlock", "rowlock", "tablock")

    def _type(self, index: int) -> int:
        """The name of a type at a token."""
        if index < len(self._tokens) and is_name(self._tokens[index]):
            chain = chain_at(self._text, self._tokens, index)
            if chain:
                self.add_type(chain)
                return chain.following
        return index

    def add_type(self, chain: Chain) -> None:
        """A name in the place of a type."""
        if len(chain.parts) > 1 or chain.parts[0].lower() not in BUILT_IN_TYPES:
            self._add(chain, TYPE)

    def _add(self, chain: Chain, kind: str) -> None:
        parts = chain.parts[:-1] if kind == COLUMN else chain.parts
        kind = RELATION if kind == COLUMN else kind
        if not parts:
            return
        if len(parts) == 1:
            name = bare(parts[0]).lower()
            is_relation = kind in (RELATION, DROP, ANY)
            if name.startswith("#") or (kind != CALL and name in PSEUDO):
                return
            if is_relation and (name in self._temporary or self._is_cte(name)):
                return
        self.found.append(Named(".".join(parts), kind, chain.start))

    def _is_cte(self, name: str) -> bool:
        return any(name in level.ctes for level in self._levels)

    # --- keywords: each gives the token to go on with, 0 for no more than the next ------

    def _expect(self, index: int, kind: str, goes_on: bool = True) -> int:
        self._expected = kind
        self._levels[-1].listed = kind if goes_on else ""
        return index + 1

    def _on_select(self, index: int, before: str) -> int:
        if before in ("on", "grant", "revoke") or self._first in ("grant", "revoke"):
            return 0
        level = self._levels[-1]
        level.query, level.verb, level.listed = True, "select", ""
        self._expected = ""
        return index + 1

    def _on_delete(self, index: int, before: str) -> int:
        if before in NOT_A_STATEMENT:
            return 0
        level = self._levels[-1]
        level.query, level.verb, level.listed = True, "delete", ""
        return index + 1

    def _on_from(self, index: int, before: str) -> int:
        level = self._levels[-1]
        self._expected = ""
        starts = before in ("", ";") and self._first == "from"
        if starts:
            level.query, level.verb = True, "select"
        if before == "fetch" or self._before(index, 2) in ("fetch", "move"):
            return index + 1
        is_relation = level.query and self._first not in NOT_FROM
        is_comparison = before == "distinct" and self._before(index, 2) in ("is", "not")
        if not is_relation or is_comparison:
            level.listed = ""
            return index + 1
        return self._expect(index, RELATION)

    def _on_join(self, index: int, before: str) -> int:
        return self._expect(index, RELATION) if self._after(index) != "=" else 0

    def _on_apply(self, index: int, before: str) -> int:
        return self._expect(index, RELATION) if before in ("cross", "outer") else 0

    def _on_using(self, index: int, before: str) -> int:
        if self._levels[-1].verb not in ("delete", "merge"):
            return 0
        return self._expect(index, RELATION) if self._after(index) != "(" else 0

    def _on_into(self, index: int, before: str) -> int:
        level = self._levels[-1]
        level.listed = ""
        if level.verb in ("insert", "merge") or self._first in ("copy", "load"):
            if level.verb == "insert" or self._first in ("copy", "load"):
                level.verb = "into"
            return self._expect(index, RELATION, goes_on=False)
        self._expected = ""
        following = self._following(index)
        chain = chain_at(self._text, self._tokens, index + 1) if is_name(following) else None
        return max(chain.following, index + 1) if chain else index + 1

    def _on_insert(self, index: int, before: str) -> int:
        following = self._following(index)
        if before in NOT_A_STATEMENT or self._first in ("grant", "revoke") or following.text == "(":
            return 0
        level = self._levels[-1]
        level.verb, level.listed, level.query = "insert", "", False
        if is_name(following) and following.text not in INSERT_WORDS:
            return self._expect(index, RELATION, goes_on=False)
        return index + 1

    def _on_merge(self, index: int, before: str) -> int:
        following = self._following(index)
        if before in NOT_A_STATEMENT or following.text in ("join", "("):
            return 0
        self._levels[-1].verb = "merge"
        if following.text == "into":
            return index + 1
        return self._expect(index, RELATION, goes_on=False)

    def _on_update(self, index: int, before: str) -> int:
        if before in NOT_A_STATEMENT or self._after(index) in ("set", "on", "of", "("):
            return 0
        if self._first in ("grant", "revoke") or not is_name(self._following(index)):
            return 0
        level = self._levels[-1]
        level.query, level.verb = True, "update"
        return self._expect(index, RELATION)

    def _on_table(self, index: int, before: str) -> int:
        if self._after(index) in _NO_TABLE or before in ("returns", "old", "new", "is"):
            return 0
        kind = DROP if self._first == "drop" else RELATION
        return self._expect(index, kind, goes_on=self._first not in ("alter", "comment"))

    def _on_truncate(self, index: int, before: str) -> int:
        if self._after(index) in ("table", "(") or before in NOT_A_STATEMENT:
            return 0
        return self._expect(index, RELATION)

    def _on_object(self, index: int, before: str) -> int:
        if self._first not in OBJECT_VERBS or before not in BEFORE_OBJECTS:
            return 0
        kind = OBJECTS[self._tokens[index].text]
        if self._first == "drop" and kind != SCHEMA:
            kind = DROP if kind in (RELATION, ANY) else kind
        if self._after(index) == "::":
            index += 1
        return self._expect(index, kind, goes_on=self._first in ("drop", "grant", "revoke"))

    def _on_column(self, index: int, before: str) -> int:
        if self._first == "comment" and before == "on":
            return self._expect(index, COLUMN, goes_on=False)
        return 0

    def _on_on(self, index: int, before: str) -> int:
        """ON names a table behind an index, a trigger, a policy, in GRANT and in COMMENT."""
        if len(self._levels) > 1:
            return 0
        if self._first in ("grant", "revoke"):
            self._on = False
            following = self._after(index)
            if following in OBJECTS or following in ("table", "all", "tables"):
                return index + 1
            return self._expect(index, ANY)
        named = self._first in ("drop", "comment", "alter", "disable", "enable")
        names_table = named and self._before(index, 3) in NAMED_ON_TABLES
        names_table = names_table or (named and self._before(index, 2) in NAMED_ON_TABLES)
        if self._on or names_table:
            self._on = False
            if self._after(index) in ("database", "all", "schema", "conflict", "delete", "select"):
                return index + 1
            return self._expect(index, RELATION, goes_on=False)
        return 0

    def _on_references(self, index: int, before: str) -> int:
        if self._first in ("grant", "revoke"):
            return 0
        self._levels[-1].listed = ""
        self._expected = RELATION
        return index + 1

    def _on_inherits(self, index: int, before: str) -> int:
        return self._expect(index, RELATION, goes_on=False) if self._after(index) == "(" else 0

    def _on_of(self, index: int, before: str) -> int:
        if before == "partition":
            return self._expect(index, RELATION, goes_on=False)
        return 0

    def _on_partition(self, index: int, before: str) -> int:
        if before in ("attach", "detach"):
            return self._expect(index, RELATION, goes_on=False)
        return 0

    def _on_like(self, index: int, before: str) -> int:
        in_columns = len(self._levels) == 2 and before in ("(", ",")
        is_copy = len(self._levels) == 1 and not self._levels[0].query
        if self._first == "create" and (in_columns or is_copy):
            self._expected = RELATION
            return index + 1
        return 0

    def _on_clone(self, index: int, before: str) -> int:
        return self._expect(index, RELATION, goes_on=False) if self._first == "create" else 0

    def _on_call(self, index: int, before: str) -> int:
        if before == "." or self._after(index) in ("(", ".", "=", "on", "immediate"):
            return 0
        if self._after(index) in ("function", "procedure"):
            return index + 2
        is_clause = self._levels[-1].query and before not in STARTERS
        if self._first in ("grant", "revoke"):
            return 0
        if is_clause and self._tokens[index].text == "execute":
            return 0
        return self._expect(index, CALL, goes_on=False)

    def _on_copy(self, index: int, before: str) -> int:
        if self._first == "copy" and self._after(index) not in ("(", "into", "grants"):
            return self._expect(index, RELATION, goes_on=False)
        return 0

    def _on_maintenance(self, index: int, before: str) -> int:
        is_statement = self._first == self._tokens[index].text and before in STARTERS
        if is_statement and is_name(self._following(index)) and before != "(":
            return self._expect(index, RELATION)
        return 0

    def _on_setof(self, index: int, before: str) -> int:
        return self._type(index + (2 if self._after(index) in ("setof", "table") else 1))

    def _on_as(self, index: int, before: str) -> int:
        """CAST(x AS type)."""
        level = self._levels[-1]
        if level.query or len(self._levels) < 2 or not is_name(self._following(index)):
            return 0
        chain = chain_at(self._text, self._tokens, index + 1)
        if chain and self._after(chain.following - 1) == ")":
            self.add_type(chain)
            return chain.following
        return 0

    def _on_by(self, index: int, before: str) -> int:
        return self._expect(index, COLUMN, goes_on=False) if before == "owned" else 0

    def _on_for(self, index: int, before: str) -> int:
        if self._first == "create" and self._before(index, 2) in ("synonym", "."):
            return self._expect(index, ANY, goes_on=False)
        return 0

    def _on_create(self, index: int, before: str) -> int:
        if before in ("grant", ",", "or"):
            return 0
        head = head_at(self._text, self._tokens, index)
        self._first = "create"
        self._levels[-1].listed = self._expected = ""
        if head is None:
            on_table = any(one.text == "index" for one in self._tokens[index : index + 8])
            self._on = on_table
            return index + 1
        self._on = head.kind in ON_TABLE
        if head.is_temporary and head.kind in ("table", "view"):
            self._fresh = bare(head.name.parts[-1]).lower()
        return head.following

    def _on_with(self, index: int, before: str) -> int:
        return self._with(index)

    def _with(self, index: int) -> int:
        """``WITH name (columns) AS (``: goes on behind AS, or right here if it is none."""
        at = index + 1
        tokens = self._tokens
        recursive = at < len(tokens) and tokens[at].text == "recursive"
        at += recursive
        if at >= len(tokens) or not is_name(tokens[at]):
            return index + 1
        name = bare(self._text[tokens[at].start : tokens[at].end]).lower()
        at += 1
        if at < len(tokens) and tokens[at].text == "(":
            while at < len(tokens) and tokens[at].text not in (")", ";"):
                at += 1
            at += 1
        if at >= len(tokens) or tokens[at].text != "as":
            return index + 1
        at += 1
        while at < len(tokens) and tokens[at].text in ("not", "materialized"):
            at += 1
        if at >= len(tokens) or tokens[at].text != "(":
            return index + 1
        level = self._levels[-1]
        level.listed = self._expected = ""
        level.verb = level.verb or "with"
        if recursive or (tokens[index].text == "," and "*" in level.ctes):
            level.ctes.update((name, "*"))
        level.pending = name
        return at


_ACTIONS: dict[str, Callable[[NameReader, int, str], int]] = {
    "select": NameReader._on_select, "delete": NameReader._on_delete, "from": NameReader._on_from,
    "join": NameReader._on_join, "straight_join": NameReader._on_join,
    "apply": NameReader._on_apply, "using": NameReader._on_using, "into": NameReader._on_into,
    "insert": NameReader._on_insert, "replace": NameReader._on_insert,
    "merge": NameReader._on_merge, "update": NameReader._on_update,
    "table": NameReader._on_table, "truncate": NameReader._on_truncate,
    "column": NameReader._on_column, "on": NameReader._on_on,
    "references": NameReader._on_references, "inherits": NameReader._on_inherits,
    "of": NameReader._on_of, "partition": NameReader._on_partition, "like": NameReader._on_like,
    "clone": NameReader._on_clone, "call": NameReader._on_call, "exec": NameReader._on_call,
    "execute": NameReader._on_call, "copy": NameReader._on_copy, "setof": NameReader._on_setof,
    "returns": NameReader._on_setof, "as": NameReader._on_as, "by": NameReader._on_by,
    "for": NameReader._on_for, "create": NameReader._on_create, "with": NameReader._on_with,
    **dict.fromkeys(OBJECTS, NameReader._on_object),
    **dict.fromkeys(MAINTENANCE, NameReader._on_maintenance),
}  # fmt: skip
_SPECIAL = ENDS_LIST.union(_ACTIONS)
