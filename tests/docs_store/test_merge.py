"""One document from two sides of a merge."""

from __future__ import annotations

import pytest

from docs_store.document import Document, Section, parse, render, section_digests
from docs_store.header import Header
from docs_store.merge import has_markers, merge, sides


def document(**bodies: str) -> Document:
    """A document as generated."""
    sections = tuple(
        Section(name, name.title(), text) for name, text in bodies.items() if name != "summary"
    )
    made = Document(Header("b3:" + "0" * 32), "`a.py`", bodies.get("summary", ""), sections)
    return made._replace(header=made.header._replace(sections=section_digests(made)))


def edit(made: Document, name: str, text: str | None) -> Document:
    """With one section as a person left it; None for one that was taken out."""
    if name == "summary":
        return made._replace(summary=text or "")
    sections = [
        one._replace(body=text) if name in (one.id, one.title) and text is not None else one
        for one in made.sections
        if text is not None or one.id != name
    ]
    return made._replace(sections=tuple(sections))


def add(made: Document, title: str, text: str) -> Document:
    return made._replace(sections=(*made.sections, Section("", title, text)))


def texts(made: Document) -> dict[str, str]:
    return {one.title: one.body for one in made.sections} | {"": made.summary}


BASE = document(summary="S.", purpose="P.", api="A.")
OURS = document(summary="S1.", purpose="P1.", api="A1.")
THEIRS = document(summary="S2.", purpose="P2.", api="A2.")


def test_generated_text_is_ours_with_our_header():
    assert merge(OURS, THEIRS, BASE).document == OURS
    assert merge(OURS, THEIRS).document == OURS


@pytest.mark.parametrize("name", ["summary", "purpose", "api"])
def test_what_a_person_wrote_on_either_side_is_kept(name):
    by_them = merge(OURS, edit(THEIRS, name, "Mine."), BASE)
    assert "Mine." in texts(by_them.document).values()
    assert by_them.document.header == OURS.header
    by_us = merge(edit(OURS, name, "Mine."), THEIRS, BASE)
    assert by_us.document == edit(OURS, name, "Mine.")
    assert by_them.lost == by_us.lost == ()


def test_where_both_edited_ours_stays_and_is_told():
    merged = merge(edit(OURS, "purpose", "Mine."), edit(THEIRS, "purpose", "Other."), BASE)
    assert texts(merged.document)["Purpose"] == "Mine."
    assert merged.lost == ("Purpose",)
    same = merge(edit(OURS, "purpose", "Mine."), edit(THEIRS, "purpose", "*Mine.*"), BASE)
    assert same.lost == ("Purpose",)
    style = merge(edit(OURS, "purpose", "_Mine._"), edit(THEIRS, "purpose", "*Mine.*"), BASE)
    assert style.lost == ()


def test_the_base_tells_who_edited():
    base = edit(BASE, "purpose", "Old.")
    ours, theirs = edit(OURS, "purpose", "Old."), edit(THEIRS, "purpose", "New.")
    assert texts(merge(ours, theirs, base).document)["Purpose"] == "New."
    assert merge(theirs, ours, base).document == theirs
    assert merge(theirs, ours, base).lost == merge(ours, theirs, base).lost == ()
    assert merge(OURS, edit(THEIRS, "purpose", "Old."), base).document == OURS


def test_sections_that_people_added_or_took_out():
    merged = merge(add(OURS, "Notes", "Ours."), add(THEIRS, "History", "Theirs."), BASE)
    assert list(texts(merged.document))[:-1] == ["Purpose", "Api", "History", "Notes"]
    both = merge(add(OURS, "Notes", "Ours."), add(THEIRS, "Notes", "Theirs."), BASE)
    assert both.lost == ("Notes",)
    gone = merge(OURS, edit(THEIRS, "purpose", None), BASE)
    assert list(texts(gone.document))[:-1] == ["Api"]
    deleted = merge(OURS, add(THEIRS, "Notes", "Old."), add(BASE, "Notes", "Old."))
    assert deleted.document == OURS


def test_an_edit_of_a_section_that_our_template_has_no_more_becomes_a_person_s_own():
    ours = document(summary="S1.", api="A1.")
    merged = merge(ours, edit(THEIRS, "purpose", "Mine."), BASE).document
    assert [(one.id, one.body) for one in merged.sections] == [("", "Mine."), ("api", "A1.")]


def test_the_outcome_survives_a_round_trip():
    merged = merge(OURS, edit(add(THEIRS, "Notes", "N."), "purpose", "Mine."), BASE).document
    assert parse(render(merged), {}, "x") == merged


CONFLICT = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\nz\n"
DIFF3 = "<<<<<<< HEAD\nours\n||||||| base\nbase\n=======\ntheirs\n>>>>>>> side\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONFLICT, ("a\nours\nz\n", "a\ntheirs\nz\n")),
        (CONFLICT.replace("\n", "\r\n"), ("a\nours\nz\n", "a\ntheirs\nz\n")),
        (DIFF3, ("ours\n", "theirs\n")),
        ("Mine\n=======\n\ntext\n", None),
        ("<<<<<<< HEAD\nours\n", None),
        ("text\n>>>>>>> side\n", None),
        ("<<<<<<< HEAD\n||||||| b\n=======\n>>>>>>> side\n", None),
    ],
)
def test_conflict_markers(text, expected):
    assert sides(text) == expected
    assert has_markers(text) is (expected is not None)
