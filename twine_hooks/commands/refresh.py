"""`codetwine refresh`: bring documents up to date, by hand."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_store.layout import doc_path, leaf_path
from twine_hooks.edited import edits_policy, planned_fates
from twine_hooks.errors import CodetwineError
from twine_hooks.generation.hand_edits import NO_FATES
from twine_hooks.generation.spending import Allowance
from twine_hooks.git import ignored
from twine_hooks.personal import read_personal, unread_lines
from twine_hooks.plan import Task
from twine_hooks.presentation import (
    add_line,
    as_json,
    counted,
    ignored_line,
    plan_lines,
    priced,
    refused_lines,
    result_lines,
    result_value,
    shown,
    skipped_lines,
    task_line,
    task_value,
)
from twine_hooks.session import Session
from twine_hooks.update import Refresh, Result, paths_to_add
from twine_hooks.workspace import Workspace, opened
from twine_hooks.writers import PROVIDERS, Wish, jobs_of, run_within, writer_for

if TYPE_CHECKING:
    from twine_hooks.generation.model_writer import ModelWriter


@click.command("refresh")
@click.argument("paths", nargs=-1)
@click.option("--staged", is_flag=True, help="Document the index, not the work tree.")
@click.option("--all", "all_", is_flag=True, help="Write fresh documents anew, too.")
@click.option("--upgrade", is_flag=True, help="Write those anew that no model wrote.")
@click.option(
    "--provider", type=click.Choice(PROVIDERS), default=None, help="Who writes the prose."
)
@click.option("--model", default="", metavar="NAME", help="A model by litellm's name of it.")
@click.option("--max-calls", type=click.IntRange(0), metavar="N", help="Stop after N calls.")
@click.option("--max-cost", type=click.FloatRange(0), metavar="USD", help="Stop at this price.")
@click.option("--max-seconds", type=click.FloatRange(0), metavar="S", help="Stop after this time.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Ask about N files at once.")
@click.option("--dry-run", is_flag=True, help="Print the plan and do nothing.")
@click.option("--json", "wants_json", is_flag=True, help="Print what was done as JSON.")
@click.pass_obj
def command(
    session: Session,
    paths: tuple[str, ...],
    staged: bool,
    all_: bool,
    upgrade: bool,
    provider: str | None,
    model: str,
    max_calls: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    jobs: int | None,
    dry_run: bool,
    wants_json: bool,
) -> int:
    """Bring the documents up to date.

    PATHS are sources or folders; all by default. What is done is what `codetwine plan` prints.
    Documents are written into the work tree and never staged. Exit code 1 if a document could not
    be written, or a model failed and the outline stands in for it.

    A model writes where --model or LLM_MODEL names one; key and address come from LLM_API_KEY and
    LLM_API_BASE, or from ~/.config/codetwine/config.yaml.
    """
    allowance = Allowance(max_calls, max_cost, max_seconds)
    with opened(session, staged=staged) as workspace:
        refused = refused_lines(workspace.snapshot.refused)
        for line in (*unread_lines(session.environ, workspace.config), *refused):
            click.echo(line, err=True)
        writer = writer_for(workspace, Wish(provider or "", model, allowance))
        if upgrade and writer is None:
            raise CodetwineError("--upgrade needs a model: set LLM_MODEL, or use --model")
        plan = workspace.evaluation.plan(workspace.chosen(paths), all_, upgrade)
        if dry_run:
            fates = planned_fates(workspace, plan, has_model=writer is not None)
            tasks = [task_value(one, fates.get(one.path, NO_FATES)) for one in plan.tasks]
            click.echo(as_json(tasks) if wants_json else "\n".join(plan_lines(plan, fates)))
            return 0
        with workspace.lock():
            many = jobs_of(read_personal(session.environ), jobs) if writer else 1
            edits = edits_policy(workspace)
            run = Refresh(workspace.evaluation, workspace.root, writer, staged, many, edits)
            tell = _Bar(len(plan.tasks), writer) if sys.stderr.isatty() else _tell
            result = run_within(run, plan, allowance, tell)
            if isinstance(tell, _Bar):
                tell.clear()
        click.echo(_json(workspace, result) if wants_json else _report(workspace, result))
        return 1 if result.held or result.failed or result.left or result.outlined else 0


def _tell(task: Task) -> None:
    click.echo(task_line(task), err=True)


class _Bar:
    """Progress in one line of a terminal: documents, calls, tokens, price so far, time left."""

    def __init__(self, total: int, writer: ModelWriter | None) -> None:
        self._total, self._writer = total, writer
        self._done = 0
        self._start = time.monotonic()

    def __call__(self, task: Task) -> None:
        filled = 20 * self._done // max(1, self._total)
        parts = [f"{self._done}/{self._total}", *self._spent(), shown(task.path)]
        line = f"[{'#' * filled}{'.' * (20 - filled)}] {', '.join(parts)}"
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r\x1b[K{line[:width]}", err=True, nl=False)
        self._done += 1

    def clear(self) -> None:
        click.echo("\r\x1b[K", err=True, nl=False)

    def _spent(self) -> list[str]:
        if self._writer is None:
            return []
        spending = self._writer.spending
        tokens = (spending.prompt_tokens + spending.answer_tokens) // 1000
        parts = [f"{counted(spending.calls, 'call')}, {tokens}k tokens{priced(spending.cost)}"]
        if self._done:
            left = (time.monotonic() - self._start) / self._done * (self._total - self._done)
            parts.append(f"{left:.0f} s left" if left < 120 else f"{left / 60:.0f} min left")
        return parts


def _json(workspace: Workspace, result: Result) -> str:
    from twine_hooks.truth import truth_on_disk

    told = truth_on_disk(workspace.evaluation, workspace.root, result.asked)
    return as_json(result_value(result, told))


def _report(workspace: Workspace, result: Result) -> str:
    lines = [*skipped_lines(workspace.evaluation.survey.skipped), *result_lines(result)]
    paths = paths_to_add(result, Path(workspace.root))
    if paths:
        lines.append(f"to commit them: {add_line(paths, workspace.shell_folder)}")
        files = [file for path in result.touched for file in (doc_path(path), leaf_path(path))]
        rules = ignored(workspace.repo, files)
        lines += [ignored_line(path, rule) for path, rule in list(rules.items())[:1]]
    return "\n".join(lines)
