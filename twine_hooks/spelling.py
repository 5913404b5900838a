"""What a file spells: whether it may lead to a path that comes or goes, or look up a changed name.

Kept of each file as a Bloom filter, so that asking ten thousand files takes no reading of facts.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterable, Iterator

from twine_hooks.analysis.all_languages import load
from twine_hooks.analysis.facts import Facts

_BYTES = 32  #: of a filter at least
_BITS_A_WORD = 10  #: one in thirty words that are not there seems to be
_WORD = re.compile(r"\w+")
_FILE, _FOLDER = "import ", "import /"  #: no name begins so


def file_word(name: str) -> str:
    """The word of ``imported_words`` that may lead to a file of this name, without its ending."""
    return _FILE + name


def folder_word(name: str) -> str:
    """The word of ``imported_words`` that may lead to a folder of this name."""
    return _FOLDER + name


def imported_words(facts: Facts) -> Iterator[str]:
    """The names of files and folders that the imports of a file may lead to."""
    for one in facts.imports:
        parts = _WORD.findall(one.module)
        yield from map(file_word, parts)
        for name in (*parts[-1:], one.name):
            if name:
                yield folder_word(name)
        if one.name:
            yield file_word(one.name)


def spelled(facts: Facts) -> bytes:
    """The filter of all that a file spells: names that it looks up and what its imports name."""
    changes = load(facts.language).TRAITS.changes if facts.language else None
    words = set(imported_words(facts))
    if changes is not None:
        words |= changes.spelled(facts)
    filter_ = bytearray(max(_BYTES, len(words) * _BITS_A_WORD // 8))
    for mark in marks_of(words):
        for number in (mark, _second(mark)):
            bit = number % (8 * len(filter_))
            filter_[bit >> 3] |= 1 << (bit & 7)
    return bytes(filter_)


def marks_of(words: Iterable[str]) -> tuple[int, ...]:
    """What filters are asked for, made once of words for all of them."""
    return tuple(crc32(word.encode("utf-8", "surrogatepass")) for word in words)


def may_spell(filter_: bytes, marks: Iterable[int]) -> bool:
    """Whether one of the words may be in a filter; false is certain, true is not."""
    size = 8 * len(filter_)
    return size > 0 and any(
        filter_[(bit := mark % size) >> 3] >> (bit & 7) & 1
        and filter_[(bit := _second(mark) % size) >> 3] >> (bit & 7) & 1
        for mark in marks
    )


def _second(mark: int) -> int:
    """Another number of the same word."""
    return mark * 0x9E3779B1 >> 16 & 0xFFFFFFFF
