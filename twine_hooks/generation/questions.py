"""What is asked about one document: code to condense first, then the file or each of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_store.cache import Cache
from twine_hooks.generation.answers import sections_in
from twine_hooks.generation.condensing import ASKED, Condensing, shortened
from twine_hooks.generation.dialogue import Dialogues, answer_key, remembered
from twine_hooks.generation.fitting import Part, Room, fitted
from twine_hooks.generation.prompt import SUMMARY, Asked, Change
from twine_hooks.generation.writer import Estimate
from twine_hooks.material import Material
from twine_hooks.providers.model import Message, Model

_EXPECTED = {SUMMARY: 80, ASKED.id: 100}  #: tokens of an answer's part
_EXPECTED_PROSE = 350


@dataclass(frozen=True, slots=True)
class Questions:
    """The parts in which a document is asked for, and how large code is condensed before."""

    material: Material
    parts: tuple[Part, ...]
    model: Model
    answer_tokens: int
    room: Room

    def condensed(self, dialogues: Dialogues) -> dict[str, str]:
        """By code what a model says of it. Raises ModelFailedError and LimitError."""
        return {
            code: self._condensing.said(dialogues.begin(messages).ask([ASKED]), self.model.tokens)
            for code, messages in self._about_code().items()
        }

    def estimate(self, cache: Cache) -> Estimate:
        """What asking them takes, where what was answered before is not asked again."""
        total = Estimate()
        said = {}
        for code, messages in self._about_code().items():
            answer = remembered(cache, self._key(messages))
            if answer is None:
                total += self._estimate(messages, [ASKED])
                said[code] = self._condensing.filler
            else:
                found = sections_in(answer.text, [ASKED], answer.is_whole)
                said[code] = self._condensing.said(found, self.model.tokens)
        is_certain = not total.calls  # else what is asked about the parts is not known yet
        for part in self.parts:
            messages = part.messages(self.material, said)
            is_known = is_certain or not part.condensed
            if not is_known or remembered(cache, self._key(messages)) is None:
                total += self._estimate(messages, part.asked)
        return total

    @property
    def _condensing(self) -> Condensing:
        assert self.room.condensing is not None
        return self.room.condensing

    def _about_code(self) -> dict[str, list[Message]]:
        """By code the question about it, each once."""
        codes = dict.fromkeys(one.code for part in self.parts for one in part.condensed)
        return {code: self._about(code) for code in codes}

    def _about(self, code: str) -> list[Message]:
        language = self.material.facts.language
        frame = self._condensing.messages("", language)
        left = self.room.most - sum(self.model.tokens(one.text) for one in frame)
        code = shortened(code, left, self.model.tokens)
        return self._condensing.messages(code, language)

    def _key(self, messages: Sequence[Message]) -> str:
        return answer_key(self.model.name, messages, self.answer_tokens)

    def _estimate(self, messages: Sequence[Message], asked: Sequence[Asked]) -> Estimate:
        tokens = sum(self.model.tokens(one.text) for one in messages)
        return Estimate(1, tokens, sum(map(_expected, asked)))


def questions_for(
    material: Material,
    asked: Sequence[Asked],
    change: Change | None,
    model: Model,
    most_told: int,
    condensing: Condensing | None,
) -> Questions:
    """What to ask so that it fits the model; ``most_told`` is the most tokens of an answer.

    Raises ModelFailedError where it cannot fit.
    """
    limits = model.limits()
    answer = min(n for n in (most_told, limits.answer_tokens, limits.context_tokens // 3) if n)
    most = limits.context_tokens - answer if limits.context_tokens else 0
    room = Room(most, model.tokens, condensing)
    return Questions(material, fitted(material, asked, change, room), model, answer, room)


def _expected(one: Asked) -> int:
    """Tokens that a section may take."""
    if one.each:
        return len(one.each) * (one.max_words or 40)
    return _EXPECTED.get(one.id, _EXPECTED_PROSE)
