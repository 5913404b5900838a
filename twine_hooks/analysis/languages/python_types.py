"""The types of names as far as a Python file shows them: of locals, by annotations and by what they
are assigned, and of definitions, for the files that use them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence

from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.python_surface import Member
from twine_hooks.analysis.languages.python_text import (
    CALLED,
    CHAIN,
    EACH,
    ENTERED,
    ENTRY,
    Code,
    annotated,
    as_chain,
    closing_brackets,
    read_annotation,
    read_value,
)
from twine_hooks.analysis.scopes import Locals, innermost

_AFTER = re.compile(rb"\s*(:=|:|=(?!=)|in\b)\s*")
_SAME = re.compile(rb"(?:\w+\.)*(?:reversed|sorted|list|tuple|set|iter)\(")
_ENUMERATE = re.compile(rb"enumerate\(")
_ITEMS, _VALUES = ".items@", ".values@"
_CAST = re.compile(rb"(?:\w+\.)?cast\(\s*")
_ISINSTANCE = re.compile(rb"isinstance\(\s*([A-Za-z_]\w*)\s*,\s*(?:([\w.]+)|\(([\w.,\s]+)\))\s*\)")
_RETURNED = re.compile(r"->\s*(.+)\Z")
_FIELD = re.compile(r"(?:self\.|cls\.)?\w+\s*(?::\s*([^=]+?))?\s*(?:=\s*(.+))?\Z", re.DOTALL)
_CLASS = re.compile(rb"class\s+([^\W\d][\w\x80-\xff]*|[\x80-\xff][\w\x80-\xff]*)")
_ROOT = re.compile(r"[^.@]*")
#: What of a list, and of a mapping, gives one of its elements.
_OF_LIST = ("@[]", "@[:]", ".pop@", ".popleft@")
_OF_MAP = ("@[:]", ".get@", ".pop@", ".setdefault@")
_SELF = frozenset({"self", "cls"})
_STEPS = 6  #: locals that are followed from one to the next
_LIMIT = 300  #: characters of a chain
_CHOICES = 4  #: types that one name may have
_PROPERTY = re.compile(r"(?:\w+\.)*(?:\w*property|setter)\Z")

Typed = tuple[int, tuple[str, ...]]


class Types:
    """The types of one file's locals, asked for by name and place, and of its definitions."""

    def __init__(
        self,
        parsed: Parsed,
        code: Code,
        interesting: Container[str],
        methods: Mapping[Span, Span],
        definitions: Sequence[Definition],
    ) -> None:
        self._parsed = parsed
        self._code = code.text
        self._whole_code = code
        self._interesting = interesting
        self._methods = methods
        self._classes = {
            (one.end, one.name): one.qualified for one in definitions if one.kind == "class"
        }
        self._class_names: dict[Span, str] = {}
        self._narrowed = self._read_narrowed() if b"isinstance(" in code.text else {}
        found = self._that_lead_on([one for one in self._locals() if one[2]])
        names = {name for _, name, _ in found}.union(self._narrowed)
        self.names = names
        self.locals = Locals(parsed, lambda name: name in names or name in interesting)
        self.bound = self.locals.names  #: the names that are local anywhere
        self._typed: dict[tuple[str, Span], list[Typed]] = {}
        for start, name, chains in found:
            binding = self.locals.binding(name, start)
            if binding is not None:
                self._typed.setdefault((name, binding), []).append((start, chains))
        self._known: dict[tuple[str, Span, int], tuple[str, ...]] = {}
        #: name -> (from, to, what ``choices`` says in between), the last that was found
        self._latest: dict[str, tuple[int, int, tuple[str, ...] | None]] = {}

    # --- what is written beside a local name ------------------------------------------------------

    def _locals(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """(place, name, chains) of each local that has a type or a value beside it."""
        parsed, code = self._parsed, self._code
        annotated_ = {start for start, _ in parsed.spans("parameter")}
        entered = {end: start for start, end in parsed.spans("entered")}
        for start, end in parsed.spans("local", "parameter"):
            if end in entered and code[start - 3 : start - 1] == b"as":
                yield start, parsed.string(start, end), self._entered(entered[end])
                continue
            after = _AFTER.match(code, end)
            if after is None:
                continue
            mark = after[1]
            if mark == b":" and start not in annotated_ and not self._is_statement(start):
                continue
            yield start, parsed.string(start, end), self._beside(mark, start, after.end())

    def _that_lead_on(
        self, found: list[tuple[int, str, tuple[str, ...]]]
    ) -> list[tuple[int, str, tuple[str, ...]]]:
        """Those of names that may turn out to be something that other files know."""
        named = {name for _, name, _ in found}
        known = {
            name
            for _, name, chains in found
            for chain in chains
            if (root := _root(chain)) in named or root in self._interesting
        }
        return [one for one in found if one[1] in known]

    def _is_statement(self, start: int) -> bool:
        """Whether a line begins there: "x: T", and not "lambda x: T"."""
        line = self._code.rfind(b"\n", 0, start) + 1
        return not self._code[line:start].strip()

    def _beside(self, mark: bytes, start: int, at: int) -> tuple[str, ...]:
        if mark == b":":
            return read_annotation(self._parsed.text, at)
        if mark == b"in":
            return self._each(at, self._code[:start].rstrip()[-1:] in (b",", b"("))
        return self._value(at)

    def _value(self, at: int) -> tuple[str, ...]:
        cast = _CAST.match(self._code, at)
        if cast:
            return read_annotation(self._parsed.text, cast.end())
        chain = read_value(self._whole_code, at)
        return (chain,) if chain and len(chain) < _LIMIT else ()

    def _entered(self, start: int) -> tuple[str, ...]:
        """What ``with value as name`` and ``except Kind as name`` bind."""
        before = self._code[max(start - 8, 0) : start].rstrip(b" (")
        if before.endswith((b"except", b"except*")):
            return annotated(read_value(self._whole_code, start))
        chain = read_value(self._whole_code, start)
        return (chain + ENTERED,) if chain else ()

    def _each(self, at: int, is_last: bool) -> tuple[str, ...]:
        """What ``for name in value`` binds; ``is_last`` when the name ends a tuple of names."""
        code = self._code
        counted = _ENUMERATE.match(code, at)
        if counted and is_last:
            at, is_last = counted.end(), False
        inner = at
        while same := _SAME.match(code, inner):
            inner = same.end()
        chain = read_value(self._whole_code, inner, whole=inner == at and not counted)
        if is_last:
            return (chain[: -len(_ITEMS)] + ENTRY,) if chain.endswith(_ITEMS) else ()
        if chain.endswith(_VALUES):
            return (chain[: -len(_VALUES)] + ENTRY,)
        return (chain + EACH,) if chain else ()

    # --- isinstance -------------------------------------------------------------------------------

    def _read_narrowed(self) -> dict[str, list[tuple[int, int, tuple[str, ...]]]]:
        """name -> (from, to, chains) where a check says what it is."""
        found: dict[str, list[tuple[int, int, tuple[str, ...]]]] = {}
        blocks = self._parsed.spans("block")
        starts = [start for start, _ in blocks]
        for check in _ISINSTANCE.finditer(self._code):
            named = (check[2] or check[3]).decode("utf-8", "replace").split(",")
            chains = tuple(chain for one in named for chain in annotated(one.strip()))
            start, end = self._narrowed_span(check, blocks, starts)
            name = check[1].decode("utf-8", "replace")
            found.setdefault(name, []).append((start, end, chains))
        return found

    def _narrowed_span(
        self, check: re.Match[bytes], blocks: Sequence[Span], starts: Sequence[int]
    ) -> Span:
        """Until where a check holds: the block that it opens, else the one in which it stands."""
        line = self._code.rfind(b"\n", 0, check.start()) + 1
        before = self._code[line : check.start()]
        word, is_negated = before.lstrip()[:4], before.rstrip().endswith(b"not")
        following = bisect_left(starts, check.end())
        opened = blocks[following] if following < len(blocks) else None
        if word.startswith((b"if", b"elif", b"whil")) and opened is not None:
            if not is_negated:
                return check.end(), opened[1]
            around = innermost(blocks, [check.start()])[0]
            return opened[1], blocks[around][1] if around >= 0 else len(self._code)
        if word.startswith(b"asse") and not is_negated:
            around = innermost(blocks, [check.start()])[0]
            return check.end(), blocks[around][1] if around >= 0 else len(self._code)
        end = self._code.find(b"\n", check.end())
        return check.end(), (end if end >= 0 and not is_negated else check.end())

    # --- what a name is at a place ----------------------------------------------------------------

    def choices(self, root: str, position: int) -> tuple[str, ...] | None:
        """What a name has the members of: None when it is no local there, () when unknown."""
        if root not in self.bound:
            return None
        known = self._latest.get(root)
        if known is not None and known[0] <= position < known[1]:
            return known[2]  # as most names that are used again: one method uses one ``self``
        binding, start, end = self.locals.stretch(root, position)
        found = None
        if binding is not None:
            if root in self._narrowed:
                return self.resolved(root, position)
            entries = self._typed.get((root, binding), ())
            place = bisect_left(entries, (position, ())) if len(entries) > 1 else 0
            key = root, binding, place
            if key not in self._known:
                self._known[key] = self._bound_to(root, "", binding, position, 0)
            found = self._known[key]
            if len(entries) > 1:
                return found
        self._latest[root] = start, end, found
        return found

    def resolved(self, chain: str, position: int, steps: int = 0) -> tuple[str, ...]:
        """The chain with a local at its root replaced by what that one is; empty when unknown.

        A root ``self`` becomes the name of the class.
        """
        if steps > _STEPS or len(chain) > _LIMIT:
            return ()
        root, rest = split_root(chain)
        binding = self.locals.binding(root, position) if root in self.bound else None
        if binding is None:
            return (chain,) if root in self._interesting else ()
        return self._bound_to(root, rest, binding, position, steps)

    def _bound_to(
        self, root: str, rest: str, binding: Span, position: int, steps: int
    ) -> tuple[str, ...]:
        if root in _SELF and binding in self._methods:
            return (self._class_name(self._methods[binding]) + rest,)
        found: list[str] = []
        for typed, place in self._types_at(root, binding, position):
            for one in typed:
                for whole in self._rooted(one, place, steps):
                    joined = join_chain(whole, rest)
                    if joined:
                        found.append(joined)
            if found:
                break
        return tuple(dict.fromkeys(found))[:_CHOICES]

    def _rooted(self, chain: str, position: int, steps: int) -> tuple[str, ...]:
        mark = chain[: chain.find("]") + 1] if chain.startswith("[") else ""
        found = self.resolved(chain[len(mark) :], position, steps + 1)
        return tuple(mark + one for one in found if not (mark and one.startswith("[")))

    def _types_at(
        self, name: str, binding: Span, position: int
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """(chains, where they were written) for a local, the ones that hold there first."""
        for start, end, chains in reversed(self._narrowed.get(name, ())):
            if start <= position < end and binding[0] <= start < binding[1]:
                yield chains, start
        entries = self._typed.get((name, binding), [])
        before = bisect_left(entries, (position, ()))
        if before > 1:
            yield entries[before - 1][1], entries[before - 1][0]
        if entries:
            yield entries[0][1], entries[0][0]

    def _class_name(self, span: Span) -> str:
        known = self._class_names.get(span)
        if known is None:
            named = _CLASS.match(self._parsed.text, span[0])
            name = named[1].decode("utf-8", "replace") if named else ""
            known = self._class_names[span] = self._classes.get((span[1], name), name)
        return known

    # --- definitions ------------------------------------------------------------------------------

    def of_definitions(
        self, definitions: Sequence[Definition], members: Sequence[Member]
    ) -> tuple[tuple[str, str], ...]:
        """("type of definition", chain) of each definition whose type is written down."""
        given = {one.start: one for one in members}
        found: set[tuple[str, str]] = set()
        for one in definitions:
            if one.kind in ("function", "method"):
                for key, chain in self._of_function(one):
                    found.add((f"type {one.qualified}{key}", chain))
            elif one.kind in ("field", "variable", "constant"):
                chains = self._of_member(given[one.start]) if one.start in given else _of_value(one)
                found.update((f"type {one.qualified}", chain) for chain in chains)
        return tuple(sorted(one for one in found if self._is_rooted(one[1])))

    def _is_rooted(self, chain: str) -> bool:
        return _root(chain) in self._interesting

    def _of_function(self, one: Definition) -> Iterator[tuple[str, str]]:
        returned = _RETURNED.search(one.signature)
        for chain in annotated(returned[1]) if returned else ():
            if chain.rpartition(".")[2] == "Self":
                chain = one.qualified.rpartition(".")[0]
            yield CALLED, chain
            if any(_PROPERTY.match(decorator) for decorator in one.decorators):
                yield "", chain

    def _of_member(self, member: Member) -> tuple[str, ...]:
        if member.annotation >= 0:
            found = read_annotation(self._parsed.text, member.annotation)
            if found:
                return found
        if member.value < 0:
            return ()
        chains = self._value(member.value)
        return tuple(whole for chain in chains for whole in self.resolved(chain, member.value))


def _of_value(one: Definition) -> tuple[str, ...]:
    """The types of a variable or field by what stands in its definition."""
    parts = _FIELD.match(one.signature)
    if parts is None:
        return ()
    found = annotated(parts[1]) if parts[1] else ()
    chain = _value_of(parts[2].encode()) if parts[2] and not found else ""
    return found or ((chain,) if chain else ())


def _value_of(text: bytes) -> str:
    """The chain of a name, or of one call of it, that stands alone."""
    found = CHAIN.match(text)
    if found is None or found.end() == len(text):
        return as_chain(text) if found else ""
    closed = closing_brackets(text)[0].get(found.end())
    is_called = text[found.end() : found.end() + 1] == b"(" and closed == len(text)
    return as_chain(found[0]) + CALLED if is_called else ""


def _root(chain: str) -> str:
    """ "a" for "[]a.b@.c"."""
    start = chain.find("]") + 1 if chain[0] == "[" else 0
    return split_root(chain[start:])[0]


def split_root(chain: str) -> tuple[str, str]:
    """("a", ".b@.c") for "a.b@.c"."""
    root = _ROOT.match(chain)
    end = root.end() if root else 0
    return chain[:end], chain[end:]


def join_chain(typed: str, rest: str) -> str:
    """The chain of ``rest`` behind a value of a type; "" where that leads nowhere."""
    if not typed.startswith("["):
        return typed + rest
    mark, one = ("[]", typed[2:]) if typed.startswith("[]") else ("[:]", typed[3:])
    for taken in _OF_LIST if mark == "[]" else _OF_MAP:
        if rest.startswith(taken):
            return one + rest[len(taken) :]
    return "" if rest else typed
