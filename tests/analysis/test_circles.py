"""Types, values and modules that are said to be each other: whoever follows them comes to an end.

No compiler takes most of them, but half-written code looks like it, and templates that lead through
their own bases are nearly there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analysis.check import links_of

CIRCLES = [
    json.loads(line) for line in Path(__file__).with_name("circles.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(
    "circle", CIRCLES, ids=lambda one: f"{one['extension']}: {one['text'][:30]}"
)
def test_a_circle_has_an_end(circle):
    name, text = f"x.{circle['extension']}", circle["text"]
    assert set(links_of({name: text})) == {name}
    copies = {name: text, f"a.{circle['extension']}": text, f"b.{circle['extension']}": "\n" + text}
    assert set(links_of(copies)) == set(copies)
