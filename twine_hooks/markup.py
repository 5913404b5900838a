"""Text as Markdown that says exactly that text, on GitHub and elsewhere; knows no document."""

from __future__ import annotations

import re
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
_LIVE = re.compile(r"[@#](?=\w)")
#: Bidirectional and zero-width controls, and C0 and C1 controls but for tab and line feed.
_UNSEEN = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Without characters that nobody sees but that change how the rest is read."""
    return _UNSEEN.sub("", text)


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
    parts = re.split(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", visible(text), flags=re.DOTALL)
    around = "\0".join(parts[::3])  # a code span counts as one character
    marks = "".join(marks for marks, company in _IN_COMPANY if company.search(around))
    out = []
    for index in range(0, len(parts), 3):
        out.append(_escaped(parts[index], marks))
        if index + 2 < len(parts):
            out.append(code(parts[index + 2]))
    return "".join(out)


def _escaped(text: str, marks: str) -> str:
    text = _SPECIAL.sub(r"\\\g<0>", text)
    text = "".join(f"\\{one}" if one in marks else one for one in text)
    return _LIVE.sub(lambda found: found[0] + "\u2060", text)


def link(text: str, target: str) -> str:
    """A link whose text is Markdown already, to a relative path."""
    return f"[{text}]({quote(target.encode('utf-8', 'surrogateescape'), safe='/._-~')})"


def first_sentence(text: str, limit: int = 160) -> str:
    """The first sentence of a text in one line, cut at a word where it is long."""
    paragraph = one_line(re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0])
    found = re.match(r"(.+?[.!?])(?:\s+(?=[^a-z])|$)", paragraph)
    sentence = found[1] if found else paragraph
    if len(sentence) <= limit:
        return sentence
    return sentence[:limit].rpartition(" ")[0].rstrip(",;: ") + "…"
