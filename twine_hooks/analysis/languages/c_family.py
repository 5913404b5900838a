"""What a C or C++ file says about itself: definitions, includes and the names it uses.

Definitions come from the tree, everything else from the text (``c_text``, ``c_names``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from twine_hooks.analysis.definitions import collect_definitions
from twine_hooks.analysis.facts import Facts, Import
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import Parsed, Project, Span, Traits, without_stars
from twine_hooks.analysis.languages.c_definitions import normal_definitions
from twine_hooks.analysis.languages.c_names import collect_names
from twine_hooks.analysis.languages.c_text import Directive, Scan, scan
from twine_hooks.analysis.translation import TranslationLinker

_LINE_MARK = re.compile(r"^[ \t]*//[/!]<?[ \t]?", re.MULTILINE)
_COMMAND = re.compile(r"[@\\](?:brief|short|details)\s+")


def clean_doc(text: str) -> str:
    """The text of a Doxygen comment without its markers."""
    if text.startswith("//"):
        text = _LINE_MARK.sub("", text)
    else:
        text = without_stars(text[3:].removesuffix("*/").rstrip("*").removeprefix("<"))
    return _COMMAND.sub("", "\n".join(line.rstrip() for line in text.splitlines())).strip()


TRAITS = Traits(
    class_kinds=frozenset({"class", "struct", "union"}),
    separator="::",
    clean_doc=clean_doc,
    after_doc=re.compile(
        rb"\s*(?:template\s*<[^;{}]*>\s*|(?:typedef|extern|static|inline|constexpr)\s+"
        rb"|\[\[[^\]]*\]\]\s*|[A-Z][A-Z0-9_]+\s+|//[^/!\n][^\n]*\n\s*)*\Z"
    ),
    is_public=lambda name, head: True,
)


def linker(project: Project) -> TranslationLinker:
    """Resolves the includes and names of C and C++ files."""
    return TranslationLinker(project, frozenset({"c", "cpp"}))


def read_file(parsed: Parsed, traits: Traits, language: str) -> Facts:
    """Facts of one file."""
    found = scan(parsed.text)
    parsed = parsed.with_spans(_spans(parsed.text, found))
    drafts, tokens = collect_definitions(parsed, traits)
    normal = normal_definitions(parsed, found, drafts, cpp=language == "cpp")
    doc = _file_doc(parsed, found)
    return Facts(
        language=language,
        definitions=tuple(normal.definitions),
        references=tuple(collect_names(parsed, found, normal)),
        imports=tuple(
            sorted({*_includes(parsed, found), *_modules(parsed, found, language)}, key=_by_line)
        ),
        namespace=_module_name(found) if language == "cpp" else "",
        doc=doc,
        meaning=tokens.meaning,
        interface=file_interface(normal.definitions, doc),
        lines=parsed.line_count,
        has_errors=bool(parsed.spans("error")),
        extra=tuple(_extra(found, normal.declarations)),
    )


def _by_line(one: Import) -> tuple[int, str, str]:
    return one.line, one.module, one.kind


# --- what the tree does not say ----------------------------------------------------------------

_TRAILING_COMMA = re.compile(rb",(?=\s*\})")
_CONTINUATION = re.compile(rb"\\\n")


def _spans(text: bytes, found: Scan) -> dict[str, list[Span]]:
    """Comments, strings and directives, in the words of the queries' captures."""
    return {
        "ignored": [
            *found.comments,
            *(one.span() for one in _TRAILING_COMMA.finditer(found.code)),
            *(one.span() for one in _CONTINUATION.finditer(found.code)),
        ],
        "verbatim": list(found.strings),
        "block": [(one.start, one.end) for one in found.directives],
        "statement": [
            (at, at)
            for one in found.directives
            if one.name == "define" and (at := _parameters_at(text, one)) >= 0
        ],
        "doc.before": _docs(text, found.comments),
    }


_DEFINED = re.compile(rb"\s*#\s*define\s+\w+\(")


def _parameters_at(text: bytes, one: Directive) -> int:
    """Where the parameters of a macro begin, -1 without any: a space before "(" tells."""
    found = _DEFINED.match(text, one.start, one.end)
    return found.end() - 1 if found else -1


def _docs(text: bytes, comments: Sequence[Span]) -> list[Span]:
    """Doxygen comments; lines of ``///`` that stand together are one."""
    docs: list[Span] = []
    for start, end in comments:
        mark = text[start : start + 4]
        if mark[:3] in (b"///", b"//!") and mark != b"////" and mark[3:] != b"<":
            if docs and text[docs[-1][0] : docs[-1][0] + 2] == b"//":
                between = text[docs[-1][1] : start]
                if not between.strip() and between.count(b"\n") <= 1:
                    docs[-1] = (docs[-1][0], end)
                    continue
            docs.append((start, end))
        elif mark[:3] in (b"/**", b"/*!") and mark not in (b"/***", b"/**/") and mark[3:] != b"<":
            docs.append((start, end))
    return docs


def _file_doc(parsed: Parsed, found: Scan) -> str:
    """The first Doxygen comment, where it says that it is about the file."""
    for start, end in _docs(parsed.text, found.comments[:3]):
        text = parsed.string(start, end)
        if re.search(r"[@\\]file\b", text):
            return re.sub(r"[@\\]file\b[^\n]*\n?", "", clean_doc(text)).strip()
    return ""


_NAMES_A_FILE = re.compile(
    r'(\w+)\s+("[^"\s]+\.\w+"|<[^>\s]+>'
    r"|(?<=[EHRG]\s)[A-Z_]*(?:INCLUDE|HEADER|_H|CONFIG)[A-Z_]*)"
)


def _extra(found: Scan, declarations: Sequence[int]) -> Iterator[tuple[str, str]]:
    """What the linker reads: which definitions only declare, and macros that name a file."""
    yield "declarations", " ".join(map(str, declarations))
    for one in found.directives:
        if one.name == "define":
            value = _NAMES_A_FILE.fullmatch(one.rest)
            if value:
                yield f"macro {value[1]}", value[2]


# --- includes and modules ----------------------------------------------------------------------

_INCLUDES = {"include": "include", "import": "include", "include_next": "include_next"}
_MODULES = re.compile(rb"^(?:export\s+)?(?:module|import)\b", re.MULTILINE)
_MODULE_LINE = re.compile(
    rb"^[ \t]*(export\s+)?(module|import)\s+"
    rb"([\w.]+(?::[\w.]+)?|:\s*[\w.]+|<[^>\n]+>|\"[^\"\n]*\")\s*;",
    re.MULTILINE,
)


def _includes(parsed: Parsed, found: Scan) -> Iterator[Import]:
    """Every include of the text. ``name`` is "next" for the directory after the file's own."""
    for one in found.directives:
        if one.name in _INCLUDES:
            target = _include_target(one)
            if target:
                yield Import(
                    target,
                    "next" if one.name == "include_next" else "",
                    "",
                    "inactive" if one.inactive else "include",
                    parsed.line_of(one.start),
                )


def _include_target(one: Directive) -> str:
    """The file with its quotes or brackets, or the name of the macro that says it."""
    quoted = re.match(r'"[^"\n]+"|<[^>\n]+>|[A-Za-z_]\w*', one.rest)
    return quoted[0].replace("\\", "/") if quoted else ""


def _modules(parsed: Parsed, found: Scan, language: str) -> Iterator[Import]:
    """C++20: ``import m;``, ``import :part;``, header units, and the module it belongs to."""
    if language != "cpp" or not _MODULES.search(found.code):
        return
    own = _module_name(found).partition(":")[0]
    for one in _MODULE_LINE.finditer(found.code):
        name = re.sub(r"\s", "", parsed.string(*one.span(3)))
        line = parsed.line_of(one.start(2))
        if one[2] == b"import":
            kind = "reexport" if one[1] else "import"
            yield Import(own + name if name.startswith(":") else name, "", "", kind, line)
        elif not one[1] and name and ":" not in name:
            yield Import(name, "", "", "import", line)


def _module_name(found: Scan) -> str:
    """The C++20 module that the file is, "" for none; only interfaces and partitions count."""
    if not _MODULES.search(found.code):
        return ""
    for one in _MODULE_LINE.finditer(found.code):
        name = re.sub(rb"\s", b"", one[3]).decode("utf-8", "replace")
        if one[2] == b"module" and (one[1] or ":" in name) and not name.startswith(":"):
            return name
    return ""
