"""A doc.md as title, summary and sections, and which people have edited; knows no template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from docs_store import markdown
from docs_store.digest import short
from docs_store.header import Header, is_header, render_header, require_header

SUMMARY = "summary"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NOT_WORD = re.compile(r"[\W_]+")


class Section(NamedTuple):
    """A second-level heading and what follows it. `id` is "" for one that a person added."""

    id: str
    title: str
    body: str


class HandEdit(NamedTuple):
    """A section that a person edited: `heading` is what stands above it now, "" for the summary and
    for one that is gone."""

    id: str
    heading: str
    is_gone: bool


class Document(NamedTuple):
    """One doc.md. The summary, id "summary", is the text between title and first section."""

    header: Header
    title: str
    summary: str = ""
    sections: tuple[Section, ...] = ()

    def texts(self) -> dict[str, str]:
        """The text of each section by id, and of the summary; not those that a person added."""
        return {SUMMARY: self.summary} | {
            section.id: section.body for section in self.sections if section.id
        }


def render(document: Document) -> str:
    """The text of `document`; no body may hold a heading of level 1 or 2, or leave a fence open."""
    blocks = [render_header(document.header)]
    if document.title:
        blocks.append(f"# {document.title}")
    blocks.append(markdown.trimmed(document.summary))
    for section in document.sections:
        blocks += [f"## {section.title}", markdown.trimmed(section.body)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def parse(text: str, titles: Mapping[str, str] | None, path: str) -> Document:
    """The document in `text`, however people and formatters have changed it below its first line.

    `titles` are those of the template by section id; without them a section's id stands for its
    title. Sections are found by title, else by unchanged text, else by order: what follows the
    section it should follow. The rest is what people added. Titles are kept as they stand.
    DocumentError if the first line is not a header.
    """
    header = require_header(text, path)
    lines = text.replace("\r\n", "\n").split("\n")
    lines[0] = ""
    # A merge that keeps the lines of both sides (`merge=union`) leaves a header below a header.
    for index in range(1, len(lines)):
        if not is_header(lines[index]) and lines[index].strip():
            break
        lines[index] = ""
    found = markdown.headings("\n".join(lines))
    borders = [heading for heading in found if heading.level == 2]
    first = borders[0].first if borders else len(lines)
    title = next(
        (heading for heading in found if heading.level == 1 and heading.first < first), None
    )
    ends = [*(border.first for border in borders[1:]), len(lines)]
    summary = lines[:first] if title is None else lines[: title.first] + lines[title.end : first]
    parts = [
        (border.title, markdown.trimmed("\n".join(lines[border.end : end])))
        for border, end in zip(borders, ends, strict=bool(borders))
    ]
    ids = _identify(parts, header, titles or {})
    sections = tuple(Section(id, *part) for id, part in zip(ids, parts, strict=True))
    return Document(
        header, title.title if title else "", markdown.trimmed("\n".join(summary)), sections
    )


@lru_cache(maxsize=4096)  # one text is asked about when read, when compared and when written
def section_digest(body: str) -> str:
    """8 hex digits of what `body` says: words, numbers, signs and code, but not their style.

    What counts as style: see `markdown.canonical`.
    """
    # Blank lines at the end are style, in a fence that nobody closed too.
    return short(markdown.canonical(body.rstrip()))


def section_digests(document: Document) -> tuple[tuple[str, str], ...]:
    """Ids and digests of the present texts: what the header of a text just generated records."""
    return tuple((name, section_digest(text)) for name, text in document.texts().items())


def edited(document: Document) -> tuple[str, ...]:
    """Ids of the sections whose text is not what was generated, or that are gone, in order."""
    texts = document.texts()
    return tuple(
        name
        for name, digest in document.header.sections
        if name not in texts or section_digest(texts[name]) != digest
    )


def hand_edits(document: Document) -> tuple[HandEdit, ...]:
    """What people edited, in the order of `edited`."""
    texts = document.texts()
    headings = {one.id: one.title for one in document.sections if one.id}
    return tuple(
        HandEdit(name, headings.get(name, ""), not texts.get(name, "").strip())
        for name in edited(document)
    )


def _identify(parts: list[tuple[str, str]], header: Header, titles: Mapping[str, str]) -> list[str]:
    """The section id of each (title, body), "" for one that a person added."""
    # Only what was generated: under a title of the template alone stands what a person added.
    expected = [name for name, _ in header.sections if name != SUMMARY]
    ids = [""] * len(parts)

    def assign(keys: dict[str, str], key_of: list[str]) -> None:
        for index, key in enumerate(key_of):
            if not ids[index] and keys.get(key, "") not in ids:
                ids[index] = keys[key]

    digests = dict(header.sections)
    keys = [title_key(title) for title, _ in parts]
    bodies = [section_digest(body) for _, body in parts]
    key_of = {name: title_key(titles.get(name, name)) for name in expected}
    # Title and text first: a person may have a section of the same title.
    assign(
        {f"{key_of[name]} {digests[name]}": name for name in reversed(expected)},
        [f"{key} {body}" for key, body in zip(keys, bodies, strict=True)],
    )
    assign({key_of[name]: name for name in reversed(expected)}, keys)
    assign({digests[name]: name for name in reversed(expected)}, bodies)
    previous = -1
    for index, name in enumerate(ids):
        if not name and previous + 1 < len(expected) and expected[previous + 1] not in ids:
            ids[index] = expected[previous + 1]
        if ids[index]:
            previous = expected.index(ids[index])
    return ids


def title_key(title: str) -> str:
    """A title without case, white space, punctuation and markup."""
    return _NOT_WORD.sub("", _LINK.sub(r"\1", title)).casefold() or title.strip()
