"""What the chains of Java and Kotlin lead to, step by step, with types as far as they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from twine_hooks.analysis.facts import EVERYTHING, Import
from twine_hooks.analysis.gathered import MEMBER
from twine_hooks.analysis.jvm_library import accessors, element, library
from twine_hooks.analysis.jvm_members import Members, Place
from twine_hooks.analysis.jvm_names import (
    UNKNOWN,
    Class,
    Member,
    Names,
    Type,
)
from twine_hooks.analysis.jvm_types import (
    ARRAY,
    Chain,
    Step,
    parse_chain,
)

#: Called for each definition on the way: the class or member, and how it was reached.
Seen = Callable[["Class | Member", str], None]

_DEPTH = 12  #: types that are inferred through one another


class Value(NamedTuple):
    """A package (``package``), a class itself (``is_static``) or a value of a type."""

    type: Type
    is_static: bool = False
    package: str = ""


_NO_VALUE = Value(UNKNOWN)


class Evaluator:
    """Follows chains, with what ``members`` finds."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.members = Members(names, self._inferred)
        self._depth = 0

    def follow(self, text: str, place: Place, kind: str, seen: Seen) -> Type:
        """The type of a chain, UNKNOWN where it is lost; ``seen`` hears of all on the way."""
        chain = parse_chain(text)
        if chain is None:
            return UNKNOWN
        value = self._root(chain, place, kind in ("type", "base"), seen)
        for step in chain.steps:
            if value is None:
                return UNKNOWN
            value = self._step(value, step, place, seen)
        return UNKNOWN if value is None or value.package else value.type

    # --- roots ------------------------------------------------------------------------------------

    def _root(self, chain: Chain, place: Place, is_type: bool, seen: Seen) -> Value | None:
        if chain.value is not None:
            return Value(self.names.resolve(self.names.parse(chain.value), *place))
        if chain.created is not None:
            made = self.names.resolve(self.names.parse(chain.created), *place)
            self._construct(made.cls, chain.arguments, seen)
            return Value(made)
        root = chain.root or ""
        if root in ("this", "super"):
            return self._self(root, chain.arguments, place, seen)
        if not is_type:
            found = self._contexts(chain, root, place, seen) or self._variable(
                root, chain.arguments, place, seen
            )
            if found is not None:
                return found
        return self._type_or_package(root, chain.arguments, place, seen)

    def _self(self, root: str, arguments: int | None, place: Place, seen: Seen) -> Value | None:
        cls = place.cls
        if cls is None:
            return None
        bases = self.names.supers(cls)
        if arguments is not None:
            target = cls if root == "this" else bases[0].cls if bases else None
            self._construct(target, arguments, seen)
            return None
        if root == "this":
            return Value(self.names.self_type(cls))
        # A class of many bases: the first that is in the project comes first, the rest through it.
        return Value(next((base for base in bases if base.cls is not None), UNKNOWN))

    def _construct(self, cls: Class | None, arguments: int | None, seen: Seen) -> None:
        names = self.names
        if cls is not None and cls.definition is not None and cls.definition.kind == "type":
            bases = names.supers(cls)
            cls = bases[0].cls if bases else None
        if cls is None:
            return
        members = [Member(cls.path, index) for index in cls.members.get("<init>", ())]
        fitting = [one for one in members if names.fits(one, arguments)] or members
        if fitting:
            seen(fitting[0], MEMBER)

    def constructor(self, cls: Class) -> list[tuple[Member, str]]:
        """The constructor that is called where nothing else is said."""
        found = [Member(cls.path, index) for index in cls.members.get("<init>", ())]
        return [(one, MEMBER) for one in found if self.names.fits(one, 0)][:1]

    def _contexts(self, chain: Chain, root: str, place: Place, seen: Seen) -> Value | None:
        for context in chain.contexts:
            if context.startswith("="):
                owner = self._inferred(context[1:], place)
            else:
                owner = self.names.resolve(self.names.parse(context), *place)
            found = self._member(owner, root, chain.arguments, seen)
            if found is not None:
                return found
        return None

    def _variable(self, root: str, arguments: int | None, place: Place, seen: Seen) -> Value | None:
        """A field, method, property or function by its simple name."""
        names = self.names
        for cls in place.cls.around() if place.cls is not None else ():
            found = self._member(names.self_type(cls), root, arguments, seen)
            if found is not None:
                return found
        for member, how in self._top_level(root, arguments, place.path, is_extension=False):
            seen(member, how)
            return Value(self.members.type_of(member))
        return None

    def _top_level(
        self, name: str, arguments: int | None, path: str, *, is_extension: bool
    ) -> Iterator[tuple[Member, str]]:
        """Functions and static members that imports and the package give, the best first."""
        names = self.names
        facts = names.facts(path)
        for one in facts.imports:
            if one.alias == name and one.name:
                yield from self._imported(path, one.module, one.name, arguments, one.kind)
        if names.extra(path, "facade"):
            same = names.functions.get(facts.namespace, {}).get(name, ())
            yield from self._best(path, same, arguments, "same-package", is_extension)
        for one in facts.imports:
            if one.name == EVERYTHING:
                yield from self._imported(path, one.module, name, arguments, one.kind, is_extension)

    def imported(self, path: str, one: Import) -> list[Member]:
        """The functions and members that an import of one name brings."""
        found = self._imported(path, one.module, one.name, None, one.kind)
        return list(dict.fromkeys(member for member, _ in found))

    def _imported(
        self, path: str, module: str, name: str, arguments: int | None, kind: str,
        is_extension: bool | None = None,
    ) -> Iterator[tuple[Member, str]]:  # fmt: skip
        names = self.names
        found = names.functions.get(module, {}).get(name, ())
        yield from self._best(path, found, arguments, kind, is_extension)
        owner = names.absolute(path, module.removesuffix(".Companion"))
        if owner is not None:
            member = self.members.find(names.self_type(owner), name, arguments)
            if member is not None:
                yield member[0], kind

    def _best(
        self,
        path: str,
        found: Iterable[Member],
        arguments: int | None,
        how: str,
        is_extension: bool | None,
    ) -> Iterator[tuple[Member, str]]:
        names = self.names
        if is_extension is not None:
            found = [
                one
                for one in found
                if bool(names.extra(one.path, f"receiver {one.index}")) == is_extension
            ]
        found = [one for one in found if one.path == path or names.definition(one).public]
        fitting = [one for one in found if names.fits(one, arguments)] or found
        if is_extension:
            yield from ((one, how) for one in names.without_twins(path, fitting))
            return
        own = [one for one in fitting if one.path == path]
        best = names.nearest(path, own or fitting)
        if best is not None:
            yield best, how

    def _type_or_package(
        self, root: str, arguments: int | None, place: Place, seen: Seen
    ) -> Value | None:
        found = self.names.type_named(root, *place)
        if found is not None:
            seen(found.cls, found.how)
            if arguments is None:
                return Value(Type(found.cls, root), is_static=True)
            self._construct(found.cls, arguments, seen)
            return Value(Type(found.cls, root))
        if arguments is None and root in self.names.prefixes:
            return Value(UNKNOWN, package=root)
        return _NO_VALUE

    # --- steps ------------------------------------------------------------------------------------

    def _step(self, value: Value, step: Step, place: Place, seen: Seen) -> Value | None:
        if step.is_reference and step.name == "class":
            return Value(Type(None, "KClass", (value.type,)))
        if value.package:
            return self._in_package(value.package, step, place, seen)
        if step.name == ARRAY:
            return Value(self._element(value.type))
        if value.is_static:
            return self._static_step(value.type, step, place, seen)
        found = self._member(value.type, step.name, step.arguments, seen, step.is_reference)
        found = found or self._accessor(value.type, step, seen)
        if found is not None:
            return found if not step.is_reference else _NO_VALUE
        return self._extension(value.type, step, place, seen) or Value(
            self._library(value.type, step.name)
        )

    def _element(self, one: Type) -> Type:
        return element(one)

    def _library(self, one: Type, name: str) -> Type:
        return library(one, name)

    def _accessor(self, owner: Type, step: Step, seen: Seen) -> Value | None:
        """A getter of Java that Kotlin writes as a property, or the other way round."""
        if not self.names.is_mixed or step.is_reference:
            return None
        for name, arguments in accessors(step.name, step.arguments):
            found = self._member(owner, name, arguments, seen)
            if found is not None:
                return found
        return None

    def _in_package(self, package: str, step: Step, place: Place, seen: Seen) -> Value | None:
        names = self.names
        full = f"{package}.{step.name}"
        by_name = names.packages.get(package, {}).get(step.name)
        if by_name:
            cls = names.nearest(place.path, by_name)
            if cls is not None:
                seen(cls, "reference")
                if step.arguments is not None:
                    self._construct(cls, step.arguments, seen)
                return Value(Type(cls, step.name), is_static=step.arguments is None)
        for member, _ in self._imported(place.path, package, step.name, step.arguments, ""):
            seen(member, "reference")
            return Value(self.members.type_of(member))
        return Value(UNKNOWN, package=full) if full in names.prefixes else None

    def _static_step(self, owner: Type, step: Step, place: Place, seen: Seen) -> Value | None:
        if owner.cls is None or step.name == "class":
            return None
        if step.name in ("this", "super"):
            around = self.names.self_type(owner.cls)
            if step.name == "this":
                return Value(around)
            bases = [base for base in self.names.supers(owner.cls) if base.cls is not None]
            # Interface.super: the class itself may be meant, or its base.
            is_around = place.cls is not None and owner.cls in place.cls.around()
            return Value(bases[0] if is_around and bases else around)
        if step.is_reference and step.name == "new":
            self._construct(owner.cls, None, seen)
            return None
        found = None
        for cls in self.names.parts(owner.cls):
            holder = self.names.self_type(cls)
            found = found or self._member(
                holder, step.name, step.arguments, seen, step.is_reference
            )
        if found is not None:
            return _NO_VALUE if step.is_reference else found
        inner = self.names.nested(place.path, owner.cls, step.name)
        if inner is not None:
            seen(inner, "reference")
            if step.arguments is None:
                return Value(Type(inner, step.name), is_static=True)
            self._construct(inner, step.arguments, seen)
            return Value(Type(inner, step.name))
        if step.name == "Companion":
            return Value(owner, is_static=True)
        found = self._accessor(self.names.self_type(owner.cls), step, seen)
        return found or self._extension(owner, step, place, seen) or _NO_VALUE

    def _extension(self, owner: Type, step: Step, place: Place, seen: Seen) -> Value | None:
        """A Kotlin extension function or property, by what is known of its receiver."""
        names = self.names
        if not names.extra(place.path, "facade"):
            return None
        for cls in place.cls.around() if place.cls is not None else ():
            found = self.members.find(names.self_type(cls), step.name, step.arguments)
            if found and names.extra(found[0].path, f"receiver {found[0].index}"):
                seen(found[0], MEMBER)
                return Value(self.members.type_of(found[0]))
        visible = [
            (member, how)
            for member, how in self._top_level(
                step.name, step.arguments, place.path, is_extension=True
            )
            if self._receives(member, owner)
        ]
        visible = [one for one in visible if self._is_for(one[0], owner)] or visible
        if not visible:
            return None
        member, how = visible[0]
        if owner == UNKNOWN:
            several = len({one.path for one, _ in visible}) > 1
            if several or (step.name in names.member_names and how != "import"):
                return None
        seen(member, how)
        return Value(self.members.type_of(member))

    def _receives(self, member: Member, owner: Type) -> bool:
        """Whether the extension may be meant for a value of that type."""
        members = self.members
        receiver = members.receiver(member)
        if owner == UNKNOWN:
            return True
        if receiver.cls is None and owner.cls is not None:
            free = self.names.type_parameters(self.names.definition(member))
            outer = any(members.outside(one) for one in members.hierarchy(owner.cls))
            return receiver.name == "Any" or receiver.name in free or outer
        if receiver.cls is None or owner.cls is None:
            pairs = zip(receiver.args, owner.args, strict=False)
            return receiver.cls is None and all(
                one.cls is None or other.cls is None or one.cls in members.hierarchy(other.cls)
                for one, other in pairs
            )
        return receiver.cls in members.hierarchy(owner.cls)

    def _is_for(self, member: Member, owner: Type) -> bool:
        receiver = self.members.receiver(member)
        return receiver.name.rpartition(".")[2] == owner.name.rpartition(".")[2]

    # --- members ----------------------------------------------------------------------------------

    def _member(
        self, owner: Type, name: str, arguments: int | None, seen: Seen, is_reference: bool = False
    ) -> Value | None:
        found = self.members.find(owner, name, arguments, is_reference)
        if found is None:
            return None
        member, holder = found
        seen(member, MEMBER)
        return Value(self.members.type_in(member, holder))

    def _inferred(self, chain: str, place: Place) -> Type:
        if self._depth > _DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            return self.follow(chain, place, "read", _unheard)
        finally:
            self._depth -= 1


def _unheard(found: Class | Member, how: str) -> None:
    pass
