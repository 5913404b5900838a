"""Who answers to the name `twine`: we, or PyPI's upload tool.

PyPI's `twine` installs a script of the same name. pip and uv overwrite it without a word, and
uninstalling either distribution deletes it. Knows nothing of what our own commands do.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from twine_hooks.errors import CodetwineError

Owner = Literal["codetwine", "twine", "another program"]

# Commands of PyPI's twine, plugins included; ours are registered there, too.
GROUP = "twine.registered_commands"
# Known without asking what is installed, so that their absence can be explained.
_UPLOAD_COMMANDS = frozenset({"check", "register", "upload"})


def upload_command(arguments: Sequence[str]) -> str | None:
    """The command of PyPI's twine, or of a plugin of it, that `twine ARGUMENTS` asks for."""
    first = next((argument for argument in arguments if argument != "--no-color"), "-")
    if first.startswith("-"):
        return None
    return first if first in _UPLOAD_COMMANDS or first in _plugins() else None


def _plugins() -> set[str]:
    from importlib.metadata import entry_points

    return {
        entry.name
        for entry in entry_points(group=GROUP)
        if entry.module.partition(".")[0] != "twine_hooks"
    }


def run_upload_tool(command: str, arguments: Sequence[str]) -> int:
    """Hand ARGUMENTS over to the installed PyPI twine; its exit code.

    Raises CodetwineError where it is not installed.
    """
    from importlib import metadata

    try:
        entries = metadata.distribution("twine").entry_points
    except metadata.PackageNotFoundError:
        raise CodetwineError(
            f"`twine {command}` belongs to PyPI's upload tool, which is not installed here: "
            f"run `pip install twine`, then `python -m twine {command}`"
        ) from None
    script = entries.select(group="console_scripts")["twine"]
    sys.argv[1:] = arguments
    return int(script.load()() or 0)


def owner_of(script: Path) -> Owner:
    """Whose a script is, by what it imports."""
    text = _text_of(script)
    if b"twine_hooks" in text:
        return "codetwine"
    return "twine" if b"from twine" in text else "another program"


def _text_of(script: Path) -> bytes:
    try:
        if not zipfile.is_zipfile(script):
            return script.read_bytes()
        with zipfile.ZipFile(script) as launcher:  # on Windows, an .exe with a zip file behind
            return launcher.read("__main__.py")
    except (KeyError, OSError):
        return b""


def scripts_folder() -> Path:
    """Where this environment's scripts lie, links resolved."""
    import sysconfig

    return Path(os.path.realpath(sysconfig.get_path("scripts")))
