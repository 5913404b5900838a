"""Documents of other shapes: built-in templates, a repository's own, and the form of others."""

from __future__ import annotations

import json
import re

import pytest

from tests.projects import Project

FILES = '''
-- box.py --
"""Boxes.

They hold things.
"""

class Box:
    """A box."""

    def area(self):
        return 1

def load(path):
    return path

def store(path, box):
    return box
'''
NAMES = ["Box", "Box.area", "load", "store"]


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path / "p", FILES)


def use(project: Project, template: str) -> str:
    project.write({".codetwine/config.yaml": f"template: {template}\n"})
    said = project.tool("refresh", "--json")
    assert said.code == 0, said
    return project.doc("box.py")


def entries(doc: str) -> list[str]:
    return re.findall(r"^- `(.+?)`:", doc, re.M)


@pytest.mark.parametrize("template", ["search", "reference"])
def test_each_definition_has_its_entry(project, server, template):
    doc = use(project, template)
    assert entries(doc) == NAMES
    assert server.calls == 1
    assert doc.count("something to look for") == 4


def test_what_an_answer_lacks_is_asked_for_once(project, server):
    server.then("lazy")
    doc = use(project, "search")
    assert sorted(entries(doc)) == NAMES
    assert server.calls == 2
    assert "`Box.area`, `store`" in server.history[1].messages[-1]["content"]


def test_what_stays_missing_comes_from_the_outline(project, server):
    server.mode = "lazy"
    doc = use(project, "search")
    assert sorted(entries(doc)) == NAMES
    assert server.calls == 2
    assert "- `store`: a function" in doc


@pytest.mark.parametrize("template", ["search", "reference", "short", "default"])
def test_each_works_without_a_model(project, template):
    doc = use(project, template)
    assert "no model wrote this" in doc
    if template in ("search", "reference"):
        assert entries(doc) == NAMES
        assert "- `Box`: A box." in doc
    assert project.tool("verify").code == 0


def test_the_short_one_asks_for_a_summary_only(project, server):
    doc = use(project, "short")
    assert "## Definitions" in doc
    assert server.history[0].prompt.count("\n## ") == 1


OTHERS = {
    "sections": [
        {"id": "role", "title": "Role of the file", "prompt": "What it does for the others."},
        {"id": "design", "title": "Design", "prompt": "Why it is so."},
    ],
    "summary_prompt": "In one line.",
}


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("docs/doc_template.json", "docs/doc_template.json"),
        (".codetwine/template/doc_template.json", "default"),
    ],
)
def test_the_template_of_another_tool_is_read_as_it_is(project, server, path, template):
    project.write({path: json.dumps(OTHERS)})
    doc = use(project, template)
    assert re.findall(r"^## (.+)$", doc, re.M) == ["Role of the file", "Design"]
    assert "(In one line.)" in server.history[0].prompt
    assert use(project, template) == doc
    changed = json.dumps(OTHERS).replace("Why it is so.", "Why it is not otherwise.")
    project.write({path: changed})
    [task] = project.tool("plan", "--json").json["tasks"]
    assert task["reasons"][0]["kind"] == "template"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ('{"sections": [{"id": "a"}]}', "`title`"),
        ("[]", "a list of `sections:`"),
    ],
)
def test_a_wrong_one_is_refused_with_its_name(project, text, said):
    project.write({"t.json": text, ".codetwine/config.yaml": "template: t.json\n"})
    done = project.tool("plan")
    assert (done.code, said in done.err, "t.json" in done.err) == (1, True, True), done
