"""How large a question about a document is, and its answer; asks nobody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from twine_hooks.generation.condensing import ASKED
from twine_hooks.generation.prompt import SUMMARY, Asked
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import Reason
from twine_hooks.providers.model import Limits, Message

#: Reasons that do not show in a file's own source.
_BEHIND = frozenset({"uses", "used", "dependencies", "template", "moved"})
_EXPECTED = {SUMMARY: 80, ASKED.id: 100}  #: tokens of an answer's part
_EXPECTED_PROSE = 350
_ONE_TOKEN = "one "


class Scale(Protocol):
    """What a question is measured with: a part of ``Model``."""

    def limits(self) -> Limits: ...

    def tokens(self, text: str) -> int: ...


def answer_room(limits: Limits, wished: int) -> int:
    """Tokens that an answer may have: ``wished``, or what the model allows."""
    most = [wished, limits.answer_tokens, limits.context_tokens // 3]
    return min(one for one in most if one)


def size_of(scale: Scale, messages: Iterable[Message], asked: Iterable[Asked]) -> Estimate:
    """One call with these messages, and an answer as long as is to be expected."""
    prompt = sum(scale.tokens(one.text) for one in messages)
    return Estimate(1, prompt, sum(_expected(one) for one in asked))


def expected_texts(asked: Iterable[Asked]) -> dict[str, str]:
    """By section id a text as long as is to be expected of a model: for documents that nobody has
    written yet."""
    return {one.id: (_ONE_TOKEN * _expected(one)).strip() for one in asked}


def reasons_behind(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """What a question says besides the change of the source itself."""
    return tuple(str(one) for one in reasons if one.kind in _BEHIND)


def _expected(one: Asked) -> int:
    """Tokens that a section may take."""
    if one.each:
        return len(one.each) * (one.max_words or 40)
    return _EXPECTED.get(one.id, _EXPECTED_PROSE)
