"""One state of a repository, as path -> blob; knows nothing of the disk beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType

from twine_hooks.git.blobs import Blobs
from twine_hooks.git.listing import Listing, index_listing, parse_listing, tree_listing
from twine_hooks.git.program import split_paths
from twine_hooks.git.repository import Repository

_EMPTY_BLOBS = frozenset(
    (
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    )
)
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


def _nothing() -> None:
    pass


class Snapshot:
    """What is in one state of the repository. Use it in a `with`: a work tree's has a folder.

    `label` names the state in messages. `unmerged` are paths in a merge conflict; in the index
    they are in none of the mappings. `refused` are paths of the work tree that git itself can't
    add: they are as in the index.
    """

    def __init__(
        self,
        label: str,
        listing: Listing,
        contents: Blobs,
        unmerged: frozenset[str] = frozenset(),
        refused: frozenset[str] = frozenset(),
        clean_up: Callable[[], None] = _nothing,
    ) -> None:
        self.label = label
        self.listing = listing
        self.contents = contents
        self.unmerged = unmerged
        self.refused = refused
        self._clean_up = clean_up

    @property
    def files(self) -> Mapping[str, str]:
        """Regular files: path -> blob id."""
        return self.listing.files

    @property
    def symlinks(self) -> frozenset[str]:
        """Paths of symbolic links."""
        return frozenset(self.listing.symlinks)

    @property
    def submodules(self) -> frozenset[str]:
        """Paths of submodules and of embedded repositories."""
        return frozenset(self.listing.submodules)

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(id, content) of each blob, in the order asked for; GitError if one is missing."""
        return self.contents.read(blobs)

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """The size of each blob in bytes, without loading it; GitError if one is missing."""
        return self.contents.sizes(blobs)

    def close(self) -> None:
        """Remove what was made for this snapshot; its blobs can't be read afterwards."""
        self.contents.close()
        self._clean_up()

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


def index_snapshot(repo: Repository, raw: bytes | None = None) -> Snapshot:
    """The index, as `git commit` would commit it; GitError where there is no work tree.

    `raw` is its listing, where the caller has it already.
    """
    found = parse_listing(index_listing(repo) if raw is None else raw)
    listing = without_intended(repo, found)
    return Snapshot("the index", listing, Blobs(repo), unmerged=listing.unmerged)


def rev_snapshot(repo: Repository, rev: str) -> Snapshot:
    """A commit (or anything that names a tree); GitError if it is not here."""
    return Snapshot(rev, parse_listing(tree_listing(repo, rev)), Blobs(repo))


def without_intended(repo: Repository, listing: Listing) -> Listing:
    """The listing without what `git add -N` announced: it looks like empty files."""
    if not _may_have_intended(repo):
        return listing
    empty = [path for path, blob in listing.files.items() if blob in _EMPTY_BLOBS]
    if not empty:
        return listing
    args = (
        # Newer ones name a folder outside of a sparse index as a whole, without what is in it.
        "-c",
        "index.sparse=false",
        "diff-index",
        "--cached",
        "--name-only",
        "--no-renames",
        "--ita-invisible-in-index",
        "-z",
    )
    raw = repo.run((*args, _EMPTY_TREE[repo.object_format]))
    intended = set(empty).difference(split_paths(raw))
    kept = {path: blob for path, blob in listing.files.items() if path not in intended}
    return Listing(kept, listing.symlinks, listing.submodules, listing.unmerged)


def _may_have_intended(repo: Repository) -> bool:
    """Whether the index can hold entries of `git add -N`: their flag needs version 3 of the format.

    A split index keeps most entries in another file, so its version says nothing.
    """
    try:
        with repo.index_file.open("rb") as stream:
            version = stream.read(8)[4:]
        names = [path.name for path in repo.git_dir.iterdir()]
    except OSError:
        return True
    return version != b"\0\0\0\2" or any(name.startswith("sharedindex.") for name in names)
