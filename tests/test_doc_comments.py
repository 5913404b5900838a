"""What a doc comment says, in every convention, and what of it is a first sentence."""

from __future__ import annotations

import pytest

from twine_hooks.doc_comments import first_sentence, paragraphs

FIRST = {
    "Adds one. Then more.": "Adds one.",
    "Reads e.g. Words. More": "Reads e.g. Words.",
    "Of x.y. and z": "Of x.y. and z",
    "Two\nlines\n\nand more": "Two lines",
    # reStructuredText, RDoc, Markdown, KDoc
    "Calls :meth:`get` of a :class:`~a.b.Cee`.": "Calls `get` of a `Cee`.",
    "See :ref:`the guide <guide>`.": "See the guide.",
    "Like +sub+ and <tt>String#x</tt>, C++ and a+b+c.": "Like `sub` and `String#x`, C++ and a+b+c.",
    "Reads [RFC 7159](http://example.org/a).": "Reads RFC 7159.",
    "Gives the [text][Token.TEXT], a [`Token`] of [flags].": "Gives the text, a `Token` of [flags].",
    "`[a](b)` stays.": "`[a](b)` stays.",
    # Javadoc, JSDoc
    "Of {@code List<T>}, {@link #foo(int)} and {@link a.B the B}.": "Of `List<T>`, `foo(int)` and the B.",
    "<p>First.\n<p>Second": "First.",
    "Pushes to a list\n@param x what": "Pushes to a list",
    "@param x what\n@return nothing": "",
    "@internal": "",
    "@internal\nMakes a proxy": "Makes a proxy",
    "@public\n@deprecated use {@link B} instead": "Deprecated: use `B` instead",
    "@deprecated": "Deprecated.",
    "Sums up.\n@deprecated since 2": "Sums up.",
    # Doxygen
    "@cond INTERNAL": "",
    "@copybrief other\n@tparam T type": "",
    "@brief Counts @p n and \\c m, see @ref x.": "Counts `n` and `m`, see `x`.",
    # lists, titles, code
    "It goes on if:\n- this\n- that": "It goes on if…",
    "* one\n* two": "one",
    "Title\n=====": "Title",
    "```\ncode\n```\ntext": "",
    "": "",
}


@pytest.mark.parametrize("doc", FIRST)
def test_first_sentence(doc):
    assert first_sentence(doc) == FIRST[doc]


def test_a_long_sentence_is_cut_at_a_word():
    said = first_sentence("word " * 60)
    assert said.endswith("word…")
    assert len(said) <= 161


def test_fences_and_indented_blocks_stay_in_one_piece():
    doc = "Text:\n\n```rust\na\n\n# b\n```\nmore\n* x\n  y\n* z\n\n    p\n\n    q\n\nend\n@param x y\n\nlast"
    assert paragraphs(doc) == [
        "Text:",
        "```rust\na\n\n# b\n```",
        "more",
        "* x\n  y\n* z",
        "    p\n\n    q",
        "end",
        "last",
    ]


@pytest.mark.parametrize(
    "doc", ["```\nnever closed\n\nx", "\n\n", "- ", "@", "`", "[a](", "<p>", "{@link"]
)
def test_any_text(doc):
    assert isinstance(first_sentence(doc), str)
    assert all(paragraphs(doc))
