"""Linking for Rust: what the names and imports of a file lead to; values are rust_values.py's."""

from __future__ import annotations

from twine_hooks.analysis.facts import EVERYTHING, Facts, Import, Links, Unresolved
from twine_hooks.analysis.gathered import Gathered
from twine_hooks.analysis.lang_base import Project, folder_of, join
from twine_hooks.analysis.languages.rust_crates import Crates, Module
from twine_hooks.analysis.languages.rust_scopes import Member, Scopes, Target
from twine_hooks.analysis.languages.rust_values import MEMBER, Evaluator

_NO_FACTS = Facts(language="")
_WEAK = frozenset({MEMBER, "reference"})


class RustLinker:
    """Links one file after the other; what it learns about crates it keeps for the next."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._crates = Crates(project)
        self._scopes = Scopes(self._crates)
        paths = sorted(path for path, one in project.facts.items() if one.language == "rust")
        self._evaluator = Evaluator(self._scopes, paths)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved names and imports of one file, in all crates that have it."""
        facts = self._project.facts.get(path, _NO_FACTS)
        gathered = Gathered(path, _WEAK)
        missing: list[set[Unresolved]] = []
        for module in self._crates.modules(path):
            missing.append(self._link_in(gathered, path, facts, module))
        self._add_assets(gathered, path, facts)
        unresolved = set.intersection(*missing) if missing else set()
        return Links(gathered.edges(), gathered.uses(), tuple(sorted(unresolved)))

    def _link_in(
        self, gathered: Gathered, path: str, facts: Facts, module: Module
    ) -> set[Unresolved]:
        missing = self._add_imports(gathered, path, facts, module)
        scopes = [self._scope(facts, module, number) for number in range(len(facts.definitions))]
        for reference in facts.references:
            inner = scopes[reference.scope] if reference.scope >= 0 else module
            found = self._evaluator.follow(inner, reference.chain)
            scope = facts.definitions[reference.scope].qualified if reference.scope >= 0 else ""
            if found.missing:
                missing.add(Unresolved(found.missing, reference.lines[0]))
            for file in found.passed:
                gathered.add_edge(file, "reference")
            for seen in found.seen:
                kind = "call" if seen.is_called else "read"
                if seen.is_last and reference.kind in ("type", "base"):
                    kind = reference.kind
                gathered.add(self._symbol(seen.member), seen.how, kind, reference.lines, scope)
        return missing

    def _scope(self, facts: Facts, module: Module, number: int) -> Module:
        """The inline module in which a definition of a file stands."""
        names = []
        while number >= 0:
            one = facts.definitions[number]
            if one.kind == "module":
                names.append(one.name)
            number = one.parent
        for name in reversed(names):
            module = module.child(name)
        return module

    # --- imports ----------------------------------------------------------------------------------

    def _add_imports(
        self, gathered: Gathered, path: str, facts: Facts, module: Module
    ) -> set[Unresolved]:
        """The edges of ``use`` and ``mod``; what is meant by a name counts as used."""
        lines = {(one.module, one.name, one.alias): one for one in facts.imports}
        missing: set[Unresolved] = set()
        for key, row in facts.extra:
            before, found, scope = key.partition("use ")
            if not found or before not in ("", "inner "):
                continue
            inner = module
            for name in scope.split("::") if scope else ():
                inner = inner.child(name)
            written, name, alias, kind = row.split("|")
            one = lines.get((written, name, "" if alias == "_" else alias))
            if one is not None and not self._add_use(gathered, inner, one, kind):
                missing.add(Unresolved(_text(one), one.line))
        for one in facts.imports:
            if one.kind == "module":
                self._add_module(gathered, path, one, module, missing)
        return missing

    def _add_use(self, gathered: Gathered, module: Module, one: Import, kind: str) -> bool:
        """Whether the ``use`` leads somewhere or need not."""
        path = one.module.split("::") if one.module else []
        full = [*path, one.name] if one.name not in ("", EVERYTHING) else path
        targets, passed = self._scopes.resolve(module, full, is_use=True)
        for file in passed:
            gathered.add_edge(file, kind)
        for target in targets:
            if target.member is None:
                self._add_place(gathered, target, kind)
            else:
                gathered.add(self._symbol(target.member), kind, "import", (one.line,), "")
        if not targets:
            self._add_reached(gathered, module, full, one)
        return bool(targets) or not self._scopes.is_lost(module, full)

    def _add_reached(
        self, gathered: Gathered, module: Module, path: list[str], one: Import
    ) -> None:
        """All of the module that a path reaches, where the name in it is made by a macro."""
        for length in range(len(path) - 1, 0, -1):
            targets, _ = self._scopes.resolve(module, path[:length], is_use=True)
            for target in targets:
                for place in self._crates.places(target.module) if target.member is None else ():
                    gathered.add((place.file, EVERYTHING), one.kind, "import", (one.line,), "")
            if targets:
                return

    def _add_place(self, gathered: Gathered, target: Target, kind: str) -> None:
        for place in self._crates.places(target.module):
            gathered.add_edge(place.file, kind)

    def _add_module(
        self, gathered: Gathered, path: str, one: Import, module: Module, missing: set[Unresolved]
    ) -> None:
        child = module
        for name in one.module.split("::")[1:]:
            child = child.child(name)
        files = [place.file for place in self._crates.places(child) if place.file != path]
        for file in files:
            gathered.add_edge(file, "module")
        if not files:
            missing.add(Unresolved(f"mod {one.alias}", one.line))

    def _add_assets(self, gathered: Gathered, path: str, facts: Facts) -> None:
        for one in facts.imports:
            if one.kind in ("asset", "include"):
                file = join(folder_of(path), one.module)
                if file is not None and file in self._project.paths:
                    gathered.add((file, EVERYTHING), one.kind, "import", (one.line,), "")

    def _symbol(self, target: Member) -> tuple[str, str]:
        return target.path, self._project.facts[target.path].definitions[target.number].qualified


def _text(one: Import) -> str:
    return f"{one.module}::{one.name}" if one.name else one.module
