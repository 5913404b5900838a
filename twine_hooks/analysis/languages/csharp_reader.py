"""Reads the names of a C# file into references: what is local, and what of a type is named."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.csharp_text import written_type
from twine_hooks.analysis.languages.jvm_chains import GAP, NAME, UNKNOWN, Chains, Scoped, Syntax
from twine_hooks.analysis.languages.jvm_files import Gathered
from twine_hooks.analysis.languages.jvm_reader import read_names
from twine_hooks.analysis.scopes import innermost

_ELEMENTS = [
    "All", "Any", "Average", "Count", "DistinctBy", "Exists", "Find", "FindAll", "FindIndex",
    "First", "FirstOrDefault", "ForEach", "GroupBy", "Last", "LastOrDefault", "Max", "MaxBy",
    "Min", "MinBy", "OrderBy", "OrderByDescending", "RemoveAll", "Select", "SelectMany", "Single",
    "SingleOrDefault", "SkipWhile", "Sum", "TakeWhile", "ThenBy", "ThenByDescending",
    "ToDictionary", "ToLookup", "Where",
]  # fmt: skip
_GENERIC = rb"(?:<[\w\s,.<>?\[\]()]{0,200}>)?"
_SYNTAX = Syntax(
    step=re.compile(rb"%s%s[?!]?%s(\.|->|:(?=:)):?%s(@?%s)" % (_GENERIC, GAP, GAP, GAP, NAME)),
    element=re.compile(rb"\[(?:[^\[\]]|\[[^\[\]]*\]){1,200}\]"),
    gives=dict.fromkeys(_ELEMENTS, "[]"),
    has_extensions=True,
    ends=frozenset(bytes([byte]) for byte in b",;)(=+*&|{}]%^") | {b""},
    selves={"base": "super"},
    calls_locals=True,
)
_SET_TO = re.compile(rb"%s(?:(=)(?![=>])|(in)\b)" % GAP)
_UNTYPED = frozenset({"var", "dynamic", "object"})
_SKIPPED = ("name", "not_reference", "local", "local.inferred", "function", "type.parameter")


def references_of(parsed: Parsed, definitions: Sequence[Definition]) -> tuple[Reference, ...]:
    """The references of one file; ``definitions`` with the spans that the query gave them."""
    attributes = parsed.spans("attribute")
    parsed = _with_names(parsed, attributes)
    scopes = parsed.spans("scope", "scope.type")
    arguments = {
        node.start_byte: (node.end_byte, node.named_child_count)
        for node in parsed.nodes("arguments")
    }
    arities = {}
    for start, end in parsed.spans("generic"):
        arities[start] = f"`{_count(parsed.string(start + 1, end - 1))}"
        if end in arguments:
            arguments[start] = arguments[end]
    chains = Chains(parsed, _SYNTAX, arguments, _types(parsed, scopes), arities)
    _add_locals(parsed, chains, scopes)
    gathered = Gathered(parsed, definitions, ())
    _add_targets(parsed, chains, gathered)
    read_names(parsed, chains, gathered)
    _add_parts(parsed, chains, gathered)
    for start, end in attributes:
        count = arguments.get(end, (0, 0))[1]
        name = parsed.string(start, end).partition("<")[0].replace("::", ".")
        gathered.add(start, f"{''.join(name.split())}({count})", "attribute")
    return tuple(
        one
        for one in gathered.references(chains)
        if not (one.chain.startswith("«?»") and one.kind != "call")
    )


def _count(arguments: str) -> int:
    """How many type arguments there are."""
    depth, count = 0, 1
    for char in arguments:
        depth += (char in "<([") - (char in ">)]")
        count += char == "," and not depth
    return count


def _with_names(parsed: Parsed, attributes: Sequence[Span]) -> Parsed:
    """The words of the file as types and as names that may be values."""
    types = parsed.starts("type.at", "base")
    skipped = parsed.starts(*_SKIPPED)
    words = parsed.spans("word")
    in_attribute = innermost(attributes, [start for start, _ in words])
    found: dict[str, list[Span]] = {"identifier": [], "type": []}
    for span, index in zip(words, in_attribute, strict=True):
        if index < 0 and (span[0] in types or span[0] not in skipped):
            found["type" if span[0] in types else "identifier"].append(span)
    return parsed.with_spans({**found, "import.package": parsed.spans("namespace.name")})


def _types(parsed: Parsed, scopes: Sequence[Span]) -> Scoped:
    """Type parameters as their bounds, and local functions as what they give."""
    found = Scoped()
    owners = {*scopes, *parsed.spans("definition.interface", "definition.delegate")}
    spans = sorted(owners, key=lambda span: (span[0], -span[1]))
    bounds = dict(_bounds(parsed, spans))
    parameters = parsed.spans("type.parameter")
    around = innermost(spans, [start for start, _ in parameters])
    for (start, end), index in zip(parameters, around, strict=True):
        if index >= 0:
            name = parsed.string(start, end)
            found.add(name, *spans[index], bounds.get((index, name), UNKNOWN))
    functions = parsed.spans("function")
    results = parsed.spans("function.type")
    inside = {span[0] for span in parsed.spans("scope")}
    for (start, end), written in zip(functions, results, strict=False):
        # The innermost span around the name is the function itself, which others call by it.
        outer = _around(spans, start, inside)
        if outer is not None:
            text = written_type(parsed.string(*written))
            found.add(parsed.string(start, end), *outer, f"«{text}»" if text != "void" else UNKNOWN)
    return found


def _around(spans: Sequence[Span], position: int, inside: set[int]) -> Span | None:
    """The second innermost span around a place."""
    index = innermost(spans, [position])[0]
    if index < 0:
        return None
    start, end = spans[index]
    for before in range(index - 1, -1, -1):
        if spans[before][0] <= start and spans[before][1] >= end:
            return spans[before]
    return None


def _bounds(parsed: Parsed, spans: Sequence[Span]) -> Iterator[tuple[tuple[int, str], str]]:
    """(index of the owner, type parameter) -> its first bound."""
    names = parsed.spans("where")
    types = parsed.spans("where.type")
    starts = [start for start, _ in types]
    around = innermost(spans, [start for start, _ in names])
    for number, ((start, end), index) in enumerate(zip(names, around, strict=True)):
        at = bisect_left(starts, end)
        limit = names[number + 1][0] if number + 1 < len(names) else len(parsed.text)
        if at < len(types) and types[at][0] < limit:
            yield (index, parsed.string(start, end)), written_type(parsed.string(*types[at]))


# --- what is local -----------------------------------------------------------------------------


def _add_locals(parsed: Parsed, chains: Chains, scopes: Sequence[Span]) -> None:
    types = parsed.spans("local.type")
    starts = [start for start, _ in types]
    fields = parsed.starts("name")
    names = [span for span in parsed.spans("local") if span[0] not in fields]
    around = innermost(scopes, [start for start, _ in names])
    for (start, end), index in zip(names, around, strict=True):
        before = bisect_right(starts, start) - 1
        while before >= 0 and types[before][1] > start:
            before -= 1
        if index >= 0 and before >= 0:
            meaning = _meaning(parsed, chains, types[before], (start, end))
            chains.local.add(_name(parsed, start, end), start, scopes[index][1], meaning)
    given = _lambdas(parsed)
    names = parsed.spans("local.inferred")
    around = innermost(scopes, [start for start, _ in names])
    for (start, end), index in zip(names, around, strict=True):
        if index >= 0:
            meaning = given.get(start, UNKNOWN)
            chains.local.add(_name(parsed, start, end), start, scopes[index][1], meaning)


def _name(parsed: Parsed, start: int, end: int) -> str:
    return parsed.string(start, end)


def _lambdas(parsed: Parsed) -> dict[int, str]:
    """Where the only parameter of a lambda stands -> what the call around gives to it."""
    calls = parsed.spans("arguments")
    names = parsed.spans("lambda.parameter")
    around = innermost(calls, [start for start, _ in names])
    return {
        start: f"\x01{calls[index][0]}"
        for (start, _), index in zip(names, around, strict=True)
        if index >= 0
    }


def _meaning(parsed: Parsed, chains: Chains, declared: Span, name: Span) -> str | int:
    """What a local variable stands for: a value of its type, or what it is set to."""
    written = written_type(parsed.string(*declared))
    if written != "var":
        return f"«{chains.local_type(written, name[0])}»"
    found = _SET_TO.match(parsed.text, name[1])
    if found is None:
        return UNKNOWN
    return -found.end() if found[2] else found.end()


# --- what is named of a type -------------------------------------------------------------------


def _add_targets(parsed: Parsed, chains: Chains, gathered: Gathered) -> None:
    """``new(…)`` as an object of the type that is declared before it."""
    nodes = parsed.nodes("target.new")
    targets = list(zip(parsed.spans("target"), parsed.spans("target.type"), strict=False))
    around = innermost([span for span, _ in targets], [node.start_byte for node in nodes])
    for node, index in zip(nodes, around, strict=True):
        start = node.start_byte
        if index < 0:
            continue
        _, written = targets[index]
        before = parsed.text[written[1] : start].rstrip()
        is_set = before.endswith(b"=") or (before.endswith(b"=>") and b"(" not in before)
        text = written_type(parsed.string(*written)).removesuffix("?")
        if not is_set or text in _UNTYPED:
            continue
        made = chains.created(start, start + 3, chains.local_type(text, written[0]))
        gathered.add_found(start, made)
        initializer = node.child_by_field_name("initializer")
        if initializer is not None:
            span = initializer.start_byte, initializer.end_byte
            _add_parts_of(parsed, gathered, [(span, text)])


def _add_parts(parsed: Parsed, chains: Chains, gathered: Gathered) -> None:
    """``new T { Member = … }`` and ``is T { Member: … }``."""
    pairs = [
        *zip(parsed.spans("made"), parsed.spans("made.type"), strict=False),
        *zip(parsed.spans("parted"), parsed.spans("parted.type"), strict=False),
    ]
    typed = [
        (span, chains.local_type(written_type(parsed.string(*written)), written[0]))
        for span, written in pairs
    ]
    _add_parts_of(parsed, gathered, sorted(typed, key=lambda one: (one[0][0], -one[0][1])))


def _add_parts_of(parsed: Parsed, gathered: Gathered, typed: Sequence[tuple[Span, str]]) -> None:
    names = parsed.spans("part")
    around = innermost([span for span, _ in typed], [start for start, _ in names])
    for (start, end), index in zip(names, around, strict=True):
        if index >= 0:
            gathered.add(start, f"«{typed[index][1]}».{parsed.string(start, end)}", "read")
