"""Reads blobs in bulk, through `git cat-file --batch`; knows no paths.

`cat-file` reads every kind of repository: sha256, reftable, alternates, partial clones. On packs
of 3,000 and 30,000 files, with and without long delta chains, it was as fast as pygit2 at any
number of blobs or faster, and importing pygit2 costs 85 ms. What git can't say before 2.45 is
which blobs a partial clone lacks, without fetching them one by one: that is asked of pygit2.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from typing import IO

from twine_hooks.errors import GitError
from twine_hooks.git.program import call_git, cannot_start, complaint, git_environ
from twine_hooks.git.repository import Repository

# Two rounds of ids must fit in a pipe (4 KiB on Windows): then neither side ever waits for the
# other.
_ROUND = 30


class Blobs:
    """The blobs of one repository; can be sent to another process.

    Who reads blobs one by one closes it in the end: that is done by a git that waits for more.
    """

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self._waiting: list[subprocess.Popen[bytes]] = []
        self._guard = threading.Lock()

    def __reduce__(self) -> tuple[type[Blobs], tuple[Repository]]:
        return Blobs, (self.repo,)

    def read(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(id, content) of each blob, in the order asked for; GitError if one is missing."""
        asked = list(ids)
        if len(asked) == 1:
            with self._guard:
                content = self._read_one(asked[0])
            yield asked[0], content
            return
        for blob, size, answer in self._answers("--batch", asked):
            content = answer.read(size)
            answer.read(1)
            yield blob, content

    def close(self) -> None:
        """End the git that waits, if any."""
        while self._waiting:
            process = self._waiting.pop()
            with process:
                process.kill()

    def _read_one(self, blob: str) -> bytes:
        _fetch_missing(self.repo, [blob])
        if not self._waiting:
            self._waiting.append(self._start("--batch"))
        process = self._waiting[0]
        assert process.stdin and process.stdout
        try:
            _send(process.stdin, [blob])
            content = process.stdout.read(self._size(blob, process.stdout.readline()))
            process.stdout.read(1)
        except BaseException:
            self.close()  # half an answer must not be taken for the next
            raise
        return content

    def sizes(self, ids: Iterable[str]) -> dict[str, int]:
        """The size of each blob in bytes, without loading it; GitError if one is missing."""
        asked = list(dict.fromkeys(ids))
        return {blob: size for blob, size, _ in self._answers("--batch-check", asked)}

    def _answers(self, mode: str, ids: list[str]) -> Iterator[tuple[str, int, IO[bytes]]]:
        """(id, size, where the content follows) of each blob."""
        if not ids:
            return
        _fetch_missing(self.repo, ids)
        rounds = [ids[start : start + _ROUND] for start in range(0, len(ids), _ROUND)]
        process = self._start(mode)
        with process:
            assert process.stdin and process.stdout
            try:
                _send(process.stdin, rounds[0])
                for this, following in zip_longest(rounds, rounds[1:], fillvalue=()):
                    _send(process.stdin, following)
                    for blob in this:
                        yield blob, self._size(blob, process.stdout.readline()), process.stdout
            finally:
                process.kill()

    def _start(self, mode: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                ["git", "cat-file", mode],
                cwd=self.repo.cwd,
                # Content is cached by id, so it is that id's own, whatever `git replace` says.
                env={**git_environ(self.repo.environ), "GIT_NO_REPLACE_OBJECTS": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        except OSError as error:
            raise cannot_start(self.repo.cwd, error) from error

    def _size(self, blob: str, header: bytes) -> int:
        answer = header.split()
        if len(answer) == 3 and answer[1] == b"blob":
            return int(answer[2])
        raise GitError(
            f"blob {blob} can't be read in {self.repo.cwd}; run `git fsck` there, "
            "or in a partial clone `git fetch` while its remote can be reached"
        )


def _send(pipe: IO[bytes], ids: Sequence[str]) -> None:
    # Past the buffer, which would fail once more on closing. If git has died, the answer that does
    # not come says so.
    with suppress(BrokenPipeError):
        os.write(pipe.fileno(), "".join(f"{blob}\n" for blob in ids).encode())


def _fetch_missing(repo: Repository, ids: list[str]) -> None:
    """In a partial clone, fetch at once what is not here: git goes blob by blob, 20 ms each."""
    packs = repo.common_dir / "objects" / "pack"
    if repo.object_format != "sha1" or not any(packs.glob("*.promisor")):
        return
    remote = _promisor_remote(repo)
    missing = _missing(repo, ids)
    if not remote or not missing:
        return
    fetch = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", remote, "--stdin", "--quiet")
    options = (
        "--no-tags",
        "--no-write-fetch-head",
        "--recurse-submodules=no",
        "--filter=blob:none",
    )
    wants = "".join(f"{blob}\n" for blob in missing).encode()
    done = call_git((*fetch, *options), cwd=repo.cwd, environ=repo.environ, input=wants)
    if done.returncode:
        raise GitError(
            f"blobs of the partial clone {repo.cwd} ({len(missing)}) can't be fetched from "
            f"{remote}: {complaint(done.stderr)}; try again when the remote can be reached"
        )


@lru_cache(maxsize=8)  # who reads blobs one by one must not ask git each time
def _promisor_remote(repo: Repository) -> str:
    args = ("config", "-z", "--get-regexp", r"^remote\..*\.promisor$", "true")
    found = call_git(args, cwd=repo.cwd, environ=repo.environ).stdout.decode()
    return found.partition("\n")[0].removeprefix("remote.").removesuffix(".promisor")


def _missing(repo: Repository, ids: list[str]) -> list[str]:
    import pygit2

    store = pygit2.Odb(str(repo.objects))
    return [blob for blob in dict.fromkeys(ids) if blob not in store]
