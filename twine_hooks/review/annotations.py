"""Findings as GitHub's workflow commands, which it shows beside the files; knows no comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twine_hooks.plan import REMOVE, Task

AT_MOST = 10  #: of one kind in one step: GitHub drops the rest without a word


def lines_for_actions(tasks: Sequence[Task]) -> Iterator[str]:
    """One error for each document that is not up to date, the last for all that are left."""
    shown = tasks if len(tasks) <= AT_MOST else tasks[: AT_MOST - 1]
    for task in shown:
        reasons = "; ".join(str(reason) for reason in task.reasons)
        # The source of an orphan is gone, so there is no line to show it at.
        file = "" if task.action == REMOVE else f" file={_property(task.path)},line=1"
        separator = "," if file else " "
        yield f"::error{file}{separator}title=document not up to date::{_text(reasons)}"
    if len(shown) < len(tasks):
        more = len(tasks) - len(shown)
        yield f"::error title=documents not up to date::and {more} more; see the log of this step"


def _text(value: str) -> str:
    value = value.encode("utf-8", "backslashreplace").decode()
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _text(value).replace(":", "%3A").replace(",", "%2C")
