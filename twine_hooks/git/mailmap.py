"""Who an author really is, as a `.mailmap` says (gitmailmap(5)); asks no git.

git itself would read the one in the work tree, whichever commit is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LINE = re.compile(r"([^<]*)<([^>]*)>(?:([^<]*)<([^>]*)>)?")


def names_by(text: str) -> Callable[[str, str], str]:
    """(name, address) of a commit -> the name that the text of a mailmap gives for it."""
    by_address: dict[str, str] = {}
    by_both: dict[tuple[str, str], str] = {}
    for line in text.splitlines():
        found = None if line.lstrip().startswith("#") else _LINE.match(line)
        proper = found[1].strip() if found else ""
        if found is None or not proper:
            continue  # it changes an address only
        old = (found[3] or "").strip().lower()
        address = (found[2] if found[4] is None else found[4]).strip().lower()
        if old:
            by_both[old, address] = proper
        else:
            by_address[address] = proper

    def name_of(name: str, address: str) -> str:
        key = address.lower()
        return by_both.get((name.lower(), key)) or by_address.get(key) or name

    return name_of
