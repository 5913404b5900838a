"""What a run may spend on a model and what it has spent; knows nothing of what is bought."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from twine_hooks.providers.model import Answer, Limits

_FAILURES_IN_A_ROW = 2


class Allowance(NamedTuple):
    """None is without limit. ``max_cost`` is in US dollars, ``max_seconds`` from the start."""

    max_calls: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None


class Spending:
    """Counts calls, tokens, price and failures of one run. Threads may share it.

    After ``patience`` documents in a row that failed, a model counts as out of order; None for
    never.
    """

    def __init__(
        self,
        allowance: Allowance,
        prices: Callable[[], Limits],
        patience: int | None = _FAILURES_IN_A_ROW,
    ) -> None:
        self.allowance = allowance
        self.prices = prices  #: asked when the first call is made
        self.patience = patience
        self.calls = 0
        self.prompt_tokens = 0
        self.answer_tokens = 0
        self.out_of_order = ""  #: why nothing more is asked
        self._failures = 0
        self._reserved = 0.0
        self._start = time.monotonic()
        self._guard = threading.Lock()

    @property
    def cost(self) -> float | None:
        """US dollars so far; None where prices are not known."""
        if not self.calls:
            return 0.0
        return self.prices().price(self.prompt_tokens, self.answer_tokens)

    @property
    def seconds_left(self) -> float:
        if self.allowance.max_seconds is None:
            return 3600.0
        return self._start + self.allowance.max_seconds - time.monotonic()

    def reserve(self, prompt_tokens: int, answer_tokens: int) -> str:
        """Take one call of this size out of what is left; the limit that forbids it, or ""."""
        price = self.prices().price(prompt_tokens, answer_tokens) or 0.0
        with self._guard:
            limit = self._limit(price)
            if not limit:
                self.calls += 1
                self._reserved += price
            return limit

    def _limit(self, price: float) -> str:
        allowance = self.allowance
        if allowance.max_calls is not None and self.calls >= allowance.max_calls:
            return f"the limit of {allowance.max_calls} calls is reached"
        spent = (self.cost or 0.0) + self._reserved + price
        if allowance.max_cost is not None and spent > allowance.max_cost:
            return f"the limit of ${allowance.max_cost:.2f} is reached"
        if self.seconds_left <= 0:
            return f"the limit of {allowance.max_seconds:.0f} seconds is reached"
        return ""

    def settle(self, prompt_tokens: int, answer_tokens: int, answer: Answer | None) -> None:
        """Replace a reservation by what the call really took; None where it failed."""
        with self._guard:
            self._reserved -= self.prices().price(prompt_tokens, answer_tokens) or 0.0
            if answer is not None:
                self.prompt_tokens += answer.prompt_tokens
                self.answer_tokens += answer.answer_tokens

    def note(self, problem: str, is_final: bool = False) -> None:
        """Remember that a document failed, or (problem "") did not."""
        with self._guard:
            self._failures = self._failures + 1 if problem else 0
            is_lost = self.patience is not None and self._failures >= self.patience
            if is_final or is_lost:
                self.out_of_order = self.out_of_order or problem
