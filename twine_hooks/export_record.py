"""What an export wrote from what, for the next one to leave alone; writes nothing else.

The record lies in the export's own folder. It is believed only of files that have its sizes and
were not changed since it was written, by the clock of the disk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from time import sleep
from typing import NamedTuple

from docs_store.digest import digest
from twine_hooks.places import RECORD

_FORMAT = 4  #: raised when an unchanged project has other whole files, too


class Done(NamedTuple):
    """One file: what it was made from, its summary, and the files written with their sizes.

    ``entry`` are the bytes that it has in the knowledge as JSON, 0 where that is not written.
    """

    key: str
    summary: str | None
    has_document: bool
    files: Mapping[str, int]
    entry: int = 0


class Record(NamedTuple):
    """All that an export wrote.

    ``whole`` is a digest of what it was made from, ``form`` its format, ``graph`` a digest of what
    the diagrams show. ``sizes`` are those of the files at the top. ``time`` is when the record was
    written, in nanoseconds; 0 for one that is not there.
    """

    whole: str = ""
    form: str = ""
    graph: str = ""
    sizes: Mapping[str, int] = {}
    done: Mapping[str, Done] = {}
    time: int = 0

    def holds(self, folder: Path, sizes: Mapping[str, int]) -> bool:
        """Whether files have these sizes, and are as they were when the record was written."""
        try:
            found = [(os.stat(f"{folder}/{name}"), size) for name, size in sizes.items()]
        except OSError:
            return False
        # Nobody can set this time, and a file that is put in the place of another gets a new one.
        return all(one.st_size == size and one.st_ctime_ns < self.time for one, size in found)

    def holds_at_top(self, folder: Path, *names: str) -> bool:
        """The same of some files at the top."""
        return self.holds(folder, {name: self.sizes.get(name, -1) for name in names})


def read_record(folder: Path) -> Record:
    """The record in a folder; an empty one where it is damaged or of another version."""
    try:
        with (folder / RECORD).open("rb") as stream:
            head, body = stream.readline(), stream.read()
            time = os.fstat(stream.fileno()).st_ctime_ns
    except OSError:
        return Record()
    if head != _head(body):
        return Record()
    whole, form, graph, sizes, files = json.loads(body)
    done = {
        path: Done(key, summary, has_document, dict(names), entry)
        for path, (key, summary, has_document, names, entry) in files.items()
        if all(map(_is_inside, names))
    }
    return Record(whole, form, graph, sizes, done, time)


def packed(record: Record) -> bytes:
    """The content of a record's file."""
    value = [*record[:4], {path: list(one) for path, one in record.done.items()}]
    body = json.dumps(value).encode() + b"\n"
    return _head(body) + body


def settle(folder: Path, record: Record) -> None:
    """Wait until the record is newer than what it tells of: a disk's clock goes in steps."""
    last = max(os.stat(f"{folder}/{name}").st_ctime_ns for name in record.sizes)
    file = folder / RECORD
    while file.stat().st_ctime_ns <= last:
        sleep(0.001)
        os.utime(file)


def _head(body: bytes) -> bytes:
    return f'"codetwine export {_FORMAT} {digest(body)}"\n'.encode()


def _is_inside(name: str) -> bool:
    return not name.startswith("/") and ".." not in name.split("/")
