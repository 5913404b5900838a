"""The names of a Rust file as chains: what is local, and of which type; see expressions.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.expressions import (
    Expressions,
    Found,
    References,
    Value,
    matched,
)
from twine_hooks.analysis.languages.jvm_chains import GAP, NAME, UNKNOWN, Scoped
from twine_hooks.analysis.languages.rust_patterns import Bound, bindings
from twine_hooks.analysis.languages.rust_types import parse, plain
from twine_hooks.analysis.languages.rust_uses import Use
from twine_hooks.analysis.scopes import innermost

_STEP = re.compile(rb"(%s)(::|\.(?!\.))%s(%s|\d+)" % (GAP, GAP, NAME))
_TURBOFISH = re.compile(rb"%s::%s(?=<)" % (GAP, GAP))
_PATH_FOLLOWS = re.compile(rb"%s::" % GAP)
_MACRO = re.compile(rb"!(?!=)")
_MUTABLE = re.compile(rb"&\s*mut\b")
_WORD = re.compile(r"(?<![\w.'])[^\W\d]\w*")
_DERIVED = re.compile(rb"#\[\s*derive\b")
_NAME_EVENT, _LITERAL, _BRACKETS = range(3)
_NO_TYPE = "_"


class Impl(NamedTuple):
    """An ``impl`` around a definition."""

    name: str  #: of its type, without path and arguments
    key: str  #: in the file's facts
    is_trait: bool


class Names:
    """All names that lead out of their function; where ``impl`` blocks stand."""

    def __init__(
        self, parsed: Parsed, definitions: Sequence[Definition], uses: Sequence[Use]
    ) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self.references = References(parsed, definitions)
        self._definitions = definitions
        self._scopes = parsed.spans("scope.block")
        self._types = Scoped()
        self._has_local_types = False
        self._calls = {
            start: end
            for start, end in parsed.spans("arguments")
            if parsed.text[start : start + 1] == b"("
        }
        self._trees = dict(parsed.spans("arguments"))
        self._generics = dict(parsed.spans("generics"))
        self._indexes = dict(matched(parsed.starts("index.open"), parsed.starts("index.close")))
        self._literal_types = dict(parsed.spans("literal.type"))
        self._tries = parsed.starts("try")
        steps = (self._selector, self._called)
        self._expressions = Expressions(parsed, steps, self._prefixes(), b".:([?!< \t\n/")
        self.impls: list[tuple[str, str]] = []
        self._aliases = self._inner_uses(uses)
        self._read_impls()
        self._bind_types()
        self._bind_patterns()
        self._read()

    def _inner_uses(self, uses: Sequence[Use]) -> Scoped:
        """What names stand for in the blocks that bring them in."""
        found = Scoped()
        inner = [one for one in uses if one.is_inner and one.alias]
        around = innermost(self._scopes, [one.start for one in inner])
        for one, index in zip(inner, around, strict=True):
            if index >= 0:
                found.add(one.alias, *self._scopes[index], one.path)
        return found

    # --- impl blocks ------------------------------------------------------------------------------

    def _read_impls(self) -> None:
        parsed = self._parsed
        self._impl_spans = parsed.spans("impl")
        types = self._first_within(self._impl_spans, "impl.type")
        traits = self._first_within(self._impl_spans, "impl.trait")
        modules = [one for one in self._definitions if one.kind == "module"]
        starts = [start for start, _ in self._impl_spans]
        around = innermost([(one.start, one.end) for one in modules], starts)
        self._impls: list[Impl] = []
        for index, (span, module) in enumerate(zip(self._impl_spans, around, strict=True)):
            written, trait = types.get(index, ""), traits.get(index, "")
            scope = modules[module].qualified if module >= 0 else ""
            path = parse(written).path
            self._impls.append(Impl(path.rpartition("::")[2] or "impl", str(index), bool(trait)))
            self.impls.append((f"impl of {index}", f"{scope}|{written}|{trait}"))
            self._bind_self(span, written, path)
        for one in self._definitions:
            if one.kind == "trait" or one.kind in ("struct", "enum", "union"):
                self._bind_self((one.start, one.end), one.name, one.name)

    def _first_within(self, owners: Sequence[Span], capture: str) -> dict[int, str]:
        spans = self._parsed.spans(capture)
        found: dict[int, str] = {}
        around = innermost(owners, [start for start, _ in spans])
        for span, index in zip(spans, around, strict=True):
            if index >= 0:
                found.setdefault(index, plain(self._parsed.string(*span)))
        return found

    def _bind_self(self, span: Span, written: str, path: str) -> None:
        self._has_local_types = True
        self._types.add("Self", *span, written or _NO_TYPE)
        self._expressions.bind("self", *span, f"«{written}»")
        self._expressions.bind("Self", *span, path or UNKNOWN)

    def impls_around(self, definitions: Sequence[Definition]) -> dict[int, Impl]:
        """Index of a definition -> the ``impl`` in which it stands."""
        places = sorted((one.start, index) for index, one in enumerate(definitions))
        around = innermost(self._impl_spans, [start for start, _ in places])
        return {
            index: self._impls[at] for (_, index), at in zip(places, around, strict=True) if at >= 0
        }

    # --- types ------------------------------------------------------------------------------------

    def type_at(self, start: int, end: int) -> str:
        """A type as written there, its local names replaced."""
        written = plain(self._parsed.string(start, end))
        if not self._has_local_types and not self._aliases.names():
            return written
        return _WORD.sub(lambda found: self._meaning(found[0], start), written)

    def _meaning(self, name: str, position: int) -> str:
        meaning = self._types.at(name, position)
        if meaning is None:
            meaning = self._aliases.at(name, position)
        return meaning if isinstance(meaning, str) else name

    def _bind_types(self) -> None:
        """Type parameters of functions and ``impl`` blocks count as what bounds them."""
        parsed = self._parsed
        owners = sorted(
            {
                *self._scopes,
                *self._impl_spans,
                *(span for _, spans in parsed.kinds("definition") for span in spans),
            },
            key=lambda span: (span[0], -span[1]),
        )
        bounds = dict(_following(parsed.spans("type.parameter"), parsed.spans("type.bound")))
        where = dict(_following(parsed.spans("where"), parsed.spans("where.bound")))
        by_owner: dict[tuple[int, str], str] = {}
        for spans, found in (
            (parsed.spans("type.parameter"), bounds),
            (parsed.spans("where"), where),
        ):
            around = innermost(owners, [start for start, _ in spans])
            for span, index in zip(spans, around, strict=True):
                if index >= 0:
                    bound = found.get(span)
                    text = plain(parsed.string(*bound)).lstrip(": ") if bound else ""
                    key = index, parsed.string(*span)
                    by_owner[key] = by_owner.get(key) or text
        for (index, name), text in by_owner.items():
            self._bind_type(name, owners[index], text)

    def _bind_type(self, name: str, span: Span, bound: str) -> None:
        self._has_local_types = True
        if bound:
            self._types.add(name, *span, f"({bound})" if "+" in bound else bound)
        self._expressions.bind(name, *span, parse(bound).path or UNKNOWN)

    # --- steps ------------------------------------------------------------------------------------

    def _prefixes(self) -> dict[int, str]:
        found = {
            start: self._parsed.string(start, end) for start, end in self._parsed.spans("prefix")
        }
        for start in found:
            if _MUTABLE.match(self._text, start):
                found[start] = "&mut"
        return found

    def _selector(self, chain: str, position: int) -> Found | None:
        if position in self._generics:
            return Found(chain, self._generics[position])
        turbofish = _TURBOFISH.match(self._text, position)
        if turbofish is not None and turbofish.end() in self._generics:
            return Found(chain, self._generics[turbofish.end()])
        found = _STEP.match(self._text, position)
        if found is None:
            return None
        self._expressions.consumed.add(found.start(3))
        return Found(
            f"{chain}{found[2].decode()}{found[3].decode('utf-8', 'replace')}", found.end()
        )

    def _called(self, chain: str, position: int) -> Found | None:
        if position in self._calls:
            return Found(f"{chain}()", self._calls[position])
        if position in self._tries:
            return Found(f"{chain}?", position + 1)
        if position in self._indexes:
            return Found(f"{chain}[]", self._indexes[position])
        if _MACRO.match(self._text, position):
            tree = self._trees.get(self._expressions.skip(position + 1))
            if tree is not None:
                return Found(f"{chain}!", tree)
        return None

    # --- what is local ----------------------------------------------------------------------------

    def _bind_patterns(self) -> None:
        parsed = self._parsed
        patterns = parsed.spans("pattern")
        starts = [start for start, _ in patterns]
        statements = parsed.spans("binding")
        around = innermost(statements, starts)
        scopes = innermost(self._scopes, starts)
        values = self._by_statement(statements, "binding.value")
        ranges = self._by_statement(statements, "binding.range")
        types = self._by_statement(statements, "binding.type")
        matched = self._match_values(starts)
        self._bound: set[int] = set()
        for at, (pattern, index, scope) in enumerate(zip(patterns, around, scopes, strict=True)):
            if scope < 0:
                continue
            statement = statements[index] if index >= 0 else pattern
            scope_span = self._scopes[scope]
            is_inside = statement[0] >= scope_span[0]
            begin, value, root = pattern[1], None, ""
            if is_inside and index in types:
                root = f"«{self.type_at(*types[index])}»"
                begin = statement[1]
            elif is_inside and index in ranges and statement == scope_span:
                begin, value = ranges[index][1], Value(*ranges[index], "[]")
            elif is_inside and index in values:
                begin, value = statement[1], Value(*values[index], "")
            elif at in matched:
                value = Value(*matched[at], "")
            if self._text[pattern[0] - 1 : pattern[0]] == b"|" or (
                index >= 0 and self._is_closure(scope_span)
            ):
                begin = pattern[1]
            for bound in bindings(self._text, *pattern):
                self._bind(bound, begin, scope_span[1], value, root)

    def _is_closure(self, scope: Span) -> bool:
        return self._text[scope[0] : scope[0] + 1] == b"|" or self._text.startswith(
            b"move", scope[0]
        )

    def _by_statement(self, statements: Sequence[Span], capture: str) -> dict[int, Span]:
        found: dict[int, Span] = {}
        spans = self._parsed.spans(capture)
        around = innermost(statements, [start for start, _ in spans])
        for span, index in zip(spans, around, strict=True):
            if index >= 0:
                found.setdefault(index, span)
        return found

    def _match_values(self, starts: Sequence[int]) -> dict[int, Span]:
        """Index of a pattern -> what the ``match`` is about in whose arms it stands."""
        blocks = self._parsed.spans("match")
        about = {
            self._expressions.skip(end): (start, end)
            for start, end in self._parsed.spans("match.value")
        }
        return {
            at: about[blocks[index][0]]
            for at, index in enumerate(innermost(blocks, starts))
            if index >= 0 and blocks[index][0] in about
        }

    def _bind(self, bound: Bound, begin: int, end: int, value: Value | None, root: str) -> None:
        self._bound.add(bound.start)
        name = self._parsed.string(bound.start, bound.end)
        if bound.owner:
            self._expressions.bind(
                name, begin, end, f"{self._path_type(bound.owner, begin)}{bound.steps}"
            )
        elif root:
            self._expressions.bind(name, begin, end, root + bound.steps)
        elif value is not None:
            self._expressions.bind(name, begin, end, value._replace(step=value.step + bound.steps))
        else:
            self._expressions.bind(name, begin, end, UNKNOWN)

    def _path_type(self, path: str, position: int) -> str:
        first, separator, rest = path.partition("::")
        return f"«{self._meaning(first, position)}{separator}{rest}»"

    # --- names ------------------------------------------------------------------------------------

    def _read_keys(self) -> dict[int, str]:
        """Where the name of a field stands in a literal or pattern -> the type of that."""
        parsed = self._parsed
        owners = parsed.spans("literal", "literal.pattern")
        types = self._literal_types
        keys = parsed.spans("key", "key.short")
        around = innermost(owners, [start for start, _ in keys])
        found = {}
        for (start, _), index in zip(keys, around, strict=True):
            if index >= 0 and owners[index][0] in types:
                owner = owners[index][0]
                found[start] = self.type_at(owner, types[owner])
        return found

    def _read(self) -> None:
        parsed = self._parsed
        keys = self._read_keys()
        short = parsed.starts("key.short")
        for start, end in parsed.spans("key"):
            if start in keys:
                self.references.add(start, f"«{keys[start]}».{parsed.string(start, end)}", "read")
        skipped = (
            parsed.starts("name", "not_reference", "module.name", "type.parameter") | self._bound
        )
        types = parsed.starts("identifier.type")
        traits = parsed.starts("impl.trait", "base")
        heads = sorted({*parsed.spans("import"), *self._plain_attributes()})
        for _, what, start, end in sorted(self._events(heads)):
            if what == _LITERAL:
                self._literal(start, end)
            elif what == _BRACKETS:
                self._bracketed(start, end)
            elif start in skipped or start in self._expressions.consumed:
                continue
            else:
                if start in short and start in keys:
                    name = parsed.string(start, end)
                    self.references.add(start, f"«{keys[start]}».{name}", "read")
                found = self._name(start, end)
                if found is not None:
                    is_type = start in types and not found.chain.endswith((")", "!"))
                    kind = "base" if start in traits else "type" if is_type else ""
                    self.references.add(start, found.chain, kind)

    def _events(self, heads: Sequence[Span]) -> Iterator[tuple[int, int, int, int]]:
        parsed = self._parsed
        spans = parsed.spans("identifier")
        for span, index in zip(spans, innermost(heads, [start for start, _ in spans]), strict=True):
            if index < 0:
                yield span[0], _NAME_EVENT, *span
        for start, end in parsed.spans("literal"):
            yield end, _LITERAL, start, end
        for start, end in parsed.spans("paren"):
            yield end, _BRACKETS, start, end

    def _plain_attributes(self) -> Iterator[Span]:
        """Attributes in which no names of the program stand, as in ``#[cfg(test)]``."""
        for start, end in self._parsed.spans("attribute", "attribute.inner"):
            if not _DERIVED.match(self._text, start):
                yield start, end

    def _name(self, start: int, end: int) -> Found | None:
        """The chain that begins with a name; before "::" no variable is meant."""
        name = self._parsed.string(start, end)
        if self._text[start - 2 : start] == b"::":
            if self._text[start - 3 : start - 2] == b">":
                return None
            if self._text.endswith(b"$crate", 0, start - 2):
                return self._expressions.root(start, end, f"crate::{name}")
            return self._expressions.root(start, end, f"::{name}")
        path = self._aliases.at(name, start)
        if isinstance(path, str) and not self._expressions.is_local(name, start):
            return self._expressions.root(start, end, path)
        if not name[:1].isupper() and _PATH_FOLLOWS.match(self._text, end):
            return self._expressions.root(start, end, name)
        found = self._expressions.name(start, end)
        if found is not None and found.chain in ("self", "super", "crate", "Self"):
            return None
        return found

    def _literal(self, start: int, end: int) -> None:
        written = self._literal_types.get(start, start)
        found = self._expressions.root(start, end, f"«{self.type_at(start, written)}»")
        self.references.add(start, found.chain)

    def _bracketed(self, start: int, end: int) -> None:
        inner = self._expressions.value(Value(start + 1, end - 1, ""))
        found = self._expressions.root(start, end, inner)
        if found.chain not in (inner, UNKNOWN):
            self.references.add(start, found.chain)


def _following(spans: Sequence[Span], behind: Sequence[Span]) -> Iterator[tuple[Span, Span]]:
    """Pairs of a span and one that begins where it ends, but for a colon and white space."""
    upcoming = iter(behind)
    other = next(upcoming, None)
    for index, span in enumerate(spans):
        limit = spans[index + 1][0] if index + 1 < len(spans) else 1 << 62
        while other is not None and other[0] < span[1]:
            other = next(upcoming, None)
        if other is not None and other[0] < limit:
            yield span, other
