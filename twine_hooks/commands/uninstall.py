"""`codetwine uninstall`: remove our native git hooks."""

from __future__ import annotations

import click

from twine_hooks.git import HOOK_TYPES, Repository, uninstall_hook, uninstall_merge_driver
from twine_hooks.session import Session


@click.command("uninstall")
@click.option(
    "--hook-type",
    "types",
    type=click.Choice(HOOK_TYPES),
    multiple=True,
    help="Remove this hook; may be given again. All of ours else.",
)
@click.pass_obj
def command(session: Session, types: tuple[str, ...]) -> int:
    """Remove our git hooks from this clone.

    What was there before they came is put back.
    """
    repo = Repository.open(session.cwd, session.environ)
    for hook_type in types or HOOK_TYPES:
        if uninstall_hook(repo, hook_type):
            click.echo(f"{hook_type}: removed")
        elif types:
            click.echo(f"{hook_type}: was not installed")
    if not types and uninstall_merge_driver(repo):
        click.echo("merge driver: removed")
    return 0
