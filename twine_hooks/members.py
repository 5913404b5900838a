"""Which definition of a file stands in which, as a reader sees it; knows no other file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from twine_hooks.analysis.facts import Definition, Facts

#: (index, definition) in the order of the file, by the index of the definition around them: -1 for
#: none, and the qualified name of a type that the file does not define.
Members = Mapping[int | str, list[tuple[int, Definition]]]

_CALLED = frozenset({"function", "method", "constructor"})
_SEPARATORS = re.compile(r"[.:#]+")


def members_by_owner(facts: Facts) -> Members:
    """All definitions by what they stand in.

    What is written outside of its type, and does not say so in its head (Rust's ``impl``), stands
    in that type.
    """
    found: dict[int | str, list[tuple[int, Definition]]] = {-1: []}
    types: dict[str, int] = {}
    for index, one in enumerate(facts.definitions):
        if one.kind not in _CALLED:
            types.setdefault(one.qualified, index)
    for index, one in enumerate(facts.definitions):
        owner = _unsaid_owner(one) if one.parent < 0 else ""
        found.setdefault(types.get(owner, owner) if owner else one.parent, []).append((index, one))
    return found


def _unsaid_owner(one: Definition) -> str:
    """The qualified name of the type that a definition belongs to, unless its head has it."""
    outside = one.qualified.removesuffix(one.name).rstrip(".:#")
    name = _SEPARATORS.split(outside)[-1]
    before = one.signature.partition(one.name)[0]
    return "" if re.search(rf"\b{re.escape(name)}\b", before) else outside
