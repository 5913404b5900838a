"""`codetwine rank`: which symbols or files matter most."""

from __future__ import annotations

import click

from twine_hooks.importance import METHODS, ranked
from twine_hooks.presentation import as_json
from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_text import node_value


@click.command("rank")
@click.option("--by", type=click.Choice(list(METHODS)), default="katz", show_default=True)
@click.option("--level", type=click.Choice(["symbol", "file"]), default="symbol", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    session: Session,
    by: str,
    level: str,
    limit: int,
    staged: bool,
    rev: str | None,
    as_json_: bool,
) -> int:
    """Print which symbols or files matter most.

    Each with its share of all; private names count a tenth.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        found, converged = ranked(make_symbol_graph(view), by, level)
    if as_json_:
        values = [{**node_value(one.node), "score": round(one.score, 9)} for one in found[:limit]]
        click.echo(as_json({"by": by, "converged": converged, "ranked": values}))
        return 0
    for one in found[:limit]:
        click.echo(f"{one.score * 100:7.3f} %  {one.node}")
    if not converged:
        click.echo("the scores did not come to rest; they are near", err=True)
    return 0
