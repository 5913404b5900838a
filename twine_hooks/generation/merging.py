"""A person's text corrected by a model's answer: their words stay; judges no name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from docs_store.markdown import canonical
from twine_hooks.generation.clean import cleaned
from twine_hooks.generation.secrets import redact
from twine_hooks.generation.vocabulary import WORD, Vocabulary
from twine_hooks.markup import visible

_KEPT_AT_LEAST = 0.5  #: of a person's words, each counted with the one before it
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t]|[ \t]*\|)")
_FENCED = re.compile(r"(?ms)^ *(`{3,}|~{3,}).*?(?:^ *\1[`~]*[ \t]*$|\Z)")


def merged(own: str, answer: str, is_known_address: Callable[[str], bool]) -> str | None:
    """The answer, with what it repeats of a person's text as it stands there.

    None where it may not take the place of that: it keeps less than half of the words in their
    order, or changes a passage with something that no answer can hold, as an image. For
    ``is_known_address`` see `cleaned`.
    """
    if answer == own:
        return own
    sayable = {block: _key(_sayable(block, is_known_address)) for block, _ in _blocks(own)}
    said = {_key(block) for block, _ in _blocks(answer)}
    is_cut = any(
        _key(block) != key and said.isdisjoint((_key(block), key)) for block, key in sayable.items()
    )
    stands_for = {key: block for block in sayable for key in (sayable[block], _key(block))}
    text = "".join(stands_for.get(_key(block), block) + gap for block, gap in _blocks(answer))
    return None if is_cut or _kept_share(own, text) < _KEPT_AT_LEAST else text


def vouched(known: Vocabulary, own: str, before: str, changed: Iterable[str]) -> Vocabulary:
    """``known``, with the names that a person wrote down: they know of more than the sources say.

    But not those that were known once and are no more: ``before`` is the source that the text was
    written for, ``changed`` are names that changed elsewhere.
    """
    former = {*WORD.findall(before), *changed}
    gone = {word for word in WORD.findall(own) if word in former and not known.has_word(word)}
    there = WORD.sub(lambda found: "\x00" if found[0] in gone else found[0], own)
    text = f"{known.text} \x00 {' '.join(there.split())}"
    return replace(known, text=text, words=known.words | frozenset(WORD.findall(there)))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """(paragraph, item, row or fenced code; what stands between it and the next)."""
    fences = [(found.start(), found.end()) for found in _FENCED.finditer(text)]
    start = 0
    for gap in _BLOCK.finditer(text):
        if gap.start() < start or any(first < gap.start() < end for first, end in fences):
            continue
        yield text[start : gap.start()], gap[0]
        start = gap.end()
    yield text[start:], ""


def _sayable(block: str, is_known_address: Callable[[str], bool]) -> str:
    """What is left of a block in an answer that says it again word for word."""
    return cleaned(redact(visible(block)).text, is_known_address)


def _key(text: str) -> str:
    return canonical(text.strip())


def _kept_share(own: str, text: str) -> float:
    before, after = _pairs(own), _pairs(text)
    return (before & after).total() / max(1, before.total())


def _pairs(text: str) -> Counter[tuple[str, str]]:
    return Counter(pairwise(["", *re.findall(r"\w+", text.casefold())]))
