"""`codetwine comment`: one comment on a pull request that stays up to date."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import click

from twine_hooks.errors import ReviewError
from twine_hooks.review.github import Api, Comment, Target, find_number, own_login, post
from twine_hooks.review.markdown import MARKER, MAX_CHARS, render
from twine_hooks.review.model import Review
from twine_hooks.reviewing import read_review, review_of
from twine_hooks.session import Session

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_LOCAL = ("127.0.0.1", "localhost", "::1")


@click.command("comment")
@click.argument("range_", metavar="[BASE..HEAD]", default="")
@click.option("--from", "file", metavar="FILE", help="A review of `codetwine diff --format json`.")
@click.option("--pr", "number", type=click.IntRange(1), metavar="N", help="The pull request.")
@click.option("--head-sha", metavar="SHA", help="Find the pull request by its last commit.")
@click.option("--author", metavar="LOGIN", help="Whose comment to edit; asked for by default.")
@click.option(
    "--max-chars",
    type=click.IntRange(1_000, MAX_CHARS),
    default=MAX_CHARS,
    metavar="N",
    help="Keep within N characters, whole entries only.",
)
@click.pass_obj
def command(
    session: Session,
    range_: str,
    file: str | None,
    number: int | None,
    head_sha: str | None,
    author: str | None,
    max_chars: int,
) -> int:
    """Write or edit one comment on a pull request at GitHub.

    Reads GITHUB_TOKEN, GITHUB_REPOSITORY and GITHUB_API_URL, as GitHub Actions sets them. There is
    one comment for each author; it is edited in place, and nothing is sent if it says the same.
    """
    environ = session.environ
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not _REPOSITORY.fullmatch(repository):
        raise ReviewError("GITHUB_REPOSITORY is not set to owner/name; set it")
    api = _api(session)
    found = _number(api, session, repository, number, head_sha)
    if found is None:
        click.echo(f"no open pull request has {head_sha} on top; nothing to do")
        return 0
    review = read_review(Path(session.cwd, file)) if file else review_of(session, range_)
    login = author or own_login(api)
    comment = _comment(review, _link_base(session, repository, head_sha))
    done = post(api, Target(repository, found), login, comment, max_chars)
    click.echo(f"comment on {repository}#{found}: {done}")
    return 0


def _comment(review: Review, link_base: str) -> Comment:
    return Comment(
        MARKER, lambda limit: render(review, "github", limit, link_base), review.is_empty
    )


def _api(session: Session) -> Api:
    url = session.environ.get("GITHUB_API_URL") or "https://api.github.com"
    token = session.environ.get("GITHUB_TOKEN", "")
    if not token:
        raise ReviewError("GITHUB_TOKEN is not set; give it to this step")
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL):
        raise ReviewError(f"GITHUB_API_URL is {url!r}, where the token would be read; use https")
    return Api(url, token)


def _number(
    api: Api, session: Session, repository: str, number: int | None, head_sha: str | None
) -> int | None:
    if number is not None:
        return number
    if head_sha is not None:
        if not _SHA.fullmatch(head_sha):
            raise ReviewError(f"--head-sha {head_sha!r} is no whole commit id; give all of it")
        return find_number(api, repository, head_sha)
    merge = re.fullmatch(r"refs/pull/(\d+)/(merge|head)", session.environ.get("GITHUB_REF", ""))
    if merge is None:
        raise ReviewError("which pull request? give --pr or --head-sha")
    return int(merge[1])


def _link_base(session: Session, repository: str, head_sha: str | None) -> str:
    """Where documents can be looked at; "" where no commit is known that has them."""
    server = session.environ.get("GITHUB_SERVER_URL") or "https://github.com"
    sha = head_sha or session.environ.get("CODETWINE_HEAD_SHA", "")
    return f"{server.rstrip('/')}/{repository}/blob/{sha}" if _SHA.fullmatch(sha) else ""
