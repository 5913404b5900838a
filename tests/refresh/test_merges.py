"""Branches that touch different sources merge without a conflict, and the merge is judged truly."""

from __future__ import annotations

from tests.projects import Project

FILES = """
-- a.py --
def low():
    return 1
-- b.py --
from a import low


def middle():
    return low()
-- c.py --
def alone():
    return 3
-- d.py --
def other():
    return 4
"""


def branch(project: Project, name: str, path: str, old: str, new: str) -> None:
    """A branch from main that changes one source and has its documents refreshed."""
    project.git("checkout", "-q", "main")
    project.git("checkout", "-q", "-b", name)
    project.replace(path, old, new)
    assert project.tool("refresh").code == 0
    project.add().commit(name)


def merged(project: Project, first: str, second: str) -> str:
    """The digest of the tree in which both are merged in this order; without a conflict."""
    project.git("checkout", "-q", "-B", "merged", first)
    project.git("merge", "-q", "--no-edit", second)
    return project.tool("verify", "--root", "--rev", "HEAD").out.splitlines()[0]


def test_different_sources_merge_to_one_fresh_tree_in_either_order(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py c.py d.py")
    project.add().commit("documents")
    branch(project, "left", "c.py", "return 3", "return 33")
    branch(project, "right", "d.py", "other()", "other(depth=1)")
    roots = {merged(project, "left", "right"), merged(project, "right", "left")}
    assert len(roots) == 1
    assert project.tool("verify", "--rev", "HEAD").code == 0
    project.check()


def test_a_clean_merge_that_makes_a_document_stale_is_told(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py c.py d.py")
    project.add().commit("documents")
    alone = "def alone():\n    return 3"
    using = "from d import other\n\n\ndef alone():\n    return other()"
    branch(project, "user", "c.py", alone, using)
    branch(project, "used", "d.py", "return 4", "return 44")
    merged(project, "user", "used")
    said = project.tool("verify", "--rev", "HEAD")
    assert said.code == 1
    assert "c.py" in said.out and "d.py:" not in said.out
    project.check("c.py")
