"""What a Python file imports and what it says that it exports; knows nothing of other files."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.python_text import Code, statement_end
from twine_hooks.analysis.scopes import innermost

STRING = re.compile(r"""^[rRbBuUfF]*("{3}|'{3}|["'])(.*)\1$""", re.DOTALL)
_TYPE_CHECKING = re.compile(
    rb"^[ \t]*if[ \t]*\(?[ \t]*(?:\w+\.)?TYPE_CHECKING[ \t]*\)?[ \t]*:", re.M
)
_DYNAMIC = re.compile(rb"\b(?:import_module|__import__)\(")
_MODULE = re.compile(r"\.*[^\W\d]\w*(?:\.\w+)*")
_EXPORTS = re.compile(rb"^__all__[ \t]*(?::[^=\n]*)?\+?=|^__all__\.(?:extend|append)\b", re.M)


#: Without any of these in a file, nothing below looks at its code.
MARKS = (b"TYPE_CHECKING", b"import_module", b"__import__", b"__all__")


def imports_of(parsed: Parsed, code: Code) -> Iterator[Import]:
    """Each imported name. ``code`` is the text without strings and comments."""
    spans = parsed.spans("import")
    starts = [start for start, _ in spans]
    lazy = innermost(parsed.spans("scope"), starts)
    typing = innermost(_typing_blocks(parsed, code), starts)
    for (start, end), function, block in zip(spans, lazy, typing, strict=True):
        kind = "lazy" if function >= 0 else "typing" if block >= 0 else "import"
        yield from _statement(parsed.string(start, end), kind, parsed.line_of(start))
    if b"import_module" in code.text or b"__import__" in code.text:
        yield from _dynamic(parsed, code)


def _typing_blocks(parsed: Parsed, code: Code) -> list[Span]:
    """What only type checkers read."""
    if b"TYPE_CHECKING" not in code.text:
        return []
    blocks = parsed.spans("block")
    found = []
    for condition in _TYPE_CHECKING.finditer(code.text):
        index = bisect_left(blocks, (condition.end(), 0))
        if index < len(blocks):
            found.append(blocks[index])
    return found


def _dynamic(parsed: Parsed, code: Code) -> Iterator[Import]:
    strings = dict(parsed.spans("verbatim"))
    for call in _DYNAMIC.finditer(code.text):
        start = call.end()
        # The string is blank in the code: it begins with the first of the text's own characters.
        while parsed.text[start : start + 1].isspace():
            start += 1
        found = STRING.match(parsed.string(start, strings.get(start, start)))
        if found and _MODULE.fullmatch(found[2]):
            yield Import(found[2], "", "", "dynamic", parsed.line_of(start))


_NOISE = re.compile(r"#[^\n]*|[()\\;]")
_FROM = re.compile(r"from\b\s*([\w\s.]*?)\s*\bimport\b|import\b")
_NAMED = re.compile(r"((?:[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*)|\*)(?:\s+as\s+(\w+))?")


def _statement(text: str, kind: str, line: int) -> Iterator[Import]:
    """Each name of one import statement."""
    if "#" in text or "(" in text or "\\" in text:
        text = _NOISE.sub(" ", text)
    words = text.split(None, 3)
    if len(words) == 4 and words[2] == "import" and words[0] == "from":
        source, names = words[1], words[3]  # as nearly all are written
    else:
        begun = _FROM.match(text)
        if begun is None:
            return
        source, names = "".join((begun[1] or "").split()), text[begun.end() :]
    for part in names.split(","):
        name = alias = part.strip()
        if not name.isidentifier():
            named = _NAMED.match(name)
            if named is None:
                continue
            name, alias = "".join(named[1].split()), named[2]
        if not source:
            yield Import(name, "", alias or name.partition(".")[0], kind, line)
        else:
            yield Import(source, name, "" if name == "*" else alias or name, kind, line)


_QUOTED = re.compile(r"""(["'])((?:[^\W\d]|_)\w*)\1""")


def exports_of(parsed: Parsed, code: Code) -> list[str] | None:
    """The names in ``__all__`` as far as they are written out, None without any ``__all__``."""
    if b"__all__" not in code.text:
        return None
    found = [match.end() for match in _EXPORTS.finditer(code.text)]
    if not found:
        return None
    return [
        named[2]
        for at in found
        for named in _QUOTED.finditer(parsed.string(at, statement_end(code, at)))
    ]
