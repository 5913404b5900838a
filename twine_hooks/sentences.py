"""Where the sentences of a Markdown text end, and a text cut there; knows nothing of what it says.

A full stop inside of a code span, or behind an abbreviation, ends no sentence.
"""

from __future__ import annotations

import re

SPAN = re.compile(r"(?<!\\)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)  #: code in back quotes
_END = re.compile(r"[.!?\u3002\uff01\uff1f][\"'\u201d\u2019)\]*_]*(?=\s|\Z)|[\u3002\uff01\uff1f]")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|al|Dr|Mr|Ms|St|No|approx|resp)|\b[A-Z])\.\Z"
)


def sentence_ends(text: str) -> list[int]:
    """The places behind the last letter of each sentence, in order."""
    hidden = _without_code(text)
    return [
        found.end()
        for found in _END.finditer(hidden)
        if not _ABBREVIATED.search(hidden[: found.end()])
    ]


def at_most(text: str, limit: int) -> str:
    """The whole sentences that fit into ``limit`` characters; 0 is without limit.

    Where not even the first one fits, its first words and "…". Never a part of a word or of a code
    span, unless there is nothing else.
    """
    text = text.strip()
    if not limit or len(text) <= limit:
        return text
    ends = [end for end in sentence_ends(text) if end <= limit]
    if ends:
        return text[: ends[-1]]
    # Code spans are one word each; one place is kept for the dots.
    words = [found.start() for found in re.finditer(r"\s", _without_code(text))]
    fitting = [at for at in words if 0 < at < limit]
    return text[: fitting[-1] if fitting else limit - 1].rstrip(",;:\\( \n") + "…"


def _without_code(text: str) -> str:
    """As long as the text, with code spans made of one letter that nothing looks for."""
    return SPAN.sub(lambda found: "\x00" * len(found[0]), text)
