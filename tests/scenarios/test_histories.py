"""Random histories through the native hook: after each commit all is fresh and nothing is left."""

from __future__ import annotations

import random
import sys

import pytest

from tests.environments import ROOT
from tests.hooks.committing import Committing
from tests.scenarios.branches import unmerged


class History:
    """One walk; each step is a way in which a commit comes about."""

    def __init__(self, project: Committing, seed: int) -> None:
        self.project, self.random, self.count = project, random.Random(seed), 0

    def sources(self) -> list[str]:
        return [one for one in self.project.git("ls-files", "*.py").split() if "docs" not in one]

    def pick(self) -> str:
        return self.random.choice(self.sources())

    def edit(self, name: str) -> None:
        self.count += 1
        text = self.project.read(name)
        kind = self.random.choice(["body", "comment", "new", "use"])
        if kind == "body":
            text += f"\n_value = {self.count}\n"
        elif kind == "comment":
            text += f"\n# comment {self.count}\n"
        elif kind == "new":
            text += f"\n\ndef added{self.count}(a, b={self.count}):\n    return a\n"
        else:
            other = self.pick().removesuffix(".py").replace("/", ".")
            text = f"import {other}\n{text}\nprint({other}.alone)\n"
        self.project.write({name: text})

    def plain(self) -> None:
        self.edit(self.pick())
        self.project.add()
        self.committed()

    def all(self) -> None:
        self.edit(self.pick())
        self.committed("-a")

    def add(self) -> None:
        self.count += 1
        self.project.write({f"pkg{self.count % 3}/new{self.count}.py": "def alone(): return 1\n"})
        self.project.add()
        self.committed()

    def delete(self) -> None:
        if len(self.sources()) > 3:
            self.project.git("rm", "-q", self.pick())
            self.committed()

    def rename(self) -> None:
        self.count += 1
        name = self.pick()
        self.project.rename(name, f"moved{self.count}/{name.rpartition('/')[2]}")
        if self.random.random() < 0.5:
            self.edit_moved(name)
        self.project.add()
        self.committed()

    def edit_moved(self, name: str) -> None:
        self.edit(f"moved{self.count}/{name.rpartition('/')[2]}")

    def swap(self) -> None:
        one, other = self.random.sample(self.sources(), 2)
        texts = {one: self.project.read(other), other: self.project.read(one)}
        self.project.write(texts).add()
        self.committed("--allow-empty")

    def amend(self) -> None:
        self.edit(self.pick())
        self.committed("-a", "--amend")

    def revert(self) -> None:
        if self.project.git("rev-list", "--count", "HEAD") == "1\n":
            return  # nothing would be left to walk on
        if self.project.attempt("revert", "-n", "HEAD").code == 0:
            self.committed("--allow-empty")
        else:
            self.project.git("reset", "-q", "--hard")

    def merge(self) -> None:
        self.project.git("checkout", "-q", "-B", "side", "HEAD")
        self.plain()
        self.plain()
        self.project.git("checkout", "-q", "main")
        self.plain()
        said = self.project.attempt("merge", "-q", "--no-edit", "side")
        if said.code:
            self.project.tool("resolve")
            for name in unmerged(self.project):
                self.project.git("checkout", "-q", "--theirs", "--", name, check=False)
                self.project.git("add", "-A", "--", name)
            self.committed("--allow-empty")
        elif self.project.status:
            # post-merge wrote what the merge made stale.
            self.project.add()
            self.committed()

    def committed(self, *args: str) -> None:
        self.project.check_committed(self.project.try_commit("-q", *args))

    def run(self, steps: int) -> None:
        ways = [self.plain, self.all, self.add, self.delete, self.rename, self.swap]
        ways += [self.amend, self.revert, self.merge]
        for _ in range(steps):
            self.random.choice(ways)()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("has_driver", [False, True])
def test_every_commit_is_whole(project, seed, has_driver):
    if has_driver:
        project.tool("init")
        project.add().commit("set up", "--no-verify")
    assert project.tool("install").code == 0
    History(project, seed).run(14)
    project.check_fresh()


@pytest.mark.slow
def test_a_history_with_merges_is_replayed_without_a_problem(project):
    pytest.importorskip("benchmarks.replay")
    for side in ("one", "two"):
        project.git("checkout", "-q", "-b", side)
        project.write({f"{side}.py": "from shapes import area\nprint(area(1, 2))\n"}).add()
        project.commit(side, "--no-verify")
        project.git("checkout", "-q", "main")
        project.replace("shapes.py", "w *", "w + w *").add().commit("main", "--no-verify")
        project.git("merge", "-q", "--no-ff", "--no-edit", side)
    command = (sys.executable, "-m", "benchmarks.replay", project.path, "4")
    said = project.run(*command, cwd=ROOT, check=False)
    assert said.returncode == 0, said.stdout
    assert b"2 clean merges" in said.stdout and b"; 0 problems" in said.stdout
