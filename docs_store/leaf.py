"""The leaf, what is recorded of one source file, as text; knows not how its digests are made."""

from __future__ import annotations

import re
from typing import NamedTuple

from docs_store.digest import DIGEST, digest
from docs_store.errors import LeafError
from docs_store.layout import UNSAFE, quote, unquote

MAGIC = "codetwine-leaf"
VERSION = "1"
_REBUILD = "rebuild it with `codetwine refresh`"
_SYMBOL = re.compile(r"(\S+) ([0-9a-f]{16}) ([0-9a-f]{16})\Z")
_CONFLICT = re.compile(r"(<{7}|={7}|>{7}|\|{7})( |\Z)")
# An import keeps its inner spaces, so that it reads as it was written.
_UNSAFE_IMPORT = re.compile(rf"^ | \Z|(?! ){UNSAFE.pattern}")


class Symbol(NamedTuple):
    """A public symbol: its qualified name, 16 hex digits each of interface and meaning."""

    name: str
    interface: str
    meaning: str


class Leaf(NamedTuple):
    """Digests (`b3:…`) of a file's meaning and interface, its imports and public symbols."""

    source: str
    interface: str
    imports: tuple[str, ...] = ()
    symbols: tuple[Symbol, ...] = ()


def render(leaf: Leaf) -> str:
    """The text of `leaf`: sorted, a blank line between entries so that merges do not touch."""
    entries = [f"{MAGIC} {VERSION}", f"source {leaf.source}", f"interface {leaf.interface}"]
    entries += [f"import {quote(text, _UNSAFE_IMPORT)}" for text in sorted(leaf.imports)]
    entries += [
        f"symbol {quote(name)} {face} {meaning}" for name, face, meaning in sorted(leaf.symbols)
    ]
    return "\n\n".join(entries) + "\n"


def parse(text: str, path: str) -> Leaf:
    """The leaf that `text` says; LeafError names `path` and line. CRLF is tolerated."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    _check_no_conflict(lines, path)
    if lines[0] != f"{MAGIC} {VERSION}":
        newer = lines[0].startswith(f"{MAGIC} ")
        advice = "upgrade codetwine" if newer else _REBUILD
        raise LeafError(
            f"{'of another format' if newer else 'not a leaf'} ({lines[0][:40]!r}); {advice}",
            path,
            1,
        )
    digests: dict[str, str] = {}
    imports: list[str] = []
    symbols: list[Symbol] = []
    for number, line in enumerate(lines[1:], 2):
        keyword, _, rest = line.partition(" ")
        if keyword in ("source", "interface") and keyword not in digests and DIGEST.match(rest):
            digests[keyword] = rest
        elif keyword == "import" and rest:
            imports.append(_unquoted(rest, path, number))
        elif keyword == "symbol" and (found := _SYMBOL.match(rest)):
            symbols.append(Symbol(_unquoted(found[1], path, number), found[2], found[3]))
        elif line.strip():
            raise LeafError(f"cannot be read ({line[:60]!r}); {_REBUILD}", path, number)
    if len(digests) < 2:
        raise LeafError(
            f"ends without its source and interface lines; {_REBUILD}", path, len(lines)
        )
    return Leaf(digests["source"], digests["interface"], tuple(imports), tuple(symbols))


def digest_of(leaf: Leaf) -> str:
    """The digest that the Merkle tree holds for `leaf`, whatever the order in it."""
    return digest(render(leaf))


def _check_no_conflict(lines: list[str], path: str) -> None:
    for number, line in enumerate(lines, 1):
        if _CONFLICT.match(line):
            raise LeafError(f"has conflict markers; {_REBUILD}", path, number)


def _unquoted(text: str, path: str, number: int) -> str:
    try:
        return unquote(text)
    except ValueError:
        raise LeafError(
            f"has a name with a damaged escape ({text[:60]!r}); {_REBUILD}", path, number
        ) from None
