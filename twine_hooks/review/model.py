"""What a reviewer is told, as plain values that go through JSON; nothing in them is trusted."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, get_type_hints

from twine_hooks.errors import ReviewError

ADDED, REMOVED, REWRITTEN, MOVED, CONFIRMED = "added", "removed", "rewritten", "moved", "confirmed"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class SectionChange:
    """A section that was added, removed or rewritten."""

    title: str
    kind: str


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """One document. `confirmed`: what it is made from changed, its text did not have to.

    `reasons` are the facts that changed; `diff` is a unified diff of the text below the header.
    """

    path: str
    kind: str
    origin: str = ""  #: the source that a moved one documented before
    sections: tuple[SectionChange, ...] = ()
    reasons: tuple[str, ...] = ()
    diff: str = ""


@dataclass(frozen=True, slots=True)
class InterfaceChange:
    """What others can see of one symbol: `text` says what became of it.

    Of the documents of the files that use it, some were `rewritten`; `others` needed it not.
    """

    path: str
    symbol: str
    text: str
    used_by: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edited:
    """Sections of a document that people edited, whose source has changed."""

    path: str
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stale:
    """A document that the change should have brought up to date."""

    path: str
    is_missing: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """`user` uses `used`; both are sources."""

    user: str
    used: str


@dataclass(frozen=True, slots=True)
class Review:
    """All of it. `stale_before` counts documents that were stale before the change already."""

    base: str
    head: str
    documents: tuple[DocumentChange, ...] = ()
    stale: tuple[Stale, ...] = ()
    interfaces: tuple[InterfaceChange, ...] = ()
    edited: tuple[Edited, ...] = ()
    edges: tuple[Edge, ...] = ()
    changed: tuple[str, ...] = ()  #: sources whose meaning changed, came or went
    stale_before: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing about documents to tell."""
        shown = any(one.kind != CONFIRMED for one in self.documents)
        return not (shown or self.stale or self.interfaces or self.edited)


_PARTS: dict[str, type[Any]] = {
    "documents": DocumentChange,
    "stale": Stale,
    "interfaces": InterfaceChange,
    "edited": Edited,
    "edges": Edge,
    "sections": SectionChange,
}


def review_value(review: Review) -> dict[str, Any]:
    """A review for JSON."""
    return {"format": FORMAT} | asdict(review)


def review_from(value: object) -> Review:
    """The review in a JSON value, whoever made it. ReviewError where it is none."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ReviewError("this is no review of `codetwine diff --format json`; make it anew")
    review: Review = _build(Review, {name: one for name, one in value.items() if name != "format"})
    return review


def _build(shape: type[Any], value: object) -> Any:
    hints = get_type_hints(shape)
    names = {one.name for one in fields(shape)}
    if not isinstance(value, dict) or not value.keys() <= names:
        raise ReviewError(f"the review is damaged at {shape.__name__}; make it anew")
    try:
        return shape(**{name: _part(shape, name, hints[name], value[name]) for name in value})
    except TypeError:
        raise ReviewError(f"the review lacks parts of {shape.__name__}; make it anew") from None


def _part(shape: type[Any], name: str, hint: Any, value: object) -> Any:
    if hint in (str, int, bool) and type(value) is hint and _is_text(value):
        return value
    if hint not in (str, int, bool) and isinstance(value, list):
        # `sections` of an edited document are titles, those of a changed one are changes.
        part = _PARTS.get(name) if shape is not Edited else None
        if part is not None:
            return tuple(_build(part, one) for one in value)
        if all(isinstance(one, str) and _is_text(one) for one in value):
            return tuple(value)
    raise ReviewError(f"the review is damaged at {shape.__name__}.{name}; make it anew")


def _is_text(value: object) -> bool:
    """Whether it can be written down: names that are no UTF-8 can, half a character can't."""
    try:
        str(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True
