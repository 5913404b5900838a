"""The commits that led to one, with the files that each touched; judges nothing."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from twine_hooks.errors import GitError
from twine_hooks.git.mailmap import names_by
from twine_hooks.git.repository import Repository

if TYPE_CHECKING:
    from docs_store.cache import Cache

# One process for all. Numbers of lines (--numstat) would take twenty times as long. The options
# say the same whatever a person's settings are.
_LOG = (
    *("log", "-z", "--no-merges", "--name-only", "--no-renames", "--root", "--no-relative"),
    *("--no-show-signature", "--no-color", "--no-mailmap", "--ignore-submodules=none"),
    *("--encoding=UTF-8", "--format=%x01%H%x00%ct%x00%an%x00%ae%x00%s"),
)
# The whole of it: names, subjects and paths may hold any sign but NUL, that of a start as well.
_COMMIT = re.compile(
    r"(?<![^\0])\x01([0-9a-f]{40,64})\0(-?\d+)\0([^\0]*)\0([^\0]*)\0([^\0]*)(?:\0|\Z)"
)
_KIND, _VERSION = "history", 2
_MAILMAP = ".mailmap"


class _Row(NamedTuple):
    """What git says of a commit."""

    id: str
    time: int
    name: str
    address: str
    subject: str
    files: tuple[str, ...]


class Commit(NamedTuple):
    """One commit that is no merge. ``time`` is when it was committed, in seconds since 1970.

    ``author`` is the name that the mailmap of the commit asked for gives.
    """

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
    name_of = names_by(_mailmap(repo, head))
    return [
        Commit(id_, time, name_of(name, address), subject, files)
        for id_, time, name, address, subject, files in _rows(repo, head, cache)
    ]


def _rows(repo: Repository, head: str, cache: Cache) -> list[_Row]:
    branch = f"{_VERSION} {repo.git_dir}"
    seen, known = _known(cache, branch)
    if seen == head:
        return known
    if seen and _is_ancestor(repo, seen, head):
        found = [*_read(repo, f"{seen}..{head}"), *known]
    else:
        found = _read(repo, head)
    # git's own order depends on what is read at once.
    found.sort(key=lambda one: (-one.time, one.id))
    cache.put(_KIND, branch, marshal.dumps((head, [tuple(one) for one in found])))
    return found


def _known(cache: Cache, branch: str) -> tuple[str, list[_Row]]:
    row = cache.get(_KIND, branch)
    if row is not None:
        with suppress(EOFError, ValueError, TypeError):
            head, commits = marshal.loads(row)
            return head, [_Row._make(one) for one in commits]
    return "", []


def _mailmap(repo: Repository, head: str) -> str:
    """The mailmap of a commit; "" where it has none."""
    try:
        raw = repo.run(("cat-file", "blob", f"{head}:{_MAILMAP}"))
    except GitError:
        return ""
    return raw.decode("utf-8", "replace")


def _is_ancestor(repo: Repository, old: str, new: str) -> bool:
    try:
        repo.run(("merge-base", "--is-ancestor", old, new))
    except GitError:
        return False
    return True


def _read(repo: Repository, range_: str) -> list[_Row]:
    raw = repo.run((*_LOG, range_, "--")).decode("utf-8", "surrogateescape")
    return list(_parsed(raw))


def _parsed(raw: str) -> Iterator[_Row]:
    starts = list(_COMMIT.finditer(raw))
    for found, following in zip_longest(starts, starts[1:]):
        id_, time, name, address, subject = found.groups()
        end = following.start() if following else len(raw)
        names = raw[found.end() : end].removeprefix("\n").split("\0")
        files = tuple(sorted(one for one in names if one))
        yield _Row(id_, int(time), name, address, subject, files)
