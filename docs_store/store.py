"""Writes documents and leaves, each file whole or not at all; knows not what they say."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import count
from pathlib import Path

from docs_store.errors import StoreError
from docs_store.layout import DOCS, doc_path, leaf_path

_TEMPORARY = re.compile(r"\.codetwine-\d+-\d+\.tmp\Z")
_number = count()


def write_document(root: Path, source: str, text: str) -> bool:
    """Write the document of `source`; False, the file untouched, if it holds `text` already.

    `root` is the top of the work tree. Line ends become LF. StoreError if the file cannot be
    written, or lies behind a symbolic link that leads out of `root` or into its `.git`; what was
    there before is then still there.
    """
    return _write(root, doc_path(source), _encoded(text))


def write_leaf(root: Path, source: str, text: str) -> bool:
    """Write the leaf of `source`; as `write_document`."""
    return _write(root, leaf_path(source), _encoded(text))


def remove(root: Path, source: str) -> None:
    """Delete the document and leaf of `source`, if any, and folders that are empty then."""
    files = [_inside(root, path) for path in (doc_path(source), leaf_path(source))]
    try:
        for file in files:
            file.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as error:
        raise _failure("removed", files[0], error) from error
    _prune(root, files[0].parent)


def recase(root: Path, source: str) -> None:
    """Spell the folders of the document of `source` as `source` does.

    For a disk that does not tell upper case from lower: there a source of another spelling has
    the same document.
    """
    folder = _inside(root, doc_path(source)).parents[source.count("/") + 1]
    try:
        for name in source.split("/"):
            entries = os.listdir(folder)
            if name not in entries:
                alike = [one for one in entries if one.casefold() == name.casefold()]
                (folder / (alike or [name])[0]).rename(folder / name)
            folder = folder / name
    except OSError as error:
        raise _failure("renamed", folder, error) from error


def sweep(root: Path) -> int:
    """Delete what killed runs left half written; how many files. Only under the lock."""
    swept = 0
    for folder, _, names in os.walk(root / DOCS):
        for name in filter(_TEMPORARY.match, names):
            (Path(folder) / name).unlink(missing_ok=True)
            swept += 1
        _prune(root, Path(folder))
    return swept


def _encoded(text: str) -> bytes:
    # A file name that is not UTF-8 shows up as surrogates in a title; the document has to be UTF-8
    # all the same.
    return text.replace("\r\n", "\n").encode("utf-8", "backslashreplace")


def _write(root: Path, path: str, data: bytes) -> bool:
    target = _inside(root, path)
    temporary = target.with_name(f".codetwine-{os.getpid()}-{next(_number)}.tmp")
    try:
        if target.is_file() and target.read_bytes() == data:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        # Without fsync, which takes most of the time of a first refresh: what a power cut leaves of
        # a document without its header is stale, and is written again.
        temporary.write_bytes(data)
        temporary.replace(target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _failure("written", target, error) from error
        raise
    return True


def _inside(root: Path, path: str) -> Path:
    """Where `path` lies on the disk, if no symbolic link leads it astray."""
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(top, path))
    if not real.startswith(top.rstrip(os.sep) + os.sep) or real.startswith(
        os.path.join(top, ".git") + os.sep
    ):
        raise StoreError(f"is behind a symbolic link to {real}; replace the link by a folder", path)
    return Path(root, path)


def _prune(root: Path, folder: Path) -> None:
    """Remove `folder` and those above it while empty, short of the folder of all documents."""
    top = root / DOCS
    while folder != top and top in folder.parents:
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            return
        folder = folder.parent


def _failure(what: str, file: Path, error: OSError) -> StoreError:
    reason = error.strerror or str(error)
    return StoreError(
        f"cannot be {what} ({reason}); make room or way for it and run again", str(file)
    )
