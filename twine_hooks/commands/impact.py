"""`codetwine impact`: all that a change may touch, and over which way."""

from __future__ import annotations

import click

from twine_hooks.presentation import as_json, counted
from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import find, impact
from twine_hooks.symbol_text import node_value


@click.command("impact")
@click.argument("name", metavar="PATH|NAME")
@click.option("--files", is_flag=True, help="Only the files.")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    session: Session, name: str, files: bool, staged: bool, rev: str | None, as_json_: bool
) -> int:
    """Print everything that a change may touch, with the way there.

    A file or class counts with all that is defined in it.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        graph = make_symbol_graph(view)
        found = impact(graph, find(graph, name))
    if files:
        paths = sorted({one.node.path for one in found})
        click.echo(as_json(paths) if as_json_ else "\n".join(paths))
        return 0
    if as_json_:
        values = [
            {**node_value(one.node), "steps": one.steps, "way": [str(node) for node in one.way]}
            for one in found
        ]
        click.echo(as_json(values))
        return 0
    for one in found:
        click.echo(f"{one.steps}  {one.node}  <- {' <- '.join(map(str, one.way[-2::-1]))}")
    click.echo(counted(len({one.node.path for one in found}), "file"), err=True)
    return 0
