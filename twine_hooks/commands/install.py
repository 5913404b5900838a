"""`codetwine install`: native git hooks."""

from __future__ import annotations

import sys

import click

from twine_hooks.git import HOOK_TYPES, Repository, install_hook, install_merge_driver
from twine_hooks.session import Session

DEFAULT_TYPES = ("pre-commit", "post-merge", "post-rewrite")


@click.command("install")
@click.option(
    "--hook-type",
    "types",
    type=click.Choice(HOOK_TYPES),
    multiple=True,
    help="Install this hook; may be given again. pre-commit, post-merge and post-rewrite else.",
)
@click.pass_obj
def command(session: Session, types: tuple[str, ...]) -> int:
    """Install git hooks in this clone.

    For repositories without the pre-commit framework. A hook that is there already is kept and
    runs first; `codetwine uninstall` puts it back. Without --hook-type it also registers a merge
    driver, which settles documents inside of merges, rebases and cherry-picks.
    """
    repo = Repository.open(session.cwd, session.environ)
    for hook_type in types or DEFAULT_TYPES:
        is_new = install_hook(repo, hook_type, python=sys.executable)
        click.echo(f"{hook_type}: {'installed' if is_new else 'was installed already'}")
    if not types:
        is_new = install_merge_driver(repo, python=sys.executable)
        click.echo(f"merge driver: {'registered' if is_new else 'was registered already'}")
    return 0
