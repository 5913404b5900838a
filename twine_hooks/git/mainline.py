"""A history as people landed it: the commits of one line, each with what it changed.

A merge is one step: what it changed is told against its first parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twine_hooks.errors import GitError
from twine_hooks.git.listing import Listing, unknown_rev
from twine_hooks.git.program import call_git
from twine_hooks.git.repository import Repository

# One process for all commits. Settings of the person must not change what is counted.
_LOG = (
    *("log", "-z", "--first-parent", "--diff-merges=first-parent", "--no-show-signature"),
    *("--no-renames", "--no-ext-diff", "--no-textconv", "--diff-algorithm=default"),
)
_ENTRIES = ("--raw", "--no-abbrev", "--format=%H%x00%P%x00%s")
_LINES = ("--numstat", "--format=%x00%H")
_GONE = "000000"


class Entry(NamedTuple):
    """A path that a commit changed, with its mode and object id afterwards."""

    path: str
    mode: str  #: "000000" where the path is gone
    object_id: str


class Landed(NamedTuple):
    """One commit of the line."""

    id: str
    parents: tuple[str, ...]
    subject: str
    entries: tuple[Entry, ...]


class Mainline(NamedTuple):
    """The commits after ``base``, the oldest first. ``is_cut``: a shallow clone ends at the base,
    though more was asked for."""

    base: str
    commits: tuple[Landed, ...]
    is_cut: bool


def read_mainline(repo: Repository, range_: str, limit: int | None) -> Mainline:
    """The main line of a range: `A..B`, or the last commits that led to `B`.

    At most the last ``limit`` commits; None is without limit. A line that begins with the first
    commit of the history has that one as its base. Raises GitError.
    """
    if "..." in range_:
        raise GitError(f"{range_} has two ends; name it as `A..B`, or a commit with -n")
    start, dots, end = range_.rpartition("..")
    head = _commit(repo, end or "HEAD")
    wanted = [head, f"^{_commit(repo, start or 'HEAD')}"] if dots else [head]
    number = [] if limit is None else [f"-n{limit}"]
    raw = repo.run((*_LOG, *_ENTRIES, "--reverse", *number, *wanted, "--"))
    commits = list(_parsed(raw.decode("utf-8", "surrogateescape")))
    if not commits:
        return Mainline(head, (), False)
    if commits[0].parents:
        return Mainline(commits[0].parents[0], tuple(commits), False)
    is_shallow = (repo.common_dir / "shallow").exists()
    is_short = limit is None or len(commits) < limit
    return Mainline(commits[0].id, tuple(commits[1:]), is_shallow and is_short)


def lines_changed(
    repo: Repository, line: Mainline, ends: Iterable[str]
) -> dict[str, dict[str, int]]:
    """By commit and path the lines added and removed, of the files whose names have one of these
    ends: no other is read. Raises GitError."""
    if not line.commits:
        return {}
    range_ = (line.commits[-1].id, f"^{line.base}")
    paths = sorted(f":(glob)**/*{end}" for end in ends)
    raw = repo.run((*_LOG, *_LINES, *range_, "--", *paths)).decode("utf-8", "surrogateescape")
    found: dict[str, dict[str, int]] = {}
    counts: dict[str, int] = {}
    for token in raw.split("\0"):
        added, tab, rest = token.removeprefix("\n").partition("\t")
        if tab:
            removed, _, path = rest.partition("\t")
            counts[path] = sum(int(one) for one in (added, removed) if one != "-")
        elif added:
            counts = found.setdefault(added, {})
    return found


def landed_on(listing: Listing, commit: Landed) -> Listing:
    """The listing after a commit, given the one before it."""
    kinds = {
        "100": dict(listing.files),
        "120": dict(listing.symlinks),
        "160": dict(listing.submodules),
    }
    for one in commit.entries:
        for found in kinds.values():
            found.pop(one.path, None)
        if one.mode != _GONE:
            kinds[one.mode[:3]][one.path] = one.object_id
    return Listing(kinds["100"], kinds["120"], kinds["160"], frozenset())


def _commit(repo: Repository, rev: str) -> str:
    if rev.startswith("-"):
        raise unknown_rev(repo, rev)
    args = ("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
    done = call_git(args, cwd=repo.cwd, environ=repo.environ)
    if done.returncode:
        raise unknown_rev(repo, rev)
    return done.stdout.decode().strip()


def _parsed(raw: str) -> Iterator[Landed]:
    """The commits, told apart by what must come next: a subject or a path may look like anything.

    `<id>`, `<parents>`, `<subject>`, then `:<modes and ids>` and `<path>` of each change.
    """
    tokens = iter(raw.split("\0"))
    token = next(tokens)
    while token:
        id_, parents, subject = token, next(tokens), next(tokens)
        entries: list[Entry] = []
        for token in tokens:
            token = token.removeprefix("\n")
            if token.startswith(":"):
                _, mode, _, object_id, _ = token.split(" ")
                entries.append(Entry(next(tokens), mode, object_id))
            elif token:
                break
        else:
            token = ""
        yield Landed(id_, tuple(parents.split()), subject, tuple(entries))
