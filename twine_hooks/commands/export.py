"""`codetwine export`: what is known of one snapshot, for other programs and for people."""

from __future__ import annotations

from pathlib import Path

import click

from twine_hooks.errors import CodetwineError
from twine_hooks.exporting import GRAPHS, KNOWLEDGE_FORMATS, Export
from twine_hooks.files import is_own
from twine_hooks.personal import read_personal
from twine_hooks.presentation import as_json, counted
from twine_hooks.project_view import view_of
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened

_DEFAULT_FOLDER = ".codetwine/export"


@click.command("export")
@click.option("--output-dir", metavar="DIR", help="Where to; .codetwine/export by default.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*KNOWLEDGE_FORMATS, *GRAPHS]),
    help="json by default; a graph's format writes that graph only.",
)
@click.option("--staged", is_flag=True, help="Export the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Export a commit.")
@click.option("--with-secrets", is_flag=True, help="Copy .env files, keys and the like, too.")
@click.option("--json", "as_json_", is_flag=True, help="Say what was written as JSON.")
@click.pass_obj
def command(
    session: Session,
    output_dir: str | None,
    form: str | None,
    staged: bool,
    rev: str | None,
    with_secrets: bool,
    as_json_: bool,
) -> int:
    """Write what is known of the project, for other programs and for people.

    Into DIR/<project>/. Needs no set-up and no model: any git repository will do. Summaries are
    those of the documents that the snapshot holds. The folder is ignored by git; a second export
    writes what differs.
    """
    form = form or _format_of(session)
    with opened(session, rev=rev, staged=staged) as workspace:
        view = view_of(workspace, rev)
        folder = _folder(workspace, output_dir) / view.name
        _check_outside(workspace, folder)
        export = Export(view, folder, with_secrets)
        if form in GRAPHS:
            click.echo(export.write_graph(form))
            return 0
        done = export.write(form)
    if as_json_:
        click.echo(as_json({**done._asdict(), "folder": str(done.folder)}))
    else:
        click.echo(
            f"{counted(done.files, 'file')}, {counted(done.documents, 'document')} "
            f"({done.made} made anew): {done.folder}"
        )
    return 0


def _check_outside(workspace: Workspace, folder: Path) -> None:
    """Refuse a folder whose files git knows: they would be taken for sources."""
    root = workspace.repo.root
    if root is None or not folder.resolve().is_relative_to(root.resolve()):
        return
    inside = folder.resolve().relative_to(root.resolve()).as_posix() + "/"
    for path in workspace.snapshot.files:
        if path.startswith(inside) and not is_own(path):
            raise CodetwineError(
                f"{path} is a file of the project; choose another --output-dir, or tell git that "
                "it is none: git rm -r --cached"
            )


def _format_of(session: Session) -> str:
    form = read_personal(session.environ).text("KNOWLEDGE_FORMAT").lower() or "json"
    if form not in KNOWLEDGE_FORMATS:
        raise CodetwineError(
            f"KNOWLEDGE_FORMAT is {form!r}; set it to {', '.join(KNOWLEDGE_FORMATS)}"
        )
    return form


def _folder(workspace: Workspace, output_dir: str | None) -> Path:
    """The folder that is named by option or environment, seen from where we are."""
    session = workspace.session
    named = output_dir or read_personal(session.environ).text("DEFAULT_OUTPUT_DIR")
    if named:
        return session.cwd / named
    if workspace.repo.root is None:
        raise CodetwineError(
            f"{workspace.repo.git_dir} has no work tree to export into; name a folder with "
            "--output-dir"
        )
    return workspace.root / _DEFAULT_FOLDER
