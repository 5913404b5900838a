"""`codetwine review`: the text of a review, for any platform."""

from __future__ import annotations

from pathlib import Path

import click

from twine_hooks.review.markdown import FLAVORS, MAX_CHARS, render
from twine_hooks.reviewing import read_review, review_of
from twine_hooks.session import Session


@click.group("review")
def command() -> None:
    """Print what a reviewer should know of a change of the documents."""


@command.command("render")
@click.argument("range_", metavar="[BASE..HEAD]", default="")
@click.option(
    "--flavor", type=click.Choice(list(FLAVORS)), default="github", help="For which platform."
)
@click.option(
    "--max-chars",
    type=click.IntRange(1_000),
    default=MAX_CHARS,
    metavar="N",
    help="Keep within N characters, whole entries only.",
)
@click.option("--link-base", default="", metavar="URL", help="Link documents below this address.")
@click.option("--from", "file", metavar="FILE", help="A review of `codetwine diff --format json`.")
@click.pass_obj
def render_command(
    session: Session, range_: str, flavor: str, max_chars: int, link_base: str, file: str | None
) -> int:
    """Print the review as Markdown."""
    review = read_review(Path(session.cwd, file)) if file else review_of(session, range_)
    click.echo(render(review, flavor, max_chars, link_base), nl=False)
    return 0
