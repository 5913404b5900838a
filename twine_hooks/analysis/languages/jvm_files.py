"""What Java and Kotlin files have in common: doc comments, types of members, references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span, without_indentation, without_stars
from twine_hooks.analysis.languages.jvm_chains import UNKNOWN, Chains, Found, spans_around
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import innermost

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE_NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|@[\w.$]+(?:\([^()]*\))?|\b(?:final|in|out)\s", re.DOTALL
)
_DOTS = re.compile(r"\s*\.\s*")


def clean_doc(text: str) -> str:
    """The text of a ``/** … */`` comment."""
    text = text.removeprefix("/**").removesuffix("*/")
    return without_indentation(without_stars(text)).strip()


def dotted(text: str) -> str:
    """A dotted name without the comments and white space in it."""
    return _DOTS.sub(".", " ".join(_NOISE.sub(" ", text).split()))


def plain_type(text: str) -> str:
    """A type as written, without annotations, comments and superfluous white space."""
    if "@" in text or "/" in text or " " in text:
        text = _TYPE_NOISE.sub(" ", text)
    return " ".join(text.split())


def file_doc(parsed: Parsed, definitions: Sequence[Definition]) -> str:
    """The doc comment of a file that holds nothing but its package (package-info.java)."""
    if definitions:
        return ""
    return "".join(clean_doc(parsed.string(*span)) for span in parsed.spans("doc.before")[:1])


def types_of(parsed: Parsed, definitions: Sequence[Definition]) -> dict[int, str]:
    """The declared types of members: index of the definition -> type."""
    spans = [(one.start, one.end) for one in definitions]
    results = parsed.spans("result")
    found: dict[int, str] = {}
    owners = innermost(spans, [start for start, _ in results])
    for (start, end), index in zip(results, owners, strict=True):
        if index >= 0:
            found.setdefault(index, plain_type(parsed.string(start, end)))
    return found


class Gathered:
    """References while they are gathered: one for each chain, kind and place of use."""

    def __init__(
        self,
        parsed: Parsed,
        definitions: Sequence[Definition],
        contexts: Iterable[tuple[Span, str]],
    ) -> None:
        self._parsed = parsed
        self._spans = [(one.start, one.end) for one in definitions]
        contexts = sorted(contexts, key=lambda one: (one[0][0], -one[0][1]))
        self._context_spans = [span for span, _ in contexts]
        self._contexts = [text for _, text in contexts]
        self._rows: list[tuple[int, str, str]] = []

    def add(self, position: int, chain: str, kind: str) -> None:
        self._rows.append((position, chain, kind))

    def add_found(self, position: int, found: Found | None) -> None:
        if found is not None and not found.chain.startswith(UNKNOWN):
            self._rows.append((position, found.chain, "call" if found.is_call else "read"))

    def context(self, position: int) -> str:
        """The type of the innermost anonymous class around a place, "" for none."""
        if not self._contexts:
            return ""
        around = self._around([position])[0]
        texts = (self._contexts[index] for index in around)
        return next((text for text in texts if not text.startswith("\x01")), "")

    def references(self, chains: Chains) -> tuple[Reference, ...]:
        for index, text in enumerate(self._contexts):
            if text.startswith("\x01"):
                receiver = chains.receiver_of(int(text[1:]))
                self._contexts[index] = f"={receiver}" if receiver else ""
        rows = sorted(self._rows)
        starts = [position for position, _, _ in rows]
        if self._contexts:
            around = self._around(starts)
            rows = [
                (position, self._in_contexts(chain, within), kind)
                for (position, chain, kind), within in zip(rows, around, strict=True)
            ]
        return tuple(sorted(merged(self._parsed, rows, innermost(self._spans, starts))))

    def _in_contexts(self, chain: str, within: Iterable[int]) -> str:
        """A chain that begins with a name, with the types that the name may be a member of."""
        if not (chain[:1].isalpha() or chain[:1] == "_"):
            return chain
        texts = (self._contexts[index] for index in within)
        return "".join(f"{{{text}}}" for text in texts if text) + chain

    def _around(self, starts: list[int]) -> list[list[int]]:
        return spans_around(self._context_spans, starts)
