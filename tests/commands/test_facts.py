"""`facts` and `languages`."""

from __future__ import annotations

import pytest

from tests.projects import Project
from twine_hooks.analysis.all_languages import LANGUAGES

FILES = '''
-- geometry.py --
"""Areas."""

def area(width, height=1):
    """How much of the plane."""
    return width * height
-- report.py --
import io
from geometry import area, volume

class Report:
    def show(self):
        return area(2)

    def again(self):
        return area(3) + _less()

def _less():
    return 0
-- io/deeper.py --
-- notes.txt --
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("facts") / "p", FILES).add().commit()


def test_the_facts_of_a_file_in_words(project):
    first, digests, *rest = project.tool("facts", "report.py").out.splitlines()
    assert first == "report.py: python, 12 lines"
    assert digests.startswith("meaning ")
    assert (
        "\n".join(rest)
        == """
definitions:
  4-9 class Report
  5-6 method Report.show
  8-9 method Report.again
  11-12 function _less (private)

imports:
  geometry.py (import): area, volume

uses:
  geometry.py: * (line 2)
  geometry.py: area (line 6, 9)"""
    )


def test_the_facts_of_a_file_as_values(project):
    value = project.tool("facts", "geometry.py", "--json").json
    [area] = value["definitions"]
    assert (value["language"], value["doc"]) == ("python", "Areas.")
    assert area["signature"] == "def area(width, height=1)"
    assert area["doc"] == "How much of the plane."
    assert value["unresolved"] == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("notes.txt", "in no language that `codetwine languages` lists"),
        ("io/deeper.py", "it is empty"),
        ("reprot.py", "there is no such file in the work tree"),
    ],
)
def test_a_file_without_facts_says_why(project, path, reason):
    said = project.tool("facts", path)
    assert said.code == 1
    assert reason in said.err


def test_every_language_says_how_far_it_is_understood(project):
    listed = project.tool("languages", "--json").json
    assert [one["language"] for one in listed] == sorted(LANGUAGES)
    assert all(one["imports"] and one["symbols"] and one["extensions"] for one in listed)
    text = project.tool("languages").out
    assert "python: .py .pyi\n" in text
