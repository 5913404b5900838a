"""What git itself says of a state, to compare ours with."""

from __future__ import annotations

from collections.abc import Mapping

from tests.repos import Repo
from twine_hooks.git import Repository, Snapshot, worktree_snapshot


def opened(repo: Repo, **environ: str) -> Repository:
    return Repository.open(repo.path, {**repo.environ, **environ})


def tree(repo: Repo, rev: str = "HEAD") -> dict[str, str]:
    """path -> object id of everything in a commit, as `git ls-tree` prints it."""
    entries = repo.git("ls-tree", "-r", "-z", rev).split("\0")[:-1]
    return {path: head.split(" ")[2] for head, _, path in (e.partition("\t") for e in entries)}


def everything(snapshot: Snapshot) -> dict[str, str]:
    listing = snapshot.listing
    return {**listing.files, **listing.symlinks, **listing.submodules}


def contents(snapshot: Snapshot) -> dict[str, bytes]:
    """path -> content of each regular file."""
    found = dict(snapshot.read(snapshot.files.values()))
    return {path: found[blob] for path, blob in snapshot.files.items()}


def inside_git(repo: Repo) -> Mapping[str, bytes]:
    """Every file of the git folder with its content: equal before and after means untouched."""
    folder = repo.path / repo.git("rev-parse", "--git-common-dir").strip()
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def check_worktree(repo: Repo) -> dict[str, str]:
    """Our work tree is what `git add -A && git commit` makes of it, and looking wrote nothing.

    Commits everything; returns the tree of that commit.
    """
    before = inside_git(repo)
    with worktree_snapshot(opened(repo)) as snapshot:
        ours, texts = everything(snapshot), contents(snapshot)
    assert inside_git(repo) == before
    repo.git("add", "-A", "--ignore-errors", check=False)
    repo.commit("all", "--allow-empty")
    assert ours == tree(repo)
    for path, text in texts.items():
        assert text == repo.run("git", "cat-file", "blob", ours[path]).stdout
    return ours
