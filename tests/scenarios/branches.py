"""Two branches that are merged, each with documents that are fresh there."""

from __future__ import annotations

from collections.abc import Callable

from tests.hooks.committing import Committing
from tests.projects import Said

Change = Callable[[Committing], object]


def fork(project: Committing, ours: Change, theirs: Change) -> Committing:
    """`main` with one change and `side` with the other, both refreshed; main is checked out."""
    project.git("checkout", "-q", "-b", "side")
    _commit(project, theirs)
    project.git("checkout", "-q", "main")
    _commit(project, ours)
    return project


def _commit(project: Committing, change: Change) -> None:
    change(project)
    said = project.tool("refresh")
    assert said.code == 0, said
    project.add().commit("change", "--no-verify")


def body(value: str) -> Change:
    """A change of the body of `area`, which two others use."""
    return lambda project: project.replace("shapes.py", "w * h", value)


def alone(value: str) -> Change:
    """A change that nobody else sees."""
    return lambda project: project.replace("alone.py", "return 1", f"return {value}")


def unmerged(project: Committing) -> list[str]:
    """The paths in conflict."""
    return project.git("diff", "--name-only", "--diff-filter=U").split()


def resolve_source(project: Committing, name: str = "shapes.py", text: str = "h * w") -> Committing:
    """Resolve a source as a person would: our side's text with another expression."""
    project.git("checkout", "-q", "--ours", "--", name)
    ours = project.read(name)
    project.write({name: ours.replace("w * h * 1", text).replace("return 3", "return 5")})
    project.add(name)
    return project


def refresh_and_commit(project: Committing) -> Said:
    """What a person does after resolving."""
    said = project.tool("refresh")
    assert said.code == 0, said
    project.add()
    return project.check_committed(project.attempt("commit", "-q", "--no-edit"))
