"""`codetwine resolve`: settle what a merge left in conflict among the documents."""

from __future__ import annotations

import click

from docs_store.layout import ROOT
from twine_hooks.config import CONFIG_PATH
from twine_hooks.errors import CodetwineError
from twine_hooks.evaluation import evaluate
from twine_hooks.git import Repository, index_listing, stage, unmerged_sides
from twine_hooks.presentation import counted, shown
from twine_hooks.resolution import OURS, THEIRS, Resolution, Settled
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened


@click.command("resolve")
@click.pass_obj
def command(session: Session) -> int:
    """Settle documents and leaves that are in a merge conflict, and stage them.

    Leaves are rebuilt. Of a document our text is kept, with the sections that people edited on
    either side; its header tells what it was made from, so it stays stale until it is refreshed.
    Sources are yours to resolve, before or after. Asks no model.
    """
    repo = Repository.open(session.cwd, session.environ)
    listing = index_listing(repo) if repo.root is not None else None
    unmerged = unmerged_sides(listing or b"")
    if CONFIG_PATH in unmerged:
        raise CodetwineError(f"{CONFIG_PATH} is in a merge conflict; resolve and `git add` it")
    with opened(session, staged=True, listing=listing) as workspace, workspace.lock():
        found = evaluate(workspace.snapshot, workspace.cache)
        sources = [path for path in unmerged if not path.startswith(f"{ROOT}/")]
        run = Resolution(
            found, workspace.root, unmerged, lambda blob: _read(workspace, blob), not sources
        )
        settled = list(run.run())
        stage(workspace.repo, (one.path for one in settled))
    for line in _lines(settled, sources):
        click.echo(line)
    return 0


def _read(workspace: Workspace, blob: str) -> bytes:
    return next(data for _, data in workspace.snapshot.read([blob]))


def _lines(settled: list[Settled], sources: list[str]) -> list[str]:
    lines = []
    for one in settled:
        lines.append(f"{shown(one.path)}: {one.how}")
        for title in one.lost:
            other = THEIRS if one.kept == OURS else OURS
            where = f", `git show {one.other[:12]}` has {other}" if one.other else ""
            lines.append(f"  `{title}` was edited on both sides: {one.kept} is kept{where}")
    lines.append(
        f"{counted(len(settled), 'file')} settled and staged"
        if settled
        else "no document and no leaf is in a merge conflict"
    )
    if sources:
        named = ", ".join(shown(path) for path in sorted(sources)[:3])
        more = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
        lines.append(f"still in conflict, and yours to resolve: {named}{more}")
    if settled:
        lines.append("`codetwine refresh` brings up to date what is stale now")
    return lines
