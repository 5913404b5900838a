"""Digests are framed, stable and short where asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_store.digest import DIGEST, digest, short

PARTS = st.lists(st.text(alphabet="ab\0\udc80é"), max_size=4)


def test_the_value_never_changes_or_every_repository_becomes_stale():
    assert digest("a", b"b") == "b3:237238bc1341a057099f91fc90c2271e"


@given(PARTS, PARTS)
def test_equal_digests_mean_equal_parts(one, other):
    assert (digest(*one) == digest(*other)) == (one == other)
    assert DIGEST.match(digest(*one))


def test_short_takes_a_digest_as_it_is_and_digests_the_rest():
    assert short("b3:" + "0123456789abcdef" * 2, 16) == "0123456789abcdef"
    assert short("text") == short(b"text") == digest("text")[3:11]
