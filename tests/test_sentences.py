"""A text within a limit: whole sentences, no part of a word, no open code span."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twine_hooks.sentences import at_most


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("One. Two. Three.", 0, "One. Two. Three."),
        ("One. Two. Three.", 16, "One. Two. Three."),
        ("One. Two. Three.", 15, "One. Two."),
        ("One. Two. Three.", 4, "One."),
        ("Some words, and more of them.", 13, "Some words…"),
        ("Calls `a.b. c d` twice. Then more.", 24, "Calls `a.b. c d` twice."),
        ("Calls `a.b. c d` twice.", 15, "Calls…"),
        ("See e.g. this one. And that.", 20, "See e.g. this one."),
        ("Unbroken" * 5, 10, "UnbrokenU…"),
        ("一つ。二つ。三つ。", 7, "一つ。二つ。"),
    ],
)
def test_a_text_is_cut_where_a_sentence_ends(text, limit, expected):
    assert at_most(text, limit) == expected


@given(st.text("ab `.\n"), st.integers(1, 30))
def test_it_keeps_within_the_limit(text, limit):
    assert len(at_most(text, limit)) <= limit
