"""A history with known answers, for `replay` and for a refresh after each of its commits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.projects import SHAPES, Project

Change = Callable[[Project], Any]


class Expected(NamedTuple):
    """A commit, and the calls that it takes under each policy, from `interface` to `none`."""

    subject: str
    change: Change
    calls: str


def edit(name: str, old: str, new: str) -> Change:
    return lambda project: project.replace(name, old, new)


def write(name: str, text: str) -> Change:
    return lambda project: project.write({name: text})


def rename(old: str, new: str) -> Change:
    return lambda project: project.rename(old, new)


def swap(project: Project) -> None:
    texts = {"late.py": project.read("by_itself.py"), "by_itself.py": project.read("late.py")}
    project.write(texts)


def all_of(*changes: Change) -> Change:
    return lambda project: [change(project) for change in changes]


def delete(name: str) -> Change:
    return lambda project: project.delete(name)


_TWIN = "def alone():\n    return 2\ny = 1\n"
_KIT = "from kit import spare\n\n\ndef f():\n    return spare()\n"
#: shapes.py is used by report.py and table.py, and report.py by total.py.
FILES = f"""{SHAPES}
-- total.py --
from report import show


def total():
    return show() + 1
"""
STEPS = [
    Expected("layout", edit("shapes.py", "return w * h", "# Sides.\n    return w  *  h"), "00000"),
    Expected("body", edit("shapes.py", "w  *  h", "h * w"), "13341"),
    Expected("interface", edit("shapes.py", "area(w, h)", "area(w, h, unit=1)"), "33341"),
    Expected("nobody uses it", edit("shapes.py", "    return 1", "    return 2"), "11341"),
    Expected("reverted", edit("shapes.py", "    return 2", "    return 1"), "00000"),
    Expected("no source", write("README.md", "words\n"), "00000"),
    Expected("renamed", rename("alone.py", "lonely.py"), "00000"),
    Expected(
        "renamed and edited",
        all_of(rename("lonely.py", "by_itself.py"), edit("by_itself.py", "return 1", "return 2")),
        "11111",
    ),
    Expected("a copy", write("twin.py", "def alone():\n    return 2\n"), "00000"),
    Expected("in between", edit("report.py", "area(1, 2)", "area(2, 2)"), "12221"),
    Expected("new", write("late.py", "from table import rows\n\nx = rows()\n"), "11111"),
    Expected("removed", delete("twin.py"), "00000"),
    Expected("another", write("twin.py", _TWIN), "11111"),
    Expected("gone", delete("twin.py"), "00000"),
    Expected("back", write("twin.py", _TWIN), "00000"),
    Expected("a comment", edit("table.py", "    return", "    # why\n    return"), "00000"),
    Expected(
        "passed on",
        all_of(write("kit/__init__.py", "from shapes import spare\n"), write("kit/use.py", _KIT)),
        "22222",
    ),
    Expected("below", edit("shapes.py", "    return 1", "    return 3"), "12571"),
    Expected("a used one moves", rename("shapes.py", "forms.py"), "44460"),
    Expected(
        "and is followed",
        all_of(
            *(edit(one, "from shapes", "from forms") for one in ("report.py", "table.py")),
            edit("kit/__init__.py", "from shapes", "from forms"),
        ),
        "33663",
    ),
    Expected("two change places", swap, "00000"),
]


def told(project: Project) -> Project:
    """A project without documents and with all steps as commits."""
    project.files(FILES).add().commit("first")
    for step in STEPS:
        step.change(project)
        project.add().commit(step.subject)
    return project
