"""Headings, order and sections of a person's own: found again or told of, never lost."""

from __future__ import annotations

import pytest

from tests.projects import DOCS, Project

FILES = '''
-- a.py --
def f():
    """Does it."""
    return 1
-- b.py --
"""What it is.

How it works.
"""
from a import f


def g():
    return f()
'''
PATH = f"{DOCS}/b.py/doc.md"


@pytest.fixture
def project(tmp_path):
    """b.py has the sections Overview, Definitions and Dependencies."""
    return Project(tmp_path / "p", FILES).check("a.py b.py")


def edited(project):
    said = project.tool("status", "--json").json["edited"]
    return {one["path"]: one["sections"] for one in said}


def headings(project, source="b.py"):
    return [line[3:] for line in project.doc(source).splitlines() if line.startswith("## ")]


def change(project, value):
    """Make b.py stale without changing a fact that its sections show."""
    text = project.read("b.py").partition("def g")[0]
    project.write({"b.py": f"{text}def g():\n    return f() + {value}\n"})
    return project.check("b.py")


def parts(project):
    """(what stands before the first section, each section by its heading)."""
    head, *rest = project.doc("b.py").split("\n## ")
    return head, {one.partition("\n")[0]: f"\n## {one}".rstrip("\n") + "\n" for one in rest}


def test_edits_are_known_in_any_clone_and_named_when_the_source_changed(project, tmp_path):
    project.edit_doc("b.py", "How it works.", "How it really works.").add().commit()
    project.clone(tmp_path / "clone")
    clone = Project(tmp_path / "clone", init=False, config="")
    assert edited(clone) == {"b.py": ["overview"]}
    assert "b.py: overview (kept)\n" in clone.tool("status").out
    clone.replace("b.py", "return f()", "return f() + 1")
    assert "b.py: overview (kept); its source has changed since" in clone.tool("status").out
    assert "edited by hand: overview kept" in clone.tool("plan").out


def test_edits_survive_a_source_that_is_renamed_and_changed(project):
    project.edit_doc("b.py", "How it works.", "How it really works.").add().commit()
    project.rename("b.py", "deep/c.py").replace("deep/c.py", "return f()", "return f() + 1")
    assert "edited by hand: overview kept" in project.tool("plan").out
    project.check("deep/c.py", removed="b.py")
    assert "How it really works." in project.doc("deep/c.py")
    assert edited(project) == {"deep/c.py": ["overview"]}


def test_two_headings_renamed_at_once(project):
    project.edit_doc("b.py", "## Overview", "## The idea")
    project.edit_doc("b.py", "## Definitions", "## Names").check()
    assert edited(project) == {}
    change(project, 1)
    assert headings(project) == ["The idea", "Names", "Dependencies"]
    project.replace("b.py", "def g():", "def g(x):").check("b.py")
    assert "## Names\n\n- `def g(x)`" in project.doc("b.py")


def test_two_headings_renamed_and_their_sections_edited(project):
    project.edit_doc("b.py", "## Overview\n\nHow", "## The idea\n\nMine: how")
    project.edit_doc("b.py", "## Definitions\n\n-", "## Names\n\nMine, too:\n\n-").check()
    assert edited(project) == {"b.py": ["overview", "definitions"]}
    for value in (1, 2):
        change(project, value)
        assert headings(project) == ["The idea", "Names", "Dependencies"]
        assert "Mine: how it works." in project.doc("b.py")
        assert "Mine, too:" in project.doc("b.py")


def test_one_heading_renamed_and_edited_where_another_section_was_taken_out(project):
    """Which of both it was, nobody can tell: it stays, and `status` says what it is taken for."""
    head, sections = parts(project)
    mine = "\n## Names\n\nOnly `g`, really.\n"
    project.write({PATH: head + mine + sections["Dependencies"]}).check()
    said = project.tool("status").out
    assert 'overview, taken to be "Names" (kept), definitions (kept)' in said
    for value in (1, 2):
        change(project, value)
        assert headings(project) == ["Names", "Dependencies"]
        assert mine in project.doc("b.py")
    project.edit_doc("b.py", "## Names", "## Definitions").check()
    assert edited(project) == {"b.py": ["overview", "definitions"]}
    assert "taken to be" not in project.tool("status").out


@pytest.mark.parametrize("policy", ["keep", "merge", "overwrite"])
def test_what_may_be_a_person_s_own_is_never_overwritten(project, policy):
    head, sections = parts(project)
    mine = "\n## Notes\n\nRead this first.\n"
    project.write({PATH: head + mine + sections["Definitions"] + sections["Dependencies"]})
    project.write({".codetwine/config.yaml": f"edits: {policy}\n"})
    project.check()
    change(project, 1)
    assert mine in project.doc("b.py")


def test_sections_in_another_order_stay_in_it(project):
    head, sections = parts(project)
    moved = [sections[name] for name in ("Dependencies", "Overview", "Definitions")]
    project.write({PATH: head + "".join(moved)}).check()
    assert edited(project) == {}
    change(project, 1)
    assert headings(project) == ["Dependencies", "Overview", "Definitions"]
    project.replace("b.py", "def g():", "def g(x):").check("b.py")
    assert headings(project) == ["Dependencies", "Overview", "Definitions"]
    assert "`def g(x)`" in project.doc("b.py")


def test_a_new_section_finds_its_place_in_another_order(project):
    source = project.read("b.py")
    project.write({"b.py": source.replace("How it works.\n", "")}).check("b.py")
    head, sections = parts(project)
    project.write({PATH: head + sections["Dependencies"] + sections["Definitions"]}).check()
    project.write({"b.py": source}).check("b.py")
    assert headings(project) == ["Overview", "Dependencies", "Definitions"]


def test_in_another_order_a_renamed_and_edited_section_is_not_lost(project):
    head, sections = parts(project)
    mine = "\n## The idea\n\nMine.\n"
    project.write({PATH: head + sections["Dependencies"] + mine + sections["Definitions"]}).check()
    for value in (1, 2):
        change(project, value)
        assert mine in project.doc("b.py")
        assert len(headings(project)) == 3


def test_an_edited_section_that_the_template_has_no_more_becomes_a_person_s_own(project):
    mine = "\n## Overview\n\nMine.\n"
    project.edit_doc("b.py", "\n## Overview\n\nHow it works.\n", mine).check()
    template = "sections:\n  - {id: names, title: Names, kind: facts, render: definitions}\n"
    path = ".codetwine/template/template.yaml"
    project.write({path: template}).check("a.py b.py")
    assert headings(project) == ["Overview", "Names"]
    assert mine in project.doc("b.py")
    assert edited(project) == {}
    project.delete(path).check("a.py b.py")
    change(project, 1)
    assert mine in project.doc("b.py")
    assert headings(project).count("Overview") == 2


def test_a_section_of_ones_own_may_say_the_same_as_the_summary(project):
    head, _ = parts(project)
    text = head.partition("# `b.py`")[2].strip("\n")
    project.write({PATH: project.doc("b.py") + f"\n## In short\n\n{text}\n"}).check()
    change(project, 1)
    assert headings(project)[-1] == "In short"


def test_an_edit_is_in_the_exports_with_no_further_step(project):
    project.edit_doc("b.py", "How it works.", "How it really works.").add().commit()
    project.tool("export", "--output-dir", str(project.path.parent / "out"))
    found = [
        path.name
        for path in sorted((project.path.parent / "out").rglob("*"))
        if path.is_file() and "How it really works." in path.read_text("utf-8")
    ]
    assert {"doc.md", "doc.json", "project_knowledge.json"} <= set(found)
