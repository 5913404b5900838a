"""What a keyword of SQL says of the name behind it: one function a keyword. Knows no tokens but
those around it.
"""

from __future__ import annotations

from collections.abc import Callable

from twine_hooks.analysis.languages.sql_reading import Reading
from twine_hooks.analysis.languages.sql_statements import ON_TABLE, head_at
from twine_hooks.analysis.languages.sql_tokens import bare, is_name
from twine_hooks.analysis.languages.sql_words import (
    ANY,
    BEFORE_OBJECTS,
    CALL,
    COLUMN,
    DROP,
    INSERT_WORDS,
    MAINTENANCE,
    NAMED_ON_TABLES,
    NOT_A_STATEMENT,
    NOT_FROM,
    OBJECT_VERBS,
    OBJECTS,
    RELATION,
    SCHEMA,
    STARTERS,
)

_NO_TABLE = frozenset({"(", "=", ",", ")", "."})  #: behind the word TABLE where it names none


def _select(here: Reading, index: int, before: str) -> int:
    if before in ("on", "grant", "revoke") or here.first in ("grant", "revoke"):
        return 0
    level = here.levels[-1]
    level.query, level.verb, level.listed = True, "select", ""
    here.expected = ""
    return index + 1


def _delete(here: Reading, index: int, before: str) -> int:
    if before in NOT_A_STATEMENT:
        return 0
    level = here.levels[-1]
    level.query, level.verb, level.listed = True, "delete", ""
    return index + 1


def _from(here: Reading, index: int, before: str) -> int:
    level = here.levels[-1]
    here.expected = ""
    starts = before in ("", ";") and here.first == "from"
    if starts:
        level.query, level.verb = True, "select"
    if before == "fetch" or here.before(index, 2) in ("fetch", "move"):
        return index + 1
    is_relation = level.query and here.first not in NOT_FROM
    is_comparison = before == "distinct" and here.before(index, 2) in ("is", "not")
    if not is_relation or is_comparison:
        level.listed = ""
        return index + 1
    return here.expect(index, RELATION)


def _join(here: Reading, index: int, before: str) -> int:
    return here.expect(index, RELATION) if here.after(index) != "=" else 0


def _apply(here: Reading, index: int, before: str) -> int:
    return here.expect(index, RELATION) if before in ("cross", "outer") else 0


def _using(here: Reading, index: int, before: str) -> int:
    if here.levels[-1].verb not in ("delete", "merge"):
        return 0
    return here.expect(index, RELATION) if here.after(index) != "(" else 0


def _into(here: Reading, index: int, before: str) -> int:
    level = here.levels[-1]
    level.listed = ""
    if level.verb in ("insert", "merge") or here.first in ("copy", "load"):
        if level.verb == "insert" or here.first in ("copy", "load"):
            level.verb = "into"
        return here.expect(index, RELATION, goes_on=False)
    here.expected = ""
    chain = here.name_behind(index)
    return max(chain.following, index + 1) if chain else index + 1


def _insert(here: Reading, index: int, before: str) -> int:
    following = here.following(index)
    if before in NOT_A_STATEMENT or here.first in ("grant", "revoke") or following.text == "(":
        return 0
    level = here.levels[-1]
    level.verb, level.listed, level.query = "insert", "", False
    if is_name(following) and following.text not in INSERT_WORDS:
        return here.expect(index, RELATION, goes_on=False)
    return index + 1


def _merge(here: Reading, index: int, before: str) -> int:
    following = here.following(index)
    if before in NOT_A_STATEMENT or following.text in ("join", "("):
        return 0
    here.levels[-1].verb = "merge"
    if following.text == "into":
        return index + 1
    return here.expect(index, RELATION, goes_on=False)


def _update(here: Reading, index: int, before: str) -> int:
    if before in NOT_A_STATEMENT or here.after(index) in ("set", "on", "of", "("):
        return 0
    if here.first in ("grant", "revoke") or not is_name(here.following(index)):
        return 0
    level = here.levels[-1]
    level.query, level.verb = True, "update"
    return here.expect(index, RELATION)


def _table(here: Reading, index: int, before: str) -> int:
    if here.after(index) in _NO_TABLE or before in ("returns", "old", "new", "is"):
        return 0
    kind = DROP if here.first == "drop" else RELATION
    return here.expect(index, kind, goes_on=here.first not in ("alter", "comment"))


def _truncate(here: Reading, index: int, before: str) -> int:
    if here.after(index) in ("table", "(") or before in NOT_A_STATEMENT:
        return 0
    return here.expect(index, RELATION)


def _object(here: Reading, index: int, before: str) -> int:
    if here.first not in OBJECT_VERBS or before not in BEFORE_OBJECTS:
        return 0
    kind = OBJECTS[here.tokens[index].text]
    if here.first == "drop" and kind != SCHEMA:
        kind = DROP if kind in (RELATION, ANY) else kind
    if here.after(index) == "::":
        index += 1
    return here.expect(index, kind, goes_on=here.first in ("drop", "grant", "revoke"))


def _column(here: Reading, index: int, before: str) -> int:
    if here.first == "comment" and before == "on":
        return here.expect(index, COLUMN, goes_on=False)
    return 0


def _on(here: Reading, index: int, before: str) -> int:
    """ON names a table behind an index, a trigger, a policy, in GRANT and in COMMENT."""
    if len(here.levels) > 1:
        return 0
    if here.first in ("grant", "revoke"):
        here.awaits_table = False
        following = here.after(index)
        if following in OBJECTS or following in ("table", "all", "tables"):
            return index + 1
        return here.expect(index, ANY)
    named = here.first in ("drop", "comment", "alter", "disable", "enable")
    names_table = named and here.before(index, 3) in NAMED_ON_TABLES
    names_table = names_table or (named and here.before(index, 2) in NAMED_ON_TABLES)
    if here.awaits_table or names_table:
        here.awaits_table = False
        if here.after(index) in ("database", "all", "schema", "conflict", "delete", "select"):
            return index + 1
        return here.expect(index, RELATION, goes_on=False)
    return 0


def _references(here: Reading, index: int, before: str) -> int:
    if here.first in ("grant", "revoke"):
        return 0
    here.levels[-1].listed = ""
    here.expected = RELATION
    return index + 1


def _inherits(here: Reading, index: int, before: str) -> int:
    return here.expect(index, RELATION, goes_on=False) if here.after(index) == "(" else 0


def _of(here: Reading, index: int, before: str) -> int:
    if before == "partition":
        return here.expect(index, RELATION, goes_on=False)
    return 0


def _partition(here: Reading, index: int, before: str) -> int:
    if before in ("attach", "detach"):
        return here.expect(index, RELATION, goes_on=False)
    return 0


def _like(here: Reading, index: int, before: str) -> int:
    in_columns = len(here.levels) == 2 and before in ("(", ",")
    is_copy = len(here.levels) == 1 and not here.levels[0].query
    if here.first == "create" and (in_columns or is_copy):
        here.expected = RELATION
        return index + 1
    return 0


def _clone(here: Reading, index: int, before: str) -> int:
    return here.expect(index, RELATION, goes_on=False) if here.first == "create" else 0


def _call(here: Reading, index: int, before: str) -> int:
    if before == "." or here.after(index) in ("(", ".", "=", "on", "immediate"):
        return 0
    if here.after(index) in ("function", "procedure"):
        return index + 2
    is_clause = here.levels[-1].query and before not in STARTERS
    if here.first in ("grant", "revoke"):
        return 0
    if is_clause and here.tokens[index].text == "execute":
        return 0
    return here.expect(index, CALL, goes_on=False)


def _copy(here: Reading, index: int, before: str) -> int:
    if here.first == "copy" and here.after(index) not in ("(", "into", "grants"):
        return here.expect(index, RELATION, goes_on=False)
    return 0


def _maintenance(here: Reading, index: int, before: str) -> int:
    is_statement = here.first == here.tokens[index].text and before in STARTERS
    if is_statement and is_name(here.following(index)) and before != "(":
        return here.expect(index, RELATION)
    return 0


def _setof(here: Reading, index: int, before: str) -> int:
    return here.type_at(index + (2 if here.after(index) in ("setof", "table") else 1))


def _as(here: Reading, index: int, before: str) -> int:
    """CAST(x AS type)."""
    level = here.levels[-1]
    if level.query or len(here.levels) < 2:
        return 0
    chain = here.name_behind(index)
    if chain and here.after(chain.following - 1) == ")":
        here.add_type(chain)
        return chain.following
    return 0


def _by(here: Reading, index: int, before: str) -> int:
    return here.expect(index, COLUMN, goes_on=False) if before == "owned" else 0


def _for(here: Reading, index: int, before: str) -> int:
    if here.first == "create" and here.before(index, 2) in ("synonym", "."):
        return here.expect(index, ANY, goes_on=False)
    return 0


def _create(here: Reading, index: int, before: str) -> int:
    if before in ("grant", ",", "or"):
        return 0
    head = head_at(here.text, here.tokens, index)
    here.first = "create"
    here.levels[-1].listed = here.expected = ""
    if head is None:
        on_table = any(one.text == "index" for one in here.tokens[index : index + 8])
        here.awaits_table = on_table
        return index + 1
    here.awaits_table = head.kind in ON_TABLE
    if head.is_temporary and head.kind in ("table", "view"):
        here.fresh = bare(head.name.parts[-1]).lower()
    return head.following


def _with(here: Reading, index: int, before: str) -> int:
    return with_name(here, index)


def with_name(here: Reading, index: int) -> int:
    """``WITH name (columns) AS (``: goes on behind AS, or right here if it is none."""
    at = index + 1
    tokens = here.tokens
    recursive = at < len(tokens) and tokens[at].text == "recursive"
    at += recursive
    if at >= len(tokens) or not is_name(tokens[at]):
        return index + 1
    name = bare(here.text[tokens[at].start : tokens[at].end]).lower()
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
    level = here.levels[-1]
    level.listed = here.expected = ""
    level.verb = level.verb or "with"
    if recursive or (tokens[index].text == "," and "*" in level.ctes):
        level.ctes.update((name, "*"))
    level.pending = name
    return at


#: Each gives the token to go on with, 0 for no more than the next. It is told the index of its
#: keyword among the tokens and the text of the token before.
ACTIONS: dict[str, Callable[[Reading, int, str], int]] = {
    "select": _select, "delete": _delete, "from": _from,
    "join": _join, "straight_join": _join,
    "apply": _apply, "using": _using, "into": _into,
    "insert": _insert, "replace": _insert,
    "merge": _merge, "update": _update,
    "table": _table, "truncate": _truncate,
    "column": _column, "on": _on,
    "references": _references, "inherits": _inherits,
    "of": _of, "partition": _partition, "like": _like,
    "clone": _clone, "call": _call, "exec": _call,
    "execute": _call, "copy": _copy, "setof": _setof,
    "returns": _setof, "as": _as, "by": _by,
    "for": _for, "create": _create, "with": _with,
    **dict.fromkeys(OBJECTS, _object),
    **dict.fromkeys(MAINTENANCE, _maintenance),
}  # fmt: skip
