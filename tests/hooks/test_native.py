"""The native hook, `codetwine install`: it stages where that is right, and only there."""

from __future__ import annotations

import pytest

from tests.hooks.committing import Committing, documents_of, folders_of, written_in


@pytest.fixture
def project(project) -> Committing:
    assert project.tool("install").code == 0
    return project


def test_a_plain_commit_takes_its_documents_along(project):
    project.replace("shapes.py", "w * h", "h * w").add("shapes.py")
    said = project.check_committed(project.try_commit())
    assert written_in(said) == ["shapes.py", "report.py", "table.py"]
    changed = ["shapes.py", *documents_of("shapes.py"), *documents_of("report.py", "table.py")]
    # The leaf is about the source alone, so those of the users stay as they are.
    leaves = [f".codetwine/docs/{one}/leaf.twine" for one in ("report.py", "table.py")]
    assert project.committed() == sorted(set(changed) - set(leaves))


def test_nothing_stale_says_nothing_and_touches_nothing(project):
    before = project.stamps()
    project.replace("shapes.py", "return 1", "return 1  # spare").add()
    said = project.check_committed(project.try_commit())
    assert said.err == ""
    assert project.stamps() == before
    assert project.committed() == ["shapes.py"]


def test_commit_all(project):
    project.replace("alone.py", "1", "2")
    project.check_committed(project.try_commit("-a"))
    assert project.committed() == sorted(["alone.py", *documents_of("alone.py")])


def test_commit_with_more_staged_by_include(project):
    project.replace("alone.py", "1", "2").replace("shapes.py", "return 1", "return 2").add(
        "alone.py"
    )
    project.check_committed(project.try_commit("-i", "shapes.py"))
    expected = ["alone.py", "shapes.py", *documents_of("alone.py", "shapes.py")]
    assert project.committed() == sorted(expected)


def test_a_new_source_and_a_first_commit(bare_project):
    bare_project.tool("install")
    bare_project.add()
    said = bare_project.check_committed(bare_project.try_commit())
    assert written_in(said) == ["alone.py", "shapes.py", "report.py", "table.py"]
    bare_project.files("\n-- new.py --\nfrom alone import alone\n").add()
    bare_project.check_committed(bare_project.try_commit())
    assert bare_project.committed() == sorted(["new.py", *documents_of("new.py")])


def test_an_empty_repository_and_empty_commits(tmp_path, scripts):
    project = Committing(tmp_path / "e", "", "", scripts)
    project.tool("install")
    assert project.tool("hook", "pre-commit").code == 0
    project.add()
    project.check_committed(project.try_commit())
    project.check_committed(project.try_commit("--allow-empty"))


def test_a_repository_without_documents_is_left_alone(tmp_path, scripts):
    project = Committing(tmp_path / "e", "\n-- a.py --\ndef f(): pass\n", "", scripts)
    project.delete(".codetwine/config.yaml").add()
    project.tool("install")
    said = project.try_commit()
    assert (said.code, project.status) == (0, "")
    assert "codetwine init" in said.err


@pytest.mark.parametrize("how", ["git rm", "git commit -a"])
def test_a_deletion_only_commit(project, how):
    if how == "git rm":
        project.git("rm", "-q", "shapes.py")
        said = project.try_commit()
    else:
        said = project.delete("shapes.py").try_commit("-a")
    project.check_committed(said)
    assert written_in(said) == ["report.py", "table.py"]
    assert set(documents_of("shapes.py")) < set(project.committed())
    assert not (project.path / ".codetwine/docs/shapes.py").exists()


def test_a_rename(project):
    project.git("mv", "alone.py", "lonely.py")
    said = project.check_committed(project.try_commit())
    assert written_in(said) == []
    moved = ["alone.py", "lonely.py", *documents_of("alone.py", "lonely.py")]
    assert project.committed() == sorted(moved)


def test_amend_with_nothing_staged_and_with_something(project):
    head = project.head
    project.check_committed(project.attempt("commit", "--amend", "-m", "other words"))
    assert project.head != head
    project.replace("alone.py", "1", "2").add()
    project.check_committed(project.attempt("commit", "--amend", "-m", "more"))
    assert project.git("rev-list", "--count", "HEAD") == "1\n"


def test_an_amend_of_a_commit_that_went_past_the_hook(project):
    project.replace("alone.py", "1", "2").add().commit("hasty", "--no-verify")
    assert project.tool("verify", "--rev", "HEAD").code == 1
    project.check_committed(project.attempt("commit", "--amend", "-m", "done right"))


def test_half_of_a_file(project):
    project.replace("shapes.py", "w * h", "h * w").replace("shapes.py", "return 1", "return 2")
    project.run("git", "add", "-p", "shapes.py", input=b"s\ny\nn\n")
    assert project.git("diff", "--cached", "--stat").count("1 insertion") == 1
    said = project.check_committed(project.try_commit(), clean=False)
    assert written_in(said) == ["shapes.py", "report.py", "table.py"]
    assert project.status == " M shapes.py\n"
    said = project.check_committed(project.try_commit("-a"))
    assert written_in(said) == ["shapes.py"]


def test_a_document_with_edits_of_a_person_is_not_staged(project):
    project.edit_doc("shapes.py", "Shapes.", "Shapes, by hand.")
    project.replace("shapes.py", "w * h", "h * w").add("shapes.py")
    head = project.head
    said = project.try_commit()
    assert said.code == 1
    assert project.head == head
    assert "has edits that are not staged" in said.err
    assert project.staged() == ["shapes.py"]
    assert "Shapes, by hand." in project.doc("shapes.py")
    project.run_line(said)
    project.check_committed(project.try_commit())
    assert "Shapes, by hand." in project.doc("shapes.py")


def test_an_edited_document_of_a_source_that_goes_is_not_lost_in_silence(project):
    project.edit_doc("alone.py", "Defines", "By hand: defines")
    project.git("rm", "-q", "alone.py")
    said = project.try_commit()
    assert said.code == 1
    assert "By hand" in project.doc("alone.py")
    assert "alone.py" in said.err


def test_a_staged_edit_of_a_document_goes_along(project):
    project.edit_doc("shapes.py", "Shapes.", "Shapes, by hand.")
    project.replace("shapes.py", "w * h", "h * w").add()
    project.check_committed(project.try_commit())
    assert "Shapes, by hand." in project.doc("shapes.py")


def test_a_commit_of_paths_alone_is_never_staged_into(project):
    project.replace("alone.py", "1", "2").replace("shapes.py", "return 1", "return 3")
    project.add("shapes.py")
    index = (project.path / ".git/index").read_bytes()
    head = project.head
    said = project.try_commit("--", "alone.py")
    assert (said.code, project.head) == (1, head)
    assert written_in(said) == ["alone.py"]
    assert (project.path / ".git/index").read_bytes() == index
    # The same again, now with the documents named as the advice says.
    assert "git commit" in said.err
    paths = project.run_line(said)
    project.check_committed(project.try_commit("--", "alone.py", *paths), clean=False)
    assert project.committed() == sorted(["alone.py", *documents_of("alone.py")])
    assert project.staged() == ["shapes.py"]
    # And the next commit takes nothing of it back.
    project.check_committed(project.try_commit())
    assert project.committed() == sorted(["shapes.py", *documents_of("shapes.py")])


def test_under_the_framework_nothing_is_staged(project):
    project.replace("alone.py", "1", "2").add()
    said = project.program("hook", "pre-commit", environ={"PRE_COMMIT": "1"})
    assert said.code == 1
    assert project.staged() == ["alone.py"]
    assert project.run_line(said) == folders_of("alone.py")
    assert project.program("hook", "pre-commit", environ={"PRE_COMMIT": "1"}).code == 0


def test_with_stage_never_nothing_is_staged(project):
    project.write({".codetwine/config.yaml": "hook:\n  stage: never\n"})
    project.replace("alone.py", "1", "2").add()
    said = project.try_commit()
    assert said.code == 1
    assert project.run_line(said) == folders_of("alone.py")
    project.check_committed(project.try_commit())


def test_an_unmerged_index_is_named(project):
    project.git("checkout", "-q", "-b", "side")
    project.replace("alone.py", "1", "2").add().commit("side")
    project.git("checkout", "-q", "main")
    project.replace("alone.py", "1", "3").add().commit("main")
    project.attempt("merge", "side")
    said = project.tool("hook", "pre-commit")
    assert said.code == 1
    assert "merge conflict" in said.err


def test_a_linked_work_tree(project, tmp_path):
    project.worktree(tmp_path / "linked", "-b", "linked")
    linked = project.at(tmp_path / "linked")
    for args, value in (((), "2"), (("-a",), "3")):
        linked.replace("alone.py", f"return {int(value) - 1}", f"return {value}")
        if not args:
            linked.add()
        linked.check_committed(linked.try_commit(*args))
        assert linked.committed() == sorted(["alone.py", *documents_of("alone.py")])
    linked.replace("alone.py", "return 3", "return 4")
    said = linked.try_commit("--", "alone.py")
    assert said.code == 1
    assert linked.staged() == []
    assert project.status == ""


def test_a_hook_that_was_there_before_runs_first(bare_project):
    bare_project.hook("pre-commit", "#!/bin/sh\necho before >&2; exit $STOP\n")
    bare_project.tool("install")
    bare_project.add()
    said = bare_project.try_commit(environ={"STOP": "7"})
    assert said.code == 1 and "before" in said.err and "codetwine" not in said.err
    bare_project.check_committed(bare_project.try_commit(environ={"STOP": "0"}))


def test_from_a_folder_below(project):
    project.files("\n-- deep/x.py --\ndef x(): pass\n").add()
    project.check_committed(project.try_commit(cwd=project.path / "deep"))
    assert set(documents_of("deep/x.py")) < set(project.committed())


def test_a_document_that_is_not_ours_is_not_written_over(project):
    project.write({".codetwine/docs/alone.py/doc.md": "Written by hand, without a header.\n"})
    project.replace("alone.py", "1", "2").add()
    said = project.try_commit()
    assert said.code == 1
    assert "has no codetwine header" in said.err
    assert project.read(".codetwine/docs/alone.py/doc.md").startswith("Written by hand")
