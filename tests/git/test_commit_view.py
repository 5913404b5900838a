"""The view of a hook equals the commit that it becomes (DESIGN.md, invariant 4).

A real pre-commit hook writes down our index snapshot; git then makes the commit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.environments import ROOT
from tests.repos import Repo

_LOOK = """\
import json, os, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from twine_hooks.git import Repository, commit_kind, index_snapshot
repo = Repository.open(Path.cwd(), os.environ)
listing = index_snapshot(repo).listing
seen = {{**listing.files, **listing.symlinks, **listing.submodules}}
answer = dict(root=str(repo.root), kind=commit_kind(repo), seen=seen)
Path({out!r}).write_text(json.dumps(answer))
"""


def watch(repo: Repo, *, below: str = ".") -> Path:
    """Install the hook, which looks from the folder `below`; the path of what it saw."""
    out = repo.path.parent / f"{repo.path.name}.seen"
    look = repo.path.parent / f"{repo.path.name}.look.py"
    look.write_text(_LOOK.format(root=str(ROOT), out=str(out)))
    repo.hook("pre-commit", f"#!/bin/sh\ncd '{below}' && exec '{sys.executable}' '{look}'\n")
    return out


def saw(repo: Repo, out: Path, kind: str) -> None:
    """What the hook saw is what HEAD now is."""
    answer = json.loads(out.read_text())
    entries = repo.git("ls-tree", "-r", "-z", "HEAD").split("\0")[:-1]
    commit = {path: head.split(" ")[2] for head, _, path in (e.partition("\t") for e in entries)}
    assert answer == {"root": str(repo.path), "kind": kind, "seen": commit}


def _start(repo: Repo) -> Repo:
    repo.write({"a.py": "1\n2\n3\n", "b.py": "1\n", "sub/c.py": "", "d.py": "1\n"}).add().commit()
    return repo.write({"b.py": "staged\n"}).add().write({"a.py": "1\n2\n3\n4\n", "new.py": "1\n"})


COMMITS: dict[str, tuple[str, Callable[[Repo], object]]] = {
    "plain": ("plain", lambda repo: repo.commit()),
    "all": ("all", lambda repo: repo.commit("x", "-a")),
    "include": ("all", lambda repo: repo.commit("x", "-i", "a.py")),
    "path": ("partial", lambda repo: repo.commit("x", "--", "a.py")),
    "amend": ("plain", lambda repo: repo.commit("x", "--amend")),
    "empty amend": ("plain", lambda repo: repo.add("a.py").commit("x", "--amend", "--allow-empty")),
    "deletion": ("plain", lambda repo: (repo.git("rm", "-q", "d.py"), repo.commit())),
    "rename": ("plain", lambda repo: (repo.git("mv", "d.py", "D.py"), repo.commit())),
    "announced": ("plain", lambda repo: (repo.git("add", "-N", "new.py"), repo.commit())),
    "announced, all": (
        "all",
        lambda repo: (repo.git("add", "-N", "new.py"), repo.commit("x", "-a")),
    ),
    "add -p": (
        "plain",
        lambda repo: (
            repo.git("add", "-p", "a.py", input=b"y\n"),
            repo.write({"a.py": ""}).commit(),
        ),
    ),
    "git dir given": (
        "plain",
        lambda repo: repo.git("--git-dir=.git", "--work-tree=.", "commit", "-qm", "x"),
    ),
    "own index": (
        "other",
        lambda repo: repo.git("commit", "-qm", "x", environ={"GIT_INDEX_FILE": ".git/mine"}),
    ),
}


@pytest.mark.parametrize("how", COMMITS)
@pytest.mark.parametrize("below", [".", "sub"])
def test_every_kind_of_commit(repo: Repo, how: str, below: str):
    kind, commit = COMMITS[how]
    _start(repo).git("read-tree", "HEAD", environ={"GIT_INDEX_FILE": ".git/mine"})
    repo.git("rm", "-q", "--cached", "d.py", environ={"GIT_INDEX_FILE": ".git/mine"})
    out = watch(repo, below=below if how != "git dir given" else ".")
    commit(repo)
    saw(repo, out, kind)


def test_the_first_commit(repo: Repo):
    out = watch(repo)
    repo.write({"a": "1"}).add().commit()
    saw(repo, out, "plain")


@pytest.mark.parametrize("args", [(), ("-a",), ("--", "a.py")])
@pytest.mark.parametrize("below", [".", "sub"])
def test_in_a_linked_work_tree(repo: Repo, tmp_path: Path, args: tuple[str, ...], below: str):
    repo.write({"a.py": "1", "b.py": "1", "sub/c.py": ""}).add().commit()
    out = watch(repo, below=below)
    linked = repo.worktree(tmp_path / "linked").write({"b.py": "2"}).add().write({"a.py": "2"})
    linked.commit("x", *args)
    saw(linked, out, {(): "plain", ("-a",): "all"}.get(args, "partial"))


@pytest.mark.parametrize("args", [(), ("-a",), ("--", "a.py")])
def test_in_a_submodule_and_in_its_superproject(repo: Repo, tmp_path: Path, args: tuple[str, ...]):
    inner = Repo(tmp_path / "inner").write({"a.py": "1", "b.py": "1"}).add().commit()
    repo.git("submodule", "-q", "add", inner.path, "mod")
    repo.commit()
    mod = Repo(repo.path / "mod", home=tmp_path / "home", init=False)
    out = watch(mod)
    mod.write({"b.py": "2"}).add().write({"a.py": "2"}).commit("x", *args)
    saw(mod, out, {(): "plain", ("-a",): "all"}.get(args, "partial"))
    out = watch(repo)
    repo.commit("x", "-a")
    saw(repo, out, "all")


def _sparse_index(repo: Repo) -> None:
    repo.git("sparse-checkout", "init", "--cone", "--sparse-index")
    repo.git("sparse-checkout", "set", "sub")


LAYOUTS: dict[str, Callable[[Repo], object]] = {
    "sparse checkout": lambda repo: repo.git("sparse-checkout", "set", "sub"),
    "sparse index": _sparse_index,
    "split index": lambda repo: repo.config(core__splitIndex="true"),
    "index v4": lambda repo: repo.config(index__version="4"),
    "autocrlf": lambda repo: repo.config(core__autocrlf="true"),
    "filter": lambda repo: repo.config(filter__up__clean="tr a-z A-Z"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("args", [(), ("-a",), ("--", "sub/a.up")])
def test_every_layout(repo: Repo, layout: str, args: tuple[str, ...]):
    files = {
        ".gitattributes": "*.up filter=up\n",
        "sub/a.up": "one\r\n",
        "out/b": "1",
        "sub/d": "1",
    }
    repo.write(files).add().commit()
    LAYOUTS[layout](repo)
    out = watch(repo)
    repo.write({"sub/d": "2\r\n"}).add("sub").write({"sub/a.up": "two\r\n"}).commit("x", *args)
    saw(repo, out, {(): "plain", ("-a",): "all"}.get(args, "partial"))


def test_in_a_sha256_repository(tmp_path: Path):
    repo = Repo(tmp_path / "r", args=("--object-format=sha256",))
    repo.write({"a.py": "1", "empty": ""}).add().commit()
    out = watch(repo)
    repo.write({"a.py": "2"}).commit("x", "-a")
    saw(repo, out, "all")


def test_a_merge_that_conflicted(repo: Repo):
    repo.write({"a": "1", "b": "1"}).add().commit().git("switch", "-qc", "side")
    repo.write({"a": "2", "c": "1"}).add().commit().git("switch", "-q", "main")
    repo.write({"a": "3"}).add().commit().git("merge", "side", check=False)
    out = watch(repo)
    repo.write({"a": "4"}).add("a").commit()
    saw(repo, out, "plain")
