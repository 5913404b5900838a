"""What becomes of the sections that people edited, when a model writes their document anew."""

from __future__ import annotations

import pytest

from tests.projects import Project

FILES = '''
-- shapes.py --
"""Shapes in the plane."""

def area(width, height):
    """In square metres."""
    return width * height
'''
OWN = "Ask the surveyors (`theodolite`) before you change this. It is old."


@pytest.fixture
def project(tmp_path, server) -> Project:
    """A document that a model wrote, whose overview a person wrote again."""
    made = Project(tmp_path / "p", FILES)
    assert made.tool("refresh").code == 0
    made.add().commit()
    before = made.doc("shapes.py")
    overview = before.partition("## Overview\n\n")[2].partition("\n\n##")[0]
    made.edit_doc("shapes.py", overview, OWN).add().commit()
    return made


def with_edits(project: Project, policy: str) -> Project:
    project.write({".codetwine/config.yaml": f"edits: {policy}\n"})
    return project


def changed(project: Project) -> Project:
    return project.replace("shapes.py", "width * height", "height * width")


def overview(project: Project) -> str:
    return project.doc("shapes.py").partition("## Overview\n\n")[2].partition("\n\n##")[0]


def edited(project: Project) -> list[dict]:
    return project.tool("status", "--json").json["edited"]


@pytest.mark.parametrize("policy", ["keep", "merge", "overwrite"])
def test_the_setting_makes_nothing_stale(project, policy):
    with_edits(project, policy)
    assert project.tool("plan", "--json").json["tasks"] == []


def test_keep_asks_for_nothing_that_a_person_wrote(project, server):
    server.forget()
    server.mode = "rewrite"
    assert changed(project).tool("refresh").code == 0
    assert overview(project) == OWN
    assert "## Overview" not in server.history[0].prompt
    assert [one["sections"] for one in edited(project)] == [["overview"]]


def test_merge_gives_it_to_the_model_as_the_text_to_correct(project, server):
    changed(with_edits(project, "merge"))
    assert "is given it to correct" in project.tool("status").out
    server.forget()
    server.mode = "edit"
    assert project.tool("refresh").code == 0
    prompt = server.history[0].prompt
    assert OWN in prompt
    assert "A maintainer wrote these sections by hand: Overview." in prompt
    # What no source knows of is a person's to know; what the model adds is held to the source.
    assert overview(project) == f"{OWN}\n\nSince then `area` has changed."
    assert edited(project) == []


def test_merge_leaves_an_edit_that_is_still_true_a_person_s(project, server):
    server.mode = "still-true"
    assert changed(with_edits(project, "merge")).tool("refresh").code == 0
    assert overview(project) == OWN
    assert [one["sections"] for one in edited(project)] == [["overview"]]


def test_merge_lets_no_lie_of_the_model_in(project, server):
    server.mode, server.lie_rate = "lie-always", 1.0
    assert changed(with_edits(project, "merge")).tool("refresh").code == 0
    assert not any(lie in project.doc("shapes.py") for lie in server.lies)


@pytest.mark.parametrize("mode", ["500", "refuse", "garbage"])
def test_merge_without_an_answer_loses_nothing(project, server, mode):
    server.mode = mode
    before = project.doc("shapes.py")
    assert changed(with_edits(project, "merge")).tool("refresh").code == 1
    assert project.doc("shapes.py") == before


def test_merge_without_a_model_keeps(project):
    changed(with_edits(project, "merge"))
    assert project.tool("refresh", "--provider", "outline").code == 0
    assert overview(project) == OWN
    assert [one["sections"] for one in edited(project)] == [["overview"]]


def test_merge_does_not_take_what_it_wrote_before_a_person_did(project, server):
    """A revert is answered from memory; a person's text that came later is not forgotten for it."""
    with_edits(project, "merge")
    changed(project).tool("refresh")
    project.add().commit()
    first = overview(project)
    project.edit_doc("shapes.py", first, "Said otherwise since.")
    project.replace("shapes.py", "height * width", "width * height")
    server.mode = "still-true"
    assert project.tool("refresh").code == 0
    assert overview(project) == "Said otherwise since."


def test_merge_keeps_facts_and_what_was_taken_out(project, server):
    with_edits(project, "merge")
    facts = "- `def area(width, height)`: In square metres."
    project.edit_doc("shapes.py", facts, f"{facts} Of land.")
    project.edit_doc("shapes.py", f"## Overview\n\n{OWN}\n\n", "")
    project.add().commit()
    assert changed(project).tool("refresh").code == 0
    assert f"{facts} Of land." in project.doc("shapes.py")
    assert "## Overview" not in project.doc("shapes.py")


def test_overwrite_writes_every_section_but_what_people_added(project, server):
    with_edits(project, "overwrite")
    project.write(
        {
            ".codetwine/docs/shapes.py/doc.md": project.doc("shapes.py")
            + "\n## Of ours\n\nWords of ours.\n"
        }
    )
    project.add().commit()
    assert project.tool("plan", "--json").json["tasks"] == []
    changed(project)
    assert "the next refresh writes over it" in project.tool("status").out
    assert project.tool("refresh").code == 0
    assert OWN not in project.doc("shapes.py")
    assert "## Of ours\n\nWords of ours." in project.doc("shapes.py")
    assert edited(project) == []


def test_a_move_is_no_reason_to_write_over_anything(project):
    with_edits(project, "overwrite").rename("shapes.py", "lib/shapes.py")
    project.add()
    assert project.tool("refresh").code == 0
    assert OWN in project.doc("lib/shapes.py")


def test_an_unknown_policy_is_named(project):
    said = with_edits(project, "burn").tool("status")
    assert (said.code, "edits" in said.err) == (1, True)
