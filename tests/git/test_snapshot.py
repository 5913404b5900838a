from __future__ import annotations

import pytest

from tests.git.states import contents, everything, opened, tree
from tests.repos import Repo
from twine_hooks.git import index_snapshot, rev_snapshot


def test_what_is_announced_with_add_n_is_not_in_the_index(repo: Repo):
    repo.write({"empty": "", "full": "x", "later": "", "soon": "y"}).add("empty", "full")
    repo.git("add", "-N", "later", "soon")
    assert set(index_snapshot(opened(repo)).files) == {"empty", "full"}
    repo.commit()
    assert everything(index_snapshot(opened(repo))) == tree(repo)


def test_add_p_what_counts_is_what_is_staged(repo: Repo):
    repo.write({"a.py": "one\ntwo\n"}).add().commit()
    repo.write({"a.py": "one\ntwo\nthree\n"}).add().write({"a.py": "work in progress\n"})
    assert contents(index_snapshot(opened(repo))) == {"a.py": b"one\ntwo\nthree\n"}


def test_the_index_of_a_repository_without_a_commit(repo: Repo):
    assert not index_snapshot(opened(repo)).files
    repo.write({"a": "1"}).add()
    assert contents(index_snapshot(opened(repo))) == {"a": b"1"}


@pytest.mark.parametrize("args", [(), ("--object-format=sha256",)])
def test_empty_files_and_announced_ones_in_both_object_formats(repo: Repo, args: tuple[str, ...]):
    other = Repo(repo.path.parent / "other", args=args).write({"empty": "", "later": ""})
    other.add("empty").git("add", "-N", "later")
    assert set(index_snapshot(opened(other)).files) == {"empty"}


def test_a_commit_in_a_bare_repository(repo: Repo):
    repo.write({"a": "1"}).add().commit().write({"a": "2", "b/c": "3"}).add().commit()
    bare = repo.clone(repo.path.parent / "bare.git", "--bare")
    assert contents(rev_snapshot(opened(bare), "main")) == {"a": b"2", "b/c": b"3"}
    assert contents(rev_snapshot(opened(bare), "main~1")) == {"a": b"1"}


def test_a_case_only_rename_is_a_rename(repo: Repo):
    repo.write({"Readme.py": "1"}).add().commit()
    repo.git("mv", "Readme.py", "README.py")
    assert set(index_snapshot(opened(repo)).files) == {"README.py"}
    assert set(rev_snapshot(opened(repo), "HEAD").files) == {"Readme.py"}


def _sparse_index(repo: Repo) -> None:
    repo.git("sparse-checkout", "init", "--cone", "--sparse-index")
    repo.git("sparse-checkout", "set", "in")


LAYOUTS = {
    "sparse checkout": lambda repo: repo.git("sparse-checkout", "set", "in"),
    "sparse index": _sparse_index,
    "split index": lambda repo: repo.git("update-index", "--split-index"),
    "index v4": lambda repo: repo.git("update-index", "--index-version", "4"),
    "untracked cache": lambda repo: repo.git("update-index", "--untracked-cache"),
    "packed": lambda repo: repo.git("gc", "-q"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_the_index_makes_no_difference(repo: Repo, layout: str):
    repo.write({"in/a": "1", "out/b": "2", "out/deep/c": "", "top": "3"}).add().commit()
    LAYOUTS[layout](repo)
    repo.write({"in/a": "4", "new": "5"}).add()
    snapshot = index_snapshot(opened(repo))
    ours, texts = everything(snapshot), contents(snapshot)
    repo.commit()
    assert ours == tree(repo)
    assert texts == {"in/a": b"4", "new": b"5", "out/b": b"2", "out/deep/c": b"", "top": b"3"}


def test_line_ends_and_encodings_are_those_of_the_blob(repo: Repo):
    repo.write(
        {
            ".gitattributes": "*.crlf text eol=crlf\n*.u16 text working-tree-encoding=UTF-16\n",
            "a.crlf": "one\r\ntwo\r\n",
            "b.u16": "one\ntwo\n".encode("utf-16"),
        }
    ).add().commit()
    texts = contents(index_snapshot(opened(repo)))
    assert texts["a.crlf"] == texts["b.u16"] == b"one\ntwo\n"
    repo.config(core__autocrlf="true").write({"c.py": "x\r\n"}).add()
    assert contents(index_snapshot(opened(repo)))["c.py"] == b"x\n"
