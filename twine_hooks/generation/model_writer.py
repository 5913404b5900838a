"""Writes the prose of one document with a model: ask, complete, check, repair, or stand in.

Whatever the model does ends as a value: a failure leaves a document that a model wrote as it is,
and gives one that has none yet the outline.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from docs_store.cache import Cache
from docs_store.digest import digest, short
from docs_store.document import Document, edited
from twine_hooks.generation import bills
from twine_hooks.generation.condensing import Condensing
from twine_hooks.generation.dialogue import Dialogues, LimitError, answer_key, remembered
from twine_hooks.generation.fitting import Part
from twine_hooks.generation.hand_edits import KEPT, MERGED, NO_FATES, OVERWRITTEN, Fates
from twine_hooks.generation.merging import vouched
from twine_hooks.generation.prompt import Asked, Change, sections_of
from twine_hooks.generation.questions import Questions, questions_for
from twine_hooks.generation.revision import Revision, missing_entries
from twine_hooks.generation.secrets import redact
from twine_hooks.generation.sizing import reasons_behind
from twine_hooks.generation.spending import Spending
from twine_hooks.generation.vocabulary import Vocabulary, vocabulary_of
from twine_hooks.generation.writer import Estimate, Truth, Written
from twine_hooks.inputs import Inputs
from twine_hooks.material import Material
from twine_hooks.plan import Task
from twine_hooks.providers.model import Model, ModelFailedError
from twine_hooks.providers.outline import NAME, NOTE, entries, outline
from twine_hooks.sentences import at_most

PROSE, SOURCES = "prose", "source"  #: kinds in the cache: inputs -> texts, own digest -> source


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """See Writer. ``exists`` tells whether the snapshot has a file; ``source_before`` gives the
    text of a path whose source had that short digest, "" where nobody knows it any more.
    ``stands_in``: where the model fails, the outline writes what no model wrote yet."""

    model: Model
    cache: Cache
    spending: Spending
    exists: Callable[[str], bool]
    source_before: Callable[[str, str], str]
    answer_tokens: int
    condensing: Condensing | None = None
    stands_in: bool = True

    def write(
        self,
        task: Task,
        material: Material,
        inputs: Inputs,
        present: Document | None,
        fates: Fates = NO_FATES,
    ) -> Written:
        """The prose of a document, from memory where these inputs were written about before."""
        asked = asked_of(material, present, fates)
        key = self._prose_key(material, inputs, asked, _own_texts(present, fates))
        known = self._known(task, key)
        if known is not None or not asked:
            return Written(known or {})
        if redact(material.source()).is_private_key:
            return Written(None, "it is a private key, which is not sent anywhere")
        if self.spending.out_of_order:
            return self._failed(material, present, f"not asked: {self.spending.out_of_order}")
        written = self._written(task, material, present, asked, fates)
        if written.texts is not None and not written.by:
            self._remember(key, material, inputs, written.texts)
        bills.record(self.cache, material.path, inputs.digest, written.asked)
        return written

    def estimate(
        self,
        task: Task,
        material: Material,
        inputs: Inputs,
        present: Document | None,
        fates: Fates = NO_FATES,
    ) -> Estimate:
        """What `write` would take, as far as can be told before."""
        asked = asked_of(material, present, fates)
        key = self._prose_key(material, inputs, asked, _own_texts(present, fates))
        if not asked or self._known(task, key) is not None:
            return Estimate()
        try:
            change = self._change(task, present, fates)
            questions = self._questions(material, asked, change)[0]
        except ModelFailedError as error:
            if not error.is_too_long:
                raise
            return Estimate()  # nothing is asked
        if questions is None:
            return Estimate()
        told = questions.answer_tokens
        return questions.estimate(
            lambda messages: remembered(self.cache, answer_key(self.model.name, messages, told))
        )

    def _questions(
        self, material: Material, asked: Sequence[Asked], change: Change | None
    ) -> tuple[Questions | None, Change | None]:
        """What is asked, None for nothing, and about which change. Where what people wrote does
        not fit, it is not asked for."""
        limits = (self.model, self.answer_tokens, self.condensing)
        try:
            return questions_for(material, asked, change, *limits), change
        except ModelFailedError as error:
            if not error.is_too_long or change is None or not change.by_hand:
                raise
        rest = [one for one in asked if one.id not in change.by_hand]
        texts = {name: text for name, text in change.texts.items() if name not in change.by_hand}
        change = replace(change, texts=texts, by_hand=())
        return questions_for(material, rest, change, *limits) if rest else None, change

    def _written(
        self,
        task: Task,
        material: Material,
        present: Document | None,
        asked: Sequence[Asked],
        fates: Fates,
    ) -> Written:
        change = self._change(task, present, fates)
        dialogues: Dialogues | None = None
        try:
            questions, change = self._questions(material, asked, change)
            if questions is None:
                return Written({})
            dialogues = Dialogues(self.model, self.cache, self.spending, questions.answer_tokens)
            texts, truth = self._texts(dialogues, questions, change or Change({}))
        except LimitError as limit:
            return self._counted(Written(None, str(limit), is_limit=True), dialogues)
        except ModelFailedError as error:
            self.spending.note(str(error), error.is_final)
            return self._counted(self._failed(material, present, str(error)), dialogues)
        self.spending.note("")
        own = _own_texts(present, fates)  # what a person wrote is neither completed nor cut
        texts, stood_in = _completed(texts, [one for one in asked if one.id not in own], material)
        return self._counted(Written(texts, truth=truth._replace(stood_in=stood_in)), dialogues)

    def _texts(
        self, dialogues: Dialogues, questions: Questions, change: Change
    ) -> tuple[dict[str, str], Truth]:
        """What is true of the answers, in the order of the file's parts."""
        material = questions.material
        known = vocabulary_of(material, material.source(), self.exists)
        said = questions.condensed(dialogues)
        own = _vouched(known, change)
        bodies: dict[str, list[str]] = {}
        truth = Truth()
        is_answered = False
        for part in questions.parts:
            dialogue = dialogues.begin(part.messages(material, said))
            # The present text is about the whole.
            present, changed = ({}, None) if part.number else (change.texts, change.changed)
            revision = Revision(dialogue, part.asked, known, present, changed, own)
            texts = self._revised(revision, part, material)
            truth += revision.truth()
            is_answered |= bool(texts) or not own.keys().isdisjoint(dialogue.sections)
            for name, text in texts.items():
                bodies.setdefault(name, []).append(text)
        each = {one.id for part in questions.parts for one in part.asked if one.each}
        if not is_answered:
            raise self._without_answer()
        return {
            name: ("\n" if name in each else "\n\n").join(bodies[name]) for name in bodies
        }, truth

    def _revised(self, revision: Revision, part: Part, material: Material) -> dict[str, str]:
        """The sections of one part that are complete and true."""
        if not revision.dialogue.ask(part.asked) and part.number:
            raise self._without_answer()
        # Without further answers, what the first one says is judged all the same.
        with suppress(LimitError, ModelFailedError):
            revision.complete()
            revision.complete_entries()
            revision.in_language(material.output_language)
            revision.repair()
        return revision.true_texts(material.output_language)

    def _without_answer(self) -> ModelFailedError:
        return ModelFailedError(f"{self.model.name} answered with none of the sections; run again")

    def _change(self, task: Task, present: Document | None, fates: Fates) -> Change | None:
        """What stands there to be changed; None where it is written anew."""
        own = _own_texts(present, fates)
        is_anew = any(reason.kind in ("asked", "upgrade") for reason in task.reasons)
        if present is None or ((present.header.by == NAME or is_anew) and not own):
            return None
        texts = {
            name: text for name, text in present.texts().items() if fates.get(name) != OVERWRITTEN
        }
        if present.header.by == NAME or is_anew:
            texts = own
        path = task.origin or task.path
        before = self.source_before(path, present.header.own)
        reasons = reasons_behind(task.reasons)
        return Change(texts, before, reasons, _changed_names(task), tuple(own))

    def _failed(self, material: Material, present: Document | None, problem: str) -> Written:
        """The outline for a document that no model wrote; what a model wrote stays, and stale."""
        if not self.stands_in or (present is not None and present.header.by != NAME):
            return Written(None, problem)
        return Written(outline(material), problem, by=NAME)

    def _counted(self, written: Written, dialogues: Dialogues | None) -> Written:
        if dialogues is None:
            return written
        return written._replace(
            calls=dialogues.calls,
            prompt_tokens=dialogues.prompt_tokens,
            answer_tokens=dialogues.told_tokens,
        )

    def _known(self, task: Task, key: str) -> dict[str, str] | None:
        if any(reason.kind == "asked" for reason in task.reasons):
            return None
        packed = self.cache.get(PROSE, key)
        return None if packed is None else dict(json.loads(packed))

    def _remember(
        self, key: str, material: Material, inputs: Inputs, texts: Mapping[str, str]
    ) -> None:
        self.cache.put(PROSE, key, json.dumps(dict(texts)).encode())
        source = zlib.compress(material.source().encode("utf-8", "replace"))
        self.cache.put(SOURCES, short(inputs.own), source)

    def _prose_key(
        self,
        material: Material,
        inputs: Inputs,
        asked: Sequence[Asked],
        own: Mapping[str, str],
    ) -> str:
        prompts = [part for one in asked for part in (one.id, one.title, one.prompt)]
        by_hand = [part for name, text in own.items() for part in ("by hand", name, text)]
        return digest(self.model.name, material.path, inputs.digest, *prompts, *by_hand)


def _changed_names(task: Task) -> frozenset[str] | None:
    """The names that changed in what a file uses, where nothing else is behind a task."""
    if any(one.kind != "uses" for one in task.reasons):
        return None
    files = {one.subject.rpartition("/")[2].partition(".")[0] for one in task.reasons}
    symbols = {part for one in task.reasons for name in one.symbols for part in name.split(".")}
    return frozenset(files | symbols)


def _own_texts(present: Document | None, fates: Fates) -> dict[str, str]:
    """By section id what people wrote that a model is to correct."""
    texts = present.texts() if present else {}
    return {name: text for name, text in texts.items() if fates.get(name) == MERGED}


def _vouched(known: Vocabulary, change: Change) -> dict[str, Vocabulary]:
    """What each section that a person wrote may name."""
    changed = sorted(change.changed or ())
    before = change.source_before
    return {name: vouched(known, change.texts[name], before, changed) for name in change.by_hand}


def asked_of(
    material: Material, present: Document | None, fates: Fates = NO_FATES
) -> tuple[Asked, ...]:
    """What a model is asked for: all prose that no person has taken over for good."""
    by_hand = edited(present) if present else ()
    kept = [name for name in by_hand if fates.get(name, KEPT) == KEPT]
    public = list(dict.fromkeys(one.qualified for one in material.facts.definitions if one.public))
    return sections_of(material.template, kept, public)


def remembered_source(cache: Cache, own: str) -> str:
    """The source with that short digest, as it was when its document was written; or ""."""
    packed = cache.get(SOURCES, own)
    try:
        return zlib.decompress(packed).decode() if packed is not None else ""
    except (zlib.error, UnicodeDecodeError):
        return ""


def _completed(
    texts: Mapping[str, str], asked: Sequence[Asked], material: Material
) -> tuple[dict[str, str], int]:
    """The texts within their limits, with the outline's for sections and entries that they lack;
    and for how many sections it stands in."""
    standing_in = _stand_ins(material)
    missing = {one.id: standing_in[one.id] for one in asked if one.id in standing_in}
    whole = missing | dict(texts)
    for one in asked:
        if one.id in texts:
            whole[one.id] = at_most(_with_all_entries(texts[one.id], one, material), one.max_chars)
    return whole, len(missing.keys() - texts.keys())


def _with_all_entries(text: str, asked: Asked, material: Material) -> str:
    """With the outline's entry for each definition that the answer lacks."""
    lacking = missing_entries(text, asked.each)
    if not lacking:
        return text
    known = entries(material)
    return "\n".join([text, *(known[name] for name in lacking)])


def _stand_ins(material: Material) -> dict[str, str]:
    """The outline's texts, for sections in which nothing true is left."""
    texts = {name: text.replace(NOTE, "").strip() for name, text in outline(material).items()}
    return {name: text for name, text in texts.items() if text}
