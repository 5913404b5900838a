"""Commands in a bare repository: they answer for HEAD, or say what to name instead."""

from __future__ import annotations

import pytest

from tests.projects import Project, codetwine
from tests.repos import Repo

ASKED = (
    "chunks", "repomap", "rank", "cycles", "unused", "history", "hotspots", "graph", "tree",
    "callers f", "callees g", "chain g f", "impact f", "cochange a.py", "facts a.py", "verify",
    "export --output-dir {out}", "export --format dot --output-dir {out}",
)  # fmt: skip
TAKE_STAGED = [
    one
    for one in ASKED
    if one.split()[0] not in ("history", "cochange", "hotspots", "facts", "export")
]


@pytest.fixture
def bare(tmp_path):
    project = Project(tmp_path / "shop", "-- a.py --\ndef f(): pass\ndef g(): f()\n")
    project.tool("refresh")
    project.add().commit().clone(tmp_path / "shop.git", "--bare")
    return Repo(tmp_path / "shop.git", init=False)


def ask(bare, command, *more):
    return codetwine(bare.path, *command.format(out=bare.path.parent / "out").split(), *more)


@pytest.mark.parametrize("command", ASKED)
def test_it_answers_for_head_and_for_any_commit(bare, command):
    for more in ([], ["--rev", "main"]):
        said = ask(bare, command, *more)
        assert said.code == 0, said.err


@pytest.mark.parametrize("command", ASKED)
def test_where_head_leads_nowhere_it_says_what_to_name(bare, command):
    bare.git("symbolic-ref", "HEAD", "refs/heads/other")
    said = ask(bare, command)
    assert (said.code, said.out) == (1, "")
    assert "'HEAD' names no commit in" in said.err
    assert said.err.endswith("name another one: --rev main\n")
    assert ask(bare, command, "--rev", "main").code == 0


@pytest.mark.parametrize("command", ASKED)
def test_without_any_commit_it_says_so(tmp_path, command):
    said = ask(Repo(tmp_path / "empty.git", args=("--bare",)), command)
    assert said.code == 1
    assert said.err.endswith("there is no commit yet: make one, or fetch\n")


@pytest.mark.parametrize("command", TAKE_STAGED)
def test_there_is_no_index(bare, command):
    said = ask(bare, command, "--staged")
    assert (said.code, said.out) == (1, "")
    assert "has no index here; leave out --staged" in said.err


@pytest.mark.parametrize("form", ["json", "dot"])
def test_an_export_needs_a_folder(bare, form):
    said = ask(bare, f"export --format {form}")
    assert said.code == 1
    assert "has no work tree to export into; name a folder with --output-dir" in said.err
    assert not (bare.path / ".codetwine").exists()
