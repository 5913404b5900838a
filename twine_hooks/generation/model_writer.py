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
from twine_hooks.generation.dialogue import Dialogue, LimitError, answer_key, remembered
from twine_hooks.generation.fitting import fitted
from twine_hooks.generation.hand_edits import KEPT, MERGED, NO_FATES, OVERWRITTEN, Fates
from twine_hooks.generation.merging import vouched
from twine_hooks.generation.prompt import SUMMARY, Asked, Change, sections_of
from twine_hooks.generation.revision import Revision, missing_entries
from twine_hooks.generation.secrets import redact
from twine_hooks.generation.spending import Spending
from twine_hooks.generation.vocabulary import Vocabulary, vocabulary_of
from twine_hooks.generation.writer import Estimate, Truth, Written
from twine_hooks.inputs import Inputs
from twine_hooks.material import Material
from twine_hooks.plan import Task
from twine_hooks.providers.model import Message, Model, ModelFailedError
from twine_hooks.providers.outline import NAME, NOTE, entries, outline

PROSE, SOURCES = "prose", "source"  #: kinds in the cache: inputs -> texts, own digest -> source
#: Reasons that do not show in a file's own source.
_BEHIND = frozenset({"uses", "used", "dependencies", "template", "moved"})
_EXPECTED = {SUMMARY: 80}  #: tokens of an answer's part
_EXPECTED_PROSE = 350


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """See Writer. ``exists`` tells whether the snapshot has a file; ``source_before`` gives the
    text of a path whose source had that short digest, "" where nobody knows it any more."""

    model: Model
    cache: Cache
    spending: Spending
    exists: Callable[[str], bool]
    source_before: Callable[[str, str], str]
    answer_tokens: int

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
        asked, messages = self._question(material, asked, self._change(task, present, fates))
        if not asked:
            return Estimate()
        key = answer_key(self.model.name, messages, self._answer_tokens())
        calls = 0 if remembered(self.cache, key) else 1
        return Estimate(
            calls,
            calls * sum(self.model.tokens(one.text) for one in messages),
            calls * sum(_expected(one) for one in asked),
        )

    def _written(
        self,
        task: Task,
        material: Material,
        present: Document | None,
        asked: Sequence[Asked],
        fates: Fates,
    ) -> Written:
        change = self._change(task, present, fates)
        dialogue: Dialogue | None = None
        try:
            asked, messages = self._question(material, asked, change)
            if not asked:
                return Written({})
            dialogue = Dialogue(
                self.model, self.cache, self.spending, self._answer_tokens(), messages
            )
            texts, truth = self._texts(dialogue, material, asked, change)
        except LimitError as limit:
            is_untouched = dialogue is None or not dialogue.calls
            return self._counted(Written(None, str(limit), is_limit=is_untouched), dialogue)
        except ModelFailedError as error:
            self.spending.note(str(error), error.is_final)
            return self._counted(self._failed(material, present, str(error)), dialogue)
        self.spending.note("")
        return self._counted(Written(texts, truth=truth), dialogue)

    def _texts(
        self,
        dialogue: Dialogue,
        material: Material,
        asked: Sequence[Asked],
        change: Change | None,
    ) -> tuple[dict[str, str], Truth]:
        """Sections that are complete and true."""
        known = vocabulary_of(material, material.source(), self.exists)
        change = change or Change({})
        own = _vouched(known, change)
        revision = Revision(dialogue, asked, known, change.texts, change.changed, own)
        dialogue.ask(asked)
        # Without further answers, what the first one says is judged all the same.
        with suppress(LimitError, ModelFailedError):
            revision.complete()
            revision.complete_entries()
            revision.in_language(material.output_language)
            revision.repair()
        texts = revision.true_texts(material.output_language)
        if not texts and own.keys().isdisjoint(dialogue.sections):
            raise ModelFailedError(
                f"{self.model.name} answered with none of the sections; run again"
            )
        standing_in = _stand_ins(material)
        missing = {
            one.id: standing_in[one.id]
            for one in asked
            if one.id in standing_in and one.id not in own
        }
        for one in asked:
            if one.id in texts and one.id not in own:
                texts[one.id] = _with_all_entries(texts[one.id], one, material)
        truth = revision.truth()
        return missing | texts, replace(truth, stood_in=len(missing.keys() - texts.keys()))

    def _question(
        self, material: Material, asked: Sequence[Asked], change: Change | None
    ) -> tuple[tuple[Asked, ...], list[Message]]:
        """What is asked for, and the question; where what people wrote does not fit into it, it
        is not asked for."""
        limits = self.model.limits()
        room = limits.context_tokens - self._answer_tokens() if limits.context_tokens else 0
        try:
            return tuple(asked), fitted(material, asked, change, room, self.model.tokens)
        except ModelFailedError as error:
            if not error.is_too_long or change is None or not change.by_hand:
                raise
        rest = tuple(one for one in asked if one.id not in change.by_hand)
        texts = {name: text for name, text in change.texts.items() if name not in change.by_hand}
        change = replace(change, texts=texts, by_hand=())
        return rest, fitted(material, rest, change, room, self.model.tokens) if rest else []

    def _answer_tokens(self) -> int:
        limits = self.model.limits()
        most = [self.answer_tokens, limits.answer_tokens, limits.context_tokens // 3]
        return min(one for one in most if one)

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
        reasons = tuple(str(one) for one in task.reasons if one.kind in _BEHIND)
        before = self.source_before(path, present.header.own)
        return Change(texts, before, reasons, _changed_names(task), tuple(own))

    def _failed(self, material: Material, present: Document | None, problem: str) -> Written:
        """The outline for a document that no model wrote; what a model wrote stays, and stale."""
        if present is not None and present.header.by != NAME:
            return Written(None, problem)
        return Written(outline(material), problem, by=NAME)

    def _counted(self, written: Written, dialogue: Dialogue | None) -> Written:
        if dialogue is None:
            return written
        return replace(
            written,
            calls=dialogue.calls,
            prompt_tokens=dialogue.prompt_tokens,
            answer_tokens=dialogue.told_tokens,
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


def _expected(one: Asked) -> int:
    """Tokens that a section may take."""
    if one.each:
        return len(one.each) * (one.max_words or 40)
    return _EXPECTED.get(one.id, _EXPECTED_PROSE)


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
