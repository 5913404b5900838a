"""Two at once: commits in two work trees, a hook beside a refresh, a refresh beside `git gc`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time

import pytest

from tests.hooks.committing import Committing
from tests.projects import as_user


def start(project: Committing, *command: str) -> subprocess.Popen[bytes]:
    """A program that runs on."""
    return subprocess.Popen(
        command,
        cwd=project.path,
        env={**project.environ, **as_user()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def end(*running: subprocess.Popen[bytes]) -> None:
    """Wait for all, and assert that each went well."""
    for one in running:
        out, err = one.communicate(timeout=120)
        assert one.returncode == 0, (out + err).decode()


def test_two_commits_in_two_work_trees(project, tmp_path):
    project.tool("install")
    project.worktree(tmp_path / "linked", "-b", "linked")
    linked = project.at(tmp_path / "linked")
    for number in range(3):
        project.write({f"here{number}.py": f"def here{number}(): return {number}\n"}).add()
        linked.write({f"there{number}.py": f"def there{number}(): return {number}\n"}).add()
        end(*(start(one, "git", "commit", "-qm", "x") for one in (project, linked)))
        for one in (project, linked):
            assert one.tool("verify", "--rev", "HEAD").code == 0
            assert one.status == ""
    linked.git("merge", "-q", "--no-edit", "main")
    linked.check_fresh()


@pytest.mark.parametrize("beside", [("git", "gc", "-q", "--prune=now"), ("refresh",)])
def test_a_hook_beside_something_else(project, beside):
    project.tool("install")
    program = (sys.executable, "-P", "-m", "twine_hooks")
    for number in range(3):
        project.write({f"new{number}.py": f"def new{number}(): return {number}\n"}).add()
        other = start(project, *(beside if beside[0] == "git" else (*program, *beside)))
        end(start(project, "git", "commit", "-qm", "x"), other)
        project.add()
        project.git("commit", "-q", "--amend", "--no-edit")
        assert project.tool("verify", "--rev", "HEAD").code == 0
    project.check_fresh()


def test_refreshes_beside_a_collection_of_garbage(project):
    program = (sys.executable, "-P", "-m", "twine_hooks", "refresh")
    project.replace("shapes.py", "w * h", "h * w")
    end(*(start(project, *program) for _ in range(2)), start(project, "git", "gc", "-q"))
    project.check_fresh()


def test_the_cache_goes_away_while_two_write(project):
    project.replace("shapes.py", "w * h", "h * w")
    program = (sys.executable, "-P", "-m", "twine_hooks", "refresh")
    running = [start(project, *program)]
    shutil.rmtree(project.path / ".git/codetwine", ignore_errors=True)
    end(*running, start(project, *program))
    for file in (project.path / ".git/codetwine").iterdir():
        file.write_bytes(b"damaged" * 100)
    project.check_fresh()


def test_another_branch_is_checked_out_while_one_is_written(project):
    project.git("checkout", "-q", "-b", "other")
    project.replace("shapes.py", "w * h", "h * w").check("shapes.py report.py table.py")
    project.add().commit("other")
    project.git("checkout", "-q", "main")
    project.replace("alone.py", "return 1", "return 2")
    running = start(project, sys.executable, "-P", "-m", "twine_hooks", "refresh")
    project.git("checkout", "-q", "-f", "other")
    end(running)
    # Whatever was written, and where: no document of the other branch is taken for fresh.
    project.tool("refresh")
    project.check_fresh()
    assert project.status == ""


def test_a_hook_that_was_killed_leaves_a_clone_in_which_the_next_commit_is_whole(project):
    project.tool("install")
    for number in range(3):
        project.write({f"new{number}.py": f"def new{number}(): return {number}\n"}).add()
        hook = start(project, sys.executable, "-P", "-m", "twine_hooks", "hook", "pre-commit")
        time.sleep(0.1 + number / 5)
        hook.kill()
        hook.communicate()
    (project.path / ".git/index.lock").unlink(missing_ok=True)
    project.add()
    project.check_committed(project.try_commit("-q"))
    project.check_fresh()
