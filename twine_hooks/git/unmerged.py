"""The sides of what is unmerged in an index, and a clone's merge driver; knows no document."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from twine_hooks.git.program import call_git
from twine_hooks.git.repository import Repository

DRIVER = "codetwine"
_NAME, _COMMAND = f"merge.{DRIVER}.name", f"merge.{DRIVER}.driver"

# As in the hooks: PATH first, then the interpreter that installed it. Where neither is there, git
# leaves the conflict to people, with our side in the work tree.
_SCRIPT = (
    "if command -v codetwine >/dev/null 2>&1;"
    ' then set -- codetwine "$@"; else set -- {python} -P -m twine_hooks "$@"; fi;'
    ' exec "$@"'
)


_STAGES = {"1": "base", "2": "ours", "3": "theirs"}


class Sides(NamedTuple):
    """The blobs of one unmerged path; "" where a side has none."""

    base: str = ""
    ours: str = ""
    theirs: str = ""


def unmerged_sides(listing: bytes) -> dict[str, Sides]:
    """By path the sides of all that is unmerged in the raw listing of an index."""
    found: dict[str, dict[str, str]] = {}
    for entry in listing.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = entry.partition("\t")
        _, blob, stage = head.split(" ")
        if stage in _STAGES:
            found.setdefault(path, {})[_STAGES[stage]] = blob
    return {path: Sides(**blobs) for path, blobs in found.items()}


def driver_command(python: str) -> str:
    """The command that git is to run; `python` is the interpreter to fall back to."""
    script = _SCRIPT.format(python=shlex.quote(python))
    return f"sh -c {shlex.quote(script)} codetwine hook merge-driver %O %A %B %P"


def has_merge_driver(repo: Repository) -> bool:
    """Whether git would run our merge driver in this clone."""
    done = call_git(("config", "--get", _COMMAND), cwd=repo.cwd, environ=repo.environ)
    return done.returncode == 0


def install_merge_driver(repo: Repository, python: str) -> bool:
    """Register our merge driver in this clone; False if it was there already."""
    command = driver_command(python)
    done = call_git(("config", "--local", "--get", _COMMAND), cwd=repo.cwd, environ=repo.environ)
    if done.stdout.decode("utf-8", "surrogateescape") == f"{command}\n":
        return False
    repo.run(("config", "--local", _NAME, "documents of codetwine"))
    repo.run(("config", "--local", _COMMAND, command))
    return True


def uninstall_merge_driver(repo: Repository) -> bool:
    """Take our merge driver out of the settings of this clone; False if it was not there."""
    args = ("config", "--local", "--remove-section", f"merge.{DRIVER}")
    return call_git(args, cwd=repo.cwd, environ=repo.environ).returncode == 0
