"""C: what a file says about itself; ``.h`` files that are C++ go to that language by their text."""

from __future__ import annotations

from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.lang_base import Parsed
from twine_hooks.analysis.languages.c_family import TRAITS, linker, read_file
from twine_hooks.analysis.languages.c_text import for_parser, looks_like_cpp


def prepare(text: bytes) -> tuple[bytes, str]:
    """What the parser is shown, and the language that the text is in."""
    return for_parser(text), "cpp" if looks_like_cpp(text) else "c"


def read(parsed: Parsed) -> Facts:
    """Facts of one C file."""
    return read_file(parsed, TRAITS, "c")


__all__ = ["TRAITS", "linker", "prepare", "read"]
