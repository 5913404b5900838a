"""From a first answer to sections that are complete, in the right language and true."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from twine_hooks.generation.answers import says_still_true
from twine_hooks.generation.check import Verdict, judge
from twine_hooks.generation.clean import cleaned
from twine_hooks.generation.dialogue import Dialogue
from twine_hooks.generation.merging import merged
from twine_hooks.generation.prompt import (
    Asked,
    entries_message,
    language_message,
    more_message,
    repair_message,
)
from twine_hooks.generation.vocabulary import WORD, Vocabulary
from twine_hooks.generation.writer import Truth

#: The writing that a language is known by; all others are Latin.
_SCRIPTS = {
    "japanese": r"[\u3040-\u30ff\u4e00-\u9fff]",
    "chinese": r"[\u4e00-\u9fff]",
    "korean": r"[\uac00-\ud7af]",
    "russian": r"[\u0400-\u04ff]",
    "ukrainian": r"[\u0400-\u04ff]",
    "bulgarian": r"[\u0400-\u04ff]",
    "greek": r"[\u0370-\u03ff]",
    "arabic": r"[\u0600-\u06ff]",
    "persian": r"[\u0600-\u06ff]",
    "hebrew": r"[\u0590-\u05ff]",
    "hindi": r"[\u0900-\u097f]",
    "thai": r"[\u0e00-\u0e7f]",
}
_LATIN = r"[A-Za-z\u00c0-\u024f]"
_CODE = re.compile(r"(?ms)^ *(```|~~~).*?^ *\1|`[^`]*`|\w+(?:[._/]\w+)+")


@dataclass(slots=True)
class Revision:
    """Works on the sections of one dialogue. ``present`` is the text of the document so far, and
    ``changed`` the names for which it may have to change (see `Change`). ``own`` are the sections
    that people wrote, each with what it may name."""

    dialogue: Dialogue
    asked: Sequence[Asked]
    known: Vocabulary
    present: Mapping[str, str]
    changed: frozenset[str] | None = None
    own: Mapping[str, Vocabulary] = field(default_factory=dict)
    _verdicts: dict[str, Verdict] = field(default_factory=dict)

    def complete(self) -> None:
        """Ask once more for what the first answer lacks: one by one where it was cut off."""
        missing = [one for one in self.asked if one.id not in self.dialogue.sections]
        is_long = not self.dialogue.is_whole
        for part in [[one] for one in missing] if is_long else [missing] if missing else []:
            self.dialogue.ask_also(more_message(part), part)

    def complete_entries(self) -> None:
        """Ask once for the definitions that a section should have and has not."""
        for one in self._answered():
            if one.id in self.own:  # a person may have left some out
                continue
            lacking = missing_entries(self.dialogue.sections[one.id], one.each)
            if lacking and not self._is_still_true(one.id):
                before = self.dialogue.sections[one.id]
                found = self.dialogue.ask_also(entries_message(one, lacking), [one])
                if one.id in found:
                    self.dialogue.sections[one.id] = f"{before}\n{found[one.id]}"

    def in_language(self, language: str) -> None:
        """Ask for a translation of sections in another writing."""
        wrong = [one for one in self._answered() if not self._is_in_language(one.id, language)]
        if wrong:
            self.dialogue.ask_also(language_message(language, wrong), wrong)

    def _is_in_language(self, name: str, language: str) -> bool:
        if name in self.own and not is_in_language(self.present[name], language):
            return True
        return self._is_still_true(name) or is_in_language(self.dialogue.sections[name], language)

    def repair(self) -> None:
        """Ask once to take back names that do not exist."""
        bad = [one for one in self._answered() if self._verdict(one.id).unknown]
        names = [name for one in bad for name in self._verdict(one.id).unknown]
        if bad:
            found = self.dialogue.ask_also(repair_message(names, bad), bad)
            for name in found:
                self._verdicts.pop(name, None)

    def true_texts(self, language: str) -> dict[str, str]:
        """The sections as they may be written; those of which nothing is true are left out."""
        texts = {
            one.id: self._verdict(one.id).text
            for one in self._answered()
            if self._is_in_language(one.id, language)
        }
        texts |= {
            name: merged(self.present[name], text, self.own[name].has_text) or ""
            for name, text in texts.items()
            if name in self.own
        }
        return {name: text for name, text in texts.items() if text.strip()}

    def truth(self) -> Truth:
        """What was looked at, and what of it did not pass."""
        verdicts = [self._verdict(one.id) for one in self._answered()]
        return Truth(
            names=sum(one.names for one in verdicts),
            unknown=sum(len(one.unknown) for one in verdicts),
            dropped=sum(one.dropped for one in verdicts),
        )

    def _answered(self) -> Iterable[Asked]:
        return [one for one in self.asked if one.id in self.dialogue.sections]

    def _is_still_true(self, name: str) -> bool:
        present = self.present.get(name)
        if not present:
            return False
        return says_still_true(self.dialogue.sections[name]) or self._is_untouched(name, present)

    def _known(self, name: str) -> Vocabulary:
        return self.own.get(name, self.known)

    def _is_untouched(self, name: str, present: str) -> bool:
        """Whether nothing that changed is mentioned: another wording of it would only be noise."""
        if self.changed is None or not self.changed.isdisjoint(WORD.findall(present)):
            return False
        return not judge(present, self._known(name)).unknown

    def _verdict(self, name: str) -> Verdict:
        if name not in self._verdicts:
            body, known = self.dialogue.sections[name], self._known(name)
            if self._is_still_true(name):
                text = self.present[name]
            else:
                text = "" if says_still_true(body) else cleaned(body, known.has_text)
            self._verdicts[name] = judge(text, known)
        return self._verdicts[name]


def is_in_language(text: str, language: str) -> bool:
    """Whether a text can be in a language, by its letters; code in it does not count."""
    words = _CODE.sub(" ", text)
    wanted = _SCRIPTS.get(language.strip().lower().partition(" ")[0])
    if wanted:
        return bool(re.search(wanted, words)) or not re.search(rf"{_LATIN}{{3,}}", words)
    foreign = sum(len(re.findall(one, words)) for one in sorted(set(_SCRIPTS.values())))
    return foreign <= len(re.findall(_LATIN, words))


def missing_entries(text: str, names: Iterable[str]) -> list[str]:
    """The names for which a text has no list item, heading or row."""
    entry = re.compile(r"^[ \t]*(?:[-*+|]|\d+[.)]|#{3,6})[ \t]*(?:\*\*)?`+ ?([^`]+?) ?`", re.M)
    there = {re.split(r"[(\s:]", found)[0] for found in entry.findall(text)}
    return [name for name in names if name not in there]
