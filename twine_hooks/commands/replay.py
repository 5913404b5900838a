"""`codetwine replay`: what the documents of a history would have cost."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

import click

from twine_hooks.config import POLICIES
from twine_hooks.git import Mainline, read_mainline
from twine_hooks.parsed import read_template
from twine_hooks.personal import read_personal
from twine_hooks.presentation import as_json
from twine_hooks.providers.characters import Characters
from twine_hooks.replay.pricing import Pricing
from twine_hooks.replay.report import Report
from twine_hooks.replay.run import replay
from twine_hooks.replay.sources import Walk
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened
from twine_hooks.writers import PROVIDERS, Wish, answer_tokens, condensing, model_for

_COMMITS = 100  #: that a person looks at who names no range


@click.command("replay")
@click.argument("range_", metavar="[RANGE]", default="HEAD")
@click.option(
    "-n",
    "--max-count",
    "limit",
    type=click.IntRange(1),
    metavar="N",
    help="The last N commits only; 100 where RANGE is no A..B.",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default=None,
    help="List the commits for this policy, not for that of the settings.",
)
@click.option(
    "--provider", type=click.Choice(PROVIDERS), default=None, help="Who writes the prose."
)
@click.option("--model", default="", metavar="NAME", help="A model by litellm's name of it.")
@click.option("--json", "wants_json", is_flag=True, help="Print everything as JSON.")
@click.pass_obj
def command(
    session: Session,
    range_: str,
    limit: int | None,
    policy: str | None,
    provider: str | None,
    model: str,
    wants_json: bool,
) -> int:
    """Play a history, and tell what its documents would have cost.

    RANGE is A..B, or a commit; HEAD by default. Commits are those of the first parents: a merge is
    one step. Nothing is asked and no document is written. Settings and template are those of the
    work tree.
    """
    with opened(session) as workspace:
        number = limit if limit or ".." in range_ else _COMMITS
        line = read_mainline(workspace.repo, range_, number)
        report = _report(workspace, line, policy, Wish(provider or "", model))
        if line.is_cut:
            click.echo(
                f"this clone is shallow and its history begins at {line.base[:10]}: "
                "`git fetch --unshallow` to look further back",
                err=True,
            )
        if wants_json:
            click.echo(as_json(report.value()))
        else:
            click.echo("\n".join(report.lines(shutil.get_terminal_size((100, 24)).columns)))
        return 0


def _report(workspace: Workspace, line: Mainline, policy: str | None, wish: Wish) -> Report:
    config, cache = workspace.config, workspace.cache
    personal = read_personal(workspace.session.environ)
    model = model_for(personal, config, wish)
    scale = model or Characters()
    limits = scale.limits()  # a model that cannot be measured with says so before anything is done
    template = read_template(workspace.snapshot, config, cache)
    walk = Walk(workspace.repo, line, config, template, cache)
    pricing = Pricing(scale, answer_tokens(personal), condensing(personal, config))
    found = replay(walk, pricing, _progress(len(line.commits)))
    _clear()
    return Report(
        found, policy or config.dependents, model.name if model else "", limits, line.is_cut
    )


def _progress(total: int) -> Callable[[int], None]:
    """Tells in one line of a terminal how far it is."""

    def tell(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{done}/{total} commits", err=True, nl=False)

    return tell


def _clear() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
