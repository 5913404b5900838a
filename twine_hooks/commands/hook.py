"""`codetwine hook`: what git and the pre-commit framework call; each kind decides its exit code."""

from __future__ import annotations

import click

from docs_store.errors import StoreError
from twine_hooks import hooks
from twine_hooks.errors import CodetwineError
from twine_hooks.session import Session

_KINDS = ("pre-commit", "post-merge", "post-rewrite", "post-checkout", "report", "merge-driver")


@click.command("hook", context_settings={"ignore_unknown_options": True})
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def command(session: Session, kind: str, args: tuple[str, ...]) -> int:
    """Do what a git hook asks for.

    pre-commit writes the documents that the commit needs and fails if one of them is not in the
    index. post-merge writes what a merge made stale into the work tree, and post-rewrite,
    post-checkout and report only tell; these never fail. ARGS are what git gives the hook.
    merge-driver merges one document: base, ours, theirs, path.
    """
    if kind == "pre-commit":
        return hooks.before_commit(session)
    if kind == "merge-driver":
        return hooks.merge_file(session, args)
    try:
        if kind == "post-merge":
            hooks.after_merge(session)
        elif hooks.is_worth_a_report(kind, args):
            hooks.report(session)
    except (CodetwineError, StoreError) as error:
        # git hands on the exit code of some of these hooks as its own.
        click.echo(f"codetwine: {error}", err=True)
    return 0
