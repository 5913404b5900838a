"""The truth gate: every name of code in a text is known, or its sentence goes; asks no model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docs_store.markdown import trimmed
from twine_hooks.generation.known_names import is_prose
from twine_hooks.generation.secrets import holds_secret
from twine_hooks.generation.vocabulary import WORD, Vocabulary
from twine_hooks.sentences import SPAN, sentence_ends

_ADDRESS = re.compile(
    r"\b(?:https?|ftp|ssh|git)://[^\s)>\]\"'`]*[^\s)>\]\"'`.,;:!?]|\bwww\.[\w./-]+\w", re.I
)
_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w@.-]+/)*[\w@.-]*\w\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|java|kt|kts|cs|rb|go|rs|c|cc|cpp|cxx|h|hh"
    r"|hpp|sql|json|ya?ml|toml|md|rst|txt|cfg|ini|sh|xml|html|css|lock|csv|gradle|cmake)\b(?![\w(])"
)
_CALL = re.compile(r"(?<![\w.$])((?:[^\W\d][\w$]*(?:\.|::))*[^\W\d][\w$]*)\(([^()\n]*)\)")
_DOTTED = re.compile(r"(?<![\w./@$-])[^\W\d][\w$]*(?:(?:\.|::)[^\W\d][\w$]*)+")
_SNAKE = re.compile(r"(?<![\w$./-])_*[^\W_][^\W_]*(?:_+[^\W_]+)+_*(?![\w$])")
_DUNDER = re.compile(r"(?<![\w$])__[^\W_]\w*?__(?![\w$])")
_CAMEL = re.compile(
    r"(?<![\w$./-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z]+[a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z]{2,}[A-Za-z0-9]*)(?![\w$])"
)
_ABBREVIATIONS = frozenset(
    {"e.g", "i.e", "a.k.a", "a.m", "p.m", "u.s", "etc", "Node.js", "Vue.js", "Next.js"}
)
_STRING = re.compile(r"(?<!\w)(?:[rbuf]{0,2})(\"[^\"]*\"|'[^']*')")
_MEMBER = re.compile(r"(?<![\w$.])((?:[^\W\d][\w$]*(?:\.|::|->))+[^\W\d][\w$]*)")
_BOUND = re.compile(
    r"\b(?:for|as|var|let|const|val)\s+([^\W\d]\w*)|^[ \t]*([^\W\d]\w*)\s*=(?!=)", re.M
)
_FENCE = re.compile(r"[ >\d.)*+-]*?(`{3,}|~{3,})")
_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?")
_ROW = re.compile(r"\s*\|")
_RULE = re.compile(r"\s*\|?[\s:|-]+\|?\s*\Z")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A text judged. ``text`` is without what names the unknown; ``names`` counts all of them."""

    text: str
    unknown: tuple[str, ...]
    names: int
    dropped: int  #: sentences, rows and blocks


def judge(text: str, vocabulary: Vocabulary) -> Verdict:
    """Hold a section against what is known."""
    kept: list[str] = []
    unknown: list[str] = []
    names = dropped = 0
    for unit in _units(text):
        wrong, count = _unknown_in(unit.text, vocabulary, unit.is_code)
        names += count
        if wrong or holds_secret(unit.text):
            unknown += wrong
            dropped += 1
            kept.append(unit.stands_for)
        else:
            kept.append(unit.lead + unit.text)
    whole = text if not dropped else _tidied("".join(kept))
    return Verdict(whole, tuple(dict.fromkeys(unknown)), names, dropped)


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is kept or dropped as one. ``stands_for`` takes its place when it is dropped."""

    lead: str
    text: str
    is_code: bool = False
    stands_for: str = ""


def _units(text: str) -> Iterator[_Unit]:
    """The text cut into sentences, rows and fenced blocks; joined they are the text again."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        start = at
        fence = _FENCE.match(lines[at])
        if fence:
            at += 1
            while at < len(lines) and not lines[at].strip().startswith(fence[1]):
                at += 1
            at = min(at + 1, len(lines))
            yield _Unit("\n" if start else "", "\n".join(lines[start:at]), is_code=True)
        elif _ROW.match(lines[at]) or not lines[at].strip():
            at += 1
            yield _Unit("\n" if start else "", lines[start])
        else:
            at = _end_of_block(lines, at)
            yield from _sentences("\n" if start else "", "\n".join(lines[start:at]))


def _end_of_block(lines: list[str], at: int) -> int:
    """Behind the last line of the paragraph or item that begins at ``at``."""
    end = at + 1
    if lines[at].lstrip().startswith("#"):
        return end
    while end < len(lines) and lines[end].strip():
        prefix = _PREFIX.match(lines[end])
        is_new = prefix is not None and prefix[0].strip() not in ("", ">")
        if is_new or _FENCE.match(lines[end]) or _ROW.match(lines[end]):
            break
        end += 1
    return end


def _sentences(lead: str, block: str) -> Iterator[_Unit]:
    """The sentences of one block. Its marker stays as long as one of them does."""
    prefix = _PREFIX.match(block)
    marker = prefix[0] if prefix else ""
    body = block[len(marker) :]
    ends = sentence_ends(body)
    if not ends or ends[-1] < len(body):
        ends.append(len(body))
    start = 0
    for number, end in enumerate(ends):
        head = lead + marker if number == 0 else ""
        piece = body[start:end]
        if piece:
            space = piece[: len(piece) - len(piece.lstrip())] if number else ""
            yield _Unit(head + space, piece[len(space) :], stands_for=head)
        start = end


def _tidied(text: str) -> str:
    """Without the markers, headings and table heads whose text was dropped."""
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [
        line for line in lines if not line or _PREFIX.sub("", line, count=1).strip() or line == ""
    ]
    kept: list[str] = []
    for number, line in enumerate(lines):
        rest = [one for one in lines[number + 1 :] if one.strip()]
        if line.startswith("#") and (not rest or rest[0].startswith("#")):
            continue
        if _ROW.match(line) and rest[:1] and _RULE.match(rest[0]) and "-" in rest[0]:
            following = lines[number + 2 : number + 3]
            if not following or not _ROW.match(following[0]):
                continue
        if _RULE.match(line) and "-" in line and not (kept and _ROW.match(kept[-1])):
            continue
        kept.append(line)
    return trimmed(re.sub(r"\n{3,}", "\n\n", "\n".join(kept)))


def _unknown_in(text: str, vocabulary: Vocabulary, is_code: bool) -> tuple[list[str], int]:
    """(names that nothing knows, how many names were looked at) of one unit."""
    if is_code:
        inner = text.partition("\n")[2].rpartition("\n")[0]
        found = list(_code_names(inner, vocabulary, is_block=True))
    else:
        text = text.replace("\\_", "_")
        found = [one for span in SPAN.finditer(text) for one in _code_names(span[2], vocabulary)]
        found += _prose_names(SPAN.sub(" \x00 ", text), vocabulary)
    return [name for name, is_known in found if not is_known], len(found)


def _code_names(
    code: str, vocabulary: Vocabulary, is_block: bool = False
) -> Iterator[tuple[str, bool]]:
    """(name, whether it is known) of a piece of code."""
    code = code.strip()
    if not code or (vocabulary.has_text(code) and _is_whole(code, vocabulary)):
        yield code, True
        return
    rest = code
    for pattern in (_ADDRESS, _FLAG, _FILE):
        for found in pattern.finditer(rest):
            yield found[0], _is_known(found[0], pattern, vocabulary)
        rest = pattern.sub(" ", rest)
    if not is_block and "/" in rest and " " not in rest and re.search(r"\w/\w", rest):
        yield rest, vocabulary.has_path(rest) or all(map(vocabulary.has_word, WORD.findall(rest)))
        return
    free = {one for pair in _BOUND.findall(rest) for one in pair} if is_block else set()
    for found in _CALL.finditer(rest):
        last = re.split(r"\.|::", found[1])[-1]
        free |= vocabulary.free_parameters(last, found[2])
        for wrong in vocabulary.wrong_parameters(last, found[2]):
            yield wrong, False
    for found in _MEMBER.finditer(_STRING.sub(" ", rest)):
        yield found[1], vocabulary.has_dotted(found[1])
    for word in WORD.findall(rest):
        yield word, len(word) == 1 or word in free or vocabulary.has_word(word)


def _is_whole(code: str, vocabulary: Vocabulary) -> bool:
    """Not just a piece of a longer word that the text holds."""
    return not WORD.fullmatch(code) or vocabulary.has_word(code)


def _prose_names(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, bool]]:
    """(name, whether it is known) of what looks like code outside back quotes."""
    for pattern in (_ADDRESS, _FLAG, _FILE, _CALL, _DOTTED, _DUNDER, _SNAKE, _CAMEL):
        for found in pattern.finditer(text):
            name = found[1] if pattern is _CALL else found[0]
            if pattern is _CALL and not _is_call(name, found[2]):
                continue
            if name in _ABBREVIATIONS or is_prose(name):
                continue
            yield name, _is_known(name, pattern, vocabulary)
            if pattern is _CALL:
                last = re.split(r"\.|::", name)[-1]
                for wrong in vocabulary.wrong_parameters(last, found[2]):
                    yield wrong, False
        if pattern is not _CALL:
            text = pattern.sub(" ", text)


def _is_call(name: str, arguments: str) -> bool:
    """``f()`` and ``read_all(x)`` are calls; ``function(s)`` and ``name(plural)`` are words."""
    return not arguments.strip() or bool(re.search(r"[_.:]|[a-z][A-Z]", name))


def _is_known(name: str, pattern: re.Pattern[str], vocabulary: Vocabulary) -> bool:
    if pattern is _ADDRESS:
        return vocabulary.has_text(name)
    if pattern is _FLAG:
        return vocabulary.has_flag(name)
    if pattern is _FILE:
        return vocabulary.has_path(name) or vocabulary.has_dotted(name)
    return vocabulary.has_dotted(name)
