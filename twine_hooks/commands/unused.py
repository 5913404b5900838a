"""`codetwine unused`: definitions that nobody refers to, and what makes that uncertain."""

from __future__ import annotations

import click

from twine_hooks.presentation import as_json, counted
from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import unused
from twine_hooks.symbol_text import node_value


@click.command("unused")
@click.option("--certain", is_flag=True, help="Only those without a reason for doubt.")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON, doubtful ones too.")
@click.pass_obj
def command(session: Session, certain: bool, staged: bool, rev: str | None, as_json_: bool) -> int:
    """Print the definitions that nobody refers to.

    Each with what makes that uncertain: it is public, decorated, may override…
    """
    with viewed(session, rev=rev, staged=staged) as view:
        found = unused(make_symbol_graph(view), view.facts)
    if as_json_:
        click.echo(as_json([{**node_value(one.node), "doubts": one.doubts} for one in found]))
        return 0
    for one in found:
        if not (certain and one.doubts):
            doubts = f"  ({'; '.join(one.doubts)})" if one.doubts else ""
            click.echo(f"{one.node.path}:{one.node.start_line}  {one.node.qualified}{doubts}")
    doubtful = sum(bool(one.doubts) for one in found)
    if doubtful and certain:
        click.echo(f"and {counted(doubtful, 'doubtful one')}", err=True)
    return 0
