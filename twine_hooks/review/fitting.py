"""Parts of a text chosen so that it stays within a length, each whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_NOTE = 240  #: characters for the line that says what was left out


@dataclass(frozen=True, slots=True)
class Group:
    """Entries below a head; `noun` names one of them, `gap` is what stands between them."""

    head: str
    entries: Sequence[str]
    noun: str
    gap: str = "\n"
    most: int = 1_000_000


def fitted(opening: str, groups: Sequence[Group], closing: str, limit: int) -> str:
    """All of it in at most `limit` characters; earlier groups and entries go first.

    The opening and closing always stand: a limit that is too short for them is not kept.
    """
    blocks, left_out = [opening], []
    used = len(opening) + len(closing) + 2 + _NOTE
    for group in groups:
        chosen: list[str] = []
        cost = len(group.head) + 4
        for entry in group.entries:
            size = len(entry) + len(group.gap)
            if len(chosen) < group.most and used + cost + size <= limit:
                chosen.append(entry)
                cost += size
        if chosen:
            blocks.append("\n".join(filter(None, [group.head, group.gap.join(chosen)])))
            used += cost
        missing = len(group.entries) - len(chosen)
        if missing:
            left_out.append(f"{missing} {group.noun}{'' if missing == 1 else 's'}")
    if left_out:
        blocks.append(f"Left out to keep this short: {', '.join(left_out)}.")
    return "\n\n".join([*blocks, *([closing] if closing else [])]) + "\n"
