"""`codetwine comment`: one comment on a pull request, whatever else stands there."""

from __future__ import annotations

import json
import time

import pytest

from tests.projects import Said
from tests.review.github_server import BOT, MAX_BODY
from twine_hooks.review.github import Api
from twine_hooks.review.markdown import MARKER

SHA = "c" * 40


@pytest.fixture
def changed(project):
    project.replace("shapes.py", "area(w, h)", "area(w, h, depth=1)")
    project.tool("refresh")
    project.add().commit("more")
    return project


def comment(project, github, *args: str, **environ: str) -> Said:
    return project.program("comment", "HEAD^..HEAD", *args, environ={**github.environ, **environ})


def bodies(github) -> list[str]:
    return [one["body"] for one in github.comments]


def test_it_is_written_once_and_edited_in_place(changed, github):
    said = comment(changed, github)
    assert (said.code, said.out) == (0, "comment on owner/name#7: created\n"), said
    [first] = bodies(github)
    assert first.startswith(MARKER)
    assert "`area()` of `shapes.py` gained `depth=1`; used by 2 files" in first
    # The same again is not sent at all.
    assert comment(changed, github).out.endswith("equal\n")
    assert github.asked("PATCH") == [] and len(github.asked("POST")) == 1
    changed.replace("alone.py", "def alone()", "def alone(more)")
    changed.tool("refresh")
    changed.add().commit("--amend", "--amend")
    assert comment(changed, github).out.endswith("edited\n")
    assert len(github.comments) == 1 and "alone.py" in bodies(github)[0]


def test_nothing_to_say_is_said_by_editing_only(changed, github):
    changed.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert comment(changed, github).out.endswith("needless\n")
    assert github.comments == []
    github.add(f"{MARKER}\nold")
    assert comment(changed, github).out.endswith("edited\n")
    assert "needs no other documentation" in bodies(github)[0]


def test_a_marker_that_somebody_else_planted_is_not_ours(changed, github):
    planted = github.add(f"{MARKER}\nplanted", "mallory")
    github.add(f"quoting {MARKER}", BOT)
    assert comment(changed, github).out.endswith("created\n")
    assert planted["body"] == f"{MARKER}\nplanted"
    assert len(github.comments) == 3
    assert comment(changed, github).out.endswith("equal\n")


def test_it_is_found_on_any_page(changed, github):
    for number in range(250):
        github.add(f"comment {number}", "somebody")
    ours = github.add(f"{MARKER}\r\nold")
    assert comment(changed, github).out.endswith("edited\n")
    assert len(github.comments) == 251 and "gained" in ours["body"]
    assert len([path for path in github.asked("GET") if "comments" in path]) == 3


def test_a_person_s_token_edits_the_person_s_comment(changed, github):
    bots = github.add(f"{MARKER}\nof the bot")
    assert comment(changed, github, GITHUB_TOKEN="ada").out.endswith("created\n")
    assert github.comments[-1]["user"]["login"] == "ada"
    assert bots["body"] == f"{MARKER}\nof the bot"
    assert comment(changed, github, "--author", "ADA", GITHUB_TOKEN="ada").out.endswith("equal\n")


def test_a_comment_that_was_deleted_meanwhile_is_written_anew(changed, github):
    gone = github.add(f"{MARKER}\nold")
    original = github.answer

    def answer(method, path, *more):
        if method == "PATCH":
            github.comments.remove(gone)
        return original(method, path, *more)

    github.answer = answer
    assert comment(changed, github).out.endswith("created\n")
    assert len(github.comments) == 1


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (403, {"Retry-After": "0"}),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}),
        (429, {"Retry-After": "0"}),
        (503, {}),
    ],
)
def test_it_waits_where_it_is_asked_to(changed, github, status, headers):
    github.fail(status, headers, "API rate limit exceeded")
    assert comment(changed, github).out.endswith("created\n")
    assert len(github.comments) == 1


def test_it_does_not_wait_for_an_hour(changed, github):
    reset = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 3600)}
    github.fail(403, reset, "API rate limit exceeded")
    github.fail(403, reset, "API rate limit exceeded")
    said = comment(changed, github)
    assert said.code == 1
    assert "API rate limit exceeded" in said.err and "try later" in said.err


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "check GITHUB_TOKEN"), (403, "pull-requests: write"), (404, "check repository")],
)
def test_a_refusal_comes_with_github_s_words_and_what_to_do(changed, github, status, advice):
    for _ in range(4):
        github.fail(status, {}, "Not today")
    said = comment(changed, github, "--author", BOT)
    assert said.code == 1 and "Traceback" not in said.err
    assert f"with {status} (Not today)" in said.err and advice in said.err


def test_a_text_that_is_too_long_for_the_server_is_sent_shorter(changed, github):
    changed.write({f"m{n}.py": f"def f{n}(a, b):\n    return {n}\n" for n in range(40)})
    changed.tool("refresh")
    changed.add().commit("--amend", "--amend")
    github.max_body = 6_000
    assert comment(changed, github, "--max-chars", "20000").out.endswith("created\n")
    [body] = bodies(github)
    assert len(body) <= github.max_body < MAX_BODY and "Left out" in body


def test_a_creation_whose_answer_is_lost_is_not_sent_twice(changed, github):
    original = github.answer

    def answer(method, path, *more):
        result = original(method, path, *more)
        return (502, {"message": "Bad gateway"}, {}) if method == "POST" else result

    github.answer = answer
    assert comment(changed, github).code == 1
    assert len(github.comments) == 1


def test_the_token_goes_nowhere_else(changed, github):
    github.fail(301, {"Location": "http://localhost:9/elsewhere"})
    said = comment(changed, github)
    assert said.code == 1 and "leads to another host" in said.err
    for url in ("http://api.example", "ftp://x", "nonsense"):
        said = comment(changed, github, GITHUB_API_URL=url)
        assert said.code == 1 and "use https" in said.err


def test_no_server_at_all(changed, github):
    said = comment(changed, github, "--author", BOT, GITHUB_API_URL="http://127.0.0.1:9")
    assert said.code == 1
    assert "can't be reached" in said.err and "Traceback" not in said.err


@pytest.mark.parametrize("missing", ["GITHUB_TOKEN", "GITHUB_REPOSITORY", "GITHUB_REF"])
def test_what_is_not_set_is_named(changed, github, missing):
    said = comment(changed, github, **{missing: ""})
    assert said.code == 1
    assert (missing if missing != "GITHUB_REF" else "--pr or --head-sha") in said.err
    assert github.history == []


class TestOfAFork:
    """The second workflow: a file that a stranger's workflow made, and no checkout."""

    @pytest.fixture
    def review(self, changed, tmp_path):
        file = tmp_path / "review.json"
        file.write_text(changed.tool("diff", "HEAD^..HEAD", "--format", "json").out)
        return file

    def post(self, project, github, file, sha: str = SHA) -> Said:
        args = ("comment", "--from", str(file), "--head-sha", sha)
        return project.program(*args, environ={**github.environ, "GITHUB_REF": "refs/heads/main"})

    def test_the_pull_request_is_found_by_its_last_commit(self, project, github, review):
        github.open_pull(6, "d" * 40)
        github.open_pull(7, SHA)
        github.open_pull(5, SHA, state="closed")
        github.open_pull(4, SHA, base={"repo": {"full_name": "else/where"}})
        said = self.post(project, github, review)
        assert said.out == "comment on owner/name#7: created\n", said
        link = f"https://github.com/owner/name/blob/{SHA}/.codetwine/docs/shapes.py/doc.md"
        assert link in bodies(github)[0]

    def test_also_where_the_commit_is_not_known_by_name(self, project, github, review):
        github.knows_commits = False
        for number in range(150):
            github.open_pull(1000 + number, "d" * 40)
        github.open_pull(7, SHA)
        assert self.post(project, github, review).out.endswith("#7: created\n")

    def test_a_pull_request_that_moved_on_is_left_alone(self, project, github, review):
        github.open_pull(7, "d" * 40)
        said = self.post(project, github, review)
        assert said.code == 0 and "nothing to do" in said.out
        assert github.comments == []

    def test_outside_of_any_repository(self, project, github, review, tmp_path):
        github.open_pull(7, SHA)
        project.path = tmp_path / "empty"
        project.path.mkdir()
        assert self.post(project, github, review).out.endswith("created\n")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{}",
            '{"format": 2}',
            '{"format": 1, "base": 1, "head": "x"}',
            '{"format": 1, "base": "x", "head": "y", "more": 1}',
            '{"format": 1, "base": "x"}',
            '{"format": 1, "base": "x", "head": "y", "documents": [{"path": 7}]}',
            '{"format": 1, "base": "x", "head": "y", "documents": [1]}',
            '{"format": 1, "base": "x", "head": "y", "edited": [{"path": "p", "sections": [1]}]}',
            "[" * 100_000,
        ],
    )
    def test_a_file_that_is_no_review_is_refused(self, project, github, tmp_path, text):
        github.open_pull(7, SHA)
        (tmp_path / "bad.json").write_text(text)
        said = self.post(project, github, tmp_path / "bad.json")
        assert said.code == 1 and "Traceback" not in said.err, said
        assert github.comments == []

    def test_nothing_in_it_is_trusted(self, project, github, review):
        value = json.loads(review.read_text())
        value["documents"][0]["path"] = "<img src=x> @octocat [x](javascript:alert(1))"
        value["documents"][0]["diff"] = f"```\n</details>\n{MARKER}"
        review.write_text(json.dumps(value))
        github.open_pull(7, SHA)
        assert self.post(project, github, review).code == 0
        from tests.review.test_markdown import check_dead

        check_dead(bodies(github)[0])

    @pytest.mark.parametrize("sha", ["abc", "../x", SHA + "0", ""])
    def test_only_a_whole_commit_id(self, project, github, review, sha):
        said = self.post(project, github, review, sha)
        assert said.code == 1 and "no whole commit id" in said.err


def test_the_address_of_a_page_on_another_host_is_not_followed(github):
    from twine_hooks.errors import ReviewError

    github.answer = lambda *_: (200, [1], {"Link": '<http://127.0.0.1:9/x>; rel="next"'})
    with pytest.raises(ReviewError, match="on another host"):
        list(Api(github.url, "bot").pages("x"))
