"""The Merkle tree: a pure function of its leaves, sensitive to each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_store.digest import digest
from docs_store.tree import Node, build

PATHS = st.lists(st.sampled_from("ab."), min_size=1, max_size=4).map("/".join)
LEAVES = st.dictionaries(PATHS, st.sampled_from(["b3:1", "b3:2"]), max_size=8)


def test_find_and_children():
    tree = build({"src/b.py": "1", "src/a/x.py": "2", "top.py": "3", "src/a b.py": "4"})
    assert [node.path for node in tree.children()] == ["src", "top.py"]
    assert [node.path for node in tree.children("src")] == ["src/a", "src/a b.py", "src/b.py"]
    assert tree.find("src/b.py") == Node("src/b.py", "file", "1")
    assert tree.find("src/") == next(tree.children())
    assert tree.find("") == tree.root
    assert tree.find("src/a/x.py/y") is None
    assert list(tree.children("top.py")) == []
    assert build({}).root.digest == digest("")


@given(LEAVES, st.randoms())
def test_the_order_of_the_mapping_does_not_matter(leaves, random):
    shuffled = list(leaves.items())
    random.shuffle(shuffled)
    assert build(dict(shuffled)) == build(leaves)


@given(LEAVES, LEAVES)
def test_equal_roots_mean_equal_leaves(one, other):
    assert (build(one).root == build(other).root) == (one == other)


@given(LEAVES, PATHS)
def test_a_change_shows_in_its_own_folders_only(leaves, path):
    before, after = build(leaves), build({**leaves, path: "b3:new"})
    assert before.root != after.root
    for node in before.children():
        if node.path != path.split("/")[0]:
            assert node in after.children()
