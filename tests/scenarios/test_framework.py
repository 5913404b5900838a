"""Situations of the pre-commit framework, and of prek, beyond plain commits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hooks.committing import Committing, folders_of, written_in
from tests.hooks.test_framework import SETTINGS, framework_home
from tests.scenarios.branches import body, fork, resolve_source

__all__ = ["framework_home"]


@pytest.fixture(params=["pre-commit", "prek"])
def project(request, project, framework_home) -> Committing:
    """Our hooks, installed by the framework."""
    program = [sys.executable, "-m", "pre_commit"]
    if request.param == "prek":
        program = [str(Path(sys.executable).with_name("prek"))]
    project.write({".pre-commit-config.yaml": SETTINGS})
    assert project.tool("init").code == 0
    project.add().commit("set up")
    project.environ["PRE_COMMIT_HOME"] = str(framework_home)
    project.environ["PATH"] += f":{Path(sys.executable).parent}"
    project.run(*program, "install", "--hook-type=pre-commit", "--hook-type=post-merge")
    project.framework = program
    return project


def test_a_merge_that_conflicted_passes_after_resolve_and_refresh(project):
    fork(project, body("w * h * 1"), body("w * h * 2"))
    assert project.attempt("merge", "-q", "side").code == 1
    resolve_source(project)
    assert project.tool("resolve").code == 0
    said = project.attempt("commit", "-q", "--no-edit")
    assert said.code == 1 and written_in(said) == ["shapes.py", "report.py", "table.py"]
    project.run_line(said)
    project.check_committed(project.attempt("commit", "-q", "--no-edit"))


def test_a_case_only_rename(project):
    project.git("mv", "alone.py", "Alone.py")
    said = project.try_commit()
    assert said.code == 1 and written_in(said) == []
    project.run_line(said)
    project.check_committed(project.try_commit())
    assert "Alone.py" in project.doc("Alone.py")


def test_a_range_of_commits_gets_the_same_verdict(project):
    run = (*project.framework, "run", "--from-ref", "HEAD^", "--to-ref", "HEAD")
    project.replace("alone.py", "return 1", "return 2").add().commit("hasty", "--no-verify")
    assert project.run(*run, check=False).returncode == 1
    project.add().commit("documents", "--no-verify")
    assert project.run(*run, check=False).returncode == 0
    assert project.tool("verify", "--rev", "HEAD").code == 0


def test_a_hook_that_is_skipped_lets_the_commit_pass_and_verify_tells(project):
    project.replace("alone.py", "return 1", "return 2").add()
    said = project.try_commit(environ={"SKIP": "codetwine-refresh"})
    assert said.code == 0
    assert project.tool("verify", "--rev", "HEAD").code == 1


def test_a_reword_in_an_interactive_rebase_runs_and_passes(project):
    project.replace("alone.py", "return 1", "return 2").add()
    project.run_line(project.try_commit())
    project.check_committed(project.try_commit())
    editor = {"GIT_SEQUENCE_EDITOR": "sed -i s/^pick/reword/", "GIT_EDITOR": "echo other >"}
    said = project.attempt("rebase", "-q", "-i", "HEAD^", environ=editor)
    project.check_committed(said)
    assert project.git("log", "-1", "--format=%s") == "other\n"


@pytest.mark.parametrize("name", ["it's new.py", "naïve.py"])
def test_the_very_line_stages_any_name(project, name):
    project.write({name: "def f(): return 1\n"}).add()
    said = project.try_commit()
    assert said.code == 1
    [line] = [one for one in said.err.splitlines() if one.strip().startswith("git add ")]
    project.run("sh", "-c", line.strip())
    project.check_committed(project.try_commit())


def test_an_unmerged_index_and_an_unborn_head(project, tmp_path, scripts):
    new = Committing(tmp_path / "new", "\n-- a.py --\ndef a(): pass\n", "", scripts)
    new.environ |= project.environ
    new.write({".pre-commit-config.yaml": SETTINGS})
    new.tool("init")
    new.run(*project.framework, "install")
    new.add()
    said = new.try_commit()
    assert said.code == 1 and new.run_line(said) == folders_of("a.py")
    new.check_committed(new.try_commit())
    new.check_committed(new.try_commit("--allow-empty"))
    fork(project, body("w * h * 1"), body("w * h * 2"))
    project.attempt("merge", "-q", "side")
    said = project.try_commit()
    assert said.code != 0 and "Traceback" not in said.err
