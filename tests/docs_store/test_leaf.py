"""The leaf: any names come back, damage is named, and git merges neighbours."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_store.errors import LeafError
from docs_store.leaf import Leaf, Symbol, digest_of, parse, render

HEX16 = st.text("0123456789abcdef", min_size=16, max_size=16)
DIGESTS = st.text("0123456789abcdef", min_size=32, max_size=32).map("b3:".__add__)
NAMES = st.text(min_size=1)
LEAVES = st.builds(
    Leaf,
    DIGESTS,
    DIGESTS,
    st.lists(NAMES).map(tuple),
    st.lists(st.builds(Symbol, NAMES, HEX16, HEX16)).map(tuple),
)
LEAF = Leaf(
    f"b3:{'0' * 32}",
    f"b3:{'1' * 32}",
    ("from .geometry: area", "os"),
    (Symbol("Circle.area", "a" * 16, "b" * 16), Symbol("operator new", "c" * 16, "d" * 16)),
)
TEXT = """\
codetwine-leaf 1

source b3:00000000000000000000000000000000

interface b3:11111111111111111111111111111111

import from .geometry: area

import os

symbol Circle.area aaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb

symbol operator%20new cccccccccccccccc dddddddddddddddd
"""


def test_the_text_reads_like_this():
    assert render(LEAF) == TEXT
    assert parse(TEXT, "x") == parse(TEXT.replace("\n", "\r\n"), "x") == LEAF


@given(LEAVES)
def test_any_names_come_back_and_order_does_not_matter(leaf):
    text = render(leaf)
    again = parse(text, "x")
    assert again == Leaf(
        leaf.source, leaf.interface, tuple(sorted(leaf.imports)), tuple(sorted(leaf.symbols))
    )
    assert render(again) == text
    assert digest_of(again) == digest_of(leaf)
    assert text == "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("codetwine-leaf 1", "something"), 1, "not a leaf"),
        (("codetwine-leaf 1", "codetwine-leaf 2"), 1, "another format.*upgrade"),
        (("source b3:0", "source b3:g"), 3, "cannot be read"),
        (("source", "sauce"), 3, "cannot be read"),
        (("import os", "source b3:" + "0" * 32), 9, "cannot be read"),
        (("import os", "import %FF"), 9, "damaged escape"),
        (("aaaaaaaaaaaaaaaa", "a"), 11, "cannot be read"),
        (("import os", "<<<<<<< HEAD\nimport os"), 9, "conflict markers"),
        (("import os", "=======\nimport os"), 9, "conflict markers"),
        (("source b3:00000000000000000000000000000000\n", ""), 13, "ends without"),
    ],
)
def test_damage_is_named_with_file_and_line(change, line, message):
    with pytest.raises(LeafError, match=f"^docs/leaf.twine:{line}: .*{message}") as caught:
        parse(TEXT.replace(*change), "docs/leaf.twine")
    assert caught.value.line == line


def test_changes_of_neighbouring_entries_merge(tmp_path):
    ours = TEXT.replace("import os", "import re").replace("aaaaaaaaaaaaaaaa", "0" * 16)
    theirs = TEXT.replace("geometry", "shapes").replace("cccccccccccccccc", "1" * 16)
    files = [tmp_path / name for name in ("ours", "base", "theirs")]
    for file, text in zip(files, (ours, TEXT, theirs), strict=True):
        file.write_text(text)
    merge = subprocess.run(["git", "merge-file", "-p", *files], capture_output=True, text=True)
    assert merge.returncode == 0
    assert parse(merge.stdout, "x").imports == ("from .shapes: area", "re")
    assert [symbol.interface[0] for symbol in parse(merge.stdout, "x").symbols] == ["0", "1"]
