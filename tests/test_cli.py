"""`main`: exit codes, global options, streams, and what a bug leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType

import click
import pytest

from docs_store.errors import LeafError
from tests.environments import ROOT
from tests.repos import Repo
from twine_hooks import commands
from twine_hooks.cli import main
from twine_hooks.errors import GitError


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """A command `answer` that does what a test says, found and run as any other.

    The log of a bug goes into the test's folder, not into the repository that is tested.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(callback, *args: str, before: tuple[str, ...] = ()) -> int:
        module = ModuleType("twine_hooks.commands.answer")
        module.command = click.command("answer")(click.pass_obj(callback))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(commands.COMMANDS, "answer", "")
        return main([*before, "answer", *args])

    return run


def _raiser(error: BaseException):
    def callback(session):
        raise error

    return callback


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (GitError("no such commit x: run git fetch"), 1, "codetwine: no such commit x: run git f"),
        (LeafError("conflict", "a.twine", 3), 1, "codetwine: a.twine:3: conflict\n"),
        (click.BadParameter("not 7"), 1, "Invalid value: not 7"),
        (KeyboardInterrupt(), 130, "codetwine: interrupted\n"),
        (ZeroDivisionError("odd"), 3, "codetwine: this is a bug of ours, not of yours: ZeroDiv"),
    ],
)
def test_an_error_becomes_a_message_and_an_exit_code(answer, capsys, error, code, message):
    assert answer(_raiser(error)) == code
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(("value", "code"), [(None, 0), (0, 0), (1, 1)])
def test_what_a_command_returns_is_the_exit_code(answer, value, code):
    assert answer(lambda session: value) == code


@pytest.mark.parametrize("args", [["nope"], ["doctor", "--nope"], ["doctor", "extra"], []])
def test_a_wrong_call_is_a_user_error(args, capsys):
    assert main(args) == 1
    assert "Usage: codetwine" in capsys.readouterr().err


def test_a_bug_leaves_a_log_in_the_git_folder_and_not_in_the_work_tree(
    answer, capsys, tmp_path, monkeypatch
):
    repo = Repo(tmp_path / "repo")
    monkeypatch.chdir(repo.path)
    assert answer(_raiser(ZeroDivisionError("odd")), before=("-C", ".")) == 3
    log = repo.path / ".git" / "codetwine" / "crash.log"
    assert str(log) in capsys.readouterr().err
    text = log.read_text()
    for expected in ("python 3.", "click ", "codetwine '-C' '.' 'answer'", "ZeroDivisionError"):
        assert expected in text
    assert repo.git("status", "--porcelain") == ""


def test_a_bug_outside_a_repository_leaves_a_log_among_the_temporary_files(
    answer, capsys, tmp_path
):
    assert answer(_raiser(ZeroDivisionError("odd"))) == 3
    [log] = tmp_path.glob("codetwine-*.log")
    assert str(log) in capsys.readouterr().err


def test_c_runs_the_command_as_if_started_there(answer, tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    seen = []
    assert answer(lambda session: seen.append(session.cwd), before=("-C", "a", "-C", "b")) == 0
    assert seen == [tmp_path / "a" / "b"]


def test_c_names_the_folder_that_is_not_there(capsys):
    assert main(["-C", "nowhere", "doctor"]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_each_command_is_a_line_of_the_help(capsys):
    assert main(["--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for name, help_text in commands.COMMANDS.items():
        assert f"{name} {help_text}" in printed


def test_a_name_that_is_no_text_is_printed_under_any_locale():
    program = "import twine_hooks.cli as c; c.main(['a\\udcff\\xe9'])"
    done = _python(program, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert "a\\udcffé" in done.stderr.decode()


@pytest.mark.parametrize(("no_color", "escapes"), [("", True), ("1", False)])
def test_no_color_is_obeyed_even_on_a_terminal(no_color, escapes):
    import pty

    parent, child = pty.openpty()
    environ = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    command = [sys.executable, "-m", "twine_hooks", "doctor"]
    subprocess.run(command, cwd=ROOT, env=environ, stdout=child, check=False)
    os.close(child)
    assert (b"\x1b[" in os.read(parent, 100_000)) is escapes


@pytest.mark.parametrize("args", ["['--help']", "['doctor', '--help']", "['unflushed']"])
def test_a_reader_that_goes_away_is_no_error_to_talk_about(args):
    program = (
        "import sys, twine_hooks.cli as c;"
        "c._fast = lambda args: print('x') or 0 if args == ['unflushed'] else None;"
        f"sys.exit(c.main({args}))"
    )
    reader, writer = os.pipe()
    os.close(reader)
    done = _python(program, {}, stdout=writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_pipe_that_breaks_elsewhere_is_not_passed_over_in_silence(answer, capfd):
    assert answer(_raiser(BrokenPipeError("git has gone"))) == 3
    assert "git has gone" in capfd.readouterr().err


def test_the_shell_s_completion_knows_the_commands():
    environ = {
        "_CODETWINE_COMPLETE": "bash_complete",
        "COMP_WORDS": "codetwine doc",
        "COMP_CWORD": "1",
    }
    done = _python("import sys, twine_hooks.cli as c; sys.exit(c.main([]))", environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"plain,doctor\n", b"")


def _python(program: str, environ: dict[str, str], stdout: int = subprocess.PIPE):
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, **environ},
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


def test_a_folder_that_is_gone_is_said_so(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["status"]) == 1
    assert "is gone" in capsys.readouterr().err
