"""Names on disk: reversible, free of collisions, for any name that git can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_store.errors import StoreError
from docs_store.layout import DOCS, doc_path, leaf_path, quote, source_of, unquote

PART = st.one_of(
    st.sampled_from(
        [
            "doc.md",
            "leaf.twine",
            "a",
            "a.py",
            "docs",
            ".codetwine",
            "[x]",
            'q"',
            "a\nb",
            "a\\b",
            "é",
        ]
    ),
    st.text(min_size=1, max_size=5).filter(lambda part: not {"/", "\0"} & {*part}),
).filter(lambda part: part not in (".", ".."))
SOURCES = st.lists(PART, min_size=1, max_size=4).map("/".join)


@given(SOURCES)
def test_a_name_leads_back_to_its_source(source):
    assert source_of(doc_path(source)) == source_of(leaf_path(source)) == source


@given(SOURCES, SOURCES)
def test_no_file_is_another_sources_file_or_folder(one, other):
    if one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/"):
        return  # a file and a folder of one name: no snapshot has both
    for path in (doc_path(one), leaf_path(one)):
        for taken in (doc_path(other), leaf_path(other)):
            assert path != taken
            assert not path.startswith(f"{taken}/")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "doc.md",
        f"{DOCS}/doc.md",
        f"{DOCS}//doc.md",
        f"{DOCS}/a.md",
        f"{DOCS}/../a/doc.md",
        f"x/{DOCS}/a/doc.md",
    ],
)
def test_other_paths_have_no_source(path):
    assert source_of(path) is None


@pytest.mark.parametrize(
    "source", ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/", "./a", "a\0b"]
)
def test_a_path_that_could_lead_elsewhere_is_refused(source):
    with pytest.raises(StoreError, match="name a file relative to its root"):
        doc_path(source)


@given(st.text())
def test_quoted_names_hold_no_white_space_and_come_back(name):
    assert unquote(quote(name)) == name
    assert quote(name).split() == ([quote(name)] if name else [])
