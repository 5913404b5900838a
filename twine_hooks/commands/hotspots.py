"""`codetwine hotspots`: the sources that are large and change often."""

from __future__ import annotations

import click

from twine_hooks.chunks import complexity
from twine_hooks.evolution import hotspots
from twine_hooks.git import commits_to
from twine_hooks.presentation import as_json, shown
from twine_hooks.project_view import view_of
from twine_hooks.session import Session
from twine_hooks.workspace import opened


@click.command("hotspots")
@click.option("--by", type=click.Choice(["size", "complexity"]), default="size", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--rev", metavar="REV", help="Look at a commit and its history, not at HEAD.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, by: str, limit: int, rev: str | None, as_json_: bool) -> int:
    """Print the files that are large and change often.

    By the product of two percentiles: size (lines, or the complexity that the words of the code
    tell) and changes, of which newer ones count more.
    """
    with opened(session, rev=rev) as workspace:
        commits = commits_to(workspace.repo, rev or "HEAD", workspace.cache)
        view = view_of(workspace, rev)
        if by == "size":
            sizes = {path: view.facts[path].lines for path in view.sources}
        else:
            view.load(view.sources)
            sizes = {path: complexity("\n".join(view.lines(path))) for path in view.sources}
        found = hotspots(commits, sizes)[:limit]
    if as_json_:
        values = [{**one._asdict(), "score": round(one.score, 6)} for one in found]
        click.echo(as_json(values))
        return 0
    for one in found:
        click.echo(
            f"{one.score:5.2f}  {by} {one.size} ({one.size_rank:.0%})  "
            f"changes {one.churn:.1f} ({one.churn_rank:.0%})  {shown(one.path)}"
        )
    return 0
