"""One comment on a pull request, kept up to date through GitHub's REST API; knows no document."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from twine_hooks.errors import ReviewError

_NEXT = re.compile(r'<([^>]+)>;\s*rel="next"')
_TIMEOUT = 30  #: seconds for one answer
_TRIES = 4
_PAGES = 100
ACTIONS_BOT = "github-actions[bot]"


class _OneHost(HTTPRedirectHandler):
    """Follows redirects on the same host only: the token goes along with them."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            raise ReviewError(f"{req.full_url} leads to another host; check GITHUB_API_URL")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@dataclass(frozen=True, slots=True)
class Api:
    """The API of one server. `patience` is how many seconds to wait for a rate limit, at most."""

    url: str
    token: str
    patience: float = 120.0
    sleep: Callable[[float], None] = time.sleep

    def get(self, path: str) -> Any:
        """The answer to a GET. ReviewError with GitHub's own words."""
        return self._ask("GET", self._address(path))[0]

    def send(self, method: str, path: str, value: Mapping[str, object]) -> Any:
        """The answer to a POST or PATCH."""
        return self._ask(method, self._address(path), value)[0]

    def pages(self, path: str) -> Iterator[Any]:
        """The items of all pages of a list."""
        url = self._address(path)
        for _ in range(_PAGES):
            items, headers = self._ask("GET", url)
            yield from items if isinstance(items, list) else ()
            found = _NEXT.search(headers.get("Link", "") or "")
            if found is None:
                return
            url = found[1]
            if urlsplit(url)[:2] != urlsplit(self.url)[:2]:
                raise ReviewError(f"a page of {self.url} is on another host; check GITHUB_API_URL")

    def _address(self, path: str) -> str:
        return f"{self.url.rstrip('/')}/{path}"

    def _ask(
        self, method: str, url: str, value: Mapping[str, object] | None = None
    ) -> tuple[Any, HTTPMessage]:
        for attempt in range(_TRIES):
            try:
                return self._once(method, url, value)
            except HTTPError as error:
                wait = self._wait(error, method, attempt)
                said = _complaint(error)
                if wait is None or attempt + 1 == _TRIES:
                    raise Refused(method, urlsplit(url).path, error.code, said) from None
            except (URLError, HTTPException, OSError) as error:
                reason = getattr(error, "reason", error)
                # What was sent may have arrived: a second comment would be worse than none.
                if method == "POST" or attempt + 1 == _TRIES:
                    raise ReviewError(
                        f"{self.url} can't be reached ({reason}); check GITHUB_API_URL"
                    ) from None
                wait = 2.0**attempt
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _once(
        self, method: str, url: str, value: Mapping[str, object] | None
    ) -> tuple[Any, HTTPMessage]:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "User-Agent": "codetwine",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        data = None
        if value is not None:
            data = json.dumps(value).encode()
            headers["Content-Type"] = "application/json"
        request = Request(url, data, headers, method=method)
        with _opener().open(request, timeout=_TIMEOUT) as answer:
            body = answer.read()
            try:
                return (json.loads(body) if body else None), answer.headers
            except ValueError:
                raise ReviewError(f"{url} did not answer with JSON; check GITHUB_API_URL") from None

    def _wait(self, error: HTTPError, method: str, attempt: int) -> float | None:
        """Seconds until another try makes sense; None where none does."""
        if error.code in (500, 502, 503, 504):
            # A gateway that failed may have handed a new comment on.
            return None if method == "POST" and error.code != 503 else 2.0**attempt
        if error.code not in (403, 429):
            return None
        headers = error.headers
        if headers.get("Retry-After", "").isdigit():
            wait = float(headers["Retry-After"])
        elif headers.get("X-RateLimit-Remaining") == "0":
            reset = headers.get("X-RateLimit-Reset", "")
            wait = max(0.0, float(reset) - time.time()) + 1 if reset.isdigit() else 60.0
        elif error.code == 429:
            wait = 60.0
        else:
            return None
        return wait if wait <= self.patience else None


class Refused(ReviewError):
    """GitHub answered with an error; `code` is its status."""

    def __init__(self, method: str, path: str, code: int, said: str) -> None:
        super().__init__(f"GitHub refused {method} {path} with {code} ({said}); {_advice(code)}")
        self.code = code


def _opener() -> OpenerDirector:
    return build_opener(_OneHost)


def _complaint(error: HTTPError) -> str:
    """GitHub's own words, in one line."""
    try:
        value = json.loads(error.read(10_000))
        message = str(value.get("message", "")) if isinstance(value, dict) else ""
    except (ValueError, OSError, HTTPException):
        message = ""
    return " ".join((message or error.reason or "no reason given").split())[:200]


def _advice(code: int) -> str:
    return {
        401: "check GITHUB_TOKEN",
        403: "the token needs `pull-requests: write`, or the rate limit is used up: try later",
        404: "check repository and number, and that the token may see them",
        422: "shorten it with --max-chars",
        429: "try later",
    }.get(code, "try later")


@dataclass(frozen=True, slots=True)
class Target:
    """A pull request: `repository` is "owner/name"."""

    repository: str
    number: int

    @property
    def comments(self) -> str:
        return f"repos/{self.repository}/issues/{self.number}/comments?per_page=100"


def find_number(api: Api, repository: str, sha: str) -> int | None:
    """The number of the open pull request whose head is this commit, also in a fork."""
    path = f"repos/{repository}/commits/{quote(sha, safe='')}/pulls?per_page=100"
    try:
        found = [one["number"] for one in api.pages(path) if _is_head(one, repository, sha)]
    except Refused as error:
        # The commits of a fork are not always known by this name.
        if error.code not in (404, 422):
            raise
        found = []
    if not found:
        path = f"repos/{repository}/pulls?state=open&sort=updated&direction=desc&per_page=100"
        found = [one["number"] for one in api.pages(path) if _is_head(one, repository, sha)]
    return min(found, default=None)


def _is_head(pull: Any, repository: str, sha: str) -> bool:
    """Whether it is an open pull request into this repository with this very commit on top."""
    try:
        return bool(
            pull["state"] == "open"
            and pull["head"]["sha"] == sha
            and pull["base"]["repo"]["full_name"].lower() == repository.lower()
        )
    except (KeyError, TypeError, AttributeError):
        return False


def own_login(api: Api) -> str:
    """Who we are. The token of GitHub Actions may not ask: its comments are the bot's."""
    try:
        return str(api.get("user")["login"])
    except Refused as error:
        if error.code in (401,):
            raise
        return ACTIONS_BOT


@dataclass(frozen=True, slots=True)
class Comment:
    """What is to stand there: `write` gives the text for a length, which begins with `marker`.

    `is_needless` is for one that may replace another and is not worth one of its own.
    """

    marker: str
    write: Callable[[int], str]
    is_needless: bool = False


def post(api: Api, target: Target, author: str, comment: Comment, limit: int) -> str:
    """Keep the one comment of `author` up to date: created, edited, equal or needless."""
    present = _own_comment(api, target, author, comment.marker)
    if present is None and comment.is_needless:
        return "needless"
    for length in (limit, limit // 2, limit // 4):
        text = comment.write(length)
        try:
            return _put(api, target, present, text)
        except Refused as error:
            if error.code != 422 or length == limit // 4:
                raise
    raise AssertionError("the last attempt returns or raises")


def _put(api: Api, target: Target, present: Mapping[str, Any] | None, text: str) -> str:
    if present is not None and _same(str(present.get("body")), text):
        return "equal"
    if present is not None:
        path = f"repos/{target.repository}/issues/comments/{int(present['id'])}"
        try:
            api.send("PATCH", path, {"body": text})
            return "edited"
        except Refused as error:
            if error.code != 404:  # else somebody deleted it just now
                raise
    api.send("POST", f"repos/{target.repository}/issues/{target.number}/comments", {"body": text})
    return "created"


def _own_comment(api: Api, target: Target, author: str, marker: str) -> Mapping[str, Any] | None:
    """Our oldest comment: it begins with the marker, and it is ours. Others may plant markers."""
    for one in api.pages(target.comments):
        login = (one.get("user") or {}).get("login", "")
        if str(login).lower() == author.lower() and str(one.get("body")).startswith(marker):
            found: Mapping[str, Any] = one
            return found
    return None


def _same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()
