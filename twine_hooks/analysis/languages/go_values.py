"""Values of Go expressions: which definitions a chain mentions, and the type that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.expressions import is_too_large
from twine_hooks.analysis.languages.go_packages import Packages, View
from twine_hooks.analysis.languages.go_types import OTHER, Written, parameter_names, parse

MEMBER = "member"  #: reached through the type of a value
_SAME, _IMPORT = "same-package", "import"

_ROOT = re.compile(r"«([^»]*)»|(\w+)")
_STEP = re.compile(r"\.(\w+)|(\(\))|(\[#?\])|#(\d+)|⟦([^⟧]*)⟧|\{(=?)(\w+)|(~)")
_DEEPEST = 24  #: types and chains gone through from one name
_UNIVERSE = frozenset(
    re.findall(
        r"\w+",
        "any append bool byte cap clear close comparable complex complex128 complex64 copy delete"
        " error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil"
        " panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr"
        " C _",
    )
)


class Member(NamedTuple):
    """A definition of a file."""

    path: str
    number: int  #: of the definition in the file's facts


class Type(NamedTuple):
    """``named``, ``list``, ``chan``, ``map``, ``func``, ``tuple``, ``struct`` as in go_types.py."""

    kind: str = ""
    name: str = ""
    view: View | None = None
    args: tuple[Type, ...] = ()
    fields: tuple[str, ...] = ()
    generic: Member | None = None  #: the function with type parameters that it still is


UNKNOWN = Type()


class Seen(NamedTuple):
    """A definition that a chain mentions."""

    member: Member
    how: str
    is_called: bool
    is_last: bool


class Found(NamedTuple):
    """All that a chain mentions, and the name in it that leads nowhere though it should."""

    seen: tuple[Seen, ...]
    missing: str
    type: Type


class _Value(NamedTuple):
    type: Type
    package: View | None = None
    is_type: bool = False


_NO_VALUE = _Value(UNKNOWN)


class Evaluator:
    """Follows chains; what it learns about types it keeps."""

    def __init__(self, project: Project, packages: Packages) -> None:
        self._project = project
        self._packages = packages
        self._depth = 0
        self.follow = lru_cache(maxsize=None)(self._follow)
        self._names = lru_cache(maxsize=None)(self._read_names)
        self._imports = lru_cache(maxsize=None)(self._read_imports)
        self._extra = lru_cache(maxsize=None)(self._read_extra)
        self._member = lru_cache(maxsize=None)(self._find_member)

    # --- what files say ---------------------------------------------------------------------------

    def _read_names(self, view: View) -> dict[str, list[Member]]:
        """Qualified names of all definitions of a package."""
        found: dict[str, list[Member]] = {}
        for path in self._packages.files(view):
            for index, one in enumerate(self._project.facts[path].definitions):
                found.setdefault(one.qualified, []).append(Member(path, index))
        return found

    def _read_imports(self, path: str) -> tuple[dict[str, View | None], list[View | None]]:
        """Packages by the names that a file gives them, and those whose names it takes over."""
        named: dict[str, View | None] = {}
        dotted: list[View | None] = []
        extra = self._extra(path)
        for one in self._project.facts[path].imports:
            if one.kind != "import":
                continue
            view = self._packages.imported(path, one.module)
            if one.name:
                dotted.append(view)
            elif view is not None and f"unnamed {one.module}" in extra:
                named[view.name] = view
            else:
                named.setdefault(one.alias, view)
        return named, dotted

    def _read_extra(self, path: str) -> dict[str, str]:
        return dict(self._project.facts[path].extra)

    def _definition(self, member: Member) -> Definition:
        return self._project.facts[member.path].definitions[member.number]

    def _about(self, member: Member, what: str) -> str:
        return self._extra(member.path).get(f"{what} {member.number}", "")

    def _in_package(self, view: View, name: str, path: str) -> list[Member]:
        """The definitions of that name which one build can hold together with a file."""
        found = self._names(view).get(name, ())
        return [one for one in found if self._packages.together(path, one.path)]

    # --- chains -----------------------------------------------------------------------------------

    def _follow(self, path: str, chain: str) -> Found:
        root = _ROOT.match(chain)
        if root is None or self._depth > _DEEPEST:
            return Found((), "", UNKNOWN)
        self._depth += 1
        try:
            return _Walk(self, path, chain).walk(root)
        finally:
            self._depth -= 1

    def root(self, path: str, name: str) -> tuple[_Value, list[Member], str]:
        """(value, definitions, how they are reached) of a name that stands alone in a file."""
        named, _ = self._imports(path)
        if name in named:
            return _Value(UNKNOWN, package=named[name]), [], ""
        found, how = self._in_scope(path, name)
        return (self.value_of(found[0]) if found else _NO_VALUE), found, how

    def _in_scope(self, path: str, name: str) -> tuple[list[Member], str]:
        """The definitions of a name in the package or in what is imported with a dot."""
        found = self._in_package(self._packages.view(path), name, path)
        if found:
            return found, _SAME
        for view in self._imports(path)[1]:
            found = self._in_package(view, name, path) if view is not None else []
            if found:
                return found, _IMPORT
        return [], ""

    def is_undefined(self, path: str, name: str) -> bool:
        """Whether a name that was not found should have been."""
        named, dotted = self._imports(path)
        return name not in named and name not in _UNIVERSE and None not in dotted

    def in_package(self, path: str, view: View, name: str) -> tuple[_Value, list[Member]]:
        found = self._in_package(view, name, path)
        return (self.value_of(found[0]) if found else _NO_VALUE), found

    def value_of(self, member: Member) -> _Value:
        """The value or the type that a definition of a package is."""
        definition = self._definition(member)
        view = self._packages.view(member.path)
        if definition.kind in ("struct", "interface", "type"):
            return _Value(self._named(member, view, ()), is_type=True)
        return _Value(self.type_of(member, {}))

    def type_of(self, member: Member, given: Mapping[str, Type]) -> Type:
        """The type of a variable, field, function… in the type arguments that are given."""
        written = self._about(member, "type")
        if written.startswith("="):
            return self.follow(member.path, written[1:]).type
        if self._definition(member).kind not in ("function", "method"):
            return self.resolve(parse(written), member.path, given)
        parameters = self._about(member, "parameters")
        bounds = self._bounds(parameters, member.path) if parameters else {}
        result = self.resolve(parse(written), member.path, {**bounds, **given})
        return Type("func", args=(result,), generic=member if parameters else None)

    def _bounds(self, parameters: str, path: str) -> dict[str, Type]:
        """Type parameters as the interfaces that bound them."""
        names = parameter_names(parameters)
        free = {name: UNKNOWN for name, _ in names}
        return {name: self.resolve(parse(bound), path, free) for name, bound in names}

    # --- types ------------------------------------------------------------------------------------

    def resolve(self, written: Written, path: str, given: Mapping[str, Type]) -> Type:
        """The type that is written in a file."""
        if written == OTHER or self._depth > _DEEPEST:
            return UNKNOWN
        args = tuple(self.resolve(one, path, given) for one in written.args)
        if any(map(is_too_large, args)):
            return UNKNOWN
        if written.kind != "named":
            return Type(written.kind, args=args, fields=written.fields)
        if not written.package and written.name in given:
            return given[written.name]
        members: list[Member] = []
        if not written.package:
            members = self._in_scope(path, written.name)[0]
        else:
            view = self._imports(path)[0].get(written.package)
            members = self._in_package(view, written.name, path) if view is not None else []
        if not members:
            return UNKNOWN
        return self._named(members[0], self._packages.view(members[0].path), args)

    def _named(self, member: Member, view: View, args: tuple[Type, ...]) -> Type:
        if f"alias {member.number}" in self._extra(member.path):
            return self._underlying(member, args)
        return Type("named", self._definition(member).name, view, args)

    def _underlying(self, member: Member, args: Sequence[Type]) -> Type:
        self._depth += 1
        try:
            written = parse(self._about(member, "type"))
            return self.resolve(written, member.path, self._given(member, args))
        finally:
            self._depth -= 1

    def _given(self, member: Member, args: Sequence[Type]) -> dict[str, Type]:
        """The type parameters of a type, by name."""
        parameters = self._about(member, "parameters")
        if not parameters:
            return {}
        bounds = self._bounds(parameters, member.path)
        return bounds | dict(zip(bounds, args, strict=False))

    def underlying(self, one: Type, path: str) -> Type:
        """The type behind a named one, for what can be done with it."""
        for _ in range(_DEEPEST):
            declared = self._declared(one, path)
            if not declared or self._definition(declared[0]).kind != "type":
                break
            one = self._underlying(declared[0], one.args)
        return one

    def _declared(self, one: Type, path: str) -> list[Member]:
        if one.kind != "named" or one.view is None:
            return []
        return self._in_package(self._seen_from(path, one.view), one.name, path)

    def _seen_from(self, path: str, view: View) -> View:
        """A package as a file sees it: its tests only from other tests beside them."""
        own = self._packages.view(path)
        sees = own.has_tests and own.folder == view.folder
        return view._replace(has_tests=sees) if sees or not view.name.endswith("_test") else view

    def called(self, value: _Value, path: str) -> Type:
        """What a call gives."""
        if value.is_type:
            return value.type
        function = self.underlying(value.type, path)
        return function.args[0] if function.kind == "func" and function.args else UNKNOWN

    def instantiated(self, value: _Value, text: str, path: str) -> _Value:
        """A generic type or function with its arguments, or an element."""
        args = [self.resolve(parse(one), path, {}) for one in text.split(",")]
        if value.is_type:
            return value._replace(type=value.type._replace(args=tuple(args)))
        member = value.type.generic
        if member is not None:
            names = [name for name, _ in parameter_names(self._about(member, "parameters"))]
            return _Value(self.type_of(member, dict(zip(names, args, strict=False))))
        return _Value(self.element(value.type, "[]", path))

    def element(self, one: Type, step: str, path: str) -> Type:
        """An element, or with "[#]" what ``range`` gives first."""
        one = self.underlying(one, path)
        if one.kind == "map" and len(one.args) == 2:
            return one.args[step == "[]"]
        if one.kind in ("list", "chan") and one.args and (step == "[]" or one.kind == "chan"):
            return one.args[0]
        return UNKNOWN

    # --- members ----------------------------------------------------------------------------------

    def member(self, owner: Type, name: str, path: str) -> tuple[Type, tuple[Member, ...], bool]:
        """(its type, its definitions, whether all that may have it is known) of a member."""
        return self._member(owner, name, path)

    def _find_member(
        self, owner: Type, name: str, path: str
    ) -> tuple[Type, tuple[Member, ...], bool]:
        level, done, is_closed = [owner], {owner}, True
        while level and len(done) < 1000:
            deeper: list[Type] = []
            for one in level:
                if one.kind == "struct":
                    if name in one.fields:
                        return one.args[one.fields.index(name)], (), True
                    continue
                declared = self._declared(one, path)
                is_closed = is_closed and bool(declared)
                found = self._own_member(one, declared, name, path)
                if found is not None:
                    return (*found, True)
                deeper += self._embedded(one, declared)
            level = [one for one in dict.fromkeys(deeper) if one not in done]
            done.update(level)
        return UNKNOWN, (), is_closed

    def _own_member(
        self, one: Type, declared: Sequence[Member], name: str, path: str
    ) -> tuple[Type, tuple[Member, ...]] | None:
        if not declared or one.view is None:
            return None
        view = self._seen_from(path, one.view)
        found = self._in_package(view, f"{one.name}.{name}", path)
        if not found:
            return None
        given = self._given(declared[0], one.args)
        given |= self._of_receiver(found[0], given)
        return self.type_of(found[0], given), tuple(found)

    def _of_receiver(self, member: Member, given: Mapping[str, Type]) -> dict[str, Type]:
        """The type parameters under the names that the receiver of a method gives them."""
        names = self._about(member, "receiver").split()
        return dict(zip(names, given.values(), strict=False))

    def _embedded(self, one: Type, declared: Sequence[Member]) -> Iterator[Type]:
        for member in declared[:1]:
            definition = self._definition(member)
            given = self._given(member, one.args)
            if definition.kind == "type":
                yield self._underlying(member, one.args)
            for base in definition.bases:
                yield self.resolve(parse(base), member.path, given)


class _Walk:
    """One chain on its way from its root."""

    def __init__(self, evaluator: Evaluator, path: str, chain: str) -> None:
        self._evaluator = evaluator
        self._path = path
        self._chain = chain
        self._seen: list[tuple[Member, str, bool, int]] = []
        self._missing = ""
        self._groups = 0

    def walk(self, root: re.Match[str]) -> Found:
        evaluator, path, chain = self._evaluator, self._path, self._chain
        position = root.end()
        if root[2] is None:
            value = _Value(evaluator.resolve(parse(root[1]), path, {}))
        else:
            value, members, how = evaluator.root(path, root[2])
            self._see(members, how, position)
            if not members and value is _NO_VALUE and evaluator.is_undefined(path, root[2]):
                self._missing = root[2]
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
        return Found(seen, self._missing, UNKNOWN if value.is_type else value.type)

    def _see(self, members: Sequence[Member], how: str, position: int) -> None:
        if members:
            self._groups += 1
            is_called = self._chain.startswith("()", position)
            self._seen += [(one, how, is_called, self._groups) for one in members]

    def _step(self, value: _Value, step: re.Match[str]) -> _Value:
        evaluator, path = self._evaluator, self._path
        if step[1] is not None:
            return self._named(value, step[1], step.end())
        if step[2]:
            return _Value(evaluator.called(value, path))
        if step[3]:
            return _Value(evaluator.element(value.type, step[3], path))
        if step[4] is not None:
            return _Value(_part(value.type, int(step[4])))
        if step[5] is not None:
            return evaluator.instantiated(value, step[5], path)
        if step[7] is not None:
            return self._key(value, step[7], bool(step[6]), step.end())
        # What came before is not written here.
        self._seen, self._missing = [], ""
        return value

    def _named(self, value: _Value, name: str, position: int) -> _Value:
        evaluator, path = self._evaluator, self._path
        if value.package is not None:
            found, members = evaluator.in_package(path, value.package, name)
            self._see(members, _IMPORT, position)
            if not members:
                self._missing = self._missing or f"{value.package.name}.{name}"
            return found
        if value.type == UNKNOWN:
            return _NO_VALUE
        kind, seen, is_closed = evaluator.member(value.type, name, path)
        self._see(seen, MEMBER, position)
        if not seen and kind == UNKNOWN and is_closed and value.type.kind == "named":
            self._missing = self._missing or f"{value.type.name}.{name}"
        return _Value(kind)

    def _key(self, value: _Value, name: str, is_local: bool, position: int) -> _Value:
        """A key of a composite literal: the field of a struct, else any other name."""
        evaluator, path = self._evaluator, self._path
        kind = evaluator.underlying(value.type, path).kind
        if kind in ("map", "list"):
            if is_local:
                return _NO_VALUE
            found, members, how = evaluator.root(path, name)
            self._see(members, how, position)
            return found
        return self._named(value, name, position) if value.type != UNKNOWN else _NO_VALUE


def _part(one: Type, index: int) -> Type:
    """One of several results; of a single value with "ok" the value itself."""
    if one.kind == "tuple":
        return one.args[index] if index < len(one.args) else UNKNOWN
    return one if index == 0 else UNKNOWN
