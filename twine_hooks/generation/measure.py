"""How true and how complete one document is, as numbers: pure, and without any model.

What people wrote themselves is not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docs_store.document import Document, edited
from twine_hooks.generation.check import judge
from twine_hooks.generation.facts_sections import render_section
from twine_hooks.generation.known_names import known_names
from twine_hooks.generation.prompt import SUMMARY
from twine_hooks.generation.revision import missing_entries
from twine_hooks.generation.vocabulary import WORD, Vocabulary
from twine_hooks.material import Material
from twine_hooks.parameters import likely_name, parameters_of
from twine_hooks.providers.outline import NAME, NOTE, outline

_CALLED = frozenset({"function", "method", "constructor"})
_RECEIVERS = frozenset({"self", "cls", "this"})


@dataclass(frozen=True, slots=True)
class Measure:
    """What was found in one document, or in several together.

    ``names`` counts what looks like code in its prose, ``wanted`` the sections and public
    definitions that its template asks for, ``parameters`` those of public functions.
    """

    names: int = 0
    unknown: tuple[str, ...] = ()  #: names that nothing knows
    wanted: int = 0
    missing: tuple[str, ...] = ()  #: section ids and qualified names
    parameters: int = 0
    unnamed: tuple[str, ...] = ()  #: parameters that it does not name, as "f(x)"

    @property
    def existence(self) -> float:
        """The share of names that exist."""
        return _share(self.names, len(self.unknown))

    @property
    def completeness(self) -> float:
        return _share(self.wanted, len(self.missing))

    @property
    def parameter_recall(self) -> float:
        return _share(self.parameters, len(self.unnamed))

    def __add__(self, other: Measure) -> Measure:
        return Measure(
            self.names + other.names,
            self.unknown + other.unknown,
            self.wanted + other.wanted,
            self.missing + other.missing,
            self.parameters + other.parameters,
            self.unnamed + other.unnamed,
        )


def _share(whole: int, lacking: int) -> float:
    """From 0 to 1 with three digits; 1 only where nothing is lacking."""
    return max(0, (whole - lacking) * 1000 // whole) / 1000 if whole else 1.0


def measure(document: Document, material: Material, vocabulary: Vocabulary) -> Measure:
    """Hold a document against what its source says now."""
    texts = {name: text.replace(NOTE, "") for name, text in document.texts().items()}
    by_hand = frozenset(edited(document))
    prose = [SUMMARY, *(one.id for one in material.template.sections if one.kind == "prose")]
    verdicts = [judge(texts[name], vocabulary) for name in prose if name in texts.keys() - by_hand]
    wanted = list(_wanted(document, material, by_hand))
    parameters = list(_parameters(material))
    words = frozenset(WORD.findall("\n".join(texts.values()).replace("\\_", "_")))
    return Measure(
        names=sum(one.names for one in verdicts),
        unknown=tuple(dict.fromkeys(name for one in verdicts for name in one.unknown)),
        wanted=len(wanted),
        missing=tuple(name for name, is_there in wanted if not is_there),
        parameters=len(parameters),
        unnamed=tuple(f"{owner}({name})" for owner, name in parameters if name not in words),
    )


def _wanted(
    document: Document, material: Material, by_hand: frozenset[str]
) -> Iterator[tuple[str, bool]]:
    """(section id or qualified name, whether the document has it) of what it is to say."""
    texts = document.texts()
    outlined = outline(material) if document.header.by == NAME else None
    public = {one.qualified: one for one in material.facts.definitions if one.public}
    if SUMMARY not in by_hand:
        yield SUMMARY, bool(texts.get(SUMMARY, "").strip())
    for section in material.template.sections:
        if section.id in by_hand:
            continue
        text = texts.get(section.id, "")
        if section.kind == "facts":
            has_something = bool(render_section(section.render, material))
        else:
            has_something = section.id in outlined if outlined is not None else True
            has_something = has_something and (not section.each or bool(public))
        if has_something:
            yield section.id, bool(text.strip())
        if section.each:
            lacking = set(missing_entries(text, public))
            yield from ((name, name not in lacking) for name in public)
        elif section.render == "definitions":
            words = frozenset(WORD.findall(text))
            yield from ((name, _is_in(one.name, words)) for name, one in public.items())


def _is_in(name: str, words: frozenset[str]) -> bool:
    """Whether all words of a name are there; one that is an operator has none."""
    return words.issuperset(WORD.findall(name))


def _parameters(material: Material) -> Iterator[tuple[str, str]]:
    """(function, parameter) of the public ones, each once."""
    no_names = known_names(material.facts.language)
    seen = set()
    for one in material.facts.definitions:
        found = parameters_of(one.signature) if one.public and one.kind in _CALLED else None
        for parameter in found[0] if found else ():
            pair = (one.qualified, likely_name(parameter, no_names))
            if WORD.fullmatch(pair[1]) and pair[1] not in _RECEIVERS and pair not in seen:
                seen.add(pair)
                yield pair
