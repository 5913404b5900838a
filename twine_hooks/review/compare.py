"""Two snapshots held against each other: what became of their documents, and why; no Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from typing import TYPE_CHECKING

from docs_store.document import SUMMARY, Document, section_digest
from docs_store.layout import doc_path
from twine_hooks.analysis.facts import EVERYTHING
from twine_hooks.evaluation import Evaluation
from twine_hooks.files import read_file
from twine_hooks.plan import Current, Task, make_plan
from twine_hooks.recorded import hand_edits_of, present_document
from twine_hooks.review.model import (
    ADDED,
    CONFIRMED,
    MOVED,
    REMOVED,
    REWRITTEN,
    DocumentChange,
    Edge,
    Edited,
    InterfaceChange,
    Review,
    SectionChange,
    Stale,
)
from twine_hooks.review.signatures import interface_changes

if TYPE_CHECKING:
    from docs_store.cache import Cache

_DIFF_LINES = 400  #: of one document; nobody reads more of them in a comment
_LINE = 500  #: characters of one line of a diff


def compare(base: Evaluation, head: Evaluation, labels: tuple[str, str], cache: Cache) -> Review:
    """What a change from `base` to `head` means for the documents; `labels` name the two."""
    return _Comparison(base, head, cache).review(*labels)


@dataclass(frozen=True, eq=False)
class _Comparison:
    base: Evaluation
    head: Evaluation
    cache: Cache

    def review(self, base: str, head: str) -> Review:
        documents = tuple(self._documents())
        before = {task.path for task in self.base.plan().tasks}
        tasks = self.head.plan().tasks
        new = [task for task in tasks if task.path not in before or self._is_other(task.path)]
        return Review(
            base=base,
            head=head,
            documents=documents,
            stale=tuple(map(self._stale, new)),
            interfaces=tuple(sorted(self._interfaces(documents), key=_reach)),
            edited=tuple(self._edited()),
            edges=tuple(self._edges()),
            changed=tuple(self._changed),
            stale_before=len(tasks) - len(new),
        )

    @cached_property
    def _needed(self) -> Mapping[str, Task]:
        """What the documents of the base would need for the sources of the head, and why."""
        head = self.head
        current = Current(head.inputs, head.leaf, head.used, head.order)
        return {task.path: task for task in make_plan(current, self.base.recorded).tasks}

    @cached_property
    def _changed(self) -> list[str]:
        """Sources whose own digest differs, or that are in one of the two only; sorted."""
        paths = self.base.inputs.keys() | self.head.inputs.keys()
        return sorted(path for path in paths if self._own(path, 0) != self._own(path, 1))

    def _is_other(self, path: str) -> bool:
        """Whether a document would be made from something else than before."""
        return self.base.inputs.get(path) != self.head.inputs.get(path)

    def _own(self, path: str, side: int) -> str:
        one = (self.base, self.head)[side]
        return one.own(path) if path in one.inputs else ""

    def _documents(self) -> Iterator[DocumentChange]:
        before = self._blobs(self.base)
        after = self._blobs(self.head)
        origins = {
            path: task.origin
            for path, task in self._needed.items()
            if task.origin in before and task.origin not in after and path in after
        }
        gone = set(origins.values())
        for path in sorted(before.keys() | after.keys()):
            if path in gone or before.get(path) == after.get(path):
                continue
            found = self._document(path, origins.get(path, "") if path not in before else "")
            if found is not None:
                yield found

    @staticmethod
    def _blobs(one: Evaluation) -> dict[str, str]:
        return {source: one.snapshot.files[doc_path(source)] for source in one.docs}

    def _document(self, path: str, origin: str) -> DocumentChange | None:
        old, new = self._parsed(self.base, origin or path), self._parsed(self.head, path)
        before = self._text(self.base, origin or path)
        after = self._text(self.head, path)
        sections = tuple(_sections(old, new))
        kind = _kind(before, after, origin, sections)
        is_about_it = old and new and old.header.inputs != new.header.inputs
        if kind == CONFIRMED and not (is_about_it and path in self.head.inputs):
            return None  # style and bookkeeping
        task = self._needed.get(path)
        reasons = tuple(str(reason) for reason in task.reasons) if task else ()
        shown = kind not in (CONFIRMED, REMOVED) and not (kind == MOVED and not sections)
        diff = _diff(before, after) if shown else ""
        return DocumentChange(path, kind, origin, sections, reasons, diff)

    @staticmethod
    def _text(one: Evaluation, path: str) -> str:
        data = read_file(one.snapshot, doc_path(path))
        return (data or b"").decode("utf-8", "replace").replace("\r\n", "\n")

    def _parsed(self, one: Evaluation, path: str) -> Document | None:
        data = read_file(one.snapshot, doc_path(path))
        return present_document(data, one.template.titles, doc_path(path))

    def _stale(self, task: Task) -> Stale:
        is_missing = task.path in self.head.inputs and (
            self.head.recorded.headers.get(task.path) is None
        )
        return Stale(task.path, is_missing, tuple(str(reason) for reason in task.reasons))

    def _interfaces(self, documents: Iterable[DocumentChange]) -> Iterator[InterfaceChange]:
        rewritten = {one.path for one in documents if one.kind in (REWRITTEN, ADDED)}
        for path in self._changed:
            old, new = self.base.survey.facts.get(path), self.head.survey.facts.get(path)
            for change in interface_changes(old, new):
                users = self._users(path, change.symbol)
                named = tuple(one for one in users if one in rewritten)
                yield InterfaceChange(path, change.label, change.text, users, named)

    def _users(self, path: str, symbol: str) -> tuple[str, ...]:
        """The files that use a symbol now, or used it before."""
        found: set[str] = set()
        for one in (self.base, self.head):
            graph = one.survey.graph
            for user in graph.dependents(path) if path in one.inputs else ():
                names = {use.symbol for use in graph.of(user).uses if use.target == path}
                if symbol in names or EVERYTHING in names:
                    found.add(user)
        return tuple(sorted(found))

    def _edited(self) -> Iterator[Edited]:
        """Documents with sections by hand whose source is another now."""
        sources = [path for path in self._changed if path in self.head.docs]
        titles = self.head.template.titles
        found = hand_edits_of(self.head.snapshot, self.cache, sources, titles)
        for path, edits in found.items():
            if path in self.base.inputs and path in self.head.inputs:
                yield Edited(path, tuple(titles.get(one.id, one.id) for one in edits))

    def _edges(self) -> Iterator[Edge]:
        """From each file that changed to those that use it."""
        graph = self.head.survey.graph
        for path in self._changed:
            if path in self.head.inputs:
                for user in graph.dependents(path):
                    yield Edge(user, path)


def _reach(change: InterfaceChange) -> tuple[int, str, str]:
    """What most files use comes first."""
    return -len(change.used_by), change.path, change.symbol


def _kind(before: str, after: str, origin: str, sections: tuple[SectionChange, ...]) -> str:
    if origin:
        return MOVED
    if not before:
        return ADDED
    if not after:
        return REMOVED
    return REWRITTEN if sections else CONFIRMED


def _sections(old: Document | None, new: Document | None) -> Iterator[SectionChange]:
    """What became of each section; style does not count."""
    before, after = _by_key(old), _by_key(new)
    for key in [*after, *(key for key in before if key not in after)]:
        title = (after.get(key) or before[key])[0]
        if key not in before:
            yield SectionChange(title, ADDED)
        elif key not in after:
            yield SectionChange(title, REMOVED)
        elif section_digest(before[key][1]) != section_digest(after[key][1]):
            yield SectionChange(title, REWRITTEN)


def _by_key(document: Document | None) -> dict[str, tuple[str, str]]:
    """(title, text) by id, or by title for sections that people added."""
    if document is None:
        return {}
    found = {SUMMARY: ("Summary", document.summary)} if document.summary else {}
    return found | {one.id or f"# {one.title}": (one.title, one.body) for one in document.sections}


def _diff(before: str, after: str) -> str:
    """A unified diff of what stands below the headers, cut where nobody reads on."""
    old, new = (text.split("\n", 1)[-1].strip("\n").splitlines() for text in (before, after))
    lines = [line[:_LINE] for line in unified_diff(old, new, lineterm="", n=2)][2:]
    cut = len(lines) - _DIFF_LINES
    return "\n".join([*lines[:_DIFF_LINES], *([f"… {cut} more lines"] if cut > 0 else [])])
