"""What a name means in one translation unit: scopes, members by declared type, macros.

Knows no search path and makes no links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from twine_hooks.analysis.translation_symbols import CLASSES, TYPES, Symbol, Symbols

_TYPEDEF = frozenset({"type"})
#: typedefs of typedefs, values of values, bases of bases: no real code needs more. A question that
#: leads to another asks it with one hop more, since types may be said to be each other in a circle
_HOPS = 6
_PIECE = re.compile(r"(\.|::)?([^.:()]+)")


class View:
    """Names as one file sees them."""

    def __init__(self, symbols: Symbols, path: str) -> None:
        self._symbols = symbols
        self.path = path
        self._visible = symbols.includes.visible(path)
        self._around: Mapping[str, int] | None = None
        self.free = lru_cache(maxsize=None)(self._read_free)
        self._class_of = lru_cache(maxsize=None)(self._read_class_of)
        self._type_named = lru_cache(maxsize=None)(self._read_type_named)
        self._member = lru_cache(maxsize=None)(self._read_member)
        self._scope_class = lru_cache(maxsize=None)(self._read_scope_class)
        self.chain = lru_cache(maxsize=None)(self._read_chain)

    # --- names without a dot --------------------------------------------------------------------

    def _near(self, found: Iterable[Symbol]) -> list[Symbol]:
        """Those of the nearest file: seen from here, else from who includes this."""
        found = list(found)
        if not found:
            return []
        ranked = [one for one in found if one.path in self._visible]
        places = self._visible
        if not ranked:
            places = self._seen_around()
            ranked = [one for one in found if one.path in places]
        if not ranked:
            return []
        declares = self._symbols.declares
        best = min(
            (one.path != self.path, declares(one), places[one.path])
            if one.path != self.path or not declares(one)
            else (True, True, 0)
            for one in ranked
        )
        nearest = [
            one for one in ranked if places[one.path] == best[2] and declares(one) == best[1]
        ]
        return nearest + self._alternatives(nearest[0], ranked) if best[0] else nearest

    def _seen_around(self) -> Mapping[str, int]:
        if self._around is None:
            self._around = self._symbols.includes.around(self.path)
        return self._around

    def _alternatives(self, first: Symbol, ranked: Iterable[Symbol]) -> list[Symbol]:
        """What one unit defines twice it defines in branches of which one is compiled."""
        symbols = self._symbols
        one = symbols.definition(first)
        if one.kind != "function" or symbols.declares(first):
            return []
        head = one.kind, one.qualified, one.signature
        return [
            one
            for one in ranked
            if one.path != first.path
            and not symbols.declares(one)
            and (other := symbols.definition(one)).qualified == head[1]
            and (other.kind, other.signature) == (head[0], head[2])
        ]

    def _read_free(self, name: str) -> tuple[Symbol, ...]:
        """What a name at file or namespace scope is: for a type its tag and its typedef."""
        found = self._symbols.free.get(name, ())
        near = self._near(found)
        if near and len(found) > 1:
            kind = self._symbols.definition(near[0]).kind
            if kind in CLASSES:
                near += self._near(one for one in found if self._is_kind(one, _TYPEDEF))
            elif kind == "type":
                near += self._near(one for one in found if self._is_kind(one, CLASSES))
        return tuple(dict.fromkeys(near))

    def _is_kind(self, symbol: Symbol, kinds: frozenset[str]) -> bool:
        return self._symbols.definition(symbol).kind in kinds

    def _read_type_named(self, name: str, hops: int = 0) -> tuple[Symbol, ...]:
        """Types of that name, nested ones too when they are written with their class."""
        parts = name.split("::")
        if parts[0] == "std":
            return ()
        if len(parts) > 1 and parts[-2] not in self._symbols.namespaces:
            return self._nested_type(parts, hops)
        types = [
            one
            for one in self._symbols.free.get(parts[-1], ())
            if self._symbols.definition(one).kind in TYPES
        ]
        if len(parts) > 1:
            types = self._in_namespace(types, parts[-2]) or types
        found = self._near(types)
        if not found and len(parts) == 1:
            found = self._near(
                one for one in self._symbols.members.get(name, ()) if self._is_kind(one, TYPES)
            )
        return tuple(found)

    def _nested_type(self, parts: Sequence[str], hops: int) -> tuple[Symbol, ...]:
        """ "A::B::C" through the classes A and B, typedefs among them followed."""
        owners = self._all_classes(self._type_named("::".join(parts[:-1]), hops), hops)
        found = [two for one in owners for two in self._member(one, parts[-1], hops)]
        return tuple(one for one in found if self._is_kind(one, TYPES))

    def _in_namespace(self, found: Iterable[Symbol], namespace: str) -> list[Symbol]:
        return [
            one
            for one in found
            if self._symbols.definition(one).qualified.split("::")[-2:-1] == [namespace]
        ]

    # --- types ----------------------------------------------------------------------------------

    def _read_class_of(self, symbol: Symbol, hops: int = 0) -> tuple[Symbol, ...]:
        """The class of a variable, of what a function gives, or that a typedef names."""
        one = self._symbols.definition(symbol)
        if one.kind in CLASSES or one.kind == "enum":
            return (symbol,)
        if hops > _HOPS or one.kind in ("macro", "enumerator", "namespace"):
            return ()
        if one.kind == "constructor":
            return self._owner(symbol)
        inner = self._symbols.children(symbol.path).get(symbol.number)
        if inner:
            return (symbol,)
        return self._classes(self._symbols.type_words(symbol), one.name, symbol, hops)

    def _classes(
        self, names: Iterable[str], own: str, at: Symbol | None, hops: int
    ) -> tuple[Symbol, ...]:
        """The first class among names; ``own`` is the name that they explain."""
        owners = self._owner(at) if at is not None else ()
        for name in names:
            nested = [one for owner in owners for one in self._member(owner, name, hops + 1)]
            nested = [one for one in nested if self._symbols.definition(one).kind in TYPES]
            for found in nested or self._type_named(name, hops + 1):
                if found == at and name == own:
                    tags = self._tags(name)
                    if tags:
                        return tags
                    continue
                classes = self._class_of(found, hops + 1)
                if classes:
                    return classes
        return ()

    def _tags(self, name: str) -> tuple[Symbol, ...]:
        tags = [
            one
            for one in self._symbols.free.get(name, ())
            if self._symbols.definition(one).kind in CLASSES
        ]
        return tuple(self._near(tags))

    def _owner(self, symbol: Symbol) -> tuple[Symbol, ...]:
        one = self._symbols.definition(symbol)
        if one.parent < 0:
            return ()
        outer = self._symbols.facts(symbol.path).definitions[one.parent]
        return (Symbol(symbol.path, one.parent),) if outer.kind in CLASSES else ()

    def _read_member(self, owner: Symbol, name: str, hops: int = 0) -> tuple[Symbol, ...]:
        """A member of a class, its own or inherited."""
        waiting, seen = [owner], {owner}
        while waiting:
            one = waiting.pop(0)
            found = self._symbols.children(one.path).get(one.number, {}).get(name)
            if found:
                return tuple(found)
            for base in self._bases(one, hops + 1):
                if base not in seen and len(seen) < 64:
                    seen.add(base)
                    waiting.append(base)
        return ()

    def _bases(self, one: Symbol, hops: int) -> Iterator[Symbol]:
        if hops > _HOPS:
            return
        for base in self._symbols.definition(one).bases:
            name = re.sub(r"<.*", "", base).strip()
            for found in self._type_named(name, hops):
                yield from self._class_of(found, hops)

    # --- chains ---------------------------------------------------------------------------------

    def _read_scope_class(self, scope: str, path: str) -> tuple[Symbol, ...]:
        """The class in which a definition with this qualified name stands, outermost last."""
        found: list[Symbol] = []
        parts = scope.split("::")
        while parts:
            if parts[-1] not in self._symbols.namespaces:
                named = self._type_named("::".join(parts[-2:])) or self._type_named(parts[-1])
                found += [one for one in named if self._symbols.definition(one).kind in CLASSES][:1]
            parts.pop()
        return tuple(found)

    def _read_chain(
        self, chain: str, scope: str, home: str = "", hops: int = 0
    ) -> tuple[tuple[Symbol, ...], ...]:
        """What each name of a chain is, the last one last; as far as it leads.

        ``home`` is the file of the macro in whose body the chain stands.
        """
        if hops > _HOPS:
            return ()
        if chain.startswith("("):
            end = _closing(chain)
            classes = self._declared(chain[1 : end - 1], scope, hops)
            return self._walk(classes, chain[end:], scope)
        if chain.startswith("."):
            return self._unknown(chain, home)
        first = _PIECE.match(chain)
        if first is None:
            return ()
        name, rest = first[2], chain[first.end() :]
        if name == "this":
            return self._walk(self._scope_class(scope, "")[:1], rest, scope)
        if name in self._symbols.namespaces and rest.startswith("::"):
            return self._in_named(name, rest[2:], scope, home, hops)
        root = self._root(name, scope)
        if not root:
            return () if rest.startswith("::") or not rest else self._unknown(rest, home)
        steps = self._walk(self._all_classes(root), rest, scope)
        if not steps and rest.startswith(".") and self._is_kind(root[0], _OPAQUE):
            steps = self._unknown(rest, home)
        return (root, *steps)

    def _in_named(
        self, namespace: str, rest: str, scope: str, home: str, hops: int
    ) -> tuple[tuple[Symbol, ...], ...]:
        """A chain behind "namespace::"."""
        piece = _PIECE.match(rest)
        if piece is None:
            return ()
        found = self._in_namespace(self._symbols.free.get(piece[2], ()), namespace)
        root = tuple(self._near(found))
        if not root:
            return self._read_chain(rest, scope, home, hops + 1)
        return (root, *self._walk(self._all_classes(root), rest[piece.end() :], scope))

    def _root(self, name: str, scope: str) -> tuple[Symbol, ...]:
        if scope:
            for owner in self._scope_class(scope, ""):
                found = self._member(owner, name)
                if found and self._symbols.definition(found[0]).kind != "constructor":
                    return found
        return self.free(name)

    def _declared(self, text: str, scope: str, hops: int) -> tuple[Symbol, ...]:
        """The class that a local variable's type names, or that its first value has."""
        if text.startswith("=("):
            end = _closing(text[1:]) + 1
            if end == len(text):
                return self._declared(text[2:-1], scope, hops + 1) if hops < _HOPS else ()
        if text.startswith("="):
            steps = self._read_chain(text[1:], scope, "", hops + 1)
            names = len(_PIECE.findall(re.sub(r"\(.*\)", "", text[1:])))
            return self._all_classes(steps[-1]) if steps and names <= len(steps) + 1 else ()
        for name in text.split(","):
            root = self._root(name, scope) if scope and "::" not in name else ()
            types = [one for one in root if self._symbols.definition(one).kind in TYPES]
            classes = self._all_classes(types or self._type_named(name))
            if classes:
                return classes
        return ()

    def _all_classes(self, symbols: Iterable[Symbol], hops: int = 0) -> tuple[Symbol, ...]:
        return tuple(dict.fromkeys(two for one in symbols for two in self._class_of(one, hops)))

    def _walk(
        self, classes: Sequence[Symbol], rest: str, scope: str
    ) -> tuple[tuple[Symbol, ...], ...]:
        """The members that ``rest`` (".a.b") names, beginning in one of the classes."""
        steps: list[tuple[Symbol, ...]] = []
        for piece in _PIECE.finditer(rest):
            found = tuple(two for one in classes for two in self._member(one, piece[2]))
            if not found:
                break
            steps.append(found)
            classes = self._all_classes(found)
        return tuple(steps)

    def _unknown(self, rest: str, home: str) -> tuple[tuple[Symbol, ...], ...]:
        """Members of whatever class has them, when all that fit stand in one file."""
        names = [piece[2] for piece in _PIECE.finditer(rest)]
        if not names:
            return ()
        members = self._symbols.members.get(names[0], ())
        found = [one for one in members if one.path in self._visible]
        if not found and members and home not in self._visible:
            found = [one for one in members if one.path in self._seen_around()]
        found = [one for one in found if self._symbols.definition(one).kind not in TYPES]
        following = ["." + ".".join(names[1:])] if len(names) > 1 else []
        for tail in following:
            fitting = [one for one in found if self._walk(self._class_of(one), tail, "")]
            found = fitting or found
        if home and len(found) > 1:
            found = [one for one in found if one.path == home] or found
        if not found or len({one.path for one in found}) > 1 or len(found) > _MOST_GUESSES:
            return ()
        first = tuple(found)
        tail = "." + ".".join(names[1:])
        return (first, *self._walk(self._all_classes(first), tail, "")) if names[1:] else (first,)


_OPAQUE = frozenset({"macro"})
_MOST_GUESSES = 3


def _closing(text: str) -> int:
    """Behind the bracket that closes the one with which a text begins."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return position + 1
    return len(text)
