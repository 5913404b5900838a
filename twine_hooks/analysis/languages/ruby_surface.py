"""What a Ruby file defines by calls: attributes, structs, aliases, mixins."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.scopes import innermost

_ATTRIBUTES = frozenset(
    {
        "attr", "attr_accessor", "attr_reader", "attr_writer", "cattr_accessor", "cattr_reader",
        "class_attribute", "mattr_accessor", "mattr_reader",
    }
)  # fmt: skip
_OF_THE_CLASS = frozenset(
    {"cattr_accessor", "cattr_reader", "mattr_accessor", "mattr_reader", "class_attribute"}
)
_MIXINS = frozenset({"include", "extend", "prepend"})
_OPENING = frozenset({"included", "class_methods", "prepended", "concern"})
_SYMBOL = re.compile(
    rb":([A-Za-z_\x80-\xff][\w\x80-\xff]*[?!=]?)(?!:)|[\"']([A-Za-z_]\w*[?!=]?)[\"']"
)
_CLASS = re.compile(rb"(?:::)?(Struct|Data|Class|Module)\.(?:new|define)\b[ \t]*\(?")
_CONSTANT = re.compile(rb"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*")
_MAGIC = re.compile(
    rb"#[ \t]*(?:-\*-|(?:frozen[_-]string[_-]literal|(?:en)?coding|warn[_-]indent"
    rb"|shareable[_-]constant[_-]value|typed)[ \t]*[:=]|!)"
)
_NO_DOC = re.compile(rb"#[ \t]*(?:rubocop:|:nodoc:|TODO\b|FIXME\b|typed:)|#[#\-=*~ \t]*\Z")


class Surface:
    """What is found beside the query."""

    def __init__(self) -> None:
        self.spans: dict[str, list[Span]] = {}
        self.declared: dict[int, str] = {}  #: start -> the word that declares it
        self.opening: set[int] = set()  #: starts of calls that declare
        self.on_both: set[int] = set()  #: starts of module functions
        #: start of a constant -> the constant that it is set to, or the base of its class
        self.aliases: dict[int, str] = {}
        self.mixins: list[tuple[int, str, str]] = []  #: (position, how, constants)
        self.assigned: list[tuple[Span, str]] = []  #: constants with their names

    def add(self, capture: str, span: Span) -> None:
        self.spans.setdefault(capture, []).append(span)


def read_surface(parsed: Parsed) -> Surface:
    """All that a file says by calls instead of keywords; what is private is not yet in it."""
    surface = Surface()
    _add_comments(parsed, surface)
    _add_assignments(parsed, surface)
    _add_calls(parsed, surface)
    return surface


def _add_comments(parsed: Parsed, surface: Surface) -> None:
    """Comments: magic ones mean something, the others may document what follows."""
    for start, end in parsed.spans("comment"):
        text = parsed.text[start:end]
        if _MAGIC.match(text):
            continue
        surface.add("ignored", (start, end))
        own_line = not parsed.text[parsed.text.rfind(b"\n", 0, start) + 1 : start].strip()
        if own_line and not _NO_DOC.match(text):
            surface.add("doc.before", (start, end))


def _add_assignments(parsed: Parsed, surface: Surface) -> None:
    """``A = 1`` as a constant, ``A = Struct.new(:b)`` as a class with what its block defines."""
    blocks = parsed.spans("block.code")
    starts = [start for start, _ in blocks]
    for whole, name, value in zip(
        _with_heredocs(parsed),
        parsed.spans("assigned"),
        parsed.spans("assigned.value"),
        strict=False,
    ):
        surface.assigned.append((whole, parsed.string(*name)))
        text = parsed.text[value[0] : value[1]]
        made = _CLASS.match(text)
        surface.add("name", name)
        if made is None:
            surface.add("definition.constant", whole)
            if (found := _CONSTANT.match(text)) and found.end() == len(text):
                surface.aliases[whole[0]] = text.decode("utf-8", "replace")
            continue
        surface.add("definition.module" if made[1] == b"Module" else "definition.class", whole)
        at = bisect_right(starts, value[0] + made.end() - 1)
        body = None
        if at < len(blocks) and blocks[at][1] == value[1]:
            body = blocks[at]
            surface.add("body", (body[0], body[0] + 1))
            surface.add("opened", body)
        head_end = body[0] if body else value[1]
        if made[1] in (b"Struct", b"Data"):
            for start, end in symbols(parsed.text, value[0] + made.end(), head_end):
                surface.add("definition.property", (start, end))
                surface.add("name", (start, end))
                surface.declared[start] = "attr_accessor" if made[1] == b"Struct" else "attr_reader"
        elif base := _CONSTANT.match(parsed.text, value[0] + made.end(), head_end):
            surface.add("base", base.span())


def _with_heredocs(parsed: Parsed) -> Iterator[Span]:
    """The assignments with the text of the heredocs in them, which stands behind."""
    bodies = dict(zip(parsed.spans("heredoc"), parsed.spans("heredoc.body"), strict=False))
    for start, end in parsed.spans("assignment"):
        inside = [body[1] for found, body in bodies.items() if start <= found[0] < end]
        yield start, max([end, *inside])


def symbols(text: bytes, start: int, end: int) -> Iterator[Span]:
    for found in _SYMBOL.finditer(text, start, end):
        yield found.span(1) if found[1] is not None else found.span(2)


def _add_calls(parsed: Parsed, surface: Surface) -> None:
    for name, arguments in zip(
        parsed.spans("macro"), parsed.spans("macro.arguments"), strict=False
    ):
        word = parsed.string(*name)
        text = parsed.text
        if word in _ATTRIBUTES:
            for number, (start, end) in enumerate(symbols(text, *arguments)):
                # The first begins with the word, so a comment before it is its own.
                first = start if number else name[0]
                surface.add("definition.property", (first, end))
                surface.add("name", (start, end))
                if number:
                    surface.declared[start] = word
                else:
                    surface.opening.add(first)
                if word in _OF_THE_CLASS:
                    surface.on_both.add(first)
        elif word in ("alias_method", "define_method", "define_singleton_method"):
            for start, end in list(symbols(text, *arguments))[:1]:
                surface.add("definition.function", (name[0], end))
                surface.add("name", (start, end))
                surface.opening.add(name[0])
                if word == "define_singleton_method":
                    surface.add("singleton", (name[0], end))
        elif word in _MIXINS:
            names = [found.decode() for found in _CONSTANT.findall(text, *arguments)]
            if text[arguments[0] : arguments[1]].strip(b"() ") == b"self" and word == "extend":
                names = ["self"]
            if names:
                surface.mixins.append((name[0], word, " ".join(names)))
    opened = []
    openings = zip(parsed.spans("macro.opening"), parsed.spans("macro.block"), strict=False)
    for name, block in openings:
        word = parsed.string(*name)
        if word in _OPENING:
            opened.append(block)
        if word == "class_methods":
            surface.add("singleton", block)
    surface.spans.setdefault("opened", []).extend(opened)
    _add_outside(parsed, surface)


def _add_outside(parsed: Parsed, surface: Surface) -> None:
    """What blocks that are bodies of classes define is listed, though it stands in a block."""
    opened = set(surface.spans["opened"])
    if not opened:
        return
    scopes = parsed.spans("scope")
    for kind, found in [*parsed.kinds("definition"), *_kinds(surface)]:
        del kind
        around = innermost(scopes, [start - 1 for start, _ in found])
        for span, index in zip(found, around, strict=True):
            if index >= 0 and scopes[index] in opened:
                surface.add("outside", span)


def _kinds(surface: Surface) -> list[tuple[str, list[Span]]]:
    return [
        (name, sorted(spans))
        for name, spans in surface.spans.items()
        if name.startswith("definition.")
    ]
