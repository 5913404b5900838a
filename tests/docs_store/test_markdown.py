"""What is style and what is an edit, judged by a real formatter; and where headings are."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs_store.document import section_digest
from docs_store.markdown import Heading, headings, trimmed

STYLES = {
    "bullets": ("* a\n* b_c", "- a\n- b_c"),
    "tight and loose": ("- a\n- b", "- a\n\n- b\n"),
    "wide markers": ("-   a\n    b\n-   c", "- a\n  b\n- c"),
    "nested": ("* a\n    * b\n        * c", "- a\n  - b\n    - c"),
    "emphasis": ("an _a_ and __b__", "an *a* and **b**"),
    "nearest emphasis": ("_a _b_ _c _d_ e_", "_a *b* *c *d* e*"),
    "mixed emphasis": ("**_a_** _b *c*_", "***a*** *b *c**"),
    "escapes": (r"a\_b \[c\] 1 \< 2 \*x", "a_b [c] 1 < 2 *x"),
    "entities": ("a &lt; b &amp; c", "a < b & c"),
    "wrapping": ("one two\nthree", "one\ntwo three"),
    "hard break": ("one  \ntwo", "one\\\ntwo"),
    "list numbers": ("1. a\n2. b\n3) c", "1. a\n1. b\n1. c"),
    "fences": ("~~~py\na = 1\n~~~", "```py\na = 1\n```"),
    "long fences": ("````\n```\n````", "~~~\n```\n~~~"),
    "fence in list": (
        "-   a\n\n    ```\n    x\n      y\n    ```",
        "- a\n\n  ```\n  x\n    y\n  ```",
    ),
    "fence after marker": ("- ```\n  x\n  ```", "* ```\n  x\n  ```"),
    "indented code": ("a\n\n    x = 1\n      y\n\nb", "a\n\n```\nx = 1\n  y\n```\n\nb"),
    "code line ends": ("```\na  \nb\n```", "```\na\nb\n```"),
    "code spans": ("`` a_b ``", "`a_b`"),
    "table": ("|a|b|\n|-|:-:|\n|1||", "| a | b |\n| --- | :---: |\n| 1 | |"),
    "bare table": ("a | b\n-|-\n1 | 2", "| a | b |\n|---|---|\n| 1 | 2 |"),
    "break": ("a\n\n***\n\nb", "a\n\n______\n\nb"),
    "closed heading": ("### a ###\nb", "### a\n\nb"),
    "underlined heading": ("a\n===\nb", "# a\n\nb"),
    "quote": ("> a\n> b", ">a\n>b"),
    "lazy quote": ("> a\nb\n> c", "> a\n> b\n> c"),
    "link": ("[a](<b_c> 'd')", '[a](b_c "d")'),
    "line ends": ("a\r\nb\r\n", "a\nb"),
}
EDITS = {
    "word": ("a small cat", "a small dog"),
    "case": ("a", "A"),
    "number": ("takes 3 s", "takes 4 s"),
    "sign": ("x + 1", "x - 1"),
    "lost star": ("2 * 3", "2 3"),
    "star and underscore": ("takes *args", "takes _args"),
    "leading underscore": ("_private", "private"),
    "inner underscore": ("a_b", "a b"),
    "comparison": ("a < b", "a > b"),
    "joined words": ("a b", "ab"),
    "code span": ("`a`", "`b`"),
    "code span or not": ("`a`", "a"),
    "underscores in code span": ("`_a_`", "`*a*`"),
    "code indent": ("```\na\n  b\n```", "```\na\nb\n```"),
    "code blank line": ("```\na\n\nb\n```", "```\na\nb\n```"),
    "code star": ("```\n* a\n```", "```\n- a\n```"),
    "code underscore": ("```\n_a_\n```", "```\n*a*\n```"),
    "code language": ("```py\na\n```", "```js\na\n```"),
    "year at line start": ("in\n1986. A", "in\n1987. A"),
    "cell": ("|a|\n|-|\n|1|", "|a|\n|-|\n|2|"),
    "cell moved": ("|a|b|\n|-|-|\n|1||", "|a|b|\n|-|-|\n||1|"),
    "alignment": ("|a|\n|-|\n|1|", "|a|\n|-:|\n|1|"),
    "link target": ("[a](b_c)", "[a](b-c)"),
    "html": ("a <br> b", "a b"),
    "comment": ("<!-- a\nb -->", "<!-- a\nc -->"),
    "heading or not": ("### a", "a"),
    "heading level": ("### a", "#### a"),
    "quote or not": ("> 5", "5"),
    "item or not": ("- a", "a"),
    "struck": ("~~a~~", "a"),
}


@pytest.mark.parametrize(("one", "other"), STYLES.values(), ids=STYLES)
def test_style_is_no_edit(one, other):
    assert section_digest(one) == section_digest(other)


@pytest.mark.parametrize(("one", "other"), EDITS.values(), ids=EDITS)
def test_edits_are_seen(one, other):
    assert section_digest(one) != section_digest(other)


NAMES = st.sampled_from(
    [
        "alpha",
        "to_json",
        "_private",
        "__init__",
        "x",
        "42",
        "-1",
        "3.14",
        "Grüße",
        "文書",
        "C++",
        "a*b",
        "<T>",
        "k=v",
    ]
)
CODE = st.sampled_from(["a_b", "*args", "_x_", "x | y", "a``b", "f(x) -> y", "<T>", "\\d+", "&lt;"])
PLAIN = st.one_of(
    NAMES,
    st.sampled_from(
        ["it", "reads", "2", "*", "&", "#1", "(see", "x),", "1.", "a/b.py", "!", "don't", "$x"]
    ),
)


def _spans(words):
    text = words.filter(lambda word: word.isalnum())
    return st.one_of(
        words,
        CODE.map(lambda code: f"``` {code} ```" if "`" in code else f"`{code}`"),
        st.tuples(st.sampled_from(["*", "_", "**", "__"]), text).map(
            lambda pair: pair[0] + pair[1] + pair[0]
        ),
        text.map(lambda word: f"[{word}](./{word}_a.md)"),
        st.sampled_from(
            [r"\*", r"\_x", r"a\_b", r"\#", r"\[x\]", "&amp;", "<https://a.b/c_d>", "**a _b_ c**"]
        ),
    )


def _paragraph(words):
    return st.lists(_spans(words), min_size=1, max_size=8).map(
        lambda parts: "word " + " ".join(parts)
    )


def _blocks(words):
    line = _paragraph(words)
    table = st.lists(st.tuples(line, line), min_size=1, max_size=3).map(
        lambda rows: (
            "|a|b|\n|:-|--|\n" + "\n".join(f"|{x}|{y}|".replace("x | y", "x") for x, y in rows)
        )
    )
    code = st.lists(st.one_of(CODE, words), max_size=4).map(lambda lines: "\n  ".join(lines))
    items = st.lists(line, min_size=1, max_size=4)
    return st.one_of(
        line,
        st.lists(line, min_size=2, max_size=3).map("\n".join),
        st.tuples(st.sampled_from("*+-"), items).map(
            lambda t: "\n".join(f"{t[0]}   {x}" for x in t[1])
        ),
        st.tuples(st.sampled_from("*+-"), items).map(
            lambda t: "- outer\n" + "\n".join(f"    {t[0]} {x}\n\n      more" for x in t[1])
        ),
        items.map(lambda lines: "\n".join(f"{number}. {x}" for number, x in enumerate(lines, 1))),
        code.map(lambda text: f"~~~py\n{text}\n~~~"),
        code.map(lambda text: f"- item\n\n  ```\n  {text}\n  ```"),
        table,
        line.map(lambda text: f"#### {text}"),
        line.map(lambda text: f"> {text}\n> more"),
        st.just("***"),
    )


def _sections(words):
    return st.lists(_blocks(words), min_size=1, max_size=5).map("\n\n".join)


@given(_sections(PLAIN), st.sampled_from(["keep", "no", 60]))
def test_a_real_formatter_changes_nothing(text, wrap):
    mdformat = pytest.importorskip("mdformat")
    pytest.importorskip("mdformat_gfm")
    formatted = mdformat.text(text, extensions={"gfm"}, options={"wrap": wrap})
    assert section_digest(formatted) == section_digest(text)


@given(_sections(st.one_of(PLAIN, st.just("QQQ"))).filter(lambda text: "QQQ" in text), st.data())
def test_a_changed_word_is_an_edit(text, data):
    word = data.draw(
        st.sampled_from(["QQ", "qqq", "QQQQ", "Q Q", "Q_Q", "`QQQ`", "Q-Q", "QQQ.", "7", ""])
    )
    at = data.draw(st.sampled_from([n for n in range(len(text)) if text.startswith("QQQ", n)]))
    assert section_digest(text[:at] + word + text[at + 3 :]) != section_digest(text)


@example("```")
@given(st.text(alphabet="ab`*_~#>-+1. \t\n|\\[](){}<>!&;:=\u3000é", max_size=80))
def test_any_text_has_a_digest_that_outer_space_does_not_change(text):
    assert section_digest(trimmed(text)) == section_digest("\n\n" + trimmed(text) + " \n\n")
    assert headings(text) == headings(text + "\n")


def test_headings_of_both_kinds_outside_code_comments_lists_and_quotes():
    text = """\
# One #
Two
---
```
## no
```
~~~~
~~~
## no
~~~~
- item
---
> ## no

<!--
## no
-->
    ## code

## Three `x` ##
para
graph
=====
| a |
|---|
#no
"""
    assert headings(text) == [
        Heading(1, "One", 0, 1),
        Heading(2, "Two", 1, 3),
        Heading(2, "Three `x`", 19, 20),
        Heading(1, "para graph", 20, 23),
    ]


def test_trimming_keeps_hard_breaks_and_code():
    assert trimmed("\n\na  \nb \n\n```\nx  \ny\n```\nc  \n\n") == "a\\\nb\n\n```\nx\ny\n```\nc"


def test_a_heading_needs_no_blank_line_before_it():
    text = "- a\n## One\n> b\n## Two\n```\nx\n```\n## Three\n"
    text += "- a\n  - b\n\n    ## in b\n## Four\n1. x\n\nTwo\n---\n"
    assert [heading.title for heading in headings(text)] == ["One", "Two", "Three", "Four", "Two"]
