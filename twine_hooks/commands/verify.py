"""`codetwine verify`: the judge, in hooks and in continuous integration."""

from __future__ import annotations

from typing import Any

import click

from docs_store.leaf import digest_of
from docs_store.tree import build
from twine_hooks.plan import LEAF, Plan, Task
from twine_hooks.presentation import as_json, counted, refused_lines, task_line, task_value
from twine_hooks.recorded import leaf_problem
from twine_hooks.review.annotations import lines_for_actions
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened

_LISTED = 40


@click.command("verify")
@click.option("--staged", is_flag=True, help="Judge the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Judge a commit; needs no work tree.")
@click.option("--root", is_flag=True, help="Print the digest of the whole tree.")
@click.option("--json", "wants_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--annotate", is_flag=True, help="Print annotations for GitHub Actions, too.")
@click.pass_obj
def command(
    session: Session, staged: bool, rev: str | None, root: bool, wants_json: bool, annotate: bool
) -> int:
    """Fail if a document is stale, missing or orphaned; write nothing.

    Needs no key, no model and no network. In a bare repository it judges HEAD. Exit code 1 if
    anything is not as it should be.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        for line in refused_lines(workspace.snapshot.refused):
            click.echo(line, err=True)
        plan = workspace.evaluation.plan()
        digest = root_digest(workspace) if root else ""
        if wants_json:
            click.echo(as_json(_value(plan, digest)))
        else:
            for line in _lines(workspace, plan, digest):
                click.echo(line)
        for line in lines_for_actions(plan.tasks) if annotate else ():
            click.echo(line)
        if plan.is_empty:
            workspace.remember_fresh()
            return 0
        return 1


def root_digest(workspace: Workspace) -> str:
    """The root of the Merkle tree over the leaves that the sources should have."""
    evaluation = workspace.evaluation
    return build({path: digest_of(evaluation.leaf(path)) for path in evaluation.inputs}).root.digest


def _value(plan: Plan, digest: str) -> dict[str, Any]:
    value = {"fresh": plan.fresh, "tasks": [task_value(task) for task in plan.tasks]}
    return value | ({"root": digest} if digest else {})


def _lines(workspace: Workspace, plan: Plan, digest: str) -> list[str]:
    lines = [digest] if digest else []
    if plan.is_empty:
        return [*lines, f"{workspace.snapshot.label}: {counted(plan.fresh, 'document')}, all fresh"]
    lines += [_finding(workspace, task) for task in plan.tasks[:_LISTED]]
    if len(plan.tasks) > _LISTED:
        lines.append(f"… and {len(plan.tasks) - _LISTED} more (codetwine plan)")
    lines.append(
        f"{workspace.snapshot.label}: {counted(len(plan.tasks), 'document')} not up to date, "
        f"{plan.fresh} fresh; run `codetwine refresh` and commit what it writes"
    )
    return lines


def _finding(workspace: Workspace, task: Task) -> str:
    problem = leaf_problem(workspace.snapshot, task.path) if task.action == LEAF else ""
    return f"{task_line(task)}{f' ({problem})' if problem else ''}"
