"""What a doc comment says, in whichever convention it is written: Javadoc, KDoc, JSDoc, Doxygen,
reStructuredText, RDoc, Markdown. Knows no language and no document.

Only what says something in a sentence is kept: of ``@param x …`` and its like nothing is, and
``{@link a.B}`` or ``:class:`a.B``` is the code that it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from twine_hooks.sentences import sentence_ends

_TAG = re.compile(r"[@\\](?:(\w+)|[{}]\b)")
#: Tags that stand for themselves: what follows on other lines belongs to the description.
_MODIFIERS = frozenset(
    re.findall(
        r"\w+",
        "internal public private protected package api experimental alpha beta readonly"
        " override hidden ignore async abstract static constructor class inheritdoc module"
        " packagedocumentation cond endcond name addtogroup ingroup defgroup copydoc copybrief"
        " copydetails suppress nodoc jvmsuppresswildcards",
    )
)
#: Tags whose text is the description itself.
_DESCRIBES = re.compile(r"[@\\](?:brief|short|details|desc|description|summary|classdesc)\s+")
_DEPRECATED = re.compile(r"@deprecated\b:?\s*|\.\. deprecated::[ \t]*[\d.]*\s*", re.IGNORECASE)
#: How the tags begin of which nothing is kept, up to the end of their paragraph: "params", too.
_BLOCKS = tuple(
    re.findall(
        r"\w+",
        "param parameter arg argument return throw exception raise tparam typeparam template"
        " typedef type see sa since version author link example default remarks note warning"
        " todo pre post invariant attention retval property receiver sample yield option"
        " overload rtype extends implements memberof file license copyright category group"
        " virtual struct fn var def enum namespace function method callback event fires listens"
        " access augments const exports external global instance interface kind lends mixes"
        " mixin requires this apinote implnote implspec serial",
    )
)
_FIELD = re.compile(
    r":(?:param|parameter|type|arg|argument|key|keyword|raise|except|exception|var|ivar|cvar|vartype"
    r"|return|rtype|yield|meta)[a-z]*\b[^:\n`]*:(?!`)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
#: Where an item of a list without numbers begins.
ITEM = re.compile(r"^[ \t]*[-*+][ \t]+(?=\S)", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*|(.+)\n[ \t]*([=~^\"'*+#-])\3{2,}[ \t]*")

_INLINE = re.compile(
    r"\{@(?:link|linkplain|code|literal|value|see|inheritDoc)\b\s*(?P<java>[^{}]*)\}"
    r"|(?<![\w`]):(?:[a-z]+:)*[a-z]+:`(?P<role>[^`\n]+(?:\n[^`\n]+)?)`"
    r"|<(?P<tag>code|tt|c|kbd)>(?P<html>[^<>`]+)</(?P=tag)>"
    r"|(?<![\w+])\+(?P<rdoc>[A-Za-z_:#.][\w:#.?!]*)\+(?![\w+])"
    r"|[@\\](?:p|c|ref)\s+(?P<doxygen>[\w:~]+(?:\(\))?)"
    r"|[@\\](?:a|e|em|b)\s+(?P<word>[\w:~]+)"
    r"|\[(?P<label>`[^`\n]+`|[^\[\]\n]+)\](?P<target>\([^()\s]+\)|\[[^\[\]\n]*\])"
    r"|\[(?P<intra>`[^`\n]+`)\]"
)
_PARAGRAPH = re.compile(r"\s*</?(?:p|br)\s*/?>\s*", re.IGNORECASE)
_STYLE = re.compile(r"</?(?:i|b|em|strong|ul|ol|dl|dt|dd|small|sup|sub)>", re.IGNORECASE)
_CODE = re.compile(r"`+[^`]*`+")


def paragraphs(doc: str) -> list[str]:
    """What it says, in paragraphs of lines. A fenced or indented block is one, and so is a list."""
    found = []
    for one in _blocks(doc.strip("\n")):
        if _FENCE.match(one) or one.startswith("    "):
            found.append(one)
        else:
            found += [part for part in re.split(r"\n\s*\n", _described(one)) if part.strip()]
    return found or _deprecated(doc)


def heading(paragraph: str) -> str:
    """The text of a paragraph that is a heading in Markdown or reStructuredText, or ""."""
    found = _HEADING.fullmatch(paragraph)
    return (found[1] or found[2]).strip() if found else ""


def first_sentence(doc: str, limit: int = 160) -> str:
    """The first sentence in one line, cut at a word where it is long; "" if there is none."""
    said = paragraphs(doc)
    if not said or _FENCE.match(said[0]):
        return ""
    first_item = ITEM.split(said[0])[1] if ITEM.match(said[0]) else said[0]
    text = " ".join((heading(first_item) or first_item).split())
    ends = [end for end in sentence_ends(text) if not _goes_on(text[end:])]
    sentence = text[: ends[0]] if ends else text
    if sentence.endswith(":") and len(said) > 1:
        sentence = sentence[:-1] + "…"
    if len(sentence) <= limit:
        return sentence
    return sentence[:limit].rpartition(" ")[0].rstrip(",;: ") + "…"


def _goes_on(rest: str) -> bool:
    """Whether what follows a full stop begins with a small letter."""
    return rest.lstrip()[:1].islower()


def _blocks(doc: str) -> Iterator[str]:
    """The pieces between blank lines; a list apart from what leads to it, fences unbroken."""
    lines: list[str] = []
    fence = ""  #: the marks that opened the block of code around a line
    for line in doc.split("\n"):
        if lines and not fence and _is_apart(lines, line):
            yield "\n".join(lines).rstrip()
            lines = []
        marks = _FENCE.match(line)
        if line.strip() or lines:
            lines.append(line)
        if not fence:
            fence = marks[1] if marks else ""
        elif marks and marks[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines).rstrip()


def _is_apart(lines: list[str], line: str) -> bool:
    """Whether a line begins another block than the lines before it, or is a blank one behind it."""
    if lines[0].startswith("    "):
        return bool(line.strip()) and not line.startswith("    ")
    begins_list = ITEM.match(line) and not ITEM.match(lines[0])
    return not line.strip() or bool(begins_list or _FENCE.match(line))


def _described(block: str) -> str:
    """A block of text without tags, and what is named in it as code."""
    kept: list[str] = []
    for line in block.split("\n"):
        stripped = line.strip()
        if _is_modifier(stripped):
            continue
        described = _DESCRIBES.match(stripped)
        if described:
            line = stripped[described.end() :]
        elif _begins_block(stripped) or _DEPRECATED.match(stripped):
            break
        kept.append(line)
    text = _PARAGRAPH.sub("\n\n", "\n".join(kept))
    return _with_code(_STYLE.sub("", text)).strip("\n")


def _is_modifier(line: str) -> bool:
    tag = _TAG.match(line)
    return tag is not None and (tag[1] is None or tag[1].lower() in _MODIFIERS)


def _begins_block(line: str) -> bool:
    tag = _TAG.match(line)
    if tag is None or tag[1] is None:
        return _FIELD.match(line) is not None
    name = tag[1].lower()
    return name.isascii() and name.isalpha() and name.startswith(_BLOCKS)


def _deprecated(doc: str) -> list[str]:
    """Of what has no description that it is not to be used any more."""
    for line in doc.split("\n"):
        found = _DEPRECATED.match(line.strip())
        if found:
            why = _with_code(line.strip()[found.end() :])
            return [f"Deprecated: {why}" if why else "Deprecated."]
    return []


def _with_code(text: str) -> str:
    """With references and code of a convention in back quotes. What is in them already stays."""
    pieces: list[str] = []
    position = 0
    for found in _INLINE.finditer(text):
        if _is_in_code(text, found.start()):
            continue
        pieces += (text[position : found.start()], _named(found))
        position = found.end()
    return "".join([*pieces, text[position:]])


def _is_in_code(text: str, at: int) -> bool:
    return any(found.start() < at < found.end() for found in _CODE.finditer(text))


def _named(found: re.Match[str]) -> str:
    """What a reference or a piece of code reads as."""
    if found["java"] is not None:
        target, _, label = found["java"].strip().partition("|")
        name, _, words = target.partition(" ")
        shown = label.strip() or (words.strip() if found[0].startswith("{@link") else "")
        return shown or _quoted(target if found[0].startswith("{@code") else name or target)
    if found["role"]:
        return _role(" ".join(found["role"].split()))
    if found["label"]:
        return found["label"]
    return (
        found["word"]
        or found["intra"]
        or _quoted(found["html"] or found["rdoc"] or found["doxygen"])
    )


def _role(text: str) -> str:
    """``~a.B`` is shown as its last part, and ``title <target>`` as its title."""
    title = re.fullmatch(r"(.*\S)\s*<[^<>]*>", text)
    if title:
        return title[1]
    name = text.lstrip("!~.")
    return _quoted(name.rpartition(".")[2] if text.startswith("~") else name)


def _quoted(text: str) -> str:
    text = text.strip().lstrip("#") or text
    return f"`{text}`" if text and "`" not in text else text
