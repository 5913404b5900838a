"""What one file says about itself, and what linking makes of it; plain values without behaviour.

Many thousands of these are made in a run, so they are named tuples: these cost a third of a frozen
dataclass to make, and the small ones pack as they are.
"""

from __future__ import annotations

import marshal
from typing import NamedTuple

#: Raised by one whenever the facts of an unchanged file may come out differently: it is part of the
#: key under which facts are cached, and of nothing that is committed.
EXTRACTOR_VERSION = 7

EVERYTHING = "*"  #: the symbol of a use that cannot be pinned to one definition


class Definition(NamedTuple):
    """One definition: a class, function, member, constant, type, table…

    Lines count from 1 and bytes from 0; the range covers decorators but not a comment before it.
    """

    name: str
    qualified: str  #: with the names of the definitions around it: "Shape.area"
    kind: str  #: class, interface, enum, type, function, method, constant, variable, field, …
    start_line: int
    end_line: int
    start: int
    end: int
    signature: str  #: one line, without body and decorators
    doc: str  #: the text of its doc comment, without markers and indentation
    decorators: tuple[str, ...]
    bases: tuple[str, ...]
    public: bool
    parent: int  #: index of the enclosing definition in ``Facts.definitions``, or -1
    interface: str  #: digest of what others can see of it, 16 hex digits
    meaning: str  #: digest of its tokens, 16 hex digits


class Reference(NamedTuple):
    """The places where one file uses one name that is not local to a function."""

    chain: str  #: dotted, as written, root first: "geometry.area"
    kind: str  #: call, read, type, base
    lines: tuple[int, ...]
    scope: int  #: index of the definition in which it stands, or -1


class Import(NamedTuple):
    """One imported name. ``from .m import a as b`` is ``(".m", "a", "b", "import", line)``."""

    module: str  #: as written: ".geometry", "pkg.mod", "./x.js", "q.Outer", "proj/x.h"
    name: str  #: the name taken from it; "" for the module as a whole, "*" for all its names
    alias: str  #: the name it is bound to here; "" when it binds none
    kind: str  #: import, lazy, typing, reexport, dynamic, include, …
    line: int


class Facts(NamedTuple):
    """What one file says about itself: a pure function of its bytes and its language."""

    language: str
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    #: (exported name, local name) where the file says so itself (``__all__``, ``export``); None
    #: when every public top-level name is visible
    exports: tuple[tuple[str, str], ...] | None = None
    namespace: str = ""  #: the package or namespace that the file declares
    doc: str = ""  #: the doc comment of the file as a whole
    meaning: str = ""  #: digest of the file's tokens, 32 hex digits
    interface: str = ""  #: digest of what others can see of the file, 32 hex digits
    lines: int = 0
    has_errors: bool = False  #: the parser met something that it did not understand
    #: (key, value) pairs that only the file's own language module reads
    extra: tuple[tuple[str, str], ...] = ()


class Edge(NamedTuple):
    """A dependency of one file on another, as far as its import says."""

    target: str
    kind: str  #: the kind of the import, or reference where the language needs none
    confidence: float  #: 1.0 certain … 0.0 guessed
    names: tuple[str, ...]  #: the names asked for, sorted


class Use(NamedTuple):
    """A symbol of ``target`` that a file uses. The target may be the file itself."""

    target: str
    symbol: str  #: qualified name of a definition there, or ``EVERYTHING``
    kind: str  #: call, read, type, base, import
    lines: tuple[int, ...]
    scope: str  #: qualified name of the definition that uses it, "" at the top level


class Unresolved(NamedTuple):
    """An import or name that looks like the project's own and leads nowhere."""

    text: str
    line: int


class Links(NamedTuple):
    """What the names and imports of one file lead to; sorted."""

    edges: tuple[Edge, ...] = ()
    uses: tuple[Use, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()


def pack(facts: Facts) -> bytes:
    """Pack facts for a cache or another process; see ``unpack``."""
    row = (
        facts.language,
        [tuple(one) for one in facts.definitions],
        [tuple(one) for one in facts.references],
        [tuple(one) for one in facts.imports],
        facts.exports,
        facts.namespace,
        facts.doc,
        facts.meaning,
        facts.interface,
        facts.lines,
        facts.has_errors,
        facts.extra,
    )
    return marshal.dumps(row)


def unpack(packed: bytes) -> Facts | None:
    """Facts from ``pack``'s bytes, which the store checks for damage; None for another form."""
    try:
        language, definitions, references, imports, *rest = marshal.loads(packed)
        return Facts(
            language,
            tuple(map(Definition._make, definitions)),
            tuple(map(Reference._make, references)),
            tuple(map(Import._make, imports)),
            *rest,
        )
    except (EOFError, ValueError, TypeError):
        return None
