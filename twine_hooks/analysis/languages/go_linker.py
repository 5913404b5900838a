"""Linking for Go: what the names and imports of a file lead to; values are go_values.py's."""

from __future__ import annotations

from twine_hooks.analysis.facts import EVERYTHING, Facts, Import, Links, Unresolved
from twine_hooks.analysis.gathered import Gathered
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.languages.go_packages import Packages, View
from twine_hooks.analysis.languages.go_values import MEMBER, Evaluator, Member

_NO_FACTS = Facts(language="")
_WEAK = frozenset({MEMBER})


class GoLinker:
    """Links one file after the other; what it learns about packages it keeps for the next."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._packages = Packages(project)
        self._evaluator = Evaluator(project, self._packages)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved names and imports of one file."""
        facts = self._project.facts.get(path, _NO_FACTS)
        gathered = Gathered(path, _WEAK)
        unresolved = {
            Unresolved(one.module, one.line)
            for one in facts.imports
            if not self._add_import(gathered, path, one)
        }
        for reference in facts.references:
            found = self._evaluator.follow(path, reference.chain)
            scope = facts.definitions[reference.scope].qualified if reference.scope >= 0 else ""
            if found.missing:
                unresolved.add(Unresolved(found.missing, reference.lines[0]))
            for seen in found.seen:
                kind = "call" if seen.is_called else "read"
                if seen.is_last and reference.kind in ("type", "base"):
                    kind = reference.kind
                gathered.add(self._symbol(seen.member), seen.how, kind, reference.lines, scope)
        return Links(gathered.edges(), gathered.uses(), tuple(sorted(unresolved)))

    def _add_import(self, gathered: Gathered, path: str, one: Import) -> bool:
        """Whether the import leads somewhere or need not. Its names make the edges."""
        if one.kind == "asset":
            files = self._packages.embedded(path, one.module)
            for file in files:
                gathered.add((file, EVERYTHING), "asset", "import", (one.line,), "")
            return bool(files)
        if one.kind == "include":
            header = self._packages.header(path, one.module)
            if header is not None:
                gathered.add((header, EVERYTHING), "include", "import", (one.line,), "")
            return True
        view = self._packages.imported(path, one.module)
        if view is None:
            return not self._packages.is_local(path, one.module)
        if one.kind == "blank":
            for file in self._loaded(path, view):
                gathered.add((file, EVERYTHING), "import", "import", (one.line,), "")
        return True

    def _loaded(self, path: str, view: View) -> list[str]:
        """What a blank import is for: the files that do something when the package is loaded,
        else the one with the package's doc comment, else all.
        """
        together = self._packages.together
        files = [file for file in self._packages.files(view) if together(path, file)]
        facts = self._project.facts
        with_init = [file for file in files if _has_init(facts[file])]
        return with_init or [file for file in files if facts[file].doc] or files

    def _symbol(self, target: Member) -> tuple[str, str]:
        return target.path, self._project.facts[target.path].definitions[target.number].qualified


def _has_init(facts: Facts) -> bool:
    return any(one.qualified == "init" for one in facts.definitions)
