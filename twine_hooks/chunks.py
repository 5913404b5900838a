"""Sources in pieces for whoever searches or embeds code: whole definitions, no line lost.

Sizes are in tokens as models count them, reckoned as four characters each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from docs_store.digest import digest
from twine_hooks.analysis.facts import EVERYTHING, Definition
from twine_hooks.inputs import import_text
from twine_hooks.symbol_names import short_name
from twine_hooks.view import View

MAX_TOKENS = 800
_SMALL = 16  #: a piece of less than such a part of the maximum is merged with a small neighbour
_BRANCH = re.compile(
    r"\b(?:if|elif|for|foreach|while|case|catch|except|and|or|when|assert)\b|&&|\|\||(?<!\?)\?(?![.?:])"
)
_WORD = re.compile(r"[^\W\d][\w$]*")
_COMMENT = re.compile(r"//|--|\#(?=[\s#!]|$)")  #: of whole lines; C's directives are none
_ARGUMENTS = re.compile(r"\([^()]*\)$")
_CALLED = re.compile(r"(?:[\w$]+(?:\.|::|->))*([\w$]+)(?=\s*[(<])")
#: Strings and comments of all languages, near enough to leave words in them out.
_QUIET = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`[^`]*`'
    r"|//[^\n]*|/\*[\s\S]*?\*/|\#[^\n]*"
)


class Call(NamedTuple):
    """A call as the code has it, and the "path::name" it leads to; None where that is unknown."""

    written: str
    resolved: str | None


class Chunk(NamedTuple):
    """One piece of a source. Bytes count from 0 in its UTF-8 text, lines from 1.

    ``type`` is the kind of the definition, ``code`` between definitions, ``group`` for small
    neighbours. ``complexity`` is cyclomatic: the branches that the words of the code tell, plus 1.
    """

    id: str
    type: str
    name: str
    qualified_name: str
    parent: str | None  #: id of the definition around
    file: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    language: str
    code: str
    doc: str
    signature: str
    imports: tuple[str, ...]  #: of the file
    imports_used: tuple[str, ...]
    calls: tuple[Call, ...]
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    symbols: tuple[str, ...]  #: qualified names of what is defined here
    complexity: int
    summary: str | None
    digest: str
    tokens: int


class _Piece(NamedTuple):
    """Lines ``start`` to ``end``, the definitions that they belong to, and which part it is."""

    start: int
    end: int
    owners: tuple[int, ...]  #: indexes of definitions; several for small neighbours
    parent: int
    part: int = 0


def chunks_of(
    view: View,
    paths: Iterable[str] | None = None,
    max_tokens: int = MAX_TOKENS,
    keep: Callable[[Chunk], bool] = lambda chunk: True,
) -> Iterator[Chunk]:
    """The chunks of some sources (all when None) for which ``keep`` holds, in order.

    Those of one file, put together, are its text. A single line is never cut.
    """
    chosen = view.sources if paths is None else sorted(set(paths))
    for path in chosen:
        for chunk in _File(view, path, max_tokens).chunks():
            if keep(chunk):
                yield chunk


def tokens_of(text: str) -> int:
    """About how many tokens a model makes of a text."""
    return (len(text) + 3) // 4


@dataclass(frozen=True, eq=False)
class _File:
    view: View
    path: str
    max_tokens: int

    @cached_property
    def definitions(self) -> Sequence[Definition]:
        return self.view.facts[self.path].definitions

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        parts = list(self.view.lines(self.path))
        last = parts.pop()
        return [f"{line}\n" for line in parts] + ([last] if last else [])

    @cached_property
    def starts(self) -> list[int]:
        """The byte at which each line starts, and the end."""
        sizes = (len(line.encode("utf-8", "surrogatepass")) for line in self.lines)
        return list(accumulate(sizes, initial=0))

    @cached_property
    def _characters(self) -> list[int]:
        return list(accumulate(map(len, self.lines), initial=0))

    def text(self, start: int, end: int) -> str:
        return "".join(self.lines[start - 1 : end])

    def tokens(self, start: int, end: int) -> int:
        return (self._characters[end] - self._characters[start - 1] + 3) // 4

    def chunks(self) -> Iterator[Chunk]:
        summary = self._summary
        seen: dict[str, int] = {}
        for piece in self._merged(list(self._pieces(1, len(self.lines), -1))):
            name = self._id(piece)
            seen[name] = seen.get(name, 0) + 1
            unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
            yield self._chunk(piece, unique, summary)

    @cached_property
    def _imports(self) -> dict[str, str]:
        """Each import as text, and the name that it binds."""
        imports = self.view.facts[self.path].imports
        return {import_text(one): one.alias or one.name for one in imports}

    @cached_property
    def _summary(self) -> str | None:
        document = self.view.document(self.path)
        return document.summary if document else None

    def _pieces(self, start: int, end: int, parent: int) -> Iterator[_Piece]:
        """The lines of a definition (-1: of the file): what is directly in it, and the rest."""
        position = start
        for index in self._children.get(parent, ()):
            one = self.definitions[index]
            first, last = max(one.start_line, position), min(one.end_line, end)
            if last < first:
                continue
            first = self._with_comment(first, position)
            yield from self._between(position, first - 1, parent)
            if self.tokens(first, last) <= self.max_tokens:
                yield _Piece(first, last, (index,), parent)
            elif index in self._children:
                yield from self._pieces(first, last, index)
            else:
                yield from self._parts(first, last, index, parent)
            position = last + 1
        yield from self._between(position, end, parent)

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for index, one in enumerate(self.definitions):
            found.setdefault(one.parent, []).append(index)
        for children in found.values():
            children.sort(key=lambda index: (self.definitions[index].start_line, index))
        return found

    def _with_comment(self, first: int, position: int) -> int:
        """The line where the comment right above a line begins, from ``position`` on; or it."""
        while first > position:
            above = self.lines[first - 2].strip()
            if above.endswith("*/"):
                opened = first - 1
                while opened > position and "/*" not in self.lines[opened - 1]:
                    opened -= 1
                if not self.lines[opened - 1].lstrip().startswith("/*"):
                    break  # behind code
                first = opened
            elif _COMMENT.match(above):
                first -= 1
            else:
                break
        return first

    def _between(self, start: int, end: int, parent: int) -> Iterator[_Piece]:
        if start <= end:
            outer = self.definitions[parent].parent if parent >= 0 else -1
            yield from self._parts(start, end, parent, outer)

    def _parts(self, start: int, end: int, owner: int, parent: int) -> Iterator[_Piece]:
        """Lines cut so that no part is too large, where they are indented least."""
        part = 1
        owners = (owner,) if owner >= 0 else ()
        while start <= end:
            limit = self._characters[start - 1] + self.max_tokens * 4
            last = min(end, max(start, bisect_right(self._characters, limit) - 1))
            if last < end:
                last = self._best_cut(start, last)
            yield _Piece(start, last, owners, parent, part)
            start, part = last + 1, part + 1

    def _best_cut(self, start: int, last: int) -> int:
        """The line in the second half behind which the next one is indented least."""
        half = start + (last - start) // 2

        def depth(line: int) -> int:
            following = self.lines[line] if line < len(self.lines) else ""
            bare = following.strip()
            return len(following) - len(following.lstrip()) if bare else -1

        return max(range(half, last + 1), key=lambda line: (-depth(line), line))

    def _merged(self, pieces: Sequence[_Piece]) -> Iterator[_Piece]:
        """Blank lines go to what is before them; small neighbours of one parent are one piece."""
        small = self.max_tokens // _SMALL
        held: _Piece | None = None
        for piece in pieces:
            if held is None:
                held = piece
                continue
            size = self.tokens(held.start, piece.end)
            are_small = (
                self.tokens(held.start, held.end) < small
                and self.tokens(piece.start, piece.end) < small
                and held.parent == piece.parent
            )
            is_blank = not self.text(piece.start, piece.end).strip()
            if size <= self.max_tokens and (are_small or is_blank):
                held = self._together(held, piece, is_blank)
            else:
                yield held
                held = piece
        if held is not None:
            yield held

    @staticmethod
    def _together(one: _Piece, other: _Piece, is_blank: bool) -> _Piece:
        owners = one.owners if is_blank else tuple(dict.fromkeys((*one.owners, *other.owners)))
        return one._replace(end=other.end, owners=owners)

    def _id(self, piece: _Piece) -> str:
        if not piece.owners:
            return f"{self.path}::"
        first, last = (self.definitions[piece.owners[n]].qualified for n in (0, -1))
        name = f"{self.path}::{first.replace('.', '::')}"
        return name if first == last else f"{name}..{short_name(last)}"

    def _chunk(self, piece: _Piece, name: str, summary: str | None) -> Chunk:
        facts = self.view.facts[self.path]
        code = self.text(piece.start, piece.end)
        owner = self.definitions[piece.owners[0]] if len(piece.owners) == 1 else None
        parent = self.definitions[piece.parent] if piece.parent >= 0 else None
        words = set(_WORD.findall(code))
        return Chunk(
            id=name,
            type=owner.kind if owner else ("group" if piece.owners else "code"),
            name=owner.name if owner else name.rpartition("::")[2],
            qualified_name=owner.qualified if owner else "",
            parent=f"{self.path}::{parent.qualified.replace('.', '::')}" if parent else None,
            file=self.path,
            start_byte=self.starts[piece.start - 1],
            end_byte=self.starts[piece.end],
            start_line=piece.start,
            end_line=piece.end,
            language=facts.language,
            code=code,
            doc=owner.doc if owner else "",
            signature=owner.signature if owner else "",
            imports=tuple(self._imports),
            imports_used=tuple(text for text, bound in self._imports.items() if bound in words),
            calls=tuple(self._calls(piece)),
            bases=owner.bases if owner else (),
            decorators=owner.decorators if owner else (),
            symbols=tuple(
                one.qualified
                for one in self.definitions
                if piece.start <= one.start_line <= piece.end
            ),
            complexity=complexity(code),
            summary=summary,
            digest=digest(code),
            tokens=tokens_of(code),
        )

    @cached_property
    def _calls_by_line(self) -> dict[int, set[Call]]:
        """Calls that lead somewhere, and those of other libraries or of nothing known."""
        found: dict[int, set[Call]] = {}
        known: set[tuple[int, str]] = set()
        for use in self.view.links[self.path].uses:
            for line in use.lines if use.kind == "call" else ():
                to = use.target if use.symbol == EVERYTHING else f"{use.target}::{use.symbol}"
                name = short_name(use.symbol)
                names = (name, *self._aliases.get(name, ()))
                written = next(filter(None, (self._written(one, line) for one in names)), name)
                found.setdefault(line, set()).add(Call(written, to))
                known.update((line, one) for one in names)
        for reference in self.view.facts[self.path].references:
            name = _called_name(reference.chain) if reference.kind == "call" else ""
            for line in reference.lines if name else ():
                outside = (line, name) not in known and self._written(name, line)
                if outside:
                    found.setdefault(line, set()).add(Call(outside, None))
        return found

    @cached_property
    def _aliases(self) -> dict[str, list[str]]:
        """By imported name the other names that it has here."""
        found: dict[str, list[str]] = {}
        for one in self.view.facts[self.path].imports:
            if one.alias and one.name and one.alias != one.name:
                found.setdefault(one.name, []).append(one.alias)
        return found

    def _calls(self, piece: _Piece) -> list[Call]:
        by_line = self._calls_by_line
        found = {one for line in range(piece.start, piece.end + 1) for one in by_line.get(line, ())}
        return sorted(found, key=lambda one: (one.written, one.resolved or ""))

    def _written(self, name: str, line: int) -> str:
        """How the code writes a call: the name with what stands before it; "" where it is not."""
        for found in _CALLED.finditer(self.lines[line - 1]):
            if found[1] == name:
                return found[0]
        return ""


def _called_name(chain: str) -> str:
    """The last name of a chain, which may tell its arguments and types: "new F(0)" calls F."""
    names = _WORD.findall(_ARGUMENTS.sub("", chain))
    return names[-1] if names else ""


def complexity(code: str) -> int:
    """The cyclomatic complexity of a piece of code, from its words: branches plus 1."""
    return 1 + sum(1 for _ in _BRANCH.finditer(_QUIET.sub(" ", code)))
