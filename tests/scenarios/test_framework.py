"""Situations of the pre-commit framework, and of prek, beyond plain commits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hooks.committing import Committing, folders_of, written_in
from tests.hooks.test_framework import SETTINGS, framework_home
from tests.scenarios.branches import body, fork, resolve_source

__all__ = ["framework_home"]

OTHERS = """\
  - repo: local
    hooks:
      - id: codetwine-report
        name: report
        entry: codetwine hook report
        language: system
        always_run: true
        verbose: true
        stages: [post-checkout, post-rewrite]
      - id: codetwine-verify
        name: verify
        entry: codetwine verify --staged
        language: system
        pass_filenames: false
        always_run: true
        stages: [pre-merge-commit]
"""


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


@pytest.fixture
def stale_together(project) -> Committing:
    """A clean merge or rebase of both branches is stale; the hooks beyond the usual are there."""
    user = {"side.py": "from shapes import area\nprint(area(5, 6))\n"}
    fork(project, body("h * w"), lambda one: one.write(user))
    project.write({".pre-commit-config.yaml": project.read(".pre-commit-config.yaml") + OTHERS})
    project.add().commit("more hooks", "--no-verify")
    types = ("post-checkout", "post-rewrite", "pre-merge-commit")
    project.run(*project.framework, "install", *(f"--hook-type={one}" for one in types))
    return project


def test_a_report_tells_after_a_rebase_and_stops_nothing(stale_together):
    said = stale_together.attempt("rebase", "-q", "main", "side")
    assert said.code == 0
    assert "side.py: what it uses changed (shapes.py)" in said.err
    assert stale_together.status == ""


def test_in_report_mode_a_merge_is_told_of(project):
    project.write({".codetwine/config.yaml": "hook: {post_merge: report}\n"})
    project.add().commit("report", "--no-verify")
    user = {"side.py": "from shapes import area\nprint(area(5, 6))\n"}
    fork(project, body("h * w"), lambda one: one.write(user))
    said = project.attempt("merge", "-q", "--no-edit", "side")
    assert said.code == 0 and "side.py: what it uses changed (shapes.py)" in said.err
    assert project.status == ""


def test_verify_stops_a_clean_merge_that_is_stale(stale_together):
    said = stale_together.attempt("merge", "-q", "--no-edit", "side")
    assert said.code == 1 and "side.py: what it uses changed" in said.out + said.err
    said = stale_together.attempt("commit", "-q", "--no-edit")
    assert written_in(said) == ["side.py"]
    stale_together.run_line(said)
    stale_together.check_committed(stale_together.attempt("commit", "-q", "--no-edit"))
    assert len(stale_together.git("log", "-1", "--format=%P").split()) == 2
