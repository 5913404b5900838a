"""What a document is made from, as digests: pure functions of facts, links and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from docs_store.digest import digest, short
from docs_store.leaf import Leaf, Symbol
from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts, Import, Links
from twine_hooks.analysis.graph import components, dependencies_of


class Inputs(NamedTuple):
    """Digests (``b3:…``) of the parts that a document is made from.

    ``own``: the source; ``template``: sections and language; ``uses``: what it uses of its
    dependencies; ``place``: its path and those it links to, which need no new prose.
    """

    own: str
    template: str
    uses: str
    place: str

    @property
    def digest(self) -> str:
        """The digest by which a document is known as fresh. Place is not part of it: what moved
        as a whole says what it said before."""
        return digest(self.own, self.template, self.uses)


class InputsOf:
    """Computes inputs for the files of one graph, under one policy.

    ``has_document`` says of a path whether it has a document to link to.
    """

    def __init__(
        self,
        facts: Callable[[str], Facts | None],
        own: Callable[[str], str],
        template: str,
        policy: str,
        has_document: Callable[[str], bool],
        links: Mapping[str, Links] | None = None,
    ) -> None:
        self._facts = facts
        self._own = own
        self._template = template
        self._policy = policy
        self._has_document = has_document
        self._links = links or {}
        self._symbols: dict[tuple[str, str], dict[str, str]] = {}

    def __call__(self, path: str, links: Links) -> Inputs:
        """The inputs of the document of one file that has facts."""
        others = dependencies_of(path, links)
        place = digest(path, *(f"{one} {self._has_document(one):d}" for one in others))
        return Inputs(self._own(path), self._template, self._uses(path, links, others), place)

    def _uses(self, path: str, links: Links, others: Sequence[str]) -> str:
        if self._policy == "none":
            return ""
        if self._policy == "direct":
            return digest(*sorted(self._own(one) for one in others))
        if self._policy == "transitive":
            return self._below[path]
        return digest(*sorted({f"{name} {value}" for _, name, value in self.used(path, links)}))

    def used(self, path: str, links: Links) -> list[tuple[str, str, str]]:
        """(file, symbol, digest of what can be seen of it) for all that a file uses; sorted.

        What only passes a symbol on sees its interface, under every policy.
        """
        passed_on: dict[tuple[str, str], bool] = {}
        for one in links.uses:
            if one.target != path:
                key = (one.target, one.symbol)
                passed_on[key] = passed_on.get(key, True) and one.kind == "reexport"
        return [
            (file, name, self._symbol(file, name, "interface" if only else self._policy))
            for (file, name), only in sorted(passed_on.items())
        ]

    def seen(self, path: str) -> str:
        """Digest of all that the inputs of those who use a file may have of it."""
        if self._policy == "none":
            return ""
        if self._policy in ("direct", "transitive"):
            return self._own(path)
        parts = {
            *self._digests(path, "interface").items(),
            *self._digests(path, self._policy).items(),
        }
        return digest(*(f"{name} {value}" for name, value in sorted(parts)))

    def _symbol(self, file: str, name: str, policy: str) -> str:
        known = self._digests(file, policy)
        return known.get(name) or known.get(EVERYTHING) or self._own(file)

    def _digests(self, file: str, policy: str) -> dict[str, str]:
        known = self._symbols.get((file, policy))
        if known is None:
            known = self._symbols[file, policy] = symbol_digests(self._facts(file), policy)
        return known

    @cached_property
    def _below(self) -> dict[str, str]:
        edges = {path: dependencies_of(path, links) for path, links in self._links.items()}
        return below_digests(edges, self._own)


def below_digests(edges: Mapping[str, Sequence[str]], own: Callable[[str], str]) -> dict[str, str]:
    """By path one digest of all that it depends on at any depth; the same in a circle."""
    below: dict[str, str] = {}
    whole: dict[str, str] = {}
    for group in components(edges):
        outer = sorted({whole[one] for path in group for one in edges[path] if one in whole})
        inner = sorted(own(path) for path in group) if len(group) > 1 else []
        for path in group:
            below[path] = digest(*outer, *inner)
        joint = digest(*outer, *sorted(own(path) for path in group))
        whole.update((path, joint) for path in group)
    return below


def symbol_digests(facts: Facts | None, policy: str) -> dict[str, str]:
    """By qualified name what the policy sees of it; under ``EVERYTHING`` that of the whole file.

    Definitions of one name (overloads, branches) count together.
    """
    if facts is None:
        return {}
    gathered: dict[str, list[str]] = {}
    for one in facts.definitions:
        seen = one.interface if policy == "interface" else one.meaning
        gathered.setdefault(one.qualified, []).append(seen)
    found = {name: "".join(parts) for name, parts in gathered.items()}
    found[EVERYTHING] = facts.interface if policy == "interface" else facts.meaning
    return found


def leaf_of(facts: Facts, own: str) -> Leaf:
    """The leaf of a file: a pure function of its source."""
    gathered: dict[str, list[Definition]] = {}
    for one in facts.definitions:
        if one.public:
            gathered.setdefault(one.qualified, []).append(one)
    return Leaf(
        source=own,
        interface="b3:" + facts.interface,
        imports=tuple(sorted({import_text(one) for one in facts.imports})),
        symbols=tuple(
            Symbol(name, _joint(one.interface for one in ones), _joint(one.meaning for one in ones))
            for name, ones in sorted(gathered.items())
        ),
    )


def _joint(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else short("".join(listed), 16)


def import_text(one: Import) -> str:
    """An import in one line, the same for each language: "from .geometry: area as a"."""
    text = f"from {one.module}: {one.name}" if one.name else one.module
    bound = one.name or one.module
    return f"{text} as {one.alias}" if one.alias and one.alias != bound else text
