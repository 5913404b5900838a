"""Whether a hook has nothing to do, told from the listing of the index alone.

Everything that decides whether the documents of an index are fresh stands in the index: sources,
documents, settings, template. So a listing that was once found fresh is fresh for ever, for the
same code of ours. Only digests of such listings are kept, in one disposable file. Imports next to
nothing: on a repository of 10,000 files this is the whole run of most hooks.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from hashlib import blake2b

_FILE = "fresh"
_KEPT = 64  #: listings: branches, work trees, and what is switched between
_SIZE = 16  #: bytes of a digest


def answer(arguments: Sequence[str], environ: Mapping[str, str]) -> tuple[int | None, bytes | None]:
    """0 for a hook that has nothing to do; None where the real command must look.

    With the raw listing of the index, where it was asked for.
    """
    # In a folder below the top, git would list that folder alone.
    if list(arguments) not in _ANSWERED or not os.path.lexists(".git"):
        return None, None
    found = _ask_git(environ)
    if found is None:
        return None, None
    common_dir, listing = found
    if digest(listing) not in _known(os.path.join(common_dir, "codetwine", _FILE)):
        return None, listing
    if arguments[0] == "verify":
        print("the index: all documents are fresh")
    return 0, listing


_ANSWERED = (
    ["hook", "pre-commit"],
    ["hook", "post-merge", "0"],
    ["hook", "post-merge"],
    ["hook", "report"],
    ["verify", "--staged"],
)


def digest(listing: bytes) -> bytes:
    """Digest of a raw listing of the index, for this version of the code."""
    return blake2b(listing, digest_size=_SIZE, key=_stamp()).digest()


def remember(folder: str, listing: bytes) -> None:
    """Note that a listing is fresh. ``folder`` is codetwine's under the git common directory."""
    file = os.path.join(folder, _FILE)
    known = _known(file)
    new = digest(listing)
    if new in known:
        return
    temporary = f"{file}.{os.getpid()}"
    try:
        os.makedirs(folder, exist_ok=True)
        with open(temporary, "wb") as stream:
            stream.write(b"".join([new, *known[: _KEPT - 1]]))
        os.replace(temporary, file)
    except OSError:
        pass  # a clone that cannot be written to is only slower


def _known(file: str) -> list[bytes]:
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return []
    return [data[at : at + _SIZE] for at in range(0, len(data), _SIZE)]


def _ask_git(environ: Mapping[str, str]) -> tuple[str, bytes] | None:
    """The git common directory and the raw listing of the index; both programs run at once."""
    try:
        where, files = [
            subprocess.Popen(
                ["git", *args],
                env={**environ, "GIT_OPTIONAL_LOCKS": "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            for args in (("rev-parse", "--git-common-dir"), ("ls-files", "-s", "-z"))
        ]
    except OSError:
        return None
    listing = files.communicate()[0]
    common_dir = where.communicate()[0]
    if files.returncode or where.returncode:
        return None
    return os.fsdecode(common_dir.rstrip(b"\n")), listing


def _stamp() -> bytes:
    """Changes whenever our own code does: what another version found proves nothing."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.dirname(here)
    folders = [
        here,
        os.path.join(here, "analysis"),
        os.path.join(here, "analysis", "languages"),
        os.path.join(here, "analysis", "queries"),
        os.path.join(beside, "docs_store"),
    ]
    for templates in (os.path.join(here, "_templates"), os.path.join(beside, "templates")):
        if os.path.isdir(templates):
            folders += [entry.path for entry in os.scandir(templates) if entry.is_dir()]
    seen = sorted(one for folder in folders for one in states_of(folder))
    return blake2b("\n".join(seen).encode(), digest_size=_SIZE).digest()


def states_of(folder: str) -> list[str]:
    """Name, size and time of each file of ours in a folder, not below it, in no order."""
    return [
        f"{entry.name} {found.st_size} {found.st_mtime_ns}"
        for entry in os.scandir(folder)
        if entry.name.endswith((".py", ".scm", ".yaml", ".md", ".txt"))
        for found in (entry.stat(),)
    ]
