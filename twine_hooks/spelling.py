"""What the imports of a file spell: which files may lead to a path that comes or goes.

Kept of each file as a Bloom filter, so that asking ten thousand files takes no reading of facts.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Iterable, Iterator

from twine_hooks.analysis.facts import Facts

_BITS = 256
_WORD = re.compile(r"\w+")


def words_of(facts: Facts) -> Iterator[str]:
    """Each part of each import; with a "/" behind it where an import may stand for a folder."""
    for one in facts.imports:
        parts = _WORD.findall(one.module)
        yield from parts
        if parts:
            yield parts[-1] + "/"
        if one.name:
            yield one.name
            yield one.name + "/"


def spelled(words: Iterable[str]) -> bytes:
    """The filter of these words: 32 bytes."""
    bits = 0
    for word in words:
        bits |= _mask(word)
    return bits.to_bytes(_BITS // 8, "little")


def may_spell(filter_: bytes, words: Iterable[str]) -> bool:
    """Whether one of the words may be in a filter; false is certain, true is not."""
    bits = int.from_bytes(filter_, "little")
    return any(bits & mask == mask for mask in map(_mask, words))


def _mask(word: str) -> int:
    number = crc32(word.encode("utf-8", "surrogatepass"))
    return 1 << number % _BITS | 1 << (number >> 16) % _BITS
