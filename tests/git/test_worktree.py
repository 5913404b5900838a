"""Each test ends in `check_worktree`: ours is compared with the commit that git then makes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.git.names import NAMES
from tests.git.states import check_worktree, contents, everything, opened, tree
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import worktree_snapshot

FAILING_FILTER = {"filter__bad__clean": "false", "filter__bad__required": "true"}


def test_edited_deleted_new_ignored_and_staged(repo: Repo):
    repo.write({".gitignore": "*.log\n", "a": "1", "b": "1", "c": "1"}).add().commit()
    repo.write({"a": "2", "new/d": "1", "x.log": "1", "s": "staged"}).add("s").delete("b")
    assert set(check_worktree(repo)) == {".gitignore", "a", "c", "new/d", "s"}


def test_nothing_changed(repo: Repo):
    repo.write({"a": "1", "b/c": "2"}).add().commit()
    check_worktree(repo)


def test_before_the_first_commit_and_before_the_first_add(repo: Repo):
    assert check_worktree(repo) == {}
    other = Repo(repo.path.parent / "other").write({"a": "1"})
    assert set(check_worktree(other)) == {"a"}


def test_any_name(repo: Repo):
    repo.write(dict.fromkeys(NAMES[::2], "1")).add().commit()
    repo.write(dict.fromkeys(NAMES, "2"))
    assert set(check_worktree(repo)) == set(NAMES)


def test_an_edit_in_the_same_second_and_of_the_same_size(repo: Repo):
    """The copied index must keep its time stamp, or git trusts the stale size and time."""
    for number in range(20):
        repo.write({"a": f"{number:02}"}).add().write({"a": f"{number + 1:02}"})
        with worktree_snapshot(opened(repo)) as snapshot:
            assert contents(snapshot) == {"a": b"%02d" % (number + 1)}


def test_symlinks_dangling_and_looping(repo: Repo):
    os.symlink("nowhere", repo.path / "dangling")
    os.symlink("loop", repo.path / "loop")
    os.symlink("..", repo.path / "up")
    repo.write({"a": "1"})
    check_worktree(repo)
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.symlinks == {"dangling", "loop", "up"}
        assert set(snapshot.files) == {"a"}


def test_line_ends_encodings_and_filters(repo: Repo):
    repo.config(core__autocrlf="true", filter__up__clean="tr a-z A-Z")
    attributes = "*.u16 text working-tree-encoding=UTF-16\n*.up filter=up\n*.lf text eol=lf\n"
    files = {"a.py": "one\r\n", "b.u16": "two\n".encode("utf-16"), "c.up": "three\n", "d.lf": "4\n"}
    repo.write({".gitattributes": attributes.replace("\n", "\r\n"), **files})
    check_worktree(repo)
    with worktree_snapshot(opened(repo)) as snapshot:
        texts = contents(snapshot)
    assert (texts["a.py"], texts["b.u16"], texts["c.up"]) == (b"one\n", b"two\n", b"THREE\n")


def test_line_ends_that_safecrlf_refuses_are_seen_as_they_would_be_stored(repo: Repo):
    repo.config(core__autocrlf="true", core__safecrlf="true").write({"a.py": "one\n"})
    assert repo.run("git", "add", "-A", check=False).returncode
    with worktree_snapshot(opened(repo)) as snapshot:
        assert contents(snapshot) == {"a.py": b"one\n"}
        assert not snapshot.refused


def _sparse_index(repo: Repo) -> None:
    repo.git("sparse-checkout", "init", "--cone", "--sparse-index")
    repo.git("sparse-checkout", "set", "in")


def _split(repo: Repo) -> None:
    repo.config(core__splitIndex="true").git("update-index", "--split-index")


LAYOUTS = {
    "sparse checkout": lambda repo: repo.git("sparse-checkout", "set", "in"),
    "sparse index": _sparse_index,
    "split index": _split,
    "index v4": lambda repo: repo.git("update-index", "--index-version", "4"),
    "untracked cache": lambda repo: repo.config(core__untrackedCache="true").git("status"),
    "packed": lambda repo: repo.git("gc", "-q"),
    "assume unchanged": lambda repo: repo.git("update-index", "--assume-unchanged", "in/kept"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_the_repository(repo: Repo, layout: str):
    repo.write({"in/a": "1", "in/kept": "1", "out/b": "2", "out/c": "", "top": "3"}).add().commit()
    LAYOUTS[layout](repo)
    repo.write({"in/a": "4", "in/kept": "2", "in/new": "5", "empty": ""})
    assert set(check_worktree(repo)) >= {"in/a", "in/new", "empty", "out/b", "out/c", "top"}


def test_files_outside_of_the_sparse_cone_are_as_git_leaves_them(repo: Repo):
    repo.write({"in/a": "1", "out/b": "1"}).add().commit()
    repo.git("sparse-checkout", "set", "in")
    repo.write({"in/a": "2", "out/b": "2", "out/new": "2"})
    check_worktree(repo)


@pytest.mark.parametrize("args", [("--object-format=sha256",)])
def test_sha256(tmp_path: Path, args: tuple[str, ...]):
    repo = Repo(tmp_path / "r", args=args).write({"a": "1", "empty": ""}).add().commit()
    repo.write({"a": "2", "b": ""})
    check_worktree(repo)


def test_a_linked_work_tree(repo: Repo, tmp_path: Path):
    repo.write({"a": "1"}).add().commit()
    linked = repo.worktree(tmp_path / "linked").write({"a": "2", "b": "3"})
    check_worktree(linked)


def test_a_partial_clone(repo: Repo, tmp_path: Path):
    repo.config(uploadpack__allowFilter="true", uploadpack__allowAnySHA1InWant="true")
    repo.write({f"{i}": f"{i}" for i in range(100)}).add().commit()
    partial = repo.clone(tmp_path / "partial", "--filter=blob:none", "--sparse")
    partial.git("sparse-checkout", "set", "--no-cone", "/1*", "/new")
    partial.write({"1": "edited", "new": "new"})
    with worktree_snapshot(opened(partial)) as snapshot:
        texts = contents(snapshot)
    assert texts == {**{f"{i}": b"%d" % i for i in range(100)}, "1": b"edited", "new": b"new"}


def test_an_unmerged_index(repo: Repo):
    repo.write({"a": "1"}).add().commit().git("switch", "-qc", "side")
    repo.write({"a": "2"}).add().commit().git("switch", "-q", "main")
    repo.write({"a": "3"}).add().commit().git("merge", "side", check=False)
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.unmerged == {"a"}
        assert b"<<<<<<<" in contents(snapshot)["a"]


def test_submodules_and_embedded_repositories(repo: Repo, tmp_path: Path):
    inner = Repo(tmp_path / "inner").write({"a": "1"}).add().commit()
    repo.git("submodule", "-q", "add", inner.path, "mod")
    repo.write({"a": "1"}).add().commit()
    Repo(repo.path / "mod", home=tmp_path / "home", init=False).write({"b": "2"}).add().commit(
        "inner"
    )
    Repo(repo.path / "embedded", home=tmp_path / "home").write({"c": "3"}).add().commit()
    repo.write({"a": "2"})
    check_worktree(repo)
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.submodules == {"mod", "embedded"}
        assert set(snapshot.files) == {".gitmodules", "a"}


def test_a_submodule_that_is_not_checked_out(repo: Repo, tmp_path: Path):
    inner = Repo(tmp_path / "inner").write({"a": "1"}).add().commit()
    repo.git("submodule", "-q", "add", inner.path, "mod")
    repo.commit()
    fresh = repo.clone(tmp_path / "fresh").write({"b": "1"})
    assert "mod" in check_worktree(fresh)


def test_a_damaged_submodule_stays_as_it_is(repo: Repo, tmp_path: Path):
    inner = Repo(tmp_path / "inner").write({"a": "1"}).add().commit()
    repo.git("submodule", "-q", "add", inner.path, "mod")
    repo.write({"z": "1"}).commit()
    was = tree(repo)["mod"]
    (repo.path / ".git" / "modules" / "mod" / "HEAD").unlink()
    repo.write({"new": "2", "z": "2"})
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.listing.submodules == {"mod": was}
        assert contents(snapshot)["z"] == contents(snapshot)["new"] == b"2"


def test_an_embedded_repository_without_a_commit_is_refused_alone(repo: Repo):
    repo.write({"a": "1"}).add().commit()
    Repo(repo.path / "em[bed", home=repo.path.parent / "home").write({"inside": "1"})
    repo.write({"a": "2", "b": "2", "z": "2"})
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.refused == {"em[bed/"}
        assert contents(snapshot) == {"a": b"2", "b": b"2", "z": b"2"}


def test_a_failing_filter_refuses_its_files_alone(repo: Repo):
    """As with a Git LFS that is not installed: git gives up at the first such file."""
    files = {f"{number:02}.txt": "1" for number in range(20)}
    repo.write({**files, "m.bin": "1"}).add().commit()
    repo.config(**FAILING_FILTER).write({".gitattributes": "*.bin filter=bad\n"})
    repo.write({**dict.fromkeys(files, "2"), "m.bin": "2!", "z.bin": "new"})
    with worktree_snapshot(opened(repo)) as snapshot:
        texts = contents(snapshot)
    assert snapshot.refused == {"m.bin", "z.bin"}
    assert texts.pop("m.bin") == b"1"
    assert texts == {".gitattributes": b"*.bin filter=bad\n", **dict.fromkeys(files, b"2")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_an_unreadable_file_is_refused_alone(repo: Repo):
    repo.write({"a": "1", "secret": "1"}).add().commit().write({"a": "2", "secret": "22"})
    (repo.path / "secret").chmod(0)
    with worktree_snapshot(opened(repo)) as snapshot:
        assert snapshot.refused == {"secret"}
        assert contents(snapshot) == {"a": b"2", "secret": b"1"}


def test_what_is_no_file_is_passed_over(repo: Repo):
    os.mkfifo(repo.path / "pipe")
    repo.write({"a": "1"})
    assert set(check_worktree(repo)) == {"a"}


def test_no_hook_of_the_repository_runs(repo: Repo):
    repo.write({"a": "1"}).add().commit()
    repo.hook("post-index-change", f"#!/bin/sh\ntouch {repo.path.parent}/ran\n")
    repo.write({"a": "2"})
    with worktree_snapshot(opened(repo)):
        assert not (repo.path.parent / "ran").exists()


def test_the_index_that_git_named_is_the_one_that_is_copied(repo: Repo):
    repo.write({".gitignore": "a\n", "a": "1"})
    repo.git("add", "-f", "a", environ={"GIT_INDEX_FILE": ".git/other"})
    with worktree_snapshot(opened(repo, GIT_INDEX_FILE=".git/other")) as snapshot:
        assert set(snapshot.files) == {".gitignore", "a"}
    with worktree_snapshot(opened(repo)) as snapshot:
        assert set(snapshot.files) == {".gitignore"}


def test_its_folder_goes_when_it_is_closed(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    repo.write({"a": "1"})
    with worktree_snapshot(opened(repo)) as snapshot:
        assert everything(snapshot)
        assert len(list(place.iterdir())) == 1
    assert list(place.iterdir()) == []
    (repo.path / ".git" / "index").write_bytes(b"damaged")
    with pytest.raises(GitError):
        worktree_snapshot(opened(repo))
    assert list(place.iterdir()) == []


def test_a_bare_repository_has_none(repo: Repo, tmp_path: Path):
    bare = Repo(tmp_path / "bare.git", args=("--bare",))
    with pytest.raises(GitError, match="has no work tree here"):
        worktree_snapshot(opened(bare))


def test_lfs_pointers_are_read_as_they_are(repo: Repo):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    repo.write({".gitattributes": "*.bin filter=lfs -text\n", "a.bin": pointer})
    check_worktree(repo)
