"""What writing asks of a model, whoever runs it: messages in, an answer or a failure out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from twine_hooks.errors import ProviderError


class Message(NamedTuple):
    """One turn of a conversation."""

    role: str  #: system, user or assistant
    text: str


class Answer(NamedTuple):
    """What a model said. ``is_whole`` is False where it was cut off at the limit of tokens."""

    text: str
    is_whole: bool = True
    prompt_tokens: int = 0
    answer_tokens: int = 0


class Limits(NamedTuple):
    """What a model can take, in tokens (0: not known), and what a token costs in US dollars."""

    context_tokens: int = 0
    answer_tokens: int = 0
    prompt_price: float | None = None
    answer_price: float | None = None

    def price(self, prompt_tokens: int, answer_tokens: int) -> float | None:
        """US dollars, or None where the prices are not known."""
        if self.prompt_price is None or self.answer_price is None:
            return None
        return prompt_tokens * self.prompt_price + answer_tokens * self.answer_price


class ModelFailedError(ProviderError):
    """A model gave no answer, after all retries.

    ``is_final``: asking for another document would fail as well (no key, no program, no network).
    ``is_too_long``: the prompt does not fit.
    """

    def __init__(self, message: str, *, is_final: bool = False, is_too_long: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final
        self.is_too_long = is_too_long


class Model(Protocol):
    """One model of one provider. Threads may share it."""

    @property
    def name(self) -> str:
        """The name by which its answers are remembered."""
        ...

    def limits(self) -> Limits: ...

    def tokens(self, text: str) -> int:
        """How many tokens a text has, near enough to reckon with."""
        ...

    def ask(self, messages: Sequence[Message], answer_tokens: int, seconds: float) -> Answer:
        """One answer of at most so many tokens. Raises ModelFailedError, also when the time is
        over: ``seconds`` is all that may be waited, retries included."""
        ...
