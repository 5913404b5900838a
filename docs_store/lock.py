"""One writer at a time, by a lock that dies with its holder; knows not what is written."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import TracebackType

from docs_store.errors import LockedError, StoreError

NAME = "lock"
_POLL_SECONDS = 0.02

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(
            descriptor, 1 << 30, os.SEEK_SET
        )  # far behind the process id, which others must be able to read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Lock:
    """`with Lock(folder):` one process at a time under `folder`, which is made if need be.

    Waits up to `timeout` seconds, then raises LockedError with the holder's process id; StoreError
    if the folder cannot be written. Nothing is ever stale: a holder that was killed holds it no
    longer, and `after_kill` tells the next one. The file stays, since deleting it would let two
    processes lock two files of one name.
    """

    def __init__(self, folder: Path, timeout: float = 10.0) -> None:
        self._path = folder / NAME
        self._timeout = timeout
        self._descriptor = -1
        self.after_kill = False

    def __enter__(self) -> Lock:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            self._wait()
            self.after_kill = self._noted() > 0
            self._note(f"{os.getpid()}\n")
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                advice = "make it writable"
                raise StoreError(
                    f"cannot be locked ({error.strerror}); {advice}", str(self._path)
                ) from error
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._note("")
        self._close()

    def _wait(self) -> None:
        deadline = time.monotonic() + self._timeout
        while not _try_lock(self._descriptor):
            if time.monotonic() >= deadline:
                raise self._locked()
            time.sleep(_POLL_SECONDS)

    def _noted(self) -> int:
        """The process id in the file, 0 where there is none: its holder let go of it."""
        noted = (
            os.pread(self._descriptor, 20, 0) if hasattr(os, "pread") else self._path.read_bytes()
        )
        return int(noted) if noted.strip().isdigit() else 0

    def _locked(self) -> LockedError:
        pid = self._noted()
        holder = f"process {pid}" if pid else "another process"
        advice = "wait for it to end, or end it, and run again"
        return LockedError(f"{holder} is writing documents here; {advice}", str(self._path), pid)

    def _note(self, text: str) -> None:
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, text.encode())

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
