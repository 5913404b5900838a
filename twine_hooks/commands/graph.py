"""`codetwine graph`: the dependencies of one snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from twine_hooks.analysis.facts import Edge
from twine_hooks.analysis.graph import Graph
from twine_hooks.markup import diagram_label
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened


@click.command("graph")
@click.option("--level", type=click.Choice(["file", "symbol"]), default="file", show_default=True)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "mermaid"]), default="jsonl", show_default=True
)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.pass_obj
def command(session: Session, level: str, form: str, staged: bool, rev: str | None) -> int:
    """Print the dependencies between files or symbols.

    Needs no set-up: any git repository will do. As jsonl each line is one edge: {"from", "to",
    "kind", "names"} between files, {"from", "to", "name", "lines"} between a file and a symbol.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        for line in _lines(workspace, level, form):
            click.echo(line)
        return 0


def _lines(workspace: Workspace, level: str, form: str) -> Iterator[str]:
    if form == "mermaid":
        return _mermaid(workspace.graph, level)
    return _file_edges(workspace.edges) if level == "file" else _symbol_edges(workspace.graph)


def _file_edges(edges: Mapping[str, Sequence[Edge]]) -> Iterator[str]:
    for path in sorted(edges):
        for edge in edges[path]:
            value = {
                "from": path,
                "to": edge.target,
                "kind": edge.kind,
                "names": list(edge.names),
                "confidence": edge.confidence,
            }
            yield json.dumps(value, ensure_ascii=False)


def _symbol_edges(graph: Graph) -> Iterator[str]:
    for path in sorted(graph.links):
        lines: dict[tuple[str, str], set[int]] = {}
        for use in graph.links[path].uses:
            if use.target != path:
                lines.setdefault((use.target, use.symbol), set()).update(use.lines)
        for (target, name), found in sorted(lines.items()):
            value = {"from": path, "to": target, "name": name, "lines": sorted(found)}
            yield json.dumps(value, ensure_ascii=False)


def _mermaid(graph: Graph, level: str) -> Iterator[str]:
    """A Mermaid flowchart; ids are numbers, so that any file name is safe."""
    pairs: list[tuple[str, str, str]] = []
    for path in sorted(graph.links):
        names: dict[str, set[str]] = {}
        for target in graph.dependencies(path):
            names.setdefault(target, set())
        for use in graph.links[path].uses:
            if use.target in names:
                names[use.target].add(use.symbol)
        pairs += [
            (path, target, ", ".join(sorted(names[target])) if level == "symbol" else "")
            for target in sorted(names)
        ]
    ids = _ids(one for source, target, _ in pairs for one in (source, target))
    yield "graph LR"
    for path, number in ids.items():
        yield f'  n{number}["{diagram_label(path)}"]'
    for source, target, label in pairs:
        arrow = f'-- "{diagram_label(label)}" -->' if label else "-->"
        yield f"  n{ids[source]} {arrow} n{ids[target]}"


def _ids(paths: Iterable[str]) -> dict[str, int]:
    return {path: number for number, path in enumerate(sorted(set(paths)))}
