from __future__ import annotations

from pathlib import Path

import pytest

from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import run_git, without_local_env
from twine_hooks.git.program import LOCAL_ENV_VARS


def test_an_error_carries_the_line_in_which_git_complains(repo: Repo):
    with pytest.raises(GitError) as caught:
        run_git(("cat-file", "-p", "nothing"), cwd=repo.path, environ=repo.environ)
    assert "git cat-file failed in" in str(caught.value)
    assert "Not a valid object name nothing; run" in str(caught.value)


def test_the_input_is_handed_over_and_the_output_comes_back_raw(repo: Repo):
    args = ("hash-object", "--stdin")
    answer = run_git(args, cwd=repo.path, environ=repo.environ, input=b"\xff\0\n")
    assert len(answer) == 41


def test_a_missing_git_and_a_missing_folder_are_told_apart(repo: Repo, tmp_path: Path):
    with pytest.raises(GitError, match="not on PATH; install git"):
        run_git(("version",), cwd=repo.path, environ={"PATH": str(tmp_path)})
    with pytest.raises(GitError, match="is not a folder"):
        run_git(("version",), cwd=tmp_path / "nowhere", environ=repo.environ)


def test_the_list_of_local_variables_has_all_that_this_git_knows(repo: Repo):
    assert set(repo.git("rev-parse", "--local-env-vars").split()) <= LOCAL_ENV_VARS


def test_another_repository_is_reached_although_git_dir_leaks(repo: Repo, tmp_path: Path):
    other = Repo(tmp_path / "other").write({"a": "1"}).add().commit()
    leaking = {**repo.environ, "GIT_DIR": str(repo.path / ".git")}
    args = ("ls-files",)
    assert run_git(args, cwd=other.path, environ=leaking) == b""
    assert run_git(args, cwd=other.path, environ=without_local_env(leaking)) == b"a\n"


def test_git_is_understood_whatever_the_language_of_the_user(repo: Repo):
    german = {**repo.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "de"}
    with pytest.raises(GitError, match="not a git repository"):
        run_git(("status",), cwd=Path("/"), environ=german)
