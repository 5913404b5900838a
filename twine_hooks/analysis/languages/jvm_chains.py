"""Expressions of Java and Kotlin as chains of names with what is local already replaced.

A chain is ``{context}…root step…``. The root is a name (``Shape``, ``area(2)``: a call with two
arguments), ``this``, ``super``, ``new Shape(1)``, or ``«Shape»``, a value of that type: what is
left of a local variable. A step is ``.name``, ``.name(1)``, ``::name`` or ``[]``, an element. A
context is the type of an anonymous class around the chain, the innermost first, whose members come
before all others. Knows the text of one file only; analysis/jvm.py says what a chain leads to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.scopes import innermost_parents

#: White space and comments between two tokens.
GAP = rb"(?:\s|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"
NAME = rb"(?:[^\W\d]|[$\x80-\xff])[\w$\x80-\xff]*"
UNKNOWN = "?"  #: the chain of a value about which the file says nothing
_LONGEST = 300  #: bytes; a longer chain is given up

_gap = re.compile(GAP)
_ENDS = frozenset(bytes([byte]) for byte in b",;)(=+-*<>&|{}]%^") | {b""}
_WORD = re.compile(r"(?<![\w.$])[^\W\d][\w$]*")


class Syntax(NamedTuple):
    """How the chains of one language are written."""

    step: re.Pattern[bytes]  #: separator (group 1) and name (group 2)
    element: re.Pattern[bytes]  #: an index in brackets
    #: function -> what comes behind its receiver to make what it gives to its lambda
    gives: Mapping[str, str] = {}
    rebinds_this: frozenset[str] = frozenset()  #: functions whose lambda has the receiver as this
    has_extensions: bool = False  #: a value of unknown type may still have members of the project
    ends: frozenset[bytes] = _ENDS  #: bytes that no step begins with
    selves: Mapping[str, str] = {}  #: other words for ``this`` and ``super``
    calls_locals: bool = False  #: a local variable may be called


class Found(NamedTuple):
    """One chain, from the root to the end of its last step."""

    chain: str
    end: int
    is_call: bool


class Scoped:
    """Where local names hold: for each name the spans and what the name stands for there."""

    def __init__(self) -> None:
        self._added: dict[str, list[tuple[int, int, str | int]]] = {}
        self._sorted: dict[str, tuple[list[int], list[int], list[tuple[int, int, str | int]]]] = {}

    def add(self, name: str, start: int, end: int, meaning: str | int) -> None:
        """``meaning``: a chain, or the place of the expression that the name is set to."""
        self._added.setdefault(name, []).append((start, end, meaning))

    def has(self, name: str) -> bool:
        return name in self._added

    def names(self) -> frozenset[str]:
        return frozenset(self._added)

    def at(self, name: str, position: int) -> str | int | None:
        """What the name stands for there, None when it is not local."""
        if name not in self._added:
            return None
        if name not in self._sorted:
            rows = sorted(self._added[name], key=lambda row: (row[0], -row[1], str(row[2])))
            parents = innermost_parents([(start, end) for start, end, _ in rows])
            self._sorted[name] = [row[0] for row in rows], parents, rows
        starts, parents, rows = self._sorted[name]
        index = bisect_right(starts, position) - 1
        while index >= 0 and rows[index][1] <= position:
            index = parents[index]
        return rows[index][2] if index >= 0 else None


class Chains:
    """Reads the chains of one file in the order of the source."""

    def __init__(
        self,
        parsed: Parsed,
        syntax: Syntax,
        arguments: Mapping[int, tuple[int, int]],
        local_types: Scoped,
        arities: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """``arities``: what is added to the name that ends there, for its type arguments."""
        self._text = parsed.text
        self._arities = arities
        self._syntax = syntax
        self._arguments = arguments
        self.local = Scoped()
        self._local_types = local_types
        self.has_extensions = syntax.has_extensions
        self._some_types = local_types.names()
        #: Places of names that belong to a chain which began before them.
        self.consumed: set[int] = set()
        #: Where the arguments of a call begin -> (the chain before the call, the name called).
        self.calls: dict[int, tuple[str, str]] = {}
        #: The chains so far, by the place where their expression begins.
        self.found: dict[int, Found] = {}

    def name(self, start: int, end: int) -> Found | None:
        """The chain whose root is the name at that place; None when it is only local."""
        name = self._name(start, end)
        called, after = self._call(end)
        is_variable = not called or self._syntax.calls_locals
        meaning = self.local.at(name, start) if is_variable else None
        if meaning is None and called and name in self._some_types:
            meaning = self._local_types.at(name, start)
        if meaning is None:
            found = self.follow(name + called, after, is_call=bool(called))
        else:
            root = UNKNOWN if called and is_variable else self._known(meaning)
            if root == UNKNOWN and self._syntax.has_extensions:
                root = "«?»"
            found = self.follow(root, after, is_call=bool(called))
            self.found[start] = found
            return None if found.chain == root or root == UNKNOWN else found
        self.found[start] = found
        return found

    def type(self, start: int, end: int) -> Found | None:
        """The chain of a type's name; None when the type is local or a type parameter."""
        name = self._name(start, end)
        found = self.follow(name, end)
        self.found[start] = found
        if name in self._some_types and self._local_types.at(name, start) is not None:
            return None
        return found

    def value(self, start: int, end: int, type_text: str) -> Found:
        """The chain that goes on from a value of a known type."""
        found = self.follow(f"«{type_text}»", end)
        self.found[start] = found
        return found

    def self(self, start: int, end: int, label: int = -1) -> Found:
        """The chain that begins with ``this`` or ``super``; ``label`` is where an "@" stands."""
        called, after = self._call(end)
        root = self._text[start:end].decode("utf-8", "replace")
        if label >= 0:
            root = f"{root[label - start + 1 :]}.{root[: label - start].partition('<')[0].strip()}"
        else:
            root = root.partition("<")[0].strip()
            root = self._syntax.selves.get(root, root) + called
        self.found[start] = self.follow(root, after, is_call=bool(called))
        return self.found[start]

    def infix(self, start: int, end: int) -> Found:
        """A function that stands between its two operands."""
        name = _plain(self._text[start:end])
        return Found(f"«?».{name}(1)", end, True)

    def dangling(self, start: int, end: int) -> Found | None:
        """The chain of a name behind an unknown value, None where that leads nowhere."""
        if not self._syntax.has_extensions:
            return None
        called, after = self._call(end)
        return self.follow(
            f"«?».{_plain(self._text[start:end])}{called}", after, is_call=bool(called)
        )

    def created(self, start: int, end: int, type_text: str) -> Found:
        """The chain that begins with a new object whose arguments come after ``end``."""
        called, after = self._call(end)
        root = UNKNOWN if type_text == UNKNOWN else f"new {type_text}{called}"
        self.found[start] = self.follow(root, after, is_call=bool(called))
        return self.found[start]

    def bracketed(self, start: int, end: int) -> Found | None:
        """The chain that goes on from an expression in brackets, where that is a single chain."""
        inner = self.expression(start + 1, end - 1)
        if inner is None:
            return None
        found = self.follow(inner, end)
        self.found[start] = found
        return found if found.chain != inner and not inner.startswith(UNKNOWN) else None

    def expression(self, start: int, end: int = -1) -> str | None:
        """The chain of the expression that begins there, if it is known and ends at ``end``."""
        found = self.found.get(self._skip(start))
        if found is None or (end >= 0 and self._skip(found.end) != end):
            return None
        return found.chain

    def local_type(self, written: str, position: int) -> str:
        """A type as written there, its local names replaced."""
        if not self._some_types:
            return written
        return _WORD.sub(lambda found: self._type_name(found[0], position), written)

    def _type_name(self, name: str, position: int) -> str:
        meaning = self._local_types.at(name, position) if name in self._some_types else None
        return name if meaning is None else str(meaning)

    def follow(self, chain: str, position: int, *, is_call: bool = False) -> Found:
        """The chain with the steps that come after ``position``."""
        text, syntax = self._text, self._syntax
        while text[position : position + 1] not in syntax.ends:
            step = syntax.step.match(text, position)
            if step is not None:
                self.consumed.add(step.start(2))
                separator = "::" if step[1].endswith(b"::") else "."
                called, position = self._call(step.end())
                if called:
                    self.calls[self._skip(step.end())] = chain, _plain(step[2])
                chain += separator + self._name(*step.span(2)) + called
                is_call = bool(called)
            elif text[position : position + 1] == b"[" and (
                found := syntax.element.match(text, position)
            ):
                chain, position, is_call = chain + "[]", found.end(), False
            else:
                break
        if len(chain) > _LONGEST or chain.startswith(UNKNOWN):
            chain = UNKNOWN
        return Found(chain, position, is_call)

    def _name(self, start: int, end: int) -> str:
        return _plain(self._text[start:end]) + self._arities.get(end, "")

    def _call(self, position: int) -> tuple[str, int]:
        """("(number of arguments)", end) where arguments follow, else ("", position)."""
        arguments = self._arguments.get(position)
        if arguments is None and self._text[position : position + 1].isspace():
            arguments = self._arguments.get(self._skip(position))
        if arguments is None:
            return "", position
        return f"({arguments[1]})", arguments[0]

    def _skip(self, position: int) -> int:
        found = _gap.match(self._text, position)
        return found.end() if found else position

    def _known(self, meaning: str | int) -> str:
        if isinstance(meaning, str):
            return self._given(meaning) if meaning.startswith("\x01") else meaning
        is_element = meaning < 0
        chain = self.expression(abs(meaning))
        if chain is None:
            return UNKNOWN
        return chain + "[]" if is_element else chain

    def _given(self, meaning: str) -> str:
        """What a function gives to the lambda whose call's arguments begin at a place."""
        receiver, function = self.calls.get(int(meaning[1:]), (UNKNOWN, ""))
        how = self._syntax.gives.get(function)
        return UNKNOWN if how is None else receiver + how

    def receiver_of(self, call: int) -> str | None:
        """What ``this`` is in a lambda whose call's arguments begin there, None for no change."""
        receiver, function = self.calls.get(call, (UNKNOWN, ""))
        return receiver if function in self._syntax.rebinds_this and receiver != UNKNOWN else None


def _plain(name: bytes) -> str:
    return name.decode("utf-8", "replace").strip("`")


def spans_around(spans: Sequence[Span], starts: Sequence[int]) -> list[list[int]]:
    """For each of the sorted places the indices of the spans around it, innermost first."""
    parents = innermost_parents(spans)
    from_starts = [start for start, _ in spans]
    found = []
    for position in starts:
        index = bisect_right(from_starts, position) - 1
        around = []
        while index >= 0:
            if spans[index][1] > position:
                around.append(index)
            index = parents[index]
        found.append(around)
    return found
