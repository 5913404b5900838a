"""What people write into documents stays, through regenerations, renames and formatters."""

from __future__ import annotations

import mdformat
import pytest

from tests.projects import DOCS, Project

FILES = '''
-- a.py --
"""What it is.

How it works, in `a` word.

* one
* two
"""


def f():
    """Does it."""
    return 1
-- b.py --
from a import f


def g():
    return f()
'''


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "p", FILES).check("a.py b.py")


def edited(project):
    """What `status` says is edited by hand: source -> sections."""
    said = project.tool("status", "--json").json["edited"]
    return {one["path"]: one["sections"] for one in said}


def test_an_edited_section_stays_and_the_others_go_on(project):
    project.edit_doc("a.py", "What it is.", "What it is, said better.").check()
    assert edited(project) == {"a.py": ["summary"]}
    for value in ("2", "3", "4"):
        project.write(
            {"a.py": project.read("a.py").replace(f"return {int(value) - 1}", f"return {value}")}
        )
        project.check("a.py b.py")
        assert "What it is, said better." in project.doc("a.py")
        assert edited(project) == {"a.py": ["summary"]}
    project.replace("a.py", "def f():", "def f(x=0):").check("a.py b.py")
    assert "- `def f(x=0)`: Does it." in project.doc("a.py")
    assert "said better" in project.doc("a.py")


def test_an_edited_section_of_facts_stays_too(project):
    project.edit_doc("a.py", "- `def f()`: Does it.", "- `def f()`: Does it, and how!").check()
    assert edited(project) == {"a.py": ["definitions"]}
    project.replace("a.py", "return 1", "return 2").check("a.py b.py")
    assert "Does it, and how!" in project.doc("a.py")


def test_what_is_put_back_as_it_was_is_no_edit_any_more(project):
    project.edit_doc("a.py", "What it is.", "Something else.").check()
    project.edit_doc("a.py", "Something else.", "What it is.").check()
    assert edited(project) == {}
    project.replace("a.py", "What it is.", "What it was.").check("a.py")
    assert "What it was." in project.doc("a.py")


def test_an_edit_that_came_true_meanwhile_is_no_edit_any_more(project):
    project.edit_doc("a.py", "What it is.", "What it was.").check()
    project.replace("a.py", "What it is.", "What it was.").check("a.py")
    assert edited(project) == {}


def test_a_section_of_ones_own_stays_in_its_place(project):
    own = "## Who to ask\n\nAda, `git blame` says.\n\n"
    project.edit_doc("a.py", "## Definitions", own + "## Definitions").check()
    assert edited(project) == {}
    for new in ("return 2", "return 3"):
        old = f"return {int(new[-1]) - 1}"
        project.replace("a.py", old, new).check("a.py b.py")
        text = project.doc("a.py")
        assert text.index("## Overview") < text.index(own) < text.index("## Definitions")
    project.rename("a.py", "c.py").replace("b.py", "from a", "from c")
    project.check("b.py", moved="a.py>c.py", removed="a.py")
    assert own in project.doc("c.py")


def test_a_section_of_ones_own_at_the_end_stays_at_the_end(project):
    path = f"{DOCS}/a.py/doc.md"
    project.write({path: project.read(path) + "\n## Notes\n\n- mine\n"}).check()
    project.replace("a.py", "return 1", "return 2").check("a.py b.py")
    assert project.doc("a.py").endswith("\n## Notes\n\n- mine\n")


def test_a_heading_with_another_name_stays(project):
    project.edit_doc("a.py", "## Overview", "## The idea").check()
    project.replace("a.py", "return 1", "return 2").check("a.py b.py")
    text = project.doc("a.py")
    assert "## The idea" in text and "## Overview" not in text
    project.edit_doc("a.py", "How it works", "How it really works").check()
    project.replace("a.py", "return 2", "return 3").check("a.py b.py")
    assert "## The idea\n\nHow it really works" in project.doc("a.py")
    assert "## Overview" not in project.doc("a.py")


def test_a_section_that_was_taken_out_stays_out(project):
    text = project.doc("a.py")
    start, end = text.index("## Overview"), text.index("## Definitions")
    project.write({f"{DOCS}/a.py/doc.md": text[:start] + text[end:]}).check()
    assert edited(project) == {"a.py": ["overview"]}
    for old, new in (("return 1", "return 2"), ("return 2", "return 3")):
        project.replace("a.py", old, new).check("a.py b.py")
        assert "## Overview" not in project.doc("a.py")
        assert "`def f()`" in project.doc("a.py")


def test_an_edit_goes_where_its_source_goes(project):
    project.edit_doc("b.py", "Defines function `g`.", "Mine.").check()
    project.rename("b.py", "deep/down/b.py").check(moved="b.py>deep/down/b.py", removed="b.py")
    assert "Mine." in project.doc("deep/down/b.py")
    assert edited(project) == {"deep/down/b.py": ["summary"]}
    assert "](../../../a.py/doc.md)" in project.doc("deep/down/b.py")


def test_an_edit_survives_another_template(project):
    project.edit_doc("a.py", "What it is.", "Mine.").check()
    template = "sections:\n  - {id: names, title: Names, kind: facts, render: definitions}\n"
    project.write({".codetwine/template/template.yaml": template}).check("a.py b.py")
    assert "Mine." in project.doc("a.py")
    project.delete(".codetwine/template/template.yaml").check("a.py b.py")
    assert "Mine." in project.doc("a.py")
    assert edited(project) == {"a.py": ["summary"]}


def test_a_formatter_is_no_person(project):
    for source in ("a.py", "b.py"):
        path = f"{DOCS}/{source}/doc.md"
        formatted = mdformat.text(project.read(path), options={"wrap": 20, "number": True})
        assert formatted != project.read(path)
        project.write({path: formatted})
    project.check()
    assert edited(project) == {}
    project.replace("a.py", "Does it.", "Does something else.").check("a.py b.py")
    assert "Does something else." in project.doc("a.py")


def test_crlf_in_a_document_is_no_edit(project):
    path = f"{DOCS}/a.py/doc.md"
    project.write({path: project.read(path).replace("\n", "\r\n")})
    assert edited(project) == {}
    assert project.tool("verify").code == 0
    project.replace("a.py", "return 1", "return 2").check("a.py b.py")
    assert "\r" not in project.doc("a.py")


def test_all_writes_anew_and_keeps_edits(project):
    project.edit_doc("a.py", "What it is.", "Mine.").check()
    before = project.documents()
    said = project.tool("refresh", "--all", "--json")
    assert (said.code, said.json["written"]) == (0, ["a.py", "b.py"])
    assert project.documents() == before


def test_an_empty_document_holds_nothing_and_is_written_again(tmp_path):
    project = Project(tmp_path / "p", "-- a.py --\ndef f(): return 1\n").check("a.py")
    text = project.doc("a.py")
    project.write({f"{DOCS}/a.py/doc.md": ""}).check("a.py")
    assert project.doc("a.py") == text
