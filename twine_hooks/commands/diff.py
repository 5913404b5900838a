"""`codetwine diff`: what a change means for the documents."""

from __future__ import annotations

import click

from twine_hooks.presentation import as_json
from twine_hooks.review.markdown import render
from twine_hooks.review.model import review_value
from twine_hooks.review.words import plain_lines
from twine_hooks.reviewing import review_of
from twine_hooks.session import Session


@click.command("diff")
@click.argument("range_", metavar="[BASE..HEAD]", default="")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "md", "json")),
    default="text",
    help="How to print it.",
)
@click.pass_obj
def command(session: Session, range_: str, format_: str) -> int:
    """Compare the documents of two commits, and say why they differ.

    HEAD with the work tree by default, BASE alone with the work tree; BASE...HEAD starts from where
    the two branched. Sections are compared, not lines: style does not count.
    """
    review = review_of(session, range_)
    if format_ == "json":
        click.echo(as_json(review_value(review)))
    elif format_ == "md":
        click.echo(render(review), nl=False)
    else:
        click.echo("\n".join(plain_lines(review)))
    return 0
