"""`codetwine history`: commits, authors, last change and share of fixes by file."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from twine_hooks.errors import CodetwineError
from twine_hooks.evolution import Past, pasts
from twine_hooks.files import is_own
from twine_hooks.git import commits_to
from twine_hooks.presentation import as_json, counted, shown
from twine_hooks.session import Session
from twine_hooks.workspace import opened


@click.command("history")
@click.argument("path", default="")
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True)
@click.option("--rev", metavar="REV", help="Look at the history of a commit, not of HEAD.")
@click.option("--json", "as_json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(session: Session, path: str, limit: int, rev: str | None, as_json_: bool) -> int:
    """Print commits, authors, last change and share of fixes by file.

    Of the files at or below PATH, those with the most commits first. Merges count for nothing, and
    a file is followed by its name only.
    """
    with opened(session, rev=rev) as workspace:
        folder = workspace.folder(path)
        files = [
            one
            for one in workspace.snapshot.files
            if not is_own(one) and (not folder or f"{one}/".startswith(f"{folder}/"))
        ]
        if path and not files:
            raise CodetwineError(
                f"{path} is no file and no folder of {workspace.snapshot.label}; check the spelling"
            )
        found = pasts(commits_to(workspace.repo, rev or "HEAD", workspace.cache), files)[:limit]
    if as_json_:
        click.echo(as_json([_value(one) for one in found]))
        return 0
    for one in found:
        authors = counted(len(one.authors), "author")
        click.echo(
            f"{one.commits:5}  {_day(one.last)}  {one.fix_share:4.0%} fixes  "
            f"{authors:<11}  {shown(one.path)}"
        )
    return 0


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _value(one: Past) -> dict[str, object]:
    return {
        "path": one.path,
        "commits": one.commits,
        "authors": one.authors,
        "last_change": datetime.fromtimestamp(one.last, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "fixes": one.fixes,
        "fix_share": round(one.fix_share, 4),
        "churn": round(one.churn, 4),
    }
