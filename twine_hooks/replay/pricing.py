"""What one document takes: its question to a model, and the lines of it that change."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from docs_store.document import render
from twine_hooks.generation.author import compose
from twine_hooks.generation.condensing import Condensing
from twine_hooks.generation.model_writer import asked_of
from twine_hooks.generation.prompt import Change
from twine_hooks.generation.questions import questions_for
from twine_hooks.generation.sizing import Scale, expected_texts, reasons_behind
from twine_hooks.generation.writer import EXPECTED_SUMMARY, Estimate
from twine_hooks.material import Material
from twine_hooks.plan import Task
from twine_hooks.providers.model import ModelFailedError
from twine_hooks.providers.outline import NAME, outline
from twine_hooks.replay.sources import Sources

_TEXTS = 1000  #: sources that are kept in memory


class Content(NamedTuple):
    """All that text and question of a document follow from, whichever policy makes it stale."""

    path: str
    blob: str
    uses: str
    place: str
    says_uses: bool  #: whether it may repeat what others say of themselves


Prose = tuple[tuple[str, str], ...]  #: (section id, text)


class Text(NamedTuple):
    """A document without its first line, and the prose in it."""

    body: str
    prose: Prose


@dataclass(frozen=True, slots=True)
class Pricing:
    """``scale`` measures questions that leave room for answers of ``answer_tokens``."""

    scale: Scale
    answer_tokens: int
    condensing: Condensing | None = None
    _bodies: dict[tuple[Content, Prose | None], Text] = field(default_factory=dict)
    _estimates: dict[tuple[object, ...], Estimate | None] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)

    def text(self, sources: Sources, path: str, policy: str, kept: Prose | None = None) -> Text:
        """The document as it is without a model; ``kept`` is prose that stays as it is."""
        content = _content(sources, path, policy)
        key = (content, kept)
        if key not in self._bodies:
            material = _material(sources, content, lambda other: False)
            prose = outline(material) if kept is None else dict(kept)
            document = compose(material, sources.base_inputs(path), prose, None, NAME)
            body = render(document).partition("\n")[2]
            self._bodies[key] = Text(body, tuple(sorted(prose.items())))
        return self._bodies[key]

    def estimate(
        self,
        sources: Sources,
        task: Task,
        policy: str,
        blob_before: str,
        has_summary: Callable[[str], bool],
    ) -> Estimate | None:
        """What a model is asked for a document, where it answers well; None where the source fits
        into no question.

        ``blob_before`` is the source that the present document was written for, "" without one.
        """
        content = _content(sources, task.path, policy)
        reasons = reasons_behind(task.reasons) if blob_before else ()
        others = tuple(has_summary(one) for one in sources.dependencies(task.path))
        key = (content, blob_before, reasons, others)
        if key not in self._estimates:
            material = _material(sources, content, has_summary)._replace(
                source=lambda: self._text(sources, content.blob),
            )
            before = self._text(sources, blob_before) if blob_before else None
            self._estimates[key] = self._estimate(material, reasons, before)
        return self._estimates[key]

    def _text(self, sources: Sources, blob: str) -> str:
        """A source, kept for a while: the next commits ask for it again."""
        if blob not in self._texts:
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            [(_, data)] = sources.evaluation.snapshot.read([blob])
            self._texts[blob] = data.decode("utf-8", "replace")
        return self._texts[blob]

    def _estimate(
        self, material: Material, reasons: tuple[str, ...], before: str | None
    ) -> Estimate | None:
        asked = asked_of(material, None)
        change = None if before is None else Change(expected_texts(asked), before, reasons)
        try:
            questions = questions_for(
                material, asked, change, self.scale, self.answer_tokens, self.condensing
            )
        except ModelFailedError as error:
            if error.is_too_long:
                return None
            raise
        return questions.estimate(lambda messages: None)


def _content(sources: Sources, path: str, policy: str) -> Content:
    inputs = sources.base_inputs(path)
    blob = sources.evaluation.snapshot.files[path]
    return Content(path, blob, inputs.uses, inputs.place, policy != "none")


def _material(sources: Sources, content: Content, has_summary: Callable[[str], bool]) -> Material:
    def summary(path: str) -> str:
        return f"… {EXPECTED_SUMMARY}" if has_summary(path) else ""

    material = sources.evaluation.material(content.path, summary)
    return material._replace(says_uses=content.says_uses)


def lines_in(text: str) -> int:
    """The lines of a text that ends with a line end."""
    return text.count("\n")


@lru_cache(maxsize=1024)  # the same document changes in the same way under most policies
def lines_between(before: str, after: str) -> int:
    """The lines that are added and removed from one text to another."""
    if before == after:
        return 0
    old, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(
        (end - start) + (new_end - new_start)
        for kind, start, end, new_start, new_end in matcher.get_opcodes()
        if kind != "equal"
    )
