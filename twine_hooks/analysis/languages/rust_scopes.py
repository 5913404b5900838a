"""Names in modules of Rust: what a path leads to, through ``use`` and what is passed on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import EVERYTHING, Definition
from twine_hooks.analysis.languages.rust_crates import Crates, Module
from twine_hooks.analysis.languages.rust_types import parse

_DERIVED = re.compile(r"#\[proc_macro_derive\((\w+)")
_MOST_PASSED_ON = 60  #: how often one name is passed on from module to module
_MOST_NESTED = 40  #: modules with ``macro_use`` in one another


class Member(NamedTuple):
    """A definition of a file."""

    path: str
    number: int  #: of the definition in the file's facts


class Target(NamedTuple):
    """What a path leads to: a module, or a definition in one."""

    module: Module
    member: Member | None = None


class _Use(NamedTuple):
    path: tuple[str, ...]
    is_passed_on: bool
    file: str


class Implemented(NamedTuple):
    """What is implemented: the items by type and name, the traits as written and where."""

    items: dict[tuple[Member, str], list[Member]]
    traits: dict[Member, list[tuple[str, Module]]]


#: What was found so far in the search for one path, and which files pass it on; None while it
#: is looked for.
_Known = dict[tuple[Module, str, bool, bool], "tuple[list[Target], set[str]] | None"]


class Scopes:
    """Looks names up in modules; what it learns it keeps."""

    def __init__(self, crates: Crates) -> None:
        self.crates = crates
        self._depth = 0
        self._items = lru_cache(maxsize=None)(self._read_items)
        self._uses = lru_cache(maxsize=None)(self._read_uses)
        self._extra = lru_cache(maxsize=None)(self._read_extra)
        self._members = lru_cache(maxsize=None)(self._read_members)
        self._exported = lru_cache(maxsize=None)(self._read_exported)
        self._resolved = lru_cache(maxsize=None)(self._resolve)

    # --- what files say ---------------------------------------------------------------------------

    def _read_extra(self, path: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, value in self.crates.facts(path).extra:
            found.setdefault(key, []).append(value)
        return found

    def about(self, member: Member, what: str) -> str:
        return self._extra(member.path).get(f"{what} {member.number}", [""])[0]

    def rows(self, path: str, key: str) -> list[str]:
        return self._extra(path).get(key, [])

    def definition(self, member: Member) -> Definition:
        return self.crates.facts(member.path).definitions[member.number]

    def _read_items(self, module: Module) -> dict[str, list[Member]]:
        """The definitions that stand directly in a module."""
        found: dict[str, list[Member]] = {}
        for place in self.crates.places(module):
            prefix = f"{place.scope}::" if place.scope else ""
            for number, one in enumerate(self.crates.facts(place.file).definitions):
                if one.qualified == prefix + one.name and one.kind != "module":
                    found.setdefault(one.name, []).append(Member(place.file, number))
                    for text in one.decorators:
                        for derived in _DERIVED.findall(text):
                            found.setdefault(derived, []).append(Member(place.file, number))
        return found

    def _read_members(self, path: str) -> dict[str, list[Member]]:
        found: dict[str, list[Member]] = {}
        for number, one in enumerate(self.crates.facts(path).definitions):
            if f"impl {number}" not in self._extra(path):
                found.setdefault(one.qualified, []).append(Member(path, number))
        return found

    def own_members(self, owner: Member, name: str) -> list[Member]:
        """What stands inside of a definition: fields, variants, items of a trait."""
        qualified = f"{self.definition(owner).qualified}::{name}"
        return self._members(owner.path).get(qualified, [])

    def _read_uses(self, module: Module) -> dict[str, list[_Use]]:
        """What a module brings in, by the names that it gives to it."""
        found: dict[str, list[_Use]] = {}
        for place in self.crates.places(module):
            for row in self.rows(place.file, f"use {place.scope}"):
                path, name, alias, kind = row.split("|")
                parts = tuple(part for part in path.split("::") if part)
                if path.startswith("::"):
                    parts = ("", *parts)
                full = (*parts, name) if name not in ("", EVERYTHING) else parts
                called = EVERYTHING if name == EVERYTHING else alias
                one = _Use(full, kind == "reexport", place.file)
                found.setdefault(called, []).append(one)
        return found

    # --- paths ------------------------------------------------------------------------------------

    def resolve(
        self, module: Module, path: Sequence[str], *, is_use: bool = False
    ) -> tuple[tuple[Target, ...], frozenset[str]]:
        """(what a path leads to, the files that pass it on)."""
        return self._resolved(module, tuple(path), is_use)

    def _resolve(
        self, module: Module, path: tuple[str, ...], is_use: bool
    ) -> tuple[tuple[Target, ...], frozenset[str]]:
        passed: set[str] = set()
        found = self._follow(module, path, is_use, passed, {})
        return tuple(dict.fromkeys(found)), frozenset(passed)

    def _follow(
        self,
        module: Module,
        path: tuple[str, ...],
        is_use: bool,
        passed: set[str],
        seen: _Known,
    ) -> list[Target]:
        if not path:
            return []
        if path[0] == "" and len(path) > 1:
            targets, rest = self._extern(module, path[1], passed, seen), path[2:]
        else:
            targets, rest = self._root(module, path[0], is_use, passed, seen), path[1:]
        for name in rest:
            targets = [
                inner for one in targets for inner in self.inside(module, one, name, passed, seen)
            ]
        return targets

    def _root(
        self,
        module: Module,
        name: str,
        is_use: bool,
        passed: set[str],
        seen: _Known,
    ) -> list[Target]:
        if name == "crate" or name == "$crate":
            return [Target(Module(module.crate, ""))]
        if name == "self":
            return [Target(module)]
        if name == "super":
            return [Target(module.parent())] if module.path else []
        root = Module(module.crate, "")
        if is_use and self.crates.begins_in_root(module.crate):
            found = self.lookup(root, name, module, passed, seen)
        else:
            found = self.lookup(module, name, module, passed, seen)
        if not found and self.crates.begins_in_root(module.crate):
            found = self.lookup(root, name, module, passed, seen)  # of a ``use`` in a function
        return found or self._extern(module, name, passed, seen)

    def _extern(self, module: Module, name: str, passed: set[str], seen: _Known) -> list[Target]:
        """Another crate; until 2018 a path that begins with "::" may be one of this crate too."""
        extern = self.crates.extern(module.crate, name)
        if extern is not None:
            return [Target(extern)]
        if self.crates.begins_in_root(module.crate):
            return self.lookup(Module(module.crate, ""), name, module, passed, seen)
        return []

    def inside(
        self,
        origin: Module,
        target: Target,
        name: str,
        passed: set[str],
        seen: _Known,
    ) -> list[Target]:
        """What a name means inside of a module or an enum or trait."""
        if name == "self":
            return [target]
        if target.member is not None:
            return [Target(target.module, one) for one in self.own_members(target.member, name)]
        if name == "super":
            return [Target(target.module.parent())] if target.module.path else []
        return self.lookup(target.module, name, origin, passed, seen)

    def lookup(
        self,
        module: Module,
        name: str,
        origin: Module,
        passed: set[str],
        seen: _Known,
    ) -> list[Target]:
        """What a name means in a module, as another module may see it."""
        key = module, name, _is_within(origin, module), origin == module
        if key not in seen and self._depth < _MOST_PASSED_ON:
            seen[key] = None
            through: set[str] = set()
            self._depth += 1
            try:
                seen[key] = self._find(module, name, origin, through, seen), through
            finally:
                self._depth -= 1
        known = seen.get(key)
        if known is None:
            return []  # it goes in a circle, or on for too long
        passed |= known[1]
        return known[0]

    def _find(
        self, module: Module, name: str, origin: Module, passed: set[str], seen: _Known
    ) -> list[Target]:
        sees_all = _is_within(origin, module)
        found = [Target(module, one) for one in self._items(module).get(name, ())]
        child = module.child(name)
        if self.crates.places(child):
            found.append(Target(child))
        for one in self._uses(module).get(name, ()):
            if sees_all or one.is_passed_on:
                through = self._follow(module, one.path, True, passed, seen)
                if through and origin != module:
                    passed.add(one.file)
                found += through
        found = found or self._through_globs(module, name, origin, passed, seen)
        return found if found or module.path else self._exported(module.crate).get(name, [])

    def _through_globs(
        self,
        module: Module,
        name: str,
        origin: Module,
        passed: set[str],
        seen: _Known,
    ) -> list[Target]:
        sees_all = _is_within(origin, module)
        for one in self._uses(module).get(EVERYTHING, ()):
            if not (sees_all or one.is_passed_on):
                continue
            for target in self._follow(module, one.path, True, passed, seen):
                found = [
                    inner
                    for inner in self.inside(module, target, name, passed, seen)
                    if self._is_given(inner, target, module)
                ]
                if found:
                    if origin != module:
                        passed.add(one.file)
                    return found
        return []

    def _is_given(self, inner: Target, source: Target, module: Module) -> bool:
        """Whether a glob gives a name: private ones only to modules inside."""
        if inner.member is None or source.member is not None:
            return True
        if inner.module != source.module or _is_within(module, source.module):
            return True
        definition = self.definition(inner.member)
        return definition.public or definition.kind == "macro"

    def may_be_outside(self, module: Module, name: str) -> bool:
        """Whether a name that a module does not define may come from a crate that is not here."""
        uses = self._uses(module)
        return name in uses or any(
            not self.resolve(module, one.path, is_use=True)[0] for one in uses.get(EVERYTHING, ())
        )

    def is_lost(self, module: Module, path: Sequence[str]) -> bool:
        """Whether a path of ``use`` leads out of what is known of modules of the project."""
        before: tuple[Target, ...] = ()
        for length in range(1, len(path) + 1):
            found, _ = self.resolve(module, path[:length], is_use=True)
            if not found:
                name = path[length - 1]
                return bool(before) and not any(
                    one.member is not None or self.may_be_outside(one.module, name)
                    for one in before
                )
            before = found
        return False

    # --- macros -----------------------------------------------------------------------------------

    def macro(self, module: Module, name: str) -> list[Target]:
        """A macro by its name alone: of this module, one around it, or a ``macro_use`` in those."""
        while True:
            found = self._macros_in(module, name, 0)
            if found or not module.path:
                return found
            module = module.parent()

    def _macros_in(self, module: Module, name: str, depth: int) -> list[Target]:
        items = self._items(module).get(name, ())
        found = [Target(module, one) for one in items if self.definition(one).kind == "macro"]
        if found or depth > _MOST_NESTED:
            return found
        for place in self.crates.places(module):
            for key in self._extra(place.file):
                if key.startswith("macros "):
                    scope, _, child = key[7:].rpartition("::")
                    if scope == place.scope:
                        found += self._macros_in(module.child(child), name, depth + 1)
        return found

    def _read_exported(self, crate: str) -> dict[str, list[Target]]:
        """The macros that a crate exports: they are in its root, wherever they stand."""
        found: dict[str, list[Target]] = {}
        for path in self.crates.tree(crate):
            module = Module(crate, path)
            for name, members in self._items(module).items():
                for one in members:
                    if self.definition(one).kind == "macro" and self.definition(one).public:
                        found.setdefault(name, []).append(Target(module, one))
        return found

    # --- impl blocks ------------------------------------------------------------------------------

    def implemented(self, paths: Iterable[str]) -> Implemented:
        """All that ``impl`` blocks of these files say of types of the project."""
        found = Implemented({}, {})
        for path in paths:
            blocks = self._blocks(path)
            for owners, module, trait in blocks.values():
                for owner in owners if trait else ():
                    found.traits.setdefault(owner, []).append((trait, module))
            for number, one in enumerate(self.crates.facts(path).definitions):
                for key in self.rows(path, f"impl {number}"):
                    for owner in blocks[key][0] if key in blocks else ():
                        items = found.items.setdefault((owner, one.name), [])
                        items.append(Member(path, number))
        return found

    def _blocks(self, path: str) -> dict[str, tuple[tuple[Member, ...], Module, str]]:
        """Key of an ``impl`` block -> (the types that it is for, where it stands, its trait)."""
        found: dict[str, tuple[tuple[Member, ...], Module, str]] = {}
        for module in self.crates.modules(path)[:1]:
            for key, values in self._extra(path).items():
                if not key.startswith("impl of "):
                    continue
                scope, written, trait = values[0].split("|", 2)
                inner = module
                for name in scope.split("::") if scope else ():
                    inner = inner.child(name)
                targets, _ = self.resolve(inner, tuple(parse(written).path.split("::")))
                owners = tuple(one.member for one in targets if one.member is not None)
                found[key[8:]] = owners, inner, trait
        return found


def _is_within(inner: Module, outer: Module) -> bool:
    if inner.crate != outer.crate:
        return False
    return not outer.path or inner.path == outer.path or inner.path.startswith(f"{outer.path}::")
