"""Linking for Java and Kotlin together: what the names of a file lead to, as edges and uses."""

from __future__ import annotations

from twine_hooks.analysis.facts import EVERYTHING, Facts, Import, Links, Unresolved
from twine_hooks.analysis.gathered import Gathered
from twine_hooks.analysis.jvm_names import Class, Member, Names
from twine_hooks.analysis.jvm_values import MEMBER, Evaluator, Place
from twine_hooks.analysis.lang_base import Project

INFERRED = "inferred"  #: the type of a call whose name the file does not write

_WEAK = frozenset({MEMBER, INFERRED})  #: said of a file only where nothing else is


class JvmLinker:
    """Links one file after the other; what it learns about classes it keeps for the next."""

    def __init__(self, project: Project) -> None:
        self._names = Names(project)
        self._evaluator = Evaluator(self._names)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved imports of one file."""
        facts = self._names.facts(path)
        gathered = Gathered(path, _WEAK)
        unresolved = [
            Unresolved(_text(one), one.line)
            for one in facts.imports
            if not self._add_import(gathered, path, one) and self._looks_local(one)
        ]
        self._add_references(gathered, path, facts)
        return Links(gathered.edges(), gathered.uses(), tuple(sorted(set(unresolved))))

    def _add_import(self, gathered: Gathered, path: str, one: Import) -> bool:
        """Whether the import leads somewhere. One on demand is a scope, not an edge."""
        names = self._names
        if one.name == EVERYTHING:
            return one.module in names.packages or names.absolute(path, one.module) is not None
        targets: list[Class | Member] = []
        cls = names.absolute(path, f"{one.module}.{one.name}" if one.module else one.name)
        if cls is not None:
            targets.append(cls)
        targets += self._evaluator.imported(path, one)
        for target in targets:
            gathered.add(self._symbol(target), one.kind, "import", (one.line,), "")
        return bool(targets)

    def _looks_local(self, one: Import) -> bool:
        return one.module in self._names.packages and bool(one.module)

    def _add_references(self, gathered: Gathered, path: str, facts: Facts) -> None:
        # Kotlin's compiler writes down the type of each call, Java's does not.
        infers = bool(self._names.extra(path, "facade"))
        for reference in facts.references:
            scope = facts.definitions[reference.scope] if reference.scope >= 0 else None
            cls = self._names.class_around(path, reference.scope)
            if reference.kind == "base" and cls is not None and cls.index == reference.scope:
                cls = cls.outer
            found: list[tuple[Class | Member, str]] = []
            result = self._evaluator.follow(
                reference.chain,
                Place(path, cls),
                reference.kind,
                lambda target, how, found=found: found.append((target, how)),  # type: ignore[misc]
            )
            if reference.kind == "base" and found and isinstance(found[-1][0], Class):
                found += self._evaluator.constructor(found[-1][0])
            if found and infers and result.cls is not None and reference.kind == "call":
                found.insert(0, (result.cls, INFERRED))
            for number, (target, how) in enumerate(found):
                kind = reference.kind if number == len(found) - 1 else "read"
                name = scope.qualified if scope else ""
                gathered.add(self._symbol(target), how, kind, reference.lines, name)
                if not isinstance(target, Member) or target.path == path:
                    continue
                for twin in self._names.twins(target):
                    gathered.add(self._symbol(twin), "twin", kind, reference.lines, name)

    def _symbol(self, target: Class | Member) -> tuple[str, str]:
        if isinstance(target, Member):
            return target.path, self._names.definition(target).qualified
        return target.path, target.definition.qualified if target.definition else EVERYTHING


def _text(one: Import) -> str:
    return f"{one.module}.{one.name}" if one.module else one.name
