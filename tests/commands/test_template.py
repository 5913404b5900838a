"""`codetwine template` and `codetwine config`."""

from __future__ import annotations

import pytest

from tests.projects import Project

OWN = """\
summary_prompt: In short.
sections:
  - {id: role, title: Role, prompt: What for.}
"""


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path / "p", "-- a.py --\nx = 1\n")


def test_the_list_marks_the_template_in_use(project):
    lines = project.tool("template", "list").out.splitlines()
    assert [line[:2] for line in lines] == ["* ", "  ", "  ", "  "]
    assert lines[0] == "* default: Overview, Definitions, Dependencies"
    project.write({".codetwine/template/template.yaml": OWN})
    assert project.tool("template", "list").out.splitlines()[-1] == "* own: Role"


def test_show_tells_what_is_asked_for(project):
    assert "one for each definition, at most 40 words" in project.tool(
        "template", "show", "search"
    ).out.replace("\n", " ")
    assert "Overview (overview, prose):" in project.tool("template", "show").out


def test_both_print_json(project):
    listed = project.tool("template", "list", "--json").json
    assert [one["name"] for one in listed if one["is_used"]] == ["default"]
    shown = project.tool("template", "show", "search", "--json").json
    assert shown["sections"] == next(one for one in listed if one["name"] == "search")["sections"]
    assert {"id", "title", "kind", "prompt", "max_words"} <= shown["sections"][0].keys()


def test_check_finds_what_is_wrong_before_it_is_committed(project):
    project.write({"t.yaml": OWN, "u.yaml": OWN.replace(", prompt: What for.", "")})
    assert project.tool("template", "check", "t.yaml").out == "good: 1 sections and a summary\n"
    said = project.tool("template", "check", "u.yaml")
    assert (said.code, "section role asks for nothing" in said.err) == (1, True)
    assert project.tool("template", "check", "gone.yaml").code == 1
    assert project.tool("template", "check").code == 0


def test_config_show_tells_where_each_value_comes_from(project, monkeypatch):
    monkeypatch.setenv("LLM_API_KEY", "of-mine")
    monkeypatch.setenv("LLM_MODEL", "openai/gpt-4o-mini")
    project.write({".codetwine/config.yaml": "cutoff: bytes\nhook:\n  max_calls: 3\n"})
    said = project.tool("config", "show", "--json").json
    rows = {one["name"]: (one["value"], one["origin"]) for one in said["settings"]}
    assert said["writer"] == "openai/gpt-4o-mini"
    assert rows["cutoff"] == ("bytes", ".codetwine/config.yaml")
    assert rows["hook.max_calls"] == (3, ".codetwine/config.yaml")
    assert rows["template"] == ("default", "default")
    assert rows["LLM_API_KEY"] == ("***", "environment")
    assert "of-mine" not in project.tool("config", "show").out


def test_files_in_codetwineignore_get_no_document(project):
    project.write({"gen/b.py": "y = 1\n", ".codetwineignore": "gen/\n# a comment\n"})
    project.check("a.py")
    project.write({".codetwineignore": ""})
    project.check("gen/b.py")
