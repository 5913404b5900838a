"""Commits through hooks, and what must be true after each of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

from tests.projects import DOCS, Project, Said, as_user


class Committing(Project):
    """A project whose git finds our program."""

    def __init__(self, path: Path, files: str, config: str, scripts: Path, **options: Any) -> None:
        super().__init__(path, files, config, **options)
        self.use(scripts)

    def use(self, scripts: Path) -> Committing:
        """Let git's hooks find the programs in a folder first."""
        self.environ |= as_user()
        self.environ["PATH"] = f"{scripts}{os.pathsep}{self.environ['PATH']}"
        return self

    def at(self, path: Path) -> Committing:
        """A clone or a linked work tree, with the same programs."""
        other = copy(self)
        other.path = path
        return other

    def attempt(self, *args: str, **options: Any) -> Said:
        """`git ARGS`, however it ends."""
        done = self.run("git", *args, check=False, **options)
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    def try_commit(self, *args: str, **options: Any) -> Said:
        """`git commit -m change ARGS`, however it ends."""
        return self.attempt("commit", "-m", "change", *args, **options)

    def check_committed(self, said: Said, *, clean: bool = True) -> Said:
        """Assert that a commit was made and is whole, and that nothing is left over."""
        assert said.code == 0, said
        verdict = self.tool("verify", "--rev", "HEAD")
        assert verdict.code == 0, verdict.out
        if clean:
            assert self.status == ""
        return said

    def committed(self, rev: str = "HEAD") -> list[str]:
        """The paths that a commit changed."""
        listed = self.git("show", "--format=", "--name-only", "--no-renames", rev)
        return sorted(listed.split())

    def staged(self) -> list[str]:
        """The paths that are staged."""
        return sorted(self.git("diff", "--cached", "--name-only", "--no-renames").split())

    def run_line(self, said: Said) -> list[str]:
        """Run the exact `git add` line that a hook printed; its paths."""
        [line] = [one.strip() for one in said.err.splitlines() if "git add -A -- " in one]
        self.run("sh", "-c", line)
        return line.rpartition(" -- ")[2].split()


def documents_of(*sources: str) -> list[str]:
    """Document and leaf of each source, sorted."""
    return sorted(f"{DOCS}/{one}/{name}" for one in sources for name in ("doc.md", "leaf.twine"))


def folders_of(*sources: str) -> list[str]:
    """The documents' folder of each source."""
    return [f"{DOCS}/{one}" for one in sources]


def written_in(said: Said) -> Sequence[str]:
    """The sources whose documents a hook says it wrote, in order."""
    prefix = "codetwine: write   "
    printed = [line.strip() for line in said.err.splitlines()]  # prek indents what hooks print
    lines = [line for line in printed if line.startswith(prefix)]
    return [line.removeprefix(prefix).partition(":")[0] for line in lines]
