"""The first line of a document: all of it comes back, and damage is told from absence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_store.errors import DocumentError
from docs_store.header import Header, parse_header, render_header

INPUTS = f"b3:{'0' * 32}"
LINE = (
    f"<!-- codetwine: doc=1 inputs={INPUTS} own=00000001 template=00000002 uses=00000003 "
    "place=00000004 by=outline sections=purpose:1a2b3c4d,definitions:99aa00bb -->"
)
HEADER = Header(
    INPUTS,
    *("00000001", "00000002", "00000003", "00000004", "outline"),
    (("purpose", "1a2b3c4d"), ("definitions", "99aa00bb")),
)
WORDS = st.text(min_size=1, max_size=8)
KEYS = st.from_regex(r"\A[a-z]{3}-[a-z]{1,5}\Z")


def test_the_line_reads_like_this():
    assert render_header(HEADER) == LINE
    assert parse_header(f"{LINE}\n\n# a\n", "x") == HEADER
    assert parse_header(f"\ufeff{LINE} \r\n\r\n# a\r\n", "x") == HEADER


@given(
    st.lists(st.tuples(WORDS, st.just("0123abcd")), max_size=4).map(tuple),
    st.dictionaries(KEYS, WORDS, max_size=3).map(lambda extra: tuple(extra.items())),
)
def test_any_ids_and_unknown_fields_come_back(sections, extra):
    header = Header(INPUTS, own="00000001", sections=sections, extra=extra)
    line = render_header(header)
    assert parse_header(line, "x") == header
    assert line.isprintable()
    assert line.index("-->") == len(line) - 3


@pytest.mark.parametrize(
    "text", ["", "# a\n", f"\n{LINE}\n", "<!-- other -->\n", "a\n=======\nb\n"]
)
def test_a_file_without_a_header_is_not_ours(text):
    assert parse_header(text, "x") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE.replace(" -->", ""), "damaged header"),
        (LINE.replace("b3:0", "b3:x"), "damaged header"),
        (LINE.replace(f"inputs={INPUTS}", ""), "damaged header"),
        (LINE.replace("by=outline", "by"), "damaged header"),
        (LINE.replace("by=", "own="), "damaged header"),
        (LINE.replace("1a2b3c4d", "1a2b"), "damaged field"),
        (LINE.replace("outline", "%FF"), "damaged field"),
        (LINE.replace("doc=1", "doc=2"), "upgrade codetwine"),
        (f"<<<<<<< HEAD\n{LINE}\n=======\n{LINE}\n>>>>>>> b\n", "conflict markers"),
    ],
)
def test_a_damaged_header_is_named_with_file_and_line(text, message):
    with pytest.raises(DocumentError, match=f"^d/doc.md:1: .*{message}"):
        parse_header(text, "d/doc.md")


def test_conflict_markers_further_down_are_not_the_headers_business():
    assert parse_header(f"{LINE}\n<<<<<<< a\n=======\n>>>>>>> b\n", "x") == HEADER
