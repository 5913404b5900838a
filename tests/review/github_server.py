"""A local HTTP server that behaves as GitHub's REST API does, as far as comments go.

with GitHub() as github:
    github.environ                  -> what a step of Actions has
    github.comments                 -> what stands below the pull request now
    github.fail(403, {...})         -> the next request is answered so
"""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

REPOSITORY = "owner/name"
BOT = "github-actions[bot]"
MAX_BODY = 65_536


class GitHub:
    """Pull request 7 of owner/name; the token `bot` may not ask who it is, `ada` may."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.pulls: list[dict[str, Any]] = []
        self.knows_commits = True
        self.history: list[tuple[str, str]] = []  #: (method, path) of each request
        self.failures: list[tuple[int, dict[str, str], str]] = []
        self.max_body = MAX_BODY
        self.next_id = 100
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> GitHub:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def environ(self) -> dict[str, str]:
        return {
            "GITHUB_API_URL": self.url,
            "GITHUB_TOKEN": "bot",
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_REF": "refs/pull/7/merge",
        }

    def add(self, body: str, login: str = BOT) -> dict[str, Any]:
        """A comment that stands there already."""
        self.next_id += 1
        comment = {"id": self.next_id, "body": body, "user": {"login": login}}
        self.comments.append(comment)
        return comment

    def open_pull(self, number: int, sha: str, **more: Any) -> None:
        pull = {"number": number, "state": "open", "head": {"sha": sha}}
        pull["base"] = {"repo": {"full_name": REPOSITORY}}
        self.pulls.append(pull | more)

    def fail(self, status: int, headers: dict[str, str] | None = None, message: str = "") -> None:
        self.failures.append((status, headers or {}, message))

    def asked(self, method: str) -> list[str]:
        return [path for name, path in self.history if name == method]

    def answer(
        self, method: str, path: str, token: str, value: Any
    ) -> tuple[int, Any, dict[str, str]]:
        self.history.append((method, path))
        if self.failures:
            status, headers, message = self.failures.pop(0)
            return status, {"message": message}, headers
        logins = {"Bearer bot": BOT, "Bearer ada": "ada"}
        if token not in logins:
            return 401, {"message": "Bad credentials"}, {}
        parts = urlsplit(path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        return self._route(method, parts.path, query, logins[token], value)

    def _route(
        self, method: str, path: str, query: dict[str, str], login: str, value: Any
    ) -> tuple[int, Any, dict[str, str]]:
        if path == "/user":
            if login == BOT:
                return 403, {"message": "Resource not accessible by integration"}, {}
            return 200, {"login": login}, {}
        if value is not None and len(value["body"]) > self.max_body:
            return 422, {"message": "Body is too long (maximum is 65536 characters)"}, {}
        repository = f"/repos/{REPOSITORY}"
        if path == f"{repository}/issues/7/comments":
            if method == "POST":
                return 201, self.add(value["body"], login), {}
            return self._page(path, self.comments, query)
        one = re.fullmatch(rf"{repository}/issues/comments/(\d+)", path)
        if one and method == "PATCH":
            for comment in self.comments:
                if comment["id"] == int(one[1]):
                    comment["body"] = value["body"]
                    return 200, comment, {}
        of_commit = re.fullmatch(rf"{repository}/commits/(\w+)/pulls", path)
        if of_commit and self.knows_commits:
            found = [pull for pull in self.pulls if pull["head"]["sha"] == of_commit[1]]
            return self._page(path, found, query)
        if path == f"{repository}/pulls":
            return self._page(path, [one for one in self.pulls if one["state"] == "open"], query)
        return 404, {"message": "Not Found"}, {}

    def _page(
        self, path: str, items: list[Any], query: dict[str, str]
    ) -> tuple[int, Any, dict[str, str]]:
        size, page = min(100, int(query.get("per_page", 30))), int(query.get("page", 1))
        headers = {}
        if page * size < len(items):
            url = f"{self.url}{path}?per_page={size}&page={page + 1}"
            headers["Link"] = f'<{url}>; rel="next", <{self.url}{path}>; rel="last"'
        return 200, items[(page - 1) * size : page * size], headers


def _handler(github: GitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            value = json.loads(self.rfile.read(length)) if length else None
            token = self.headers.get("Authorization", "")
            status, answer, headers = github.answer(self.command, self.path, token, value)
            data = json.dumps(answer).encode()
            self.send_response(status)
            for name, text in headers.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _do

        def log_message(self, *_: object) -> None:
            pass

    return Handler
