"""Where one stands in a statement of SQL that is read for names: what is open, what is expected,
what was found. What is local is left out: names of WITH, temporary tables. Knows no grammar.
"""

from __future__ import annotations

from typing import NamedTuple

from twine_hooks.analysis.languages.sql_tokens import (
    END,
    TEMPLATE,
    Chain,
    Token,
    bare,
    chain_at,
    is_name,
)
from twine_hooks.analysis.languages.sql_words import (
    ANY,
    BUILT_IN,
    BUILT_IN_TYPES,
    CALL,
    COLUMN,
    DROP,
    PSEUDO,
    RELATION,
    TYPE,
)


class Named(NamedTuple):
    """One use of a name."""

    chain: str
    kind: str
    at: int


class Level:
    """What is open between two parentheses."""

    __slots__ = ("ctes", "goal", "listed", "pending", "query", "verb")

    def __init__(self) -> None:
        self.query = False  #: FROM names relations here
        self.verb = ""
        self.listed = ""  #: the kind of what a comma goes on with
        self.goal = ""  #: what "(" goes on with: ((a join b))
        self.ctes: set[str] = set()
        self.pending = ""  #: a name of WITH whose body is open


class Reading:
    """The state of one run of tokens at a time; temporary tables and what is found live on.

    ``text`` is the whole text that the tokens are of.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Named] = []
        self.temporary: set[str] = set()
        self.fresh = ""  #: a temporary table that is there from the next statement on
        self.begin([])

    def begin(self, tokens: list[Token]) -> None:
        """Go on with other tokens."""
        self.tokens = tokens
        self.start_over()

    def start_over(self) -> None:
        """End the statement, with all parentheses that are open in it."""
        self.levels = [Level()]
        self.end_statement()

    def end_statement(self) -> None:
        self.expected = ""  #: the kind of the name that comes next
        self.first = ""  #: the word that the statement begins with
        self.awaits_table = False  #: ON names a table
        if self.fresh:
            self.temporary.add(self.fresh)
        self.fresh = ""

    def before(self, index: int, distance: int = 1) -> str:
        """The text of an earlier token, templates not counted; "" at the beginning."""
        at = index - distance
        while at >= 0 and self.tokens[at].kind == TEMPLATE:
            at -= 1
        return self.tokens[at].text if at >= 0 else ""

    def after(self, index: int) -> str:
        """The text of the next token; ";" at the end."""
        return self.tokens[index + 1].text if index + 1 < len(self.tokens) else ";"

    def following(self, index: int) -> Token:
        """The token behind another; at the end of the file, as ``after``, that of a statement."""
        if index + 1 < len(self.tokens):
            return self.tokens[index + 1]
        end = self.tokens[index].end
        return Token(END, ";", end, end)

    def name_behind(self, index: int) -> Chain | None:
        """The name that begins at the next token, where one does."""
        at = index + 1
        if at < len(self.tokens) and is_name(self.tokens[at]):
            return chain_at(self.text, self.tokens, at)
        return None

    def expect(self, index: int, kind: str, *, goes_on: bool = True) -> int:
        """A name of that kind comes next, and after each comma if it ``goes_on``."""
        self.expected = kind
        self.levels[-1].listed = kind if goes_on else ""
        return index + 1

    def name(self, index: int) -> int:
        """Read a name: the one that is expected, a call, or of no interest."""
        chain = chain_at(self.text, self.tokens, index)
        expected, self.expected = self.expected, ""
        if chain is None:
            return index + 1
        is_call = self.after(chain.following - 1) == "("
        if expected:
            level = self.levels[-1]
            in_from = level.listed == RELATION and level.verb in ("select", "delete", "update")
            if is_call and expected == RELATION and in_from and not self._is_hint(chain.following):
                self.add(chain, CALL)
            else:
                self.add(chain, expected)
            if self.first == "drop" and expected in (DROP, RELATION):
                self.temporary.discard(bare(chain.parts[-1]).lower())
        elif (
            is_call
            and self.before(index) != "as"
            and (len(chain.parts) > 1 or chain.parts[0].lower() not in BUILT_IN)
        ):
            self.add(chain, CALL)
        return max(chain.following, index + 1)

    def type_at(self, index: int) -> int:
        """Read the name of a type, if a token is one; gives the token to go on with."""
        if index < len(self.tokens) and is_name(self.tokens[index]):
            chain = chain_at(self.text, self.tokens, index)
            if chain:
                self.add_type(chain)
                return chain.following
        return index

    def add_type(self, chain: Chain) -> None:
        """Take a name in the place of a type."""
        if len(chain.parts) > 1 or chain.parts[0].lower() not in BUILT_IN_TYPES:
            self.add(chain, TYPE)

    def add(self, chain: Chain, kind: str) -> None:
        """Take a name, unless it is local."""
        parts = chain.parts[:-1] if kind == COLUMN else chain.parts
        kind = RELATION if kind == COLUMN else kind
        if not parts:
            return
        if len(parts) == 1:
            name = bare(parts[0]).lower()
            is_relation = kind in (RELATION, DROP, ANY)
            if name.startswith("#") or (kind != CALL and name in PSEUDO):
                return
            if is_relation and (name in self.temporary or self._is_local(name)):
                return
        self.found.append(Named(".".join(parts), kind, chain.start))

    def _is_local(self, name: str) -> bool:
        return any(name in level.ctes for level in self.levels)

    def _is_hint(self, index: int) -> bool:
        return self.after(index) in ("nolock", "holdlock", "updlock", "rowlock", "tablock")
