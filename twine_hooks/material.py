"""All that one document may be made from, as one value; knows not how it is written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.templating import Template


class UsedSymbol(NamedTuple):
    """A symbol of a dependency, with what can be seen of it (None where it cannot be pinned)."""

    name: str
    definition: Definition | None


class Dependency(NamedTuple):
    """A file that is used. ``summary`` is that of its present document, "" without one."""

    path: str
    has_document: bool
    symbols: tuple[UsedSymbol, ...]
    summary: Callable[[], str]


class CallSite(NamedTuple):
    """A line of another file that calls a symbol of this one."""

    symbol: str
    line: str


def _nowhere() -> tuple[CallSite, ...]:
    return ()


class Material(NamedTuple):
    """What the document of ``path`` is made from.

    ``source`` gives the file's text; ``says_uses`` is False where the policy does not follow what
    dependencies say, so that the document must not repeat it. ``call_sites`` are for a prompt
    alone: a document depends on nothing that uses its source.
    """

    path: str
    facts: Facts
    dependencies: tuple[Dependency, ...]
    template: Template
    output_language: str
    source: Callable[[], str]
    says_uses: bool = True
    call_sites: Callable[[], tuple[CallSite, ...]] = _nowhere
