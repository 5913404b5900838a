"""What became of a symbol's interface, in words; knows any language's signatures as text only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.markup import code
from twine_hooks.parameters import name_of, parameters_of

_CALLED = ("function", "method", "constructor")


class Change(NamedTuple):
    """What became of one symbol, in Markdown; `label` is its name as people write it."""

    symbol: str
    label: str
    text: str


def interface_changes(before: Facts | None, after: Facts | None) -> Iterator[Change]:
    """What became of each public symbol whose interface differs; sorted.

    A file that came or went as a whole is not taken apart.
    """
    if before is None or after is None:
        return
    old, new = _public(before), _public(after)
    for name in sorted(old.keys() | new.keys()):
        text = _text(old.get(name, ()), new.get(name, ()))
        if text:
            one = (new.get(name) or old[name])[0]
            yield Change(name, f"{name}()" if one.kind in _CALLED else name, text)


def _public(facts: Facts) -> Mapping[str, tuple[Definition, ...]]:
    found: dict[str, tuple[Definition, ...]] = {}
    for one in facts.definitions:
        if one.public:
            found[one.qualified] = (*found.get(one.qualified, ()), one)
    return found


def _text(old: tuple[Definition, ...], new: tuple[Definition, ...]) -> str:
    if not old:
        return "is new"
    if not new:
        return "is gone"
    if sorted(one.interface for one in old) == sorted(one.interface for one in new):
        return ""
    if len(old) != 1 or len(new) != 1:
        return f"has other declarations ({len(old)} before, {len(new)} now)"
    return describe(old[0], new[0])


def describe(old: Definition, new: Definition) -> str:
    """What differs between two states of one definition."""
    if old.signature != new.signature:
        return _signature(old.signature, new.signature)
    if old.kind != new.kind:
        return f"was a {old.kind} and is a {new.kind}"
    if old.bases != new.bases:
        return f"has other bases ({_listed(old.bases)} before, {_listed(new.bases)} now)"
    if old.decorators != new.decorators:
        return f"has other decorators ({_listed(new.decorators)} now)"
    if old.doc != new.doc:
        return "has another doc comment"
    return "looks different from outside"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(code(name) for name in names) or "none"


def _signature(old: str, new: str) -> str:
    before, after = parameters_of(old), parameters_of(new)
    if before is None or after is None or before[1] != after[1]:
        return f"was {code(old)} and is {code(new)}"
    gained = [one for one in after[0] if name_of(one) not in map(name_of, before[0])]
    lost = [one for one in before[0] if name_of(one) not in map(name_of, after[0])]
    former = {name_of(one): one for one in before[0]}
    changed = [
        f"{code(former[name_of(one)])} became {code(one)}"
        for one in after[0]
        if former.get(name_of(one), one) != one
    ]
    parts = [f"gained {_listed(tuple(gained))}"] if gained else []
    parts += [f"lost {_listed(tuple(lost))}"] if lost else []
    return "; ".join([*parts, *changed]) or f"takes its parameters in another order: {code(new)}"
