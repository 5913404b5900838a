"""Linking for C#: what the names of a file lead to, over the parts of partial types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import MappingProxyType

from twine_hooks.analysis.facts import EVERYTHING, Import, Links, Reference, Unresolved
from twine_hooks.analysis.gathered import Gathered
from twine_hooks.analysis.jvm import JvmLinker
from twine_hooks.analysis.jvm_members import Place
from twine_hooks.analysis.jvm_names import Class, Member
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.csharp_names import CSharpNames
from twine_hooks.analysis.languages.csharp_values import CSharpEvaluator

ATTRIBUTE = "Attribute"  #: what may be left out where one is used
_LIBRARIES = frozenset({"System", "Microsoft", "Windows"})
_ROOT = re.compile(r"^new |^«|[.(\[<»].*")


class CSharpLinker(JvmLinker):
    """Links one C# file after the other."""

    kinds = MappingProxyType({"attribute": "type"})
    _names: CSharpNames

    def __init__(self, project: Project) -> None:
        super().__init__(project, CSharpEvaluator(CSharpNames(project)))
        self._unclear: set[Unresolved] = set()

    def link(self, path: str) -> Links:
        """Edges and uses of one file; names that several types have are unresolved."""
        self._unclear = set()
        links = super().link(path)
        if not self._unclear:
            return links
        return links._replace(unresolved=tuple(sorted({*links.unresolved, *self._unclear})))

    def _add_import(self, gathered: Gathered, path: str, one: Import) -> bool:
        """A namespace is a scope, not an edge; a type that a using names is one."""
        names = self._names
        kind = one.kind.removeprefix("global ")
        if kind == "import":
            return names.package(path, one.module) in names.prefixes
        cls = names.absolute(path, one.module) if kind == "static" else names.alias(path, one)
        if cls is None:
            dotted = f"{one.module}.{one.name}" if one.module else one.name
            return kind == "alias" and names.package(path, dotted) in names.prefixes
        for symbol in self._symbols(path, cls):
            gathered.add(symbol, one.kind, "import", (one.line,), "")
        return True

    def _looks_local(self, one: Import) -> bool:
        root = one.module.removeprefix("global.").partition(".")[0]
        return root in self._names.prefixes and bool(root) and root not in _LIBRARIES

    def _place(self, path: str, reference: Reference) -> Place:
        names = self._names
        cls = names.class_around(path, reference.scope)
        if cls is not None and reference.kind == "base" and cls.index == reference.scope:
            return Place(path, names.outside(path, cls))
        if cls is None and reference.scope >= 0:
            namespace = names.namespace(path, reference.scope)
            cls = Class(path, namespace, "", -1, None, None)
        return Place(path, cls)

    def _found(self, path: str, reference: Reference) -> list[tuple[Class | Member, str]]:
        if reference.kind != "attribute":
            return self._found_clearly(path, reference)
        name, called, rest = reference.chain.partition("(")
        for chain in (f"{name}{ATTRIBUTE}{called}{rest}", reference.chain):
            found = self._found_clearly(path, reference._replace(chain=chain, kind="call"))
            if any(isinstance(target, Class) for target, _ in found):
                return found
        return []

    def _found_clearly(self, path: str, reference: Reference) -> list[tuple[Class | Member, str]]:
        found = super()._found(path, reference)
        name = _ROOT.sub("", reference.chain)
        if not found and (path, name) in self._names.ambiguous:
            self._unclear |= {Unresolved(name, line) for line in reference.lines}
        return found

    def _symbols(self, path: str, target: Class | Member) -> Iterable[tuple[str, str]]:
        if isinstance(target, Member):
            return super()._symbols(path, target)
        parts = self._names.all_parts(target)
        own = [part for part in parts if part.path == path]
        return [
            (part.path, part.definition.qualified if part.definition else EVERYTHING)
            for part in own or parts
        ]
