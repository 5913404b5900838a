"""Running codetwine from a program: the knowledge of one folder, in a repository or not."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from docs_store.cache import Cache
from twine_hooks.errors import CodetwineError, GitError
from twine_hooks.evaluation import Evaluation
from twine_hooks.exporting import KNOWLEDGE_FORMATS, Export, claim
from twine_hooks.files import Files
from twine_hooks.folder import list_folder
from twine_hooks.git import Repository, worktree_snapshot
from twine_hooks.own_documents import Asking, OwnDocuments
from twine_hooks.personal import Personal, read_personal
from twine_hooks.places import CACHE, DOCUMENTS
from twine_hooks.project_view import commit_time
from twine_hooks.providers.client import Client, ClientModel
from twine_hooks.view import make_view
from twine_hooks.writers import jobs_of

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


async def process_all_files(
    project_dir: str | Path,
    output_dir: str | Path,
    llm_client: Client | None = None,
    file_list: Sequence[str] | None = None,
    *,
    max_workers: int | None = None,
    knowledge_format: str = "",
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Write what is known of a project into ``output_dir``/<name of its folder>/.

    ``file_list`` are the only files to look at, relative to ``project_dir``. The format is that of
    KNOWLEDGE_FORMAT in ``environ`` (the process's by default) unless it is named.

    Documents are those that `codetwine refresh` keeps in the project. With an ``llm_client``, an
    object with a method ``generate(prompt)`` that gives a text or an awaitable one, those that are
    not there or not fresh, or that no model wrote, are written by it, unless ENABLE_LLM_DOC forbids
    it. They are kept in the output folder, for the next run too; the project is left as it is.
    ``max_workers`` is how many are asked for at once (MAX_WORKERS by default); ``generate`` itself
    is called one at a time where it is no coroutine.

    Returns {file_count, dependency_fail_list, doc_count, doc_fail_list}; the lists hold paths.
    What ``llm_client`` gave no text for is on the second, whatever it raised, and a warning in the
    log says why; the rest goes on. When this was cancelled, it waits until nothing is written any
    more. Raises CodetwineError for a folder that is not there or of someone else, or a wrong
    argument, and StoreError for one that cannot be written or that another run writes to.
    """
    root = Path(project_dir).resolve()
    if not root.is_dir():
        raise CodetwineError(f"{root} is no folder; name the folder of a project")
    if isinstance(file_list, str) or not isinstance(file_list, Iterable | None):
        raise CodetwineError(f"file_list is {file_list!r}; give a list of paths")
    used = os.environ if environ is None else environ
    form = knowledge_format or used.get("KNOWLEDGE_FORMAT", "").strip().lower() or "json"
    if form not in KNOWLEDGE_FORMATS:
        raise CodetwineError(f"knowledge_format is {form!r}; use {', '.join(KNOWLEDGE_FORMATS)}")
    asking = None if llm_client is None else _asking(llm_client, read_personal(used), max_workers)
    run = _Run(root, Path(output_dir).resolve(), form, file_list, used, asking)
    try:
        return await _in_thread(run.done, run.stop)
    finally:
        run.stop()


def _asking(client: Client, personal: Personal, max_workers: int | None) -> Asking | None:
    """How a client is asked; None where that is forbidden."""
    if not callable(getattr(client, "generate", None)):
        raise CodetwineError(
            f"llm_client is a {type(client).__name__} without a method generate(prompt); give an "
            "object that has one, or None"
        )
    if personal.is_on is False:
        return None
    context = int(personal.number("LLM_CONTEXT_TOKENS"))
    model = ClientModel(client, asyncio.get_running_loop(), context)
    return Asking(model, personal, jobs_of(personal, max_workers))


async def _in_thread(work: Callable[[], _Result], stop: Callable[[], None]) -> _Result:
    """What ``work`` gives. Where this is cancelled, ``stop`` is called and its end waited for.

    In a thread of its own: of those that asyncio shares a client may need one to answer, and many
    runs at once would hold them all.
    """
    pool = ThreadPoolExecutor(1)
    done = asyncio.get_running_loop().run_in_executor(pool, work)
    pool.shutdown(wait=False)  # once it has ended
    try:
        await asyncio.wait([done])
    except asyncio.CancelledError:
        stop()
        await asyncio.wait([done])
        done.exception()  # looked at, or asyncio complains of it
        raise
    return done.result()


@dataclass(frozen=True, slots=True)
class _Run:
    """One call of ``process_all_files``, its arguments found to be right."""

    root: Path
    output: Path
    form: str
    file_list: Sequence[str] | None
    environ: Mapping[str, str]
    asking: Asking | None

    def stop(self) -> None:
        """Ask nothing more; what is being written may end."""
        if self.asking is not None:
            self.asking.model.stop()

    def done(self) -> dict[str, Any]:
        """Do it, and tell what came of it."""
        folder = self.output / (self.root.name or "project")
        with _snapshot(self.root, folder, self.file_list, self.environ) as (files, time, failed):
            claim(folder)  # before anything is asked for that could not be kept
            with Cache(folder / CACHE) as cache:
                evaluation, lacking = self._evaluated(files, folder, cache)
                view = make_view(
                    evaluation.survey,
                    cache,
                    titles=evaluation.template.titles,
                    name=folder.name,
                    time=time,
                )
                done = Export(view, folder).write(self.form)
        return {
            "file_count": done.files,
            "dependency_fail_list": sorted(failed),
            "doc_count": done.documents,
            "doc_fail_list": sorted({*lacking, *evaluation.recorded.problems}),
        }

    def _evaluated(
        self, files: Files, folder: Path, cache: Cache
    ) -> tuple[Evaluation, dict[str, str]]:
        """The project with all documents that there are, and why some could not be written."""
        documents = OwnDocuments(folder / CACHE / DOCUMENTS, cache)
        if self.asking is None:
            return documents.evaluated(files), {}
        evaluation, lacking = documents.refreshed(files, self.asking, self.file_list is None)
        for path, reason in sorted(lacking.items()):
            _log.warning("%s: %s", path, reason)
        return evaluation, lacking


@dataclass(frozen=True, eq=False)
class _Chosen:
    """A snapshot of which only some files are seen, and all that is codetwine's own."""

    whole: Files
    files: Mapping[str, str]
    symlinks: frozenset[str]

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        return self.whole.sizes(blobs)

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return self.whole.read(blobs)


@contextmanager
def _snapshot(
    root: Path, output: Path, file_list: Sequence[str] | None, environ: Mapping[str, str]
) -> Iterator[tuple[Files, str, set[str]]]:
    """What is in a folder, when it was committed, and the wanted files that are not there."""
    wanted = None if file_list is None else {_relative(root, path) for path in file_list}
    repo = _repository(root, environ)
    if repo is None:
        found = list_folder(root, [output], _with_own(root, wanted))
        yield found, "", set(found.failed)
        return
    with worktree_snapshot(repo) as snapshot:
        inside = output.relative_to(root).as_posix() if output.is_relative_to(root) else None
        chosen = {
            path: blob
            for path, blob in snapshot.files.items()
            if (wanted is None or path in wanted or path.startswith(".codetwine/"))
            and not (inside and path.startswith(f"{inside}/"))
        }
        missing = (wanted or set()) - chosen.keys()
        yield _Chosen(snapshot, chosen, snapshot.symlinks), commit_time(repo, "HEAD"), missing


def _repository(root: Path, environ: Mapping[str, str]) -> Repository | None:
    """The repository whose work tree a folder is; None for one inside or outside of any."""
    try:
        repo = Repository.open(root, environ)
    except GitError:
        return None
    return repo if repo.root is not None and repo.root.resolve() == root else None


def _with_own(root: Path, wanted: set[str] | None) -> list[str] | None:
    if wanted is None:
        return None
    own = (path for path in (root / ".codetwine").rglob("*") if path.is_file())
    return [*wanted, *(path.relative_to(root).as_posix() for path in own)]


def _relative(root: Path, path: str) -> str:
    """A path of the list as the snapshot names it."""
    name = Path(os.path.normpath(root / path))
    if not name.is_relative_to(root):
        raise CodetwineError(f"{path} is outside of {root}; name files inside")
    return name.relative_to(root).as_posix()
