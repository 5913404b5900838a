"""What commit is under way, what is not staged, and staging it; knows no document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from twine_hooks.errors import GitError
from twine_hooks.git.program import LITERAL_PATHSPECS, call_git, join_paths, split_paths
from twine_hooks.git.repository import Repository

CommitKind = Literal["plain", "all", "partial", "other"]

# Up to this many paths git looks at these alone; beyond, matching each of them costs more than
# listing all.
_FEW = 100


class Unstaged(NamedTuple):
    """Paths whose work tree is not what is staged: edited (deleted, in a conflict), untracked.

    An ignored file that is not in the index counts as untracked. `pinned` are those that git was
    told to take for unchanged (assume-unchanged, skip-worktree): whatever they hold, `git add`
    passes them over in silence.
    """

    edited: frozenset[str]
    untracked: frozenset[str]
    pinned: frozenset[str] = frozenset()


def commit_kind(repo: Repository) -> CommitKind:
    """What kind of commit a hook runs in, by the name of the index that git gave it.

    `plain` is `git commit` (also: no commit at all), `all` is `commit -a` and `commit -i`,
    `partial` is `commit -- path`: its index is thrown away, and what is staged there comes back
    reverted. `other` is an index of somebody's own.
    """
    name = repo.index_file.name
    if repo.index_file.parent != repo.git_dir:
        return "other"
    if name.startswith("next-index-"):
        return "partial"
    return {"index": "plain", "index.lock": "all"}.get(name, "other")  # type: ignore[return-value]


def staged_differs(repo: Repository, paths: Iterable[str]) -> Unstaged:
    """Which of these paths have content in the work tree that is not in the index.

    Content counts, not time stamps, and it is git that compares. A folder where a file was asked
    for counts as untracked. GitError where there is no work tree.
    """
    asked = frozenset(paths)
    few = sorted(asked) if len(asked) <= _FEW else []
    options = (
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=no",
        "--ignore-submodules=all",
    )
    states = split_paths(repo.run(("status", *options, "--", *_raw(few)), extra=LITERAL_PATHSPECS))
    # "T path": T is a small letter where git takes the file for unchanged, S where it skips it.
    listed = split_paths(repo.run(("ls-files", "-vz", "--", *_raw(few)), extra=LITERAL_PATHSPECS))
    tags = {entry[2:]: entry[0] for entry in listed}
    # "XY path": Y is how the work tree differs from the index.
    edited = frozenset(state[3:] for state in states if state[1] != " ")
    unknown = asked.difference(tags)
    skips = "" if _is_sparse(repo) else "S"
    return Unstaged(
        edited=edited & asked,
        untracked=frozenset(path for path in unknown if _exists(repo, path)),
        pinned=frozenset(
            path for path in asked & tags.keys() if tags[path].islower() or tags[path] == skips
        ),
    )


def stage(repo: Repository, paths: Iterable[str], gone: Iterable[str] = ()) -> None:
    """Stage these paths, deletions too, into the index that GIT_INDEX_FILE names.

    `gone` are to leave the index, whatever is on the disk: with core.ignoreCase, git takes a new
    file for an old one of another case, and stages it under the old name while that is known.
    GitError if git refuses one, for example because it is new and ignored. In a `partial` commit,
    don't.
    """
    leaving = sorted(set(gone))
    asked = sorted(set(paths).difference(leaving))
    if leaving:
        repo.run(("update-index", "--force-remove", "-z", "--stdin"), input=join_paths(leaving))
    if not asked:
        return
    try:
        _add(repo, asked)
    except GitError:
        # Git complains of what it tracks, too, where a rule ignores the folder around it.
        tracked = set(split_paths(repo.run(("ls-files", "-z"))))
        if any(path not in tracked and _exists(repo, path) for path in asked):
            raise
        _add(repo, [path for path in asked if path in tracked], "--force")


def _add(repo: Repository, paths: Sequence[str], *options: str) -> None:
    if not paths:
        return  # to git, no path is every path
    # Documents are committed although a sparse checkout leaves out their folder.
    sparse = ("--sparse",) if _is_sparse(repo) else ()
    repo.run(
        ("add", "-A", *options, *sparse, "--pathspec-from-file=-", "--pathspec-file-nul"),
        input=join_paths(paths),
        extra=LITERAL_PATHSPECS,
    )


def ignored(repo: Repository, paths: Iterable[str]) -> dict[str, str]:
    """Which of these paths git ignores, and by which rule: path -> "file:line: pattern".

    What is in the index is never ignored. Nothing is said of a path behind a symbolic link.
    """
    asked = sorted(set(paths))
    args = ("check-ignore", "-v", "-z", "--stdin")
    done = call_git(args, cwd=repo.work_tree, environ=repo.environ, input=join_paths(asked))
    parts = iter(split_paths(done.stdout))
    return {
        path: f"{file}:{line}: {pattern}"
        for file, line, pattern, path in zip(parts, parts, parts, parts, strict=True)
        if not pattern.startswith("!")
    }


def _is_sparse(repo: Repository) -> bool:
    return (repo.git_dir / "info" / "sparse-checkout").exists()


def _raw(paths: Iterable[str]) -> list[bytes]:
    return [path.encode("utf-8", "surrogateescape") for path in paths]


def _exists(repo: Repository, path: str) -> bool:
    return os.path.lexists(repo.work_tree / path)
