"""`codetwine init`: set a repository up."""

from __future__ import annotations

from pathlib import Path

import click

from twine_hooks.config import CONFIG_PATH
from twine_hooks.errors import CodetwineError
from twine_hooks.git import Repository, ignored
from twine_hooks.session import Session
from twine_hooks.setup import SetUp, set_up


@click.command("init")
@click.pass_obj
def command(session: Session) -> int:
    """Set this repository up: settings, .gitattributes and the hook.

    Writes .codetwine/config.yaml, .codetwine/.gitignore, two lines of .gitattributes, and, where
    the repository has a .pre-commit-config.yaml, the hooks in it. What is there already stays as
    it is. Asks nothing.
    """
    repo = Repository.open(session.cwd, session.environ)
    if repo.root is None:
        raise CodetwineError(f"{repo.git_dir} has no work tree; run `codetwine init` in one")
    done = set_up(Path(repo.root))
    for path in done.written:
        click.echo(f"wrote {path}")
    if not done.written:
        click.echo("everything is in place already")
    for path, rule in ignored(repo, [CONFIG_PATH]).items():
        click.echo(
            f"{path} is ignored by git ({rule}): change that rule, or nothing of this is committed"
        )
    for line in _next_steps(done):
        click.echo(line)
    return 0


def _next_steps(done: SetUp) -> list[str]:
    hook = (
        "pre-commit install --hook-type pre-commit --hook-type post-merge"
        if done.uses_framework
        else "codetwine install"
    )
    return [
        "next:",
        "  codetwine refresh   writes a document for each source",
        f"  {hook}   keeps them true on every commit",
        "  git add -A -- " + " ".join(done.to_add),
    ]
