"""The files of a snapshot as the rest asks for them; knows not where a snapshot comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from docs_store.layout import ROOT


class Files(Protocol):
    """What is needed of a snapshot (``twine_hooks.git.Snapshot``): path -> blob, and reading."""

    @property
    def files(self) -> Mapping[str, str]: ...

    @property
    def symlinks(self) -> frozenset[str]: ...

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]: ...

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]: ...


def is_own(path: str) -> bool:
    """Whether a path is the tool's own."""
    return path.startswith(ROOT + "/")


def read_file(snapshot: Files, path: str) -> bytes | None:
    """One file of a snapshot, or None."""
    blob = snapshot.files.get(path)
    if blob is None:
        return None
    return next((data for _, data in snapshot.read([blob])), None)


Differences = tuple[list[str], list[str]]  #: paths that are new or changed, and those that are gone


def differences(now: Mapping[str, str], before: Mapping[str, str]) -> Differences:
    """The paths that are new or have another blob, and those that are gone."""
    changed = [path for path, blob in now.items() if before.get(path) != blob]
    new = sum(path not in before for path in changed)
    if len(now) - new == len(before):
        return changed, []
    return changed, [path for path in before if path not in now]


def excluded_by(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path is excluded by these patterns of .gitignore."""
    if not patterns:
        return lambda path: False
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    return lambda path: bool(spec.match_file(path))
