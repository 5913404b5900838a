"""The five policies: how far a change of a dependency reaches."""

from __future__ import annotations

import pytest

from tests.projects import Project

CHAIN = '''
-- a.py --
def low():
    """The lowest."""
    return 1


def spare():
    return 1
-- b.py --
from a import low


def middle():
    return low()
-- c.py --
from b import middle


def high():
    return middle()
'''

# policy -> what is written when in a.py there changes: the body of `low`, its signature, `spare`
REACH = {
    "interface": ("a.py", "a.py b.py", "a.py"),
    "used": ("a.py b.py", "a.py b.py", "a.py"),
    "direct": ("a.py b.py", "a.py b.py", "a.py b.py"),
    "transitive": ("a.py b.py c.py", "a.py b.py c.py", "a.py b.py c.py"),
    "none": ("a.py", "a.py", "a.py"),
}


@pytest.mark.parametrize("policy", REACH)
def test_how_far_a_change_reaches(tmp_path, policy):
    body, signature, spare = REACH[policy]
    project = Project(tmp_path / "p", CHAIN, f"dependents: {policy}").check("a.py b.py c.py")
    project.replace("a.py", '"""\n    return 1', '"""\n    return 2').check(body)
    project.replace("a.py", "def low()", "def low(depth=0)").check(signature)
    project.replace("a.py", "spare():\n    return 1", "spare():\n    return 2").check(spare)
    project.replace("a.py", "return 2\n\n\ndef", "return 2  # why\n\n\ndef").check()


def test_a_change_of_policy_alone_rewrites_only_what_it_sees_otherwise(tmp_path):
    project = Project(tmp_path / "p", CHAIN, "dependents: used").check("a.py b.py c.py")
    project.write({".codetwine/config.yaml": "dependents: interface"}).check("b.py c.py")
    project.write({".codetwine/config.yaml": "dependents: transitive"}).check("b.py c.py")
    project.write({".codetwine/config.yaml": "dependents: transitive  # the same"})
    project.check()


@pytest.mark.parametrize("policy", ["none"])
def test_without_dependents_no_document_repeats_what_another_file_says(tmp_path, policy):
    project = Project(tmp_path / "p", CHAIN, f"dependents: {policy}").check("a.py b.py c.py")
    assert "The lowest." in project.doc("a.py")
    assert "The lowest." not in project.doc("b.py")


def test_transitive_in_a_circle_ends_and_reaches_all_of_it(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
import b
def fa(): return b.fb()
-- b.py --
import a
def fb(): return a.fa()
-- c.py --
import a
def fc(): return a.fa()
-- d.py --
def fd(): return 1
""",
        "dependents: transitive",
    ).check("a.py b.py c.py d.py")
    project.replace("b.py", "return a.fa()", "return 1, a.fa()").check("a.py b.py c.py")
    project.replace("c.py", "return", "return 1,").check("c.py")
