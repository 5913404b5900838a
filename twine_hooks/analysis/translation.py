"""Linking for languages of translation units (C, C++): includes to files, names to the files that
declare and to the one that defines them.
"""

from __future__ import annotations

from collections.abc import Iterable

from twine_hooks.analysis.facts import Definition, Edge, Import, Links, Reference, Unresolved, Use
from twine_hooks.analysis.include_paths import is_standard
from twine_hooks.analysis.includes import Included, Includes
from twine_hooks.analysis.lang_base import Project
from twine_hooks.analysis.translation_names import View
from twine_hooks.analysis.translation_symbols import Symbol, Symbols


class TranslationLinker:
    """Links one file after the other."""

    def __init__(self, project: Project, languages: frozenset[str]) -> None:
        """``languages`` are those whose files one translation unit may be made of."""
        facts = {path: one for path, one in project.facts.items() if one.language in languages}
        self._project = project = project.with_facts(facts)
        self._includes = Includes(project)
        self._symbols = Symbols(project, self._includes)

    def link(self, path: str) -> Links:
        """Edges, uses and unresolved includes of one file."""
        rows = self._includes.of(path)
        uses = _UsesOfFile(self._symbols, path)
        for reference in self._project.facts[path].references:
            uses.add_reference(reference)
        unresolved = {
            Unresolved(_text(row.one), row.one.line)
            for row in rows
            if not row.found and _looks_local(row.one)
        }
        return Links(
            edges=self._edges(path, rows),
            uses=uses.sorted(),
            unresolved=tuple(sorted(unresolved)),
        )

    def _edges(self, path: str, rows: Iterable[Included]) -> tuple[Edge, ...]:
        found: dict[tuple[str, str], float] = {}
        for row in rows:
            for one in row.found:
                key = (one.path, row.one.kind)
                if one.path != path:
                    found[key] = max(one.confidence, found.get(key, 0.0))
        for one in self._includes.forced(path):
            found[one.path, "include"] = one.confidence
        active = {target for target, kind in found if kind != "inactive"}
        return tuple(
            Edge(target, kind, confidence, ())
            for (target, kind), confidence in sorted(found.items())
            if kind != "inactive" or target not in active
        )


def _text(one: Import) -> str:
    return f"#include {one.module}" if one.module[:1] in ('"', "<") else f"import {one.module}"


def _looks_local(one: Import) -> bool:
    """Whether an include that is not found looks like the project's own."""
    name = one.module[1:-1]
    if one.kind == "inactive" or one.name == "next":
        return False
    return one.module[:1] == '"' and not is_standard(name)


class _UsesOfFile:
    """Uses of one file while they are gathered: one per symbol, kind and place of use."""

    def __init__(self, symbols: Symbols, path: str) -> None:
        self._symbols = symbols
        self._path = path
        self._view = View(symbols, path)
        self._definitions = symbols.facts(path).definitions
        self._found: dict[tuple[str, str, str, str], set[int]] = {}
        self._expanded: dict[Symbol, tuple[Symbol, ...]] = {}

    def add_reference(self, reference: Reference) -> None:
        scope = self._definitions[reference.scope] if reference.scope >= 0 else None
        place = scope.qualified if scope else ""
        steps = self._view.chain(reference.chain, place)
        for index, step in enumerate(steps):
            kind = reference.kind if index == len(steps) - 1 else "read"
            for symbol in step:
                self._add(symbol, kind, reference.lines, scope)
                if kind == "call":
                    for constructor in self._symbols.constructors(symbol):
                        self._add(constructor, kind, reference.lines, scope)
                one = self._symbols.definition(symbol)
                if one.kind == "macro" and (scope is None or scope.kind != "macro"):
                    for inner in self._expand(symbol):
                        self._add(inner, "read", reference.lines, scope)

    def _add(
        self, symbol: Symbol, kind: str, lines: Iterable[int], scope: Definition | None
    ) -> None:
        """The definition, and behind a declaration the file that defines it.

        What a macro names is used where the macro is: there that file is found, not here.
        """
        place = scope.qualified if scope else ""
        one = self._symbols.definition(symbol)
        if one.kind in ("class", "struct", "union", "enum", "type"):
            kind = "type"
        if one.kind == "namespace" or (symbol.path == self._path and one.qualified == place):
            return
        is_macro = scope is not None and scope.kind == "macro"
        defined = () if is_macro else self._symbols.defined(symbol)
        if any(other.path == self._path for other in defined):
            defined = tuple(other for other in defined if other.path == self._path)
            symbol = defined[0]
        elif len({other.path for other in defined}) > 1:
            defined = ()
        for target in (symbol, *defined):
            if target is symbol and symbol.path == self._path and self._symbols.declares(symbol):
                continue
            qualified = self._symbols.definition(target).qualified
            self._found.setdefault((target.path, qualified, kind, place), set()).update(lines)

    def _expand(self, macro: Symbol) -> tuple[Symbol, ...]:
        """What the body of a macro uses, through other macros too; those themselves left out."""
        if macro not in self._expanded:
            found: dict[Symbol, None] = {}
            waiting, seen = [macro], {macro}
            while waiting and len(seen) < 256:
                one = waiting.pop()
                for chain in self._symbols.macro_body(one):
                    for step in self._view.chain(chain, "", one.path):
                        for symbol in step:
                            is_macro = self._symbols.definition(symbol).kind == "macro"
                            if not is_macro:
                                found[symbol] = None
                            elif symbol not in seen:
                                seen.add(symbol)
                                waiting.append(symbol)
            self._expanded[macro] = tuple(found)
        return self._expanded[macro]

    def sorted(self) -> tuple[Use, ...]:
        return tuple(
            Use(target, symbol, kind, tuple(sorted(lines)), scope)
            for (target, symbol, kind, scope), lines in sorted(self._found.items())
        )
