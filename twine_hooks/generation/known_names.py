"""Names that need no source to exist: keywords and standard names by language, and names in prose.

One text file per language in ``known/``, and ``prose.txt`` for what looks like code and is none
(GitHub, macOS). A language without a file has none. The lists do not depend on the Python that
runs this, so that the same answer gives the same document everywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "known"


@cache
def known_names(language: str) -> frozenset[str]:
    """The keywords and standard names of a language."""
    file = _FOLDER / f"{language}.txt"
    return frozenset(file.read_text(encoding="utf-8").split()) if file.is_file() else frozenset()


def is_prose(name: str) -> bool:
    """Whether it is a name of the world that only looks like code."""
    return name in known_names("prose")
