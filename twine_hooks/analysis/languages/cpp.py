"""C++: what a file says about itself."""

from __future__ import annotations

from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.lang_base import Parsed
from twine_hooks.analysis.languages.c_family import TRAITS, linker, read_file
from twine_hooks.analysis.languages.c_text import for_parser


def prepare(text: bytes) -> tuple[bytes, str]:
    """What the parser is shown; C++ has one dialect."""
    return for_parser(text), "cpp"


def read(parsed: Parsed) -> Facts:
    """Facts of one C++ file."""
    return read_file(parsed, TRAITS, "cpp")


__all__ = ["TRAITS", "linker", "prepare", "read"]
