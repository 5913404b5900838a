"""Text that anyone may have written, made safe for a comment; knows no document and no platform."""

from __future__ import annotations

import re

from twine_hooks.markup import code, code_spans, visible

_NOTHING = "\u200b"  #: a zero-width space: what it follows is no mention and no reference
_SPECIAL = re.compile(r"([\\`*_\[\]~|$])")
#: Also the slash of GitLab's quick actions.
_LINE_START = re.compile(r"^((?=[#>+=/-])|\d+(?=[.)]))")
_TICKS = re.compile(r"`+")
#: What GitHub and GitLab make references of: #1, !1, GH-1, $1, %1, &1; and @names.
_LIVE = re.compile(r"[@#](?=\S)|(?<=\bGH-)(?=\d)|(?<=\bgh-)(?=\d)|(?<=[!%~])(?=\w)", re.ASCII)
_SCHEME = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=mailto):|(?<=www)\.", re.IGNORECASE)


def text(value: str) -> str:
    """The text as one line of Markdown in which nothing is live; `code` stays code."""
    value = " ".join(visible(_readable(value)).split())
    pieces = code_spans(value)
    safe = "".join(cell_code(one) if is_code else _escaped(one) for one, is_code in pieces)
    return _LINE_START.sub(r"\1\\", safe)


def cell_code(value: str) -> str:
    """The text as code, also inside of a table."""
    # A bar ends the cell of a table even in code, unless it is escaped; elsewhere it would show
    # its backslash, so there it is a look-alike: nobody copies a path from a comment with one.
    return code(_readable(value)).replace("|", "¦")


def fenced(value: str, language: str) -> str:
    """The text as a block of code, in a fence that is longer than any in it."""
    lines = [visible(line) for line in _readable(value).split("\n")]
    longest = max((len(run) for line in lines for run in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def link(label: str, url: str) -> str:
    """A link with a label that is Markdown already; the label alone where it is not http(s)."""
    return f"[{label}]({_url(url)})" if is_web_address(url) else label


def is_web_address(url: str) -> bool:
    """Whether it is http(s) and nothing in it could end a link."""
    return re.fullmatch(r"https?://[^\s<>\"'`\\]+", url) is not None


def _url(url: str) -> str:
    return re.sub(r"[()\[\]|*_@#!]", lambda found: f"%{ord(found[0]):02X}", url)


def _readable(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()


def _escaped(value: str) -> str:
    value = _SPECIAL.sub(r"\\\1", value.replace("&", "&amp;"))
    value = value.replace("<", "&lt;").replace(">", "&gt;")
    value = _LIVE.sub(lambda found: found[0] + _NOTHING, value)
    return _SCHEME.sub(lambda found: _NOTHING + found[0], value)
