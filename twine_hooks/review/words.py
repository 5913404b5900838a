"""What a review says, in sentences; how text and code are written down is given by the caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twine_hooks.markup import visible
from twine_hooks.review.model import (
    ADDED,
    CONFIRMED,
    MOVED,
    REMOVED,
    REWRITTEN,
    DocumentChange,
    InterfaceChange,
    Review,
    Stale,
)

NOTHING = "This change needs no other documentation."
_REASONS = 3


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences about parts of a review."""

    text: Callable[[str], str]
    code: Callable[[str], str]

    def what(self, one: DocumentChange) -> str:
        """What became of a document."""
        if one.kind == MOVED:
            origin = f"moved from {self.code(one.origin)}"
            return f"{origin}, {self._sections(one)}" if one.sections else origin
        return self._sections(one) if one.kind == REWRITTEN else self.text(one.kind)

    def _sections(self, one: DocumentChange) -> str:
        parts = []
        for kind in (REWRITTEN, ADDED, REMOVED):
            titles = [self.text(section.title) for section in one.sections if section.kind == kind]
            if titles:
                parts.append(f"{kind} {', '.join(titles)}")
        return "; ".join(parts)

    def reasons(self, reasons: tuple[str, ...]) -> str:
        """The first reasons, and how many more there are."""
        more = [f"and {len(reasons) - _REASONS} more"] if len(reasons) > _REASONS else []
        return "; ".join([*map(self.text, reasons[:_REASONS]), *more])

    def stale(self, one: Stale) -> str:
        """A document that is not up to date."""
        state = "missing" if one.is_missing else "stale"
        return f"{self.code(one.path)} is {state}: {self.reasons(one.reasons)}"

    def interface(self, one: InterfaceChange) -> str:
        """What became of a symbol, and of the documents of those that use it."""
        name = f"{self.code(one.symbol)} of {self.code(one.path)} {self.text(one.text)}"
        if not one.used_by:
            return f"{name}; used by no other file"
        others = len(one.used_by) - len(one.rewritten)
        documents = f"{_counted(len(one.rewritten), 'document')} rewritten"
        spared = f", {others} did not need it" if others > 0 else ""
        return f"{name}; used by {_counted(len(one.used_by), 'file')}; {documents}{spared}"


def summary(review: Review) -> str:
    """One line with the numbers."""
    if review.is_empty:
        return NOTHING
    kinds = {ADDED: "added", REWRITTEN: "rewritten", MOVED: "moved", REMOVED: "removed"}
    kinds[CONFIRMED] = "still true as they are"
    found = {kind: sum(one.kind == kind for one in review.documents) for kind in kinds}
    parts = [f"{found[kind]} {word}" for kind, word in kinds.items() if found[kind]]
    if review.stale:
        parts.append(f"**{len(review.stale)} not up to date**")
    line = f"Documents: {', '.join(parts) or 'none changed'}."
    before = review.stale_before
    return f"{line} {before} were stale before this change already." if before else line


def plain_lines(review: Review) -> list[str]:
    """The review as lines for a terminal."""
    words = Words(lambda value: value.replace("`", ""), lambda value: value)
    lines = [summary(review).replace("**", "")]
    for one in review.documents:
        what = "still true as it is" if one.kind == CONFIRMED else words.what(one)
        why = f" ({words.reasons(one.reasons)})" if one.reasons else ""
        lines.append(f"  {one.path}: {what}{why}")
    lines += [f"  {words.interface(change)}" for change in review.interfaces]
    lines += [f"  {words.stale(stale)}" for stale in review.stale]
    lines += [
        f"  {edit.path}: edited by hand, and its source changed: {', '.join(edit.sections)}"
        for edit in review.edited
    ]
    return [visible(line) for line in lines]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
