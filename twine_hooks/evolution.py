"""What a history says of files: how often, by whom, with what else they change; asks no git.

Time is counted back from the newest commit, so that the same history gives the same numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import NamedTuple, Protocol

HALF_LIFE = 365 * 86400  #: seconds after which a change counts half
_LARGEST = 30  #: files of a commit that still says what belongs together
LEAST_SUPPORT = 3  #: commits that two files must share
_FIX = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bug(?:s|fix(?:es)?)?|defects?|regressions?|crash(?:e[sd])?)\b", re.I
)
#: What a subject says that mends nothing but comments and words.
_WORDS_ONLY = re.compile(
    r"\b(?:typos?|spelling|misspell\w*|grammar|docstrings?)\b"
    r"|\bcomments?(?=\s*(?:$|[.,;:)]|\b(?:about|for|in|of|on|to)\b))",
    re.I,
)
#: Change with nearly everything and say nothing.
_NOISE = re.compile(
    r"(?:^|/)(?:[^/]*[.-]lock(?:\.json|\.yaml)?|package-lock\.json|go\.sum|npm-shrinkwrap\.json"
    r"|change(?:s|log)[^/]*|news[^/]*|history\.(?:md|rst|txt)|release[-_]?notes[^/]*)$",
    re.I,
)
_NO_CODE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|docs?)/|(?:^|/)test_[^/]*$|[._-](?:test|spec)s?\.[^/.]+$"
    r"|Tests?\.(?:java|kt|cs)$|_test\.go$|\.(?:md|rst|txt|adoc)$",
    re.I,
)


class Change(Protocol):
    """What is needed of a commit (``twine_hooks.git.Commit``)."""

    @property
    def time(self) -> int: ...

    @property
    def author(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def files(self) -> tuple[str, ...]: ...


class Past(NamedTuple):
    """The past of one file. ``last`` is in seconds since 1970, ``churn`` counts newer ones more."""

    path: str
    commits: int
    authors: tuple[str, ...]  #: those with the most commits first
    last: int
    fixes: int
    churn: float

    @property
    def fix_share(self) -> float:
        """The part of the commits that repair something."""
        return self.fixes / self.commits


class Together(NamedTuple):
    """A file that changes together with another one.

    ``score``: shared commits, newer and smaller ones more. ``from_file``: how often a change of
    the file asked for brings one of this; ``to_file``: the reverse.
    """

    path: str
    score: float
    support: int
    from_file: float
    to_file: float


class Hotspot(NamedTuple):
    """A source that is large or complex and changes often: percentiles from 0 to 1."""

    path: str
    score: float
    size: int
    size_rank: float
    churn: float
    churn_rank: float


def is_fix(change: Change) -> bool:
    """Whether a commit repairs code: by a whole word, and by more than tests and documents.

    That it touches comments only is believed to its subject: to read each version of each file
    would take a hundred times as long.
    """
    if not _FIX.search(change.subject) or _WORDS_ONLY.search(change.subject):
        return False
    return any(not _NO_CODE.search(path) for path in change.files)


def pasts(changes: Sequence[Change], paths: Iterable[str]) -> list[Past]:
    """The past of each path that has one, those with the most commits first."""
    wanted = set(paths)
    now = newest(changes)
    authors: dict[str, Counter[str]] = {}
    last: Counter[str] = Counter()
    fixes: Counter[str] = Counter()
    churn: dict[str, float] = {}
    for one in changes:
        repairs, weight = is_fix(one), decay(now - one.time)
        for path in wanted.intersection(one.files):
            authors.setdefault(path, Counter())[one.author] += 1
            last[path] = max(last[path], one.time)
            fixes[path] += repairs
            churn[path] = churn.get(path, 0.0) + weight
    found = [
        Past(
            path,
            by.total(),
            tuple(sorted(by, key=lambda name: (-by[name], name))),
            last[path],
            fixes[path],
            churn[path],
        )
        for path, by in authors.items()
    ]
    return sorted(found, key=lambda one: (-one.commits, one.path))


def together(
    changes: Sequence[Change], path: str, least_support: int = LEAST_SUPPORT
) -> list[Together]:
    """What changes together with a file, the most telling first.

    Commits of more than 30 files are left out, lock files and changelogs too. The score is the
    support that decays with a half-life of a year, each commit divided by log2(files + 1).
    """
    now = newest(changes)
    counts: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    scores: dict[str, float] = {}
    for one in changes:
        files = [name for name in one.files if not _NOISE.search(name)]
        if len(files) > _LARGEST:
            continue
        counts.update(files)
        if path in files:
            weight = decay(now - one.time) / log2(len(files) + 1)
            for other in files:
                if other != path:
                    shared[other] += 1
                    scores[other] = scores.get(other, 0.0) + weight
    found = [
        Together(other, scores[other], times, times / counts[path], times / counts[other])
        for other, times in shared.items()
        if times >= least_support
    ]
    return sorted(found, key=lambda one: (-round(one.score, 12), one.path))


def hotspots(changes: Sequence[Change], sizes: Mapping[str, int]) -> list[Hotspot]:
    """Sources by the product of the percentiles of their size and of their decayed churn."""
    churn = dict.fromkeys(sizes, 0.0) | {one.path: one.churn for one in pasts(changes, sizes)}
    by_size, by_churn = sorted(sizes.values()), sorted(churn.values())
    found = []
    for path, size in sizes.items():
        ranks = _percentile(by_size, size), _percentile(by_churn, churn[path])
        if churn[path]:
            found.append(Hotspot(path, ranks[0] * ranks[1], size, ranks[0], churn[path], ranks[1]))
    return sorted(found, key=lambda one: (-round(one.score, 12), one.path))


def newest(changes: Sequence[Change]) -> int:
    """The time of the newest commit; 0 without any."""
    return max((one.time for one in changes), default=0)


def decay(age: int) -> float:
    """What a change of that age in seconds counts."""
    return float(0.5 ** (max(age, 0) / HALF_LIFE))


def _percentile(ordered: Sequence[float], value: float) -> float:
    """The part of all values that are smaller, equal ones counted half."""
    below, upto = bisect_left(ordered, value), bisect_right(ordered, value)
    return (below + upto) / 2 / len(ordered)
