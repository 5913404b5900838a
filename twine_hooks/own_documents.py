"""Documents that are written beside an export and not into the project, which is left as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docs_store.cache import Cache
from docs_store.layout import doc_path, leaf_path
from docs_store.lock import Lock
from docs_store.store import sweep
from twine_hooks.config import EDITS
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.files import Files
from twine_hooks.folder import FolderFiles, list_folder
from twine_hooks.personal import Personal
from twine_hooks.plan import REMOVE
from twine_hooks.providers.client import ClientModel
from twine_hooks.update import Refresh, Result
from twine_hooks.writers import writer_of_client


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked for documents, with which settings, for how many at once."""

    model: ClientModel
    personal: Personal
    workers: int


@dataclass(frozen=True, eq=False)
class Joined:
    """A snapshot with files from elsewhere, which go before its own."""

    below: Files
    above: FolderFiles
    chosen: frozenset[str]  #: of the files above, those that are seen

    @cached_property
    def files(self) -> Mapping[str, str]:
        above = self.above.files
        return {**self.below.files, **{path: above[path] for path in sorted(self.chosen)}}

    @property
    def symlinks(self) -> frozenset[str]:
        return self.below.symlinks

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        here, there = self._parted(blobs)
        return self.below.sizes(there) | self.above.sizes(here)

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        here, there = self._parted(blobs)
        yield from self.above.read(here)
        yield from self.below.read(there)

    def _parted(self, blobs: Iterable[str]) -> tuple[list[str], list[str]]:
        """Those of the files above, and the others."""
        wanted = list(blobs)
        return (
            [blob for blob in wanted if blob in self._blobs_above],
            [blob for blob in wanted if blob not in self._blobs_above],
        )

    @cached_property
    def _blobs_above(self) -> frozenset[str]:
        return frozenset(self.above.files.values())


@dataclass(frozen=True, slots=True)
class OwnDocuments:
    """Documents in ``root``, laid out there as in a project. They hold only what a model wrote."""

    root: Path
    cache: Cache

    def evaluated(self, project: Files) -> Evaluation:
        """A project with its documents, and these where it has none. Raises what ``evaluate``
        does."""
        return evaluate(self._joined(project), self.cache)

    def refreshed(
        self, project: Files, asking: Asking, is_whole: bool
    ) -> tuple[Evaluation, dict[str, str]]:
        """The same, after a model was asked for what is not there, not fresh, or of no model; and
        by source why it has no such document all the same.

        ``is_whole`` says whether a source that is not in ``project`` is gone for good. Raises what
        ``evaluate`` and ``read_personal`` do, and StoreError.
        """
        with self._alone():
            self._forget(project)
            evaluation = self.evaluated(project)
            result = self._refresh(evaluation, asking, is_whole)
            if result.touched:
                evaluation = evaluate(self._joined(project, result.touched), self.cache)
        return evaluation, dict([*result.failed, *result.left, *result.held])

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One writer at a time, so that nothing is asked for twice."""
        with Lock(self.root.parent) as lock:
            if lock.after_kill:
                sweep(self.root)
            yield

    def _forget(self, project: Files) -> None:
        """Delete documents of sources of which the project has one.

        Those go before. Where one is not fresh, this is written again from memory.
        """
        for path in project.files.keys() & self._paths():
            (self.root / path).unlink()

    def _refresh(self, evaluation: Evaluation, asking: Asking, is_whole: bool) -> Result:
        config, personal = evaluation.config, asking.personal
        writer = writer_of_client(asking.model, self.cache, evaluation, personal)
        edits = personal.choice("DOC_EDITS", EDITS, config.edits)
        plan = evaluation.plan(upgrade=True)
        tasks = tuple(task for task in plan.tasks if is_whole or task.action != REMOVE)
        run = Refresh(evaluation, self.root, writer, jobs=asking.workers, edits=edits)
        return run.run(plan._replace(tasks=tasks))

    def _joined(self, project: Files, written: Iterable[str] = ()) -> Joined:
        """A project with those documents here that were just written, or that it has not."""
        new = {place(source) for source in written for place in (doc_path, leaf_path)}
        theirs = project.files
        above = list_folder(self.root, only=self._paths())
        chosen = (path for path in above.files if path in new or path not in theirs)
        return Joined(project, above, frozenset(chosen))

    def _paths(self) -> list[str]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.root).as_posix() for path in found)
