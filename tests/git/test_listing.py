from __future__ import annotations

import os

import pytest

from tests.git.names import NAMES
from tests.git.states import opened, tree
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import (
    changed_entries,
    head_listing,
    index_listing,
    parse_listing,
    tree_listing,
)


def test_any_name_survives(repo: Repo):
    repo.write(dict.fromkeys(NAMES, "x")).add().commit()
    assert set(parse_listing(index_listing(opened(repo))).files) == set(NAMES)
    assert set(parse_listing(tree_listing(opened(repo), "HEAD")).files) == set(NAMES)


def test_index_and_commit_list_the_same_bytes(repo: Repo):
    repo.write({**dict.fromkeys(NAMES, "x"), "run.sh": "#!/bin/sh\n"})
    (repo.path / "run.sh").chmod(0o755)
    os.symlink("nowhere", repo.path / "dangling")
    repo.add().commit()
    found = opened(repo)
    assert index_listing(found) == tree_listing(found, "HEAD") == head_listing(found)


def test_files_links_and_submodules_are_told_apart(repo: Repo):
    repo.write({"a.py": "", "run.sh": ""})
    (repo.path / "run.sh").chmod(0o755)
    os.symlink("loop", repo.path / "loop")
    os.symlink("nowhere", repo.path / "dangling")
    repo.add()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},mod")
    listing = parse_listing(index_listing(opened(repo)))
    assert set(listing.files) == {"a.py", "run.sh"}
    assert set(listing.symlinks) == {"loop", "dangling"}
    assert listing.submodules == {"mod": "1" * 40}


def test_unmerged_paths_are_not_files(repo: Repo):
    repo.write({"a": "1", "b": "1"}).add().commit()
    repo.git("switch", "-qc", "side")
    repo.write({"a": "2"}).add().commit()
    repo.git("switch", "-q", "main")
    repo.write({"a": "3"}).add().commit()
    repo.git("merge", "side", check=False)
    listing = parse_listing(index_listing(opened(repo)))
    assert listing.unmerged == {"a"}
    assert set(listing.files) == {"b"}


def test_from_a_folder_below_everything_is_listed(repo: Repo):
    repo.write({"a": "1", "sub/b": "1"}).add().commit()
    below = type(opened(repo)).open(repo.path / "sub", repo.environ)
    assert set(parse_listing(index_listing(below)).files) == {"a", "sub/b"}
    assert index_listing(below) == head_listing(below)


def test_before_the_first_commit_head_is_empty(repo: Repo):
    assert head_listing(opened(repo)) == b""
    assert index_listing(opened(repo)) == b""


def test_changed_entries(repo: Repo):
    repo.write({"kept": "1", "edited": "1", "deleted": "1", "mode": "1"}).add().commit()
    old = tree(repo)
    repo.write({"edited": "2", "new": "3"}).delete("deleted")
    (repo.path / "mode").chmod(0o755)
    repo.add()
    before, after = changed_entries(head_listing(opened(repo)), index_listing(opened(repo)))
    assert before.files == {path: old[path] for path in ("deleted", "edited", "mode")}
    assert list(after.files) == ["edited", "mode", "new"]
    assert after.files["edited"] != old["edited"]
    assert after.files["mode"] == old["mode"]


@pytest.mark.parametrize("rev", ["nowhere", "-p", "HEAD:a", ""])
def test_what_names_no_commit_is_said_so(repo: Repo, rev: str):
    repo.write({"a": ""}).add().commit()
    with pytest.raises(GitError, match=r"names no commit in .*; fetch it, or check the name"):
        tree_listing(opened(repo), rev)


def test_a_commit_beyond_a_shallow_clone_comes_with_the_way_to_get_it(repo: Repo):
    repo.write({"a": "1"}).add().commit()
    first = repo.head
    repo.write({"a": "2"}).add().commit()
    shallow = repo.clone(repo.path.parent / "shallow", "--depth=1")
    assert set(parse_listing(tree_listing(opened(shallow), "HEAD")).files) == {"a"}
    with pytest.raises(GitError, match="git fetch --unshallow"):
        tree_listing(opened(shallow), first)
