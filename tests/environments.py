"""Virtual environments for tests, filled from the registry by the real pip or uv."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What would make an interpreter or an installer look into the environment that runs the tests.
_LEAKING = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT")


class Environment:
    """A virtual environment in `folder`, into which `installer` (pip or uv) puts things."""

    def __init__(
        self, folder: Path, environ: Mapping[str, str], installer: str = "pip", make: bool = True
    ) -> None:
        self.bin = folder / "bin"
        self.python = self.bin / "python"
        self.installer = installer
        kept = {key: value for key, value in environ.items() if key not in _LEAKING}
        # A wide terminal, so that no help text is wrapped in the middle of what a test looks for.
        self.environ = {
            **kept,
            "PATH": f"{self.bin}{os.pathsep}{environ['PATH']}",
            "COLUMNS": "200",
        }
        if make and installer == "uv":
            self._run(_uv(), "venv", "--quiet", "--python", sys.executable, folder)
        elif make:
            self._run(sys.executable, "-m", "venv", folder)

    def install(self, *what: str | Path) -> None:
        """`pip install WHAT`, or the same with uv."""
        self._installer("install", *(["--no-compile"] if self.installer == "pip" else []), *what)

    def uninstall(self, distribution: str) -> None:
        self._installer("uninstall", *(["--yes"] if self.installer == "pip" else []), distribution)

    def run(
        self, program: str, *args: str | Path, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run one of the environment's programs and never mind how it ends."""
        return self._run(self.bin / program, *args, cwd=cwd, check=False)

    def _installer(self, verb: str, *args: str | Path) -> None:
        if self.installer == "uv":
            self._run(_uv(), "pip", verb, "--quiet", "--python", self.python, *args)
        else:
            pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
            self._run(self.python, *pip, verb, *args)

    def _run(
        self, *command: str | Path, cwd: Path | None = None, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd or self.bin.parent.parent,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stderr}")
        return done


def _uv() -> Path:
    return Path(sysconfig.get_path("scripts")) / "uv"
