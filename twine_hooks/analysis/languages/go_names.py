"""The names of a Go file as chains: what is local, and of which type; see expressions.py."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.expressions import (
    Expressions,
    Found,
    References,
    Value,
    matched,
)
from twine_hooks.analysis.languages.go_types import parameter_names, plain
from twine_hooks.analysis.languages.jvm_chains import GAP, NAME, UNKNOWN
from twine_hooks.analysis.scopes import innermost, innermost_parents

_STEP = re.compile(rb"[ \t]*\.%s(%s)" % (GAP, NAME))
_TYPE_LIKE = re.compile(r"(?=[^\d])[\w.*\[\], ]+")
_PLAIN_WORD = re.compile(rb"\w+")
_FIRST = re.compile(rb"[^,]*")
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_LITERAL_KINDS = frozenset({b"struct", b"map", b"func", b"interface", b"chan"})
_NAME, _LITERAL, _BRACKETS = range(3)


class Names:
    """All names that lead out of their function, and what the file's own variables are set to."""

    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self.references = References(parsed, definitions)
        self._top_level: dict[str, str | Value] = {}
        self._scopes = parsed.spans("scope.block")
        self._scope_of = self._read_scopes()
        self._read_spans()
        steps = (self._selector, self._called, self._indexed)
        self._expressions = Expressions(parsed, steps, self._prefixes(), b".([ \t")
        self._types = Expressions(parsed, (), {})  # only for what is bound
        self._bind_types()
        self._bind_parameters()
        self._bind_variables()
        self._bind_switches()
        self._keys = self._read_keys()
        self._read()

    def top_level(self, name: str, kind: str) -> str:
        """The type of a variable of the package that has none written: "=" and a chain."""
        meaning = self._top_level.get(name) if kind == "variable" else None
        if isinstance(meaning, Value):
            meaning = self._expressions.value(meaning)
        return "" if meaning is None or meaning.startswith(UNKNOWN) else f"={meaning}"

    # --- spans ------------------------------------------------------------------------------------

    def _read_spans(self) -> None:
        parsed = self._parsed
        self._calls = dict(parsed.spans("arguments"))
        conversions = dict(reversed(parsed.spans("conversion")))
        self._conversions: dict[int, Span] = {}
        for start, end in parsed.spans("conversion.type"):
            if self._begins_with_name(start):
                self._calls[end] = conversions.get(start, end)
            else:
                self._conversions[start] = end, conversions.get(start, end)
        self._indexes = dict(matched(parsed.starts("index.open"), parsed.starts("index.close")))
        self._slices = parsed.starts("slice")
        types = parsed.spans("assertion.type")
        starts = [start for start, _ in types]
        self._assertions: dict[int, Span] = {}
        for at in parsed.starts("assertion"):
            index = bisect_left(starts, at)
            if index < len(types):
                self._assertions[at] = types[index]
        self._literal_types = dict(parsed.spans("literal.type"))
        bodies = (start for start, _ in parsed.spans("lambda.body"))
        lambdas = (start for start, _ in parsed.spans("lambda"))
        self._lambda_bodies = dict(zip(lambdas, bodies, strict=False))

    def _begins_with_name(self, start: int) -> bool:
        word = _PLAIN_WORD.match(self._text, start)
        return word is not None and word[0] not in _LITERAL_KINDS

    def _prefixes(self) -> dict[int, str]:
        return {
            start: self._parsed.string(start, end) for start, end in self._parsed.spans("prefix")
        }

    # --- steps ------------------------------------------------------------------------------------

    def _selector(self, chain: str, position: int) -> Found | None:
        found = _STEP.match(self._text, position)
        if found is not None:
            self._expressions.consumed.add(found.start(1))
            return Found(f"{chain}.{found[1].decode('utf-8', 'replace')}", found.end())
        written = self._assertions.get(position)
        if written is None:
            return None
        self._mention(position, chain)
        close = self._text.find(b")", written[1])
        return Found(f"«{self._type(*written)}»", close + 1)

    def _mention(self, position: int, chain: str) -> None:
        """A chain that ends in its middle, since what follows has a type of its own."""
        if not chain.endswith(("~", "»")):
            self.references.add(position, chain)

    def _called(self, chain: str, position: int) -> Found | None:
        end = self._calls.get(position)
        if end is None:
            return None
        if chain in ("new", "make"):
            first = _FIRST.match(self._text, position + 1, end - 1)
            written = plain(first[0].decode("utf-8", "replace") if first else "")
            return Found(f"«{self._local_type(written, position)}»", end)
        return Found(f"{chain}()", end)

    def _indexed(self, chain: str, position: int) -> Found | None:
        end = self._indexes.get(position)
        if end is None:
            return None
        if position in self._slices:
            return Found(chain, end)
        inner = self._parsed.string(position + 1, end - 1).strip() if end - position < 120 else ""
        if _TYPE_LIKE.fullmatch(inner) and not self._expressions.is_local(
            re.split(r"\W", inner, maxsplit=1)[0], position
        ):
            return Found(f"{chain}⟦{self._local_type(inner, position)}⟧", end)
        return Found(f"{chain}[]", end)

    # --- types ------------------------------------------------------------------------------------

    def _type(self, start: int, end: int) -> str:
        """A type as written there, its local names replaced."""
        return self._local_type(plain(self._parsed.string(start, end)), start)

    def _local_type(self, written: str, position: int) -> str:
        if not self._has_local_types:
            return written
        return _WORD.sub(lambda found: self._types.meaning(found[0], position) or found[0], written)

    def _read_scopes(self) -> dict[int, Span]:
        """The scopes in which names are bound, by the places where that is done."""
        starts = sorted(self._parsed.starts("define", "define.kind", "parameter.name"))
        around = innermost(self._scopes, starts)
        return {
            start: self._scopes[index]
            for start, index in zip(starts, around, strict=True)
            if index >= 0
        }

    def _bind_types(self) -> None:
        """Type parameters count as their constraint, types of a function as what they are."""
        parsed = self._parsed
        owners = sorted(
            {*self._scopes, *(span for _, spans in parsed.kinds("definition") for span in spans)},
            key=lambda span: (span[0], -span[1]),
        )
        bounds = parsed.spans("parameters")
        self._has_local_types = False
        around = innermost(owners, [start for start, _ in bounds])
        for (start, end), index in zip(bounds, around, strict=True):
            for name, bound in parameter_names(plain(parsed.string(start, end))):
                self._bind_type(name, owners[index] if index >= 0 else None, bound)
        receivers = parsed.spans("receiver")
        for (start, end), index in zip(
            receivers, innermost(owners, [at for at, _ in receivers]), strict=True
        ):
            found = re.search(r"\[(.*)\]", parsed.string(start, end), re.DOTALL)
            for name in found[1].split(",") if found else ():
                self._bind_type(name.strip(), owners[index] if index >= 0 else None, "any")
        kinds = parsed.spans("define.kind")
        meanings = parsed.spans("define.meaning")
        starts = [start for start, _ in meanings]
        for start, end in kinds:
            at = bisect_left(starts, end)
            if at < len(meanings):
                scope = self._scope_of.get(start)
                self._bind_type(
                    parsed.string(start, end), scope, plain(parsed.string(*meanings[at]))
                )

    def _bind_type(self, name: str, scope: Span | None, meaning: str) -> None:
        if scope is None or not name:
            return
        self._has_local_types = True
        if not re.fullmatch(r"[\w.]+|struct.*", meaning, re.DOTALL) or len(meaning) > 300:
            meaning = "any"
        self._types.bind(name, *scope, meaning)
        self._expressions.bind(name, *scope, f"«{meaning}»" if meaning != "any" else UNKNOWN)

    # --- variables --------------------------------------------------------------------------------

    def _bind_parameters(self) -> None:
        """Parameters, receivers and named results hold in the body that follows them."""
        parsed = self._parsed
        owners = parsed.spans("parameter")
        types = dict(self._types_of(owners, "parameter.type", ""))
        types |= dict(self._types_of(owners, "parameter.rest", "[]"))
        names = parsed.spans("parameter.name")
        bodies = self._parameter_bodies()
        around = innermost(owners, [start for start, _ in names])
        for (start, end), index in zip(names, around, strict=True):
            scope = self._scope_of.get(start)
            if index < 0 or scope is None:
                continue
            body = bodies.get(scope)
            if body is not None and start < body:
                meaning = f"«{types.get(owners[index], 'any')}»"
                self._expressions.bind(parsed.string(start, end), body, scope[1], meaning)

    def _types_of(
        self, owners: Sequence[Span], capture: str, before: str
    ) -> Iterator[tuple[Span, str]]:
        spans = self._parsed.spans(capture)
        for (start, end), index in zip(
            spans, innermost(owners, [at for at, _ in spans]), strict=True
        ):
            if index >= 0:
                yield owners[index], before + self._type(start, end)

    def _parameter_bodies(self) -> dict[Span, int]:
        """For each function where its body begins."""
        ends: dict[int, int] = {}
        for start, end in self._parsed.spans("scope"):
            ends.setdefault(end, start)
        return {scope: ends[scope[1]] for scope in self._scopes if scope[1] in ends}

    def _bind_variables(self) -> None:
        parsed = self._parsed
        statements = parsed.spans("define")
        names = self._by_statement(statements, "define.name")
        values = self._by_statement(statements, "define.value")
        ranges = self._by_statement(statements, "define.range")
        types = self._by_statement(statements, "define.type")
        for index, spans in names.items():
            scope = self._scope_of.get(statements[index][0])
            for place, (start, end) in enumerate(spans):
                name = parsed.string(start, end)
                if index in types:
                    meaning: str | Value = f"«{self._type(*types[index][0])}»"
                elif index in ranges:
                    meaning = Value(*ranges[index][0], "[]" if place else "[#]")
                else:
                    meaning = _set_to(values.get(index, ()), place, len(spans))
                if scope is None:
                    self._top_level[name] = meaning
                elif name != "_":
                    self._expressions.bind(name, statements[index][1], scope[1], meaning)

    def _by_statement(self, statements: Sequence[Span], capture: str) -> dict[int, list[Span]]:
        found: dict[int, list[Span]] = {}
        spans = self._parsed.spans(capture)
        around = innermost(statements, [start for start, _ in spans])
        for span, index in zip(spans, around, strict=True):
            if index >= 0:
                found.setdefault(index, []).append(span)
        return found

    def _bind_switches(self) -> None:
        """In ``switch x := y.(type)`` x has the type of the case, where it has only one."""
        parsed = self._parsed
        switches = parsed.spans("switch")
        aliases = self._by_statement(switches, "switch.alias")
        values = self._by_statement(switches, "switch.value")
        cases = parsed.spans("case")
        types = self._by_statement(cases, "case.type")
        around = innermost(switches, [start for start, _ in cases])
        for index, spans in aliases.items():
            name = parsed.string(*spans[0])
            value = Value(*values[index][0], "") if index in values else UNKNOWN
            self._expressions.bind(name, spans[0][1], switches[index][1], value)
        for index, (case, switch) in enumerate(zip(cases, around, strict=True)):
            written = types.get(index, ())
            if switch in aliases and len(written) == 1:
                name = parsed.string(*aliases[switch][0])
                self._expressions.bind(name, written[0][1], case[1], f"«{self._type(*written[0])}»")

    # --- names ------------------------------------------------------------------------------------

    def _read_keys(self) -> dict[int, str]:
        """Where a key of a composite literal stands -> the type of the literal."""
        parsed = self._parsed
        values = parsed.spans("literal.value")
        owners = {
            self._expressions.skip(end): (start, end) for start, end in self._literal_types.items()
        }
        parents = innermost_parents(values)
        types: list[str] = []
        for (start, _), parent in zip(values, parents, strict=True):
            if start in owners:
                types.append(self._type(*owners[start]))
            else:
                types.append(_element(types[parent]) if parent >= 0 else "")
        keys = parsed.spans("key")
        around = innermost(values, [start for start, _ in keys])
        return {
            start: types[index]
            for (start, _), index in zip(keys, around, strict=True)
            if index >= 0
        }

    def _read(self) -> None:
        skipped = self._parsed.starts(
            "name",
            "not_reference",
            "define.name",
            "define.kind",
            "parameter.name",
            "parameter.kind",
            "switch.alias",
            "package",
        )
        types = self._parsed.starts("identifier.type")
        bases = self._parsed.starts("base")
        skipped -= bases  # what is embedded names a field as well
        imports = self._parsed.spans("import")
        import_end = imports[-1][1] if imports else 0
        for _, what, start, end in sorted(self._events()):
            if what == _LITERAL:
                self._literal(start, end)
            elif what == _BRACKETS:
                self._bracketed(start, end)
            elif start in skipped or start in self._expressions.consumed or start < import_end:
                continue
            elif start in self._keys:
                self._key(start, end)
            else:
                found = self._expressions.name(start, end)
                if found is not None:
                    is_type = start in types and not found.chain.endswith(")")
                    kind = "base" if start in bases else "type" if is_type else ""
                    self.references.add(start, found.chain, kind)

    def _events(self) -> Iterator[tuple[int, int, int, int]]:
        parsed = self._parsed
        for start, end in parsed.spans("identifier"):
            yield start, _NAME, start, end
        for start, end in parsed.spans("literal"):
            yield start, _LITERAL, start, end
        for start in self._conversions:
            yield start, _LITERAL, start, self._conversions[start][1]
        for start, end in parsed.spans("lambda"):
            yield start, _LITERAL, start, end
        for start, end in parsed.spans("paren"):
            yield end, _BRACKETS, start, end

    def _literal(self, start: int, end: int) -> None:
        """A value whose type is written before it."""
        if start in self._conversions:
            type_end = self._conversions[start][0]
        else:
            type_end = self._literal_types.get(start) or self._lambda_bodies.get(start, start)
        found = self._expressions.root(start, end, f"«{self._type(start, type_end)}»")
        self.references.add(start, found.chain)

    def _bracketed(self, start: int, end: int) -> None:
        inner = self._expressions.value(Value(start + 1, end - 1, ""))
        found = self._expressions.root(start, end, inner)
        if found.chain not in (inner, UNKNOWN):
            self.references.add(start, found.chain)

    def _key(self, start: int, end: int) -> None:
        name = self._parsed.string(start, end)
        mark = "=" if self._expressions.is_local(name, start) else ""
        self.references.add(start, f"«{self._keys[start]}»{{{mark}{name}", "read")


def _set_to(values: Sequence[Span], place: int, count: int) -> str | Value:
    """What the name at that place of several is set to."""
    if len(values) == count:
        return Value(*values[place], "")
    return Value(*values[0], f"#{place}") if len(values) == 1 else UNKNOWN


def _element(written: str) -> str:
    return (
        written[written.find("]") + 1 :].lstrip("*& ")
        if written.startswith("[")
        else _value(written)
    )


def _value(written: str) -> str:
    return written.partition("]")[2].lstrip("*& ") if written.startswith("map[") else ""
