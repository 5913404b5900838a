"""Names of classes and members, in Java, Kotlin, C# and Go: which lead elsewhere after a change,
and which others do through these. Knows no files.

The idea is that of ``name_changes``. Here a member leads on through the type that it has, as far as
that is written; the imports of a file serve its own heads and bodies alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from twine_hooks.analysis.facts import EVERYTHING, Definition, Facts
from twine_hooks.analysis.lang_base import NameChanges

_WORD = re.compile(r"[\w$]+")
#: What ``Facts.extra`` says of one definition: of what type it is, for example.
_OF_DEFINITION = re.compile(r"\w+ (\d+)")
_BOUNDS = re.compile(r"<[^()]*>|\bwhere\b.*")
_UNNAMED = "unnamed "  #: in Go, before the module of an import that does not say its name
_INDEXER = "this"  #: of C#, which nobody spells


def _changed(before: Facts, after: Facts) -> frozenset[str] | None:
    """The names under which others may find something else in a file; None for any name."""
    if _shape(before) != _shape(after):
        return None
    old, new = _answers(before), _answers(after)
    names = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    if _stars(before) != _stars(after):
        names.update(old, new)  # each type that a head spells may be another
    else:
        aliases = {str(one[2]) for one in _bindings(before) ^ _bindings(after)}
        for facts in (before, after):
            led = _through(facts, aliases)
            if led is None:
                return None
            names |= led
    return _looked_up(names)


def _spelled(facts: Facts) -> set[str]:
    """The words under which a file looks something up, in itself or in others."""
    texts = [one.chain for one in facts.references]
    texts += (text for one in facts.imports for text in (one.module, one.name))
    texts += (text for _, text in _leading(facts))
    # The parts of a type see each other's members and bases.
    texts += (one.name for one in facts.definitions if "partial " in one.signature)
    return set(_WORD.findall(" ".join(texts)))


def _through(facts: Facts, names: Set[str]) -> frozenset[str] | None:
    """The names of a file that may lead elsewhere because these ones do; None for any name."""
    found = {one.alias for one in facts.imports if one.name in names and one.alias}
    found.update(
        name for name, text in _leading(facts) if not names.isdisjoint(_WORD.findall(text))
    )
    return _looked_up(found)


def _shape(facts: Facts) -> object:
    """What is not looked up by a name."""
    extra = [one for one in facts.extra if not _OF_DEFINITION.fullmatch(one[0])]
    extra = [one for one in extra if not one[0].startswith(_UNNAMED)]
    namespaces = {value for key, value in facts.extra if key.startswith("namespace ")}
    everywhere = [one[:4] for one in facts.imports if one.kind.startswith("global ")]
    functions = [one.name for one in facts.definitions if one.parent < 0 and one.kind == "function"]
    return (
        (facts.language, facts.namespace, namespaces, everywhere, extra, bool(facts.definitions)),
        bool(functions),  # of a file of Kotlin these make it a class for Java
        ("init" in functions, bool(facts.doc)),  # by these a blank import of Go knows a file
    )


def _stars(facts: Facts) -> list[tuple[str, str]]:
    """The imports of which only a look elsewhere tells the names that they bind."""
    stars = [(one.module, one.kind) for one in facts.imports if one.name == EVERYTHING]
    return stars + [one for one in facts.extra if one[0].startswith(_UNNAMED)]


def _bindings(facts: Facts) -> set[tuple[object, ...]]:
    return {one[:4] for one in facts.imports if one.alias}


def _answers(facts: Facts) -> dict[str, list[object]]:
    """By name all that is found under it, in order."""
    found: dict[str, list[object]] = {}
    said = _said(facts)
    for index, one in enumerate(facts.definitions):
        around = facts.definitions[one.parent] if one.parent >= 0 else None
        # A companion is seen through.
        seen_in = around.signature.partition(around.name)[0] if around else ""
        answer = (one.qualified, one.kind, one.public, one.bases, one.signature, seen_in)
        found.setdefault(_name(facts, one), []).append((answer, said.get(index)))
    return found


def _leading(facts: Facts) -> Iterator[tuple[str, str]]:
    """(name, text) where what is found under the name depends on what the text spells."""
    said = _said(facts)
    for index, one in enumerate(facts.definitions):
        texts = [*one.bases, *_BOUNDS.findall(one.signature)]
        texts += (value for _, value in said.get(index, ()))
        if texts:
            yield _name(facts, one), " ".join(texts)


def _said(facts: Facts) -> dict[int, list[tuple[str, str]]]:
    """By definition what ``Facts.extra`` says of it."""
    found: dict[int, list[tuple[str, str]]] = {}
    for key, value in facts.extra:
        index = _OF_DEFINITION.fullmatch(key)
        if index:
            found.setdefault(int(index[1]), []).append((key.partition(" ")[0], value))
    return found


def _name(facts: Facts, one: Definition) -> str:
    """The name by which a definition is looked up: of a constructor that of its class."""
    is_constructor = one.name.startswith("<") and one.parent >= 0
    return facts.definitions[one.parent].name if is_constructor else one.name


def _looked_up(names: Iterable[str]) -> frozenset[str] | None:
    """The names; None where one is not looked up by itself."""
    found = frozenset(names)
    return None if _INDEXER in found or not all(map(_WORD.fullmatch, found)) else found


def names_in(path: str, facts: Facts) -> frozenset[str] | None:
    """The names in a file that comes or goes; None for any name."""
    if any(one.kind.startswith("global ") for one in facts.imports):
        return None
    return _looked_up(_answers(facts))


HEAD_CHANGES = NameChanges(_changed, _through, _spelled, along_imports=False, all_names=names_in)
