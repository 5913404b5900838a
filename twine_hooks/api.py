"""Running codetwine from a program: the knowledge of one folder, in a repository or not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_store.cache import Cache
from twine_hooks.errors import CodetwineError, GitError
from twine_hooks.evaluation import evaluate
from twine_hooks.exporting import KNOWLEDGE_FORMATS, Export
from twine_hooks.files import Files
from twine_hooks.folder import list_folder
from twine_hooks.git import Repository, worktree_snapshot
from twine_hooks.places import CACHE
from twine_hooks.project_view import commit_time
from twine_hooks.view import make_view


async def process_all_files(
    project_dir: str | Path,
    output_dir: str | Path,
    llm_client: object | None = None,
    file_list: Sequence[str] | None = None,
    *,
    knowledge_format: str = "",
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Write what is known of a project into ``output_dir``/<name of its folder>/.

    ``file_list`` are the only files to look at, relative to ``project_dir``. The format is that of
    KNOWLEDGE_FORMAT in ``environ`` (the process's by default) unless it is named. Documents are
    those that `codetwine refresh` keeps; ``llm_client`` must be None, since prose is written there.

    Returns {file_count, dependency_fail_list, doc_count, doc_fail_list}; the lists hold paths.
    Raises CodetwineError for a folder that is not there or cannot be written.
    """
    if llm_client is not None:
        raise CodetwineError(
            "process_all_files asks no model; run `codetwine refresh` first, and leave out "
            "llm_client"
        )
    root = Path(project_dir).resolve()
    if not root.is_dir():
        raise CodetwineError(f"{root} is no folder; name the folder of a project")
    used = os.environ if environ is None else environ
    form = knowledge_format or used.get("KNOWLEDGE_FORMAT", "").strip().lower() or "json"
    if form not in KNOWLEDGE_FORMATS:
        raise CodetwineError(f"knowledge_format is {form!r}; use {', '.join(KNOWLEDGE_FORMATS)}")
    return await asyncio.to_thread(
        _process, root, Path(output_dir).resolve(), form, file_list, used
    )


def _process(
    root: Path,
    output: Path,
    form: str,
    file_list: Sequence[str] | None,
    environ: Mapping[str, str],
) -> dict[str, Any]:
    folder = output / (root.name or "project")
    with (
        _snapshot(root, folder, file_list, environ) as (files, time, failed),
        Cache(folder / CACHE) as cache,
    ):
        evaluation = evaluate(files, cache)
        view = make_view(
            evaluation.survey,
            cache,
            titles=evaluation.template.titles,
            name=folder.name,
            time=time,
        )
        done = Export(view, folder).write(form)
        unreadable = sorted(evaluation.recorded.problems)
    return {
        "file_count": done.files,
        "dependency_fail_list": sorted(failed),
        "doc_count": done.documents,
        "doc_fail_list": unreadable,
    }


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
