"""Where and in which environment a command runs; knows nothing of what it does there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from twine_hooks.errors import CodetwineError


class Session(NamedTuple):
    """What `main` hands to every command, so that nothing below it reads the process.

    `cwd` is absolute and already has `-C` in it: resolve a user's relative path against it.
    """

    cwd: Path
    environ: Mapping[str, str]


def here() -> Path:
    """The current folder; CodetwineError if it is gone, as a linked work tree that was removed."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise CodetwineError("the folder that you are in is gone; change to another") from None
