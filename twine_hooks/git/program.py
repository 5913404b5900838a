"""Runs the git program in an environment that the caller gives; knows no repository."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from twine_hooks.errors import GitError

# What `git rev-parse --local-env-vars` prints (git 2.31 to 2.55; a test compares with the git at
# hand).
LOCAL_ENV_VARS = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
)


def git_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a child git: it speaks English, and locks nothing just to refresh it.

    LANGUAGE and not LC_ALL, because filters that git starts must see the user's character set.
    """
    return {**environ, "GIT_OPTIONAL_LOCKS": "0", "LANGUAGE": "C"}


def without_local_env(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what ties it to one repository, for touching another one.

    git exports these to hooks, always in linked work trees and submodules, and they leak to every
    child.
    """
    return {name: value for name, value in environ.items() if name not in LOCAL_ENV_VARS}


# Added to git's environment: a path is that path, whatever `*`, `[` or `:` are in it.
LITERAL_PATHSPECS = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_GLOB_PATHSPECS": "0",
    "GIT_ICASE_PATHSPECS": "0",
    "GIT_NOGLOB_PATHSPECS": "0",
}


def join_paths(paths: Iterable[str]) -> bytes:
    """Paths as git reads them with `-z`; any byte survives."""
    return b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)


def split_paths(raw: bytes) -> list[str]:
    """Paths as git prints them with `-z`."""
    return raw.decode("utf-8", "surrogateescape").split("\0")[:-1]


def call_git(
    args: Sequence[str | bytes],
    *,
    cwd: Path,
    environ: Mapping[str, str],
    input: bytes | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git and return how it ended, whatever that was; GitError only if it can't be started."""
    try:
        return subprocess.run(
            ["git", *args],
            cwd=cwd,
            env=git_environ(environ),
            input=input,
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
        )
    except OSError as error:
        raise cannot_start(cwd, error) from error


def run_git(
    args: Sequence[str | bytes],
    *,
    cwd: Path,
    environ: Mapping[str, str],
    input: bytes | None = None,
) -> bytes:
    """Run git and return its standard output; GitError with git's own complaint if it fails."""
    done = call_git(args, cwd=cwd, environ=environ, input=input)
    if done.returncode:
        raise git_failed(args, cwd, done.stderr)
    return done.stdout


def cannot_start(cwd: Path, error: OSError) -> GitError:
    """The error for a git that did not even start."""
    if not cwd.is_dir():
        return GitError(f"{cwd} is not a folder; name one that exists")
    if isinstance(error, FileNotFoundError):
        return GitError("the program git is not on PATH; install git 2.31 or newer")
    return GitError(
        f"git can't be started in {cwd}: {error.strerror}; check the rights of the folder"
    )


def git_failed(args: Sequence[str | bytes], cwd: Path, stderr: bytes) -> GitError:
    """The error for a git command that failed, with the line of its output that says why."""
    command = next((arg for arg in map(_text, args) if not arg.startswith("-")), "")
    return GitError(
        f"git {command} failed in {cwd}: {complaint(stderr)}; "
        "run `git status` there to see how it stands"
    )


def complaint(stderr: bytes) -> str:
    """The line in which git says what is wrong, without its `fatal:`."""
    lines = [line.strip() for line in _text(stderr).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("hint: ")]
    for mark in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(mark):
                return line.removeprefix(mark)
    if len(lines) > 1 and lines[-2].endswith(":"):
        return f"{lines[-2]} {lines[-1]}"  # what is wrong, and with what
    return lines[-1] if lines else "git said nothing"


def _text(raw: str | bytes) -> str:
    return raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
