"""One document from the two sides of a merge; knows no git, and decides nothing about freshness.

The text is that of our side, with its header: that tells what the text was made from, so it stays
true, and the document is stale wherever the merged sources say something else. What people wrote
on their side is taken over, section by section.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from docs_store.document import SUMMARY, Document, Section, edited, section_digest

_OURS, _BASE, _THEIRS, _END = "<|=>"


class Merged(NamedTuple):
    """`lost` are the titles of sections that people edited on both sides: ours was kept."""

    document: Document
    lost: tuple[str, ...] = ()


def merge(ours: Document, theirs: Document, base: Document | None = None) -> Merged:
    """Our document with what people changed in theirs since `base`; where both did, ours stays."""
    lost: list[str] = []
    before = _by_hand(base) if base else {}
    mine, others = _by_hand(ours), _by_hand(theirs)
    result = ours
    for key, text in others.items():
        present, former = mine.get(key), before.get(key)
        if _same(present, text) or _same(former, text):
            continue
        if present is not None and not _same(present, former):
            lost.append(_title(theirs, key))
        else:
            result = _with(result, theirs, key, text)
    return Merged(result, tuple(lost))


def sides(text: str) -> tuple[str, str] | None:
    """Our and their text of a file with conflict markers; None where these are not as git writes
    them. A row of equals signs outside of a conflict is text."""
    ours: list[str] = []
    theirs: list[str] = []
    state = ""
    for line in text.replace("\r\n", "\n").splitlines(keepends=True):
        mark = _mark(line, state)
        if mark is not None:
            state = "" if mark[0] == _END else mark
            continue
        if state[:1] in ("", _OURS):
            ours.append(line)
        if state[:1] in ("", _THEIRS):
            theirs.append(line)
    return None if state or ours == theirs else ("".join(ours), "".join(theirs))


def has_markers(text: str) -> bool:
    """Whether there is a conflict as git marks it, from its first to its last marker."""
    return sides(text) is not None


_FOLLOWS = {"": (_OURS,), _OURS: (_BASE, _THEIRS), _BASE: (_THEIRS,), _THEIRS: (_END,)}
_MARK = re.compile(r"(<{7,}|\|{7,}|={7,}|>{7,})( .*)?$")


def _mark(line: str, state: str) -> str | None:
    """The marker that a line is, if it may follow that of `state`. Those of a conflict inside of
    another, as with a rename to two names, are longer than seven signs."""
    found = _MARK.match(line.rstrip("\n"))
    if found is None or found[1][0] not in _FOLLOWS[state[:1]]:
        return None
    return found[1] if not state or len(found[1]) == len(state) else None


def _by_hand(document: Document) -> dict[tuple[str, str], str]:
    """Text by (id, title) of what people wrote: edited sections ("" for one that they took out)
    by id, added ones by title."""
    texts = document.texts()
    found = {(name, ""): texts.get(name, "") for name in edited(document)}
    return found | {("", one.title): one.body for one in document.sections if not one.id}


def _same(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return False
    return one == other or section_digest(one) == section_digest(other)


def _title(document: Document, key: tuple[str, str]) -> str:
    titles = {one.id: one.title for one in document.sections if one.id}
    return key[1] or titles.get(key[0], key[0])


def _with(result: Document, theirs: Document, key: tuple[str, str], text: str) -> Document:
    """The document with one section of theirs."""
    name, title = key
    if name == SUMMARY:
        return result._replace(summary=text)
    if name and not text:
        return result._replace(sections=tuple(one for one in result.sections if one.id != name))
    known = [(one.id, "" if one.id else one.title) for one in result.sections]
    if key in known:
        at = known.index(key)
        changed = result.sections[at]._replace(body=text)
        return result._replace(sections=_put(result.sections, at, changed, 1))
    if name and name not in dict(result.header.sections):
        # Our side's template has no such section: there it is one that a person added.
        section = Section("", _title(theirs, key), text)
    else:
        section = Section(name, title or _title(theirs, key), text)
    return result._replace(sections=_put(result.sections, _place(result, theirs, key), section, 0))


def _put(
    sections: tuple[Section, ...], at: int, section: Section, instead_of: int
) -> tuple[Section, ...]:
    return (*sections[:at], section, *sections[at + instead_of :])


def _place(result: Document, theirs: Document, key: tuple[str, str]) -> int:
    """Behind the nearest section before it in theirs that the result has, too."""
    order = [(one.id, "" if one.id else one.title) for one in theirs.sections]
    known: Mapping[tuple[str, str], int] = {
        (one.id, "" if one.id else one.title): at for at, one in enumerate(result.sections)
    }
    before = order[: order.index(key)] if key in order else order
    return next((known[one] + 1 for one in reversed(before) if one in known), 0)
