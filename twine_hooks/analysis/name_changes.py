"""Names of modules, for languages that modules.py links: which lead elsewhere after a change, and
which others do through these. Knows no files.

Whatever is looked up in another module is looked up under a name, and that name stands in a chain,
a base or an import of whoever looks, or of a file that it looks through. So a file whose own words
have none of the names that changed, nor any that lead on through these, finds what it found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from twine_hooks.analysis.facts import EVERYTHING, Facts
from twine_hooks.analysis.lang_base import NameChanges

_WORD = re.compile(r"[\w$]+")
_TYPE = "type "
#: Members that are looked up without being written, and the word of the chain that does it.
_ENTERING, _ENTERED = frozenset({"__enter__", "__aenter__"}), "with"


def _changed(before: Facts, after: Facts) -> frozenset[str] | None:
    """The names under which others may find something else in a module; None for any name."""
    if _shape(before) != _shape(after):
        return None
    old, new = _answers(before), _answers(after)
    return _looked_up(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _spelled(facts: Facts) -> set[str]:
    """The words under which a file looks something up, in itself or in others."""
    texts = [one.chain for one in facts.references]
    texts += (one.name for one in facts.imports)
    texts += (base for one in facts.definitions for base in one.bases)
    texts += (local for _, local in facts.exports or ())
    texts += (chain for _, chain in facts.extra)
    return _words(texts)


def _through(facts: Facts, names: Set[str]) -> frozenset[str] | None:
    """The names of a module that may lead elsewhere because these ones do; None for any name."""
    found = {one.alias for one in facts.imports if one.name in names and one.alias}
    found.update(outer for outer, local in facts.exports or () if local in names)
    for one in facts.definitions:
        if one.bases and not names.isdisjoint(_words(one.bases)):
            found.update((one.name, _last(one.qualified)))
    for key, chain in facts.extra:
        if not names.isdisjoint(_words([chain])):
            found.add(_typed(key))
    return _looked_up(found)


def _shape(facts: Facts) -> object:
    """What is not looked up by a name."""
    stars = [one[:4] for one in facts.imports if one.name == EVERYTHING]
    others = [one for one in facts.extra if not one[0].startswith(_TYPE)]
    return facts.language, facts.namespace, facts.exports is None, stars, others


def _answers(facts: Facts) -> dict[str, list[object]]:
    """By name all that is found under it, in order."""
    found: dict[str, list[object]] = {}
    for name, answer in _named(facts):
        found.setdefault(name, []).append(answer)
    return found


def _named(facts: Facts) -> Iterator[tuple[str, object]]:
    for one in facts.definitions:
        seen = (one.qualified, one.name, one.kind, one.parent < 0, one.bases)
        for name in {one.name, _last(one.qualified)}:
            yield name, seen
    for binding in facts.imports:
        if binding.alias:
            yield binding.alias, binding[:4]
    yield from facts.exports or ()
    for key, chain in facts.extra:
        yield _typed(key), (key, chain)


def _looked_up(names: Iterable[str]) -> frozenset[str] | None:
    """The words by which names are looked up; None where one is not looked up by itself."""
    found = frozenset(names)
    if not all(map(_WORD.fullmatch, found)):
        return None  # as that of what stands for a module as a whole
    return found if _ENTERING.isdisjoint(found) else found | {_ENTERED}


def _typed(key: str) -> str:
    """The name whose type a key of ``Facts.extra`` tells: "area" for "type Shape.area@0"."""
    return _last(key.removeprefix(_TYPE).partition("@")[0])


def _last(qualified: str) -> str:
    return qualified.rpartition(".")[2]


def _words(texts: Iterable[str]) -> set[str]:
    return set(_WORD.findall(" ".join(texts)))


MODULE_CHANGES = NameChanges(_changed, _through, _spelled, along_imports=True)
