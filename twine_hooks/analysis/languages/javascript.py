"""JavaScript and TypeScript: what a file says about itself, and which linker resolves it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import (
    Parsed,
    Project,
    Traits,
    one_line,
    without_indentation,
    without_stars,
)
from twine_hooks.analysis.languages.javascript_modules import Modules
from twine_hooks.analysis.languages.javascript_surface import MEMBER, Surface, read_surface
from twine_hooks.analysis.languages.javascript_types import read_types
from twine_hooks.analysis.modules import ModuleLinker
from twine_hooks.analysis.name_changes import MODULE_CHANGES
from twine_hooks.analysis.references import collect_references

_SELF = frozenset({"this", "super"})
_PRIVATE = re.compile(r"(?:(?:static|readonly|override|abstract|async|declare)\s+)*private\b")
#: Not so where the word before asks for more.
_ENDS_MEMBER = re.compile(
    r"""[\w$)\]}>'"`?]\Z(?<!=>)
    (?<!\bextends)(?<!\bimplements)(?<!\bkeyof)(?<!\btypeof)(?<!\breadonly)(?<!\binfer)(?<!\bunique)
    (?<!\bis)(?<!\bin)(?<!\bas)(?<!\bnew)(?<!\basserts)(?<!\bstatic)(?<!\basync)(?<!\babstract)
    """,
    re.VERBOSE,
)
_STARTS_MEMBER = re.compile(r"[\w$\[\"'#+-]")
_ROOT = re.compile(r"[.@]")
_FILE_TAG = re.compile(rb"@(?:file|fileoverview|overview|module|packageDocumentation)\b")


def _clean_doc(text: str) -> str:
    inner = text.removeprefix("/**").removesuffix("*/").strip(" \t*")
    return without_indentation(without_stars(inner)).strip()


def _join_lines(text: str) -> str:
    """One line, with semicolons between the members of a type, however they were set apart."""
    if "{" not in text or "\n" not in text:
        return one_line(text)
    found, depth = "", 0
    for line in filter(None, map(one_line, text.split("\n"))):
        ends = depth > 0 and _ENDS_MEMBER.search(found) and _STARTS_MEMBER.match(line)
        found += ("; " if ends else " ") + line
        depth += line.count("{") - line.count("}")
    return found.lstrip()


def _is_public(name: str, head: str) -> bool:
    return not name.startswith("#") and not _PRIVATE.match(head)


TRAITS = Traits(
    linking_reads_heads=False,
    changes=MODULE_CHANGES,
    class_kinds=frozenset({"class", "interface", "enum"}),
    quotes_are_equal=True,
    after_doc=re.compile(
        rb"\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:(?:const|let|var)\s+)?\Z"
    ),
    clean_doc=_clean_doc,
    join_lines=_join_lines,
    chain=re.compile(rb"(?:\s*!?\s*\??\.\s*#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)+"),
    is_public=_is_public,
)


def read(parsed: Parsed) -> Facts:
    """Facts of one file of the family."""
    surface = read_surface(parsed)
    parsed = surface.captures()
    parsed, doc = _with_docs(parsed)
    definitions, tokens = collect_definitions(parsed, TRAITS)
    definitions = _finished(definitions, surface)
    exports = surface.exports
    interesting = _SELF.union(
        (one.name.partition(".")[0] for one in definitions if one.parent < 0),
        (one.alias for one in surface.imports if one.kind != "reexport"),
    )
    spans = [(one.start, one.end) for one in definitions]
    types = read_types(parsed, definitions)
    references = collect_references(parsed, TRAITS, interesting.__contains__, spans, types.local)
    references = [
        one for one in {*references, *types.references} if _ROOT.split(one.chain)[0] in interesting
    ]
    return Facts(
        language="javascript",
        definitions=tuple(definitions),
        references=tuple(sorted(references)),
        imports=tuple(
            sorted(surface.imports, key=lambda one: (one.line, one.module, one.name, one.alias))
        ),
        exports=exports,
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc + _export_text(surface)),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=types.definitions,
    )


def _export_text(surface: Surface) -> str:
    """What can be seen of a file besides its definitions: names given on, other names for them."""
    given = [f"{outer}={local}" for outer, local in surface.exports or ()]
    given += [
        f"{one.module}:{one.name}:{one.alias}" for one in surface.imports if one.kind == "reexport"
    ]
    return "\n".join(["", *sorted(given)]) if given else ""


def _with_docs(parsed: Parsed) -> tuple[Parsed, str]:
    """The file with its doc comments captured, and the doc of the file as a whole."""
    comments = parsed.nodes("comment")
    docs = [
        one
        for one in comments
        if parsed.text.startswith(b"/**", one.start_byte) and one.end_byte - one.start_byte > 4
    ]
    first = docs[0] if docs and docs[0].start_byte == _first_code(parsed, comments) else None
    if first is not None and not _FILE_TAG.search(parsed.text, first.start_byte, first.end_byte):
        following = parsed.text[first.end_byte : first.end_byte + 400].lstrip()
        # A comment that another one or an import follows belongs to no definition.
        if not following.startswith((b"/*", b"//", b"import", b'"use', b"'use")):
            first = None
    if first is None:
        return parsed.with_captures({"doc.before": docs}), ""
    changed = {
        "doc.before": [one for one in docs if one is not first],
        "ignored": [one for one in parsed.nodes("ignored") if one.start_byte != first.start_byte],
    }
    text = _clean_doc(parsed.string(first.start_byte, first.end_byte))
    return parsed.with_captures(changed), text


def _first_code(parsed: Parsed, comments: Sequence[object]) -> int:
    """Where the file begins, after white space, a "#!" line and comments that are no docs."""
    found = _LEAD.match(parsed.text)
    return found.end() if found else 0


_LEAD = re.compile(rb"(?:#![^\n]*\n)?(?:\s+|//[^\n]*|/\*(?!\*(?!/))(?:[^*]|\*(?!/))*\*/)*")


def _finished(definitions: Iterable[Definition], surface: Surface) -> list[Definition]:
    """With the visibility that the exports give, and the kinds that only the name tells."""
    found: list[Definition] = []
    exported = surface.local_names
    definitions = list(definitions)
    top = {one.name: index for index, one in enumerate(definitions) if one.parent < 0}
    for one in definitions:
        public = one.public
        if one.parent >= 0:
            public = public and found[one.parent].public
        elif surface.is_module:
            public = one.name.partition(".")[0] in exported
        kind = "constructor" if one.kind == "method" and one.name == "constructor" else one.kind
        one = _named(one)._replace(public=public, kind=kind, signature=one.signature.rstrip("; "))
        if one.parent >= 0 and found[one.parent].kind == "constructor":
            one = _parameter_property(one, found)
        found.append(one)
    return _with_assigned_members(found, top)


def _named(one: Definition) -> Definition:
    """A quoted name without its quotes."""
    if one.name[:1] not in ("'", '"'):
        return one
    name = one.name[1:-1]
    return one._replace(name=name, qualified=one.qualified[: -len(one.name)] + name)


def _with_assigned_members(found: list[Definition], top: dict[str, int]) -> list[Definition]:
    """``Shape.prototype.area = …`` belongs to Shape, wherever it stands."""
    for index, one in enumerate(found):
        owner = MEMBER.match(one.signature) if one.kind == "method" and one.parent < 0 else None
        if owner and top.get(owner[1], index) != index:
            parent = top[owner[1]]
            found[index] = one._replace(
                parent=parent,
                qualified=f"{owner[1]}.{one.name}",
                public=found[parent].public,
            )
    return found


def _parameter_property(one: Definition, before: Sequence[Definition]) -> Definition:
    """A parameter of a constructor that is a field of the class too."""
    parent = before[one.parent].parent
    owner = before[parent].qualified if parent >= 0 else ""
    return one._replace(parent=parent, qualified=f"{owner}.{one.name}".lstrip("."))


def linker(project: Project) -> ModuleLinker:
    """Resolves the imports and references of JavaScript and TypeScript files."""
    return ModuleLinker(project, Modules(project), self_names=_SELF)


__all__ = ["TRAITS", "linker", "read"]
