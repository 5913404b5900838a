"""`codetwine chain`: the ways over uses from one symbol to another."""

from __future__ import annotations

import click

from twine_hooks.presentation import as_json
from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import find, shortest_ways, simple_ways


@click.command("chain")
@click.argument("start", metavar="FROM")
@click.argument("end", metavar="TO")
@click.option("--all", "all_", is_flag=True, help="Longer ways too, that meet nothing twice.")
@click.option("--max-length", type=click.IntRange(1, 100), default=6, show_default=True)
@click.option("--max-paths", type=click.IntRange(1), default=50, show_default=True)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    session: Session,
    start: str,
    end: str,
    all_: bool,
    max_length: int,
    max_paths: int,
    staged: bool,
    rev: str | None,
    as_json_: bool,
) -> int:
    """Print the ways over uses from one symbol to another.

    All shortest ways from FROM to TO; exit code 1 if there is none. With --all every way of at
    most --max-length steps. Never more than --max-paths.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        graph = make_symbol_graph(view)
        ends = find(graph, start), find(graph, end)
        if all_:
            ways = simple_ways(graph, *ends, max_length, max_paths)
        else:
            ways = shortest_ways(graph, *ends, max_paths)
        named = [[str(graph.nodes[one]) for one in way] for way in ways]
        if as_json_:
            click.echo(as_json(named))
        for way in () if as_json_ else named:
            click.echo(" -> ".join(way))
        return 0 if ways else 1
