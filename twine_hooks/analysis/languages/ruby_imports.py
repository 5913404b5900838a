"""The files that a Ruby file requires, as it writes them; knows no folders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from twine_hooks.analysis.facts import Import
from twine_hooks.analysis.lang_base import Parsed

_KINDS = {
    "require": "require", "require_relative": "require_relative", "load": "load",
    "autoload": "lazy", "require_dependency": "require",
}  # fmt: skip
_HERE = r"(?:File\.(?:dirname|expand_path)\(\s*__FILE__\s*\)|__dir__)"
_TEXT = r"""(["'])([^"'#]+)\%d"""
_LITERAL = re.compile(_TEXT % 1 + r"\s*(?:,.*)?$", re.DOTALL)
_OF_FILE = re.compile(r"(?:::)?File\.expand_path\s*\(?\s*" + _TEXT % 1 + r"\s*,\s*__FILE__")
_OF_FOLDER = (
    re.compile(r"(?:::)?File\.expand_path\s*\(?\s*" + _TEXT % 1 + r"\s*,\s*" + _HERE),
    re.compile(_HERE + r"\s*\+\s*" + _TEXT % 1),
    re.compile(r"""(")#\{""" + _HERE + r"""\}/?([^"#]+)\1"""),
)
_JOINED = re.compile(
    r"(?:::)?File\.join\s*\(?\s*" + _HERE + r"""\s*,\s*((?:["'][^"'#]+["']\s*,?\s*)+)"""
)
_PIECE = re.compile(r"""["']([^"']+)["']""")
_GLOB = re.compile(
    r"Dir(?:\[|\.glob\b[ (]*)(.{1,200}?)[\])]*(?:\.sort)?\.each[ ]*(?:\(&method\(:require\)\)"
    r"|(?:\{|do)\s*\|(\w+)\|\s*(?:require|load|require_relative)\b[ (]*\2\b)"
)
_GLOB_ROOM = 400  #: bytes of a loop over the files of a folder
_AUTOLOAD = re.compile(r":?[\"']?([A-Z]\w*)[\"']?\s*,\s*(.*)", re.DOTALL)


def imports_of(parsed: Parsed) -> Iterator[Import]:
    """require, require_relative, load and autoload with what can be known of their argument."""
    for name, arguments in zip(
        parsed.spans("macro"), parsed.spans("macro.arguments"), strict=False
    ):
        word = parsed.string(*name)
        kind = _KINDS.get(word)
        if kind is None:
            continue
        text = parsed.string(*arguments).strip()
        if text.startswith("("):
            text = text[1:].removesuffix(")").strip()
        constant = ""
        if word == "autoload":
            found = _AUTOLOAD.match(text)
            if found is None:
                continue
            constant, text = found[1], found[2]
        module, is_relative = _path(text)
        if module:
            kind = "require_relative" if is_relative else kind
            yield Import(module, constant, constant, kind, parsed.line_of(name[0]))
    yield from _globs(parsed)


def _globs(parsed: Parsed) -> Iterator[Import]:
    """Loops that require all files of a folder."""
    for start, end in parsed.spans("constant"):
        if parsed.text[start:end] != b"Dir":
            continue
        found = _GLOB.match(parsed.string(start, start + _GLOB_ROOM))
        module, is_relative = _path(found[1].strip()) if found else ("", False)
        if "*" in module:
            kind = "glob_relative" if is_relative else "glob"
            yield Import(module, "", "", kind, parsed.line_of(start))


def _path(text: str) -> tuple[str, bool]:
    """(path as far as it can be known, whether it is seen from the file's folder)."""
    literal = _LITERAL.match(text)
    if literal is not None:
        return literal[2], literal[2].startswith(("./", "../"))
    of_file = _OF_FILE.match(text)
    if of_file is not None:
        # Seen from the file as if it were a folder.
        is_outside = of_file[2].startswith("../")
        return of_file[2].removeprefix("../") if is_outside else "", True
    for pattern in _OF_FOLDER:
        if found := pattern.match(text):
            return found[2].lstrip("/"), True
    if joined := _JOINED.match(text):
        return "/".join(_PIECE.findall(joined[1])), True
    return "", False
