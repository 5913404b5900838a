"""Which definitions of a Ruby file are private, by a word before them or by their name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from twine_hooks.analysis.lang_base import Parsed, Span
from twine_hooks.analysis.languages.ruby_surface import Surface, symbols
from twine_hooks.analysis.scopes import innermost

_VISIBILITIES = frozenset({"private", "public", "protected", "module_function"})
_HIDING = frozenset({"private", "private_class_method", "private_constant"})


def add_visibility(parsed: Parsed, surface: Surface) -> None:
    """Mark what is private, and what ``module_function`` makes a method of the module itself."""
    visibility = _Visibility(parsed, surface)
    visibility.read_bare()
    visibility.read_calls()
    surface.spans["private"] = sorted(visibility.hidden)


class _Visibility:
    def __init__(self, parsed: Parsed, surface: Surface) -> None:
        self._parsed, self._surface = parsed, surface
        self.hidden: set[Span] = set()
        bodies = parsed.spans("definition.class", "definition.module", "singleton", "scope.block")
        self._bodies = _sorted({*bodies, *surface.spans["opened"]})
        self._defined = _sorted(
            {
                *parsed.spans("definition.function"),
                *surface.spans.get("definition.property", ()),
                *surface.spans.get("definition.function", ()),
            }
        )
        self._starts = [start for start, _ in self._defined]
        # A singleton method is a body itself, so one looks from before it.
        before = [max(start - 1, 0) for start in self._starts]
        self._body_of = innermost(self._bodies, before)

    def read_bare(self) -> None:
        """``private`` on a line of its own holds until the next such word of the same body."""
        words = [
            (start, word)
            for start, end in self._parsed.spans("bare")
            if (word := self._parsed.string(start, end)) in _VISIBILITIES
        ]
        said: dict[int, list[tuple[int, str]]] = {}
        around = innermost(self._bodies, [start for start, _ in words])
        for one, body in zip(words, around, strict=True):
            said.setdefault(body, []).append(one)
        singletons = self._parsed.starts("singleton") if words else set()
        for span, body in zip(self._defined, self._body_of, strict=True):
            before = said.get(body, [])
            at = bisect_left(before, (span[0], "")) - 1
            if at < 0:
                continue
            if before[at][1] == "private" and span[0] not in singletons:
                self.hidden.add(span)
            elif before[at][1] == "module_function":
                self._surface.on_both.add(span[0])

    def read_calls(self) -> None:
        """``private :a, :b``, ``private def a`` and their like."""
        calls = [
            (name, arguments, word)
            for name, arguments in zip(
                self._parsed.spans("macro"), self._parsed.spans("macro.arguments"), strict=False
            )
            if (word := self._parsed.string(*name)) in _HIDING or word in _VISIBILITIES
        ]
        around = innermost(self._bodies, [name[0] for name, _, _ in calls])
        by_name = self._by_name() if calls else {}
        for (_, arguments, word), body in zip(calls, around, strict=True):
            given = {
                span
                for start, end in symbols(self._parsed.text, *arguments)
                for span in by_name.get((body, self._parsed.string(start, end)), ())
            }
            given.update(self._inside(arguments))
            if word in _HIDING:
                self.hidden |= given
            elif word == "module_function":
                self._surface.on_both.update(start for start, _ in given)
            else:
                self.hidden -= given

    def _inside(self, arguments: Span) -> Iterator[Span]:
        """What the arguments of such a call define themselves."""
        first = bisect_left(self._starts, arguments[0])
        for span in self._defined[first : bisect_left(self._starts, arguments[1])]:
            is_first = span[0] <= arguments[0] + 1
            if is_first or span[0] in self._surface.declared or span[0] in self._surface.opening:
                yield span

    def _by_name(self) -> dict[tuple[int, str], list[Span]]:
        """(body, name) -> the definitions of that name in it."""
        found: dict[tuple[int, str], list[Span]] = {}
        names = sorted({*self._parsed.spans("name"), *self._surface.spans.get("name", ())})
        starts = [start for start, _ in names]
        for span, body in zip(self._defined, self._body_of, strict=True):
            at = bisect_right(starts, span[0] - 1)
            if at < len(names) and names[at][1] <= span[1]:
                found.setdefault((body, self._parsed.string(*names[at])), []).append(span)
        assigned = sorted(self._surface.assigned)
        around = innermost(self._bodies, [max(whole[0] - 1, 0) for whole, _ in assigned])
        for (whole, name), body in zip(assigned, around, strict=True):
            found.setdefault((body, name), []).append(whole)
        return found


def _sorted(spans: set[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: (span[0], -span[1]))
