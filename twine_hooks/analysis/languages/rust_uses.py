"""``use`` and ``extern crate`` of a Rust file: each name by itself; knows no crates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twine_hooks.analysis.lang_base import Parsed
from twine_hooks.analysis.languages.rust_types import plain, split
from twine_hooks.analysis.scopes import innermost

PUBLIC = re.compile(r"(?:default\s+)?pub\b")
_EXTERN = re.compile(r"extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?")
_MOST_NESTED = 30  #: lists in lists of one ``use``


class Use(NamedTuple):
    """One name that is brought in; ``name`` is "" for a module as a whole, "*" for all names."""

    start: int
    module: str
    name: str
    alias: str
    kind: str  #: import or reexport
    is_inner: bool  #: it stands in a function

    @property
    def path(self) -> str:
        return f"{self.module}::{self.name}" if self.name else self.module


def read_uses(parsed: Parsed) -> list[Use]:
    """All of a file, in its order."""
    spans = parsed.spans("import")
    trees = parsed.spans("use")
    written = dict(zip(innermost(spans, [start for start, _ in trees]), trees, strict=True))
    inside = innermost(parsed.spans("scope"), [start for start, _ in spans])
    found = []
    for index, (start, end) in enumerate(spans):
        head = parsed.string(start, end)
        kind = "reexport" if PUBLIC.match(head) else "import"
        named: Iterable[tuple[str, str, str]] = ()
        if index in written:
            named = _tree(plain(parsed.string(*written[index])), "", 0)
        elif external := _EXTERN.search(head):
            module = "crate" if external[1] == "self" else f"::{external[1]}"
            named = [(module, "", external[2] or external[1])]
        found += [Use(start, *one, kind, inside[index] >= 0) for one in named]
    return found


def _tree(text: str, prefix: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """(module, name, alias) of each name in a tree of ``use``."""
    text = text.strip()
    head, bracket, rest = text.partition("{")
    if bracket and depth < _MOST_NESTED:
        path = "".join(head.split())
        prefix = "::" if path == "::" else _joined(prefix, path.removesuffix("::"))
        for part in split(rest.rpartition("}")[0], ","):
            yield from _tree(part, prefix, depth + 1)
        return
    path, _, alias = text.partition(" as ")
    path = "".join(path.split())
    if path == "self":
        path, prefix = prefix, ""
    elif path.endswith("::self"):
        path = path.removesuffix("::self")
    full = _joined(prefix, path)
    module, separator, name = full.rpartition("::")
    if name == "*":
        yield module, "*", ""
    elif name:
        is_one = not separator or not module
        yield (full, "", alias.strip() or name) if is_one else (module, name, alias.strip() or name)


def _joined(prefix: str, path: str) -> str:
    if not prefix or not path:
        return prefix or path
    return f"{prefix}{path}" if prefix.endswith("::") else f"{prefix}::{path}"
