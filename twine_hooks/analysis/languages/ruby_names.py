"""The constants and methods of a project in Ruby, and what a name leads to from where it stands.

A constant is looked up as Ruby does: in the modules around (Module.nesting), in the ancestors of
the innermost, then at the top. A method is looked up in the ancestors of a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.ruby_paths import (
    Paths,
    is_apart,
    is_path_of,
    is_test,
    is_test_case,
)

_OPENED = frozenset({"class", "module"})
_METHODS = frozenset({"method", "function", "property"})
#: Classes of Ruby itself, of which a project opens more than it defines.
CORE = frozenset(
    {
        "ARGF", "ARGV", "Array", "BasicObject", "Binding", "Class", "Comparable", "Complex",
        "Data", "Date", "DateTime", "Dir", "ENV", "Encoding", "Enumerable", "Enumerator",
        "Exception", "FalseClass", "Fiber", "File", "FileUtils", "Float", "GC", "Hash", "IO",
        "Integer", "JSON", "Kernel", "Logger", "Marshal", "MatchData", "Math", "Method", "Module",
        "Mutex", "NilClass", "Numeric", "Object", "ObjectSpace", "OpenStruct", "Pathname", "Proc",
        "Process", "Queue", "Random", "Range", "Rational", "Regexp", "Set", "Signal",
        "StandardError", "String", "StringIO", "Struct", "Symbol", "Tempfile", "Thread", "Time",
        "TrueClass", "URI", "UnboundMethod", "YAML",
    }
)  # fmt: skip
_DEEPEST = 40  #: classes that extend one another
_TOP = ""  #: stands for Object, of which all that stands at the top is
_NO_FACTS = Facts(language="")


class Place(NamedTuple):
    """A definition: the ``number``-th of the file at ``path``."""

    path: str
    number: int


class Method(NamedTuple):
    """A method as a class has it."""

    place: Place
    is_single: bool  #: called on the class itself
    is_both: bool


class Mixin(NamedTuple):
    """A module that a class includes, extends or prepends, or its superclass; as written."""

    how: str
    name: str
    path: str
    nesting: tuple[str, ...]


class Names:
    """The index of a project; ``closure`` gives the files that one requires, directly or not."""

    def __init__(self, project: Project, closure: Callable[[str], frozenset[str]]) -> None:
        self._facts = {
            path: facts for path, facts in project.facts.items() if facts.language == "ruby"
        }
        self.paths = Paths(project)
        self._closure = closure
        self._openings: dict[str, list[Place]] = {}
        self._methods: dict[str, dict[str, list[Method]]] = {}
        self._mixins: dict[str, list[Mixin]] = {}
        self._aliases: dict[str, Mixin] = {}
        self._full: dict[Place, str] = {}
        self._extra: dict[str, dict[str, str]] = {}
        self._functions: dict[str, list[Place]] = {}
        self._seen: dict[tuple[str, str], list[Place]] = {}
        self._ancestors: dict[tuple[str, str], list[str]] = {}
        self._following: set[str] = set()
        self._depth = 0
        for path in sorted(self._facts):
            self._add_constants(path)
        self._settle()
        for path in sorted(self._facts):
            self._add_members(path)

    # --- index ------------------------------------------------------------------------------------

    def facts(self, path: str) -> Facts:
        return self._facts.get(path, _NO_FACTS)

    def definition(self, place: Place) -> Definition:
        return self._facts[place.path].definitions[place.number]

    def _add_constants(self, path: str) -> None:
        facts = self._facts[path]
        self._extra[path] = dict(facts.extra)
        for number, one in enumerate(facts.definitions):
            if one.kind in _OPENED or one.kind == "constant":
                outer = self._full.get(Place(path, one.parent), "") if one.parent >= 0 else ""
                full = one.name.removeprefix("::")
                if outer and not one.name.startswith("::"):
                    full = f"{outer}::{full}"
                self._full[Place(path, number)] = full
                self._openings.setdefault(full, []).append(Place(path, number))

    def _settle(self) -> None:
        """``class A::B`` inside of M: M::A where that is, else the A at the top."""
        changed: dict[str, str] = {}
        for place, full in self._full.items():
            definition = self.definition(place)
            if "::" not in definition.name.removeprefix("::") or definition.parent < 0:
                continue
            head, _, last = definition.name.rpartition("::")
            for outer in (*self.nesting(place.path, definition.parent), ""):
                candidate = f"{outer}::{head}" if outer else head
                if candidate in self._openings:
                    changed[full] = f"{candidate}::{last}"
                    break
        for old, new in changed.items():
            if old != new:
                self._openings.setdefault(new, []).extend(self._openings.pop(old, ()))
        if changed:
            self._full = {place: changed.get(full, full) for place, full in self._full.items()}

    def _add_members(self, path: str) -> None:
        facts, extra = self._facts[path], self._extra[path]
        for number, one in enumerate(facts.definitions):
            place = Place(path, number)
            owner = self.owner(path, number)
            if one.kind in _METHODS and owner:
                single, both = f"singleton {number}" in extra, f"both {number}" in extra
                by_name = self._methods.setdefault(owner, {})
                by_name.setdefault(one.name, []).append(Method(place, single, both))
            elif one.kind in _METHODS and one.parent < 0:
                self._functions.setdefault(one.name, []).append(place)
            full = self._full.get(place)
            if full is None:
                continue
            around = self.nesting(path, one.parent)
            for base in one.bases:
                self._mixins.setdefault(full, []).append(Mixin("base", base, path, around))
            if f"alias {number}" in extra:
                self._aliases[full] = Mixin("alias", extra[f"alias {number}"], path, around)
        for key, names in facts.extra:
            how, _, rest = key.partition(" ")
            if how in ("include", "extend", "prepend"):
                nesting = self.nesting(path, int(rest.partition(" ")[0]))
                # At the top, what is included is included in every object.
                self._mixins.setdefault(nesting[0] if nesting else _TOP, []).extend(
                    Mixin(how, name, path, nesting) for name in names.split()
                )

    def owner(self, path: str, number: int) -> str:
        """The full name of the class in which a definition stands, "" at the top."""
        nesting = self.nesting(path, self._facts[path].definitions[number].parent)
        return nesting[0] if nesting else ""

    def nesting(self, path: str, number: int) -> tuple[str, ...]:
        """Module.nesting inside of a definition: full names, the innermost first."""
        definitions = self._facts[path].definitions
        found = []
        while number >= 0:
            full = self._full.get(Place(path, number))
            if full is not None and definitions[number].kind in _OPENED:
                found.append(full)
            number = definitions[number].parent
        return tuple(found)

    def is_single(self, path: str, number: int) -> bool:
        """Whether ``self`` in a definition is the class: in its body and in its own methods."""
        if number < 0:
            return False
        kind = self._facts[path].definitions[number].kind
        return kind not in _METHODS or f"singleton {number}" in self._extra[path]

    # --- constants --------------------------------------------------------------------------------

    def openings(self, full: str, path: str) -> list[Place]:
        """Where a constant is opened or set, as far as a file can know of it."""
        key = full, path
        if key not in self._seen:
            found = self._openings.get(full, [])
            self._seen[key] = [one for one in found if self._is_seen(path, one.path)]
        return self._seen[key]

    def _is_seen(self, path: str, target: str) -> bool:
        if path == target:
            return True
        if not is_test(target):
            return not is_apart(target) or target in self._closure(path)
        if is_test(path) and not is_test_case(target):
            return self.paths.gem(path) == self.paths.gem(target)
        return target in self._closure(path)

    def constant(self, name: str, path: str, nesting: Sequence[str]) -> tuple[str, bool]:
        """(full name, whether all of it is known) of a constant as written; "" for an unknown."""
        root, _, rest = name.removeprefix("::").partition("::")
        full = root if name.startswith("::") else self._root(root, path, nesting)
        if not full or not self.openings(full, path):
            return "", False
        for part in rest.split("::") if rest else ():
            inner = self._inside(full, part, path)
            if not inner:
                return full, False
            full = inner
        return full, True

    def _root(self, root: str, path: str, nesting: Sequence[str]) -> str:
        for outer in nesting:
            if self.openings(f"{outer}::{root}", path):
                return f"{outer}::{root}"
        if nesting:
            inherited = self._inside(nesting[0], root, path)
            if inherited:
                return inherited
        return root if self.openings(root, path) else self._included(root, path)

    def _included(self, root: str, path: str) -> str:
        """The constant of a module that is included at the top of a file or of one it requires."""
        for mixin in self._mixins.get(_TOP, ()):
            if mixin.how == "include" and mixin.path in self._closure(path):
                name = mixin.name.removeprefix("::")
                target, is_known = self.constant(f"::{name}", mixin.path, ())
                if is_known and self.openings(f"{target}::{root}", path):
                    return f"{target}::{root}"
        return ""

    def _inside(self, full: str, name: str, path: str) -> str:
        """The constant of a module or of its ancestors."""
        for outer in self.ancestors(self.followed(full), path):
            if self.openings(f"{outer}::{name}", path):
                return f"{outer}::{name}"
        return ""

    def followed(self, full: str) -> str:
        """What a constant stands for that is set to another one."""
        alias = self._aliases.get(full)
        if alias is None or full in self._following or len(self._following) > _DEEPEST:
            return full
        self._following.add(full)
        target, is_known = self.constant(alias.name, alias.path, alias.nesting)
        found = self.followed(target) if is_known else full
        self._following.discard(full)
        return found

    def ancestors(self, full: str, path: str) -> list[str]:
        """The class, what it prepends and includes, its superclass and theirs; without extend."""
        key = full, path
        if key not in self._ancestors and self._depth < _DEEPEST:
            self._ancestors[key] = [full]
            self._depth += 1
            self._ancestors[key] = self._find_ancestors(full, path)
            self._depth -= 1
        return self._ancestors.get(key, [full])

    def _find_ancestors(self, full: str, path: str) -> list[str]:
        before, own, after = [], [full], []
        for mixin in self._mixins.get(full, ()):
            if mixin.how == "extend" or not self._is_seen(path, mixin.path):
                continue
            target, is_known = self.constant(mixin.name, mixin.path, mixin.nesting)
            target = self.followed(target) if is_known else ""
            if not target or target == full:
                continue
            part = self.ancestors(target, path)
            if mixin.how == "prepend":
                before += part
            elif mixin.how == "include":
                own[1:1] = part
            else:
                after += part
        return list(dict.fromkeys([*before, *own, *after]))

    def is_closed(self, full: str, path: str) -> bool:
        """Whether all ancestors of a class are of the project."""
        for one in self.ancestors(full, path):
            for mixin in self._mixins.get(one, ()):
                if (
                    mixin.name != "self"
                    and not self.constant(mixin.name, mixin.path, mixin.nesting)[1]
                ):
                    return False
        return True

    # --- methods ----------------------------------------------------------------------------------

    def method(self, full: str, name: str, path: str, *, is_single: bool) -> list[Place]:
        """Where the method that a class or its object has is defined; several when unclear."""
        for one in self.ancestors(full, path):
            found = self._own_method(one, name, path, is_single=is_single)
            if is_single and not found:
                found = self._extended(one, name, path)
            if found:
                return self.nearest(found, one, path)
        return []

    def _own_method(self, full: str, name: str, path: str, *, is_single: bool) -> list[Place]:
        by_name = self._methods.get(full, {})
        found = by_name.get(name, ())
        if not found and name.endswith("="):
            found = [
                one
                for one in by_name.get(name[:-1], ())
                if self.definition(one.place).kind == "property"
            ]
        on_itself = is_single and any(
            one.how == "extend" and one.name == "self" for one in self._mixins.get(full, ())
        )
        return [
            one.place
            for one in found
            if (one.is_both or one.is_single == is_single or on_itself)
            and self._is_seen(path, one.place.path)
        ]

    def _extended(self, full: str, name: str, path: str) -> list[Place]:
        for mixin in self._mixins.get(full, ()):
            if mixin.how != "extend" or mixin.name == "self":
                continue
            target, is_known = self.constant(mixin.name, mixin.path, mixin.nesting)
            for one in self.ancestors(self.followed(target), path) if is_known else ():
                found = self._own_method(one, name, path, is_single=False)
                if found:
                    return found
        return []

    def above(self, full: str, name: str, is_single: bool, path: str, place: Place) -> list[Place]:
        """The method that ``super`` calls."""
        for one in self.ancestors(full, path):
            found = self._own_method(one, name, path, is_single=is_single)
            if one != full and found and place not in found:
                return self.nearest(found, one, path)
        return []

    def function(self, name: str, path: str) -> list[Place]:
        """A method that is defined at the top of this file or of one that it requires."""
        found = self._functions.get(name, ())
        own = [one for one in found if one.path == path]
        return own[-1:] or _one_of_each_file(
            one for one in found if one.path in self._closure(path)
        )

    def mixes_in(self, full: str, name: str) -> bool:
        """Whether a class names a module, known or not, among what it includes."""
        return any(one.name == name for one in self._mixins.get(full, ()))

    # --- of several -------------------------------------------------------------------------------

    def nearest(self, found: Iterable[Place], full: str, path: str) -> list[Place]:
        """The one of several definitions that is meant; all of them where nothing tells."""
        several = _one_of_each_file(found)
        for rule in self._rules(full, path):
            if len(several) < 2:
                break
            several = [one for one in several if rule(one)] or several
        return several

    def _rules(self, full: str, path: str) -> Iterator[Callable[[Place], bool]]:
        gem = self.paths.gem(path)
        yield lambda one: one.path == path
        yield lambda one: is_path_of(one.path, full)
        yield lambda one: self.paths.gem(one.path) == gem
        yield self._has_content
        yield lambda one: one.path in self._closure(path)

    def _has_content(self, place: Place) -> bool:
        """Whether more than other modules is opened in it."""
        definition = self.definition(place)
        if definition.kind not in _OPENED or definition.bases:
            return True
        definitions = self._facts[place.path].definitions
        return any(one.parent == place.number and one.kind not in _OPENED for one in definitions)


def _one_of_each_file(found: Iterable[Place]) -> list[Place]:
    by_path: dict[str, Place] = {}
    for one in found:
        by_path.setdefault(one.path, one)
    return list(by_path.values())
