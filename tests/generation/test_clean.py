"""What may not reach a document, however it is written."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docs_store.markdown import headings
from twine_hooks.generation.clean import cleaned


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain *words* and `code <b>`.", "Plain *words* and `code <b>`."),
        ("<b>Bold</b> words<br/>.", "Bold words."),
        ("<script>alert('x')</script>Text.", "Text."),
        ("Text <!-- codetwine: doc=1 --> more.", "Text  more."),
        ("Text <!-- open", "Text"),
        ("<scr<b>ipt>alert(1)</script>", ""),
        ("![shot](https://tracker.example/x.png) it", "shot it"),
        ("[click](javascript:alert(1)) it", "click it"),
        ("[a](./b.md) [b][ref]\n\n[ref]: https://evil.example", "a b"),
        ("[known](https://known.example/a)", "[known](https://known.example/a)"),
        ("[other](https://other.example/a)", "other"),
        ("A List<String> of them.", "A List\\<String> of them."),
        ("a \u202ebackwards\u202c \u200bword\x07", "a backwards word"),
        ("# Top\n\ntext\n\n## Next\n\n### Own", "### Top\n\ntext\n\n### Next\n\n### Own"),
        ("Title\n=====\n\ntext\n\nOther\n---", "Title\n\ntext\n\nOther"),
        ("Before.\n\n```mermaid\ngraph TD\n```\n\nAfter.", "Before.\n\nAfter."),
        ("```python\nx = 1", "```python\nx = 1\n```"),
        ("```python\n# <b> [x](y)\n```", "```python\n# <b> [x](y)\n```"),
        ("Thanks to @someone, see #12.", "Thanks to `@someone`, see #\u206012."),
        ("mail a@b.example", "mail a@b.example"),
        ("line  \r\nnext\n\n\n\nlast", "line\nnext\n\nlast"),
    ],
)
def test_each_of_them(text, expected):
    assert cleaned(text, lambda address: "known.example" in address) == expected


@pytest.mark.parametrize(
    "text", ["- one\n- two\n  - deep\n\n1. first", "| a | b |\n|---|---|\n| 1 | 2 |"]
)
def test_structure_stays(text):
    assert cleaned(text) == text


_MARKUP = "<!-- --> ``` ~~~ === --- @me mermaid <b> <script> </script> http://x.y \u202e"
BITS = st.sampled_from([*"<>`\na![]() \\", "# ", "## x", "- ", *_MARKUP.split()])


@settings(max_examples=200, deadline=None)
@given(st.lists(BITS, max_size=24).map("".join))
@example("`\n# `")
def test_no_mixture_of_them_survives(text):
    out = cleaned(text)
    assert all(heading.level > 2 for heading in headings(out)), out
    assert "\u202e" not in out
    prose = "".join(re.split(r"(?ms)^ *(?:```|~~~).*?^ *(?:```|~~~)", out))
    assert "<!--" not in re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", prose, flags=re.S).replace(
        "\\<", ""
    ), out
