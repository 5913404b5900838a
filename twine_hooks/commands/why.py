"""`codetwine why`: one document explained."""

from __future__ import annotations

from typing import Any

import click

from twine_hooks.analysis.graph import Graph
from twine_hooks.plan import Task
from twine_hooks.presentation import as_json, counted, reason_value, shown
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened


@click.command("why")
@click.argument("path")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def command(session: Session, path: str, staged: bool, rev: str | None, wants_json: bool) -> int:
    """Explain why a document is stale or fresh, and what it uses.

    PATH is a source, or its doc.md.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        value = _value(workspace, workspace.relative(path))
        click.echo(as_json(value) if wants_json else "\n".join(_lines(value)))
        return 0


def _value(workspace: Workspace, path: str) -> dict[str, Any]:
    evaluation = workspace.evaluation
    graph = evaluation.survey.graph
    task = next((one for one in evaluation.plan().tasks if one.path == path), None)
    used: dict[str, list[str]] = {}
    for file, name in evaluation.used(path) if path in evaluation.inputs else ():
        used.setdefault(file, []).append(name)
    return {
        "path": path,
        "state": _state(task),
        "reasons": [reason_value(reason) for reason in task.reasons] if task else [],
        "policy": evaluation.config.dependents,
        "uses": [{"file": file, "symbols": names} for file, names in used.items()],
        "used_by": [
            {
                "file": file,
                "symbols": sorted({u.symbol for u in graph.of(file).uses if u.target == path}),
            }
            for file in graph.dependents(path)
        ],
        "unresolved": [{"line": one.line, "text": one.text} for one in graph.of(path).unresolved],
    }


def _symbols(graph: Graph, user: str, path: str) -> set[str]:
    """The symbols of ``path`` that another file uses."""
    return {use.symbol for use in graph.of(user).uses if use.target == path}


def _state(task: Task | None) -> str:
    return "fresh" if task is None else {"remove": "orphaned"}.get(task.action, "stale")


def _lines(value: dict[str, Any]) -> list[str]:
    lines = [f"{shown(value['path'])} is {value['state']}"]
    lines += [f"  {reason['text']}" for reason in value["reasons"]]
    lines += ["", f"uses (policy {value['policy']}):" if value["uses"] else "uses no other file"]
    lines += [f"  {_names(one)}" for one in value["uses"]]
    lines += ["", f"used by {counted(len(value['used_by']), 'file')}"]
    lines += [f"  {_names(one)}" for one in value["used_by"]]
    if value["unresolved"]:
        lines += ["", "imports that lead nowhere:"]
        lines += [f"  line {one['line']}: {one['text']}" for one in value["unresolved"]]
    return lines


def _names(one: dict[str, Any]) -> str:
    names = ["everything in it" if name == "*" else name for name in one["symbols"]]
    return f"{shown(one['file'])}: {', '.join(names)}" if names else shown(one["file"])
