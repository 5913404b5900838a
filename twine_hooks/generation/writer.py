"""What a refresh asks of a model's writer; knows no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from docs_store.document import Document
from twine_hooks.generation.hand_edits import Fates
from twine_hooks.inputs import Inputs
from twine_hooks.material import Material
from twine_hooks.plan import Task

#: Stands for the summary of a document that is not written yet: about as long as one's first words.
EXPECTED_SUMMARY = (
    "What this file is for, and what a reader who is new to the project must know of it first."
)


class Truth(NamedTuple):
    """What the gate made of an answer after its repair: names of code in it, those that nothing
    knows, sentences dropped for them, and sections for which the outline stands in."""

    names: int = 0
    unknown: int = 0
    dropped: int = 0
    stood_in: int = 0

    def __add__(self, other: Truth) -> Truth:  # type: ignore[override]
        return Truth(
            self.names + other.names,
            self.unknown + other.unknown,
            self.dropped + other.dropped,
            self.stood_in + other.stood_in,
        )


class Written(NamedTuple):
    """Prose by section id, or (``texts`` None) why there is none.

    With texts, ``problem`` says why the outline stands in for a model that failed.
    """

    texts: Mapping[str, str] | None
    problem: str = ""
    is_limit: bool = False  #: a limit of the run was met
    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    truth: Truth | None = None  #: None where no answer was judged
    by: str = ""  #: goes into the header: "" for a model, "outline" where it stood in

    @property
    def asked(self) -> Estimate:
        """What was asked for it."""
        return Estimate(self.calls, self.prompt_tokens, self.answer_tokens)


class Estimate(NamedTuple):
    """What writing takes of a model: as it would be if that answers well, or as it was."""

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:  # type: ignore[override]
        return Estimate(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )


class Writer(Protocol):
    """Writes the prose of one document with a model; never raises for what a model does.

    ``fates`` tell what becomes of the sections of ``present`` that people edited. Of one that is
    MERGED there is a text only where a model's correction of it may stand in its place.
    """

    def write(
        self,
        task: Task,
        material: Material,
        inputs: Inputs,
        present: Document | None,
        fates: Fates = ...,
    ) -> Written: ...

    def estimate(
        self,
        task: Task,
        material: Material,
        inputs: Inputs,
        present: Document | None,
        fates: Fates = ...,
    ) -> Estimate:
        """What `write` would take; asks nobody."""
        ...
