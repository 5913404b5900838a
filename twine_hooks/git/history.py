"""The commits that led to one, with the files that each touched; judges nothing."""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from twine_hooks.errors import GitError
from twine_hooks.git.repository import Repository

if TYPE_CHECKING:
    from docs_store.cache import Cache

# One process for all. Numbers of lines (--numstat) would take twenty times as long.
_LOG = ("log", "-z", "--no-merges", "--no-renames", "--no-show-signature", "--name-only")
_FORMAT = "--format=%x01%H%x00%ct%x00%aN%x00%s"
_KIND, _VERSION = "history", 1


class Commit(NamedTuple):
    """One commit that is no merge. ``time`` is when it was committed, in seconds since 1970."""

    id: str
    time: int
    author: str
    subject: str
    files: tuple[str, ...]


def commits_to(repo: Repository, rev: str, cache: Cache) -> list[Commit]:
    """The commits that are in ``rev``, merges left out, the newest first; none without commits.

    What the cache knows of them is not read again; a history that was rewritten is.
    """
    try:
        head = repo.run(("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")).decode().strip()
    except GitError:
        return []
    branch = f"{_VERSION} {repo.git_dir}"
    seen, known = _known(cache, branch)
    if seen == head:
        return known
    if seen and _is_ancestor(repo, seen, head):
        found = [*_read(repo, (f"{seen}..{head}",)), *known]
    else:
        found = _read(repo, (head,))
    cache.put(_KIND, branch, marshal.dumps((head, [tuple(one) for one in found])))
    return found


def _known(cache: Cache, branch: str) -> tuple[str, list[Commit]]:
    row = cache.get(_KIND, branch)
    if row is not None:
        with suppress(EOFError, ValueError, TypeError):
            head, commits = marshal.loads(row)
            return head, [Commit._make(one) for one in commits]
    return "", []


def _is_ancestor(repo: Repository, old: str, new: str) -> bool:
    try:
        repo.run(("merge-base", "--is-ancestor", old, new))
    except GitError:
        return False
    return True


def _read(repo: Repository, range_: Iterable[str]) -> list[Commit]:
    raw = repo.run((*_LOG, _FORMAT, *range_, "--")).decode("utf-8", "surrogateescape")
    return [_parsed(part) for part in raw.split("\x01") if part]


def _parsed(part: str) -> Commit:
    id_, time, author, rest = part.split("\0", 3)
    subject, _, names = rest.partition("\0")
    files = tuple(name for name in names.removeprefix("\n").split("\0") if name)
    return Commit(id_, int(time), author, subject, files)
