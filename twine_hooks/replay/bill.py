"""What the documents of one commit cost under one policy, as values that add up."""

from __future__ import annotations

from dataclasses import dataclass

from twine_hooks.generation.writer import Estimate


@dataclass(frozen=True, slots=True)
class Bill:
    """Documents by what happens to them, and what a model is asked for those that are written.

    ``written``: prose made anew, by a call or from what is remembered; ``too_long``: of these, the
    ones whose source fits into no question. ``least_calls``: see `bound`. ``doc_lines``: lines
    added and removed.
    """

    written: int = 0
    rendered: int = 0
    moved: int = 0
    removed: int = 0
    calls: int = 0
    least_calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    doc_lines: int = 0
    too_long: int = 0
    asked: tuple[str, ...] = ()  #: the sources that a model is asked about, in order

    @property
    def documents(self) -> int:
        """The documents that change."""
        return self.written + self.rendered + self.moved + self.removed

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.calls, self.prompt_tokens, self.answer_tokens)

    def __add__(self, other: Bill) -> Bill:
        return Bill(*(getattr(self, name) + getattr(other, name) for name in Bill.__slots__))
