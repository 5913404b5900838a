"""What git lists: the entries of the index and of commits, raw and parsed; reads no content.

A raw listing is the output of `git ls-files -s -z`: `<mode> <object id> <stage>\\t<path>\\0` for
each entry, sorted by path. Paths are decoded as UTF-8 with surrogateescape, so that any name
survives the way back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from twine_hooks.errors import GitError
from twine_hooks.git.program import call_git
from twine_hooks.git.repository import Repository


class Listing:
    """A parsed listing: path -> object id by kind; unmerged paths are in none of the three."""

    def __init__(
        self,
        files: Mapping[str, str],
        symlinks: Mapping[str, str],
        submodules: Mapping[str, str],
        unmerged: frozenset[str],
    ) -> None:
        self.files = files
        self.symlinks = symlinks
        self.submodules = submodules
        self.unmerged = unmerged

    def __len__(self) -> int:
        """How many paths are merged."""
        return len(self.files) + len(self.symlinks) + len(self.submodules)


def index_listing(repo: Repository) -> bytes:
    """The raw listing of the index that GIT_INDEX_FILE names, expanded if it is sparse.

    Entries of `git add -N` are in it, as empty files; `index_snapshot` leaves them out. GitError
    where there is no work tree.
    """
    return repo.run(("ls-files", "-s", "-z"), cwd=repo.work_tree)


def tree_listing(repo: Repository, rev: str) -> bytes:
    """The raw listing of the tree of a commit; GitError if the revision is not here."""
    if rev.startswith("-"):
        raise unknown_rev(repo, rev)
    args = ("ls-tree", "-r", "-z", "--full-tree", rev)
    done = call_git(args, cwd=repo.cwd, environ=repo.environ)
    if done.returncode:
        raise unknown_rev(repo, rev)
    return re.sub(rb"(?<![^\0])(\d{6}) [a-z]+ ([0-9a-f]+)(?=\t)", rb"\1 \2 0", done.stdout)


def head_listing(repo: Repository) -> bytes:
    """The raw listing of HEAD; empty if there is no commit yet."""
    args = ("rev-parse", "--verify", "--quiet", "HEAD")
    if call_git(args, cwd=repo.cwd, environ=repo.environ).returncode:
        return b""
    return tree_listing(repo, "HEAD")


def parse_listing(raw: bytes) -> Listing:
    """Split a raw listing into regular files, symlinks, submodules and unmerged paths."""
    entries = raw.decode("utf-8", "surrogateescape").split("\0")[:-1]
    # All object ids of a repository have one length, so nearly all entries are cut at fixed places.
    after = len(entries[0].partition("\t")[0]) + 1 if entries else 0
    end = after - 3
    mark = " 0\t"
    files = {
        entry[after:]: entry[7:end]
        for entry in entries
        if entry[end:after] == mark and entry[:3] == "100"
    }
    symlinks: dict[str, str] = {}
    submodules: dict[str, str] = {}
    unmerged: set[str] = set()
    kinds = {"100": files, "120": symlinks, "160": submodules}
    others = [entry for entry in entries if entry[end:after] != mark or entry[:3] != "100"]
    for entry in others:
        head, _, path = entry.partition("\t")
        mode, object_id, stage = head.split(" ")
        if stage == "0":
            kinds[mode[:3]][path] = object_id
        else:
            unmerged.add(path)
    return Listing(files, symlinks, submodules, frozenset(unmerged))


def changed_entries(old: bytes, new: bytes) -> tuple[Listing, Listing]:
    """What two raw listings do not share: the entries only in `old`, and those only in `new`.

    A path in both has changed its content, kind or mode.
    """
    before, after = set(old.split(b"\0")), set(new.split(b"\0"))
    return parse_listing(_join(before - after)), parse_listing(_join(after - before))


def _join(entries: set[bytes]) -> bytes:
    in_order = sorted(entries - {b""}, key=lambda entry: entry.partition(b"\t")[2])
    return b"".join(entry + b"\0" for entry in in_order)


def unknown_rev(repo: Repository, rev: str) -> GitError:
    """The error for a revision that is not here, with what to do."""
    if (repo.common_dir / "shallow").exists():
        step = "this clone is shallow: `git fetch --unshallow`, or check the name"
    elif rev == "HEAD":
        step = _instead_of_head(repo)
    else:
        step = "fetch it, or check the name"
    return GitError(f"{rev!r} names no commit in {repo.cwd}; {step}")


def _instead_of_head(repo: Repository) -> str:
    """What to name where HEAD leads nowhere, as in a bare clone whose branch has another name."""
    args = ("for-each-ref", "--count=1", "--format=%(refname:short)", "refs/heads", "refs/remotes")
    branch = call_git(args, cwd=repo.cwd, environ=repo.environ).stdout.decode("utf-8", "replace")
    if branch:
        return f"name another one: --rev {branch.strip()}"
    return "there is no commit yet: make one, or fetch"
