"""What every language module is, and the plain functions that they share; knows no one language.

The source of one file is given as ``Parsed``: its bytes and the nodes that the language's query
captured. What the capture names mean is written in CONTRIBUTING.md, "A language".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cached_property
from itertools import accumulate, count
from operator import add, attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from twine_hooks.analysis.facts import Edge, Facts, Import, Links

if TYPE_CHECKING:
    from tree_sitter import Node

Span = tuple[int, int]
_BYTES, _FIRST_BYTE = attrgetter("byte_range"), attrgetter("start_byte")
_START, _END = itemgetter(0), itemgetter(1)


def keep_doc(text: str) -> str:
    """The doc comment as it stands."""
    return text


_STARS = re.compile(r"^[ \t]*\*+(?!/)[ \t]?", re.MULTILINE)
_ONLY_STARS = re.compile(r"(?:[ \t]*(?:\*[^\n]*)?(?:\n|\Z))*")


def without_stars(text: str) -> str:
    """The inside of a ``/* … */`` comment without the "*" that begins each of its lines.

    Where not each of them begins so, the stars there are belong to a list.
    """
    first, end, rest = text.partition("\n")
    rest = _STARS.sub("", rest) if _ONLY_STARS.fullmatch(rest) else rest
    return f"{_STARS.sub('', first)}{end}{rest}"


def one_line(text: str) -> str:
    """A text with single spaces for all white space."""
    return " ".join(text.split())


def without_indentation(text: str) -> str:
    """The doc comment as ``inspect.cleandoc`` gives it, which takes 5 ms to import."""
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join([first.lstrip(), *(line[margin:] for line in rest)]).strip("\n")


def _as_they_are(names: Set[str], languages: Set[str]) -> Set[str]:
    return names


class NameChanges(NamedTuple):
    """How far a changed name reaches, in languages in which whatever is looked up in another file
    is spelled by who looks, or by a file that it looks through.

    ``changed``: by the facts before and after, the names under which others may find something
    else in a file. ``through``: the names of a file that may lead elsewhere because some others do.
    ``all_names``: by its path and facts, those of a file that comes or goes while others of its
    package stay. These are None for any name. ``spelled``: the words under which a file looks
    something up. ``words``: those by which names are looked up, in a project of some languages.
    """

    changed: Callable[[Facts, Facts], frozenset[str] | None]
    through: Callable[[Facts, Set[str]], frozenset[str] | None]
    spelled: Callable[[Facts], set[str]]
    along_imports: bool  #: only who depends on a file, directly or not, looks anything up in it
    all_names: Callable[[str, Facts], frozenset[str] | None] | None = None
    words: Callable[[Set[str], Set[str]], Set[str]] = _as_they_are


class Traits(NamedTuple):
    """How one language differs, in data."""

    class_kinds: frozenset[str] = frozenset(
        {"class", "interface", "enum", "trait", "struct", "object", "module", "namespace", "record"}
    )
    separator: str = "."
    #: single and double quotes mean the same
    quotes_are_equal: bool = False
    #: capital letters mean nothing outside of what is captured as ``@verbatim``
    ignores_case: bool = False
    #: a line end outside of ``@line.joined`` ends a statement, as ``@line.ended`` does
    lines_end_statements: bool = False
    #: what may stand between a doc comment and what it documents
    after_doc: re.Pattern[bytes] = re.compile(rb"\s*\Z")
    clean_doc: Callable[[str], str] = keep_doc
    #: how the lines of a head become one; gets line ends for semicolons that mean nothing
    join_lines: Callable[[str], str] = one_line
    #: the rest of a dotted name after its root, on the bytes of the source
    chain: re.Pattern[bytes] = re.compile(rb"(?:\s*\.\s*[^\W\d]\w*)+")
    #: linking other files reads signatures of a file, not only its names, bases and imports; so
    #: that they, too, may lead on. Not so in languages that modules.py links
    linking_reads_heads: bool = True
    #: how far a changed name reaches; None where any change that linking reads concerns all files
    #: of the family
    changes: NameChanges | None = None
    #: an import leads only to a file or folder whose name it spells, so that a file which comes or
    #: goes concerns the files that spell its name; see ``twine_hooks.following``
    imports_spell_paths: bool = False
    #: an import leads to no other file than a source
    imports_lead_to_sources: bool = False
    #: whether the name can be seen by other files; gets the name and the text of its head
    is_public: Callable[[str, str], bool] = lambda name, head: not name.startswith("_")


class Parsed:
    """One parsed file: ``text`` (UTF-8 bytes) and, by capture name, the nodes of the query.

    ``beside`` has spans that a language finds in the text itself, under capture names too.
    """

    def __init__(
        self,
        text: bytes,
        captures: Mapping[str, list[Node]],
        beside: Mapping[str, Iterable[Span]] | None = None,
    ) -> None:
        self.text = text
        self._captures = captures
        self._beside = beside or {}
        self._spans: dict[tuple[str, ...], list[Span]] = {}

    def with_spans(self, beside: Mapping[str, Iterable[Span]]) -> Parsed:
        """The same file with spans that are no nodes."""
        found = Parsed(self.text, self._captures, beside)
        found._keep(self, beside)
        return found

    def _keep(self, other: Parsed, changed: Mapping[str, object]) -> None:
        """Take over the spans that are the same in another."""
        self._spans = {
            names: spans
            for names, spans in other._spans.items()
            if changed.keys().isdisjoint(names)
        }

    def with_captures(self, changed: Mapping[str, list[Node]]) -> Parsed:
        """The same file with other nodes under some of the capture names."""
        found = Parsed(self.text, {**self._captures, **changed}, self._beside)
        found._keep(self, changed)
        return found

    def nodes(self, capture: str) -> list[Node]:
        """The captured nodes of that name, in the order of the source."""
        return sorted(self._captures.get(capture, ()), key=_start)

    def spans(self, *captures: str) -> list[Span]:
        """(start, end) in bytes of all nodes captured under these names: sorted, each once."""
        known = self._spans.get(captures)
        if known is None:
            known = self._spans[captures] = self._read_spans(captures)
        return known

    def starts(self, *captures: str) -> set[int]:
        """Where all nodes captured under these names begin."""
        found: set[int] = set()
        for capture in captures:
            found.update(map(_FIRST_BYTE, self._captures.get(capture, ())))
            found.update(start for start, _ in self._beside.get(capture, ()))
        return found

    def _read_spans(self, captures: tuple[str, ...]) -> list[Span]:
        found: set[Span] = set()
        for capture in captures:
            if capture in self._captures:
                found.update(map(_BYTES, self._captures[capture]))
            if capture in self._beside:
                found.update(self._beside[capture])
        if len(found) < 2:
            return list(found)
        # An outer one comes before those that begin where it does. Two sorts by one number each
        # are faster than one with a key for both.
        spans = sorted(found, key=_END, reverse=True)
        spans.sort(key=_START)
        return spans

    def captured_kinds(self, prefix: str) -> Iterator[tuple[str, list[Node]]]:
        """(rest of the name, nodes) of each capture whose name begins with ``prefix`` + "."."""
        for name in sorted(self._captures):
            if name.startswith(prefix + "."):
                yield name[len(prefix) + 1 :], self._captures[name]

    def kinds(self, prefix: str) -> Iterator[tuple[str, list[Span]]]:
        """(rest of the name, spans) of each capture whose name begins with ``prefix`` + "."."""
        for name in sorted({*self._captures, *self._beside}):
            if name.startswith(prefix + "."):
                yield name[len(prefix) + 1 :], self.spans(name)

    def string(self, start: int, end: int) -> str:
        return self.text[start:end].decode("utf-8", "replace")

    @cached_property
    def _newlines(self) -> list[int]:
        # Where each line ends, all of it in C: the lengths so far and the line ends before.
        ends = map(add, accumulate(map(len, self.text.split(b"\n"))), count())
        return list(ends)[:-1]

    def line_ends(self, start: int, end: int) -> list[int]:
        """Where lines end between two places."""
        newlines = self._newlines
        first = bisect_left(newlines, start)
        return newlines[first : bisect_left(newlines, end, first)]

    def line_of(self, position: int) -> int:
        """The line, counted from 1, in which a byte stands."""
        return bisect_right(self._newlines, position - 1) + 1

    def lines_of(self, positions: Iterable[int]) -> tuple[int, ...]:
        """The lines of sorted positions, each once."""
        newlines = self._newlines
        return tuple(dict.fromkeys([bisect_right(newlines, at - 1) + 1 for at in positions]))

    @property
    def line_count(self) -> int:
        return len(self._newlines) + (not self.text.endswith(b"\n") and bool(self.text))


def _start(node: Node) -> int:
    return node.start_byte


def outer_first(span: Span) -> tuple[int, int]:
    """The key by which spans are sorted."""
    return span[0], -span[1]


class Settings(NamedTuple):
    """What ``analysis:`` in the configuration adds to what the repository says by itself."""

    source_roots: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    compile_args: tuple[str, ...] = ()


_NO_SETTINGS = Settings()


def _reads_nothing(path: str) -> bytes | None:
    return None


class Project:
    """All that linking may look at: every path of the snapshot, the facts, a few manifests.

    ``read`` gives the bytes of a manifest (pyproject.toml, package.json, compile_commands.json…)
    of the same snapshot, or None where there is no such file.
    """

    def __init__(
        self,
        paths: frozenset[str],
        facts: Mapping[str, Facts],
        read: Callable[[str], bytes | None] = _reads_nothing,
        settings: Settings = _NO_SETTINGS,
    ) -> None:
        self.paths = paths
        self.facts = facts
        self.read = read
        self.settings = settings

    def with_facts(self, facts: Mapping[str, Facts]) -> Project:
        """The same project as far as these facts go."""
        return Project(self.paths, facts, self.read, self.settings)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a path, "" for the root."""
        found = {""}
        for path in self.paths:
            folder = path.rpartition("/")[0]
            while folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)


class Linker(Protocol):
    """Resolves the imports and references of single files of one project."""

    def link(self, path: str) -> Links: ...


@runtime_checkable
class EdgeLinker(Linker, Protocol):
    """One that finds the edges of a file sooner than all of its links, and the modules (files, or
    folders with a "/" behind them) that its imports bind as a whole."""

    def edges(self, path: str) -> tuple[Edge, ...]: ...

    def modules(self, path: str) -> frozenset[str]: ...


class Language(Protocol):
    """A language is a module with these names; CONTRIBUTING.md has the recipe.

    Languages that resolve into each other (JavaScript and TypeScript, Java and Kotlin) have the
    same ``FAMILY`` and the same ``linker``.
    """

    TRAITS: Traits

    @staticmethod
    def read(parsed: Parsed) -> Facts: ...

    @staticmethod
    def linker(project: Project) -> Linker: ...


def folder_of(path: str) -> str:
    """The folder of a path, "" for one at the root."""
    return path.rpartition("/")[0]


def join(folder: str, relative: str) -> str | None:
    """``relative`` (with "." and "..") seen from ``folder``; None when it leaves the root."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def bound_names(imports: Iterable[Import]) -> dict[str, list[Import]]:
    """Local name -> the imports that bind it."""
    bound: dict[str, list[Import]] = {}
    for one in imports:
        if one.alias:
            bound.setdefault(one.alias, []).append(one)
    return bound
