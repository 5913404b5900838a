"""Linking for Java and Kotlin together, and the base of that for C#: what names lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from types import MappingProxyType

from twine_hooks.analysis.facts import (
    EVERYTHING,
    Facts,
    Import,
    Links,
    Reference,
    Unresolved,
)
from twine_hooks.analysis.gathered import INFERRED, Gathered
from twine_hooks.analysis.head_changes import HEAD_CHANGES, names_in
from twine_hooks.analysis.jvm_library import accessed_by
from twine_hooks.analysis.jvm_members import Place
from twine_hooks.analysis.jvm_names import Class, Member, Names, facade_name
from twine_hooks.analysis.jvm_values import Evaluator
from twine_hooks.analysis.lang_base import Project


class JvmLinker:
    """Links one file after the other; what it learns about classes it keeps for the next."""

    #: kinds of references that only one language has -> kinds of uses
    kinds: Mapping[str, str] = MappingProxyType({})

    def __init__(self, project: Project, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or Evaluator(Names(project))
        self._names = self._evaluator.names

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved imports of one file."""
        facts = self._names.facts(path)
        gathered = Gathered(path)
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
        for reference in facts.references:
            scope = facts.definitions[reference.scope] if reference.scope >= 0 else None
            found = self._found(path, reference)
            for number, (target, how) in enumerate(found):
                kind = self.kinds.get(reference.kind, reference.kind)
                kind = kind if number == len(found) - 1 else "read"
                name = scope.qualified if scope else ""
                for symbol in self._symbols(path, target):
                    gathered.add(symbol, how, kind, reference.lines, name)
                if not isinstance(target, Member) or target.path == path:
                    continue
                for twin in self._names.twins(target):
                    gathered.add(self._symbol(twin), "twin", kind, reference.lines, name)

    def _place(self, path: str, reference: Reference) -> Place:
        """From where the names of a reference are seen."""
        cls = self._names.class_around(path, reference.scope)
        if reference.kind == "base" and cls is not None and cls.index == reference.scope:
            cls = cls.outer
        return Place(path, cls)

    def _found(self, path: str, reference: Reference) -> list[tuple[Class | Member, str]]:
        """All that a reference leads to, and how it was reached; the last is what is used."""
        found: list[tuple[Class | Member, str]] = []
        result = self._evaluator.follow(
            reference.chain,
            self._place(path, reference),
            reference.kind,
            lambda target, how: found.append((target, how)),
        )
        if reference.kind == "base" and found and isinstance(found[-1][0], Class):
            found += self._evaluator.constructor(found[-1][0])
        # Kotlin's compiler writes down the type of each call, Java's does not.
        infers = found and reference.kind == "call" and self._names.extra(path, "facade")
        if infers and result.cls is not None:
            found.insert(0, (result.cls, INFERRED))
        return found

    def _symbols(self, path: str, target: Class | Member) -> Iterable[tuple[str, str]]:
        """(path, qualified name) of what the file at ``path`` uses when it names the target."""
        return (self._symbol(target),)

    def _symbol(self, target: Class | Member) -> tuple[str, str]:
        if isinstance(target, Member):
            return target.path, self._names.definition(target).qualified
        return target.path, target.definition.qualified if target.definition else EVERYTHING


def _text(one: Import) -> str:
    return f"{one.module}.{one.name}" if one.module else one.name


def _with_facade(path: str, facts: Facts) -> frozenset[str] | None:
    """The names in a file, and of the class that it is for Java where it has functions."""
    names, extra = names_in(path, facts), dict(facts.extra)
    if names is None or "facade" not in extra:
        return names
    return names | {facade_name(path, extra)}


def _with_accessors(names: Set[str], languages: Set[str]) -> Set[str]:
    is_mixed = Names.languages <= languages
    return set(names).union(*map(accessed_by, names)) if is_mixed else names


JVM_CHANGES = HEAD_CHANGES._replace(all_names=_with_facade, words=_with_accessors)
