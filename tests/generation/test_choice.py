"""Which documents come first when not all can be written, and which are written together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from twine_hooks.generation.choice import affordable, levels
from twine_hooks.generation.spending import Allowance
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import Plan, Reason, Task
from twine_hooks.providers.model import Limits


def task(path: str, kind: str = "source", action: str = "write") -> Task:
    return Task(path, action, (Reason(kind, path),))


_DEPENDENTS = [task(path, "uses") for path in "abe"]
PLAN = Plan((*_DEPENDENTS[:2], task("c"), task("d", action="leaf"), _DEPENDENTS[2]), 7)
ESTIMATES = {path: Estimate(1, 100, 10) for path in "abce"}
DEPENDENTS = {"a": 1, "b": 5, "c": 0, "d": 0, "e": 2}


def chosen(**allowance) -> tuple[str, str]:
    limits = Limits(prompt_price=0.01, answer_price=0.1)
    plan, left = affordable(PLAN, ESTIMATES, Allowance(**allowance), limits, DEPENDENTS.get)
    return "".join(one.path for one in plan.tasks), "".join(path for path, _ in left)


def test_changed_files_come_before_dependents_and_those_by_how_many_use_them():
    assert chosen(max_calls=1) == ("cd", "abe")
    assert chosen(max_calls=2) == ("bcd", "ae")
    assert chosen(max_calls=3) == ("bcde", "a")
    assert chosen(max_calls=4) == ("abcde", "")
    assert chosen() == ("abcde", "")


def test_a_price_is_a_limit_as_well():
    assert chosen(max_cost=1.99) == ("d", "abce")
    assert chosen(max_cost=4.5) == ("bcd", "ae")


def test_what_is_known_already_costs_nothing():
    plan, left = affordable(PLAN, {}, Allowance(max_calls=0), Limits(), DEPENDENTS.get)
    assert (plan, left) == (PLAN, [])


def paths(groups) -> list[str]:
    return ["".join(one.path for one in group) for group in groups]


def test_files_that_do_not_use_each_other_are_written_together():
    uses = {"a": "", "b": "a", "c": "a", "d": "bc", "e": ""}
    assert paths(levels([task(one) for one in "abcde"], uses.get)) == ["ae", "bc", "d"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_each_finds_the_summaries_that_it_would_find_one_by_one(edges):
    order = "abcdefgh"
    uses = {one: [order[b] for a, b in edges if order[a] == one] for one in order}
    groups = paths(levels([task(one) for one in order], uses.get))
    assert sorted("".join(groups)) == list(order)
    at = {path: number for number, group in enumerate(groups) for path in group}
    for one in order:
        for other in uses[one]:
            if other != one:
                assert (at[other] < at[one]) == (order.index(other) < order.index(one))
                assert at[other] != at[one]
