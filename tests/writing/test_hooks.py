"""Commits and merges where a model writes: bounded, never held up, told about."""

from __future__ import annotations

import pytest

from tests.projects import Project


@pytest.fixture
def project(tmp_path, server) -> Project:
    files = "".join(f"-- m{n}.py --\ndef f{n}(x):\n    return x\n" for n in range(4))
    return Project(tmp_path / "p", files, config="hook:\n  max_calls: 2\n  stage: never\n").add()


def hook(project: Project):
    return project.tool("hook", "pre-commit")


def test_a_hook_asks_no_more_than_the_settings_say(project, server):
    said = hook(project)
    assert server.calls == 2
    assert said.err.count("stays stale: the limit of 2 calls") == 2
    assert said.code == 1, "two documents were written and are to be added"
    project.add()
    assert hook(project).code == 1
    assert server.calls == 4
    project.add().commit()
    assert hook(project).code == 0
    assert server.calls == 4


def test_a_second_try_asks_nobody(project, server):
    project.write({".codetwine/config.yaml": "hook:\n  max_calls: 9\n"}).add()
    environ = {"PRE_COMMIT": "1", **server.environ()}
    assert project.program("hook", "pre-commit", environ=environ).code == 1
    documents, calls = project.documents(), server.calls
    assert calls == 4
    assert project.program("hook", "pre-commit", environ=environ).code == 1
    # Also where the framework rolled back what the hook had written.
    project.delete_folder(".codetwine/docs")
    assert project.program("hook", "pre-commit", environ=environ).code == 1
    assert (project.documents(), server.calls) == (documents, calls)


def test_what_the_limit_left_does_not_hold_up_the_commit(project, server):
    project.write({".codetwine/config.yaml": "hook:\n  max_calls: 0\n"}).add()
    said = hook(project)
    assert (said.code, server.calls) == (0, 0)
    assert "stays stale" in said.err


@pytest.mark.parametrize(("on_error", "code"), [("warn", 0), ("fail", 1)])
def test_an_outage_holds_up_a_commit_only_where_it_should(project, server, on_error, code):
    config = f"hook:\n  max_calls: 9\n  on_error: {on_error}\n"
    project.write({".codetwine/config.yaml": config})
    project.tool("refresh")
    project.add().commit()
    project.replace("m0.py", "return x", "return x + 1").add()
    server.mode = "500"
    server.forget()
    said = hook(project)
    assert said.code == code
    assert "m0.py stays stale: openai/gpt-4o-mini did not answer" in said.err
    assert server.calls == 2, "one more try, then it goes on"
    assert project.tool("verify").code == 1


def test_without_litellm_or_key_a_new_document_is_outlined(project, server):
    server.mode = "401"
    said = hook(project)
    assert "is outlined, as no model wrote it" in said.err
    assert "by=outline" in project.doc("m0.py")


def test_after_a_merge_the_same_limit_holds(project, server):
    project.write({".codetwine/config.yaml": "hook:\n  max_calls: 1\n"}).add().commit()
    said = project.tool("hook", "post-merge", "0")
    assert (said.code, server.calls) == (0, 1)
    assert project.git("diff", "--cached", "--name-only") == ""
