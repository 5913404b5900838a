"""From a range of commits to a review: opens two snapshots and compares; renders nothing."""

from __future__ import annotations

import json
from pathlib import Path

from twine_hooks.errors import GitError, ReviewError
from twine_hooks.evaluation import evaluate
from twine_hooks.git import Repository
from twine_hooks.review.compare import compare
from twine_hooks.review.model import Review, review_from
from twine_hooks.session import Session
from twine_hooks.workspace import opened

_MOST = 30_000_000  #: bytes of a review in a file


def review_of(session: Session, range_: str) -> Review:
    """What a range means for the documents: `BASE..HEAD`, `BASE...HEAD` from where both started,
    or `BASE` against the work tree. HEAD against the work tree by default. Raises GitError.
    """
    base, head = _ends(session, range_)
    with opened(session, rev=head) as after, opened(session, rev=base) as before:
        # Neither is what the next hook looks at, so no state is kept of them.
        one = evaluate(after.snapshot, after.cache)
        other = evaluate(before.snapshot, before.cache, one.state(before.cache))
        return compare(other, one, (base, head or "the work tree"), after.cache)


def _ends(session: Session, range_: str) -> tuple[str, str | None]:
    base, dots, head = range_.partition("...")
    if dots:
        base = _merge_base(session, base or "HEAD", head or "HEAD")
    else:
        base, dots, head = range_.partition("..")
    is_bare = Repository.open(session.cwd, session.environ).root is None
    if not dots and not head and is_bare:
        raise GitError("there is no work tree to compare with; name BASE..HEAD")
    return base or "HEAD", (head or "HEAD") if dots else None


def _merge_base(session: Session, one: str, other: str) -> str:
    for rev in (one, other):
        if rev.startswith("-"):
            raise GitError(f"{rev!r} names no commit; name BASE...HEAD")
    repo = Repository.open(session.cwd, session.environ)
    try:
        return repo.run(("merge-base", one, other)).decode().strip()
    except GitError as error:
        raise GitError(
            f"{one} and {other} share no commit in this clone; fetch more of both ({error})"
        ) from None


def read_review(file: Path) -> Review:
    """The review in a file of `codetwine diff --format json`, whoever wrote it. ReviewError."""
    try:
        if file.stat().st_size > _MOST:
            raise ReviewError(f"{file} is too long for a review; make it anew")
        value = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReviewError(f"{file}: {error.strerror}; check the path") from None
    except (ValueError, RecursionError):
        raise ReviewError(f"{file} is no JSON; make it with `codetwine diff --format json`") from (
            None
        )
    return review_from(value)
