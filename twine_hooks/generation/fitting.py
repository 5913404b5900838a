"""Makes a question small enough for a model, in stages that never lose a public definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from twine_hooks.analysis.facts import Definition
from twine_hooks.doc_comments import first_sentence
from twine_hooks.generation.condensing import Condensed, Condensing, SourcePart, source_of
from twine_hooks.generation.facts_sections import signature_of
from twine_hooks.generation.prompt import SUMMARY, Asked, Change, first_messages
from twine_hooks.generation.splitting import Piece, Splitter
from twine_hooks.material import Material
from twine_hooks.providers.model import Message, ModelFailedError

_SMALL = 4  #: lines of a definition that are not worth leaving out
_FEWEST_WORDS = 40  #: that a part may take for a section
_SMALLEST = 60  #: tokens of a part's source that are worth a question
#: Parts of a file are made this much smaller than the room, each tried in turn: a whole has a few
#: more tokens than its pieces.
_SHARES = (1.0, 0.85, 0.7)


@dataclass(frozen=True, slots=True)
class Part:
    """One question about a file, or about a part of it.

    ``definitions`` are those of the part, None for all of the file; ``number`` is "2 of 3", "" for
    the whole.
    """

    asked: tuple[Asked, ...]
    change: Change | None
    source: tuple[SourcePart, ...]
    has_dependency_texts: bool = False
    has_call_sites: bool = False
    definitions: tuple[Definition, ...] | None = None
    number: str = ""

    @property
    def condensed(self) -> list[Condensed]:
        """What a model has to be asked about before."""
        return [one for one in self.source if isinstance(one, Condensed)]

    def messages(self, material: Material, said: Mapping[str, str]) -> list[Message]:
        """The question. ``said`` is what a model says of code that is condensed."""
        return first_messages(
            material,
            self.asked,
            self.change,
            source_of(self.source, said),
            has_dependency_texts=self.has_dependency_texts,
            has_call_sites=self.has_call_sites,
            definitions=self.definitions,
            part=self.number,
        )


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens a question may have (0 is without limit), how they are counted, and how
    large definitions may be condensed (None: not at all)."""

    most: int
    tokens: Callable[[str], int]
    condensing: Condensing | None = None

    def has(self, material: Material, part: Part) -> bool:
        """Whether a question fits, however long what is said of the code becomes."""
        if not self.most:
            return True
        filler = self.condensing.filler if self.condensing else ""
        said = {one.code: filler for one in part.condensed}
        texts = (one.text for one in part.messages(material, said))
        return sum(map(self.tokens, texts)) <= self.most


def fitted(
    material: Material, asked: Sequence[Asked], change: Change | None, room: Room
) -> tuple[Part, ...]:
    """The fullest questions that fit: one about the whole file, or one for each of its parts.

    First the lines that call it go, then the texts of dependencies, then the old text's diff. Then
    the largest definitions are condensed; where that is not wanted, their bodies are left out. At
    last the file is split, but not where a person's text is to be corrected: that is not asked for
    unseen. Raises ModelFailedError where not even that is enough.
    """
    for parts in _stages(material, tuple(asked), change, room):
        if all(room.has(material, one) for one in parts):
            return parts
    raise ModelFailedError(
        f"it does not fit into {room.most} tokens, even in parts; use a larger model",
        is_too_long=True,
    )


def _stages(
    material: Material, asked: tuple[Asked, ...], change: Change | None, room: Room
) -> Iterator[tuple[Part, ...]]:
    whole = Part(asked, change, (material.source(),), True, has_call_sites=True)
    yield (whole,)
    whole = replace(whole, has_call_sites=False)
    yield (whole,)
    whole = replace(whole, has_dependency_texts=False)
    yield (whole,)
    if change is not None and change.source_before:
        whole = replace(whole, change=replace(change, source_before=""))
        yield (whole,)
    is_one_text = all(one.id == SUMMARY for one in asked)  # which has no parts
    if room.condensing is not None:
        for source in _condensed_sources(material, whole, room):
            whole = replace(whole, source=source)
            yield (whole,)
    if room.condensing is None or is_one_text:
        for source in _shorter_sources(material):
            yield (replace(whole, source=source),)
        whole = replace(whole, source=(signatures_only(material),))
        yield (whole,)
    if change is not None and change.by_hand:
        return
    if change is not None:
        yield (replace(whole, change=None),)
    for share in _SHARES:
        parts = _parts(material, asked, room, share)
        if parts:
            yield parts


def _condensed_sources(
    material: Material, whole: Part, room: Room
) -> Iterator[tuple[SourcePart, ...]]:
    """The source with ever more definitions condensed, the largest first, from as many on as
    could be enough."""
    assert room.condensing is not None
    lines, filler = room.condensing.trigger_lines, room.condensing.filler
    bodies = _largest_first(material.facts.definitions, max(lines, _SMALL))
    condensed = [Condensed.of(one, material.source()) for one in bodies]
    needed = sum(room.tokens(one.text) for one in whole.messages(material, {})) - room.most
    saved = accumulate(room.tokens(one.code) - room.tokens(one.text(filler)) for one in condensed)
    for count, gain in enumerate(saved, 1):
        if gain >= needed or count == len(condensed):
            yield _with(material.source(), dict(zip(bodies[:count], condensed, strict=False)))


def _shorter_sources(material: Material) -> Iterator[tuple[SourcePart, ...]]:
    """The source with the bodies of ever more definitions left out, the largest first.

    Their signatures and what their doc comments say first stay.
    """
    source = material.source()
    bodies = _largest_first(material.facts.definitions, _SMALL)
    count = 1
    while bodies:
        stubs = {one: Condensed.of(one, source).text("") for one in bodies[:count]}
        yield _with(source, stubs)
        if count >= len(bodies):
            return
        count = min(count * 2, len(bodies))


def _largest_first(definitions: Sequence[Definition], lines: int) -> list[Definition]:
    """The definitions of more than so many lines that hold no other ones."""
    holders = {one.parent for one in definitions}
    innermost = [one for number, one in enumerate(definitions) if number not in holders]
    large = [one for one in innermost if one.end_line - one.start_line > lines]
    return sorted(large, key=lambda one: (one.start - one.end, one.start))


def _with(source: str, others: Mapping[Definition, SourcePart]) -> tuple[SourcePart, ...]:
    """The source with something else in place of some definitions."""
    data = source.encode("utf-8", "replace")
    parts: list[SourcePart] = []
    at = 0
    for one in sorted(others, key=lambda one: one.start):
        if one.start >= at:  # two names of one statement cover the same text
            parts += [data[at : one.start].decode("utf-8", "replace"), others[one]]
            at = one.end
    return (*parts, data[at:].decode("utf-8", "replace"))


def signatures_only(material: Material) -> str:
    """What the file says of itself and the heads of its definitions, in their order."""
    facts = material.facts
    lines = [first_sentence(facts.doc)] if facts.doc else []
    for one in facts.definitions:
        said = first_sentence(one.doc)
        if one.public or one.parent < 0:
            lines.append(f"{signature_of(one)}" + (f"  # {said}" if said and one.public else ""))
    return "\n".join(lines)


def _parts(
    material: Material, asked: tuple[Asked, ...], room: Room, share: float
) -> tuple[Part, ...]:
    """A question for each part of the file; the summary is asked of the first one."""
    frame = Part(asked, None, (), definitions=(), number="99 of 99").messages(material, {})
    left = room.most - sum(room.tokens(one.text) for one in frame)
    if left < _SMALLEST:
        return ()
    splitter = Splitter(material, int(left * share), room.tokens, room.condensing)
    groups = splitter.groups()
    parts = []
    for number, pieces in enumerate(groups, 1):
        own = _asked_of_part(asked, pieces, number == 1, len(groups))
        if own:
            parts.append(
                Part(
                    own,
                    None,
                    tuple(one for piece in pieces for one in piece.source),
                    definitions=tuple(one for piece in pieces for one in piece.definitions),
                    number=f"{number} of {len(groups)}",
                )
            )
    return tuple(parts)


def _asked_of_part(
    asked: Sequence[Asked], pieces: Sequence[Piece], is_first: bool, count: int
) -> tuple[Asked, ...]:
    names = {one.qualified for piece in pieces for one in piece.definitions if one.public}
    found = []
    for one in asked:
        each = tuple(name for name in one.each if name in names)
        words = one.max_words
        if words and not one.each:
            words = max(min(words, _FEWEST_WORDS), words // count)
        if (each or not one.each) and (is_first or one.id != SUMMARY):
            found.append(replace(one, each=each, max_words=words))
    return tuple(found)
