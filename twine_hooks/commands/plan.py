"""`codetwine plan`: what a refresh would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from twine_hooks.edited import edits_policy, planned_fates
from twine_hooks.generation.hand_edits import NO_FATES, Fates
from twine_hooks.generation.writer import Estimate
from twine_hooks.plan import Plan
from twine_hooks.presentation import (
    as_json,
    estimate_line,
    estimate_value,
    plan_lines,
    task_value,
)
from twine_hooks.providers.model import Limits
from twine_hooks.session import Session
from twine_hooks.update import Refresh
from twine_hooks.workspace import Workspace, opened
from twine_hooks.writers import PROVIDERS, Wish, writer_for


@click.command("plan")
@click.argument("paths", nargs=-1)
@click.option("--staged", is_flag=True, help="Plan for the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Plan for a commit.")
@click.option("--all", "all_", is_flag=True, help="Plan to write fresh documents anew, too.")
@click.option("--upgrade", is_flag=True, help="Plan to write those anew that no model wrote.")
@click.option(
    "--provider", type=click.Choice(PROVIDERS), default=None, help="Who writes the prose."
)
@click.option("--model", default="", metavar="NAME", help="A model by litellm's name of it.")
@click.option("--json", "wants_json", is_flag=True, help="Print the plan as JSON.")
@click.pass_obj
def command(
    session: Session,
    paths: tuple[str, ...],
    staged: bool,
    rev: str | None,
    all_: bool,
    upgrade: bool,
    provider: str | None,
    model: str,
    wants_json: bool,
) -> int:
    """Show what refresh would do, with reasons, calls and tokens.

    The documents stand in the order in which they are written: dependencies first. Where a model
    writes them, calls and tokens are those of one that answers well; prices are US dollars.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        plan = workspace.evaluation.plan(workspace.chosen(paths), all_, upgrade)
        bill = _bill(workspace, plan, Wish(provider or "", model))
        fates = planned_fates(workspace, plan, has_model=bill is not None)
        value = _value(plan, bill, fates)
        click.echo(as_json(value) if wants_json else "\n".join(_lines(plan, bill, fates)))
        return 0


@dataclass(frozen=True, slots=True)
class _Bill:
    """Estimates by source, and the prices of the model."""

    estimates: Mapping[str, Estimate]
    limits: Limits

    def price(self, estimate: Estimate) -> float | None:
        return self.limits.price(estimate.prompt_tokens, estimate.answer_tokens)

    @property
    def total(self) -> Estimate:
        return sum(self.estimates.values(), Estimate())


def _bill(workspace: Workspace, plan: Plan, wish: Wish) -> _Bill | None:
    """What the plan would take of a model; None where the outline writes."""
    writer = writer_for(workspace, wish)
    if writer is None:
        return None
    edits = edits_policy(workspace)
    run = Refresh(workspace.evaluation, workspace.repo.cwd, writer, edits=edits)
    return _Bill(run.estimates(plan), writer.model.limits())


def _lines(plan: Plan, bill: _Bill | None, fates: Mapping[str, Fates]) -> list[str]:
    lines = plan_lines(plan, fates)
    return lines if bill is None else [*lines, estimate_line(bill.total, bill.price(bill.total))]


def _value(plan: Plan, bill: _Bill | None, fates: Mapping[str, Fates]) -> dict[str, Any]:
    tasks = []
    for task in plan.tasks:
        value = task_value(task, fates.get(task.path, NO_FATES))
        if bill is not None:
            estimate = bill.estimates.get(task.path, Estimate())
            value |= estimate_value(estimate, bill.price(estimate))
        tasks.append(value)
    total = {} if bill is None else estimate_value(bill.total, bill.price(bill.total))
    return {"fresh": plan.fresh, **total, "tasks": tasks}
