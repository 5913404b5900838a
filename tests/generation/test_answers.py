"""Answers of every shape that models give."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twine_hooks.generation.answers import says_still_true, sections_in
from twine_hooks.generation.prompt import Asked

ASKED = (Asked("summary", "Summary", "p"), Asked("overview", "How it works", "p"))
GOOD = {"summary": "It measures.", "overview": "First this.\n\nThen that."}
PLAIN = "## Summary\n\nIt measures.\n\n## How it works\n\nFirst this.\n\nThen that.\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n\n", "\n").replace("this.\n", "this.\n\n"),
        PLAIN.replace("## ", "# "),
        PLAIN.replace("## ", "### ").replace("works", "works ###"),
        PLAIN.replace("## Summary", "**Summary**").replace("## How it works", "**How it works:**"),
        PLAIN.replace("## ", "").replace("Summary\n", "Summary:\n").replace("works\n", "works:\n"),
        PLAIN.replace("## Summary", "## 1. Summary").replace("## How", "## 2) How"),
        PLAIN.replace("How it works", "HOW IT WORKS"),
        PLAIN.replace("How it works", "overview"),
        f"Sure! Here it is:\n\n{PLAIN}",
        f"```markdown\n{PLAIN}```",
        f"Here:\n\n```md\n{PLAIN}```\n",
        f"```\n{PLAIN}",
        f"<think>\n## Summary\nno\n</think>\n{PLAIN}",
        f"## Summary\nno, wait\n</think>\n\n{PLAIN}",
        PLAIN.replace("## Summary", "## 概要").replace("## How it works", "## 動作"),
        json.dumps(GOOD),
        f"```json\n{json.dumps({one.title: GOOD[one.id] for one in ASKED})}\n```",
        json.dumps({"sections": [{"id": name, "content": text} for name, text in GOOD.items()]}),
    ],
)
def test_one_meaning_in_many_shapes(text):
    assert sections_in(text, ASKED) == GOOD


def test_the_last_section_of_half_an_answer_does_not_count():
    half = PLAIN[: PLAIN.index("that.")]
    assert sections_in(half, ASKED, is_whole=False) == {"summary": "It measures."}


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help.",
        "",
        "<think>hm",
        "{",
        '{"a":' * 5000 + "1" + "}" * 5000,
        "## Something\n\nelse",
    ],
    ids=lambda text: text[:9],
)
def test_what_is_no_answer_has_no_sections(text):
    assert sections_in(text, ASKED) == {}
    assert sections_in("I cannot do that.", ASKED[:1]) == {}


def test_a_refusal_below_a_heading_is_none_either():
    assert sections_in("## Summary\n\nI'm sorry, I can't.", ASKED) == {}


def test_one_section_needs_no_heading():
    assert sections_in("It measures.", ASKED[:1]) == {"summary": "It measures."}


def test_a_heading_within_code_is_code():
    body = "Run:\n\n```sh\n# Summary\nmake\n```"
    assert sections_in(f"## How it works\n\n{body}", ASKED) == {"overview": body}


def test_a_heading_of_its_own_stays_in_its_section():
    body = "Text.\n\n### Errors\n\nMore."
    assert sections_in(f"## How it works\n\n{body}", ASKED) == {"overview": body}


def test_the_first_of_two_sections_of_one_name_counts():
    assert sections_in(f"{PLAIN}\n## Summary\n\nAgain.", ASKED) == GOOD


def test_still_true():
    assert says_still_true("STILL TRUE")
    assert says_still_true("**Still true.**")
    assert not says_still_true("It is still true that this measures.")


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet=st.sampled_from('#`~*{}":\n Sumarywth<>/k1.-'), max_size=120), st.booleans()
)
def test_no_answer_is_too_odd(text, is_whole):
    assert set(sections_in(text, ASKED, is_whole)) <= {"summary", "overview"}
