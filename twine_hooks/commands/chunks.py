"""`codetwine chunks`: sources in pieces that each say where they belong."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

import click

from twine_hooks.chunks import MAX_TOKENS, Chunk, chunks_of
from twine_hooks.errors import CodetwineError
from twine_hooks.project_view import view_of
from twine_hooks.session import Session
from twine_hooks.workspace import opened

_FILTERS = ("type", "name", "qualified_name", "file", "language", "decorators", "bases")


@click.command("chunks")
@click.argument("paths", nargs=-1)
@click.option("--max-tokens", type=click.IntRange(50), default=MAX_TOKENS, show_default=True)
@click.option(
    "--filter",
    "filters",
    metavar="FIELD=PATTERN",
    multiple=True,
    help=f"Only chunks that match; several must all match. Fields: {', '.join(_FILTERS)}.",
)
@click.option("--format", "form", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.pass_obj
def command(
    session: Session,
    paths: tuple[str, ...],
    max_tokens: int,
    filters: tuple[str, ...],
    form: str,
    staged: bool,
    rev: str | None,
) -> int:
    """Print the code in pieces that each say where they belong.

    Whole definitions where they fit into --max-tokens, else their parts; small neighbours
    together. Put together, the chunks of a file are its text. One JSON object a line.
    """
    keep = _matching(filters)
    with opened(session, rev=rev, staged=staged) as workspace:
        chosen = workspace.chosen(paths)
        view = view_of(workspace, rev)
        wanted = [path for path in view.sources if chosen is None or chosen(path)]
        view.load(wanted)
        for chunk in chunks_of(view, wanted, max_tokens, keep):
            value = {**chunk._asdict(), "calls": [one._asdict() for one in chunk.calls]}
            click.echo(json.dumps(value, ensure_ascii=False))
    return 0


def _matching(filters: Sequence[str]) -> Callable[[Chunk], bool]:
    pairs = [one.partition("=") for one in filters]
    for field, separator, _ in pairs:
        if field not in _FILTERS or not separator:
            raise CodetwineError(
                f"--filter {field}{separator}: write FIELD=PATTERN, with a field of "
                f"{', '.join(_FILTERS)}"
            )

    def keep(chunk: Chunk) -> bool:
        return all(_fits(getattr(chunk, field), pattern) for field, _, pattern in pairs)

    return keep


def _fits(value: str | tuple[str, ...], pattern: str) -> bool:
    values = (value,) if isinstance(value, str) else value
    return any(fnmatchcase(one, pattern) for one in values)
