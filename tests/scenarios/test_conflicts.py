"""Merges that conflict in documents and leaves: resolved by hand, by `resolve` or inside of git."""

from __future__ import annotations

import pytest

from tests.hooks.committing import Committing, documents_of
from tests.projects import DOCS
from tests.scenarios.branches import (
    alone,
    body,
    fork,
    refresh_and_commit,
    resolve_source,
    unmerged,
)

SHAPES = f"{DOCS}/shapes.py"
USERS = [f"{DOCS}/{one}/doc.md" for one in ("report.py", "table.py")]


@pytest.fixture
def merging(project) -> Committing:
    """In the middle of a merge: a source, its document, its leaf, and documents of two users."""
    fork(project, body("w * h * 1"), body("w * h * 2"))
    assert project.attempt("merge", "-q", "side").code == 1
    assert sorted(unmerged(project)) == sorted(["shapes.py", *documents_of("shapes.py"), *USERS])
    return project


def test_resolve_leaves_no_markers_stages_and_what_is_stale_stays_stale(merging):
    resolve_source(merging)
    said = merging.tool("resolve")
    assert said.code == 0, said
    assert f"{SHAPES}/leaf.twine: rebuilt" in said.out
    assert f"{SHAPES}/doc.md: our text, to be refreshed" in said.out
    assert "5 files" not in said.out and "4 files settled and staged" in said.out
    assert unmerged(merging) == []
    for path, data in merging.documents().items():
        assert b"<<<<<<<" not in data, path
    # The leaf is that of the merged source, the headers tell that the texts are not.
    tasks = merging.tool("verify", "--staged", "--json").json["tasks"]
    assert [(one["path"], one["action"]) for one in tasks] == [
        ("shapes.py", "write"),
        ("report.py", "write"),
        ("table.py", "write"),
    ]
    refresh_and_commit(merging)
    again = merging.tool("resolve")
    assert again.code == 0 and "no document and no leaf is in a merge conflict" in again.out


def test_before_its_sources_are_resolved_it_settles_the_documents_all_the_same(merging):
    said = merging.tool("resolve")
    assert said.code == 0
    assert unmerged(merging) == ["shapes.py"]
    assert "still in conflict, and yours to resolve: shapes.py" in said.out
    assert "kept as it was until its source is resolved" in said.out
    resolve_source(merging)
    assert merging.tool("verify", "--staged").code == 1
    refresh_and_commit(merging)


def test_the_side_that_is_true_of_the_merge_is_taken_whole(merging):
    merging.git("checkout", "-q", "--theirs", "--", "shapes.py")
    merging.add("shapes.py")
    said = merging.tool("resolve")
    assert f"{SHAPES}/doc.md: their text, which is true of the merge" in said.out
    # Nothing is to be written: the other branch has all of it already.
    merging.check_fresh()
    merging.check_committed(merging.attempt("commit", "-q", "--no-edit"))


def test_our_source_with_our_documents_is_fresh_at_once(merging):
    merging.git("checkout", "-q", "--ours", "--", "shapes.py")
    merging.add("shapes.py")
    merging.tool("resolve")
    merging.check_committed(merging.attempt("commit", "-q", "--no-edit"))


def test_picking_theirs_by_hand_is_still_flagged(merging):
    resolve_source(merging)
    merging.git("checkout", "-q", "--theirs", "--", DOCS)
    merging.add()
    said = merging.tool("verify", "--staged", "--json")
    assert said.code == 1
    assert [one["path"] for one in said.json["tasks"]] == ["shapes.py", "report.py", "table.py"]
    refresh_and_commit(merging)


def _edit(name: str, text: str):
    def change(project: Committing) -> None:
        project.tool("refresh")
        project.edit_doc("shapes.py", name, text)

    return change


def _both(first, second):
    return lambda project: (first(project), second(project))


def test_what_people_edited_on_either_side_is_kept(project):
    ours = _both(body("w * h * 1"), _edit("Shapes.", "Shapes, as we know them."))
    theirs = _both(body("w * h * 2"), _edit("- `def spare()`", "- `def spare()`: Mine."))
    fork(project, ours, theirs)
    assert project.attempt("merge", "-q", "side").code == 1
    resolve_source(project)
    said = project.tool("resolve")
    assert "edited on both sides" not in said.out
    for _ in range(2):
        text = project.doc("shapes.py")
        assert "Shapes, as we know them." in text and "`def spare()`: Mine." in text
        project.tool("refresh")
    refresh_and_commit(project)


def test_a_section_that_both_edited_is_ours_and_the_line_leads_to_theirs(project):
    ours = _both(body("w * h * 1"), _edit("Shapes.", "Ours."))
    theirs = _both(body("w * h * 2"), _edit("Shapes.", "Theirs."))
    fork(project, ours, theirs)
    project.attempt("merge", "-q", "side")
    resolve_source(project)
    said = project.tool("resolve")
    assert "Ours." in project.doc("shapes.py")
    [line] = [one for one in said.out.splitlines() if "edited on both sides" in one]
    shown = project.run("sh", "-c", line.split("`")[3]).stdout.decode()
    assert "Theirs." in shown


def test_where_their_text_is_the_true_one_the_line_leads_to_ours(project):
    fork(project, _edit("Shapes.", "Ours."), _both(body("w * h * 2"), _edit("Shapes.", "Theirs.")))
    project.attempt("merge", "-q", "side")
    assert "shapes.py" not in unmerged(project)
    said = project.tool("resolve")
    assert f"{SHAPES}/doc.md: their text, which is true of the merge" in said.out
    assert "Theirs." in project.doc("shapes.py")
    [line] = [one for one in said.out.splitlines() if "edited on both sides" in one]
    assert "theirs is kept" in line and line.endswith("has ours")
    shown = project.run("sh", "-c", line.split("`")[3]).stdout.decode()
    assert "Ours." in shown


def test_what_a_person_resolved_in_the_document_is_not_undone(merging):
    resolve_source(merging)
    merging.git("checkout", "-q", "--ours", "--", f"{SHAPES}/doc.md")
    merging.edit_doc("shapes.py", "Shapes.", "Shapes, merged by hand.")
    said = merging.tool("resolve")
    assert f"{SHAPES}/doc.md: kept as you resolved it" in said.out
    refresh_and_commit(merging)
    assert "Shapes, merged by hand." in merging.doc("shapes.py")


@pytest.mark.parametrize("keeps", ["source", "deletion"])
def test_a_source_that_one_side_deleted_and_the_other_changed(project, keeps):
    fork(project, alone("2"), lambda one: one.delete("alone.py"))
    assert project.attempt("merge", "-q", "side").code == 1
    # While nobody knows what becomes of the source, its document is not thrown away.
    project.tool("resolve")
    assert unmerged(project) == ["alone.py"]
    if keeps == "source":
        project.add("alone.py")
    else:
        project.git("rm", "-q", "--", "alone.py")
    refresh_and_commit(project)
    assert (project.path / DOCS / "alone.py").exists() is (keeps == "source")


def test_a_source_that_got_another_name_on_either_side(project):
    fork(
        project,
        lambda one: one.rename("alone.py", "one.py"),
        lambda one: one.rename("alone.py", "two.py"),
    )
    assert project.attempt("merge", "-q", "side").code == 1
    said = project.tool("resolve")
    assert said.code == 0, said
    assert unmerged(project) == ["alone.py", "one.py", "two.py"]
    project.git("rm", "-q", "--cached", "alone.py")
    project.add("one.py", "two.py")
    for name in ("one.py", "two.py"):
        assert "<<<<<<<" not in project.doc(name)
    refresh_and_commit(project)


def test_a_source_that_a_folder_is_in_the_way_of(project):
    inside = {"alone.py/x.py": "def x(): pass\n"}
    fork(project, lambda one: one.delete("alone.py").write(inside), alone("2"))
    assert project.attempt("merge", "-q", "side").code == 1
    assert project.tool("resolve").code == 0
    # While nobody knows what becomes of the source, its document is not thrown away.
    assert "# `alone.py`" in project.doc("alone.py")
    project.git("rm", "-q", "alone.py~side")
    refresh_and_commit(project)
    assert not (project.path / DOCS / "alone.py/doc.md").exists()


def test_a_document_in_conflict_whose_source_is_gone_goes(project):
    fork(project, alone("2"), lambda one: one.delete("alone.py"))
    project.attempt("merge", "-q", "side")
    project.git("rm", "-q", "--", "alone.py")
    said = project.tool("resolve")
    assert said.out.count("removed, as its source is gone") == 2
    project.check_committed(project.attempt("commit", "-q", "--no-edit"))


def test_markers_that_were_staged_are_named_and_resolved(merging):
    resolve_source(merging)
    merging.add()
    said = merging.tool("verify", "--staged")
    assert said.code == 1
    assert f"{SHAPES}/doc.md:1: begins with conflict markers; run `codetwine resolve`" in said.out
    assert "Traceback" not in said.out + said.err
    assert merging.tool("resolve").code == 0
    assert "conflict" not in merging.tool("verify", "--staged").out
    refresh_and_commit(merging)


def test_a_rebase_and_a_cherry_pick_are_resolved_the_same_way(project):
    fork(project, body("w * h * 1"), body("w * h * 2"))
    project.git("checkout", "-q", "side")
    for start, go_on in (
        (("rebase", "-q", "main"), ("rebase", "--continue")),
        (("cherry-pick", "side@{1}"), ("cherry-pick", "--continue")),
    ):
        assert project.attempt(*start).code == 1, start
        resolve_source(project)
        assert project.tool("resolve").code == 0
        assert unmerged(project) == []
        assert project.tool("refresh").code == 0
        project.add()
        project.check_committed(project.attempt(*go_on))
        project.git("checkout", "-q", "-B", "again", "main")


def test_settings_in_conflict_come_first(project):
    fork(
        project,
        lambda one: one.write({".codetwine/config.yaml": "cutoff: bytes\n"}),
        lambda one: one.write({".codetwine/config.yaml": "dependents: none\n"}),
    )
    project.attempt("merge", "-q", "side")
    said = project.tool("resolve")
    assert said.code == 1
    assert ".codetwine/config.yaml is in a merge conflict" in said.err


class TestMergeDriver:
    @pytest.fixture
    def project(self, project):
        project.tool("init")
        assert "merge driver: registered" in project.tool("install").out
        project.add().commit("set up")
        assert project.status == ""
        return project

    def test_documents_never_conflict_and_stay_stale(self, project):
        fork(project, body("w * h * 1"), body("w * h * 2"))
        assert project.attempt("merge", "-q", "side").code == 1
        assert unmerged(project) == ["shapes.py"]
        resolve_source(project)
        assert project.tool("verify", "--staged").code == 1
        project.check_committed(project.attempt("commit", "-q", "--no-edit"))

    def test_two_changes_in_one_file_merge_without_a_conflict_and_are_told_to_be_stale(
        self, project
    ):
        project.tool("uninstall", "--hook-type", "post-merge")
        fork(
            project,
            body("w * h * 1"),
            lambda one: one.replace("shapes.py", "return 1", "return 2"),
        )
        assert project.attempt("merge", "-q", "--no-edit", "side").code == 0
        tasks = project.tool("verify", "--rev", "HEAD", "--json").json["tasks"]
        assert [one["path"] for one in tasks] == ["shapes.py"]
        project.tool("refresh")
        project.add()
        project.check_committed(project.try_commit())

    @pytest.mark.parametrize("how", ["rebase", "cherry-pick"])
    def test_inside_of_other_commands(self, project, how):
        fork(
            project,
            body("w * h * 1"),
            lambda one: one.replace("shapes.py", "return 1", "return 2"),
        )
        if how == "rebase":
            project.git("checkout", "-q", "side")
        said = project.attempt(how, {"rebase": "main", "cherry-pick": "side"}[how])
        assert said.code == 0, said
        assert project.tool("verify", "--rev", "HEAD").code == 1

    def test_what_people_edited_is_kept_inside_of_git(self, project):
        ours = _both(body("w * h * 1"), _edit("Shapes.", "Shapes, as we know them."))
        theirs = _both(body("w * h * 2"), _edit("- `def spare()`", "- `def spare()`: Mine."))
        fork(project, ours, theirs)
        project.attempt("merge", "-q", "side")
        text = project.doc("shapes.py")
        assert "Shapes, as we know them." in text and "`def spare()`: Mine." in text

    def test_a_section_that_both_edited_is_named(self, project):
        fork(project, _edit("Shapes.", "Ours."), _edit("Shapes.", "Theirs."))
        said = project.attempt("merge", "-q", "--no-edit", "side")
        assert said.code == 0 and "Ours." in project.doc("shapes.py")
        assert f"{SHAPES}/doc.md: `summary` was edited on both sides: ours is kept" in said.err

    def test_nothing_depends_on_it(self, project):
        project.git("config", "merge.codetwine.driver", "no-such-program %O %A %B %P")
        fork(project, body("w * h * 1"), body("w * h * 2"))
        assert project.attempt("merge", "-q", "side").code == 1
        assert f"{SHAPES}/doc.md" in unmerged(project)
        resolve_source(project)
        assert project.tool("resolve").code == 0
        refresh_and_commit(project)

    def test_it_comes_once_and_goes_with_uninstall(self, project):
        assert "merge driver: was registered already" in project.tool("install").out
        assert "merge driver: removed" in project.tool("uninstall").out
        assert "merge." not in project.git("config", "--local", "--list")

    @pytest.mark.parametrize("name", ["a b.py", "it's.py", "naïve $HOME.py"])
    def test_any_file_name(self, project, name):
        project.write({name: "def f():\n    return 1\n\n\ndef g():\n    return 2\n"})
        project.tool("refresh")
        project.add().commit("more", "--no-verify")
        fork(
            project,
            lambda one: one.replace(name, "return 1", "return 11"),
            lambda one: one.replace(name, "return 2", "return 22"),
        )
        assert project.attempt("merge", "-q", "--no-edit", "side").code == 0
