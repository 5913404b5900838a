"""The view of a repository's snapshot: its name and the time of its commit come from git."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from twine_hooks.errors import GitError
from twine_hooks.git import Repository
from twine_hooks.session import Session
from twine_hooks.view import View, make_view
from twine_hooks.workspace import Workspace, opened


def view_of(workspace: Workspace, rev: str | None = None) -> View:
    """The view of a workspace's snapshot. ``rev`` is the commit, where that is the snapshot."""
    evaluation = workspace.evaluation
    return make_view(
        evaluation.survey,
        workspace.cache,
        titles=evaluation.template.titles,
        name=project_name(workspace.repo),
        time=commit_time(workspace.repo, rev or "HEAD"),
    )


@contextmanager
def viewed(session: Session, *, rev: str | None = None, staged: bool = False) -> Iterator[View]:
    """The view of the work tree, the index (``staged``) or a commit (``rev``)."""
    with opened(session, rev=rev, staged=staged) as workspace:
        yield view_of(workspace, rev)


def project_name(repo: Repository) -> str:
    """The name of the folder that the work tree, or the bare repository, lies in."""
    folder = repo.root if repo.root is not None else repo.common_dir
    name = folder.name.removesuffix(".git")
    return name or folder.parent.name or "project"


def commit_time(repo: Repository, rev: str) -> str:
    """When a commit was made (ISO 8601, UTC); "" where there is none, or a tree was named."""
    try:
        seconds = repo.run(("log", "-1", "--no-show-signature", "--format=%ct", rev, "--"))
    except GitError:
        return ""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
