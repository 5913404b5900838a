"""`codetwine callees`: what a symbol or a file uses."""

from __future__ import annotations

import click

from twine_hooks.project_view import viewed
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.symbol_queries import find, uses
from twine_hooks.symbol_text import as_values, use_line


@click.command("callees")
@click.argument("name")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, name: str, staged: bool, rev: str | None, as_json_: bool) -> int:
    """Print what a symbol or a file uses.

    NAME is a symbol (short, qualified or PATH::NAME) or a file.
    """
    with viewed(session, rev=rev, staged=staged) as view:
        graph = make_symbol_graph(view)
        node = graph.nodes[find(graph, name)]
        found = uses(graph, graph.ids[node.path, node.qualified])
        if as_json_:
            click.echo(as_values(found))
            return 0
        for one in found:
            click.echo(use_line(one, node.path))
        inside = [
            one
            for one in graph.unresolved.get(node.path, ())
            if node.start_line <= one.line <= node.end_line
        ]
        for text, line in inside:
            click.echo(f"unresolved  {node.path}:{line}  {text}", err=True)
        return 0
