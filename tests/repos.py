"""Real repositories for tests, made with the git program and cut off from the machine's settings.

repo = Repo(tmp_path / "a").write({"src/a.py": "x = 1\n"}).add().commit("first")
repo.git("log", "--format=%s")          -> "first\n"
repo.run(sys.executable, "-m", "twine_hooks", "status")
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_GIT_CONFIG = """\
[user]
    name = Ada Example
    email = ada@example.com
[init]
    defaultBranch = main
[core]
    autocrlf = false
[commit]
    gpgSign = false
[gc]
    auto = 0
[maintenance]
    auto = false
[protocol "file"]
    allow = always
[advice]
    detachedHead = false
"""


def isolated_environ(home: Path) -> dict[str, str]:
    """An environment with a home of its own, no system settings, fixed author and dates."""
    home.mkdir(parents=True, exist_ok=True)
    config = home / ".gitconfig"
    if not config.exists():
        config.write_text(_GIT_CONFIG)
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "GIT_AUTHOR_DATE": "2024-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2024-01-02T03:04:05Z",
        "LC_ALL": "C.UTF-8",
    }


class Repo:
    """A repository at `path`; every method that changes it returns it, so that calls chain."""

    def __init__(
        self,
        path: Path,
        *,
        home: Path | None = None,
        init: bool = True,
        args: tuple[str, ...] = (),
    ) -> None:
        """Open `path`, or make it with `git init *args`; the home lies beside it by default."""
        self.path = path
        self.environ = isolated_environ(home or path.parent / "home")
        if init and not (path / ".git").exists():
            path.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", *args)

    def run(
        self,
        *command: str | Path,
        check: bool = True,
        input: bytes | None = None,
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a program in the repository; AssertionError with its output if it fails."""
        done = subprocess.run(
            [os.fspath(part) for part in command],
            cwd=cwd or self.path,
            env={**self.environ, **(environ or {})},
            input=input,
            stdin=None if input is not None else subprocess.DEVNULL,
            capture_output=True,
        )
        if check:
            said = (done.stdout + done.stderr).decode(errors="replace")
            assert done.returncode == 0, f"{command} returned {done.returncode}\n{said}"
        return done

    def git(self, *args: str | Path, check: bool = True, **options: object) -> str:
        """Standard output of a git command, as text; options as in `run`."""
        done = self.run("git", *args, check=check, **options)  # type: ignore[arg-type]
        return os.fsdecode(done.stdout)

    def write(self, files: Mapping[str, str | bytes]) -> Repo:
        """Write files (path -> text or bytes); text is written as UTF-8 with its newlines kept."""
        for name, content in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return self

    def delete(self, *names: str) -> Repo:
        """Delete files from the work tree (not from the index)."""
        for name in names:
            (self.path / name).unlink()
        return self

    def read(self, name: str) -> str:
        """The text of a file in the work tree."""
        return (self.path / name).read_bytes().decode()

    def add(self, *paths: str) -> Repo:
        """Stage the paths, everything by default."""
        self.git("add", *(("--", *paths) if paths else ("-A",)))
        return self

    def commit(self, message: str = "change", *args: str) -> Repo:
        """Commit what is staged, or what `args` say."""
        self.git("commit", "-q", "-m", message, *args)
        return self

    def config(self, **settings: str) -> Repo:
        """Set local settings, a double underscore for the dot: `config(core__eol="crlf")`."""
        for key, value in settings.items():
            self.git("config", key.replace("__", "."), value)
        return self

    def hook(self, name: str, script: str) -> Repo:
        """Install an executable hook with this text."""
        target = self.path / self.git("rev-parse", "--git-path", f"hooks/{name}").strip()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(script)
        target.chmod(0o755)
        return self

    def clone(self, path: Path, *args: str) -> Repo:
        """A clone over file://, so that --depth and --filter mean what they say."""
        self.git("clone", "-q", *args, self.path.as_uri(), path)
        return Repo(path, home=Path(self.environ["HOME"]), init=False)

    def worktree(self, path: Path, *args: str) -> Repo:
        """A linked work tree at `path`."""
        self.git("worktree", "add", "-q", *args, path)
        return Repo(path, home=Path(self.environ["HOME"]), init=False)

    @property
    def head(self) -> str:
        """The id of the commit that is checked out."""
        return self.git("rev-parse", "HEAD").strip()

    @property
    def status(self) -> str:
        """`git status --porcelain`."""
        return self.git("status", "--porcelain")
