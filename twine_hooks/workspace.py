"""A repository with the snapshot that a command asked for, and the cache beside it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from docs_store.cache import Cache
from docs_store.digest import short
from docs_store.layout import DOCS
from docs_store.lock import Lock
from docs_store.store import sweep
from twine_hooks.analysis.facts import Edge
from twine_hooks.analysis.graph import Graph, without_collection
from twine_hooks.config import Config
from twine_hooks.errors import CodetwineError
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.fastpath import remember
from twine_hooks.git import (
    Repository,
    Snapshot,
    index_listing,
    index_snapshot,
    rev_snapshot,
    worktree_snapshot,
)
from twine_hooks.parsed import read_config
from twine_hooks.session import Session
from twine_hooks.state import load, save
from twine_hooks.survey import Survey, edges_of, make_survey


class Workspace:
    """One snapshot of one repository."""

    def __init__(
        self,
        session: Session,
        repo: Repository,
        snapshot: Snapshot,
        cache: Cache,
        listing: bytes | None = None,
    ) -> None:
        self.session = session
        self.repo = repo
        self.snapshot = snapshot
        self.cache = cache
        self.listing = listing  #: the raw listing of the index, where that is the snapshot

    @property
    def config(self) -> Config:
        """The settings of the snapshot, without looking at anything else in it."""
        return read_config(self.snapshot, self.cache)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The snapshot held against its documents. Refuses a snapshot with merge conflicts."""
        if self.snapshot.unmerged:
            first = sorted(self.snapshot.unmerged)[0]
            raise CodetwineError(
                f"{first} is in a merge conflict; resolve it, `git add` it and run again"
            )
        with without_collection():
            evaluation = evaluate(self.snapshot, self.cache, load(self._state_file))
            if not evaluation.is_as_before:
                save(self._state_file, evaluation.state(self.cache))
        return evaluation

    @cached_property
    def graph(self) -> Graph:
        """The dependencies of the snapshot, without a look at any document."""
        return self.survey.graph

    @cached_property
    def survey(self) -> Survey:
        """The facts and links of the snapshot, without a look at any document."""
        return make_survey(self.snapshot, self.config, self.cache)

    @cached_property
    def edges(self) -> Mapping[str, tuple[Edge, ...]]:
        """The edges of the graph alone, which are found sooner."""
        return edges_of(self.snapshot, self.config, self.cache)

    @property
    def _state_file(self) -> Path:
        return state_folder(self.repo) / f"state-{short(str(self.repo.git_dir))}"

    def remember_fresh(self) -> None:
        """Note that the index is fresh, so that the next hook need not look at it again."""
        # What `git add -N` announced looks like an empty file that is staged, but is not there yet.
        if self.listing is not None and len(self.snapshot.listing) == self.listing.count(b"\0"):
            remember(str(state_folder(self.repo)), self.listing)

    @property
    def root(self) -> Path:
        """The top of the work tree."""
        return self.repo.work_tree

    @property
    def is_initialised(self) -> bool:
        """Whether the snapshot has settings or any document."""
        return any(path.startswith(".codetwine/") for path in self.snapshot.files)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """One writer at a time in all work trees of a repository.

        What a killed one left half written is swept away first.
        """
        with Lock(state_folder(self.repo)) as lock:
            if lock.after_kill:
                sweep(self.root)
            yield

    def chosen(self, paths: Sequence[str]) -> Callable[[str], bool] | None:
        """Whether a source is among the paths and folders that a person named; None for all."""
        if not paths:
            return None
        named = [self._relative(path) for path in paths]
        sources = {*self.evaluation.inputs, *self.evaluation.recorded.headers}
        for text, name in zip(paths, named, strict=True):
            if not any(_is_at_or_below(one, name) for one in sources):
                raise CodetwineError(
                    f"{text} is no source and no folder with sources{self._why(name)}"
                )
        return lambda path: any(_is_at_or_below(path, name) for name in named)

    def relative(self, path: str) -> str:
        """A source as a person names it, relative to the root of the repository."""
        name = self._relative(path)
        if name in self.evaluation.inputs or name in self.evaluation.recorded.headers:
            return name
        raise CodetwineError(f"{path} has no document{self._why(name)}")

    def folder(self, path: str) -> str:
        """A folder as a person names it, relative to the root of the repository; "" for all."""
        return self._relative(path) if path else ""

    @property
    def shell_folder(self) -> str:
        """The folder below the root in which a person types, "" for the root itself.

        git runs hooks and aliases in the root, and says by GIT_PREFIX where it was called.
        """
        below = _below(self.root, self.session.cwd)
        prefix = self.session.environ.get("GIT_PREFIX", "").rstrip("/")
        if not below and prefix and (self.root / prefix).is_dir():
            return prefix
        return below or ""

    def _relative(self, path: str) -> str:
        root = self.repo.root
        if root is None:
            name = posixpath.normpath(path)
        else:
            whole = Path(posixpath.normpath((self.session.cwd / path).as_posix()))
            below = _below(root, whole)
            if below is None:
                raise CodetwineError(f"{path} is outside of {root}; name a path inside")
            name = below
        name = "" if name == "." else name  # without a work tree
        if name.startswith(DOCS + "/"):
            name = name.removeprefix(DOCS + "/")
            name = name.removesuffix("/doc.md").removesuffix("/leaf.twine")
        return name

    def _why(self, name: str) -> str:
        for one in self.evaluation.survey.skipped:
            if one.path == name:
                return f": {one.reason}"
        if name in self.snapshot.files:
            return ": no language that codetwine knows has such names"
        return f" in {self.snapshot.label}; check the spelling"


def _below(root: Path, path: Path) -> str | None:
    """A path relative to the root, "" for the root; None outside. git resolves links in the root,
    a person may have come through one."""
    for one in (path, Path(os.path.realpath(path))):
        if one == root:
            return ""
        if one.is_relative_to(root):
            return one.relative_to(root).as_posix()
    return None


def _is_at_or_below(path: str, name: str) -> bool:
    return not name or path == name or path.startswith(name + "/")


def state_folder(repo: Repository) -> Path:
    """Where cache, lock and journal lie: shared by all work trees, never committed."""
    return repo.common_dir / "codetwine"


@contextmanager
def opened(
    session: Session,
    *,
    rev: str | None = None,
    staged: bool = False,
    listing: bytes | None = None,
) -> Iterator[Workspace]:
    """The work tree, the index (``staged``) or a commit (``rev``); HEAD in a bare repository."""
    repo = Repository.open(session.cwd, session.environ)
    if staged and listing is None and repo.root is None:
        raise CodetwineError(
            f"{repo.git_dir} has no index here; leave out --staged, or go to the work tree"
        )
    if listing is None and staged and rev is None and repo.root is not None:
        listing = index_listing(repo)
    with _snapshot(repo, rev, listing) as snapshot, Cache(state_folder(repo)) as cache:
        yield Workspace(session, repo, snapshot, cache, listing)


def _snapshot(repo: Repository, rev: str | None, listing: bytes | None) -> Snapshot:
    if rev is not None or repo.root is None:
        return rev_snapshot(repo, rev or "HEAD")
    return worktree_snapshot(repo) if listing is None else index_snapshot(repo, listing)
