"""Linking for Ruby: what the required files, constants and calls of a file lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from twine_hooks.analysis.facts import EVERYTHING, Import, Links, Reference, Unresolved
from twine_hooks.analysis.gathered import MEMBER, Gathered
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.ruby_names import CORE, Names, Place
from twine_hooks.analysis.languages.ruby_reader import KNOWN

_RELATIVE = "require_relative"
_GLOBS = ("glob", "glob_relative")
_SAME = frozenset({"tap", "freeze", "dup", "clone", "itself", "then", "with"})


class _Value(NamedTuple):
    """A class (``is_single``) or an object of it."""

    full: str
    is_single: bool


class RubyLinker:
    """Links one file after the other; what it learns about names it keeps for the next."""

    def __init__(self, project: Project) -> None:
        self._required: dict[str, list[tuple[Import, str | None]]] = {}
        self._closures: dict[str, frozenset[str]] = {}
        self._names = Names(project, self._closure)

    def link(self, path: str) -> Links:
        """Edges, uses, and what is unclear or leads nowhere in one file."""
        gathered = _Found(path, self._names)
        for one, target in self._requires(path):
            if target is not None:
                gathered.links.add((target, EVERYTHING), one.kind, "import", (one.line,), "")
            elif one.kind == _RELATIVE or self._names.paths.is_own(path, one.module):
                gathered.unresolved.add(Unresolved(one.module, one.line))
        for reference in self._names.facts(path).references:
            _Walk(self._names, gathered, path, reference).go()
        links = gathered.links
        return Links(links.edges(), links.uses(), tuple(sorted(gathered.unresolved)))

    def _requires(self, path: str) -> list[tuple[Import, str | None]]:
        if path not in self._required:
            self._required[path] = [
                (one, target)
                for one in self._names.facts(path).imports
                for target in self._targets(path, one)
            ]
        return self._required[path]

    def _targets(self, path: str, one: Import) -> Sequence[str | None]:
        paths = self._names.paths
        if one.kind in _GLOBS:
            found = paths.matching(path, one.module, one.kind == _GLOBS[1])
            return [target for target in found if target != path]
        return [paths.required(path, one.module, one.kind == _RELATIVE)]

    def _closure(self, path: str) -> frozenset[str]:
        """The files that a file requires, directly or not."""
        if path not in self._closures:
            seen, waiting = {path}, [path]
            while waiting:
                for _, target in self._requires(waiting.pop()):
                    if target is not None and target not in seen:
                        seen.add(target)
                        waiting.append(target)
            self._closures[path] = frozenset(seen)
        return self._closures[path]


class _Found:
    """What one file leads to, while it is gathered."""

    def __init__(self, path: str, names: Names) -> None:
        self.path = path
        self.links = Gathered(path)
        self.unresolved: set[Unresolved] = set()
        self._names = names

    def add(self, place: Place, how: str, reference: Reference, kind: str) -> None:
        definitions = self._names.facts(self.path).definitions
        scope = definitions[reference.scope].qualified if reference.scope >= 0 else ""
        symbol = place.path, self._names.definition(place).qualified
        self.links.add(symbol, how, kind, reference.lines, scope)


class _Walk:
    """One chain, step by step."""

    def __init__(self, names: Names, found: _Found, path: str, reference: Reference) -> None:
        self._names, self._found, self._path, self._reference = names, found, path, reference
        scope = reference.scope
        if reference.kind == "base" and scope >= 0:
            scope = names.facts(path).definitions[scope].parent
        self._scope = scope
        self._is_silent = False  #: what is on the way is used where the variable is set
        self._nesting = names.nesting(path, scope)

    def go(self) -> None:
        root, *steps = self._reference.chain.split(".")
        self._is_silent = KNOWN in self._reference.chain
        value = self._root(root.removesuffix(KNOWN), steps)
        self._is_silent &= not root.endswith(KNOWN)
        while value is not None and steps:
            step = steps.pop(0)
            value = self._step(value, step.removesuffix(KNOWN), not steps)
            self._is_silent &= not step.endswith(KNOWN)

    def _root(self, root: str, steps: list[str]) -> _Value | None:
        names, path = self._names, self._path
        if root[:1].isupper() or root.startswith("::"):
            return self._constant(root, steps)
        own = self._nesting[0] if self._nesting else ""
        is_single = names.is_single(path, self._scope)
        if root == "self":
            return _Value(own, is_single) if own else None
        if root == "super":
            self._super(own, is_single)
            return None
        found = names.method(own, root, path, is_single=is_single) if own else []
        if not found and (not own or names.is_closed(own, path)):
            found = names.function(root, path)
        self._use(found, root, is_last=not steps)
        return None

    def _super(self, own: str, is_single: bool) -> None:
        if own and self._scope >= 0:
            definition = self._names.facts(self._path).definitions[self._scope]
            place = Place(self._path, self._scope)
            above = self._names.above(own, definition.name, is_single, self._path, place)
            self._use(above, f"{definition.name} above", is_last=True)

    def _constant(self, root: str, steps: list[str]) -> _Value | None:
        names, path = self._names, self._path
        full, is_known = names.constant(root, path, self._nesting)
        if not is_known:
            return None
        followed = names.followed(full)
        if full in CORE:
            return _Value(full, True)
        places = names.nearest(names.openings(full, path), full, path)
        if len(places) == 1:
            kind = self._reference.kind if not steps else "read"
            self._add(places[0], "constant", kind)
        elif not steps or not self._knows(followed, steps[0]):
            self._unclear(root)
        return _Value(followed, True)

    def _knows(self, full: str, name: str) -> bool:
        found = self._names.method(full, name, self._path, is_single=True)
        if not found and name == "new":
            found = self._names.method(full, "initialize", self._path, is_single=False)
        return len(found) == 1

    def _step(self, value: _Value, name: str, is_last: bool) -> _Value | None:
        names, path = self._names, self._path
        if name in _SAME:
            return value
        if name == "class" and not value.is_single:
            return _Value(value.full, True)
        found = names.method(value.full, name, path, is_single=value.is_single)
        if not found and name == "new" and value.is_single:
            made = names.method(value.full, "initialize", path, is_single=False)
            self._use(made, name, is_last=is_last)
            return _Value(value.full, False)
        self._use(found, f"{value.full}.{name}", is_last=is_last)
        if not found and name == "instance" and names.mixes_in(value.full, "Singleton"):
            return _Value(value.full, False)
        return None

    def _use(self, found: list[Place], text: str, *, is_last: bool) -> None:
        if len(found) == 1:
            kind = "call" if is_last else "read"
            self._add(found[0], MEMBER, kind)
        elif found:
            self._unclear(text)

    def _add(self, place: Place, how: str, kind: str) -> None:
        if not self._is_silent:
            self._found.add(place, how, self._reference, kind)

    def _unclear(self, text: str) -> None:
        if self._is_silent:
            return
        for line in self._reference.lines:
            self._found.unresolved.add(Unresolved(text, line))
