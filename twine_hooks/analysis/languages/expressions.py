"""Expressions of Go and Rust as chains: a root and the steps behind it, what is local replaced.

A root is a name as written, ``«T»`` (a value of the type T), or ``?``. The steps are ``.name``,
``::name``, ``()`` (a call), ``[]`` (an element), and what a language adds. All that stands before
a ``~`` is not written there: it is what a local variable was set to. Knows the text of one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.jvm_chains import GAP, UNKNOWN, Scoped
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import innermost

LONGEST = 1000  #: characters; a longer chain is given up

_gap = re.compile(GAP)


class Found(NamedTuple):
    """One chain, from its root to the end of its last step."""

    chain: str
    end: int


class Value(NamedTuple):
    """An expression whose chain is read when it is asked for, and the step behind it."""

    start: int
    end: int
    step: str


_LARGEST = 64  #: types in a type; code that fills in its own type arguments has no end of them


class HasArguments(Protocol):
    """A type, with those that it is made from."""

    @property
    def args(self) -> Sequence[HasArguments]: ...


def is_too_large(one: HasArguments) -> bool:
    """Whether a type is made from more types than anybody writes."""
    waiting, count = [one], 0
    while waiting and count <= _LARGEST:
        count += 1
        waiting += waiting.pop().args
    return count > _LARGEST


#: What stands at a position behind a chain: the longer chain and where it ends, None for nothing.
Step = Callable[[str, int], "Found | None"]


class Expressions:
    """Reads the chains of one file in the order of the source."""

    def __init__(
        self,
        parsed: Parsed,
        steps: Sequence[Step],
        prefixes: Mapping[int, str],
        begins: bytes = b"",
    ) -> None:
        """``prefixes``: where an operator stands before its operand -> the operator. ``begins``:
        the bytes with which a step begins.
        """
        self._begins = frozenset(begins)
        self._text = parsed.text
        self._steps = steps
        self._prefixes = prefixes
        self._local = Scoped()
        self._values: list[Value] = []
        #: Places of names that belong to a chain which began before them.
        self.consumed: set[int] = set()
        #: The chains so far, by the place where their expression begins.
        self.found: dict[int, Found] = {}

    def bind(self, name: str, start: int, end: int, meaning: str | Value) -> None:
        """A local name, where it holds, and the chain or the expression that it stands for."""
        if isinstance(meaning, str):
            self._local.add(name, start, end, meaning)
        else:
            self._local.add(name, start, end, len(self._values))
            self._values.append(meaning)

    def is_local(self, name: str, position: int) -> bool:
        return self._local.at(name, position) is not None

    def meaning(self, name: str, position: int) -> str | None:
        """The chain of what a local name stands for, None where the name is not local."""
        meaning = self._local.at(name, position)
        return self.value(self._values[meaning]) if isinstance(meaning, int) else meaning

    def root(self, start: int, end: int, root: str) -> Found:
        """The chain that begins with a root, which stands between two places."""
        self.found[start] = found = self.follow(root, end)
        return found

    def name(self, start: int, end: int) -> Found | None:
        """The chain whose root is the name there; None where only local names are mentioned."""
        name = self._text[start:end].decode("utf-8", "replace")
        meaning = self.meaning(name, start)
        if meaning is None:
            return self.root(start, end, name)
        if meaning.startswith(UNKNOWN):
            self.root(start, end, UNKNOWN)
            return None
        silent = meaning.replace("~", "") + "~"
        found = self.root(start, end, silent)
        return found if found.chain != silent and found.chain != UNKNOWN else None

    def follow(self, chain: str, position: int) -> Found:
        """The chain with all steps that come after ``position``."""
        text, begins = self._text, self._begins
        while position < len(text) and text[position] in begins:
            for step in self._steps:
                longer = step(chain, position)
                if longer is not None and longer.end > position:
                    chain, position = longer
                    break
            else:
                break
        if len(chain) > LONGEST or chain.startswith(UNKNOWN):
            chain = UNKNOWN
        return Found(chain, position)

    def value(self, value: Value) -> str:
        """The chain of an expression, ``?`` where it is none."""
        start, steps = self.skip(value.start), value.step
        while start in self._prefixes:
            operator = self._prefixes[start]
            if operator not in ("&", "*", "<-", "&mut"):
                return UNKNOWN
            steps = "[]" + steps if operator == "<-" else steps
            start = self.skip(start + len(operator))
        found = self.found.get(start)
        if found is None or self.skip(found.end) != self.skip(value.end):
            return UNKNOWN
        return found.chain + steps if not found.chain.startswith(UNKNOWN) else UNKNOWN

    def skip(self, position: int) -> int:
        """The next place that is neither white space nor comment."""
        if self._text[position : position + 1] not in b" \t\n/":
            return position
        found = _gap.match(self._text, position)
        return found.end() if found else position


class References:
    """References while they are gathered: one for each chain, kind and place of use."""

    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self._spans = [(one.start, one.end) for one in definitions]
        self._rows: list[tuple[int, str, str]] = []

    def add(self, position: int, chain: str, kind: str = "") -> None:
        """``kind``: call or read, as the chain says, when empty."""
        if not chain.startswith(UNKNOWN) and not chain.endswith(("»", "~")):
            self._rows.append((position, chain, kind or _kind(chain)))

    def sorted(self) -> tuple[Reference, ...]:
        rows = sorted(self._rows)
        order = sorted(
            range(len(self._spans)), key=lambda at: (self._spans[at][0], -self._spans[at][1])
        )
        within = innermost([self._spans[at] for at in order], [row[0] for row in rows])
        numbers = [*order, -1]  # the last is that of no scope
        return tuple(sorted(merged(self._parsed, rows, [numbers[one] for one in within])))


def _kind(chain: str) -> str:
    return "call" if chain.endswith(")") else "read"


def matched(opening: set[int], closing: set[int]) -> Iterator[Span]:
    """(start, end) of brackets that nest, from where they open and where they close."""
    stack: list[int] = []
    for at in sorted(opening | closing):
        if at in opening:
            stack.append(at)
        elif stack:
            yield stack.pop(), at + 1
