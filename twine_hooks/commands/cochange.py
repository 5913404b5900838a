"""`codetwine cochange`: what changes together with a file."""

from __future__ import annotations

import click

from twine_hooks.errors import CodetwineError
from twine_hooks.evolution import LEAST_SUPPORT, together
from twine_hooks.git import commits_to
from twine_hooks.presentation import as_json, shown
from twine_hooks.session import Session
from twine_hooks.workspace import opened


@click.command("cochange")
@click.argument("path")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--min-support", type=click.IntRange(1), default=LEAST_SUPPORT, show_default=True)
@click.option("--rev", metavar="REV", help="Look at the history of a commit, not of HEAD.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(
    session: Session, path: str, limit: int, min_support: int, rev: str | None, as_json_: bool
) -> int:
    """Print what changes together with a file.

    With the commits that they share, how often a change of PATH brings one of theirs (->) and the
    reverse (<-), and a mark for those that no dependency joins.
    """
    with opened(session, rev=rev) as workspace:
        name = workspace.folder(path)
        present = workspace.snapshot.files
        if name not in present:
            raise CodetwineError(
                f"{path} is no file of {workspace.snapshot.label}; check the spelling"
            )
        commits = commits_to(workspace.repo, rev or "HEAD", workspace.cache)
        found = [one for one in together(commits, name, min_support) if one.path in present]
        graph = workspace.evaluation.survey.graph
        joined = {*graph.dependencies(name), *graph.dependents(name)}
    if as_json_:
        values = [
            {
                "path": one.path,
                "score": round(one.score, 6),
                "support": one.support,
                "confidence": round(one.from_file, 4),
                "confidence_back": round(one.to_file, 4),
                "has_dependency": one.path in joined,
            }
            for one in found[:limit]
        ]
        click.echo(as_json(values))
        return 0
    for one in found[:limit]:
        mark = "" if one.path in joined else "  no dependency"
        click.echo(
            f"{one.score:7.3f}  {one.support:4} times  -> {one.from_file:4.0%}  "
            f"<- {one.to_file:4.0%}  {shown(one.path)}{mark}"
        )
    return 0
