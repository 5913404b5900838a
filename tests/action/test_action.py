"""action.yml: its shell steps as they are, with real commits, a real server and a real remote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.action.runner import ACTION, Runner
from tests.hooks.committing import Committing, documents_of
from tests.repos import Repo

EVIL = "$(touch pwned) `touch pwned`; touch pwned; \"; touch pwned; '; touch pwned #"
SHA = "c" * 40
SCHEDULED = {"GITHUB_EVENT_NAME": "schedule", "GITHUB_REF": "refs/heads/main"}


@pytest.fixture
def job(project, tmp_path):
    """Makes a runner for an event."""

    def make(**context: str) -> Runner:
        return Runner(project, tmp_path / f"runner-{len(context)}", context)

    return make


@pytest.fixture
def changed(project) -> Committing:
    project.replace("shapes.py", "area(w, h)", "area(w, h, depth=1)")
    project.tool("refresh")
    project.add().commit("more", "--no-verify")
    return project


class TestVerify:
    def test_it_is_the_default_and_needs_nothing(self, job):
        ran = job().run()
        assert ran.code == 0, ran.output
        assert "4 documents, all fresh" in ran.output

    def test_it_fails_with_annotations(self, project, job):
        project.replace("shapes.py", "w * h", "h * w").add().commit("hasty", "--no-verify")
        ran = job().run()
        assert ran.code == 1
        assert "::error file=shapes.py,line=1,title=document not up to date::" in ran.output
        assert ran.output.count("::error") == 3

    def test_at_most_ten_annotations(self, project, job):
        project.write({f"m{n}.py": f"x = {n}\n" for n in range(30)}).add().commit("x")
        ran = job().run()
        assert ran.code == 1
        assert ran.output.count("::error") == 10 and "and 21 more" in ran.output

    def test_names_cannot_forge_an_annotation(self, project, job):
        project.write({"a\n::warning::x,y%0A.py": "x = 1\n"}).add().commit("x")
        ran = job().run()
        lines = [line for line in ran.output.splitlines() if line.startswith("::")]
        assert len(lines) == 1 and "%0A%3A%3Awarning%3A%3Ax%2Cy%250A.py" in lines[0]


class TestRender:
    def test_summary_and_review(self, changed, job):
        ran = job().run(mode="render", head_sha=SHA)
        assert ran.code == 0, ran.output
        assert "`area()` of `shapes.py` gained `depth=1`" in ran.summary
        target = f"https://github.example/owner/name/blob/{SHA}/.codetwine/docs/shapes.py/doc.md"
        assert f"[`shapes.py`]({target})" in ran.summary
        review = json.loads(Path(ran.outputs["review"]).read_text())
        assert review["changed"] == ["shapes.py"]

    def test_documents_are_linked_at_the_head(self, changed, job):
        event = "github.event.pull_request.head"
        ran = job(**{f"{event}.sha": SHA, f"{event}.repo.full_name": "fork/name"}).run(
            mode="render"
        )
        assert f"https://github.example/fork/name/blob/{SHA}/.codetwine" in ran.summary


class TestComment:
    def test_on_the_pull_request_of_the_event(self, changed, job, github):
        event = {"github.event.pull_request.number": "7", "github.token": "bot"}
        event["github.event.pull_request.head.sha"] = SHA
        ran = job(**event).run(github.environ, mode="comment")
        assert ran.code == 0, ran.output
        [comment] = github.comments
        assert f"/owner/name/blob/{SHA}/.codetwine/docs/shapes.py/doc.md" in comment["body"]

    def test_of_a_fork_without_a_checkout(self, changed, job, github, tmp_path):
        review = job().run(mode="render").outputs["review"]
        empty = Committing(tmp_path / "empty", "", "", tmp_path, init=False)
        empty.environ = changed.environ
        (empty.path / ".codetwine/config.yaml").unlink()
        github.open_pull(7, SHA)
        runner = Runner(empty, tmp_path / "second", {"github.token": "bot"})
        ran = runner.run(github.environ, mode="comment", review=review, head_sha=SHA)
        assert ran.code == 0, ran.output
        assert "gained `depth=1`" in github.comments[0]["body"]


class TestRefresh:
    @pytest.fixture
    def remote(self, project, tmp_path) -> Repo:
        project.replace("shapes.py", "w * h", "h * w").add().commit("hasty", "--no-verify")
        remote = project.clone(tmp_path / "remote", "--bare")
        project.git("remote", "add", "origin", remote.path)
        return remote

    @pytest.fixture
    def gh(self, project, tmp_path):
        """A `gh` that notes what it is called with; no pull request is open yet."""
        log = tmp_path / "gh.log"
        folder = tmp_path / "gh-bin"
        folder.mkdir()
        script = f'#!/bin/sh\necho "$@" >> {log}\n[ "$2" = list ] && cat {tmp_path}/open || true\n'
        (folder / "gh").write_text(script)
        (folder / "gh").chmod(0o755)
        (tmp_path / "open").write_text("0\n")
        project.environ["PATH"] = f"{folder}:{project.environ['PATH']}"
        return lambda: log.read_text().splitlines() if log.exists() else []

    def test_a_commit(self, project, job, remote):
        ran = job().run(SCHEDULED, mode="refresh", delivery="commit")
        assert ran.code == 0, ran.output
        assert ran.outputs["changed"] == "true"
        assert remote.git("rev-parse", "main").strip() == project.head
        assert project.tool("verify", "--rev", "HEAD").code == 0
        assert set(project.committed()) <= set(documents_of("shapes.py", "report.py", "table.py"))
        assert "github-actions[bot]" in project.git("log", "-1", "--format=%an")

    def test_a_pull_request_is_opened_once(self, project, job, remote, gh, tmp_path):
        head = project.head
        runner = job()
        assert runner.run(SCHEDULED, mode="refresh").code == 0
        assert [line.split()[1] for line in gh()] == ["list", "create"]
        assert remote.git("rev-parse", "main").strip() == head
        first = remote.git("rev-parse", "codetwine/refresh-main").strip()
        assert first == project.head != head
        (tmp_path / "open").write_text("1\n")
        project.git("reset", "-q", "--hard", head)
        project.replace("alone.py", "return 1", "return 2").add().commit("again", "--no-verify")
        assert runner.run(SCHEDULED, mode="refresh").code == 0
        assert [line.split()[1] for line in gh()] == ["list", "create", "list"]
        assert remote.git("rev-parse", "codetwine/refresh-main").strip() == project.head != first

    def test_what_others_pushed_on_top_is_not_overwritten(self, project, job, remote, gh):
        remote.git("branch", "codetwine/refresh-main", "main")
        theirs = remote.git("rev-parse", "codetwine/refresh-main")
        ran = job().run(SCHEDULED, mode="refresh")
        assert ran.code == 0 and "has commits of others" in ran.output
        assert remote.git("rev-parse", "codetwine/refresh-main") == theirs
        assert gh() == []

    def test_the_push_of_our_own_commit_starts_nothing(self, project, job, remote):
        assert job().run(SCHEDULED, mode="refresh", delivery="commit").code == 0
        project.replace("alone.py", "return 1", "return 2").add()
        project.git("commit", "-q", "--amend", "--no-edit")
        head = project.head
        environ = SCHEDULED | {"GITHUB_EVENT_NAME": "push"}
        ran = job(x="").run(environ, mode="refresh", delivery="commit")
        assert ran.code == 0 and "a refresh already" in ran.output
        assert project.head == head

    def test_nothing_stale_commits_nothing(self, project, job):
        head = project.head
        ran = job().run(SCHEDULED, mode="refresh", delivery="commit")
        assert ran.code == 0 and ran.outputs["changed"] == "false"
        assert project.head == head

    @pytest.mark.parametrize("event", ["pull_request", "pull_request_target", "workflow_run", ""])
    def test_never_for_what_strangers_wrote(self, project, job, remote, event):
        environ = SCHEDULED | {"GITHUB_EVENT_NAME": event}
        ran = job().run(environ, mode="refresh", model="some/model", delivery="commit")
        assert ran.code == 1 and "push, schedule and workflow_dispatch only" in ran.output
        environ = SCHEDULED | {"GITHUB_REF": "refs/pull/7/merge"}
        assert job(x="").run(environ, mode="refresh").code == 1


@pytest.mark.parametrize("mode", ["verify", "render", "comment", "refresh", EVIL])
def test_no_input_and_no_event_is_ever_run(changed, job, github, mode):
    inputs = dict.fromkeys(("rev", "range", "review", "head_sha", "pull_request", "delivery"), EVIL)
    event = {"github.event.pull_request.head.sha": EVIL, "github.token": EVIL}
    environ = {**github.environ, **SCHEDULED, "GITHUB_REF": f"refs/heads/{EVIL}"}
    ran = job(**event).run(environ, mode=mode, max_cost=EVIL, **inputs)
    assert ran.code in (0, 1, 2, 3) and "Traceback" not in ran.output, ran.output
    assert not (changed.path / "pwned").exists()
    assert changed.status == ""


def test_a_wrong_mode_is_said_so(job):
    ran = job().run(mode="nonsense")
    assert ran.code == 1 and "mode is verify, render, comment or refresh" in ran.output


def test_modes_that_are_not_asked_for_do_not_run(job):
    assert job().run().summary == ""


def test_the_secrets_of_refresh_reach_no_other_step():
    for step in ACTION["runs"]["steps"]:
        names = set(step.get("env", {}))
        assert ("LLM_API_KEY" in names) == (step["name"] == "Refresh")
        assert bool(names & {"GITHUB_TOKEN", "GH_TOKEN"}) == (
            step["name"] in ("Comment", "Deliver")
        )
