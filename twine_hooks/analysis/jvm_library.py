"""What is known of the standard libraries of Java and Kotlin without reading them."""

from __future__ import annotations

from collections.abc import Iterator

from twine_hooks.analysis.jvm_names import UNKNOWN, Type
from twine_hooks.analysis.jvm_types import ARRAY

#: Methods of the standard collections, streams, optionals… that give one of their type arguments.
_LAST = frozenset(
    {
        "apply", "call", "component2", "computeIfAbsent", "element", "elementAt", "find", "first",
        "firstOrNull", "get", "getFirst", "getLast", "getOrDefault", "getOrNull", "getValue",
        "join", "last", "lastOrNull", "max", "min", "next", "orElse", "orElseGet", "orElseThrow",
        "peek", "poll", "pop", "previous", "put", "random", "remove", "single", "singleOrNull",
        "take", "value",
    }
)  # fmt: skip
_SAME = frozenset(
    {
        "also", "apply", "asIterable", "asReversed", "asSequence", "descendingIterator",
        "distinct", "drop", "dropLast", "dropWhile", "filter", "filterNot", "filterNotNull",
        "findAny", "findFirst", "iterator", "limit", "listIterator", "minus", "onEach", "orEmpty",
        "parallelStream", "peek", "plus", "reversed", "skip", "sorted", "sortedBy", "sortedWith",
        "stream", "subList", "take", "takeIf", "takeLast", "takeWhile", "toList", "toMutableList",
        "toMutableSet", "toSet", "values",
    }
)  # fmt: skip


def accessors(name: str, arguments: int | None) -> tuple[tuple[str, int | None], ...]:
    """(name, arguments) of what Kotlin calls in Java when it reads a property, and back."""
    if arguments is None:
        upper = name[:1].upper() + name[1:]
        return (f"get{upper}", 0), (f"is{upper}", 0)
    if arguments < 2 and name[:3] in ("get", "set") and len(name) > 3:
        return ((name[3].lower() + name[4:], None),)
    return ()


def accessed_by(name: str) -> Iterator[str]:
    """The names that lead to this one by ``accessors``."""
    yield f"get{name[:1].upper()}{name[1:]}"
    yield f"set{name[:1].upper()}{name[1:]}"
    for before in ("get", "is"):
        rest = name.removeprefix(before)
        if rest and rest != name:
            yield from (rest, rest[0].lower() + rest[1:])  # getURL is URL, too


def element(one: Type) -> Type:
    """What an array, collection or stream of a type holds."""
    if one.args:
        return one.args[-1] if one.name == ARRAY or len(one.args) == 1 else UNKNOWN
    return UNKNOWN


def library(one: Type, name: str) -> Type:
    """What a method of a type outside of the project gives, for the well-known ones."""
    if one.cls is not None or not one.args:
        return UNKNOWN
    if name == "getKey" or name == "key":
        return one.args[0]
    if name == "entrySet" or name == "entries":
        return Type(None, "Set", (Type(None, "Entry", one.args),))
    if name in ("keySet", "keys"):
        return Type(None, "Set", one.args[:1])
    if name in _SAME:
        return Type(None, one.name, one.args[-1:]) if name == "values" else one
    return one.args[-1] if name in _LAST else UNKNOWN
