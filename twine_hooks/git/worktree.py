"""The work tree as a snapshot: what `git add -A` would commit, while the repository is only read.

git itself adds, to a copy of the index and with an object folder of its own: filters, line ends,
encodings, ignore rules and sparse checkouts are its business. Knows nothing of how a snapshot is
used.
"""

from __future__ import annotations

import os
from pathlib import Path

from twine_hooks.git.blobs import Blobs
from twine_hooks.git.listing import index_listing, parse_listing
from twine_hooks.git.program import LITERAL_PATHSPECS, call_git, join_paths, split_paths
from twine_hooks.git.repository import Repository
from twine_hooks.git.snapshot import Snapshot, without_intended

# No hook, daemon or shared index of the repository takes part. Every file counts as a big one: then
# all go into one pack, in half the time that a file each takes, and are read in an eighth of it.
_SETTINGS = (
    "advice.addEmbeddedRepo=false",
    "core.bigFileThreshold=1",
    "core.compression=0",
    "core.fsmonitor=false",
    "core.fsync=none",
    f"core.hooksPath={os.devnull}",
    "core.safecrlf=false",
    "core.splitIndex=false",
    "core.untrackedCache=false",
)
_CONFIG = tuple(part for setting in _SETTINGS for part in ("-c", setting))
_FATAL = 128  # git's exit code when it gave up; 1 says that it went on without some path


def worktree_snapshot(repo: Repository) -> Snapshot:
    """The work tree as git would commit it. Close it: what is new lies in a temporary folder.

    What git can't add (an unreadable file, a failing filter, a repository without a commit) is as
    in the index, and `refused` names it. GitError where there is no work tree.
    """
    import tempfile  # a hook looks at the index, and is over before this is imported

    unmerged = parse_listing(repo.run(("ls-files", "-u", "-z"), cwd=repo.work_tree)).unmerged
    folder = tempfile.TemporaryDirectory(prefix="codetwine-", ignore_cleanup_errors=True)
    try:
        copy = _with_own_index(repo, Path(folder.name))
        refused = frozenset(_add_all(copy))
        listing = without_intended(copy, parse_listing(index_listing(copy)))
    except BaseException:
        folder.cleanup()
        raise
    return Snapshot("the work tree", listing, Blobs(copy), unmerged, refused, folder.cleanup)


def _with_own_index(repo: Repository, folder: Path) -> Repository:
    """The same repository with its index and its new objects in `folder`."""
    import shutil

    index_file, objects = folder / "index", folder / "objects"
    if repo.index_file.exists():
        # With its time stamp: from it git tells that a file of the same second may have changed
        # since.
        shutil.copy2(repo.index_file, index_file)
    (objects / "info").mkdir(parents=True)
    (objects / "info" / "alternates").write_bytes(os.fsencode(repo.objects) + b"\n")
    own = {"GIT_INDEX_FILE": str(index_file), "GIT_OBJECT_DIRECTORY": str(objects)}
    environ = {**repo.environ, **LITERAL_PATHSPECS, **own}
    return Repository(
        root=repo.root,
        git_dir=repo.git_dir,
        common_dir=repo.common_dir,
        objects=objects,
        index_file=index_file,
        object_format=repo.object_format,
        environ=environ,
    )


def _add_all(copy: Repository) -> list[str]:
    """Add everything that can be added; the paths that can't."""
    code = _add(copy)
    if code == 0:
        return []
    if code == _FATAL:
        _add_by_halves(copy, _not_added(copy))
    return _not_added(copy)


def _add_by_halves(copy: Repository, paths: list[str]) -> None:
    """Add all but the paths at which git gives up: they are cornered by halving."""
    if _add(copy, paths) != _FATAL or len(paths) == 1:
        return
    middle = len(paths) // 2
    _add_by_halves(copy, paths[:middle])
    _add_by_halves(copy, paths[middle:])


def _add(copy: Repository, paths: list[str] | None = None) -> int:
    args = (*_CONFIG, "add", "-A", "--ignore-errors")
    if paths is None:
        return call_git(args, cwd=copy.cwd, environ=copy.environ).returncode
    args = (*args, "--pathspec-from-file=-", "--pathspec-file-nul")
    return call_git(args, cwd=copy.cwd, environ=copy.environ, input=join_paths(paths)).returncode


def _not_added(copy: Repository) -> list[str]:
    """Paths that differ from the copied index; not submodules, where git may give up again."""
    untracked = copy.run((*_CONFIG, "ls-files", "--others", "--exclude-standard", "-z"))
    edited = copy.run((*_CONFIG, "diff-files", "--name-only", "--ignore-submodules=all", "-z"))
    return sorted({*split_paths(untracked), *split_paths(edited)})
