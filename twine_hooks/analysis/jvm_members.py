"""The members of types in Java, Kotlin and C#, own and inherited, and the types that they have;
knows no chains.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twine_hooks.analysis.jvm_names import UNKNOWN, Class, Member, Names, Type, substitute


class Place(NamedTuple):
    """From where names are seen."""

    path: str
    cls: Class | None


class Members:
    """Finds members; keeps their types once they are known.

    ``infer`` gives the type of a chain where a member's own is not written down.
    """

    def __init__(self, names: Names, infer: Callable[[str, Place], Type]) -> None:
        self.names = names
        self._infer = infer
        self._types: dict[Member, Type] = {}

    def find(
        self, owner: Type, name: str, arguments: int | None, is_reference: bool = False
    ) -> tuple[Member, Type] | None:
        """The member of that name, own or inherited, and the type that has it.

        ``arguments`` is how many it is called with, None where it is not called. One that does not
        fit comes only where none does; for a reference (``A::f``) all fit.
        """
        if owner.cls is None:
            return None
        waiting, seen = [owner], {owner.cls}
        fallback: tuple[Member, Type] | None = None
        while waiting:
            one = waiting.pop(0)
            cls = one.cls
            if cls is None:
                continue
            members = [Member(cls.path, index) for index in cls.members.get(name, ())]
            for member in members:
                if is_reference or self.names.fits(member, arguments):
                    return member, one
            if members and fallback is None:
                fallback = members[0], one
            for base in self.names.supers(cls):
                if base.cls is not None and base.cls not in seen:
                    seen.add(base.cls)
                    waiting.append(substitute(base, self._given(one)))
        return fallback

    def type_in(self, member: Member, holder: Type) -> Type:
        """The type of a member as a value of the type ``holder``, whose class has it, gives it."""
        return self.bounded(substitute(self.type_of(member), self._given(holder)), holder.cls)

    def bounded(self, one: Type, cls: Class | None) -> Type:
        """For a type parameter of a class its bound, where it has one."""
        if one.cls is not None or one.args or cls is None:
            return one
        for around in cls.around():
            bound = self.names.parameters_of(around).get(one.name)
            if bound:
                return self.names.resolve(self.names.parse(bound), around.path, around)
        return one

    def _given(self, holder: Type) -> dict[str, Type]:
        if holder.cls is None or not holder.args:
            return {}
        parameters = self.names.parameters_of(holder.cls)
        pairs = zip(parameters, holder.args, strict=False)
        return {name: arg for name, arg in pairs if arg != Type(None, name)}

    def type_of(self, member: Member) -> Type:
        """The type of a field or of what a method returns, in the parameters of its class."""
        if member not in self._types:
            self._types[member] = UNKNOWN
            self._types[member] = self._find_type_of(member)
        return self._types[member]

    def _find_type_of(self, member: Member) -> Type:
        names = self.names
        definition = names.definition(member)
        cls = names.class_around(member.path, member.index)
        if definition.kind == "enumerator" and cls is not None:
            return names.self_type(cls)
        written = names.extra(member.path, f"type {member.index}")
        if written.startswith("="):
            return self._infer(written[1:], Place(member.path, cls))
        free = names.type_parameters(definition)
        found = names.resolve(self.names.parse(written), member.path, cls, free)
        if found.cls is None and free.get(found.name):
            return names.resolve(self.names.parse(free[found.name]), member.path, cls)
        return found

    def hierarchy(self, cls: Class) -> list[Class]:
        """A class and all that it inherits from in the project, the nearest first."""
        found = [cls]
        for one in found:
            found += [
                base.cls
                for base in self.names.supers(one)
                if base.cls is not None and base.cls not in found
            ]
        return found

    def outside(self, cls: Class) -> list[Type]:
        """The bases of a class that are not of the project."""
        return [base for base in self.names.supers(cls) if base.cls is None]

    def receiver(self, member: Member) -> Type:
        """The type that an extension is for."""
        names = self.names
        written = names.extra(member.path, f"receiver {member.index}")
        cls = names.class_around(member.path, member.index)
        free = names.type_parameters(names.definition(member))
        return names.resolve(self.names.parse(written), member.path, cls, free)
