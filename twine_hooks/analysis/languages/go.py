"""Go: what a file says about itself. What its names lead to is in go_linker.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs_store.digest import short
from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import
from twine_hooks.analysis.head_changes import HEAD_CHANGES, names_in
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import Parsed, Span, Traits, folder_of
from twine_hooks.analysis.languages.go_linker import GoLinker as linker
from twine_hooks.analysis.languages.go_names import Names
from twine_hooks.analysis.languages.go_types import plain
from twine_hooks.analysis.scopes import innermost

_DIRECTIVE = re.compile(rb"//(?:go:|export |line |\s*\+build )")
_DECORATOR = re.compile(rb"//(?:go:(?!build|generate|debug)|export )")
_ADJACENT = re.compile(rb"[ \t]*\n[ \t]*\Z")
_BUILD = re.compile(r"^//go:build +([^\n]+)", re.MULTILINE)
_OLD_BUILD = re.compile(r"^// *\+build +([^\n]+)", re.MULTILINE)
_EMBED = re.compile(r"^[ \t]*//go:embed[ \t]+([^\n]+)", re.MULTILINE)
_PATTERN = re.compile(r'"([^"\n]*)"|`([^`\n]*)`|(\S+)')
_SPEC = re.compile(r"(?:([\w.]+)\s*)?[\"`]([^\"`]*)[\"`]")
_INCLUDE = re.compile(r'^[ \t]*(?://)?[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_MARK = re.compile(r"^(?://|/\*+)|\*/$")
_VERSION = re.compile(r"v\d+")
_IOTA = re.compile(r"\biota\b")


def clean_doc(text: str) -> str:
    """The text of comments in lines or of a ``/* … */`` comment, without directives."""
    if text.startswith("/*"):
        return text[2:].removesuffix("*/").strip()
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if not _DIRECTIVE.match(line.encode())]
    return "\n".join(line[2:].removeprefix(" ").rstrip() for line in lines).strip()


def _with_package(path: str, facts: Facts) -> frozenset[str] | None:
    """The names in a file, and of its folder, of which a blank import takes all files."""
    names, folder = names_in(path, facts), folder_of(path).rpartition("/")[2]
    return None if names is None else names.union(re.findall(r"\w+", folder))


TRAITS = Traits(
    changes=HEAD_CHANGES._replace(all_names=_with_package),
    clean_doc=clean_doc,
    after_doc=re.compile(
        rb"[ \t]*\n[ \t]*(?://go:generate[^\n]*\n[ \t]*)*(?:(?:const|var|type)\s*\(\s*)?\Z"
    ),
    is_public=lambda name, head: name[:1].isupper(),
)


def read(parsed: Parsed) -> Facts:
    """Facts of one Go file."""
    parsed = _without_groups(parsed).with_spans(_comments(parsed))
    found, tokens = collect_definitions(parsed, TRAITS)
    names = Names(parsed, found)
    definitions, extra = _tidy(parsed, found, names)
    doc = _package_doc(parsed)
    text = parsed.string(0, len(parsed.text)) if b"//go:" in parsed.text else ""
    for start, _ in parsed.spans("package.clause")[:1]:
        extra += [("build", build) for build in _constraint(parsed.string(0, start))]
    imports = [*_imports(parsed, extra), *_embedded(parsed, text)]
    return Facts(
        language="go",
        definitions=tuple(definitions),
        references=names.references.sorted(),
        imports=tuple(sorted(imports, key=lambda one: (one.line, one.module, one.name))),
        namespace="".join(parsed.string(*span) for span in parsed.spans("package")[:1]),
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple(sorted(extra)),
    )


def _without_groups(parsed: Parsed) -> Parsed:
    """A query can't tell ``const (…)`` from ``const …``: here only the second is a definition."""
    groups = set(parsed.spans("group"))
    return parsed.with_captures(
        {
            f"definition.{kind}": [node for node in nodes if node.byte_range not in groups]
            for kind, nodes in parsed.captured_kinds("definition")
            if kind in ("constant", "type")
        }
    )


# --- comments ------------------------------------------------------------------------------------


def _comments(parsed: Parsed) -> dict[str, list[Span]]:
    """Comments by what they are: plain ones, directives, and groups of lines that may be docs."""
    found: dict[str, list[Span]] = {
        "ignored": [],
        "verbatim": [],
        "doc.before": [],
        "decorator": [],
    }
    group: list[Span] = []
    text = parsed.text
    for start, end in parsed.spans("comment"):
        is_directive = _DIRECTIVE.match(text, start) is not None
        found["verbatim" if is_directive else "ignored"].append((start, end))
        if is_directive:
            if _DECORATOR.match(text, start):
                found["decorator"].append((start, end))
            _close(group, found)
            group = []
        elif group and _ADJACENT.fullmatch(text, group[-1][1], start):
            group.append((start, end))
        else:
            _close(group, found)
            group = [(start, end)] if _begins_line(text, start) else []
    _close(group, found)
    return {name: spans for name, spans in found.items() if spans}


def _begins_line(text: bytes, start: int) -> bool:
    return not text[text.rfind(b"\n", 0, start) + 1 : start].strip()


def _close(group: list[Span], found: dict[str, list[Span]]) -> None:
    if group:
        found["doc.before"].append((group[0][0], group[-1][1]))


def _package_doc(parsed: Parsed) -> str:
    for at, _ in parsed.spans("package.clause")[:1]:
        for start, end in parsed.spans("doc.before"):
            if _ADJACENT.fullmatch(parsed.text, end, at):
                return clean_doc(parsed.string(start, end))
    return ""


# --- definitions ---------------------------------------------------------------------------------


def _tidy(
    parsed: Parsed, found: Sequence[Definition], names: Names
) -> tuple[list[Definition], list[tuple[str, str]]]:
    """Definitions with the names of their receivers, and what linking asks of each by its index."""
    tidy: list[Definition] = []
    extra: list[tuple[str, str]] = []
    receivers = _parts(parsed, found, "receiver")
    results = {index: plain(text) for index, text in _parts(parsed, found, "result").items()}
    shapes = _parts(parsed, found, "body.type")
    for index, one in enumerate(found):
        first = tidy[one.parent] if one.parent >= 0 else None
        if first is not None and first.kind == one.kind and one.kind in _TOGETHER:
            one = _beside(one, first, tidy[first.parent] if first.parent >= 0 else None)
            results.setdefault(index, results.get(found[index].parent, ""))
        elif index in receivers and one.parent < 0:
            owner = _receiver(receivers[index])
            is_public = one.public and owner[:1].isupper()
            one = one._replace(qualified=f"{owner}.{one.name}", public=is_public)
            if names_of := _receiver_types(receivers[index]):
                extra.append((f"receiver {index}", names_of))
        elif index in shapes:
            one = one._replace(kind=re.split(r"\W", shapes[index], maxsplit=1)[0])
        elif one.kind == "method" and one.parent < 0:
            one = one._replace(kind="function")
        if one.bases and first is not None and one.kind == "field":
            tidy[found[index].parent] = first._replace(
                bases=(*first.bases, *one.bases),
                interface=short(first.interface + "".join(one.bases), 16),
            )
            one = one._replace(bases=())
        tidy.append(one)
        written = results.get(index) or names.top_level(one.name, one.kind)
        if written:
            extra.append((f"type {index}", written))
    for index, text in _parts(parsed, found, "parameters").items():
        extra.append((f"parameters {index}", plain(text)))
    for index in _parts(parsed, found, "alias"):
        extra.append((f"alias {index}", ""))
    return _with_constants(parsed, tidy, extra), extra


_TOGETHER = frozenset({"field", "constant", "variable"})


def _beside(one: Definition, first: Definition, owner: Definition | None) -> Definition:
    """The second of several names with one type: ``b`` in ``a, b int``."""
    return one._replace(
        parent=first.parent,
        qualified=f"{first.qualified.removesuffix(first.name)}{one.name}",
        signature=first.signature,
        public=one.name[:1].isupper() and (owner is None or owner.public),
        interface=short(one.interface + first.interface, 16),
        meaning=short(one.meaning + first.meaning, 16),
    )


def _receiver(text: str) -> str:
    """The type in "(s *Shape[T])"."""
    words = re.split(r"[\[)]", text.strip("( "), maxsplit=1)[0].replace("*", " ").split()
    return words[-1] if words else ""


def _receiver_types(text: str) -> str:
    """The names that "(s *Pair[K, V])" gives to the type parameters."""
    return " ".join(text.partition("[")[2].partition("]")[0].replace(",", " ").split())


def _parts(parsed: Parsed, found: Sequence[Definition], capture: str) -> dict[int, str]:
    """Index of a definition -> the text of the first such part of it."""
    spans = [(one.start, one.end) for one in found]
    parts = parsed.spans(capture)
    texts: dict[int, str] = {}
    for (start, end), index in zip(parts, innermost(spans, [at for at, _ in parts]), strict=True):
        if index >= 0:
            texts.setdefault(index, parsed.string(start, end))
    return texts


def _with_constants(
    parsed: Parsed, tidy: list[Definition], extra: list[tuple[str, str]]
) -> list[Definition]:
    """Constants that count or repeat what stands before them also mean their place in the group."""
    groups = parsed.spans("group")
    if not groups:
        return tidy
    values = _parts(parsed, tidy, "values")
    types = dict(extra)
    around = innermost(groups, [one.start for one in tidy])
    group, place, last, kind = -1, 0, "", ""
    for index, (one, at) in enumerate(zip(tidy, around, strict=True)):
        if at < 0 or one.kind != "constant":
            continue
        place, group = (place + 1, group) if at == group else (0, at)
        if index in values or place == 0:
            last, kind = values.get(index, ""), types.get(f"type {index}", "")
        elif kind:
            extra.append((f"type {index}", kind))
        if index not in values or _IOTA.search(last):
            told = f"{place} {last}" if _IOTA.search(last) else last
            tidy[index] = one._replace(
                interface=short(one.interface + told, 16), meaning=short(one.meaning + told, 16)
            )
    return tidy


# --- imports -------------------------------------------------------------------------------------


def _imports(parsed: Parsed, extra: list[tuple[str, str]]) -> Iterator[Import]:
    for start, end in parsed.spans("import.spec"):
        found = _SPEC.match(parsed.string(start, end))
        if found is None:
            continue
        alias, module, line = found[1] or "", found[2], parsed.line_of(start)
        if module == "C":
            yield from _included(parsed, start)
        elif alias == ".":
            yield Import(module, "*", "", "import", line)
        elif alias == "_":
            yield Import(module, "", "", "blank", line)
        else:
            if not alias:
                extra.append((f"unnamed {module}", ""))
            yield Import(module, "", alias or guessed_name(module), "import", line)


def guessed_name(module: str) -> str:
    """The name that a package most likely has, by its import path."""
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    name = re.sub(r"\.v\d+$", "", parts[-1])
    return re.sub(r"\W", "_", name.removeprefix("go-").removesuffix("-go").removesuffix(".go"))


def _included(parsed: Parsed, position: int) -> Iterator[Import]:
    """The headers that the comment before ``import "C"`` includes."""
    at = parsed.text.rfind(b"import", 0, position)
    for start, end in parsed.spans("doc.before"):
        if at >= 0 and _ADJACENT.fullmatch(parsed.text, end, at):
            text = parsed.string(start, end)
            for found in _INCLUDE.finditer(_MARK.sub("", text)):
                yield Import(found[1], "", "", "include", parsed.line_of(start))


def _embedded(parsed: Parsed, text: str) -> Iterator[Import]:
    for found in _EMBED.finditer(text):
        line = text.count("\n", 0, found.start(1)) + 1
        for pattern in _PATTERN.finditer(found[1]):
            yield Import(pattern[1] or pattern[2] or pattern[3], "", "", "asset", line)


def _constraint(head: str) -> list[str]:
    """Under which build constraint the file is compiled, none for always."""
    found = _BUILD.search(head)
    if found:
        return [found[1].partition("//")[0].strip()]
    lines = []
    for old in _OLD_BUILD.finditer(head):
        options = [one.replace(",", " && ") for one in old[1].split()]
        lines.append("(" + " || ".join(options) + ")")
    return [" && ".join(lines)] if lines else []


__all__ = ["TRAITS", "linker", "read"]
