"""The main line of a history: which commits are on it, and what each of them changed."""

from __future__ import annotations

import pytest

from tests.git.states import opened
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import (
    Mainline,
    landed_on,
    lines_changed,
    parse_listing,
    read_mainline,
    tree_listing,
)


@pytest.fixture
def repo(tmp_path) -> Repo:
    """Five commits: a, b, one on a side, one more, and the merge of the side."""
    made = Repo(tmp_path / "r")
    made.write({"a": "1\n"}).add().commit("a")
    made.write({"b": "1\n2\n"}).add().commit("b")
    made.git("checkout", "-q", "-b", "side")
    made.write({"side": "1\n"}).add().commit("on the side")
    made.git("checkout", "-q", "main")
    made.write({"a": "2\n"}).add().commit("more")
    made.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    return made


def line(repo: Repo, range_: str = "HEAD", limit: int | None = None) -> Mainline:
    return read_mainline(opened(repo), range_, limit)


def subjects(found: Mainline) -> list[str]:
    return [one.subject for one in found.commits]


def test_a_merge_is_one_step_with_all_that_it_brought(repo: Repo):
    found = line(repo)
    assert subjects(found) == ["b", "more", "merged"]
    assert found.base == repo.git("rev-parse", "HEAD~3").strip()
    merged = found.commits[-1]
    assert [(one.path, one.mode) for one in merged.entries] == [("side", "100644")]


@pytest.mark.parametrize(
    ("range_", "limit", "expected"),
    [
        ("HEAD", 2, ["more", "merged"]),
        ("HEAD~1", 1, ["more"]),
        ("HEAD~2..HEAD", None, ["more", "merged"]),
        ("HEAD~2..HEAD", 1, ["merged"]),
        ("HEAD~1..", None, ["merged"]),
        ("HEAD..", None, []),
        ("side..HEAD", None, ["more", "merged"]),
        ("main..side", None, []),
    ],
)
def test_ranges(repo: Repo, range_: str, limit: int | None, expected: list[str]):
    assert subjects(line(repo, range_, limit)) == expected


def test_an_empty_range_stands_at_its_end(repo: Repo):
    assert line(repo, "HEAD..").base == repo.head


@pytest.mark.parametrize(
    "range_", ["nowhere", "nowhere..HEAD", "HEAD..nowhere", "--all", "-x..HEAD"]
)
def test_a_name_of_nothing_is_an_error(repo: Repo, range_: str):
    with pytest.raises(GitError, match="names no commit"):
        line(repo, range_)


def test_two_ends_are_an_error(repo: Repo):
    with pytest.raises(GitError, match="two ends"):
        line(repo, "main...side")


def test_a_shallow_clone_says_that_it_is_cut(repo: Repo, tmp_path):
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    found = line(clone, "HEAD", 100)
    assert (subjects(found), found.is_cut) == (["merged"], True)
    assert line(clone, "HEAD~1..HEAD").is_cut is False
    assert line(repo, "HEAD", 100).is_cut is False
    with pytest.raises(GitError, match="shallow"):
        line(clone, "HEAD~3..HEAD")


def test_any_subject_and_any_path(repo: Repo):
    names = ["1\t2\tx", ":100644 a", "with\nnewline", "\u00fcml", "\x01"]
    repo.write(dict.fromkeys(names, "x\n")).add()
    repo.git("commit", "-q", "-m", ":100644 100644 a b M\n\n1\t2\tbody")
    repo.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    repo.git("commit", "-q", "--allow-empty", "-m", "1\t2\tx")
    *_, odd, nothing, last = line(repo).commits
    assert odd.subject == ":100644 100644 a b M"
    assert sorted(one.path for one in odd.entries) == sorted(names)
    assert (nothing.subject, nothing.entries, last.subject) == ("", (), "1\t2\tx")


def test_lines_are_counted_by_commit(repo: Repo):
    repo.write({"b.py": "1\n", "d/b.py": "1\n2\n", "c.txt": "1\n", "x\ty\nz.py": "1\n"})
    repo.add().commit("sources")
    repo.write({"b.py": "2\n3\n", "n.py": b"\0\1"}).add().commit("more")
    found = line(repo)
    counts = lines_changed(opened(repo), found, {".py"})
    *others, one, two = (counts.get(commit.id, {}) for commit in found.commits)
    assert one == {"b.py": 1, "d/b.py": 2, "x\ty\nz.py": 1}
    assert two == {"b.py": 3, "n.py": 0}
    assert not any(others)
    assert lines_changed(opened(repo), line(repo, "HEAD.."), {".py"}) == {}


def test_no_other_file_is_read(repo: Repo):
    """One that a clone lacks, or would have to fetch, is none of our business."""
    repo.write({"picture.bin": "large"}).add().commit("picture")
    blob = repo.git("rev-parse", "HEAD:picture.bin").strip()
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert subjects(line(repo))[-1] == "picture"
    assert lines_changed(opened(repo), line(repo), {".py"}) == {}


def test_listings_follow_the_commits(repo: Repo):
    """Files become links and links files, and come and go."""
    (repo.path / "b").unlink()
    (repo.path / "b").symlink_to("a")
    repo.add().commit("a link")
    repo.delete("b").write({"b/c": "1\n", "binary": b"\0\1"}).add().commit("a folder")
    repo.git("mv", "a", "z")
    repo.commit("renamed")
    found = line(repo)
    listing = parse_listing(tree_listing(opened(repo), found.base))
    for commit in found.commits:
        listing = landed_on(listing, commit)
        expected = parse_listing(tree_listing(opened(repo), commit.id))
        assert (dict(listing.files), listing.symlinks) == (expected.files, expected.symlinks)


def test_settings_of_a_person_change_nothing(repo: Repo):
    before = line(repo)
    counts = lines_changed(opened(repo), before, {"a"})
    repo.config(
        diff__renames="copies", log__showSignature="true", log__diffMerges="off",
        diff__noprefix="true", core__abbrev="4", diff__algorithm="patience",
    )  # fmt: skip
    assert line(repo) == before
    assert lines_changed(opened(repo), before, {"a"}) == counts
