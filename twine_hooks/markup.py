"""Text as Markdown that says exactly that text, on GitHub and elsewhere; knows no document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

_BACKTICKS = re.compile(r"`+")
# No more than must be: formatters take away the backslash of what means nothing where it stands.
_SPECIAL = re.compile(r"[\\`]|(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|_(?![^\W_])|<(?!\s)")
#: What is markup only together with something else, and that together.
_IN_COMPANY = (
    ("[]", re.compile(r"\][(\[:\0]")),
    ("|", re.compile(r"^[ \t]*[|:]*-[-|: \t]*$", re.MULTILINE)),
    ("~", re.compile(r"~.*~", re.DOTALL)),
    ("$", re.compile(r"\$.*\$", re.DOTALL)),
)
_LINE_START = re.compile(
    r"""^([ \t]*\d{1,9}(?=[.)](?:\s|\Z))
      | [ \t]*(?=> | [-+*](?:\s|\Z) | \#{1,6}(?:\s|\Z) | =+[ \t]*$ | [-:][-:|\ \t]*$))""",
    re.MULTILINE | re.VERBOSE,
)
#: A list's number, marks outside of words, links, and whatever is neither a word nor harmless.
_IN_LABEL = re.compile(
    r"(^\ *\d+)[.)](?=\s|$) | (?<![^\W_])[_-] | [_-](?![^\W_]) | (?<=www)\. | [^\w\ ./,()-]",
    re.IGNORECASE | re.VERBOSE,
)
_LIVE = re.compile(r"[@#](?=\w)")
#: Bidirectional, zero-width and tag characters, soft hyphens and blank letters; and C0 and C1
#: controls but for tab and line feed.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
    "\x00-\x08\x0b-\x1f\x7f-\x9f]"
)


def visible(text: str) -> str:
    """Without characters that nobody sees but that change how the rest is read."""
    return _UNSEEN.sub("", text)


def code_spans(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is the inside of a code span.

    Text and code take turns, text first. One way through it, however many backticks there are.
    """
    runs = list(_BACKTICKS.finditer(text))
    closes: dict[int, int] = {}
    last: dict[int, int] = {}
    for number in reversed(range(len(runs))):
        length = len(runs[number][0])
        closes[number] = last.get(length, -1)
        last[length] = number
    at = number = 0
    while number < len(runs):
        close = closes[number]
        if close < 0:
            number += 1
            continue
        yield text[at : runs[number].start()], False
        yield text[runs[number].end() : runs[close].start()], True
        at, number = runs[close].end(), close + 1
    yield text[at:], False


def one_line(text: str) -> str:
    return " ".join(text.split())


def code(text: str) -> str:
    """The text as a code span in one line, whatever backticks it holds itself."""
    text = one_line(visible(text).encode("utf-8", "backslashreplace").decode())
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def plain(text: str) -> str:
    """The text as plain Markdown: nothing in it is markup, a mention or a reference.

    Code in back quotes (`` `name` ``, or reStructuredText's ``` ``name`` ```) stays code.
    """
    return _LINE_START.sub(r"\1\\", plain_inside(text))


def plain_inside(text: str) -> str:
    """The same for text in one line that other text stands before."""
    pieces = list(code_spans(visible(text)))
    around = "\0".join(piece for piece, is_code in pieces if not is_code)
    marks = "".join(marks for marks, company in _IN_COMPANY if company.search(around))
    return "".join(code(one) if is_code else _escaped(one, marks) for one, is_code in pieces)


def _escaped(text: str, marks: str) -> str:
    text = _SPECIAL.sub(r"\\\g<0>", text)
    text = "".join(f"\\{one}" if one in marks else one for one in text)
    return _LIVE.sub(lambda found: found[0] + "\u2060", text)


def link(text: str, target: str) -> str:
    """A link whose text is Markdown already, to a relative path."""
    return f"[{text}]({quote(target.encode('utf-8', 'surrogateescape'), safe='/._-~')})"


def diagram_label(text: str) -> str:
    """The text inside of a quoted label of Mermaid: what means anything there as an entity.

    Several versions, GitHub's among them, read labels as Markdown: `__init__.py` is bold there.
    """
    seen = visible(text).encode("utf-8", "backslashreplace").decode()
    return _IN_LABEL.sub(lambda found: f"{found[1] or ''}#{ord(found[0][-1])};", seen)
