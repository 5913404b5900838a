"""The classes and top-level functions of a project in Java and Kotlin, and who sees which name.

Follows JLS chapter 6 and Kotlin's scopes: members of the classes around, inherited ones too, then
imports, then the package, then imports on demand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts
from twine_hooks.analysis.jvm_types import Written, accepts, parse_type, type_parameters
from twine_hooks.analysis.lang_base import Project

CLASS_KINDS = frozenset({"class", "interface", "enum", "record", "annotation", "object", "type"})
_SOURCE_SET = re.compile(r"(?:^|/)src/([^/]+)/")
_COMPANION = re.compile(r"(?:\w+ )*companion object\b")
_NO_FACTS = Facts(language="")


class Member(NamedTuple):
    """A definition: the ``index``-th of the file at ``path``."""

    path: str
    index: int  # type: ignore[assignment]  # hides a method of tuples that nobody calls


class Class:
    """A class, interface, object or type alias of the project; or a file's facade for Java."""

    __slots__ = ("definition", "index", "members", "name", "nested", "outer", "package", "path")

    def __init__(
        self, path: str, package: str, name: str, index: int, outer: Class | None,
        definition: Definition | None,
    ) -> None:  # fmt: skip
        self.path, self.package, self.name, self.index = path, package, name, index
        self.outer = outer
        self.definition = definition  #: None for a facade
        self.nested: dict[str, list[Class]] = {}
        self.members: dict[str, list[int]] = {}

    @property
    def is_companion(self) -> bool:
        return self.definition is not None and bool(_COMPANION.match(self.definition.signature))

    def around(self) -> Iterator[Class]:
        one: Class | None = self
        while one is not None:
            yield one
            one = one.outer


class Type(NamedTuple):
    """A type with what is known of it: its class in the project, else only its name."""

    cls: Class | None
    name: str
    args: tuple[Type, ...] = ()


UNKNOWN = Type(None, "?")


class Found(NamedTuple):
    """A class and how its name led there: import, static, same-package or reference."""

    cls: Class
    how: str


Located = TypeVar("Located", Class, Member)


class Names:
    """The index of a project. All answers are kept, for the next file asks the same."""

    languages = frozenset({"java", "kotlin"})
    class_kinds = CLASS_KINDS

    def __init__(self, project: Project) -> None:
        self._facts = project.facts
        self.packages: dict[str, dict[str, list[Class]]] = {}
        self.functions: dict[str, dict[str, list[Member]]] = {}
        self.prefixes: set[str] = set()
        self.member_names: set[str] = set()
        self._class_at: dict[Member, Class] = {}
        self._types: dict[str, dict[str, str]] = {}
        self._supers: dict[Class, tuple[Type, ...]] = {}
        self._seen_types: dict[tuple[str, str, Class | None], Found | None] = {}
        self._heads: dict[Member, tuple[int, int]] = {}
        self._parameters: dict[Class, dict[str, str]] = {}
        self._self_types: dict[Class, Type] = {}
        self._languages = {one.language for one in project.facts.values()} & self.languages
        for path in sorted(project.facts):
            if project.facts[path].language in self.languages:
                self._add_file(path, project.facts[path])

    # --- index ------------------------------------------------------------------------------------

    def _add_file(self, path: str, facts: Facts) -> None:
        package = facts.namespace
        parts = package.split(".")
        self.prefixes.update(".".join(parts[: count + 1]) for count in range(len(parts)))
        by_name = self.packages.setdefault(package, {})
        extra = self._types[path] = dict(facts.extra)
        classes: dict[int, Class] = {}
        facade = Class(path, package, facade_name(path, extra), -1, None, None)
        for index, one in enumerate(facts.definitions):
            outer = classes.get(one.parent)
            if one.kind in self.class_kinds:
                made = classes[index] = Class(path, package, one.name, index, outer, one)
                self._class_at[Member(path, index)] = made
                (outer.nested if outer else by_name).setdefault(one.name, []).append(made)
            elif outer is not None:
                outer.members.setdefault(one.name, []).append(index)
                self.member_names.add(one.name)
                if outer.is_companion and outer.outer is not None:
                    outer.outer.members.setdefault(one.name, []).append(index)
            elif one.parent < 0:
                member = Member(path, index)
                self.functions.setdefault(package, {}).setdefault(one.name, []).append(member)
                facade.members.setdefault(one.name, []).append(index)
        if facade.members and "facade" in extra:
            by_name.setdefault(facade.name, []).append(facade)

    def facts(self, path: str) -> Facts:
        return self._facts.get(path, _NO_FACTS)

    def extra(self, path: str, key: str) -> str:
        return self._types[path].get(key, "")

    def definition(self, member: Member) -> Definition:
        return self._facts[member.path].definitions[member.index]

    def class_around(self, path: str, index: int) -> Class | None:
        """The class in which a definition of a file stands, or that it is."""
        definitions = self._facts[path].definitions
        while index >= 0:
            found = self._class_at.get(Member(path, index))
            if found is not None:
                return found
            index = definitions[index].parent
        return None

    def parts(self, cls: Class) -> list[Class]:
        """The class itself; for a facade all files that are in it."""
        if cls.definition is not None:
            return [cls]
        return [one for one in self.packages[cls.package][cls.name] if one.definition is None]

    @property
    def is_mixed(self) -> bool:
        """Whether the project has both languages, so that one calls the other's accessors."""
        return len(self._languages) > 1

    def fits(self, member: Member, arguments: int | None) -> bool:
        """Whether the definition can be called with so many arguments (None: not called)."""
        kind = self.definition(member).kind
        is_called = kind in ("method", "function", "constructor")
        if arguments is None or not is_called:
            return is_called == (arguments is not None)
        if member not in self._heads:
            self._heads[member] = accepts(self.definition(member))
        fewest, most = self._heads[member]
        return fewest <= arguments <= most

    def without_twins(self, path: str, found: list[Member]) -> list[Member]:
        """Of an ``expect`` and its ``actual`` functions only the one that is nearest."""
        by_head: dict[str, list[Member]] = {}
        for one in found:
            by_head.setdefault(self.extra(one.path, f"receiver {one.index}"), []).append(one)
        nearest = (self.nearest(path, twins) for _, twins in sorted(by_head.items()))
        return [one for one in nearest if one is not None]

    def twins(self, member: Member) -> list[Member]:
        """What an ``expect`` definition is on the JVM: its ``actual`` ones there."""
        definition = self.definition(member)
        if "expect " not in definition.signature:
            return []
        found = self.functions.get(self.facts(member.path).namespace, {}).get(definition.name, ())
        receiver = self.extra(member.path, f"receiver {member.index}")
        return [
            one
            for one in found
            if "actual " in self.definition(one).signature
            and self.extra(one.path, f"receiver {one.index}") == receiver
            and _source_set(one.path).startswith("jvm")
        ]

    # --- classes by name --------------------------------------------------------------------------

    def nearest(self, path: str, found: Iterable[Located]) -> Located | None:
        """Of several of one name the one that the file at ``path`` can see and that is nearest."""
        candidates = list(found)
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        return min(
            candidates,
            key=lambda one: (
                _is_hidden(path, one.path),
                -shared_folders(_module(path), _module(one.path)),
                _set_distance(_source_set(path), _source_set(one.path)),
                -shared_folders(path, one.path),
                one.path,
            ),
        )

    def absolute(self, path: str, dotted: str) -> Class | None:
        """The class with that full name."""
        parts = dotted.split(".")
        for count in range(len(parts) - 1, -1, -1):
            by_name = self.packages.get(".".join(parts[:count]))
            if by_name is None or parts[count] not in by_name:
                continue
            found = self.nearest(path, by_name[parts[count]])
            for name in parts[count + 1 :]:
                found = self.nested(path, found, name) if found is not None else None
            if found is not None:
                return found
        return None

    def nested(self, path: str, cls: Class, name: str) -> Class | None:
        """A class inside of a class, its own or inherited."""
        waiting, seen = [cls], {cls}
        while waiting:
            one = waiting.pop(0)
            if name in one.nested:
                return self.nearest(path, one.nested[name])
            for base in self.supers(one):
                if base.cls is not None and base.cls not in seen:
                    seen.add(base.cls)
                    waiting.append(base.cls)
        return None

    def type_named(self, name: str, path: str, cls: Class | None) -> Found | None:
        """What a simple name is as a type, seen from inside ``cls`` in the file at ``path``."""
        key = (name, path, cls)
        if key not in self._seen_types:
            self._seen_types[key] = None
            self._seen_types[key] = self._find_type(name, path, cls)
        return self._seen_types[key]

    def _find_type(self, name: str, path: str, cls: Class | None) -> Found | None:
        for around in cls.around() if cls is not None else ():
            if around.name == name:
                return Found(around, "reference")
            inner = self.nested(path, around, name)
            if inner is not None:
                return Found(inner, "reference")
        facts = self.facts(path)
        for one in facts.imports:
            if one.alias == name and one.name:
                found = self.absolute(path, f"{one.module}.{one.name}" if one.module else one.name)
                if found is not None:
                    return Found(found, one.kind)
        if any(one.alias == name and one.kind == "import" and one.name for one in facts.imports):
            return None
        same = self.packages.get(facts.namespace, {}).get(name)
        if same:
            own = [one for one in same if one.path == path]
            nearest = self.nearest(path, own or [one for one in same if _is_open(one)])
            if nearest is not None:
                return Found(nearest, "same-package")
        return self._on_demand(name, path, facts)

    def _on_demand(self, name: str, path: str, facts: Facts) -> Found | None:
        for one in facts.imports:
            if one.name == EVERYTHING:
                by_name = self.packages.get(one.module, {})
                found = self.nearest(path, by_name[name]) if name in by_name else None
                if found is None and one.module not in self.packages:
                    outer = self.absolute(path, one.module)
                    found = self.nested(path, outer, name) if outer is not None else None
                if found is not None:
                    return Found(found, one.kind)
        return None

    # --- types ------------------------------------------------------------------------------------

    def parse(self, written: str) -> Written:
        """A type as a file writes it, taken apart."""
        return parse_type(written)

    def type_parameters(self, definition: Definition) -> dict[str, str]:
        """Type parameter -> its bound ("" without one) of a definition."""
        return type_parameters(definition)

    def supers(self, cls: Class) -> tuple[Type, ...]:
        """The types that a class extends and implements, in its own type parameters."""
        if cls not in self._supers:
            self._supers[cls] = ()
            bases = cls.definition.bases if cls.definition else ()
            found = [self.resolve(self.parse(base), cls.path, cls.outer) for base in bases]
            if cls.definition is not None and cls.definition.kind == "type":
                target = self.parse(self.extra(cls.path, f"type {cls.index}"))
                found = [self.resolve(target, cls.path, cls.outer)]
            self._supers[cls] = tuple(found)
        return self._supers[cls]

    def resolve(
        self, written: Written, path: str, cls: Class | None, free: Iterable[str] = ()
    ) -> Type:
        """A written type seen from inside a class; ``free`` are type parameters of a method."""
        name, args = written
        resolved = tuple(self.resolve(one, path, cls, free) for one in args)
        if name in free or self.is_parameter(name, cls):
            return Type(None, name, resolved)
        root, _, rest = name.partition(".")
        found = self.type_named(root, path, cls)
        inner = found.cls if found else None
        for part in rest.split(".") if rest else ():
            inner = self.nested(path, inner, part) if inner is not None else None
        if inner is None and rest:
            inner = self.absolute(path, name)
        return Type(inner, name, resolved)

    def is_parameter(self, name: str, cls: Class | None) -> bool:
        return cls is not None and any(
            name in self.parameters_of(around) for around in cls.around()
        )

    def parameters_of(self, cls: Class) -> dict[str, str]:
        """Type parameter -> bound as written."""
        if cls not in self._parameters:
            self._parameters[cls] = self.type_parameters(cls.definition) if cls.definition else {}
        return self._parameters[cls]

    def self_type(self, cls: Class) -> Type:
        if cls not in self._self_types:
            args = tuple(Type(None, name) for name in self.parameters_of(cls))
            self._self_types[cls] = Type(cls, cls.name, args)
        return self._self_types[cls]


_ROOM = 6  #: levels of type arguments inside one another that are kept


def substitute(one: Type, given: Mapping[str, Type], room: int = _ROOM) -> Type:
    """The type with the type parameters that are given."""
    if not room:
        return one._replace(args=())
    if one.cls is None and one.name in given:
        return _pruned(given[one.name], room)
    if not one.args:
        return one
    return one._replace(args=tuple(substitute(arg, given, room - 1) for arg in one.args))


def _pruned(one: Type, room: int) -> Type:
    if not one.args:
        return one
    return one._replace(args=tuple(_pruned(arg, room - 1) for arg in one.args) if room else ())


def _is_open(cls: Class) -> bool:
    return cls.definition is None or cls.definition.public


def facade_name(path: str, extra: Mapping[str, str]) -> str:
    """The class in which Java finds the functions of a Kotlin file."""
    if extra.get("facade", "?") != "?":
        return extra["facade"]
    stem = path.rpartition("/")[2].partition(".")[0]
    return f"{stem[:1].upper()}{stem[1:]}Kt"


def _is_hidden(path: str, target: str) -> bool:
    """Whether the target belongs to the tests and the file does not (Maven, Gradle)."""
    return _is_test(target) and not _is_test(path)


def _is_test(path: str) -> bool:
    return "test" in _source_set(path).lower()


def _source_set(path: str) -> str:
    """ "main", "test", "jvmMain"… in the layout of Maven and Gradle, "" elsewhere."""
    found = _SOURCE_SET.search(path)
    return found[1] if found else ""


def _module(path: str) -> str:
    """The folder of the module in which a file stands, with a "/" behind it."""
    found = _SOURCE_SET.search(path)
    return f"{path[: found.start()]}/" if found else path


def _set_distance(one: str, other: str) -> int:
    """How far the other source set is: its own, its tests' main, what is common, the JVM's."""
    if one == other or not one or not other:
        return 0
    stems = [re.sub(r"(?:Main|Test|main|test)\Z", "", name) for name in (one, other)]
    if stems[0] == stems[1]:
        return 1
    return {"common": 2, "": 2, "jvm": 3}.get(stems[1], 4)


def shared_folders(path: str, target: str) -> int:
    """How many folders two paths share from the root."""
    count = 0
    for one, other in zip(path.split("/")[:-1], target.split("/")[:-1], strict=False):
        if one != other:
            break
        count += 1
    return count
