"""Names of symbols as languages write and people type them; knows no symbol.

A qualified name has dots ("Shape.area"), or "::" in the languages that write it so
("geo::Shape::area"). Whoever asks may use either, and leave out what is in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CONSTRUCTOR = "<init>"
_OPERATOR = re.compile(r"(?<=::)operator\b.*")  # "A::operator std::string"


def short_name(qualified: str) -> str:
    """The last name of a qualified name."""
    found = _OPERATOR.search(qualified)
    if found:
        return found[0]
    last = qualified.rpartition("::")[2]
    return last.rpartition(".")[2] or last


def as_written(qualified: str) -> str:
    """A qualified name as the code has it: constructors, `<init>` to some, are named as types."""
    if not qualified.endswith(_CONSTRUCTOR):
        return qualified
    owner = owner_name(qualified)
    return f"{owner}.{short_name(owner)}" if owner else qualified


def owner_name(qualified: str) -> str:
    """A qualified name less its last one, "" where it has but one."""
    return qualified[: -len(short_name(qualified))].rstrip(":.")


def is_named(qualified: str, name: str) -> bool:
    """Whether a name is the whole of a qualified name, or an end of it."""
    whole, wanted = _dotted(qualified), _dotted(name)
    return whole == wanted or whole.endswith(f".{wanted}")


def is_whole(qualified: str, name: str) -> bool:
    """Whether a name is the whole of a qualified name."""
    return _dotted(qualified) == _dotted(name)


def places(name: str) -> Iterator[tuple[str, str]]:
    """(path, name in it) in all ways to read a "path::name"."""
    at = name.find("::")
    while at >= 0:
        yield name[:at], name[at + 2 :]
        at = name.find("::", at + 2)


def _dotted(name: str) -> str:
    return name.replace("::", ".")
