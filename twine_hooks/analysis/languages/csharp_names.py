"""The types of a project in C#, and who sees which name.

Follows the specification of C#, sections 7.7 and 7.8: members of the types around, inherited ones
too, then namespace by namespace outwards: its types, then the usings that stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts, Import
from twine_hooks.analysis.jvm_names import (
    Class,
    Found,
    Located,
    Member,
    Names,
    Type,
    shared_folders,
)
from twine_hooks.analysis.jvm_types import ANY_NUMBER, ARRAY, FUNCTION, Written, parse_type, split
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.csharp_projects import Projects

CONSTRUCTOR, INDEXER = "<init>", "this"
_NOISE = re.compile(
    r"\b(?:ref|readonly|scoped|in|out|params|this)\s+|[?*]|(?<=\[)[,\s]+(?=\])|<[^<>]*>(?=\.)"
)
_INSIDE = re.compile(r"([\w.:]+)<([^<>]*)>\.")  #: a type inside of a generic one
_WHERE = re.compile(r"\bwhere (\w+) ?: ?(?:(?:class|struct|notnull|unmanaged)\b\??,? ?)?([\w.]*)")
_DEEP = 50  #: namespaces inside one another, bases that are found through bases


@lru_cache(maxsize=20_000)
def _parse(text: str) -> Written:
    inside = _INSIDE.match(text)
    text = _NOISE.sub("", text).replace("::", ".")
    name, args = ("?", ()) if text.startswith("(") else parse_type(text)
    if inside is not None:
        outer = inside[1].replace("::", ".")
        name = name.replace(f"{outer}.", f"{outer}`{inside[2].count(',') + 1}.", 1)
    return name, args


def around(namespace: str) -> Iterator[str]:
    """The namespace and those around it, the innermost first, "" last."""
    parts = namespace.split(".")[:_DEEP] if namespace else []
    for count in range(len(parts), -1, -1):
        yield ".".join(parts[:count])


class CSharpNames(Names):
    """The index of a project in C#. Parts of a partial type are classes that extend each other."""

    languages = frozenset({"csharp"})
    class_kinds = frozenset({"class", "struct", "record", "interface", "enum", "delegate"})

    def __init__(self, project: Project) -> None:
        self.projects = Projects(project)
        self._parts: dict[tuple[str | None, str, str], list[Class]] = {}
        self._globals: dict[str | None, list[Import]] = {}
        #: (path, name) of types that several usings or projects give
        self.ambiguous: set[tuple[str, str]] = set()
        self._bases: dict[Class, tuple[Type, ...]] = {}
        self._depth = 0
        self._outside: dict[tuple[str, str], Class] = {}
        self._usings: dict[str, tuple[tuple[Import, bool], ...]] = {}
        super().__init__(project)

    def _add_file(self, path: str, facts: Facts) -> None:
        extra = self._types[path] = dict(facts.extra)
        classes: dict[int, Class] = {}
        for index, one in enumerate(facts.definitions):
            outer = classes.get(one.parent)
            if one.kind in self.class_kinds:
                package = outer.package if outer else self.namespace(path, index)
                name = _with_arity(one)
                made = classes[index] = Class(path, package, name, index, outer, one)
                self._class_at[Member(path, index)] = made
                by_name = outer.nested if outer else self.packages.setdefault(package, {})
                by_name.setdefault(name, []).append(made)
                self._parts.setdefault(self._key(made), []).append(made)
                self.prefixes.update(around(package))
            elif outer is not None:
                name = CONSTRUCTOR if one.kind == "constructor" else one.name
                outer.members.setdefault(name, []).append(index)
                self.member_names.add(one.name)
                if f"receiver {index}" in extra:
                    methods = self.functions.setdefault(outer.package, {})
                    methods.setdefault(one.name, []).append(Member(path, index))
        own = self._globals.setdefault(self.projects.of(path), [])
        own += [
            one._replace(kind=one.kind.removeprefix("global "))
            for one in facts.imports
            if one.kind.startswith("global ")
        ]

    def namespace(self, path: str, index: int) -> str:
        """The namespace in which a definition of a file stands."""
        definitions = self._facts[path].definitions
        while index >= 0 and definitions[index].parent >= 0:
            index = definitions[index].parent
        return self._types[path].get(f"namespace {index}", self._facts[path].namespace)

    def _key(self, cls: Class) -> tuple[str | None, str, str]:
        name = ".".join(one.name for one in reversed(list(cls.around())))
        return self.projects.of(cls.path), cls.package, name

    def all_parts(self, cls: Class) -> list[Class]:
        """All parts of a partial type, else the type itself."""
        if cls.definition is None or "partial " not in cls.definition.signature:
            return [cls]
        parts = self._parts.get(self._key(cls), [cls])
        return [one for one in parts if one.definition and "partial " in one.definition.signature]

    def outside(self, path: str, cls: Class) -> Class:
        """From where the bases of a class are seen: what is around it."""
        if cls.outer is not None:
            return cls.outer
        key = path, cls.package
        if key not in self._outside:
            self._outside[key] = Class(path, cls.package, "", -1, None, None)
        return self._outside[key]

    def fits(self, member: Member, arguments: int | None) -> bool:
        definition = self.definition(member)
        is_called = definition.kind in ("method", "constructor")
        if arguments is None or not is_called:
            return is_called == (arguments is not None)
        if member not in self._heads:
            self._heads[member] = _accepts(definition)
        fewest, most = self._heads[member]
        return fewest <= arguments <= most

    # --- types by name ----------------------------------------------------------------------------

    def nearest(self, path: str, found: Iterable[Located]) -> Located | None:
        """The one that a file sees; None where two projects that it sees have one each."""
        seen = [
            ((distance, not self._is_open(one)), one)
            for one in found
            if (distance := self.projects.distance(path, one.path)) is not None
            and not (one.path != path and self._is_of_file(one))
        ]
        if not seen:
            return None
        rank = min(rank for rank, _ in seen)
        best = [one for other, one in seen if other == rank]
        if rank[0] == 1 and len({self.projects.of(one.path) for one in best}) > 1:
            if isinstance(best[0], Class):
                self.ambiguous.add((path, best[0].name))
            return None
        return min(best, key=lambda one: (-shared_folders(path, one.path), one.path))

    def _is_open(self, one: Class | Member) -> bool:
        """Whether other projects see it without being named as friends."""
        if isinstance(one, Member):
            return True
        return one.definition is not None and "public " in one.definition.signature

    def _is_of_file(self, one: Class | Member) -> bool:
        return (
            isinstance(one, Class)
            and not (one.definition is None or one.definition.public)
            and (one.outer is None)
        )

    def usings(self, path: str) -> tuple[tuple[Import, bool], ...]:
        """(using, whether it stands in a namespace): the file's own, then those of its project."""
        if path not in self._usings:
            inside = set(self.extra(path, "inside").split(","))
            own = [
                (one._replace(kind=one.kind.removeprefix("global ")), str(number) in inside)
                for number, one in enumerate(self.facts(path).imports)
            ]
            shared = [*self._globals.get(self.projects.of(path), ()), *self.projects.usings(path)]
            self._usings[path] = (*own, *((one, False) for one in shared))
        return self._usings[path]

    def _find_type(self, name: str, path: str, cls: Class | None) -> Found | None:
        for outer in cls.around() if cls is not None else ():
            if outer.name == name:
                return Found(outer, "reference")
            inner = self.nested(path, outer, name)
            if inner is not None:
                return Found(inner, "reference")
        own = cls.package if cls is not None else self.facts(path).namespace
        for namespace in around(own):
            by_name = self.packages.get(namespace, {})
            found = self.nearest(path, by_name[name]) if name in by_name else None
            if found is not None:
                return Found(found, "same-namespace" if namespace == own else "reference")
            if namespace == own or not namespace:
                is_inside = bool(namespace) and namespace == own
                brought = self._by_usings(name, path, own, is_inside)
                if brought is not None:
                    return brought
        return None

    def _by_usings(self, name: str, path: str, own: str, is_inside: bool) -> Found | None:
        usings = [one for one, inside in self.usings(path) if inside == is_inside]
        for one in usings:
            if one.alias == name:
                target = self.alias(path, one)
                return Found(target, "import") if target is not None else None
        found = list(self._brought(name, path, own, usings))
        if len({self._key(one) for one in found}) > 1:
            self.ambiguous.add((path, name))
            return None
        return Found(found[0], "import") if found else None

    def _brought(self, name: str, path: str, own: str, usings: Iterable[Import]) -> Iterator[Class]:
        """The types of that name in all namespaces and types of which the names are used."""
        for one in usings:
            if one.name != EVERYTHING:
                continue
            if one.kind == "static":
                outer = self.absolute(path, one.module, own)
                found = self.nested(path, outer, name) if outer is not None else None
            else:
                by_name = self.packages.get(self.package(path, one.module, own), {})
                found = self.nearest(path, by_name[name]) if name in by_name else None
            if found is not None:
                yield found

    def alias(self, path: str, one: Import) -> Class | None:
        """The type that an alias stands for."""
        dotted = f"{one.module}.{one.name}" if one.module else one.name
        return self.absolute(path, self.resolved_name(self.parse(dotted)))

    def resolved_name(self, written: Written) -> str:
        name, args = written
        return f"{name}`{len(args)}" if args else name

    def package(self, path: str, module: str, own: str | None = None) -> str:
        """The full name of a namespace as written in a namespace, or the name itself."""
        namespace = self.facts(path).namespace if own is None else own
        if module.startswith("global."):
            return module.removeprefix("global.")
        full = (f"{outer}.{module}" if outer else module for outer in around(namespace))
        return next((one for one in full if one in self.prefixes), module)

    def absolute(self, path: str, dotted: str, own: str | None = None) -> Class | None:
        namespace = self.facts(path).namespace if own is None else own
        if dotted.startswith("global."):
            return super().absolute(path, dotted.removeprefix("global."))
        for outer in around(namespace):
            found = super().absolute(path, f"{outer}.{dotted}" if outer else dotted)
            if found is not None:
                return found
        return None

    # --- types ------------------------------------------------------------------------------------

    def parse(self, written: str) -> Written:
        return _parse(written)

    def type_parameters(self, definition: Definition) -> dict[str, str]:
        head = definition.signature
        if "<" not in head:
            return {}
        found = re.search(rf"(?<!\w){re.escape(definition.name)} ?<([^<>()]*)>", head)
        names = [one.split()[-1] for one in found[1].split(",") if one.strip()] if found else []
        bounds = dict(_WHERE.findall(head))
        return {name: bounds.get(name, "") for name in names}

    def bases(self, cls: Class) -> tuple[Type, ...]:
        """The types that a class extends and implements, in any of its parts."""
        if cls not in self._bases and self._depth < _DEEP:
            self._bases[cls] = ()
            self._depth += 1
            self._bases[cls] = tuple(
                self.resolve(self.parse(base), part.path, self.outside(part.path, part))
                for part in self.all_parts(cls)
                for base in (part.definition.bases if part.definition else ())
            )
            self._depth -= 1
        return self._bases.get(cls, ())

    def supers(self, cls: Class) -> tuple[Type, ...]:
        if cls not in self._supers:
            self._supers[cls] = ()
            parts = [self.self_type(one) for one in self.all_parts(cls) if one is not cls]
            self._supers[cls] = (*parts, *self.bases(cls))
        return self._supers[cls]

    def resolve(
        self, written: Written, path: str, cls: Class | None, free: Iterable[str] = ()
    ) -> Type:
        name, args = written
        resolved = tuple(self.resolve(one, path, cls, free) for one in args)
        if name in free or self.is_parameter(name, cls):
            return Type(None, name, resolved)
        if name in (ARRAY, FUNCTION, "?"):
            return Type(None, name, resolved)
        return Type(self.dotted(self.resolved_name(written), path, cls), name, resolved)

    def dotted(self, name: str, path: str, cls: Class | None) -> Class | None:
        """The type with a dotted name, seen from inside a class."""
        root, _, rest = name.partition(".")
        found = self.type_named(root, path, cls) if root != "global" else None
        if found is None:
            own = cls.package if cls is not None else None
            return self.absolute(path, self.aliased(path, name), own) if rest else None
        inner: Class | None = found.cls
        for part in rest.split(".") if rest else ():
            inner = self.nested(path, inner, part) if inner is not None else None
        return inner

    def aliased(self, path: str, dotted: str) -> str:
        """A dotted name whose root may be an alias of a namespace, without the alias."""
        root, _, rest = dotted.partition(".")
        for one, _ in self.usings(path):
            if one.alias == root:
                return ".".join(part for part in ("global", one.module, one.name, rest) if part)
        return dotted


def _with_arity(one: Definition) -> str:
    found = re.search(rf"(?<!\w){re.escape(one.name)} ?<([^<>()]*)>", one.signature)
    return f"{one.name}`{found[1].count(',') + 1}" if found else one.name


def _accepts(definition: Definition) -> tuple[int, int]:
    """The fewest and the most arguments that can be given."""
    head = definition.signature
    at = re.search(rf"(?<!\w){re.escape(definition.name)}\s*(?:<[^()]*>)?\s*\(", head)
    written = split(head[at.end() :].partition(" where ")[0].rpartition(")")[0]) if at else []
    is_open = any(one.startswith("params ") for one in written)
    fewest = sum("=" not in one and not one.startswith("params ") for one in written)
    return fewest, ANY_NUMBER if is_open else len(written)
