"""A source cut into pieces of limited size, between its definitions, and these put into groups.

Nothing is lost: joined, the pieces are the source again, but for bodies that are larger than a
piece can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition
from twine_hooks.generation.condensing import Condensed, Condensing, SourcePart, shortened
from twine_hooks.markup import code, one_line
from twine_hooks.material import Material


class Piece(NamedTuple):
    """Source that stays together, and the definitions that are told in it.

    ``within`` is the head of the class that it stands in.
    """

    source: tuple[SourcePart, ...]
    definitions: tuple[Definition, ...]
    within: str = ""


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits the source of ``material`` for groups of at most ``most`` tokens."""

    material: Material
    most: int
    tokens: Callable[[str], int]
    condensing: Condensing | None

    def groups(self) -> list[list[Piece]]:
        """The pieces in order, as many in a group as fit; a single one may be too large."""
        groups: list[list[Piece]] = []
        size = 0
        for piece in self._all_pieces():
            own = self._size(piece)
            if not groups or size + own > self.most:
                head = piece.within and f"{piece.within} …\n"
                groups.append([piece._replace(source=(head, *piece.source)) if head else piece])
                size = own + self.tokens(head)
            else:
                groups[-1].append(piece)
                size += own
        return groups

    def _all_pieces(self) -> Iterator[Piece]:
        data = self.material.source().encode("utf-8", "replace")
        yield from self._pieces(data, 0, len(data), -1, "")

    def _size(self, piece: Piece) -> int:
        filler = self.condensing.filler if self.condensing else ""
        source = (one if isinstance(one, str) else one.text(filler) for one in piece.source)
        listed = (f"- {code(one.qualified)} ({one.kind})\n" for one in piece.definitions)
        return sum(map(self.tokens, (*source, *listed)))

    def _pieces(
        self, data: bytes, start: int, end: int, parent: int, within: str
    ) -> Iterator[Piece]:
        """The bytes from ``start`` to ``end``, with what lies before a definition kept with it."""
        definitions = self.material.facts.definitions
        children = [number for number, one in enumerate(definitions) if one.parent == parent]
        at = start
        for numbers in _together(children, definitions):
            first = definitions[numbers[0]]
            stop = min(end, max(definitions[number].end for number in numbers))
            inside = tuple(_with_members(numbers, definitions))
            whole = Piece((_text(data[at:stop]),), inside, within)
            if self._size(whole) <= self.most:
                yield whole
            else:
                yield from self._lines(_text(data[at : first.start]), within)
                yield from self._large(data, numbers, within)
            at = stop
        yield from self._lines(_text(data[at:end]), within)

    def _large(self, data: bytes, numbers: Sequence[int], within: str) -> Iterator[Piece]:
        """Definitions that do not fit as a whole: by their members, or without their bodies."""
        definitions = self.material.facts.definitions
        members = any(one.parent == numbers[0] for one in definitions)
        for number in numbers:
            one = definitions[number]
            if members and number == numbers[0]:
                told: tuple[Definition, ...] = (one,)
                pieces = self._pieces(data, one.start, one.end, number, one_line(one.signature))
                for piece in pieces:
                    yield piece._replace(definitions=(*told, *piece.definitions))
                    told = ()
            else:
                yield Piece((self._stub(one), "\n"), (one,), within)

    def _stub(self, one: Definition) -> SourcePart:
        condensed = Condensed.of(one, self.material.source())
        lines = self.condensing.trigger_lines if self.condensing else condensed.lines
        return condensed if condensed.lines > lines else condensed.text("")

    def _lines(self, text: str, within: str) -> Iterator[Piece]:
        """What lies between definitions, by lines."""
        if not text.strip() or self._size(Piece((text,), ())) <= self.most:
            yield from [Piece((text,), (), within)] if text else []
            return
        lines = text.splitlines(keepends=True)
        if len(lines) == 1:
            yield Piece((shortened(text, self.most, self.tokens),), (), within)
            return
        half = len(lines) // 2
        yield from self._lines("".join(lines[:half]), within)
        yield from self._lines("".join(lines[half:]), within)


def _together(numbers: Sequence[int], definitions: Sequence[Definition]) -> list[list[int]]:
    """Definitions in order, those that cover the same text together."""
    groups: list[list[int]] = []
    end = -1
    for number in sorted(numbers, key=lambda number: (definitions[number].start, number)):
        one = definitions[number]
        if groups and one.start < end:
            groups[-1].append(number)
        else:
            groups.append([number])
        end = max(end, one.end)
    return groups


def _with_members(
    numbers: Sequence[int], definitions: Sequence[Definition]
) -> Iterator[Definition]:
    """The definitions and all that is defined in them, in the order of the file."""
    wanted = set(numbers)
    for number, one in enumerate(definitions):
        if number in wanted or one.parent in wanted:
            wanted.add(number)
            yield one


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
