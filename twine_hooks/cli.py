"""`main`: from arguments to an exit code; knows no command, and imports next to nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # typing's own costs 9 ms to import
if TYPE_CHECKING:
    from typing import TextIO

OK, USER_ERROR, BUG, INTERRUPTED = 0, 1, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; the script's own arguments by default.

    0 done, 1 user error or something stale, 3 a bug of ours, 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(arguments)
        if sys.stdout is not None:  # a graphical client may start us without
            sys.stdout.flush()
    except KeyboardInterrupt:
        print("codetwine: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:  # the only one in the program: every other says what it expects
        if isinstance(error, BrokenPipeError) and _reader_has_gone():
            return USER_ERROR
        return _explain(error, arguments)
    return code


def script() -> None:
    """Run one command as a program of its own.

    A hook ends at once: to take everything apart first costs it 20 ms, and what it has written is
    on the disk.
    """
    code = main()
    if sys.argv[1:2] != ["hook"]:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            _flush(stream)
    os._exit(code)


def _flush(stream: TextIO) -> None:
    from contextlib import suppress

    with suppress(OSError):  # who reads it may have gone
        stream.flush()


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    code = _fast(arguments)
    if code is None:
        code = _pass_through(arguments)
    if code is None:
        from twine_hooks import group

        code = group.run(arguments)
    return code


def _fast(arguments: list[str]) -> int | None:
    """The answer of a hook, which needs no click; None where the real command must look."""
    if arguments[:1] not in (["hook"], ["verify"]):
        return None
    from twine_hooks import fastpath

    code, listing = fastpath.answer(arguments, os.environ)
    if code is None and arguments == ["hook", "pre-commit"]:
        import gc

        # Many values and few circles: the search for those took 10 of 280 ms.
        gc.set_threshold(100_000)
        from twine_hooks import hooks
        from twine_hooks.session import Session, here

        return hooks.before_commit(Session(here(), dict(os.environ)), listing)
    return code


def _pass_through(arguments: list[str]) -> int | None:
    """What PyPI's twine answers, where we were called by its name with a command of its own."""
    if os.path.splitext(os.path.basename(sys.argv[0]))[0] != "twine":
        return None
    from twine_hooks import names

    command = names.upload_command(arguments)
    return None if command is None else names.run_upload_tool(command, arguments)


def _explain(error: Exception, arguments: list[str]) -> int:
    from docs_store.errors import StoreError
    from twine_hooks.errors import CodetwineError

    if isinstance(error, CodetwineError | StoreError):
        print(f"codetwine: {error}", file=sys.stderr)
        return USER_ERROR
    if isinstance(error, UnicodeEncodeError) and sys.getfilesystemencoding() != "utf-8":
        name = error.object[:200].encode("utf-8", "backslashreplace").decode()
        advice = "set PYTHONUTF8=1 or a locale of UTF-8"
        print(f"codetwine: there is no {name} in this locale; {advice}", file=sys.stderr)
        return USER_ERROR
    from twine_hooks import crash

    log = crash.write_log(error, arguments)
    print(
        f"codetwine: this is a bug of ours, not of yours: {type(error).__name__}: {error}\n"
        f"codetwine: please open an issue with what is in {log}",
        file=sys.stderr,
    )
    return BUG


def _reader_has_gone() -> bool:
    """Whether the pipe that broke is our output (`| head`), not one to git or to a model."""
    import select

    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if not poll.poll(0):
        return False
    # What is still buffered must go nowhere, or Python complains about it on its way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return True


def _speak_utf8(stream: object) -> None:
    """Print any file name, whatever the locale: what is no character comes out as `\\udcff`."""
    reconfigure = getattr(stream, "reconfigure", None)  # a test's or a notebook's has none
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")
