"""The scripts `codetwine` and `twine` beside PyPI's upload tool, which has a `twine` as well."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.environments import ROOT, Environment
from twine_hooks import names, registered
from twine_hooks.commands import COMMANDS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_every_command_has_a_file_and_every_file_is_a_command():
    files = {path.stem for path in (ROOT / "twine_hooks" / "commands").glob("[!_]*.py")}
    assert set(COMMANDS) == files


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_shows_each_command_s_own_help(name):
    command = importlib.import_module(f"twine_hooks.commands.{name}").command
    assert command.name == name
    assert command.get_short_help_str(limit=200) == COMMANDS[name]


def test_pypi_s_twine_gets_every_command_and_loses_none_of_its_own():
    entries = PROJECT["entry-points"][names.GROUP]
    assert entries == {name: f"twine_hooks.registered:{name}" for name in sorted(COMMANDS)}
    assert not {"upload", "register", "check"} & set(entries)
    assert all(callable(getattr(registered, name)) for name in entries)


def test_a_registered_command_is_called_with_its_arguments(capsys):
    assert registered.doctor(["--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: codetwine doctor [OPTIONS]")


def test_the_list_is_printed_without_importing_a_command_or_anything_heavy():
    heavy = "{'blake3', 'litellm', 'pygit2', 'ruamel', 'tree_sitter'}"
    program = (
        "import sys; from twine_hooks.cli import main; main(['--help']);"
        f"sys.exit(str({heavy} & set(sys.modules) or"
        " [m for m in sys.modules if m.startswith('twine_hooks.commands.')] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == "\n"
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["upload", "dist/x.whl"], "upload"),
        (["--no-color", "check", "x"], "check"),
        (["refresh", "upload"], None),
        (["-C", "upload", "status"], None),
        (["--help"], None),
        ([], None),
    ],
)
def test_which_calls_belong_to_the_upload_tool(arguments, expected):
    assert names.upload_command(arguments) == expected


def test_the_owner_of_a_windows_launcher_is_read_from_its_zip_file(tmp_path):
    launcher = tmp_path / "twine.exe"
    launcher.write_bytes(b"MZ a program")
    with zipfile.ZipFile(launcher, "a") as archive:
        archive.writestr("__main__.py", "from twine_hooks.cli import main")
    assert names.owner_of(launcher) == "codetwine"


def test_no_module_of_ours_is_called_twine(wheel):
    listing = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True
    ).stdout
    tops = {line.split("/")[0] for line in listing.splitlines()[1:]}
    assert tops == {"docs_store", "twine_hooks", f"codetwine-{PROJECT['version']}.dist-info"}


ORDERS = {
    "ours first": (["ours"], ["twine"]),
    "theirs first": (["twine"], ["ours"]),
    "together": (["ours", "twine"],),
}


@pytest.mark.slow
@pytest.mark.parametrize("installer", ["pip", "uv"])
@pytest.mark.parametrize("order", ORDERS)
def test_both_programs_work_in_either_order_and_survive_the_other_s_end(
    installer, order, wheel, tmp_path, real_environ
):
    there = Environment(tmp_path / "venv", real_environ, installer)
    if order != "together":
        _install_dependencies(there, wheel)
    for step in ORDERS[order]:
        there.install(*(wheel if name == "ours" else name for name in step))

    _ours_works(there, "codetwine")
    _ours_works(there, "twine")
    _theirs_works(there, wheel, "twine")
    assert there.run("twine", "check", there.python).returncode == 1
    assert _doctor(there)["twine"]["ok"]

    if order == "theirs first":
        there.uninstall("codetwine")
        _theirs_works(there, wheel, "python", "-m", "twine")
    else:
        there.uninstall("twine")
        _ours_works(there, "codetwine")
        _ours_works(there, "python", "-m", "twine_hooks")
        assert not (there.bin / "twine").exists()
        _repair(there, wheel)
        _ours_works(there, "twine")


@pytest.mark.slow
def test_our_script_says_what_to_install_where_the_upload_tool_is_missing(
    wheel, tmp_path, real_environ
):
    there = Environment(tmp_path / "venv", real_environ, "uv")
    there.install(wheel)
    _ours_works(there, "twine")
    done = there.run("twine", "upload", "x.whl")
    assert (done.returncode, done.stdout) == (1, "")
    assert "run `pip install twine`, then `python -m twine upload`" in done.stderr


def _install_dependencies(there: Environment, wheel: Path) -> None:
    """What both need, in the fastest way: the order of these two is what the test is about."""
    fast = Environment(there.bin.parent, there.environ, "uv", make=False)
    fast.install(wheel, "twine")
    fast.uninstall("codetwine")
    fast.uninstall("twine")


def _repair(there: Environment, wheel: Path) -> None:
    """Do what doctor advises, with this checkout's wheel in the place of the published one."""
    finding = _doctor(there)["twine"]
    assert not finding["ok"]
    program, _, arguments = str(finding["advice"]).partition("install ")
    assert program == {"pip": "pip ", "uv": "uv pip "}[there.installer]
    *options, distribution = arguments.split()
    assert distribution == "codetwine"
    there.install(*options, wheel)


def _ours_works(there: Environment, *program: str) -> None:
    done = there.run(*program, "refresh", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: codetwine refresh")


def _theirs_works(there: Environment, wheel: Path, *program: str) -> None:
    done = there.run(*program, "upload", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: twine upload")
    done = there.run(*program, "check", wheel)
    assert (done.returncode, "PASSED" in done.stdout) == (0, True), done.stdout + done.stderr


def _doctor(there: Environment) -> dict[str, dict[str, object]]:
    return {
        finding["title"]: finding
        for finding in json.loads(there.run("codetwine", "doctor", "--json").stdout)
    }
