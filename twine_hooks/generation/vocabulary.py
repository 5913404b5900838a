"""The names that one document may use: those of its source and of what that uses; reads no answer.

A name counts as known where the source or a dependency's used part spells it, so that nothing true
is lost; where more is known (members of a class, parameters of a signature, files of the
repository) it has to agree with that, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.generation.known_names import is_prose, known_names
from twine_hooks.material import Material

WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_HOLDERS = frozenset({"class", "interface", "enum", "struct", "object", "trait", "record", "union"})
_NAMED = re.compile(r"(?:^|[,(])\s*([^\W\d]\w*)\s*=(?!=)")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Vocabulary:
    """What `Material` spells. ``exists`` tells whether the snapshot has a file."""

    words: frozenset[str]
    text: str  #: all that may be quoted, white space made single
    holders: dict[str, frozenset[str]]  #: words of a class's own lines, where it has no bases
    signatures: dict[str, frozenset[str]]  #: words of the signature by name
    open_signatures: frozenset[str]  #: names that take more than their signature lists
    language: str
    exists: Callable[[str], bool]

    def has_word(self, word: str) -> bool:
        return word in self.words or word in known_names(self.language)

    def has_text(self, text: str) -> bool:
        """Whether it stands literally in the data, but for white space."""
        return _SPACE.sub(" ", text.strip()) in self.text

    def has_dotted(self, name: str) -> bool:
        """Whether ``a.b.c`` can be meant: its parts exist, and what follows a class is in it."""
        if self._stands_alone(name):
            return True
        parts = [part for part in re.split(r"\.|::|->|#", name) if part]
        if not all(self.has_word(part) for part in parts):
            return False
        return not any(
            owner in self.holders and member not in self.holders[owner]
            for owner, member in pairwise(parts)
        )

    def _stands_alone(self, name: str) -> bool:
        return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", self.text) is not None

    def has_path(self, path: str) -> bool:
        """Whether a path is spelled in the data or leads to a file or folder of the snapshot."""
        plain = posixpath.normpath(path.strip("/")) if path.strip("/.") else path
        return self.has_text(path) or self.exists(plain)

    def has_flag(self, flag: str) -> bool:
        """Whether an option of a command line is spelled so, or as a parameter."""
        name = flag.lstrip("-").partition("=")[0]
        as_word = name.replace("-", "_")
        is_spelled = re.search(rf"(?<![\w-])-*{re.escape(name)}(?![\w-])", self.text)
        if "-" in name:
            return (
                bool(is_spelled)
                or as_word in self.words
                or as_word.removeprefix("no_") in self.words
            )
        return re.search(rf"(?<![\w-])-*{re.escape(name)}(?![\w-])", self.text) is not None

    def wrong_parameters(self, name: str, arguments: str) -> list[str]:
        """What a call ``name(arguments)`` passes that the signature of that name does not have."""
        signature = self.signatures.get(name)
        if signature is None or self.has_text(f"{name}({arguments})"):
            return []
        named = _NAMED.findall(arguments)
        wrong = [one for one in named if one not in signature and name not in self.open_signatures]
        plain = [one.strip() for one in arguments.split(",")]
        wrong += [
            one
            for one in plain
            if WORD.fullmatch(one)
            and one not in signature
            and one not in known_names(self.language)
            and name not in self.open_signatures
        ]
        return wrong

    def free_parameters(self, name: str, arguments: str) -> set[str]:
        """The names of a call's parameters that its signature leaves to the caller."""
        return set(_NAMED.findall(arguments)) if name in self.open_signatures else set()


def vocabulary_of(material: Material, source: str, exists: Callable[[str], bool]) -> Vocabulary:
    """The names that the document of ``material`` may use. ``source`` is its whole text."""
    facts = material.facts
    seen = [source, material.path, facts.language]
    for definition in facts.definitions:  # as the prompt lists them: "A.<init>", cut off or not
        seen += [definition.qualified, definition.signature]
    used: list[Definition] = []
    for one in material.dependencies:
        seen.append(one.path)
        for symbol in one.symbols:
            seen.append(symbol.name)
            if symbol.definition is not None:
                used.append(symbol.definition)
                seen += [symbol.definition.signature, symbol.definition.doc]
    text = _SPACE.sub(" ", "\n".join(seen))
    words = set(WORD.findall(text))
    words |= {part for word in list(words) if "$" in word for part in word.split("$")}
    signatures, is_open = _signatures([*facts.definitions, *used], _holder_words(facts, source))
    return Vocabulary(
        words=frozenset(words),
        text=text,
        holders=_closed_holders(facts, source),
        signatures=signatures,
        open_signatures=is_open,
        language=facts.language,
        exists=exists,
    )


def _lines_of(one: Definition, source: str) -> str:
    return source.encode("utf-8", "replace")[one.start : one.end].decode("utf-8", "replace")


def _holder_words(facts: Facts, source: str) -> dict[str, frozenset[str]]:
    """By name of a class the words between its first and last line."""
    return {
        one.name: frozenset(WORD.findall(_lines_of(one, source)))
        for one in facts.definitions
        if one.kind in _HOLDERS
    }


def _closed_holders(facts: Facts, source: str) -> dict[str, frozenset[str]]:
    """Only classes that inherit from nothing and are not changed from outside."""
    words = _holder_words(facts, source)
    names = [one.name for one in facts.definitions]
    return {
        one.name: words[one.name] | known_names(facts.language)
        for one in facts.definitions
        if one.kind in _HOLDERS
        and not one.bases
        and not one.decorators
        and names.count(one.name) == 1
    }


def _signatures(
    definitions: Iterable[Definition], holders: dict[str, frozenset[str]]
) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """Words of the signatures by name, and the names whose signature takes anything."""
    words: dict[str, set[str]] = {}
    is_open: set[str] = set()
    for one in definitions:
        if "(" not in one.signature and one.name not in holders:
            continue
        words.setdefault(one.name, set()).update(WORD.findall(one.signature))
        words[one.name] |= holders.get(one.name, frozenset())
        if one.bases or re.search(r"\*\*|\.\.\.|…|\bvararg\b|\bself\b.*\*", one.signature):
            is_open.add(one.name)
        if one.kind in _HOLDERS and one.name not in holders:
            is_open.add(one.name)  # a class of another file, whose constructor is not seen
    return {name: frozenset(found) for name, found in words.items()}, frozenset(is_open)


def exists_in(paths: Iterable[str]) -> Callable[[str], bool]:
    """Whether one of the paths is, or ends with, what is asked; so for their folders."""
    known: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            known.update("/".join(parts[start:end]) for start in range(end))
    return lambda path: path in known and not is_prose(path)
