"""Ruby: what a file says about itself. What its names lead to is in ruby_linker.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import Parsed, Traits
from twine_hooks.analysis.languages.ruby_imports import imports_of
from twine_hooks.analysis.languages.ruby_linker import RubyLinker as linker
from twine_hooks.analysis.languages.ruby_reader import references_of
from twine_hooks.analysis.languages.ruby_surface import Surface, read_surface
from twine_hooks.analysis.languages.ruby_visibility import add_visibility
from twine_hooks.analysis.scopes import innermost

_HASH = re.compile(r"^[ \t]*#+ ?", re.MULTILINE)
_NO_TEXT = re.compile(r"^(?::\w+:|rubocop:.*|@api private)$", re.MULTILINE)


def clean_doc(text: str) -> str:
    """The text of one comment, or of a block from =begin to =end."""
    if text.startswith("=begin"):
        return text.removeprefix("=begin").rpartition("=end")[0].strip()
    return _NO_TEXT.sub("", _HASH.sub("", text)).rstrip()


TRAITS = Traits(
    clean_doc=clean_doc,
    after_doc=re.compile(rb"\n?[ \t]*(?:#[^\n]*\n[ \t]*)*(?:[a-z]\w*[ \t(]+)*\Z"),
    is_public=lambda name, head: True,
    class_kinds=frozenset({"class", "module"}),
    separator="::",
    quotes_are_equal=True,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one Ruby file."""
    surface = read_surface(parsed)
    add_visibility(parsed, surface)
    parsed = parsed.with_spans(surface.spans)
    found, tokens = collect_definitions(parsed, TRAITS)
    definitions = _tidy(found, surface)
    return Facts(
        language="ruby",
        definitions=tuple(definitions),
        references=references_of(parsed, found),
        imports=tuple(sorted(imports_of(parsed), key=lambda one: (one.line, one.module, one.name))),
        meaning=tokens.meaning,
        interface=file_interface(definitions, ""),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple(_extra(parsed, definitions, surface)),
    )


def _tidy(found: Sequence[Definition], surface: Surface) -> list[Definition]:
    """Methods as "A::B.name", attributes with the word that declares them."""
    tidy: list[Definition] = []
    for one in found:
        if one.parent >= 0:
            parent = tidy[one.parent]
            separator = "." if one.kind in ("method", "property") else "::"
            one = one._replace(qualified=f"{parent.qualified}{separator}{one.name}")
        # A class in a block is not listed, and its base is not that of the class around.
        one = one._replace(bases=tuple(base for base in one.bases[:1] if base in one.signature))
        if one.signature.endswith((" end", ";end")):
            one = one._replace(signature=one.signature[:-4].rstrip("; "))
        declared = surface.declared.get(one.start)
        if declared is not None:
            one = one._replace(signature=f"{declared} :{one.signature}")
        tidy.append(one)
    return tidy


def _extra(
    parsed: Parsed, definitions: Sequence[Definition], surface: Surface
) -> Iterator[tuple[str, str]]:
    """Which methods are of the class itself, and what each class mixes in."""
    single = parsed.spans("singleton")
    inside = innermost(single, [one.start for one in definitions])
    for index, (one, around) in enumerate(zip(definitions, inside, strict=True)):
        if around >= 0 and one.kind in ("method", "function", "property"):
            outer = definitions[one.parent].start if one.parent >= 0 else -1
            if single[around][0] > outer or single[around][0] == one.start:
                yield f"singleton {index}", ""
        if one.start in surface.on_both:
            yield f"both {index}", ""
        if one.start in surface.aliases:
            yield f"alias {index}", surface.aliases[one.start]
    yield from _mixins(parsed, definitions, surface)


def _mixins(
    parsed: Parsed, definitions: Sequence[Definition], surface: Surface
) -> Iterator[tuple[str, str]]:
    """What each class includes, extends and prepends; what blocks do is their own."""
    starts = [position for position, _, _ in surface.mixins]
    spans = [(one.start, one.end) for one in definitions]
    scopes, single = parsed.spans("scope"), parsed.spans("singleton")
    opened = set(surface.spans["opened"])
    places = zip(
        innermost(spans, starts), innermost(scopes, starts), innermost(single, starts), strict=True
    )
    for number, ((_, how, names), (index, block, itself)) in enumerate(
        zip(surface.mixins, places, strict=True)
    ):
        outer = spans[index][0] if index >= 0 else -1
        if block >= 0 and scopes[block][0] > outer and scopes[block] not in opened:
            continue
        if itself >= 0 and single[itself][0] > outer and how == "include":
            how = "extend"
        yield f"{how} {index} {number}", names


__all__ = ["TRAITS", "linker", "read"]
