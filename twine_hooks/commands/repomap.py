"""`codetwine repomap`: the signatures that matter most, within a budget."""

from __future__ import annotations

import click

from twine_hooks.project_view import view_of
from twine_hooks.repomap import repomap
from twine_hooks.session import Session
from twine_hooks.workspace import opened


@click.command("repomap")
@click.option("--max-tokens", type=click.IntRange(50), default=2000, show_default=True)
@click.option(
    "--focus", metavar="PATH", multiple=True, help="What matters to these files or folders."
)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.pass_obj
def command(
    session: Session, max_tokens: int, focus: tuple[str, ...], staged: bool, rev: str | None
) -> int:
    """Print the signatures that matter most, within a budget.

    With --focus those that matter to some files or folders.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        chosen = workspace.chosen(focus)
        view = view_of(workspace, rev)
        around = [path for path in view.sources if chosen is not None and chosen(path)]
        click.echo(repomap(view, max_tokens, around), nl=False)
    return 0
