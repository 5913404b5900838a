"""Measures questions where no model is named: four characters are a token, as of most English."""

from __future__ import annotations

from twine_hooks.providers.model import Limits

_PER_TOKEN = 4


class Characters:
    """A model that nobody asks: without limits and prices."""

    def limits(self) -> Limits:
        return Limits()

    def tokens(self, text: str) -> int:
        return -(-len(text) // _PER_TOKEN)
