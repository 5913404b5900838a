from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.git.states import opened
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import Repository, index_snapshot


def test_from_a_folder_below(repo: Repo):
    repo.write({"a/b/c.py": ""})
    found = Repository.open(repo.path / "a" / "b", repo.environ)
    git_dir = repo.path / ".git"
    assert (found.root, found.git_dir, found.common_dir) == (repo.path, git_dir, git_dir)
    assert (found.index_file, found.objects) == (git_dir / "index", git_dir / "objects")
    assert found.object_format == "sha1"


def test_a_linked_work_tree_has_its_own_index_and_shares_the_rest(repo: Repo, tmp_path: Path):
    repo.commit("1", "--allow-empty")
    linked = repo.worktree(tmp_path / "linked")
    found = opened(linked)
    assert found.root == linked.path
    assert found.common_dir == repo.path / ".git"
    assert found.index_file == found.git_dir / "index" != repo.path / ".git" / "index"


def test_the_root_of_a_linked_work_tree_where_git_dir_is_exported(repo: Repo, tmp_path: Path):
    """As in its hooks, and then from a folder below: git itself takes that folder for the top."""
    repo.commit("1", "--allow-empty")
    linked = repo.worktree(tmp_path / "linked").write({"sub/a": ""})
    leaking = {**repo.environ, "GIT_DIR": str(opened(linked).git_dir)}
    assert linked.git("rev-parse", "--show-toplevel", environ=leaking, cwd=linked.path / "sub") == (
        f"{linked.path}/sub\n"
    )
    assert Repository.open(linked.path / "sub", leaking).root == linked.path


def test_a_relative_index_file_stays_right_from_another_folder(repo: Repo):
    repo.write({"sub/a": "1", "b": "2"}).add()
    repo.git("read-tree", "--empty", environ={"GIT_INDEX_FILE": ".git/other"})
    found = Repository.open(repo.path / "sub", {**repo.environ, "GIT_INDEX_FILE": ".git/other"})
    assert found.index_file == repo.path / ".git" / "other"
    assert found.environ["GIT_INDEX_FILE"] == str(found.index_file)
    assert not index_snapshot(found).files
    assert set(index_snapshot(opened(repo)).files) == {"b", "sub/a"}


def test_relative_git_dir_and_work_tree(repo: Repo):
    repo.write({"sub/a": "1"}).add()
    environ = {**repo.environ, "GIT_DIR": "../.git", "GIT_WORK_TREE": ".."}
    found = Repository.open(repo.path / "sub", environ)
    assert found.root == repo.path
    assert set(index_snapshot(found).files) == {"sub/a"}


def test_a_submodule_is_a_repository_of_its_own(repo: Repo, tmp_path: Path):
    inner = Repo(tmp_path / "inner").write({"a": "1"}).add().commit()
    repo.git("submodule", "-q", "add", inner.path, "mod")
    found = Repository.open(repo.path / "mod", repo.environ)
    assert found.root == repo.path / "mod"
    assert found.common_dir == repo.path / ".git" / "modules" / "mod"


def test_bare_and_inside_the_git_folder_there_is_no_work_tree(repo: Repo, tmp_path: Path):
    bare = Repo(tmp_path / "bare.git", args=("--bare",))
    for found in (opened(bare), Repository.open(repo.path / ".git", repo.environ)):
        assert found.root is None
        with pytest.raises(GitError, match="has no work tree here; name a commit with --rev"):
            index_snapshot(found)


def test_sha256(tmp_path: Path):
    assert opened(Repo(tmp_path / "r", args=("--object-format=sha256",))).object_format == "sha256"


def test_no_repository(tmp_path: Path, repo: Repo):
    environ = {**repo.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    with pytest.raises(GitError, match="is in no git repository; go to one, or make one"):
        Repository.open(tmp_path, environ)


def test_a_repository_of_another_user_comes_with_the_way_to_trust_it(repo: Repo):
    distrust = {**repo.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    with pytest.raises(GitError, match=r"git config --global --add safe.directory"):
        Repository.open(repo.path, distrust)


def test_a_repository_can_be_sent_to_another_process(repo: Repo):
    found = opened(repo)
    sent = pickle.loads(pickle.dumps(found))
    assert vars(sent) == vars(found)
