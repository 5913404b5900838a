"""Kill it anywhere: no half file, nothing lost, and the next run ends where any run ends."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time

from docs_store import document, leaf
from tests.projects import Project, as_user

COUNT = 30


def _files() -> dict[str, str]:
    files = {"base.py": "def low(): return 1\n"}
    for number in range(COUNT):
        files[f"m{number:02}.py"] = (
            f"from base import low\ndef f{number}(): return low(), {number}\n"
        )
    return files


def test_kill_at_any_moment(tmp_path):
    project, undisturbed = (Project(tmp_path / name / "p") for name in ("one", "two"))
    for one in (project, undisturbed):
        one.write(_files())
    undisturbed.tool("refresh")
    started = time.monotonic()
    assert project.program("refresh").code == 0
    whole = time.monotonic() - started
    assert project.documents() == undisturbed.documents()
    choose = random.Random(7)
    for round_ in range(4):
        for one in (project, undisturbed):
            one.write({"base.py": f"def low(): return {round_ + 2}\n"})
            one.rename(f"m{round_:02}.py", f"n{round_:02}.py")
        before = project.documents()
        _kill_after(project, choose.uniform(0.2, 0.9) * whole)
        _check_whole(project, before)
        assert project.tool("refresh").code == 0
        undisturbed.tool("refresh")
        assert project.documents() == undisturbed.documents()
        project.check_fresh()


def _kill_after(project: Project, seconds: float) -> None:
    command = (sys.executable, "-P", "-m", "twine_hooks", "refresh")
    environ = project.environ | as_user()
    process = subprocess.Popen(
        command,
        cwd=project.path,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _check_whole(project: Project, before: dict[str, bytes]) -> None:
    for path, data in project.documents().items():
        if path.endswith("doc.md"):
            document.parse(data.decode(), {}, path)
        elif path.endswith("leaf.twine"):
            leaf.parse(data.decode(), path)
        else:
            assert path.endswith(".tmp"), path
    assert {path for path in before if "/n" not in path and "/m" not in path} <= set(
        project.documents()
    )


def test_what_killed_runs_left_is_swept_away(tmp_path):
    project = Project(tmp_path / "p", "\n-- a.py --\ndef f(): pass\n").check("a.py")
    left = project.path / ".codetwine/docs/a.py/.codetwine-99999-0.tmp"
    left.write_text("half")
    project.write({".git/codetwine/lock": "99999\n"})  # as of a process that is no more
    project.replace("a.py", "pass", "return 1").check("a.py")
    assert not left.exists()


def test_an_interrupt_is_130_and_leaves_the_lock_free(tmp_path):
    project = Project(tmp_path / "p")
    project.write(_files())
    command = (sys.executable, "-P", "-m", "twine_hooks", "refresh")
    process = subprocess.Popen(
        command,
        cwd=project.path,
        env=project.environ | as_user(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    for line in process.stderr:
        if b"write" in line:
            break
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait() in (130, 0)
    assert b"Traceback" not in said
    assert project.tool("refresh").code == 0
    project.check_fresh()


def test_two_at_once_wait_for_each_other(tmp_path):
    project = Project(tmp_path / "p")
    project.write(_files())
    command = (sys.executable, "-P", "-m", "twine_hooks", "refresh")
    environ = project.environ | as_user()
    both = [
        subprocess.Popen(command, cwd=project.path, env=environ, stderr=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]  # fmt: skip
    assert [one.wait() for one in both] == [0, 0]
    project.check_fresh()
