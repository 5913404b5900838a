"""`codetwine cycles`: what depends on each other in a circle."""

from __future__ import annotations

import click

from twine_hooks.presentation import as_json
from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import cycles, file_cycles


@click.command("cycles")
@click.option("--level", type=click.Choice(["file", "symbol"]), default="file", show_default=True)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, level: str, staged: bool, rev: str | None, as_json_: bool) -> int:
    """Print what uses each other in a circle.

    Files or symbols, the largest group first.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        if level == "file":
            groups = [list(group) for group in file_cycles(view.dependencies)]
        else:
            groups = [[str(one) for one in group] for group in cycles(make_symbol_graph(view))]
    if as_json_:
        click.echo(as_json(groups))
        return 0
    for group in groups:
        click.echo(f"{len(group)}: {', '.join(group)}")
    return 0
