"""A folder that is in no repository, as a snapshot; knows nothing of git but its ignore files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs_store.digest import digest
from twine_hooks.errors import CodetwineError

#: What a project's own tools put beside its sources.
_NEVER = frozenset(
    (
        ".git",
        ".hg",
        ".svn",
        ".tox",
        ".venv",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        "__pycache__",
        "node_modules",
    )
)


@dataclass(frozen=True, eq=False)
class FolderFiles:
    """The files below a folder as they were when it was listed (see ``list_folder``)."""

    root: Path
    files: Mapping[str, str]  #: path -> digest of the content
    symlinks: frozenset[str]
    failed: Mapping[str, str]  #: path -> why it could not be read
    _sizes: Mapping[str, int]
    _paths: Mapping[str, str]  #: digest -> a path with that content

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """The size of each content in bytes."""
        return {blob: self._sizes[blob] for blob in blobs}

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(digest, content) of each; CodetwineError where a file is no longer what it was."""
        for blob in blobs:
            path = self.root / self._paths[blob]
            try:
                data = path.read_bytes()
            except OSError as error:
                raise CodetwineError(f"{path}: {error.strerror}; run again") from None
            if digest(data) != blob:
                raise CodetwineError(f"{path} changed while it was read; run again")
            yield blob, data


def list_folder(
    root: Path, leave_out: Iterable[Path] = (), only: Iterable[str] | None = None
) -> FolderFiles:
    """The files below ``root`` without what .gitignore files name, and without some folders.

    ``only`` are the paths to list, relative to ``root``; None for all.
    """
    files: dict[str, str] = {}
    sizes: dict[str, int] = {}
    paths: dict[str, str] = {}
    failed: dict[str, str] = {}
    symlinks = set()
    found = _walk(root, frozenset(leave_out)) if only is None else sorted(set(only))
    for path in found:
        place = root / path
        if place.is_symlink():
            symlinks.add(path)
            continue
        try:
            data = place.read_bytes()
        except OSError as error:
            failed[path] = error.strerror or type(error).__name__
            continue
        blob = digest(data)
        files[path] = blob
        sizes[blob] = len(data)
        paths.setdefault(blob, path)
    return FolderFiles(root, files, frozenset(symlinks), failed, sizes, paths)


def _walk(root: Path, leave_out: frozenset[Path]) -> Iterator[str]:
    """The paths of all files, sorted folder by folder."""
    from pathspec import GitIgnoreSpec

    specs: dict[str, GitIgnoreSpec] = {}
    for at, folders, names in os.walk(root):
        folder = Path(at).relative_to(root).as_posix()
        prefix = "" if folder == "." else f"{folder}/"
        if ".gitignore" in names:
            text = Path(at, ".gitignore").read_text("utf-8", "replace")
            specs[prefix] = GitIgnoreSpec.from_lines(text.splitlines())

        def ignored(path: str, specs: dict[str, GitIgnoreSpec] = specs) -> bool:
            rules = ((one, spec) for one, spec in specs.items() if path.startswith(one))
            return any(spec.match_file(path[len(one) :]) for one, spec in rules)

        folders[:] = sorted(
            name
            for name in folders
            if name not in _NEVER
            and Path(at, name) not in leave_out
            and not ignored(f"{prefix}{name}/")
        )
        yield from (prefix + name for name in sorted(names) if not ignored(prefix + name))
