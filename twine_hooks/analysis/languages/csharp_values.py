"""What the chains of C# lead to: statics, extension methods and values as C# has them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from twine_hooks.analysis.facts import EVERYTHING, Import
from twine_hooks.analysis.gathered import MEMBER
from twine_hooks.analysis.jvm_members import Members, Place
from twine_hooks.analysis.jvm_names import UNKNOWN, Class, Member, Type
from twine_hooks.analysis.jvm_types import Step
from twine_hooks.analysis.jvm_values import Evaluator, Seen, Value
from twine_hooks.analysis.languages.csharp_names import INDEXER, CSharpNames, around
from twine_hooks.analysis.languages.jvm_reader import AWAIT

_PAIRS = frozenset({"Dictionary", "IDictionary", "IReadOnlyDictionary", "ConcurrentDictionary",
                    "SortedDictionary", "SortedList", "ImmutableDictionary"})  # fmt: skip
_TASKS = frozenset({"Task", "ValueTask", "ConfiguredTaskAwaitable", "ConfiguredValueTaskAwaitable"})
#: Of a collection, gives its element.
_ONE = frozenset(
    {
        "Aggregate", "Current", "Dequeue", "ElementAt", "ElementAtOrDefault", "Find", "First",
        "FirstOrDefault", "Last", "LastOrDefault", "Max", "MaxBy", "Min", "MinBy", "Peek", "Pop",
        "Single", "SingleOrDefault", "Value", "GetValueOrDefault",
    }
)  # fmt: skip
#: Of a collection, gives one of the same elements.
_SAME = frozenset(
    {
        "Append", "AsEnumerable", "AsQueryable", "AsReadOnly", "Concat", "DefaultIfEmpty",
        "Distinct", "DistinctBy", "Except", "FindAll", "GetEnumerator", "Intersect", "OrderBy",
        "OrderByDescending", "Prepend", "Reverse", "Skip", "SkipWhile", "Take", "TakeWhile",
        "ThenBy", "ThenByDescending", "ToArray", "ToHashSet", "ToImmutableArray", "ToList",
        "Union", "Where",
    }
)  # fmt: skip
_SEALED = frozenset(
    {
        "bool", "byte", "char", "decimal", "double", "float", "int", "long", "nint", "nuint",
        "sbyte", "short", "string", "uint", "ulong", "ushort", "Type", "DateTime", "Guid",
    }
)  # fmt: skip
#: Methods that the library's own types have, which come before extension methods.
_OF_ALL = frozenset({"Equals", "GetHashCode", "GetType", "ToString"})
_OF_STRING = frozenset(
    {
        "Clone", "CompareTo", "Contains", "CopyTo", "EndsWith", "GetEnumerator", "IndexOf",
        "IndexOfAny", "Insert", "LastIndexOf", "LastIndexOfAny", "Normalize", "PadLeft",
        "PadRight", "Remove", "Replace", "Split", "StartsWith", "Substring", "ToCharArray",
        "ToLower", "ToLowerInvariant", "ToUpper", "ToUpperInvariant", "Trim", "TrimEnd",
        "TrimStart",
    }
)  # fmt: skip
_OF_COLLECTIONS = frozenset(
    {
        "Add", "AddRange", "Clear", "Contains", "ContainsKey", "ContainsValue", "CopyTo",
        "Dequeue", "Enqueue", "ExceptWith", "Exists", "Find", "FindAll", "FindIndex", "ForEach",
        "GetEnumerator", "GetRange", "IndexOf", "Insert", "InsertRange", "IntersectWith", "Peek",
        "Pop", "Push", "Remove", "RemoveAll", "RemoveAt", "RemoveRange", "Reverse", "SetEquals",
        "Sort", "ToArray", "TrimExcess", "TryAdd", "TryGetValue", "UnionWith",
    }
)  # fmt: skip
_SEQUENCES = frozenset({"IEnumerable", "IAsyncEnumerable", "IQueryable", "Task", "[]"})
_INTERFACE = re.compile(r"(?:.*\.)?I[A-Z]\w*$")


class CSharpMembers(Members):
    """Members of C#, whose names may have the number of type arguments behind them."""

    def find(
        self, owner: Type, name: str, arguments: int | None, is_reference: bool = False
    ) -> tuple[Member, Type] | None:
        return super().find(owner, name.partition("`")[0], arguments, is_reference)


class CSharpEvaluator(Evaluator):
    """Follows chains of C#."""

    names: CSharpNames

    def __init__(self, names: CSharpNames) -> None:
        super().__init__(names)
        self.members = CSharpMembers(names, self._inferred)

    def _self(self, root: str, arguments: int | None, place: Place, seen: Seen) -> Value | None:
        if root == "this" or place.cls is None:
            return super()._self(root, arguments, place, seen)
        bases = self.names.bases(place.cls)
        base = next((one for one in bases if one.cls is not None), UNKNOWN)
        if arguments is None:
            return Value(base)
        self._construct(base.cls, arguments, seen)
        return None

    def _construct(self, cls: Class | None, arguments: int | None, seen: Seen) -> None:
        if cls is None:
            return
        members = [
            Member(part.path, index)
            for part in self.names.all_parts(cls)
            for index in part.members.get("<init>", ())
        ]
        fitting = [one for one in members if self.names.fits(one, arguments)] or members
        if fitting:
            seen(fitting[0], MEMBER)

    def constructor(self, cls: Class) -> list[tuple[Member, str]]:
        return []

    def imported(self, path: str, one: Import) -> list[Member]:
        return []

    def _top_level(
        self, name: str, arguments: int | None, path: str, *, is_extension: bool
    ) -> Iterator[tuple[Member, str]]:
        """What ``using static`` brings."""
        names = self.names
        for one, _ in names.usings(path):
            if one.kind == "static":
                owner = names.absolute(path, one.module)
                found = (
                    self.members.find(names.self_type(owner), name, arguments) if owner else None
                )
                if found is not None:
                    yield found[0], "static"

    def _type_or_package(
        self, root: str, arguments: int | None, place: Place, seen: Seen
    ) -> Value | None:
        names = self.names
        found = names.type_named(root, *place)
        if found is not None or arguments is not None:
            return super()._type_or_package(root, arguments, place, seen)
        if root == "global":
            return Value(UNKNOWN, package=root)
        own = place.cls.package if place.cls is not None else names.facts(place.path).namespace
        dotted = names.aliased(place.path, root).removeprefix("global.")
        for outer in around(own) if dotted == root else ("",):
            full = f"{outer}.{dotted}" if outer else dotted
            if full in names.prefixes:
                return Value(UNKNOWN, package=full)
        return None

    def _in_package(self, package: str, step: Step, place: Place, seen: Seen) -> Value | None:
        if package != "global":
            return super()._in_package(package, step, place, seen)
        names = self.names
        cls = names.nearest(place.path, names.packages.get("", {}).get(step.name, ()))
        if cls is not None:
            seen(cls, "reference")
            return Value(Type(cls, step.name), is_static=True)
        return Value(UNKNOWN, package=step.name) if step.name in names.prefixes else None

    def _element(self, one: Type) -> Type:
        if one.cls is not None:
            found = self.members.find(one, INDEXER, None)
            return self._member_of(found) if found is not None else UNKNOWN
        if len(one.args) == 2 and one.name.rpartition(".")[2] in _PAIRS:
            return one.args[1]
        return super()._element(one)

    def _member_of(self, found: tuple[Member, Type]) -> Type:
        return self.members.bounded(self.members.type_of(found[0]), found[1].cls)

    def _library(self, one: Type, name: str) -> Type:
        if not one.args:
            return one if name == AWAIT and one.cls is not None else UNKNOWN
        plain = one.name.rpartition(".")[2]
        if plain in _TASKS:
            return one if name == "ConfigureAwait" else one.args[0]
        if plain in _PAIRS:
            if name == "Values":
                return Type(None, "IEnumerable", one.args[1:])
            if name == "Keys":
                return Type(None, "IEnumerable", one.args[:1])
            return one.args[1] if name == "GetValueOrDefault" else UNKNOWN
        if plain == "KeyValuePair":
            return one.args[1] if name == "Value" else one.args[0] if name == "Key" else UNKNOWN
        if name in _SAME:
            return Type(None, "IEnumerable", one.args[-1:])
        return one.args[-1] if name in _ONE and len(one.args) == 1 else UNKNOWN

    # --- extension methods ------------------------------------------------------------------------

    def _extension(self, owner: Type, step: Step, place: Place, seen: Seen) -> Value | None:
        if step.arguments is None:
            return None
        name = step.name.partition("`")[0]
        if _has_itself(owner, name):
            return None
        for level in self._levels(place):
            found = [
                member
                for namespace in level
                for member in self.names.functions.get(namespace, {}).get(name, ())
                if self.names.projects.distance(place.path, member.path) is not None
                and self.names.fits(member, step.arguments + 1)
                and self._receives(member, owner)
            ]
            best = [one for one in found if self._is_for(one, owner)] or found
            if not best:
                continue
            if owner == UNKNOWN and (
                len({one.path for one in best}) > 1 or name in self._instance_names()
            ):
                return None
            seen(best[0], MEMBER)
            return Value(self._filled(best[0], owner))
        return None

    def _filled(self, member: Member, owner: Type) -> Type:
        """What an extension method gives: its receiver's type where that is a type parameter."""
        result = self.members.type_of(member)
        receiver = self.members.receiver(member)
        return owner if result.cls is None and result == receiver else result

    def _levels(self, place: Place) -> Iterator[list[str]]:
        """The namespaces whose extension methods are seen, the nearest first."""
        names = self.names
        own = place.cls.package if place.cls is not None else names.facts(place.path).namespace
        for namespace in around(own):
            yield [namespace]
        brought = []
        for one, _ in names.usings(place.path):
            if one.name != EVERYTHING:
                continue
            if one.kind == "static":
                cls = names.absolute(place.path, one.module)
                brought += [cls.package] if cls is not None else []
            else:
                brought.append(names.package(place.path, one.module, own))
        yield list(dict.fromkeys(brought))

    def _instance_names(self) -> frozenset[str]:
        """Names of members that are called on a value, of all types of the project."""
        if not hasattr(self, "_instances"):
            names = self.names
            extensions = {name for by_name in names.functions.values() for name in by_name}
            self._instances = frozenset(names.member_names - extensions)
        return self._instances

    def _receives(self, member: Member, owner: Type) -> bool:
        receiver = self.members.receiver(member)
        free = self.names.type_parameters(self.names.definition(member))
        if owner == UNKNOWN or receiver.name == "object":
            return True
        if receiver.cls is None and receiver.name in free:
            bound = free[receiver.name]
            if not bound:
                return True
            receiver = self.names.resolve(self.names.parse(bound), member.path, None)
        if owner.cls is not None:
            hierarchy = self.members.hierarchy(owner.cls)
            if receiver.cls is not None:
                return receiver.cls in hierarchy or any(
                    part in hierarchy for part in self.names.all_parts(receiver.cls)
                )
            outside = {base.name for one in hierarchy for base in self.members.outside(one)}
            return receiver.name in outside
        if receiver.cls is not None:
            return False
        plain, given = (one.name.rpartition(".")[2] for one in (receiver, owner))
        if plain == given:
            pairs = zip(receiver.args, owner.args, strict=False)
            return all(one.cls is None or one.cls == other.cls for one, other in pairs)
        if given in _SEALED:
            return False
        return bool(_INTERFACE.match(plain)) and (bool(owner.args) or not receiver.args)


def _has_itself(owner: Type, name: str) -> bool:
    """Whether a type of the library has a method of that name itself."""
    if owner.cls is not None or owner == UNKNOWN:
        return name in _OF_ALL
    plain = owner.name.rpartition(".")[2]
    if plain in ("string", "String"):
        return name in _OF_STRING or name in _OF_ALL
    is_collection = bool(owner.args) and plain not in _SEQUENCES
    return name in _OF_ALL or (is_collection and name in _OF_COLLECTIONS)
