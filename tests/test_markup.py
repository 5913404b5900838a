"""Text as Markdown says exactly that text, to a parser that is not ours."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from twine_hooks.markup import plain, plain_inside

_PARSER = MarkdownIt("gfm-like", {"linkify": False})
_PIECES = [*"ab 1.)*_[]()<>|~$#+-=:\\!\nx", "--", "- ", "[a]", "|-|", "a|b", "\n---\n", "\n===\n"]
_PIECES += ["# ", "1. ", "~~", "<b>", "<!--", "-->", "](", "]:", "\n-:", "\n:-|-\n", "\n> "]


def read(text: str) -> str | None:
    """What a reader sees of one paragraph; None where there is anything but text."""
    [rest] = re.findall(r"\A<p>(.*)</p>\Z", _PARSER.render(text).strip(), re.DOTALL) or [None]
    if rest is None or re.search("<(?!br)", rest):
        return None
    return html.unescape(rest).replace("<br />\n", "\n").replace("\u2060", "")


@settings(max_examples=2_000)
@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=14).map("".join))
def test_any_text_stays_text(raw):
    lines = (" ".join(line.split()) for line in raw.split("\n"))
    text = "\n".join(line for line in lines if line)
    if text:
        assert read(plain(text)) == text
        line = text.replace("\n", " ")
        assert read(f"x: {plain_inside(line)}") == f"x: {line}"


@pytest.mark.parametrize(
    "text", ["a * b", "a > b", "a < b", "a -> b", "+1", "list[int]", "#1", "~5"]
)
def test_nothing_is_escaped_that_means_nothing(text):
    assert plain(text).replace("\u2060", "") == text
