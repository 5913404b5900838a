"""Reads the names of a Java, Kotlin or C# file, chain by chain, into references."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.jvm_chains import UNKNOWN, Chains, Found
from twine_hooks.analysis.languages.jvm_files import Gathered, plain_type
from twine_hooks.analysis.scopes import innermost

_PRIMITIVE = frozenset(
    {"int", "long", "short", "byte", "char", "boolean", "float", "double", "void"}
)
_DOT = ord(".")
_CREATION, _NAME, _TYPE, _SELF, _CAST, _BRACKETS, _AWAIT = range(7)
AWAIT = "await"  #: the step from a task to its result


def value_of(chains: Chains, written: str, position: int) -> str:
    """The chain of a value whose type is written there."""
    written = written.partition("|")[0].strip()
    if written in _PRIMITIVE:
        return UNKNOWN
    return f"«{chains.local_type(written, position)}»"


def read_names(parsed: Parsed, chains: Chains, gathered: Gathered) -> None:
    """All chains of the file, in the order in which their expressions are complete."""
    _Reader(parsed, chains, gathered).read()


class _Reader:
    def __init__(self, parsed: Parsed, chains: Chains, gathered: Gathered) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self._chains = chains
        self._gathered = gathered
        self._skipped = {
            start for start, _ in parsed.spans("name", "not_reference", "local", "local.inferred")
        }
        for start, end in parsed.spans("self"):
            label = self._text.find(b"@", start, end)
            if label >= 0:
                self._skipped.add(label + 1)
        self._type_names = {start for start, _ in parsed.spans("type.name")}
        self._free = {start for start, _ in parsed.spans("function.reference")}
        self._cast_types = dict(parsed.spans("cast.before") + parsed.spans("cast.type"))
        self._infix = {start for start, _ in parsed.spans("infix")}

        self._labels = self._read_labels()

    def _read_labels(self) -> dict[int, Span]:
        """Where a name stands after ``case`` -> the brackets with what is switched on."""
        labels, switches = self._parsed.spans("label"), self._parsed.spans("switch")
        conditions = self._parsed.spans("switch.on")
        around = innermost(switches, [start for start, _ in labels])
        starts = [start for start, _ in conditions]
        found = {}
        for (start, _), index in zip(labels, around, strict=True):
            at = bisect_right(starts, switches[index][0]) if index >= 0 else len(starts)
            if at < len(starts):
                found[start] = conditions[at]
        return found

    def read(self) -> None:
        events = sorted(self._events())
        bases = self._parsed.spans("base")
        base_starts = [start for start, _ in bases]
        for _, what, start, end, extra in events:
            if what == _CREATION:
                self._creation(start, end, extra)
            elif what == _CAST:
                written = plain_type(self._parsed.string(extra, self._cast_types[extra]))
                value = value_of(self._chains, written, extra)
                self._chains.found[start] = Found(value, end, False)
            elif what == _AWAIT:
                self._await(start, end, extra)
            elif what == _BRACKETS:
                self._gathered.add_found(start, self._chains.bracketed(start, end))
            elif start in self._skipped or start in self._chains.consumed:
                continue
            elif start not in self._free and _continues(self._text, start):
                self._dangling(start, end)
            elif what == _SELF:
                self._self(start, end)
            elif what == _TYPE or start in self._type_names:
                at = bisect_right(base_starts, start) - 1
                self._type(start, end, at >= 0 and start < bases[at][1])
            else:
                self._name(start, end)

    def _events(self) -> Iterator[tuple[int, int, int, int, int]]:
        """(when, what, start, end, more) of everything to read."""
        parsed = self._parsed
        text, keeps_all = self._text, self._chains.has_extensions
        for what, captures in ((_NAME, ("identifier", "type.name")), (_TYPE, ("type",))):
            for start, end in self._in_code(*captures):
                if keeps_all or text[start - 1] != _DOT:
                    yield start, what, start, end, 0
        for start, end in parsed.spans("self"):
            yield start, _SELF, start, end, 0
        for whole, made in zip(parsed.spans("creation"), parsed.spans("new"), strict=False):
            yield made[0], _CREATION, whole[0], made[1], made[0]
        for (start, end), written in zip(
            parsed.spans("cast.value"), parsed.spans("cast.before"), strict=False
        ):
            yield end, _CAST, start, end, written[0]
        starts = {end: start for start, end in parsed.spans("cast.type")}
        for start, end in parsed.spans("cast"):
            if end in starts:
                yield end, _CAST, start, end, starts[end]
        for start, end in parsed.spans("paren"):
            yield end, _BRACKETS, start, end, 0
        for whole, awaited in zip(parsed.spans("await"), parsed.spans("awaited"), strict=False):
            yield whole[1], _AWAIT, whole[0], whole[1], awaited[0]

    def _in_code(self, *captures: str) -> Iterator[Span]:
        """The captured spans outside of the imports."""
        spans = self._parsed.spans(*captures)
        heads = self._parsed.spans("import", "import.package")
        inside = innermost(heads, [start for start, _ in spans])
        return (span for span, index in zip(spans, inside, strict=True) if index < 0)

    def _name(self, start: int, end: int) -> None:
        if start in self._infix:
            found: Found | None = self._chains.infix(start, end)
        else:
            found = self._chains.name(start, end)
        self._gathered.add_found(start, found)
        if start in self._labels and found is not None:
            on = self._labels[start]
            value = self._chains.expression(on[0] + 1, on[1] - 1)
            if value is not None and not value.startswith(UNKNOWN):
                self._gathered.add(start, f"{value}.{found.chain}", "read")

    def _type(self, start: int, end: int, is_base: bool) -> None:
        found = self._chains.type(start, end)
        if found is not None:
            kind = "base" if is_base else "call" if found.is_call else "type"
            self._gathered.add(start, found.chain, kind)

    def _self(self, start: int, end: int) -> None:
        context = self._gathered.context(start)
        label = self._text.find(b"@", start, end)
        if context and label < 0:
            found: Found | None = self._chains.value(start, end, context)
        else:
            found = self._chains.self(start, end, label)
        if found is not None and not found.chain.endswith(("»", "this", "super")):
            self._gathered.add_found(start, found)

    def _creation(self, start: int, end: int, declared: int) -> None:
        written = plain_type(self._parsed.string(declared, end))
        made = self._chains.created(start, end, self._chains.local_type(written, declared))
        self._gathered.add_found(declared, made)

    def _await(self, start: int, end: int, awaited: int) -> None:
        chain = self._chains.expression(awaited, end)
        if chain is not None and not chain.startswith(UNKNOWN):
            self._chains.found[start] = Found(f"{chain}.{AWAIT}", end, False)

    def _dangling(self, start: int, end: int) -> None:
        """A name behind a value of which nothing is known: it may be an extension."""
        self._gathered.add_found(start, self._chains.dangling(start, end))


def _continues(text: bytes, start: int) -> bool:
    """Whether the name goes on with a chain that began before it."""
    before = text[start - 1 : start]
    if before.isspace():
        before = text[max(0, start - 100) : start].rstrip()[-1:]
    return before == b"." or (before == b":" and text[start - 2 : start] == b"::")
