from __future__ import annotations

import os
import sys

import pytest

from tests.environments import ROOT
from tests.git.names import NAMES
from tests.git.states import opened, tree
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import Unstaged, stage, staged_differs


def check(repo: Repo, paths: list[str], edited: set[str] = frozenset(), untracked=frozenset()):
    assert staged_differs(opened(repo), paths) == Unstaged(frozenset(edited), frozenset(untracked))


def test_edited_deleted_untracked_ignored_and_staged(repo: Repo):
    files = {".gitignore": "ign/\n", "clean": "1", "edited": "1", "gone": "1", "link": "1"}
    repo.write(files).add().commit().delete("gone", "link")
    os.symlink("clean", repo.path / "link")
    repo.write({"edited": "2", "staged": "1", "new": "1", "ign/x": "1"}).add("staged")
    asked = ["clean", "edited", "gone", "link", "staged", "new", "ign/x", "nowhere"]
    check(repo, asked, {"edited", "gone", "link"}, {"new", "ign/x"})
    check(repo, ["clean", "staged"])
    check(repo, [])


def test_only_what_was_asked_for(repo: Repo):
    repo.write({"a": "1", "b": "1", "d/c": "1"}).add().commit()
    repo.write({"a": "2", "b": "2", "d/c": "2", "n": "1"})
    check(repo, ["a"], {"a"})
    check(repo, ["a", *(f"x{number}" for number in range(300))], {"a"})


def test_a_touched_file_is_not_edited(repo: Repo):
    repo.write({"a": "1"}).add().commit()
    os.utime(repo.path / "a", (1, 1))
    check(repo, ["a"])


def test_announced_and_unmerged_paths_are_edited(repo: Repo):
    repo.write({"a": "1"}).add().commit().git("switch", "-qc", "side")
    repo.write({"a": "2"}).add().commit().git("switch", "-q", "main")
    repo.write({"a": "3"}).add().commit().git("merge", "side", check=False)
    repo.write({"later": "1"}).git("add", "-N", "later")
    check(repo, ["a", "later"], {"a", "later"})


@pytest.mark.parametrize("number", [1, 200], ids=["few", "many"])
def test_any_name(repo: Repo, number: int):
    names = [*NAMES, *(f"filler{index}" for index in range(number))]
    repo.write(dict.fromkeys(names, "1"))
    check(repo, names, untracked=names)
    stage(opened(repo), names)
    check(repo, names)
    repo.commit().write(dict.fromkeys(NAMES, "2"))
    check(repo, names, set(NAMES))


def test_the_index_is_not_refreshed_by_looking(repo: Repo):
    repo.write({"a": "1"}).add().commit()
    before = (repo.path / ".git" / "index").stat().st_mtime_ns
    os.utime(repo.path / "a", (1, 1))
    check(repo, ["a"])
    assert (repo.path / ".git" / "index").stat().st_mtime_ns == before


def test_stage_takes_new_edited_and_deleted_paths_and_no_other(repo: Repo):
    repo.write({"edited": "1", "gone": "1", "other": "1", "star": "1"}).add().commit()
    repo.write({"edited": "2", "other": "2", "new": "1", "star": "2", "*": "1"}).delete("gone")
    stage(opened(repo), ["edited", "gone", "new", "*"])
    staged = repo.git("diff", "--cached", "--name-only", "--no-renames").split()
    assert staged == ["*", "edited", "gone", "new"]


def test_other_pathspec_settings_of_the_user_do_not_matter(repo: Repo):
    repo.write({"[a]": "1", "a": "1"})
    found = opened(repo, GIT_GLOB_PATHSPECS="1", GIT_ICASE_PATHSPECS="1")
    stage(found, ["[a]"])
    assert repo.git("ls-files") == "[a]\n"


def test_stage_nothing(repo: Repo):
    repo.write({"a": "1"})
    stage(opened(repo), [])
    assert repo.status == "?? a\n"


def test_an_ignored_path_is_an_error_with_gits_own_words(repo: Repo):
    repo.write({".gitignore": "a\n", "a": "1"})
    with pytest.raises(GitError, match=r"git add failed in .*ignored"):
        stage(opened(repo), ["a"])


def test_a_tracked_path_is_staged_though_its_folder_is_ignored(repo: Repo):
    repo.write({".gitignore": "a/\n", "a/b": "1", "a/c": "1"})
    repo.git("add", "-f", ".")
    repo.commit()
    repo.write({"a/b": "2", "a/new": "1"})
    repo.path.joinpath("a/c").unlink()
    stage(opened(repo), ["a/b", "a/c"])
    assert repo.status == "M  a/b\nD  a/c\n"
    repo.path.joinpath("a/b").unlink()
    repo.write({"other": "1"})
    stage(opened(repo), ["a/b"])
    assert repo.status == "D  a/b\nD  a/c\n?? other\n"
    repo.write({"a/b": "2"})
    with pytest.raises(GitError, match=r"git add failed in .*ignored"):
        stage(opened(repo), ["a/b"])


def test_stage_outside_of_the_sparse_cone(repo: Repo):
    repo.write({"in/a": "1", "out/b": "1"}).add().commit()
    repo.git("sparse-checkout", "set", "in")
    repo.write({"out/b": "2", "out/new": "1"})
    stage(opened(repo), ["out/b", "out/new"])
    assert repo.git("diff", "--cached", "--name-only", "--no-renames").split() == [
        "out/b",
        "out/new",
    ]


@pytest.mark.parametrize("args", [(), ("-a",)])
def test_what_a_hook_stages_is_in_its_commit(repo: Repo, args: tuple[str, ...]):
    repo.write({"a": "1"}).add().commit()
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path; "
        "from twine_hooks.git import Repository, stage; Path('doc').write_text('doc'); "
        "stage(Repository.open(Path.cwd(), os.environ), ['doc'])"
    )
    repo.hook("pre-commit", f'#!/bin/sh\nexec "{sys.executable}" -c "{code}"\n')
    repo.write({"a": "2"}).add(*(() if args else ("a",))).commit("x", *args)
    assert set(tree(repo)) == {"a", "doc"}
    assert repo.status == ""
