"""All that C and C++ files of one project define, by name, and the one external definition behind
a declaration. Knows no scopes and makes no links.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.analysis.includes import Includes
from twine_hooks.analysis.lang_base import Project, folder_of

CLASSES = frozenset({"class", "struct", "union"})
TYPES = CLASSES | {"enum", "type"}
_NO_FACTS = Facts(language="")
_WORD = re.compile(r"[A-Za-z_\x80-\U0010ffff]\w*(?:::[A-Za-z_]\w*)*")
_QUALIFIERS = frozenset(
    """using const static inline extern volatile struct union enum class typedef virtual explicit
    constexpr friend mutable register typename template""".split()  # noqa: SIM905
)
_PLAIN_WORDS = _QUALIFIERS.union(
    "unsigned signed int char long short void float double bool auto std size_t".split()  # noqa: SIM905
)


class Symbol(NamedTuple):
    """A definition: the file and its index in the facts of that file."""

    path: str
    number: int


class Symbols:
    """All definitions of C and C++ files of one project by name."""

    def __init__(self, project: Project, includes: Includes) -> None:
        self._project = project
        self.includes = includes
        self.free: dict[str, list[Symbol]] = {}  # at file or namespace scope
        self.members: dict[str, list[Symbol]] = {}
        self._outside: dict[str, list[Symbol]] = {}  # "Class::f" -> members out of line
        self._declared: dict[str, frozenset[int]] = {}
        self.namespaces: set[str] = set()
        for path in sorted(project.facts):
            self._add(path, project.facts[path])
        self.children = lru_cache(maxsize=None)(self._read_children)
        self.type_words = lru_cache(maxsize=None)(self._read_type_words)
        self._bodies = lru_cache(maxsize=None)(self._read_bodies)
        self.defined = lru_cache(maxsize=None)(self._read_defined)

    def _add(self, path: str, facts: Facts) -> None:
        declared = dict(facts.extra).get("declarations", "")
        self._declared[path] = frozenset(map(int, declared.split()))
        for index, one in enumerate(facts.definitions):
            outer = facts.definitions[one.parent] if one.parent >= 0 else None
            if outer is not None and outer.kind == "enum":
                outer = facts.definitions[outer.parent] if outer.parent >= 0 else None
            symbol = Symbol(path, index)
            if one.kind == "namespace":
                self.namespaces.add(one.name)
            elif outer is not None and outer.kind != "namespace":
                self.members.setdefault(one.name, []).append(symbol)
            elif one.kind in ("method", "constructor"):
                self._outside.setdefault(_last_two(one.qualified), []).append(symbol)
            else:
                self.free.setdefault(one.name, []).append(symbol)
                if one.kind in ("variable", "constant") and "::" in one.qualified:
                    self._outside.setdefault(_last_two(one.qualified), []).append(symbol)

    def definition(self, symbol: Symbol) -> Definition:
        return self._project.facts[symbol.path].definitions[symbol.number]

    def facts(self, path: str) -> Facts:
        return self._project.facts.get(path, _NO_FACTS)

    def declares(self, symbol: Symbol) -> bool:
        """Whether it is only a declaration."""
        return symbol.number in self._declared[symbol.path]

    def _read_children(self, path: str) -> Mapping[int, Mapping[str, Sequence[Symbol]]]:
        found: dict[int, dict[str, list[Symbol]]] = {}
        definitions = self.facts(path).definitions
        for index, one in enumerate(definitions):
            parent = one.parent
            if parent >= 0:
                found.setdefault(parent, {}).setdefault(one.name, []).append(Symbol(path, index))
                outer = definitions[parent]
                if outer.kind == "enum" and outer.parent >= 0:
                    inner = found.setdefault(outer.parent, {})
                    inner.setdefault(one.name, []).append(Symbol(path, index))
        return found

    def _read_type_words(self, symbol: Symbol) -> tuple[str, ...]:
        """The names in what stands before the name of a definition, or that a typedef explains."""
        one = self.definition(symbol)
        words = _WORD.findall(one.signature)
        if one.kind != "type":
            for index, word in enumerate(words):
                is_named = word.rpartition("::")[2] == one.name
                if is_named and not _QUALIFIERS.issuperset(words[:index]):
                    words = words[:index]
                    break
        return tuple(word for word in words if word not in _PLAIN_WORDS)

    def constructors(self, symbol: Symbol) -> Sequence[Symbol]:
        """The declared constructors of a class."""
        one = self.definition(symbol)
        members = self.children(symbol.path).get(symbol.number, {})
        return members.get(one.name, ()) if one.kind in CLASSES else ()

    def macro_body(self, symbol: Symbol) -> Sequence[str]:
        """The chains in the body of a macro."""
        return self._bodies(symbol.path).get(symbol.number, ())

    def _read_bodies(self, path: str) -> dict[int, list[str]]:
        """The chains in the definitions of a file."""
        found: dict[int, list[str]] = {}
        for one in self.facts(path).references:
            found.setdefault(one.scope, []).append(one.chain)
        return found

    def _read_defined(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """Where that which is declared is defined: one file, or several when nobody can say."""
        one = self.definition(symbol)
        if one.kind in ("method", "constructor"):
            found = [other for other in self._out_of_line(one) if not self.declares(other)]
        elif one.kind == "field" and re.match(r"(?:inline\s+)?static\b", one.signature):
            found = self._out_of_line(one)
        elif self.declares(symbol) and one.public:
            found = [other for other in self.free.get(one.name, ()) if self._is_external(other)]
        else:
            return ()
        found = [other for other in found if other.path != symbol.path]
        return tuple(self._most_likely(symbol, found))

    def _out_of_line(self, one: Definition) -> list[Symbol]:
        """Members defined outside of their class; a namespace may be left unsaid."""
        name = "::" + one.qualified
        found = []
        for other in self._outside.get(_last_two(one.qualified), ()):
            its_name = "::" + self.definition(other).qualified
            if name.endswith(its_name) or its_name.endswith(name):
                found.append(other)
        return found

    def _is_external(self, symbol: Symbol) -> bool:
        one = self.definition(symbol)
        return (
            one.kind in ("function", "variable", "constant")
            and not self.declares(symbol)
            and one.public
            and not re.match(r"(?:inline\s+)?static\b", one.signature)
        )

    def _most_likely(self, declared: Symbol, found: list[Symbol]) -> list[Symbol]:
        """Of several definitions those that see the declaration, are compiled, are beside it."""
        path = declared.path
        stem = posixpath.splitext(posixpath.basename(path))[0]
        tests = (
            lambda one: path in self.includes.visible(one.path),
            lambda one: self.includes.is_compiled(one.path),
            lambda one: posixpath.splitext(posixpath.basename(one.path))[0] == stem,
            lambda one: folder_of(one.path) == folder_of(path),
        )
        for test in tests:
            if len({one.path for one in found}) > 1:
                found = [one for one in found if test(one)] or found
        return found


def _last_two(qualified: str) -> str:
    return "::".join(qualified.split("::")[-2:])
