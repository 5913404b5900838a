"""Plain read-only data of one snapshot for whoever shows or exports it; knows no format.

Whatever is listed here is sorted, comes from the snapshot and from nothing beside it, and needs no
model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from docs_store.document import Document
from docs_store.layout import doc_path
from twine_hooks.analysis.extract import as_utf8
from twine_hooks.analysis.facts import Definition, Facts, Links, Use
from twine_hooks.config import Config
from twine_hooks.files import Files, excluded_by, is_own
from twine_hooks.recorded import present_document
from twine_hooks.survey import Survey

if TYPE_CHECKING:
    from docs_store.cache import Cache

_KIND = "text"  #: of what the cache keeps: whether a blob is text
_SNIFFED = 8192  #: a NUL among so many first bytes makes a file binary
_AROUND = 3  #: lines shown before and after a use
_SHOWN_USES = 2  #: places of a use that are shown
_KEPT_BYTES = 64_000_000  #: of files that are kept in memory
_BETWEEN = "\n...\n"


class Usage(NamedTuple):
    """The lines on which one file uses one symbol of another.

    ``file`` is the other one: in what a file uses the file that defines the symbol, in who uses it
    the user.
    """

    file: str
    name: str  #: qualified, ``EVERYTHING`` where the use cannot be pinned to a definition
    lines: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class View:
    """One snapshot: its text files, their facts, uses and documents.

    ``time`` is when the snapshot's commit was made (ISO 8601, UTC), "" where there is none.
    ``paths`` are all files that are not empty and no binaries; those in ``facts`` are sources.
    """

    name: str
    time: str
    survey: Survey
    paths: tuple[str, ...]
    titles: Mapping[str, str]  #: section titles of the template by id
    _data: dict[str, bytes] = field(default_factory=dict, repr=False)
    _texts: dict[str, list[str]] = field(default_factory=dict, repr=False)
    _by_target: dict[str, Mapping[str, list[Use]]] = field(default_factory=dict, repr=False)

    @property
    def snapshot(self) -> Files:
        return self.survey.snapshot

    @property
    def facts(self) -> Mapping[str, Facts]:
        return self.survey.facts

    @property
    def links(self) -> Mapping[str, Links]:
        return self.survey.links

    @cached_property
    def _listed(self) -> frozenset[str]:
        return frozenset(self.paths)

    @cached_property
    def dependencies(self) -> Mapping[str, tuple[str, ...]]:
        """By file the others that it uses, by an import or by a symbol."""
        listed = self._listed
        return {
            path: tuple(one for one in self.survey.dependencies(path) if one in listed)
            for path in self.sources
        }

    @cached_property
    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """By file the others that use it: the mirror of ``dependencies``."""
        found: dict[str, list[str]] = {}
        for path, targets in self.dependencies.items():
            for target in targets:
                found.setdefault(target, []).append(path)
        return {path: tuple(users) for path, users in found.items()}

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The paths that have facts."""
        return tuple(path for path in self.paths if path in self.facts)

    def used(self, path: str) -> Iterator[Usage]:
        """What a file uses, of itself too (``Usage.file`` is the file itself then)."""
        for target in sorted(self._uses(path)):
            yield from self._usages(path, target)

    def used_by(self, path: str) -> Iterator[Usage]:
        """Who uses a file from outside: the mirror of ``used``."""
        for user in self.users(path):
            for one in self._usages(user, path):
                yield Usage(user, one.name, one.lines)

    def used_files(self, path: str) -> Collection[str]:
        """The files of which a file uses a symbol, itself among them where it does."""
        return self._uses(path).keys()

    def users(self, path: str) -> Iterator[str]:
        """The other files that use a symbol of a file."""
        return (user for user in self.dependents.get(path, ()) if path in self._uses(user))

    def _uses(self, path: str) -> Mapping[str, list[Use]]:
        """What a file uses, by target."""
        if path not in self._by_target:
            listed = self._listed
            found: dict[str, list[Use]] = {}
            for use in self.links[path].uses if path in self.facts else ():
                if use.target in listed:
                    found.setdefault(use.target, []).append(use)
            self._by_target[path] = found
        return self._by_target[path]

    def _usages(self, path: str, target: str) -> Iterator[Usage]:
        """What a file uses of one other; sorted."""
        lines: dict[str, Iterable[int]] = {}
        for use in self._uses(path).get(target, ()):
            known = lines.get(use.symbol)
            lines[use.symbol] = use.lines if known is None else {*known, *use.lines}
        for name, found in sorted(lines.items()):
            yield Usage(target, name, tuple(sorted(found)))

    def load(self, paths: Iterable[str]) -> None:
        """Read files that are asked for soon in one go: one by one, each costs a process."""
        wanted = {path: self.blob(path) for path in sorted(set(paths))}
        if sum(map(len, self._data.values())) > _KEPT_BYTES:
            for path in [path for path in self._data if path not in wanted]:
                del self._data[path]
                self._texts.pop(path, None)
        missing: dict[str, list[str]] = {}
        for path, blob in wanted.items():
            if blob and path not in self._data:
                missing.setdefault(blob, []).append(path)
        for blob, data in self.snapshot.read(list(missing)):
            self._data.update(dict.fromkeys(missing[blob], data))

    def data(self, path: str) -> bytes:
        """The bytes of a file, as git stores them; none for one that is not there."""
        if path not in self._data:
            self.load([path])
        return self._data.get(path, b"")

    def blob(self, path: str) -> str:
        """The id of a file's content; "" for one that is not there."""
        return self.snapshot.files.get(path, "")

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file's text, without their ends."""
        found = self._texts.get(path)
        if found is None:
            found = as_utf8(self.data(path)).decode("utf-8", "replace").split("\n")
            self._texts[path] = found
        return found

    def source_of(self, path: str, one: Definition) -> str:
        """The text of a definition: whole lines."""
        return "\n".join(self.lines(path)[one.start_line - 1 : one.end_line])

    def context(self, path: str, name: str) -> str | None:
        """The text of what a file defines under a qualified name; None where there is nothing.

        Definitions of one name (overloads, a getter and its setter) follow each other.
        """
        found = self.definitions(path, name)
        if not found:
            return None
        return "\n\n".join(dict.fromkeys(self.source_of(path, one) for one in found))

    @cached_property
    def _names(self) -> dict[str, dict[str, list[Definition]]]:
        return {}

    def definitions(self, path: str, name: str) -> Sequence[Definition]:
        """What a file defines under a qualified name."""
        return self._by_name(path).get(name, ())

    def _by_name(self, path: str) -> dict[str, list[Definition]]:
        if path not in self._names:
            by_name: dict[str, list[Definition]] = {}
            facts = self.facts.get(path)
            for one in facts.definitions if facts else ():
                by_name.setdefault(one.qualified, []).append(one)
            self._names[path] = by_name
        return self._names[path]

    def around(self, path: str, lines: Sequence[int]) -> str:
        """The first places of a use with a few lines around each; places that touch are one."""
        text = self.lines(path)
        spans: list[list[int]] = []
        for line in lines[:_SHOWN_USES]:
            start, end = max(0, line - 1 - _AROUND), min(len(text), line + _AROUND)
            if spans and start <= spans[-1][1]:
                spans[-1][1] = end
            else:
                spans.append([start, end])
        return _BETWEEN.join("\n".join(text[start:end]) for start, end in spans)

    def document(self, path: str) -> Document | None:
        """The document of a source; None where it has none that can be read."""
        place = doc_path(path)
        if not self.blob(place):
            return None
        return present_document(self.data(place), self.titles, place)


def make_view(
    survey: Survey, cache: Cache, *, titles: Mapping[str, str], name: str, time: str = ""
) -> View:
    """The view of a snapshot that was surveyed."""
    others = _text_files(survey.snapshot, survey.config, survey.facts, cache)
    return View(name, time, survey, tuple(sorted([*survey.facts, *others])), titles)


def _text_files(
    snapshot: Files, config: Config, facts: Mapping[str, Facts], cache: Cache
) -> list[str]:
    """The paths without facts that are neither empty nor binary, nor excluded, nor our own."""
    excluded = excluded_by(config.exclude)
    by_blob: dict[str, list[str]] = {}
    for path, blob in snapshot.files.items():
        if path not in facts and not is_own(path) and not excluded(path):
            by_blob.setdefault(blob, []).append(path)
    known = cache.get_many(_KIND, by_blob)
    unknown = sorted(by_blob.keys() - known.keys())
    fresh = {blob: b"\1" if is_text(data) else b"\0" for blob, data in snapshot.read(unknown)}
    cache.put_many(_KIND, sorted(fresh.items()))
    known |= fresh
    return [path for blob, paths in by_blob.items() if known[blob] == b"\1" for path in paths]


def is_text(data: bytes) -> bool:
    """Whether a file is neither empty nor binary. UTF-16 with its mark is text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return len(data) > 2
    return bool(data.strip()) and b"\0" not in data[:_SNIFFED]
