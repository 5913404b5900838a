"""The types of names as far as a JavaScript or TypeScript file writes them down: of locals, so that
``x.next()`` is known to be ``Subscriber.next``, and of definitions, for the files that use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.module_values import ELEMENT
from twine_hooks.analysis.scopes import Locals, innermost

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED = re.compile(r"(?:readonly\s+|typeof\s+)?([A-Za-z_$][\w$.]*)\s*(?:<(.*)>)?\Z", re.DOTALL)
#: Types whose value is used as if it were of the type inside.
_TRANSPARENT = frozenset(
    {"Promise", "PromiseLike", "Partial", "Readonly", "Required", "NonNullable", "Awaited"}
)
_CHAIN = re.compile(r"(?:this|[A-Za-z_$][\w$]*)(?:\s*[!?]?\.\s*#?[A-Za-z_$][\w$]*)*\Z")
_LIMIT = 400  #: characters of a type; a longer one names no single thing
_OF_MANY = re.compile(rf"\[\]([\w$.]+?){ELEMENT}(?=[.@]|\Z)")
_STEPS = 6  #: locals that are followed from one to the next
_FUNCTION_TYPES = frozenset({"function_type", "parenthesized_type", "union_type"})

_PLAIN = frozenset(
    [
        *("null", "undefined", "void", "never", "any", "unknown", "string", "number", "boolean"),
        *("bigint", "symbol", "object", "this"),
    ]
)
_ARRAY = re.compile(
    r"(?:readonly\s+)?(?:([\w$.]+(?:<.*>)?)\[\]|(?:Readonly)?(?:Array|Set|Iterable)<(.*)>)\Z",
    re.DOTALL,
)

Typed = dict[tuple[str, Span], str]


class Types(NamedTuple):
    """What a file says about types.

    In a chain "f@" is what ``f`` returns, and "f@0/1" the second argument that it gives to the
    function that is its first argument.
    """

    local: Typed  #: (local name, its scope) -> chain of what has its members
    definitions: tuple[tuple[str, str], ...]  #: ("type of definition", chain), for other files
    references: list[Reference]  #: members that destructuring takes


def read_types(parsed: Parsed, definitions: Sequence[Definition]) -> Types:
    """The types of one file's names."""
    types = _Types(parsed, definitions)
    types.read()
    return Types(types.local, tuple(sorted(types.of_definitions)), types.references)


class _Types:
    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self._definitions = definitions
        self._scopes = parsed.spans("scope", "scope.block")
        self._spans = [(one.start, one.end) for one in definitions]
        self.local: Typed = {}
        self.references: list[Reference] = []
        self.of_definitions: set[tuple[str, str]] = set()
        self._pending: list[tuple[int, Node]] = []  #: functions that may be definitions
        self._taken: list[tuple[int, str]] = []  #: members that a pattern takes: where, chain

    def read(self) -> None:
        parsed = self._parsed
        found: list[tuple[int, str, str]] = []
        for node in parsed.nodes("typed"):
            found += self._declared(node)
        for node in _each_once(parsed.nodes("giving")):
            found += self._given(node)
        for node in parsed.nodes("each"):
            found += self._each(node)
        self._keep(sorted(found))
        self._pending += [(node.start_byte, node) for node in parsed.nodes("typed.function")]
        self._read_functions()

    def _text(self, node: Node | None) -> str:
        return self._parsed.string(node.start_byte, node.end_byte) if node is not None else ""

    def _keep(self, found: list[tuple[int, str, str]]) -> None:
        """Each typed name with its scope, or as the type of a definition where there is none."""
        starts = [start for start, _, _ in found]
        scopes = innermost(self._scopes, starts)
        owners = innermost(self._spans, starts)
        names = {name for _, name, _ in found} | {_root(chain) for _, _, chain in found}
        names.update(_root(chain) for _, chain in self._taken)
        self._locals = Locals(self._parsed, names.__contains__)
        raw: dict[tuple[str, Span], tuple[int, str]] = {}
        for (start, name, chain), scope, owner in zip(found, scopes, owners, strict=True):
            own = self._definitions[owner] if owner >= 0 else None
            if own is not None and own.name == name and self._is_own(own, scope):
                self.of_definitions.add((f"type {own.qualified}", chain))
            elif (binding := self._locals.binding(name, start)) is not None:
                raw.setdefault((name, binding), (start, chain))
        for key, (start, chain) in raw.items():
            whole = self._expanded(raw, start, chain)
            if whole is not None:
                self.local[key] = whole
        self._keep_taken(raw)

    def _keep_taken(self, raw: Mapping[tuple[str, Span], tuple[int, str]]) -> None:
        self._taken.sort()
        scopes = innermost(self._spans, [start for start, _ in self._taken])
        for (start, chain), scope in zip(self._taken, scopes, strict=True):
            whole = self._expanded(raw, start, chain)
            if whole is not None:
                line = self._parsed.line_of(start)
                self.references.append(Reference(whole, "read", (line,), scope))

    def _expanded(
        self, raw: Mapping[tuple[str, Span], tuple[int, str]], start: int, chain: str
    ) -> str | None:
        """The chain with a local at its root replaced by what that one is; None when unknown."""
        for _ in range(_STEPS):
            root = _root(chain)
            binding = self._locals.binding(root, start)
            if binding is None:
                chain = _element(chain)
                return chain if len(chain) < _LIMIT and not chain.startswith("[]") else None
            if (root, binding) not in raw:
                return None
            start, instead = raw[root, binding]
            chain = _element(instead + chain[len(root.removeprefix("[]")) :])
        return None

    def _is_own(self, own: Definition, scope: int) -> bool:
        """Whether the name stands for the definition itself and not for a local of it."""
        return scope < 0 or self._scopes[scope][0] <= own.start

    # --- names with a type beside them ------------------------------------------------------------

    def _declared(self, node: Node) -> Iterator[tuple[int, str, str]]:
        name = (
            node.child_by_field_name("name")
            or node.child_by_field_name("pattern")
            or node.child_by_field_name("property")
        )
        if name is None:
            return
        written = node.child_by_field_name("type")
        value = node.child_by_field_name("value")
        if name.type == "object_pattern":
            yield from self._destructured(name, written, value)
            return
        for chain in self._chains(written) or self._chains_of_value(value):
            yield name.start_byte, self._text(name), chain
        if value is not None and value.type in ("arrow_function", "function_expression"):
            self._pending.append((node.start_byte, value))

    def _destructured(
        self, pattern: Node, written: Node | None, value: Node | None
    ) -> Iterator[tuple[int, str, str]]:
        for chain in self._chains(written) or self._chains_of_value(value):
            for child in pattern.named_children:
                key, target = child, child
                if child.type == "pair_pattern":
                    key = child.child_by_field_name("key") or child
                    target = child.child_by_field_name("value") or child
                if target.type.endswith("assignment_pattern"):
                    target = target.child_by_field_name("left") or target
                    key = target if key is child else key
                member = f"{chain}.{self._text(key)}"
                if child.type != "rest_pattern" and key.named_child_count == 0:
                    self._taken.append((child.start_byte, member))
                    if target.type in ("identifier", "shorthand_property_identifier_pattern"):
                        yield target.start_byte, self._text(target), member

    def _chains(self, written: Node | None) -> list[str]:
        """The names of a type annotation."""
        if written is None or written.end_byte - written.start_byte > _LIMIT:
            return []
        return named_types(self._text(written).lstrip(":").strip())

    def _chains_of_value(self, value: Node | None) -> list[str]:
        while value is not None and value.type in (
            "await_expression",
            "parenthesized_expression",
            "non_null_expression",
        ):
            value = value.named_children[0] if value.named_children else None
        if value is None:
            return []
        if value.type == "new_expression":
            return self._plain(value.child_by_field_name("constructor"), "")
        if value.type == "call_expression":
            return self._plain(value.child_by_field_name("function"), "@")
        if value.type == "as_expression" and len(value.named_children) == 2:
            return self._chains(value.named_children[1])
        if value.type in ("identifier", "member_expression", "this"):
            return self._plain(value, "")
        return []

    def _plain(self, node: Node | None, suffix: str) -> list[str]:
        """The text of a dotted name as a chain; nothing of any other expression."""
        if node is None or node.end_byte - node.start_byte > _LIMIT:
            return []
        text = self._text(node)
        return [re.sub(r"[\s?!]", "", text) + suffix] if _CHAIN.match(text) else []

    # --- functions --------------------------------------------------------------------------------

    def _given(self, call: Node) -> Iterator[tuple[int, str, str]]:
        """Parameters of functions and keys of objects that are arguments: typed by the callee."""
        callee = self._callee(call)
        arguments = call.child_by_field_name("arguments")
        if not callee or arguments is None:
            return
        given = [one for one in arguments.named_children if one.type != "comment"]
        for position, one in enumerate(given):
            if one.type == "object":
                self._object(f"{callee}@{position}", one)
            elif one.type in ("arrow_function", "function_expression"):
                for index, name in enumerate(_parameters(one)):
                    if name is not None:
                        yield name.start_byte, self._text(name), f"{callee}@{position}/{index}"

    def _callee(self, call: Node) -> str:
        """The chain of what a call or ``new`` calls; "" when it has no plain name."""
        if call.type == "new_expression":
            found = self._plain(call.child_by_field_name("constructor"), ".constructor")
        elif call.type == "call_expression":
            found = self._plain(call.child_by_field_name("function"), "")
        else:
            found = []
        return found[0] if found else ""

    def _object(self, owner: str, node: Node) -> None:
        """The keys of an object name members of the type that it must have."""
        for child in node.named_children:
            key = child.child_by_field_name("key") or child.child_by_field_name("name") or child
            if key.type in ("property_identifier", "shorthand_property_identifier"):
                self._taken.append((child.start_byte, f"{owner}.{self._text(key)}"))

    def _each(self, node: Node) -> Iterator[tuple[int, str, str]]:
        """``for (const name of value)``."""
        name = node.child_by_field_name("left")
        kind = node.child_by_field_name("operator")
        if name is not None and name.type == "identifier" and self._text(kind) == "of":
            for chain in self._plain(node.child_by_field_name("right"), "@[]"):
                yield name.start_byte, self._text(name), chain

    def _read_functions(self) -> None:
        """The functions that are definitions; a nested one begins no definition of its own."""
        self._pending.sort(key=lambda one: one[0])
        starts = [start for start, _ in self._pending]
        owners = innermost(self._spans, starts)
        scopes = innermost(self._scopes, starts)
        for (start, function), owner, scope in zip(self._pending, owners, scopes, strict=True):
            if owner >= 0 and (
                scope < 0 or self._scopes[scope][0] <= max(self._spans[owner][0], start)
            ):
                inside = scope >= 0 and self._spans[owner][0] < self._scopes[scope][0] < start
                if not inside:
                    self._function(self._definitions[owner].qualified, function)

    def _function(self, qualified: str, function: Node) -> None:
        """What a definition returns, and what it gives to the functions it is given."""
        for chain in self._chains(function.child_by_field_name("return_type")):
            self.of_definitions.add((f"type {qualified}@", chain))
            if function.type == "method_definition" and any(
                child.type == "get" for child in function.children
            ):
                self.of_definitions.add((f"type {qualified}", chain))
        parameters = function.child_by_field_name("parameters")
        for position, one in enumerate(_typed_parameters(parameters)):
            written = one.child_by_field_name("type")
            for chain in self._chains(written):
                self.of_definitions.add((f"type {qualified}@{position}", chain))
            for inner in _function_types(written):
                for index, typed in enumerate(_typed_parameters(inner)):
                    for chain in self._chains(typed.child_by_field_name("type")):
                        key = f"type {qualified}@{position}/{index}"
                        self.of_definitions.add((key, chain))


def _each_once(nodes: list[Node]) -> list[Node]:
    """Without the repetitions of a pattern that matched in several ways."""
    return list({(one.start_byte, one.end_byte): one for one in nodes}.values())


def _root(chain: str) -> str:
    return re.split(r"[.@]", chain.removeprefix("[]"), maxsplit=1)[0]


def _element(chain: str) -> str:
    """ "Foo" for "[]Foo.forEach@0/0": one of many instead of the many."""
    return _OF_MANY.sub(r"\1", chain)


def _parameters(function: Node) -> list[Node | None]:
    """The names of parameters without a type, by position."""
    alone = function.child_by_field_name("parameter")
    if alone is not None:
        return [alone]
    names: list[Node | None] = []
    parameters = function.child_by_field_name("parameters")
    for one in parameters.named_children if parameters is not None else ():
        if one.type == "identifier":
            names.append(one)
        elif one.type == "required_parameter" and one.child_by_field_name("type") is None:
            pattern = one.child_by_field_name("pattern")
            names.append(pattern if pattern is not None and pattern.type == "identifier" else None)
        else:
            names.append(None)
    return names


def _typed_parameters(parameters: Node | None) -> list[Node]:
    """The parameters that a caller gives: not ``this``."""
    found = parameters.named_children if parameters is not None else []
    return [
        one
        for one in found
        if (pattern := one.child_by_field_name("pattern")) is None or pattern.type != "this"
    ]


def _function_types(written: Node | None) -> Iterator[Node]:
    """The parameter lists of the function types in an annotation."""
    waiting = list(written.named_children) if written is not None else []
    while waiting:
        one = waiting.pop()
        if one.type == "function_type":
            found = one.child_by_field_name("parameters")
            if found is not None:
                yield found
        elif one.type in _FUNCTION_TYPES:
            waiting += one.named_children


def named_types(text: str) -> list[str]:
    """The names in "Foo<T> | ns.Bar | null": what a value of that type has the members of."""
    found = []
    for part in _split(text):
        part, many = _one_of_many(part)
        named = _NAMED.match(part)
        if named and named[1] in _TRANSPARENT and named[2]:
            found += named_types(_split(named[2], ",")[0])
        elif named and named[1] not in _PLAIN:
            found.append(many + named[1])
    return found


def _one_of_many(part: str) -> tuple[str, str]:
    """("Foo", "[]") for "Foo[]" and "Array<Foo>", with "" for what is not many."""
    found = _ARRAY.match(part)
    if not found:
        return part, ""
    return (found[1] or found[2] or "").strip().removeprefix("(").removesuffix(")"), "[]"


def _split(text: str, marks: str = "|&") -> list[str]:
    """The parts between marks that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ")]}" or (character == ">" and text[at - 1 : at] != "="):
            depth -= 1
        elif character in marks and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]
