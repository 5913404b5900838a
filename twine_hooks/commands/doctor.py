"""`codetwine doctor`: checks of the installation; knows nothing of any document."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from twine_hooks import names, versions
from twine_hooks.errors import GitError
from twine_hooks.git import Repository, configured_hooks, find_hook_state, has_merge_driver
from twine_hooks.session import Session

# `rev-parse --path-format`, and with it everything else that git.py asks for.
_GIT_NEEDED = (2, 31)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; `advice` is a command to type, or empty."""

    ok: bool
    title: str
    detail: str
    advice: str = ""


_NO_CLONE = "this is no git repository"

Check = Callable[[Session], Finding]


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Check the installation, and say how to repair it.

    Who owns the script `twine` (PyPI's upload tool has one of that name), what is installed,
    whether git is new enough, and what this clone has of hooks and the merge driver. Exit code 1 if
    something needs a repair.
    """
    findings = [check(session) for check in CHECKS]
    click.echo(_json(findings) if as_json else _text(findings))
    return 0 if all(finding.ok for finding in findings) else 1


def _json(findings: Sequence[Finding]) -> str:
    return json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False)


def _text(findings: Sequence[Finding]) -> str:
    return "\n".join(_lines(finding) for finding in findings)


def _lines(finding: Finding) -> str:
    mark = click.style("ok  ", fg="green") if finding.ok else click.style("FAIL", fg="red")
    advice = f"\n      -> {finding.advice}" if finding.advice else ""
    return f"{mark}  {finding.title}: {finding.detail}{advice}"


def check_python(session: Session) -> Finding:
    detail = f"{platform.python_implementation()} {platform.python_version()}"
    return Finding(True, "python", detail)


def check_git(session: Session) -> Finding:
    program = _on_path("git", session)
    if program is None:
        return Finding(False, "git", "not found on PATH", "install git 2.31 or newer")
    # Its version is the machine's, not a repository's, so this does not go through git.py.
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)\.(\d+)", answer.stdout)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    new_enough = version >= _GIT_NEEDED
    advice = "" if new_enough else "install git 2.31 or newer"
    return Finding(new_enough, "git", answer.stdout.strip() or "gave no version", advice)


def check_distributions(session: Session) -> Finding:
    ours, theirs = versions.installed("codetwine"), versions.installed("twine")
    detail = (
        f"codetwine {ours or 'is not installed'}, "
        f"PyPI's upload tool twine {theirs or 'is not installed'}"
    )
    return Finding(ours is not None, "installed", detail, "" if ours else "pip install codetwine")


def check_codetwine_script(session: Session) -> Finding:
    script = _on_path("codetwine", session)
    if script is not None:
        which = "this program" if _is_here(script) else "another installation of this program"
        return Finding(True, "codetwine", f"{script} is {which}")
    return Finding(
        True,
        "codetwine",
        "the script is not on PATH, hooks fall back to `python -m twine_hooks`",
        f'export PATH="{names.scripts_folder()}:$PATH"',
    )


def check_twine_script(session: Session) -> Finding:
    script = _on_path("twine", session) or _found("twine", str(names.scripts_folder()))
    if script is None:
        detail = "the script is gone, as after uninstalling PyPI's twine; `codetwine` does the same"
        return Finding(False, "twine", detail, _reinstall())
    match names.owner_of(script):
        case "codetwine":
            return Finding(True, "twine", f"{script} is ours: `twine refresh` runs it")
        case "twine" if _is_here(script) and versions.installed("codetwine"):
            detail = f"{script} is PyPI's upload tool, which runs our commands for us"
            return Finding(True, "twine", f"{detail}: `twine refresh` works")
        case owner:
            whose = "PyPI's upload tool of another environment" if owner == "twine" else owner
            detail = f"{script} is {whose}: `twine refresh` does not reach us"
            return Finding(False, "twine", detail, "use `codetwine`, it is the same program")


def check_hooks(session: Session) -> Finding:
    repo = _repository(session)
    if repo is None:
        return Finding(True, "hooks", _NO_CLONE)
    states = find_hook_state(repo)
    runs = [one.hook_type for one in states if one.runs_codetwine]
    framework = [one.hook_type for one in states if one.owner == "framework"]
    if runs:
        return Finding(True, "hooks", f"{', '.join(runs)}: installed by codetwine")
    configured = configured_hooks(repo)
    if configured:
        return Finding(True, "hooks", f"{', '.join(configured)}: by the settings of git")
    if framework:
        detail = (
            f"{', '.join(framework)}: the pre-commit framework's, which .pre-commit-config.yaml"
        )
        return Finding(True, "hooks", f"{detail} tells what to run")
    return Finding(True, "hooks", "none in this clone: CI alone judges", "codetwine install")


def check_merge_driver(session: Session) -> Finding:
    repo = _repository(session)
    if repo is None:
        return Finding(True, "merge driver", _NO_CLONE)
    if has_merge_driver(repo):
        return Finding(True, "merge driver", "git settles documents inside of merges")
    detail = "none in this clone: `codetwine resolve` settles documents after a conflict"
    return Finding(True, "merge driver", detail, "codetwine install")


def _repository(session: Session) -> Repository | None:
    """The repository that we are in, if any: the installation can be checked anywhere."""
    try:
        return Repository.open(session.cwd, session.environ)
    except GitError:
        return None


def _reinstall() -> str:
    """The command that lays our scripts down again, for the installer that laid them down."""
    if versions.installer("codetwine") == "uv":
        return "uv pip install --no-deps --reinstall-package codetwine codetwine"
    return "pip install --force-reinstall --no-deps codetwine"


def _is_here(script: Path) -> bool:
    return Path(os.path.realpath(script)).parent == names.scripts_folder()


def _on_path(script: str, session: Session) -> Path | None:
    return _found(script, session.environ.get("PATH", ""))


def _found(script: str, path: str) -> Path | None:
    found = shutil.which(script, path=path)
    return Path(found) if found else None


# In the order in which a person wants to read them.
CHECKS: tuple[Check, ...] = (
    check_python,
    check_git,
    check_distributions,
    check_codetwine_script,
    check_twine_script,
    check_hooks,
    check_merge_driver,
)
