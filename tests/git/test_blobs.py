from __future__ import annotations

import os
import pickle

import pygit2
import pytest

from tests.git.states import opened
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import Blobs, Repository, rev_snapshot

NO_BLOB = "0123456789" * 4


def _many(repo: Repo, number: int = 200) -> Repo:
    files = {f"d{i % 7}/f{i}": os.urandom(i * 37 % 5000) + b"\n" * (i % 3) for i in range(number)}
    return repo.write(files).add().commit()


@pytest.mark.parametrize("packed", [False, True])
def test_libgit2_reads_the_same(repo: Repo, packed: bool):
    _many(repo)
    if packed:
        repo.git("gc", "-q")
    snapshot = rev_snapshot(opened(repo), "HEAD")
    ids = sorted(snapshot.files.values())
    ours = dict(snapshot.read(ids))
    theirs = pygit2.Repository(str(repo.path))
    assert ours == {blob: theirs[blob].data for blob in ids}
    assert snapshot.sizes(ids) == {blob: len(content) for blob, content in ours.items()}


def test_answers_come_in_the_order_asked_and_as_often(repo: Repo):
    _many(repo, 50)
    ids = list(rev_snapshot(opened(repo), "HEAD").files.values())
    asked = ids[::-1] + ids[:3] + ids[:3]
    assert [blob for blob, _ in Blobs(opened(repo)).read(asked)] == asked


def test_big_blobs_do_not_block_the_pipes(repo: Repo):
    repo.write({f"{i}": bytes([i]) * 300_000 for i in range(70)}).add().commit()
    snapshot = rev_snapshot(opened(repo), "HEAD")
    found = dict(snapshot.read(snapshot.files.values()))
    assert all(found[blob] == bytes([int(p)]) * 300_000 for p, blob in snapshot.files.items())


def test_reading_can_stop_early(repo: Repo):
    _many(repo, 100)
    snapshot = rev_snapshot(opened(repo), "HEAD")
    reading = snapshot.read(snapshot.files.values())
    next(reading)
    reading.close()


def test_nothing_asked_starts_nothing(repo: Repo):
    gitless = Repository.open(repo.path, repo.environ)
    gitless.environ = {"PATH": ""}
    blobs = Blobs(gitless)
    assert list(blobs.read([])) == []
    assert blobs.sizes([]) == {}


def test_a_missing_blob_is_named(repo: Repo):
    _many(repo, 3)
    blobs = Blobs(opened(repo))
    with pytest.raises(GitError, match=f"{NO_BLOB} can't be read in .*; run `git fsck`"):
        list(blobs.read([NO_BLOB]))
    with pytest.raises(GitError, match=NO_BLOB):
        blobs.sizes([*rev_snapshot(opened(repo), "HEAD").files.values(), NO_BLOB])


def test_a_git_that_dies_is_an_error_and_no_hang(repo: Repo):
    _many(repo)
    snapshot = rev_snapshot(opened(repo), "HEAD")
    (repo.path / ".git" / "HEAD").write_text("damaged")
    with pytest.raises(GitError, match="can't be read"):
        list(snapshot.read(snapshot.files.values()))


def test_content_is_that_of_the_id_whatever_replaces_it(repo: Repo):
    """It is cached by id, and another clone has no such replacement."""
    repo.write({"a": "first", "b": "second"}).add().commit()
    snapshot = rev_snapshot(opened(repo), "HEAD")
    repo.git("replace", snapshot.files["a"], snapshot.files["b"])
    assert dict(snapshot.read([snapshot.files["a"]])) == {snapshot.files["a"]: b"first"}


def test_blobs_can_be_read_by_another_process(repo: Repo):
    _many(repo, 5)
    snapshot = rev_snapshot(opened(repo), "HEAD")
    sent = pickle.loads(pickle.dumps(snapshot.contents))
    ids = list(snapshot.files.values())
    assert list(sent.read(ids)) == list(snapshot.read(ids))


@pytest.mark.parametrize("format", ["sha1", "sha256"])
def test_every_object_format(repo: Repo, format: str):
    other = Repo(repo.path.parent / "other", args=(f"--object-format={format}",))
    _many(other, 70)
    snapshot = rev_snapshot(opened(other), "HEAD")
    found = dict(snapshot.read(snapshot.files.values()))
    assert all(found[b] == (other.path / path).read_bytes() for path, b in snapshot.files.items())


def _partial(repo: Repo) -> Repo:
    repo.config(uploadpack__allowFilter="true", uploadpack__allowAnySHA1InWant="true")
    return _many(repo).clone(repo.path.parent / "partial", "--filter=blob:none", "--no-checkout")


def test_what_a_partial_clone_lacks_is_fetched_at_once(repo: Repo):
    partial = _partial(repo)
    log = repo.path.parent / "trace"
    snapshot = rev_snapshot(opened(partial, GIT_TRACE=str(log)), "HEAD")
    ids = list(snapshot.files.values())
    sizes, found = snapshot.sizes(ids), dict(snapshot.read(ids))
    assert all(found[b] == (repo.path / path).read_bytes() for path, b in snapshot.files.items())
    assert sizes == {blob: len(content) for blob, content in found.items()}
    assert log.read_text().count("run_command: unset") == 1, "one upload-pack, not one a blob"


def test_a_partial_clone_without_its_remote_is_an_error_that_says_so(repo: Repo):
    partial = _partial(repo)
    repo.path.rename(repo.path.with_name("gone"))
    snapshot = rev_snapshot(opened(partial), "HEAD")
    with pytest.raises(GitError, match=r"partial clone .* \(200\) .* from origin"):
        list(snapshot.read(snapshot.files.values()))
