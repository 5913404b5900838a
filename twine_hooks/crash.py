"""The log of a bug: versions and a traceback, no file's text and no environment."""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from twine_hooks import versions
from twine_hooks.errors import GitError
from twine_hooks.git import Repository


def write_log(error: BaseException, arguments: Sequence[str]) -> Path:
    """Write what a report of a bug needs; the path of the log, in the repository's git folder.

    Outside a repository, and where that folder can't be written, it lies among the temporary
    files. Raises OSError if there is no place at all.
    """
    text = _text(error, arguments)
    try:
        folder = Repository.open(_started_in(arguments), os.environ).common_dir / "codetwine"
        folder.mkdir(exist_ok=True)
        log = folder / "crash.log"
        log.write_text(text, encoding="utf-8", errors="backslashreplace")
    except (GitError, OSError):
        handle, name = tempfile.mkstemp(prefix="codetwine-", suffix=".log")
        log = Path(name)
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    return log


def _started_in(arguments: Sequence[str]) -> Path:
    """The folder of the command: the current one, and what `-C` adds to it."""
    pairs = pairwise(arguments)
    return Path.cwd().joinpath(*(folder for option, folder in pairs if option == "-C"))


def _text(error: BaseException, arguments: Sequence[str]) -> str:
    lines = [f"{name} {version}" for name, version in versions.report().items()]
    command = " ".join(map(ascii, arguments))
    return "\n".join([*lines, "", f"codetwine {command}", "", *traceback.format_exception(error)])
