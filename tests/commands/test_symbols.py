"""`callers`, `callees`, `chain`, `impact`, `cycles`, `unused`: one project, asked in all ways."""

from __future__ import annotations

import pytest

from tests.projects import Project

FILES = """
-- base.py --
class Base:
    def go(self):
        return self.step()

    def step(self):
        return 1
-- tools.py --
from base import Base

def first():
    return second()

def second():
    return third()

def third():
    return Base().go()

def also():
    return third()

def _lonely():
    return _lonely()
-- main.py --
import tools
from tools import first

def main():
    first()
    tools.also()
    return tools.missing()
-- a/one.py --
from a.two import f2

def f1():
    return f2()
-- a/two.py --
from a.one import f1

def f2():
    return f1()
-- b/third.py --
def third():
    pass
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("symbols") / "p", FILES).add().commit()


@pytest.mark.parametrize("name", ["second", "tools.py::second"])
def test_callers(project, name):
    assert project.tool("callers", name).out == "calls         tools.py::first  at tools.py:4\n"


def test_callers_of_a_method_by_its_class(project):
    [found] = project.tool("callers", "Base.step", "--json").json
    expected = {"path": "base.py", "name": "Base.go", "kind": "method"}
    assert {key: found[key] for key in expected} == expected
    assert (found["edge"], found["lines"], found["confidence"]) == ("calls", [3], 1.0)


def test_who_imports_a_file(project):
    said = project.tool("callers", "tools.py").out
    assert "imports       main.py" in said


def test_callees_and_what_could_not_be_resolved(project):
    assert project.tool("callees", "main").out.splitlines() == [
        "references    tools.py  at main.py:7",
        "calls         tools.py::first  at main.py:5",
        "calls         tools.py::also  at main.py:6",
    ]


def test_what_could_not_be_resolved_is_kept_apart(tmp_path):
    files = {"a.py": "from .rel import gone\ndef f():\n    return gone()\n", "b.py": "x = 1\n"}
    project = Project(tmp_path / "p").write({**files, "c.py": "def gone(): pass\n"})
    said = project.tool("callers", "gone")
    assert said.out == ""
    assert said.err == "and 1 of this name that could not be resolved\n"
    assert "unresolved  a.py:1  .rel: gone" in project.tool("callees", "a.py").err
    doubts = {one["name"]: one["doubts"] for one in project.tool("unused", "--json").json}
    assert "a reference of this name could not be resolved" in doubts["gone"]


def test_an_ambiguous_name_lists_its_candidates(project):
    said = project.tool("callers", "third")
    assert said.code == 1
    assert "third may be b/third.py::third, tools.py::third; name one of them" in said.err
    assert project.tool("callers", "b/third.py::third").out == ""


def test_an_unknown_name(project):
    said = project.tool("callees", "nothing")
    assert said.code == 1
    assert "no symbol or source is named nothing" in said.err


def test_all_shortest_ways(project):
    ways = project.tool("chain", "main", "Base.go", "--json").json
    assert ways == [["main.py::main", "tools.py::also", "tools.py::third", "base.py::Base.go"]]
    assert project.tool("chain", "first", "third", "--json").code == 1
    said = project.tool("chain", "first", "tools.py::third")
    assert said.out == "tools.py::first -> tools.py::second -> tools.py::third\n"


def test_all_simple_ways_are_bounded(project):
    ways = project.tool("chain", "main", "Base.go", "--all", "--json").json
    assert [len(way) for way in ways] == [4, 5]
    shorter = project.tool("chain", "main", "Base.go", "--all", "--max-length", "3", "--json").json
    assert [len(way) for way in shorter] == [4]
    one = project.tool("chain", "main", "Base.go", "--all", "--max-paths", "1", "--json").json
    assert one == ways[:1]


def test_no_way_is_exit_code_1(project):
    said = project.tool("chain", "Base.go", "main")
    assert (said.code, said.out) == (1, "")


def test_impact_of_a_symbol_with_the_way(project):
    found = project.tool("impact", "second", "--json").json
    assert [(one["name"], one["steps"]) for one in found] == [("first", 1), ("main", 2)]
    assert found[1]["way"] == ["tools.py::second", "tools.py::first", "main.py::main"]
    said = project.tool("impact", "second").out
    assert "2  main.py::main  <- tools.py::first <- tools.py::second" in said


def test_impact_of_a_file_is_that_of_all_in_it(project):
    paths = project.tool("impact", "base.py", "--files", "--json").json
    assert paths == ["main.py", "tools.py"]


def test_cycles_of_files_and_symbols(project):
    assert project.tool("cycles").out == "2: a/one.py, a/two.py\n"
    found = project.tool("cycles", "--level", "symbol", "--json").json
    assert ["a/one.py::f1", "a/two.py::f2"] in found
    assert not [group for group in found if len(group) < 2]


def test_what_refers_to_itself_only_is_unused(project):
    found = {one["name"]: one["doubts"] for one in project.tool("unused", "--json").json}
    assert found["_lonely"] == []
    assert "its name is that of an entry point" in found["main"]
    assert "it is public: others may use it" in found["third"]
    assert "step" not in found
    said = project.tool("unused", "--certain")
    assert said.out == "tools.py:15  _lonely\n"


def test_a_commit_can_be_asked(project):
    project.write({"tools.py": "def other(): pass\n"})
    assert project.tool("callers", "second", "--rev", "HEAD").code == 0
    assert project.tool("callers", "second").code == 1
    project.git("checkout", "-q", "tools.py")
