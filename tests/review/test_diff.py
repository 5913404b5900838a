"""`codetwine diff`: what became of each document, and why."""

from __future__ import annotations

import json

import pytest

from twine_hooks.analysis.facts import Definition
from twine_hooks.errors import ReviewError
from twine_hooks.review.model import review_from, review_value
from twine_hooks.review.signatures import describe


def diff(project, *args: str) -> dict:
    said = project.tool("diff", *args, "--format", "json")
    assert said.code == 0, said
    return said.json


def kinds(review: dict) -> dict[str, str]:
    return {one["path"]: one["kind"] for one in review["documents"]}


def test_nothing_changed(project):
    review = diff(project)
    assert not any(review[name] for name in ("documents", "stale", "interfaces", "edited"))
    assert "needs no other documentation" in project.tool("diff").out


def test_an_interface_that_grew_and_the_documents_that_did_not_need_it(project):
    project.replace("shapes.py", "area(w, h)", "area(w, h, depth=1)")
    project.tool("refresh")
    review = diff(project)
    assert kinds(review) == {
        "shapes.py": "rewritten",
        "report.py": "confirmed",
        "table.py": "confirmed",
    }
    [change] = review["interfaces"]
    assert (change["symbol"], change["text"]) == ("area()", "gained `depth=1`")
    assert change["used_by"] == ["report.py", "table.py"]
    line = "area() of shapes.py gained depth=1; used by 2 files; 0 documents rewritten, 2 did not"
    assert line in project.tool("diff").out
    assert review["stale"] == review["edited"] == []


def test_sections_are_compared_and_style_is_not(project):
    project.edit_doc("alone.py", "## Definitions", "## Definitions\n")
    project.edit_doc("report.py", "- `def show()`", "* `def show()`")
    assert diff(project)["documents"] == []
    project.edit_doc("alone.py", "Defines", "By hand: defines")
    [one] = diff(project)["documents"]
    assert one["sections"] == [{"title": "Summary", "kind": "rewritten"}]
    assert "+By hand: defines" in one["diff"]


def test_what_was_added_removed_and_moved(project):
    project.rename("alone.py", "lib/lonely.py").delete("table.py")
    project.files("\n-- new.py --\nfrom shapes import spare\nspare()\n")
    project.tool("refresh")
    review = diff(project)
    assert kinds(review) == {
        "lib/lonely.py": "moved",
        "new.py": "added",
        "table.py": "removed",
    }
    [moved] = [one for one in review["documents"] if one["kind"] == "moved"]
    assert (moved["origin"], moved["sections"]) == ("alone.py", [])


def test_stale_documents_are_those_that_the_change_made_stale(project):
    project.replace("alone.py", "return 1", "return 2").add().commit("hasty", "--no-verify")
    base = project.head
    project.replace("shapes.py", "w * h", "h * w").add().commit("hasty too", "--no-verify")
    project.files("\n-- new.py --\nx = 1\n").add().commit("new", "--no-verify")
    review = diff(project, f"{base}..HEAD")
    assert [(one["path"], one["is_missing"]) for one in review["stale"]] == [
        ("new.py", True),
        ("shapes.py", False),
        ("report.py", False),
        ("table.py", False),
    ]
    assert review["stale_before"] == 1
    assert "`area` changed" in review["stale"][1]["reasons"][0]


def test_sections_edited_by_hand_whose_source_changed(project):
    project.edit_doc("shapes.py", "Shapes.", "Shapes, by hand.")
    project.edit_doc("alone.py", "Defines", "By hand: defines")
    project.add().commit("by hand")
    project.replace("shapes.py", "w * h", "h * w")
    project.tool("refresh")
    assert diff(project)["edited"] == [{"path": "shapes.py", "sections": ["summary"]}]


def test_ranges(project):
    first = project.head
    project.git("checkout", "-q", "-b", "side")
    project.replace("alone.py", "return 1", "return 2")
    project.tool("refresh")
    project.add().commit("side")
    project.git("checkout", "-q", "main")
    project.replace("shapes.py", "w * h", "h * w")
    project.tool("refresh")
    project.add().commit("main")
    changed = {"shapes.py", "report.py", "table.py"}
    assert set(diff(project, f"{first}..")["changed"]) == {"shapes.py"}
    assert set(diff(project, f"{first}..main")["changed"]) == {"shapes.py"}
    assert set(diff(project, "main...side")["changed"]) == {"alone.py"}
    assert set(diff(project, "main..side")["changed"]) == {"alone.py", "shapes.py"}
    assert set(diff(project, first)["changed"]) == {"shapes.py"}
    assert set(kinds(diff(project, first))) == changed
    for wrong in ("nowhere..HEAD", "--output=x...HEAD", "main...nowhere"):
        said = project.tool("diff", "--", wrong)
        assert said.code == 1 and "Traceback" not in said.err, said


def test_it_writes_nothing_and_needs_no_work_tree(project, tmp_path):
    project.replace("shapes.py", "w * h", "h * w")
    project.tool("refresh")
    project.add().commit("more")
    project.clone(tmp_path / "bare", "--bare")
    from tests.projects import codetwine

    said = codetwine(tmp_path / "bare", "diff", "HEAD^..HEAD", "--format", "json")
    assert set(kinds(said.json)) == {"shapes.py", "report.py", "table.py"}
    assert codetwine(tmp_path / "bare", "diff").code == 1
    assert project.status == ""


def _definition(signature: str, **more) -> Definition:
    values = dict.fromkeys(Definition._fields, "") | {"signature": signature}
    values |= {"bases": (), "decorators": (), "kind": "function"} | more
    return Definition(**values)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("def f(a)", "def f(a, b=1)", "gained `b=1`"),
        ("def f(a, b)", "def f(a)", "lost `b`"),
        ("def f(a: int)", "def f(a: str)", "`a: int` became `a: str`"),
        ("def f(a, b)", "def f(b, a)", "takes its parameters in another order: `def f(b, a)`"),
        ("def f(a) -> int", "def f(a) -> str", "was `def f(a) -> int` and is `def f(a) -> str`"),
        ("int f(int a)", "int f(int a, char *b)", "gained `char *b`"),
        (
            "f(m: Map<K, V>, g: (x: A) => B)",
            "f(m: Map<K, W>, g: (x: A) => B)",
            "`m: Map<K, V>` became `m: Map<K, W>`",
        ),
        ("LIMIT", "LIMIT = 2", "was `LIMIT` and is `LIMIT = 2`"),
        ("def f(a", "def f(a, b", "was `def f(a` and is `def f(a, b`"),
    ],
)
def test_signatures_in_words(before, after, text):
    assert describe(_definition(before), _definition(after)) == text


def test_other_changes_in_words():
    old = _definition("class A", doc="x", bases=("B",))
    assert describe(old, old._replace(doc="y")) == "has another doc comment"
    assert describe(old, old._replace(bases=())) == "has other bases (`B` before, none now)"


def test_json_there_and_back(project):
    project.replace("shapes.py", "area(w, h)", "area(w, h, depth=1)")
    project.files("\n-- new.py --\nx = 1\n")
    value = diff(project)
    assert json.loads(json.dumps(review_value(review_from(value)))) == value


def test_half_a_character_is_refused_and_a_name_that_is_no_utf_8_is_not():
    value = {"format": 1, "base": "a", "head": "b", "changed": ["\udcff.py"]}
    assert review_from(value).changed == ("\udcff.py",)
    for damaged in ({"base": "\ud800"}, {"changed": ["\udfff"]}):
        with pytest.raises(ReviewError, match="damaged"):
            review_from(value | damaged)
