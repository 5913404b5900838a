"""Digests of texts and bytes (BLAKE3, 128 bits); knows nothing of what they stand for."""

from __future__ import annotations

import re

from blake3 import blake3

PREFIX = "b3:"
DIGEST = re.compile(r"b3:[0-9a-f]{32}\Z")


def digest(*parts: bytes | str) -> str:
    """`b3:` and 32 hex digits of the parts in order; ("ab", "c") and ("a", "bc") differ.

    A text counts as its UTF-8 bytes. Lone surrogates, which file names that are not UTF-8 decode
    to, are allowed.
    """
    framed: list[bytes] = []
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        framed.append(len(data).to_bytes(8, "little"))
        framed.append(data)
    return PREFIX + blake3(b"".join(framed)).hexdigest(16)


def short(value: bytes | str, hex_digits: int = 8) -> str:
    """The first `hex_digits` (at most 32) of a digest; what is none yet is digested first."""
    if isinstance(value, str):
        full = value if DIGEST.match(value) else digest(value)
        return full[len(PREFIX) : len(PREFIX) + hex_digits]
    # Bytes come by the hundred thousand, and what is cut off need not be made first.
    framed = len(value).to_bytes(8, "little") + value
    return blake3(framed).hexdigest((hex_digits + 1) // 2)[:hex_digits]
