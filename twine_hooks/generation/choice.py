"""Which documents of a plan are written at all, and which at the same time. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from twine_hooks.generation.spending import Allowance
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import WRITE, Plan, Task
from twine_hooks.providers.model import Limits

_FIRST = frozenset({"new", "source", "damaged", "moved"})  #: reasons that are about the file itself


def affordable(
    plan: Plan,
    estimates: Mapping[str, Estimate],
    allowance: Allowance,
    prices: Limits,
    dependents: Callable[[str], int],
) -> tuple[Plan, list[tuple[str, str]]]:
    """The part of a plan that stays within the allowance, and (source, limit) for the rest.

    What needs no model is always done. Of the others, changed files come first, then those that
    most others use. The order of the plan stays.
    """
    calls, cost = 0, 0.0
    left: dict[str, str] = {}
    for task in sorted(plan.tasks, key=lambda task: _rank(task, dependents)):
        estimate = estimates.get(task.path, Estimate()) if task.action == WRITE else Estimate()
        if not estimate.calls:
            continue
        price = prices.price(estimate.prompt_tokens, estimate.answer_tokens) or 0.0
        if allowance.max_calls is not None and calls + estimate.calls > allowance.max_calls:
            left[task.path] = f"the limit of {allowance.max_calls} calls is reached"
        elif allowance.max_cost is not None and cost + price > allowance.max_cost:
            left[task.path] = f"the limit of ${allowance.max_cost:.2f} is reached"
        else:
            calls, cost = calls + estimate.calls, cost + price
    chosen = tuple(task for task in plan.tasks if task.path not in left)
    ordered = [(task.path, left[task.path]) for task in plan.tasks if task.path in left]
    return Plan(chosen, plan.fresh), ordered


def _rank(task: Task, dependents: Callable[[str], int]) -> tuple[bool, int, str]:
    is_own = any(reason.kind in _FIRST for reason in task.reasons)
    return (not is_own, -dependents(task.path), task.path)


def levels(tasks: Sequence[Task], uses: Callable[[str], Collection[str]]) -> list[tuple[Task, ...]]:
    """The tasks in groups to be done one after the other; within a group no file uses another.

    A document is written from the summaries of what it uses, so the groups are such that each
    finds the same summaries as in a run of one task after the other.
    """
    level: dict[str, int] = {}
    used_by: dict[str, int] = {}  # the lowest level at which a file that earlier ones use may be
    for task in tasks:
        others = [one for one in uses(task.path) if one != task.path]
        own = max([used_by.get(task.path, 0), *(level[one] + 1 for one in others if one in level)])
        level[task.path] = own
        for one in others:
            if one not in level:
                used_by[one] = max(used_by.get(one, 0), own + 1)
    groups: dict[int, list[Task]] = {}
    for task in tasks:
        groups.setdefault(level[task.path], []).append(task)
    return [tuple(groups[one]) for one in sorted(groups)]
