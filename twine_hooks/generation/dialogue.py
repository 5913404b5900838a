"""The conversations about one document: each answer is remembered before it is used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from docs_store.cache import Cache
from docs_store.digest import digest
from twine_hooks.generation.answers import sections_in
from twine_hooks.generation.prompt import Asked
from twine_hooks.generation.spending import Spending
from twine_hooks.providers.model import Answer, Message, Model, ModelFailedError

ANSWERS = "answer"  #: kind in the cache: prompt's digest -> answer


class LimitError(Exception):
    """A limit of the run forbids another call; the message names it."""


@dataclass(slots=True)
class Dialogue:
    """Questions to a model and its answers, in order. Equal questions are asked once, ever."""

    model: Model
    cache: Cache
    spending: Spending
    answer_tokens: int
    messages: list[Message]
    calls: int = 0
    prompt_tokens: int = 0
    told_tokens: int = 0
    sections: dict[str, str] = field(default_factory=dict)
    is_whole: bool = True

    def ask(self, asked: Sequence[Asked]) -> dict[str, str]:
        """Ask what was said last; the sections of the answer, which replace earlier ones.

        Raises ModelFailedError and LimitError.
        """
        key = answer_key(self.model.name, self.messages, self.answer_tokens)
        known = remembered(self.cache, key)
        answer = known or self._call()
        found = sections_in(answer.text, asked, answer.is_whole)
        # A refusal or nonsense is no answer: asked again another day, there may be one.
        if known is None and found:
            self.cache.put(ANSWERS, key, _packed(answer))
        self.messages.append(Message("assistant", answer.text))
        self.is_whole = answer.is_whole
        self.sections.update(found)
        return found

    def ask_also(self, question: Message, asked: Sequence[Asked]) -> dict[str, str]:
        """Go on with another question."""
        self.messages.append(question)
        return self.ask(asked)

    def _call(self) -> Answer:
        reserved = sum(self.model.tokens(one.text) for one in self.messages), self.answer_tokens
        limit = self.spending.reserve(*reserved)
        if limit:
            raise LimitError(limit)
        answer = None
        try:
            answer = self.model.ask(self.messages, self.answer_tokens, self.spending.seconds_left)
        finally:
            self.spending.settle(*reserved, answer)
        self.calls += 1
        self.prompt_tokens += answer.prompt_tokens
        self.told_tokens += answer.answer_tokens
        if not answer.text.strip():
            raise ModelFailedError(f"{self.model.name} gave an empty answer; run it again")
        return answer


@dataclass(frozen=True, slots=True)
class Dialogues:
    """All conversations about one document, and what they took together."""

    model: Model
    cache: Cache
    spending: Spending
    answer_tokens: int
    _begun: list[Dialogue] = field(default_factory=list)

    def begin(self, messages: Sequence[Message]) -> Dialogue:
        """Another one, whose first question is still to be asked."""
        one = Dialogue(self.model, self.cache, self.spending, self.answer_tokens, list(messages))
        self._begun.append(one)
        return one

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self._begun)

    @property
    def prompt_tokens(self) -> int:
        return sum(one.prompt_tokens for one in self._begun)

    @property
    def told_tokens(self) -> int:
        return sum(one.told_tokens for one in self._begun)


def answer_key(model: str, messages: Sequence[Message], answer_tokens: int) -> str:
    """By what an answer is remembered: all that decides what it says."""
    parts = [part for one in messages for part in one]
    return digest(model, str(answer_tokens), *parts)


def remembered(cache: Cache, key: str) -> Answer | None:
    """The answer that was given to the very same question before."""
    packed = cache.get(ANSWERS, key)
    if packed is None:
        return None
    data = json.loads(packed)
    return Answer(data["text"], data["is_whole"], data["prompt_tokens"], data["answer_tokens"])


def _packed(answer: Answer) -> bytes:
    return json.dumps(
        {
            "text": answer.text,
            "is_whole": answer.is_whole,
            "prompt_tokens": answer.prompt_tokens,
            "answer_tokens": answer.answer_tokens,
        }
    ).encode()
