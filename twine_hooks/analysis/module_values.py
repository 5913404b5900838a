"""What chains of names lead to in languages of modules: through members, bases and the types of
values; knows no one language's syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from twine_hooks.analysis.facts import EVERYTHING, Definition
from twine_hooks.analysis.module_names import Location, ModuleSystem, Names, Target

_VALUE_KINDS = frozenset({"constant", "variable"})
#: What of a list gives or returns one of its elements, as written in a chain.
ELEMENT = (
    r"(?:@\[\]|\.(?:forEach|map|filter|find|findLast|findIndex|some|every|flatMap)@0/0"
    r"|\.(?:find|findLast|pop|shift|at)@)"
)
#: Before a chain whose root is not written there, but is the type of what is.
OF_TYPE = "~"
_ROOT = re.compile(r"[.@]")
_OF_MANY = re.compile(ELEMENT)
#: An element of many, an entry of a mapping or a list.
_ELEMENTS = re.compile(r"@\[:?\]\Z")
_MOST_STEPS = 6  #: types that are gone through from one name


class Values:
    """Follows chains; what it learns of types and members it keeps for the next.

    ``self_names`` are the words for the object at hand: ``self``, ``this``, ``super``.
    """

    def __init__(self, names: Names, modules: ModuleSystem, self_names: frozenset[str]) -> None:
        self._names = names
        self._modules = modules
        self._self_names = self_names
        self._members = lru_cache(maxsize=None)(self._read_members)
        self._types = lru_cache(maxsize=None)(self._read_types)
        self._bases = lru_cache(maxsize=None)(self._read_bases)
        self._member = lru_cache(maxsize=None)(self._find_member)
        self._types_of = lru_cache(maxsize=None)(self._find_types)

    def resolve(
        self, path: str, chain: str, scope: Definition | None, steps: int
    ) -> Iterator[Target]:
        """What a chain written in a file leads to. ``steps`` counts the types gone through."""
        first, *rest = chain.split(".")
        root, at, how = first.removeprefix(OF_TYPE).partition("@")
        if root in self._self_names:
            roots = self._own_class(path, scope)
            if root == "super":
                roots = [base for one in roots for base in self._bases(one)]
            if not rest:
                return
        else:
            roots = list(self._names.roots(path, root))
        if at:
            roots = [found for one in roots for found in self._types_of(one, how, steps, at)]
        for one in roots:
            if root in self._self_names and not at:
                yield from self._walk_member(one, rest, steps, missing=False)
            else:
                if rest and one.symbol and not at and not steps and first[:1] != OF_TYPE:
                    yield one
                yield from self._walk(one, rest, steps)

    def is_of_self(self, chain: str) -> bool:
        """Whether what a chain leads to depends on where it is written."""
        return _ROOT.split(chain, maxsplit=1)[0] in self._self_names

    def _own_class(self, path: str, scope: Definition | None) -> list[Target]:
        """The class in whose method a definition stands."""
        definitions = self._names.facts(path).definitions
        while scope is not None and scope.parent >= 0:
            scope = definitions[scope.parent]
            if scope.kind not in ("method", "function"):
                return [Target(path, scope.qualified)]
        return []

    def _walk(self, target: Target, rest: Sequence[str], steps: int = 0) -> Iterator[Target]:
        """Follow a dotted name from its root as far as it leads."""
        if not rest:
            yield target
        elif not target.symbol:
            name, at, how = rest[0].partition("@")
            found = self._names.exported(target.location, name)
            if not found:
                yield Target(target.location, EVERYTHING)
            for one in found:
                yield from self._walk_on(one, at, how, rest, steps)
        else:
            yield from self._walk_member(target, rest, steps, missing=True)

    def _walk_on(
        self, found: Target, at: str, how: str, rest: Sequence[str], steps: int
    ) -> Iterator[Target]:
        if not at:
            if len(rest) > 1 and found.symbol:
                yield found
            yield from self._walk(found, rest[1:], steps)
            return
        for one in self._types_of(found, how, steps, at):
            yield from self._walk(one, rest[1:], steps + 1)

    def _walk_member(
        self, owner: Target, rest: Sequence[str], steps: int, *, missing: bool
    ) -> Iterator[Target]:
        """A member of a class or, by its type, of a value; the owner itself when ``missing``."""
        name, at, how = rest[0].partition("@")
        exported, own = self._names.exported, self._member
        members: list[Target] = []
        for one in self._types_of(owner, "", steps):
            members += own(one, name) if one.symbol else exported(one.location, name)
        members = members or list(self._member(owner, name))
        if not steps and (self._is_value(owner) or (missing and not members)):
            yield owner
        if not members and _OF_MANY.fullmatch("." + rest[0]):
            for one in self._types_of(owner, "[]", steps, "@"):
                yield from self._walk(one, rest[1:], steps + 1)
        for one in members:
            yield from self._walk_on(one, at, how, rest, steps)

    def _find_types(self, target: Target, how: str, steps: int, at: str = "") -> tuple[Target, ...]:
        """What has the members of a value (of what a function returns or gives away, for "@")."""
        if steps >= _MOST_STEPS or not target.symbol:
            return ()
        written = at + how
        if written.endswith("@with"):
            return tuple(self._entered(target, written.removesuffix("@with"), steps))
        if written == "@" and self._modules.calls_make_instances and self._is_class(target):
            return (target,)
        element = _ELEMENTS.search(written)
        key = target.symbol + (written[: element.start()] if element else written)
        chains = self._types(target.location).get(key, ())
        if element:
            chains = [rest for one in chains if (rest := _without_mark(one, element[0]))]
        found = [
            one
            for chain in chains
            for one in self.resolve(target.location, chain, None, steps + 1)
            if one != target and one.symbol != EVERYTHING
        ]
        return tuple(dict.fromkeys(found))

    def _entered(self, target: Target, written: str, steps: int) -> Sequence[Target]:
        """What ``with target as name`` binds; ``written`` is what is done to the target before."""
        found: list[Target] = []
        managers = self._types_of(target, written.removeprefix("@"), steps, written[:1])
        for one in managers or (() if written else (target,)):
            entered = [
                given
                for enter in ("__enter__", "__aenter__")
                for member in self._member(one, enter)
                for given in self._types_of(member, "", steps, "@")
            ]
            found += entered or [one]
        return found or self._types_of(target, written.removeprefix("@") + "@[]", steps, "@")

    def _is_class(self, one: Target) -> bool:
        definition = self._members(one.location).get(one.symbol)
        return definition is not None and definition.kind == "class"

    def _is_value(self, one: Target) -> bool:
        definition = self._members(one.location).get(one.symbol)
        return definition is not None and definition.kind in _VALUE_KINDS

    def _find_member(self, owner: Target, name: str) -> tuple[Target, ...]:
        """A member of a class, its own or inherited."""
        waiting, seen = [owner], {owner}
        while waiting:
            one = waiting.pop(0)
            qualified = f"{one.symbol}.{name}"
            if qualified in self._members(one.location):
                return (Target(one.location, qualified),)
            fresh = [base for base in self._bases(one) if base not in seen]
            seen.update(fresh)
            waiting += fresh
        return ()

    def _read_members(self, location: Location) -> dict[str, Definition]:
        return {one.qualified: one for one in self._names.facts(location).definitions}

    def _read_types(self, location: Location) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, chain in self._names.facts(location).extra:
            if key.startswith("type "):
                found.setdefault(key.removeprefix("type "), []).append(chain)
        return found

    def _read_bases(self, one: Target) -> tuple[Target, ...]:
        definition = self._members(one.location).get(one.symbol)
        found: list[Target] = []
        for base in definition.bases if definition else ():
            root, *rest = re.split(r"[\[<(]", base, maxsplit=1)[0].strip().split(".")
            for start in self._names.roots(one.location, root):
                found += self._walk(start, rest)
        return tuple(base for base in dict.fromkeys(found) if base.symbol)


def _without_mark(chain: str, taken: str) -> str:
    """ "Foo" for "[]Foo", of which an element is taken, and for "[:]Foo", of which an entry is."""
    if chain.startswith("[]"):
        return chain[2:]
    return chain[3:] if chain.startswith("[:]") and taken == "@[:]" else ""
