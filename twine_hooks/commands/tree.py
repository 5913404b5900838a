"""`codetwine tree`: the Merkle tree over the leaves."""

from __future__ import annotations

import click

from docs_store.leaf import digest_of
from docs_store.tree import build
from twine_hooks.errors import CodetwineError
from twine_hooks.presentation import as_json, shown
from twine_hooks.session import Session
from twine_hooks.workspace import opened


@click.command("tree")
@click.argument("directory", default="")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def command(
    session: Session, directory: str, staged: bool, rev: str | None, wants_json: bool
) -> int:
    """Print the digests of a directory, or of the root.

    The digest of a file is that of its leaf, and the digest of a directory that of its children:
    two trees with equal roots say the same everywhere. White space and comments do not count.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        evaluation = workspace.evaluation
        tree = build({path: digest_of(evaluation.leaf(path)) for path in evaluation.inputs})
        name = workspace.folder(directory)
        node = tree.find(name)
        if node is None:
            raise CodetwineError(f"{directory} holds no source; `codetwine tree` lists the root")
        rows = [node, *tree.children(name)] if node.kind == "folder" else [node]
        if wants_json:
            listed = [{"path": one.path, "kind": one.kind, "digest": one.digest} for one in rows]
            click.echo(as_json(listed))
        else:
            for one in rows:
                slash = "/" if one.kind == "folder" else ""
                click.echo(f"{one.digest} {shown(one.path) if one.path else '.'}{slash}")
        return 0
