"""`codetwine callers`: who uses a symbol or a file."""

from __future__ import annotations

import click

from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import find, nowhere, users
from twine_hooks.symbol_text import as_values, use_line


@click.command("callers")
@click.argument("name")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, name: str, staged: bool, rev: str | None, as_json_: bool) -> int:
    """Print who uses a symbol or a file.

    NAME is a symbol (short, qualified or PATH::NAME) or a file.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        graph = make_symbol_graph(view)
        number = find(graph, name)
        found = users(graph, number)
        if as_json_:
            click.echo(as_values(found))
            return 0
        for one in found:
            click.echo(use_line(one, one.node.path))
        unresolved = nowhere(graph, graph.nodes[number].name)
        if unresolved:
            click.echo(f"and {unresolved} of this name that could not be resolved", err=True)
        return 0
