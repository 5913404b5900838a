"""The names of a file that lead out of it, with the chains behind them; knows no one language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from twine_hooks.analysis.facts import Reference
from twine_hooks.analysis.lang_base import Parsed, Span, Traits
from twine_hooks.analysis.scopes import Locals, innermost


def collect_references(
    parsed: Parsed,
    traits: Traits,
    interesting: Callable[[str], bool],
    definition_spans: Sequence[Span],
    typed: Mapping[tuple[str, Span], str] = MappingProxyType({}),
) -> list[Reference]:
    """The ``@identifier`` names that are interesting and not local, with the chain behind them.

    ``@identifier.type`` is a name in the place of a type, ``@called`` the arguments of a call whose
    result is used further. ``definition_spans`` are the spans of the definitions in
    ``Facts.definitions``' order. ``typed`` has for a (local name, its scope) a chain that has the
    same members: "Shape" for a local of that class.
    """
    types = {start for start, _ in parsed.spans("identifier.type")}
    calls = dict(parsed.spans("called"))
    uses = [
        (start, chain, "type" if start in types else kind)
        for start, end, root in _places(parsed, traits, interesting, typed)
        for chain, kind in _chains(parsed.text, traits, root, end, calls)
    ]
    return merged(parsed, uses, innermost(definition_spans, [start for start, _, _ in uses]))


def merged(
    parsed: Parsed, uses: Iterable[tuple[int, str, str]], scopes: Iterable[int]
) -> list[Reference]:
    """One reference for each chain, kind and scope, with the lines of all its uses.

    ``uses`` are (position, chain, kind) by position, ``scopes`` for each of them the index of the
    definition around it, -1 for none.
    """
    starts: dict[tuple[str, str, int], list[int]] = {}
    for (start, chain, kind), scope in zip(uses, scopes, strict=True):
        starts.setdefault((chain, kind, scope), []).append(start)
    return [
        Reference(chain, kind, parsed.lines_of(at), scope)
        for (chain, kind, scope), at in starts.items()
    ]


def _places(
    parsed: Parsed,
    traits: Traits,
    interesting: Callable[[str], bool],
    typed: Mapping[tuple[str, Span], str],
) -> list[tuple[int, int, str]]:
    """(start, end, root of its chain) for each name that leads out of its function."""
    typed_names = {name for name, _ in typed}
    wanted_names = lru_cache(maxsize=None)(interesting)
    skipped = {
        start for start, _ in parsed.spans("name", "not_reference", "local", "local.hoisted")
    }
    locals_ = Locals(parsed, lambda name: name in typed_names or interesting(name))
    text = parsed.text
    found = []
    for start, end in parsed.spans("identifier", "identifier.type"):
        name = parsed.string(start, end)
        wanted = wanted_names(name)
        if start in skipped or not (wanted or name in typed_names):
            continue
        if text[start - 1 : start] == b"." and text[start - 3 : start] != b"...":
            continue
        binding = locals_.binding(name, start)
        if binding is None and wanted:
            found.append((start, end, name))
        elif binding is not None and (name, binding) in typed and traits.chain.match(text, end):
            found.append((start, end, typed[name, binding]))
    imports = innermost(parsed.spans("import"), [start for start, _, _ in found])
    return [place for place, within in zip(found, imports, strict=True) if within < 0]


_CALL = re.compile(rb"\s*\(")
_CALLS_FOLLOWED = 8  #: calls in one chain that are followed


def _chains(
    text: bytes, traits: Traits, root: str, end: int, calls: Mapping[int, int]
) -> Iterator[tuple[str, str]]:
    """The dotted name behind ``root`` and whether it is called; again behind each call."""
    for _ in range(_CALLS_FOLLOWED):
        found = traits.chain.match(text, end)
        if found:
            rest = re.sub(rb"[\s?!]+", b"", found[0]).decode("utf-8", "replace")
            root, end = root + rest, found.end()
        elif root.endswith("@"):
            return
        called = _CALL.match(text, end)
        yield root, "call" if called else "read"
        if not called or called.end() - 1 not in calls:
            return
        root, end = root + "@", calls[called.end() - 1]
