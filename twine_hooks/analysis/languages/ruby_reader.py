"""Reads the names of a Ruby file into references: chains of constants and calls.

A chain is ``root.step.step``. The root is a constant ("A::B", "::A"), "self", "super", "@a" or the
name of a method that is called without a receiver; a step is the name of a method, with "=" where
it is set. A local variable, or one of an object, stands for the chain that it is set to, with "~"
behind it: "A.new~.go" uses A.go alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.facts import Definition, Reference
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import Locals, innermost

KNOWN = "~"  #: ends the part of a chain that a variable was set to elsewhere
_STEP = re.compile(
    rb"(?:[ \t]*\n\s*(?=&?\.[A-Za-z_]))?[ \t]*(&?\.|::)[ \t]*\n?[ \t]*"
    rb"([A-Za-z_\x80-\xff][\w\x80-\xff]*[?!]?)"
)
_NAME = re.compile(rb"@?@?[A-Za-z_\x80-\xff][\w\x80-\xff]*[?!]?")
_SET = re.compile(rb"[ \t]*(?:\|\||&&|[-+*/])?=(?![=~>])")
_BLOCK = re.compile(rb"[ \t]*(?=\{|do\b)")
_LONGEST = 200  #: characters; a longer chain is given up
_DEPTH = 6  #: variables that are set to one another
_DECLARING = frozenset(
    {
        "require", "require_relative", "load", "autoload", "include", "extend", "prepend",
        "attr_reader", "attr_writer", "attr_accessor", "private", "public", "protected",
        "module_function", "private_constant", "private_class_method", "alias_method",
        "define_method", "raise", "puts", "p", "print", "lambda", "proc", "loop", "freeze",
        "attr", "block_given?", "format", "sprintf", "catch", "throw", "binding", "caller",
        "__method__", "__dir__", "abort", "exit", "at_exit", "sleep", "rand", "warn",
    }
)  # fmt: skip


def references_of(parsed: Parsed, definitions: Sequence[Definition]) -> tuple[Reference, ...]:
    """The references of one file, each chain once for each definition that it stands in."""
    return _Reader(parsed, definitions).references()


class _Reader:
    def __init__(self, parsed: Parsed, definitions: Sequence[Definition]) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self._spans = [(one.start, one.end) for one in definitions]
        self._arguments = dict(parsed.spans("arguments"))
        self._blocks = dict(parsed.spans("block.code"))
        self._locals = Locals(parsed, lambda name: True)
        self._constants = dict(parsed.spans("constant"))
        self._names = dict(parsed.spans("name"))
        self._classes = parsed.spans("definition.class", "definition.module")
        self._hidden = self._hidden_names(definitions)
        self._set = self._read_assignments()

    def _hidden_names(self, definitions: Sequence[Definition]) -> frozenset[str]:
        """What is defined in blocks and methods, which the file alone sees."""
        listed = {(one.start, one.end) for one in definitions}
        kinds = [f"definition.{kind}" for kind in ("class", "module", "constant", "function")]
        hidden = [span for span in self._parsed.spans(*kinds) if span not in listed]
        names = self._parsed.spans("name")
        starts = [start for start, _ in names]
        found = set()
        for index, number in zip(innermost(hidden, starts), range(len(names)), strict=True):
            if index >= 0:
                found.add(self._parsed.string(*names[number]))
        return frozenset(found)

    def _read_assignments(self) -> dict[tuple[str, Span | None], Span | None]:
        """(variable, its scope or class) -> the only value that it is set to, None for several."""
        found: dict[tuple[str, Span | None], Span | None] = {}
        pairs = zip(self._parsed.spans("set"), self._parsed.spans("set.value"), strict=False)
        for name, value in pairs:
            key = self._key(*name)
            if key not in found:
                found[key] = value
            elif self._value(found[key]) != self._value(value):
                found[key] = None
        return found

    def _value(self, span: Span | None) -> bytes:
        return b"" if span is None else self._text[span[0] : span[1]]

    def _key(self, start: int, end: int) -> tuple[str, Span | None]:
        name = self._parsed.string(start, end)
        if name.startswith("@"):
            index = innermost(self._classes, [start])[0]
            return name, self._classes[index] if index >= 0 else None
        return name, self._locals.binding(name, start)

    def references(self) -> tuple[Reference, ...]:
        rows = sorted(set(self._rows()))
        scopes = innermost(self._spans, [position for position, _, _ in rows])
        return tuple(sorted(merged(self._parsed, rows, scopes)))

    def _rows(self) -> Iterator[tuple[int, str, str]]:
        """(position, chain, kind) of all that leads out of a method."""
        bases = self._parsed.starts("base")
        for start in sorted(self._constants):
            if self._continues(start):
                continue
            chain, _ = self._follow(start)
            if start in self._names:
                # "class A::B" names A.
                chain = self._parsed.string(start, self._names[start]).rpartition("::")[0]
            root = chain.partition(".")[0].removeprefix("::").partition("::")[0]
            if chain and root not in self._hidden and len(chain) <= _LONGEST:
                kind = "base" if start in bases else "call" if "." in chain else "read"
                yield start - 2 * chain.startswith("::"), chain, kind
        skipped = self._parsed.starts("not_reference", "name", "local", "method")
        skipped |= self._parsed.starts("set")
        for start, end in self._parsed.spans("identifier"):
            if start not in skipped:
                yield from self._variable(start, end)
        macros = self._parsed.starts("macro", "macro.opening")
        for start, end in self._parsed.spans("method"):
            if start in macros or not self._is_step(start):
                yield from self._variable(start, end)
        objects = self._parsed.starts("not_reference")
        for start, _ in self._parsed.spans("self", "super"):
            if start in objects:
                continue
            chain, _ = self._follow(start)
            if chain != "self" and len(chain) <= _LONGEST:
                yield start, chain, "call"
        for start, end in self._parsed.spans("field"):
            if start not in skipped:
                yield from self._variable(start, end)

    def _variable(self, start: int, end: int) -> Iterator[tuple[int, str, str]]:
        name = self._parsed.string(start, end)
        if name in _DECLARING:
            return
        chain, _ = self._follow(start)
        is_variable = name.startswith("@") or self._is_local(name, start, end)
        is_whole = chain.endswith(KNOWN) or (is_variable and "." not in chain)
        if chain and len(chain) <= _LONGEST and not is_whole:
            root = chain.replace(KNOWN, "").partition(".")[0].removeprefix("::").partition("::")[0]
            if root not in self._hidden and not chain.startswith("@"):
                yield start, chain, "call"

    def _is_local(self, name: str, start: int, end: int) -> bool:
        return end not in self._arguments and self._locals.binding(name, start) is not None

    def _is_step(self, start: int) -> bool:
        before = self._text[max(0, start - 100) : start].rstrip()
        return before.endswith((b".", b"::"))

    def _continues(self, start: int) -> bool:
        """Whether a constant belongs to a chain that began before it."""
        if self._text[start - 2 : start] != b"::":
            return False
        before = self._text[start - 3 : start - 2]
        return before.isalnum() or before in (b"_", b")", b"]", b"}", b"?", b"!", b'"', b"'")

    # --- chains -----------------------------------------------------------------------------------

    def _follow(self, start: int, depth: int = 0) -> tuple[str, int]:
        """The chain that begins there, "" where it is lost, and its end."""
        root, end = self._root(start, depth)
        text = self._text
        chain = root
        is_constant = (root[:1].isupper() or root[:2] == "::") and KNOWN not in root
        end = self._after_call(end)
        while found := _STEP.match(text, end):
            name = found[2].decode("utf-8", "replace")
            after = found.end()
            if found[1] == b"::" and name[:1].isupper() and text[after : after + 1] != b"(":
                if not is_constant:
                    return "", after
                chain = f"{chain}::{name}"
                end = after
                continue
            is_constant = False
            if name[-1:] not in "?!" and after not in self._arguments and _SET.match(text, after):
                name += "="
            chain = f"{chain}.{name}" if chain else ""
            end = self._after_call(after)
        return chain, end

    def _root(self, start: int, depth: int) -> tuple[str, int]:
        text = self._text
        if start in self._constants:
            prefix = "::" if text[start - 2 : start] == b"::" else ""
            end = self._constants[start]
            return prefix + self._parsed.string(start, end), end
        for word in (b"self", b"super"):
            end = start + len(word)
            if text.startswith(word, start) and not text[end : end + 1].isalnum():
                return word.decode(), end
        found = _NAME.match(text, start)
        if found is None:
            return "", start
        name = found[0].decode("utf-8", "replace")
        end = found.end()
        if not name.startswith("@") and not self._is_local(name, start, end):
            return name, end
        value = self._set.get(self._key(start, end))
        if value is None or depth >= _DEPTH or value[0] <= start < value[1]:
            return "", end
        chain, after = self._follow_value(value, depth + 1)
        known = f"{chain.replace(KNOWN, '')}{KNOWN}" if chain and after == value[1] else ""
        return known, end

    def _follow_value(self, value: Span, depth: int) -> tuple[str, int]:
        start = value[0]
        if self._text.startswith(b"::", start):
            start += 2
        if not (self._text[start : start + 1].isalpha() or self._text[start : start + 1] in b"_@"):
            return "", -1
        return self._follow(start, depth)

    def _after_call(self, end: int) -> int:
        """Where the arguments and the block of a call end."""
        if end in self._arguments:
            end = self._arguments[end]
        elif self._text[end : end + 1] == b" " and end + 1 in self._arguments:
            end = self._arguments[end + 1]
        if (found := _BLOCK.match(self._text, end)) and found.end() in self._blocks:
            end = self._blocks[found.end()]
        return end
