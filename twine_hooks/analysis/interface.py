"""What a piece of source means and what others can see of it, as digests of its tokens.

Meaning is the text of the tokens: without comments, without white space between tokens, with
marks where structure is in the layout alone (Python's blocks). Text between tokens is squeezed as
a whole, never token by token, so the digest does not depend on how a grammar cuts tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, count
from operator import add

from docs_store.digest import digest, short
from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.lang_base import Parsed, Span, Traits

# Marks in the squeezed text. None of them is white space to a bytes pattern, so squeezing keeps
# them; a source that holds such a byte itself only loses some sharpness.
_CUT, _BLOCK_START, _BLOCK_END, _STATEMENT = b"\x1c", b"\x01", b"\x02", b"\x03"
_BEFORE, _BEHIND = _CUT + _BLOCK_START + _STATEMENT, _BLOCK_END + _STATEMENT
_HIDDEN = bytes.maketrans(b" \n\t\r\f\v\x1c", b"\x0e\x0f\x10\x11\x12\x13\x14")

# Each begins with the space itself: a literal in front makes the search four times as fast.
_SAME_OPERATOR_TWICE = re.compile(rb" (?:(?<=([-+&|<>*/=]) )(?=\1)|(?<=/ )(?=\*))")
_BETWEEN_OPERATORS = re.compile(rb" (?<=[-+&|<>*/=] )(?=[-+&|<>*/=])")
_BETWEEN_WORDS = re.compile(rb" (?<=[A-Za-z0-9_\x80-\xff] )(?=[A-Za-z0-9_\x80-\xff])")
_SPACE_AGAIN = bytes.maketrans(b"\x15", b" ")


class Tokens:
    """The meaning of one file as text, sliced at the places given as ``cuts`` (sorted bytes)."""

    def __init__(
        self, parsed: Parsed, traits: Traits, docs: Iterable[tuple[Span, str]], cuts: Sequence[int]
    ) -> None:
        self._lines_end_statements = traits.lines_end_statements
        if traits.lines_end_statements:
            pieces = b"".join(_line_pieces(parsed, traits, dict(docs), cuts))
            self.text = _without_needless(_with_statements(pieces))
        else:
            self.text = _squeeze(b"".join(_pieces(parsed, traits, dict(docs), cuts)))
        self._marks = dict(zip(cuts, _places_of(_CUT, self.text), strict=False))

    def slice(self, start: int, end: int) -> bytes:
        """The tokens between two of the cuts."""
        tokens = self.text[self._marks[start] : self._marks[end]]
        if self._lines_end_statements:
            # Whether a block begins or ends with it depends on what is around it.
            return tokens.lstrip(_BEFORE).rstrip(_BEHIND)
        return tokens

    @property
    def meaning(self) -> str:
        """Digest of the whole file's meaning, 32 hex digits."""
        return digest(self.text.replace(_CUT, b"")).removeprefix("b3:")


def _places_of(mark: bytes, text: bytes) -> Iterable[int]:
    """Where a mark of one byte stands: the lengths of what is between them, added up in C."""
    ends = map(add, accumulate(map(len, text.split(mark))), count())
    return list(ends)[:-1]


def _squeeze(text: bytes) -> bytes:
    text = b" ".join(text.split())
    if _BETWEEN_OPERATORS.search(text):  # in hardly any file, and sooner said than which
        text = _SAME_OPERATOR_TWICE.sub(b"\x0e", text)
    # To keep what is between two words and delete the rest in C takes a third of the time that a
    # pattern takes for the rest.
    return _BETWEEN_WORDS.sub(b"\x15", text).translate(_SPACE_AGAIN, b" ")


def _line_pieces(
    parsed: Parsed, traits: Traits, docs: dict[Span, str], cuts: Sequence[int]
) -> list[bytes]:
    """The same for a language in which lines end statements: line ends become the marks."""
    edits = [(start, 4, end, new) for start, end, new in _replacements(parsed, traits, docs)]
    edits += [(cut, 1, cut, _CUT) for cut in cuts]
    blocks = parsed.spans("block")
    edits += [(start, 2, start, _BLOCK_START) for start, _ in blocks]
    edits += [(end, 0, end, _BLOCK_END) for _, end in blocks]
    edits += [(start, 3, end, b" ") for start, end in parsed.spans("line.joined")]
    edits += [(start, 3, end, b"\n") for start, end in parsed.spans("line.ended")]
    edits.sort()
    text, position = parsed.text, 0
    pieces: list[bytes] = []
    for start, _, end, new in edits:
        if start >= position:
            pieces += text[position:start], new
            position = end
        elif end == start:
            pieces.append(new)
    pieces.append(text[position:])
    return pieces


def _with_statements(text: bytes) -> bytes:
    """The text with a mark for each line end that ends a statement."""
    lines = [line for line in text.split(b"\n") if line and not line.isspace()]
    return _squeeze(_STATEMENT.join(lines))


def _without_needless(text: bytes) -> bytes:
    """A statement also begins with a block, and ends with one, whatever stands in a line."""
    for mark in (_BLOCK_START, _CUT + _BLOCK_START, _BLOCK_END):
        text = text.replace(_STATEMENT + mark, mark)
    return text


def _pieces(
    parsed: Parsed, traits: Traits, docs: dict[Span, str], cuts: Sequence[int]
) -> Iterable[bytes]:
    """The source in order, strings protected, comments gone, marks put in."""
    replaced = _replacements(parsed, traits, docs)
    marks = _marks(parsed, cuts)
    text, position, upcoming = parsed.text, 0, 0
    shown = bytes.lower if traits.ignores_case else bytes
    for start, end, instead in [*replaced, (len(text), len(text), b"")]:
        while upcoming < len(marks) and marks[upcoming][0] <= start:
            at, _, mark = marks[upcoming]
            yield shown(text[position:at])
            yield mark
            position = max(position, at)
            upcoming += 1
        yield shown(text[position:start])
        yield instead
        position = max(position, end)
        while upcoming < len(marks) and marks[upcoming][0] < position:
            yield marks[upcoming][2]
            upcoming += 1
    yield from (mark for _, _, mark in marks[upcoming:])


def _replacements(
    parsed: Parsed, traits: Traits, docs: dict[Span, str]
) -> list[tuple[int, int, bytes]]:
    """(start, end, text instead) for strings, comments and doc comments; none within another."""
    ignored = set(parsed.spans("ignored"))
    spans = parsed.spans("ignored", "verbatim")
    elsewhere = docs.keys() - set(spans)
    if elsewhere:
        spans = sorted(elsewhere.union(spans), key=lambda span: (span[0], -span[1]))
    found: list[tuple[int, int, bytes]] = []
    covered = 0
    for span in spans:
        start, end = span
        if start < covered:
            continue
        covered = end
        if span in docs:
            instead = " ".join(docs[span].split()).encode()
        elif span in ignored:
            found.append((start, end, b" "))
            continue
        else:
            instead = parsed.text[start:end]
            if traits.quotes_are_equal and instead[:1] == b"'":
                instead = _same_quotes(instead)
        found.append((start, end, instead.translate(_HIDDEN)))
    return found


def _same_quotes(text: bytes) -> bytes:
    """A string in double quotes where it means the same."""
    if b'"' in text or b"\\" in text or text.count(b"'") not in (2, 6):
        return text
    return text.replace(b"'", b'"')


def _marks(parsed: Parsed, cuts: Sequence[int]) -> list[tuple[int, int, bytes]]:
    """(position, order among equals, mark): ends before starts, cuts between them."""
    marks = [(cut, 1, _CUT) for cut in cuts]
    for start, end in parsed.spans("block"):
        marks += [(start, 2, _BLOCK_START), (end, 0, _BLOCK_END)]
    ignored = {start for start, _ in parsed.spans("ignored")}
    marks += [
        (start, 3, _STATEMENT) for start, _ in parsed.spans("statement") if start not in ignored
    ]
    return sorted(marks)


def interface_of(definitions: Iterable[Definition]) -> str:
    """One digest (16 hex digits) of what can be seen of these definitions, in any order."""
    seen = sorted(f"{one.qualified} {one.kind} {one.interface}" for one in definitions)
    return short("\n".join(seen), 16)


def file_interface(definitions: Sequence[Definition], doc: str) -> str:
    """Digest (32 hex digits) of what others can see of a whole file."""
    top = [one for one in definitions if one.public and one.parent < 0]
    return digest(interface_of(top), doc).removeprefix("b3:")
