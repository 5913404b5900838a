"""What is asked about one document: code to condense first, then the file or each of its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twine_hooks.generation.answers import sections_in
from twine_hooks.generation.condensing import ASKED, Condensing, shortened
from twine_hooks.generation.dialogue import Dialogues
from twine_hooks.generation.fitting import Part, Room, fitted
from twine_hooks.generation.prompt import Asked, Change
from twine_hooks.generation.sizing import Scale, answer_room, size_of
from twine_hooks.generation.writer import Estimate
from twine_hooks.material import Material
from twine_hooks.providers.model import Answer, Message

#: The answer that was given to these messages before, or None.
Remembered = Callable[[Sequence[Message]], Answer | None]


@dataclass(frozen=True, slots=True)
class Questions:
    """The parts in which a document is asked for, and how large code is condensed before."""

    material: Material
    parts: tuple[Part, ...]
    scale: Scale
    answer_tokens: int
    room: Room

    def condensed(self, dialogues: Dialogues) -> dict[str, str]:
        """By code what a model says of it. Raises ModelFailedError and LimitError."""
        return {
            code: self._condensing.said(dialogues.begin(messages).ask([ASKED]), self.scale.tokens)
            for code, messages in self._about_code().items()
        }

    def estimate(self, remembered: Remembered) -> Estimate:
        """What asking them takes, where what was answered before is not asked again."""
        total = Estimate()
        said = {}
        for code, messages in self._about_code().items():
            answer = remembered(messages)
            if answer is None:
                total += size_of(self.scale, messages, [ASKED])
                said[code] = self._condensing.filler
            else:
                found = sections_in(answer.text, [ASKED], answer.is_whole)
                said[code] = self._condensing.said(found, self.scale.tokens)
        is_certain = not total.calls  # else what is asked about the parts is not known yet
        for part in self.parts:
            messages = part.messages(self.material, said)
            is_known = is_certain or not part.condensed
            if not is_known or remembered(messages) is None:
                total += size_of(self.scale, messages, part.asked)
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
        left = self.room.most - sum(self.scale.tokens(one.text) for one in frame)
        code = shortened(code, left, self.scale.tokens)
        return self._condensing.messages(code, language)


def questions_for(
    material: Material,
    asked: Sequence[Asked],
    change: Change | None,
    scale: Scale,
    most_told: int,
    condensing: Condensing | None,
) -> Questions:
    """What to ask so that it fits the model; ``most_told`` is the most tokens of an answer.

    Raises ModelFailedError where it cannot fit.
    """
    limits = scale.limits()
    answer = answer_room(limits, most_told)
    most = limits.context_tokens - answer if limits.context_tokens else 0
    room = Room(most, scale.tokens, condensing)
    return Questions(material, fitted(material, asked, change, room), scale, answer, room)
