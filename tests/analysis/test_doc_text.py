"""The text of doc comments, whatever the language."""

from __future__ import annotations

import inspect

from hypothesis import given
from hypothesis import strategies as st

from twine_hooks.analysis.lang_base import without_indentation


@given(st.text(alphabet=" \t\nab"))
def test_indentation_goes_as_python_takes_it_away(text):
    assert without_indentation(text) == inspect.cleandoc(text)
