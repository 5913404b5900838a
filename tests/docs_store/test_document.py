"""Documents come back as written, and sections are found in what people made of them."""

from __future__ import annotations

import pytest

from docs_store.document import (
    Document,
    Section,
    edited,
    parse,
    render,
    section_digests,
)
from docs_store.errors import DocumentError
from docs_store.header import Header

TITLES = {"purpose": "Purpose", "uses": "What it uses", "definitions": "Definitions"}
PLAIN = Document(
    Header(f"b3:{'0' * 32}"),
    "src/a b.py",
    "Computes _areas_.\n\nOf shapes.",
    (
        Section("purpose", "Purpose", "It does `x_y`.\n\n* one\n* two"),
        Section("uses", "What it uses", "| a | b |\n|---|---|\n| `c` | 1 |"),
        Section("definitions", "Definitions", "### f\n\n```py\n## not a heading\n```"),
    ),
)
DOCUMENT = PLAIN._replace(header=PLAIN.header._replace(sections=section_digests(PLAIN)))
TEXT = render(DOCUMENT)


def read(text: str, titles=TITLES) -> Document:
    return parse(text, titles, "doc.md")


def ids(text: str, titles=TITLES) -> list[str]:
    return [section.id for section in read(text, titles).sections]


def test_the_text_reads_like_this():
    assert TEXT.partition("\n")[2] == (
        "\n# src/a b.py\n\nComputes _areas_.\n\nOf shapes.\n\n"
        "## Purpose\n\nIt does `x_y`.\n\n* one\n* two\n\n"
        "## What it uses\n\n| a | b |\n|---|---|\n| `c` | 1 |\n\n"
        "## Definitions\n\n### f\n\n```py\n## not a heading\n```\n"
    )


def test_a_document_comes_back():
    assert read(TEXT) == DOCUMENT
    assert render(read(TEXT)) == TEXT
    assert edited(read(TEXT)) == ()


def test_without_titles_ids_and_order_do():
    assert parse(TEXT, None, "doc.md") == DOCUMENT


def test_carriage_returns_and_empty_parts():
    assert read(TEXT.replace("\n", "\r\n")) == DOCUMENT
    bare = Document(DOCUMENT.header, "", "", (Section("purpose", "Purpose", ""),))
    assert read(render(bare)) == bare


def test_a_formatter_edits_nothing():
    mdformat = pytest.importorskip("mdformat")
    pytest.importorskip("mdformat_gfm")
    formatted = mdformat.text(TEXT, extensions={"gfm"}, options={"wrap": 20})
    assert formatted != TEXT
    assert ids(formatted) == list(TITLES)
    assert edited(read(formatted)) == ()


def test_edits_are_told_by_section():
    text = TEXT.replace("Of shapes", "Of forms").replace("| 1 |", "| 2 |")
    assert edited(read(text)) == ("summary", "uses")
    assert edited(read(TEXT[: TEXT.index("## Def")])) == ("definitions",)


@pytest.mark.parametrize(
    "change",
    [
        ("## Purpose", "## **PURPOSE** ##"),
        ("## What it uses", "What  it\nuses\n-----"),
        ("## What it uses", "## What it _uses_:"),
        ("## Purpose", "## Why"),
        ("## Definitions", "## Names"),
    ],
)
def test_a_section_survives_a_new_look_or_name_of_its_heading(change):
    document = read(TEXT.replace(*change))
    assert [section.id for section in document.sections] == list(TITLES)
    assert edited(document) == ()
    assert read(render(document)) == document


def test_renamed_and_edited_sections_are_found_by_order():
    text = TEXT.replace("## What it uses", "## Needs").replace("| 1 |", "| 2 |")
    assert ids(text) == ["purpose", "uses", "definitions"]
    assert edited(read(text)) == ("uses",)


def test_a_renamed_section_is_found_by_its_text_beside_an_added_one():
    text = TEXT.replace("## What it uses", "## Note\n\nmine\n\n## Needs")
    assert ids(text) == ["purpose", "", "uses", "definitions"]


def test_moved_sections_keep_their_names():
    start, uses, end = (TEXT.index(mark) for mark in ("## Purpose", "## What", "## Definitions"))
    moved = TEXT[:start] + TEXT[end:] + "\n" + TEXT[uses:end] + TEXT[start:uses]
    assert ids(moved) == ["definitions", "uses", "purpose"]
    assert edited(read(moved)) == ()


def test_an_added_section_stays_where_it_is():
    text = TEXT.replace("## Definitions", "## History\n\nOld.\n\n## Definitions")
    document = read(text)
    assert document.sections[2] == Section("", "History", "Old.")
    assert edited(document) == ()
    assert render(document) == text


def test_text_above_the_title_is_kept_and_a_second_title_is_text():
    document = read(TEXT.replace("# src", "Note.\n\n# src").replace("* one", "# X\n\n* one"))
    assert document.title == "src/a b.py"
    assert document.summary.startswith("Note.")
    assert document.sections[0].body.splitlines()[2] == "# X"


def test_rendering_leaves_no_white_space_at_line_ends_but_keeps_hard_breaks():
    document = DOCUMENT._replace(summary="\n\na  \nb  \n\n```\nc  \n```\n\n")
    assert "\n\na\\\nb\n\n```\nc\n```\n\n## Purpose" in render(document)


def test_a_header_planted_below_the_first_line_counts_for_nothing():
    planted = TEXT.replace("Of shapes.", TEXT.partition("\n")[0].replace("b3:0", "b3:f"))
    assert read(planted).header == DOCUMENT.header
    with pytest.raises(DocumentError, match=r"doc.md:1: has no codetwine header"):
        read("\n" + TEXT)
