"""Values of Rust expressions: which definitions a chain mentions, and the type that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from twine_hooks.analysis.languages.expressions import is_too_large
from twine_hooks.analysis.languages.rust_crates import Crates, Module
from twine_hooks.analysis.languages.rust_library import DEREFERENCED, library
from twine_hooks.analysis.languages.rust_scopes import Implemented, Member, Scopes, Target
from twine_hooks.analysis.languages.rust_types import OTHER, Written, parameter_names, parse

MEMBER = "member"  #: reached through the type of a value
_REFERENCE = "reference"

_ROOT = re.compile(r"«([^»]*)»|(?:::)?(\w+)")
_STEP = re.compile(r"::(\w+)|\.(\w+)|(\(\))|(\[\])|(\?)|#(\d+)|\{([\w:]+)#(\d+)\}|(!)|(~)")
_DEEPEST = 24  #: types and chains gone through from one name
_TYPES = frozenset({"struct", "union", "enum", "trait", "type"})
_PATH_ROOTS = frozenset({"crate", "self", "super"})
_SOME = frozenset({"Some", "Ok"})


class Type(NamedTuple):
    """``named`` (a definition of the project), ``outside`` (any other by its name), ``list``,
    ``tuple``, ``func`` (``args``: its result), ``bounds`` (traits), "" for unknown.
    """

    kind: str = ""
    name: str = ""
    member: Member | None = None
    args: tuple[Type, ...] = ()


UNKNOWN = Type()


class Seen(NamedTuple):
    """A definition that a chain mentions."""

    member: Member
    how: str
    is_called: bool
    is_last: bool


class Found(NamedTuple):
    """All that a chain mentions, the files that pass names on, and what leads nowhere though it
    should.
    """

    seen: tuple[Seen, ...]
    passed: frozenset[str]
    missing: str
    type: Type


class _Value(NamedTuple):
    type: Type
    targets: tuple[Target, ...] = ()  #: while it is still a path


class Evaluator:
    """Follows chains; what it learns about types it keeps."""

    def __init__(self, scopes: Scopes, paths: Sequence[str]) -> None:
        self.scopes = scopes
        self._crates: Crates = scopes.crates
        self._paths = paths
        self._depth = 0
        self.follow = lru_cache(maxsize=None)(self._follow)
        self.module_of = lru_cache(maxsize=None)(self._find_module)
        self._member = lru_cache(maxsize=None)(self._find_member)

    @cached_property
    def _implemented(self) -> Implemented:
        return self.scopes.implemented(self._paths)

    def _follow(self, module: Module, chain: str) -> Found:
        root = _ROOT.match(chain)
        if root is None or self._depth > _DEEPEST:
            return Found((), frozenset(), "", UNKNOWN)
        self._depth += 1
        try:
            return _Walk(self, module, chain).walk(root)
        finally:
            self._depth -= 1

    def _find_module(self, member: Member) -> Module | None:
        """The module in which a definition stands."""
        modules = self._crates.modules(member.path)
        if not modules:
            return None
        definitions = self._crates.facts(member.path).definitions
        names = []
        parent = definitions[member.number].parent
        while parent >= 0:
            if definitions[parent].kind == "module":
                names.append(definitions[parent].name)
            parent = definitions[parent].parent
        module = modules[0]
        for name in reversed(names):
            module = module.child(name)
        return module

    # --- types ------------------------------------------------------------------------------------

    def resolve(self, written: Written, module: Module | None, given: Mapping[str, Type]) -> Type:
        """The type that is written in a module."""
        if written == OTHER or module is None or self._depth > _DEEPEST:
            return UNKNOWN
        args = tuple(self.resolve(one, module, given) for one in written.args)
        if any(map(is_too_large, args)):
            return UNKNOWN
        if written.kind != "path":
            return Type(written.kind, args=args)
        if written.path in given:
            return given[written.path]
        targets, _ = self.scopes.resolve(module, written.path.split("::"))
        for one in targets:
            if one.member is not None:
                return self.named(one.member, args)
        return Type("outside", written.path.rpartition("::")[2], args=args)

    def named(self, member: Member, args: tuple[Type, ...]) -> Type:
        """The type that a definition of a type, or a variant, is."""
        definition = self.scopes.definition(member)
        if definition.kind == "type":
            self._depth += 1
            try:
                written = parse(self.scopes.about(member, "type"))
                return self.resolve(written, self.module_of(member), self.given(member, args))
            finally:
                self._depth -= 1
        if definition.kind in _TYPES or definition.kind == "enumerator":
            return Type("named", definition.name, member, args)
        return UNKNOWN

    def given(self, member: Member, args: Sequence[Type]) -> dict[str, Type]:
        """The type parameters of a type, by name."""
        parameters = self.scopes.about(member, "parameters")
        names = parameter_names(parameters) if parameters else ()
        return dict.fromkeys(names, UNKNOWN) | dict(zip(names, args, strict=False))

    def type_of(self, member: Member, given: Mapping[str, Type]) -> Type:
        """The type of what a definition is, a function's as ``func``."""
        definition = self.scopes.definition(member)
        if definition.kind in _TYPES:
            return self.named(member, ())
        if definition.kind == "enumerator":
            owner = self._owner(member)
            return Type("named", self.scopes.definition(owner).name, owner)
        self._depth += 1
        try:
            written = parse(self.scopes.about(member, "type"))
            found = self.resolve(written, self.module_of(member), given)
        finally:
            self._depth -= 1
        return Type("func", args=(found,)) if definition.kind in ("function", "method") else found

    def _owner(self, member: Member) -> Member:
        return Member(member.path, self.scopes.definition(member).parent)

    def called(self, value: _Value) -> Type:
        """What a call gives: of a type or a variant, a value of that."""
        if value.type.kind == "func":
            return value.type.args[0]
        return value.type if value.targets else UNKNOWN

    def element(self, one: Type) -> Type:
        while one.kind == "outside" and one.name in DEREFERENCED and one.args:
            one = one.args[0]
        if one.kind == "list" and one.args:
            return one.args[0]
        return one.args[-1] if one.kind == "outside" and one.args else UNKNOWN

    def part(self, owner: Type, path: str, index: int, module: Module) -> Type:
        """What the pattern of a tuple struct or variant takes out of a value."""
        if path in _SOME and owner.kind == "outside":
            return owner.args[0] if owner.args else UNKNOWN
        if path == "Err" and owner.kind == "outside":
            return owner.args[-1] if owner.args else UNKNOWN
        targets, _ = self.scopes.resolve(module, path.split("::"))
        for one in targets:
            if one.member is not None:
                return self.field(one.member, index, owner.args)
        return UNKNOWN

    def field(self, member: Member, index: int, args: Sequence[Type] = ()) -> Type:
        """A field without name of a struct or variant."""
        written = parse(self.scopes.about(member, "tuple"))
        if index >= len(written.args):
            return UNKNOWN
        kind = self.scopes.definition(member).kind
        owner = self._owner(member) if kind == "enumerator" else member
        return self.resolve(written.args[index], self.module_of(member), self.given(owner, args))

    # --- members ----------------------------------------------------------------------------------

    def associated(self, owner: Member, name: str) -> list[Member]:
        """What ``Type::name`` means: a variant, an item of an ``impl``, of a trait of the type."""
        definition = self.scopes.definition(owner)
        if definition.kind == "type":
            one = self.named(owner, ())
            return self.associated(one.member, name) if one.member not in (None, owner) else []
        if definition.kind not in _TYPES:
            return []
        found = [one for one in self.scopes.own_members(owner, name) if not self._is_field(one)]
        found += self._implemented.items.get((owner, name), [])
        return found or self._of_traits(owner, name)

    def _is_field(self, member: Member) -> bool:
        return self.scopes.definition(member).kind == "field"

    def _of_traits(self, owner: Member, name: str) -> list[Member]:
        """An item that the traits of a type give it, or those of which a trait is made."""
        waiting, seen = list(self._traits(owner)), set()
        while waiting:
            trait = waiting.pop(0)
            if trait in seen:
                continue
            seen.add(trait)
            found = self.scopes.own_members(trait, name)
            if found:
                return found
            waiting += self._traits(trait)
        return []

    def _traits(self, owner: Member) -> Iterator[Member]:
        definition = self.scopes.definition(owner)
        module = self.module_of(owner)
        written = [(base, module) for base in definition.bases if module is not None]
        for trait, where in (*written, *self._implemented.traits.get(owner, ())):
            if where is not None:
                targets, _ = self.scopes.resolve(where, parse(trait).path.split("::"))
                for one in targets:
                    if (
                        one.member is not None
                        and self.scopes.definition(one.member).kind == "trait"
                    ):
                        yield one.member

    def member(self, owner: Type, name: str) -> tuple[Type, tuple[Member, ...]]:
        """(its type, its definitions) of a field or method of a value."""
        return self._member(owner, name)

    def _find_member(self, owner: Type, name: str) -> tuple[Type, tuple[Member, ...]]:
        if owner.kind == "bounds":
            for one in owner.args:
                found = self.member(one, name)
                if found[1]:
                    return found
            return UNKNOWN, ()
        if owner.kind == "named" and owner.member is not None:
            members = self.scopes.own_members(owner.member, name)
            members = members or self.associated(owner.member, name)
            if members:
                given = self.given(owner.member, owner.args)
                return self.type_of(members[0], given), tuple(members)
            if name in ("clone", "to_owned", "borrow", "as_ref", "as_mut", "iter"):
                return Type("func", args=(owner,)), ()
        if owner.kind == "outside" and owner.name in DEREFERENCED and owner.args:
            found = self.member(owner.args[0], name)
            if found != (UNKNOWN, ()):
                return found
        given_back = library(owner.kind, owner.name, owner.args, name)
        if given_back is None:
            return UNKNOWN, ()
        wrapped, index = given_back
        inner = owner if index < 0 else owner.args[index] if index < len(owner.args) else UNKNOWN
        return Type(
            "func", args=(Type("outside", wrapped, args=(inner,)) if wrapped else inner,)
        ), ()


class _Walk:
    """One chain on its way from its root."""

    def __init__(self, evaluator: Evaluator, module: Module, chain: str) -> None:
        self._evaluator = evaluator
        self._scopes = evaluator.scopes
        self._module = module
        self._chain = chain
        self._seen: list[tuple[Member, str, bool, int]] = []
        self._passed: set[str] = set()
        self._missing = ""
        self._groups = 0

    def walk(self, root: re.Match[str]) -> Found:
        chain = self._chain
        position = root.end()
        if root[2] is None:
            value = _Value(self._evaluator.resolve(parse(root[1]), self._module, {}))
        else:
            value, position = self._path(root[0], position)
        while position < len(chain):
            step = _STEP.match(chain, position)
            if step is None:
                break
            position = step.end()
            value = self._step(value, step)
        seen = tuple(
            Seen(member, how, called, group == self._groups)
            for member, how, called, group in self._seen
        )
        return Found(seen, frozenset(self._passed), self._missing, value.type)

    def _see(self, members: Sequence[Member], how: str, position: int) -> None:
        if members:
            self._groups += 1
            is_called = self._chain.startswith(("()", "!"), position)
            self._seen += [(one, how, is_called, self._groups) for one in members]

    # --- paths ------------------------------------------------------------------------------------

    def _path(self, root: str, position: int) -> tuple[_Value, int]:
        """The value of a path, and where it ends."""
        names = ["", root[2:]] if root.startswith("::") else [root]
        end = position
        while (step := _STEP.match(self._chain, end)) is not None and step[1] is not None:
            names.append(step[1])
            end = step.end()
        if self._chain.startswith("!", end):
            return self._macro(names, end), end
        targets = self._resolved(tuple(names[:1] if names[0] else names[:2]))
        at = position
        self._see_targets(targets, at)
        rest = names[1:] if names[0] else names[2:]
        for name in rest:
            at += len(name) + 2
            inner = self._inside(targets, name)
            if not inner and any(
                one.member is None and not self._scopes.may_be_outside(one.module, name)
                for one in targets
            ):
                self._missing = self._missing or "::".join(names)
            targets = inner
            self._see_targets(targets, at)
            if not targets:
                return _Value(UNKNOWN), end
        return self._value(targets), end

    def _resolved(self, names: tuple[str, ...]) -> list[Target]:
        targets, passed = self._scopes.resolve(self._module, names)
        self._passed |= passed
        return list(targets)

    def _inside(self, targets: Sequence[Target], name: str) -> list[Target]:
        found: list[Target] = []
        for one in targets:
            if one.member is not None:
                members = self._evaluator.associated(one.member, name)
                found += [Target(one.module, member) for member in members]
            else:
                found += self._scopes.inside(self._module, one, name, self._passed, {})
        return found

    def _see_targets(self, targets: Sequence[Target], position: int) -> None:
        members = [one.member for one in targets if one.member is not None]
        if not self._chain.startswith("!", position):
            members = [one for one in members if self._scopes.definition(one).kind != "macro"]
        self._see(members, _REFERENCE, position)

    def _value(self, targets: Sequence[Target]) -> _Value:
        members = [one.member for one in targets if one.member is not None]
        if not members:
            return _Value(UNKNOWN, tuple(targets))
        functions = [
            one for one in members if self._scopes.definition(one).kind in ("function", "method")
        ]
        member = (functions or members)[0]
        return _Value(self._evaluator.type_of(member, {}), tuple(targets))

    def _macro(self, names: Sequence[str], position: int) -> _Value:
        targets = self._resolved(tuple(names))
        macros = [
            one
            for one in targets
            if one.member is not None and self._scopes.definition(one.member).kind == "macro"
        ]
        if not macros and len(names) == 1:
            macros = self._scopes.macro(self._module, names[0])
        self._see_targets(macros, position)
        return _Value(UNKNOWN)

    # --- steps ------------------------------------------------------------------------------------

    def _step(self, value: _Value, step: re.Match[str]) -> _Value:
        evaluator = self._evaluator
        if step[1] is not None:
            return self._associated(value, step[1], step.end())
        if step[2] is not None:
            return self._named(value, step[2], step.end())
        if step[3]:
            return _Value(evaluator.called(value))
        if step[4]:
            return _Value(evaluator.element(value.type))
        if step[5]:
            one = value.type
            return _Value(one.args[0] if one.kind == "outside" and one.args else UNKNOWN)
        if step[6] is not None:
            return _Value(self._part(value.type, int(step[6])))
        if step[7] is not None:
            return _Value(evaluator.part(value.type, step[7], int(step[8]), self._module))
        if step[10]:
            # What came before is not written here.
            self._seen, self._missing = [], ""
            self._passed = set()
        return value

    def _associated(self, value: _Value, name: str, position: int) -> _Value:
        """``Self::name``: behind what is not written here."""
        members: list[Member] = []
        if value.type.member is not None:
            members = self._evaluator.associated(value.type.member, name)
        self._see(members, _REFERENCE, position)
        module = value.targets[0].module if value.targets else self._module
        return self._value([Target(module, one) for one in members])

    def _named(self, value: _Value, name: str, position: int) -> _Value:
        if name == "await":
            return value
        if name.isdigit():
            if value.type.kind == "named" and value.type.member is not None:
                return _Value(self._evaluator.field(value.type.member, int(name), value.type.args))
            return _Value(self._part(value.type, int(name)))
        if value.type == UNKNOWN:
            return _Value(UNKNOWN)
        kind, members = self._evaluator.member(value.type, name)
        self._see(members, MEMBER, position)
        return _Value(kind)

    def _part(self, one: Type, index: int) -> Type:
        return one.args[index] if one.kind == "tuple" and index < len(one.args) else UNKNOWN
