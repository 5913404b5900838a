"""Plays a history: for each commit and each policy the plan, and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from twine_hooks.config import POLICIES
from twine_hooks.errors import CodetwineError
from twine_hooks.git import Landed
from twine_hooks.plan import COPY, MOVE, REMOVE, RENDER, WRITE, Task
from twine_hooks.replay.bill import Bill
from twine_hooks.replay.bound import Bound
from twine_hooks.replay.documents import Doc, Documents
from twine_hooks.replay.pricing import Pricing, lines_between, lines_in
from twine_hooks.replay.sources import Sources, Walk

_HEADER = 1  #: line of a document that differs whenever any of it does
_COUNTED = {
    WRITE: Bill(written=1),
    RENDER: Bill(rendered=1),
    MOVE: Bill(moved=1),
    COPY: Bill(moved=1),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: how many sources and lines of these it changed, and by policy what it costs."""

    commit: str
    subject: str
    sources: int
    source_lines: int
    bills: Mapping[str, Bill]


@dataclass(frozen=True, slots=True)
class Replay:
    """A history: what it takes to begin with all documents, then what each commit takes."""

    set_up: Step
    steps: tuple[Step, ...]

    def total(self, policy: str) -> Bill:
        """What all commits take together, the set-up left out."""
        return sum((one.bills[policy] for one in self.steps), Bill())

    @property
    def sources(self) -> int:
        return sum(one.sources for one in self.steps)

    @property
    def source_lines(self) -> int:
        return sum(one.source_lines for one in self.steps)


def replay(
    walk: Walk, pricing: Pricing, progress: Callable[[int], None] = lambda done: None
) -> Replay:
    """Play a history. ``progress`` is told how many commits are done. Raises CodetwineError."""
    tracks = [Documents(policy) for policy in POLICIES]
    found = walk.sources()
    before = next(found)
    bills = {one.policy: _set_up(one, before, pricing) for one in tracks}
    set_up = Step(walk.line.base, "", len(before.state.rows), 0, bills)
    steps = []
    lines = walk.lines()
    for number, (commit, now) in enumerate(zip(walk.line.commits, found, strict=True)):
        progress(number)
        steps.append(_step(commit, before, now, tracks, pricing, lines.get(commit.id, {})))
        before = now
    if not before.state.rows and not any(one.sources for one in steps):
        raise CodetwineError(
            f"there is no source up to {(steps or [set_up])[-1].commit[:10]}; name another range, "
            "or see `codetwine languages`"
        )
    return Replay(set_up, tuple(steps))


def _set_up(track: Documents, now: Sources, pricing: Pricing) -> Bill:
    bill = _do(track, now, None, pricing)
    return bill + Bill(least_calls=bill.written)


def _step(
    commit: Landed,
    before: Sources,
    now: Sources,
    tracks: Sequence[Documents],
    pricing: Pricing,
    lines: Mapping[str, int],
) -> Step:
    bound = Bound(before, now)
    bills = {
        one.policy: _do(one, now, before, pricing) + Bill(least_calls=bound.least_calls(one.policy))
        for one in tracks
    }
    paths = [one.path for one in commit.entries if one.path in now or one.path in before]
    changed = sum(lines.get(path, 0) for path in paths)
    return Step(commit.id, commit.subject, len(paths), changed, bills)


def _do(track: Documents, now: Sources, before: Sources | None, pricing: Pricing) -> Bill:
    """Make the plan for a commit, say what it takes, and take it as done."""
    plan, inputs = track.plan(now, before)
    moving = {task.origin for task in plan.tasks if task.action in (MOVE, WRITE)}
    bill = Bill()
    docs: dict[str, Doc] = {}
    ahead: set[str] = set()
    for task in plan.tasks:
        if task.action == REMOVE:
            if task.path not in moving:
                bill += Bill(removed=1, doc_lines=_HEADER + lines_in(track.docs[task.path].body))
            continue
        docs[task.path] = _done(task, track, now, pricing)
        bill += _COUNTED[task.action] + Bill(doc_lines=_lines(task, track, docs[task.path]))
        if task.action == WRITE:
            if not track.is_remembered(task.path, inputs[task.path]):
                bill += _asked(task, track, now, ahead, pricing)
            ahead.add(task.path)
    track.take(plan, inputs, docs)
    return bill


def _done(task: Task, track: Documents, now: Sources, pricing: Pricing) -> Doc:
    """The document after a task."""
    present = track.present(task)
    if task.action == WRITE or present is None:
        blob = now.evaluation.snapshot.files[task.path]
        return Doc(blob, *pricing.text(now, task.path, track.policy))
    return Doc(present.blob, *pricing.text(now, task.path, track.policy, present.prose))


def _lines(task: Task, track: Documents, doc: Doc) -> int:
    """The lines that a task adds and removes; what moves is compared with what it was."""
    present = track.docs.get(task.path) if task.action == COPY else track.present(task)
    if present is None:
        return _HEADER + lines_in(doc.body)
    return 2 * _HEADER + lines_between(present.body, doc.body)


def _asked(task: Task, track: Documents, now: Sources, ahead: set[str], pricing: Pricing) -> Bill:
    """The call that a task takes."""
    present = track.present(task)
    estimate = pricing.estimate(
        now,
        task,
        track.policy,
        present.blob if present else "",
        lambda path: path in track.docs or path in ahead,
    )
    if estimate is None:
        return Bill(too_long=1)
    return Bill(
        calls=estimate.calls,
        prompt_tokens=estimate.prompt_tokens,
        answer_tokens=estimate.answer_tokens,
        asked=(task.path,),
    )
