"""Which nodes of a graph matter most: Katz and PageRank over weighted edges; knows no code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

_TOLERANCE = 1e-10
_ROUNDS = 1000
_DAMPING = 0.85
_NEAR = 1e-4  #: lambda-max need not be exact, since alpha keeps away from its bound
#: Of the largest alpha with which Katz' sum is finite.
_SHARE = 0.5


class Ranks(NamedTuple):
    """A score per node (they add up to 1), and whether the iteration came to rest."""

    scores: tuple[float, ...]
    converged: bool


Edges = Sequence[tuple[int, int, float]]  #: (user, used, weight): the used gains


def katz(nodes: int, edges: Iterable[tuple[int, int, float]]) -> Ranks:
    """Katz centrality (Katz 1953) with alpha = 0.5 / lambda-max.

    A fixed alpha diverges on dense graphs. Without a circle lambda-max is 0 and the sum is finite
    for each alpha: the bound that the largest sum of a row gives is used then.
    """
    listed = list(edges)
    alpha = _SHARE / max(largest_eigenvalue(nodes, listed), _least(nodes, listed))
    scores = [1.0] * nodes
    for _ in range(_ROUNDS):
        following = [1.0] * nodes
        for source, target, weight in listed:
            following[target] += alpha * weight * scores[source]
        rest = _difference(scores, following)
        scores = following
        if rest < _TOLERANCE:
            return Ranks(_shares(scores), True)
    return Ranks(_shares(scores), False)


def _least(nodes: int, edges: Edges) -> float:
    """What stands for lambda-max where the iteration finds next to none."""
    incoming = [0.0] * nodes
    for _, target, weight in edges:
        incoming[target] += weight
    return max(sqrt(max(incoming, default=0.0)), 1e-6)


def largest_eigenvalue(nodes: int, edges: Edges) -> float:
    """The largest eigenvalue of the matrix of weights, by power iteration; 0 without circles.

    The matrix is shifted by 1, so that the iteration rests on graphs with two sides, too.
    """
    if not nodes:
        return 0.0
    vector = [1.0 / sqrt(nodes)] * nodes
    found = 0.0
    for _ in range(_ROUNDS):
        following = list(vector)
        for source, target, weight in edges:
            following[target] += weight * vector[source]
        length = sqrt(sum(one * one for one in following))
        vector = [one / length for one in following]
        if abs(length - found) < _NEAR * length:
            return max(length - 1.0, 0.0)
        found = length
    return max(found - 1.0, 0.0)


def pagerank(
    nodes: int, edges: Iterable[tuple[int, int, float]], start: Sequence[float] | None = None
) -> Ranks:
    """PageRank (Brin, Page 1998) with a damping of 0.85; nodes that use nothing give to all.

    ``start`` are the shares of the nodes where walks begin, all equal by default.
    """
    listed = list(edges)
    outgoing = [0.0] * nodes
    for source, _, weight in listed:
        outgoing[source] += weight
    flow = [(source, target, weight / outgoing[source]) for source, target, weight in listed]
    begin = _shares(start if start and sum(start) else [1.0] * nodes)
    scores = list(begin)
    for _ in range(_ROUNDS):
        lost = sum(score for score, out in zip(scores, outgoing, strict=True) if not out)
        following = [(1 - _DAMPING + _DAMPING * lost) * one for one in begin]
        for source, target, share in flow:
            following[target] += _DAMPING * share * scores[source]
        rest = _difference(scores, following)
        scores = following
        if rest < _TOLERANCE:
            return Ranks(_shares(scores), True)
    return Ranks(_shares(scores), False)


def _difference(before: Sequence[float], after: Sequence[float]) -> float:
    """The largest change of a score, as a part of the largest score."""
    largest = max(after, default=1.0)
    return max((abs(a - b) for a, b in zip(before, after, strict=True)), default=0.0) / largest


def _shares(scores: Sequence[float]) -> tuple[float, ...]:
    total = sum(scores) or 1.0
    return tuple(one / total for one in scores)
