"""Situations that are in no list: rare kinds of commits and of clones, and odd surroundings."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from tests.hooks.committing import Committing, documents_of, written_in
from tests.projects import DOCS, as_user, codetwine
from tests.scenarios.branches import alone, body, fork

NEVER = "hook: {stage: never}\n"


@pytest.fixture
def project(project) -> Committing:
    assert project.tool("install").code == 0
    return project


def change(project: Committing) -> Committing:
    """A change of one source, staged."""
    return project.replace("alone.py", "return 1", "return 2").add("alone.py")


class TestCommits:
    def test_from_a_folder_below_the_printed_line_works_where_it_is_printed(self, project):
        project.write({".codetwine/config.yaml": NEVER, "deep/x.py": "def x(): return 1\n"}).add()
        deep = project.path / "deep"
        said = project.try_commit(cwd=deep)
        assert said.code == 1
        [line] = [one for one in said.err.splitlines() if one.startswith("  git add")]
        project.run("sh", "-c", line, cwd=deep)
        project.check_committed(project.try_commit(cwd=deep))
        project.replace("deep/x.py", "return 1", "return 2")
        said = codetwine(deep, "refresh", "x.py")
        assert said.out.endswith("git add -A -- ../.codetwine/docs/deep/x.py\n")

    def test_what_was_only_announced_is_not_remembered_as_fresh(self, project):
        """To `git ls-files` an announced file and an empty one that is staged look the same."""
        project.write({"user.py": "from empty import thing\nprint(thing)\n"}).add()
        project.check_committed(project.try_commit())
        project.write({"empty.py": ""}).git("add", "-N", "empty.py")
        assert project.program("verify", "--staged").code == 0
        project.add("empty.py")
        said = project.check_committed(project.try_commit())
        assert written_in(said) == ["user.py"]

    def test_a_rename_of_case_only_where_git_ignores_case(self, project):
        project.config(core__ignoreCase="true").git("mv", "alone.py", "Alone.py")
        project.check_committed(project.try_commit())
        assert set(project.committed()) > set(documents_of("Alone.py", "alone.py"))

    @pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
    def test_documents_that_git_was_told_to_pass_over(self, project, flag):
        project.git("update-index", f"--{flag}", *documents_of("alone.py"))
        said = change(project).try_commit()
        assert said.code == 1 and "for unchanged, so it can't be committed" in said.err
        [line] = [one for one in said.err.splitlines() if f"--no-{flag}" in one]
        project.run("sh", "-c", line)
        project.run_line(project.try_commit())
        project.check_committed(project.try_commit())

    def test_a_source_that_only_leaves_the_index(self, project):
        project.git("rm", "-q", "--cached", "alone.py")
        project.check_committed(project.try_commit(), clean=False)
        assert project.status == "?? alone.py\n"
        assert project.committed() == sorted(["alone.py", *documents_of("alone.py")])

    def test_a_file_becomes_a_link_and_a_file_again(self, project):
        project.delete("alone.py")
        os.symlink("shapes.py", project.path / "alone.py")
        project.check_committed(project.try_commit("-a"))
        assert not (project.path / DOCS / "alone.py").exists()
        project.delete("alone.py").write({"alone.py": "def alone(): return 3\n"})
        project.check_committed(project.try_commit("-a"))

    def test_a_file_becomes_a_folder_of_its_name_and_a_file_again(self, project):
        text = project.read("alone.py")
        project.git("rm", "-q", "alone.py")
        project.write({"alone.py/inner.py": text}).add()
        said = project.check_committed(project.try_commit())
        assert written_in(said) == []
        project.git("rm", "-q", "-r", "alone.py")
        project.write({"alone.py": text}).add()
        assert written_in(project.check_committed(project.try_commit())) == []

    def test_a_submodule_becomes_a_folder_and_a_submodule_again(self, project, tmp_path):
        inner = Committing(tmp_path / "i", "\n-- inner.py --\ndef inner(): pass\n", "", tmp_path)
        inner.add().commit("inner")
        project.git("submodule", "add", "-q", inner.path.as_uri(), "sub")
        project.check_committed(project.try_commit())
        project.git("rm", "-q", "sub")
        shutil.rmtree(project.path / ".git/modules/sub")
        project.write({"sub/inner.py": "def inner(): pass\n"}).add()
        said = project.check_committed(project.try_commit())
        assert written_in(said) == ["sub/inner.py"]
        project.git("rm", "-q", "-r", "sub")
        project.git("submodule", "add", "-q", inner.path.as_uri(), "sub")
        project.check_committed(project.try_commit())
        assert not (project.path / DOCS / "sub").exists()

    def test_documents_that_were_deleted_by_hand_come_back(self, project):
        project.delete_folder(f"{DOCS}/alone.py")
        project.replace("shapes.py", "w * h", "h * w")
        said = project.check_committed(project.try_commit("-a"))
        assert written_in(said) == ["alone.py", "shapes.py", "report.py", "table.py"]

    @pytest.mark.parametrize("what", ["signing", "commit-msg"])
    def test_a_commit_that_fails_after_our_hook_can_be_made_again(self, project, what):
        if what == "signing":
            project.config(commit__gpgSign="true", gpg__program="/bin/false")
        else:
            project.hook("commit-msg", "#!/bin/sh\nexit 1\n")
        assert change(project).try_commit().code
        project.config(commit__gpgSign="false")
        (project.path / ".git/hooks/commit-msg").unlink(missing_ok=True)
        said = project.check_committed(project.try_commit())
        assert written_in(said) == []

    def test_an_amend_of_paths_alone(self, project):
        project.replace("alone.py", "return 1", "return 2")
        project.replace("shapes.py", "w * h", "h * w").add("shapes.py")
        amend = ("commit", "-q", "--amend", "--no-edit", "--", "alone.py")
        said = project.attempt(*amend)
        assert said.code == 1 and written_in(said) == ["alone.py"]
        said = project.attempt(*amend, *documents_of("alone.py"))
        project.check_committed(said, clean=False)
        assert project.staged() == ["shapes.py"]


class TestMerges:
    def test_an_octopus(self, project):
        for name in ("one", "two", "three"):
            project.git("checkout", "-q", "-b", name, "main")
            project.write({f"{name}.py": "from shapes import area\nprint(area(1, 2))\n"}).add()
            project.check_committed(project.try_commit())
        project.git("checkout", "-q", "main")
        project.replace("shapes.py", "w * h", "h * w").add()
        project.check_committed(project.try_commit())
        said = project.attempt("merge", "-q", "--no-edit", "one", "two", "three")
        assert said.code == 0 and written_in(said) == ["one.py", "three.py", "two.py"]
        project.run_line(said)
        project.check_committed(project.try_commit())

    def test_a_merge_that_waits_for_its_commit(self, project):
        user = {"side.py": "from shapes import area\nprint(area(5, 6))\n"}
        fork(project, body("h * w"), lambda one: one.write(user))
        assert project.attempt("merge", "--no-commit", "--no-ff", "side").code == 0
        said = project.check_committed(project.attempt("merge", "--continue"))
        assert written_in(said) == ["side.py"]
        assert len(project.git("log", "-1", "--format=%P").split()) == 2

    def test_a_pick_without_a_commit_and_a_revert_of_a_merge(self, project):
        fork(project, body("h * w"), alone("2"))
        project.git("checkout", "-q", "side")
        project.replace("alone.py", "return 2", "return 3").add().commit("hasty", "--no-verify")
        project.git("checkout", "-q", "main")
        project.git("merge", "-q", "--no-edit", "side^")
        project.check_committed(project.attempt("revert", "-m", "1", "--no-edit", "HEAD"))
        project.git("reset", "-q", "--hard", "HEAD^")
        assert project.attempt("cherry-pick", "-n", "side").code == 0
        said = project.check_committed(project.try_commit())
        assert written_in(said) == ["alone.py"]

    def test_another_project_in_a_folder_by_a_subtree(self, project, tmp_path, scripts):
        other = Committing(tmp_path / "o", "\n-- lib.py --\ndef lib(): pass\n", "", scripts)
        other.tool("refresh")
        other.add().commit("lib")
        project.git("fetch", "-q", other.path.as_uri(), "main")
        options = ("-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories")
        project.git("merge", *options, "FETCH_HEAD")
        project.git("read-tree", "--prefix=vendor/", "-u", "FETCH_HEAD")
        said = project.check_committed(project.attempt("commit", "-q", "--no-edit"))
        assert written_in(said) == ["vendor/lib.py"]

    def test_where_git_keeps_the_lines_of_both_sides(self, project):
        """Without our merge driver `merge=union` leaves a header below the header."""
        project.write({".gitattributes": "* merge=union\n"}).add()
        project.check_committed(project.try_commit())
        fork(project, body("w * h * 1"), body("w * h * 2"))
        said = project.attempt("merge", "-q", "--no-edit", "side")
        assert said.code == 0
        assert project.doc("shapes.py").count("<!-- codetwine:") == 1
        assert project.tool("status", "--json").json["edited"] == []
        project.run_line(said)
        project.check_committed(project.try_commit())


class TestIgnored:
    RULES = "docs/\nlib/\n*.md\n*.twine\n"

    @pytest.fixture
    def ignoring(self, bare_project) -> Committing:
        bare_project.write({".gitignore": self.RULES, "lib/x.py": "def x(): pass\n"})
        bare_project.add().git("add", "-f", "lib/x.py")
        bare_project.tool("install")
        return bare_project

    def test_init_makes_an_exception(self, ignoring):
        ignoring.tool("init")
        ignoring.add()
        ignoring.check_committed(ignoring.try_commit())
        assert set(documents_of("lib/x.py")) < set(ignoring.committed())

    def test_it_is_told_with_the_rule_and_the_way_out(self, ignoring):
        said = ignoring.try_commit()
        assert said.code == 1
        assert "doc.md is ignored by git (.gitignore:1: docs/)" in said.err
        assert "(.gitignore:1: docs/)" in ignoring.tool("refresh").out
        ignoring.tool("init")
        ignoring.add(".codetwine/.gitignore", ".gitattributes")
        ignoring.check_committed(ignoring.try_commit())

    def test_a_rule_that_nothing_of_ours_can_undo(self, ignoring):
        ignoring.write({".gitignore": ".*\n"}).git("rm", "-rq", "--cached", ".codetwine")
        assert ".codetwine/config.yaml is ignored by git (.gitignore:1: .*)" in (
            ignoring.tool("init").out
        )


class TestSurroundings:
    def test_a_bare_repository_with_work_trees(self, project, tmp_path):
        project.clone(tmp_path / "bare", "--bare")
        project.git("-C", tmp_path / "bare", "worktree", "add", "-q", tmp_path / "w", "main")
        linked = project.at(tmp_path / "w")
        assert linked.tool("install").code == 0
        linked.check_committed(change(linked).try_commit())

    def test_a_work_tree_elsewhere(self, project, tmp_path):
        project.path.joinpath("alone.py").rename(tmp_path / "alone.py")
        shutil.copytree(project.path, tmp_path / "w", ignore=shutil.ignore_patterns(".git"))
        (tmp_path / "w/alone.py").write_text("def alone():\n    return 7\n")
        options = (f"--git-dir={project.path}/.git", f"--work-tree={tmp_path}/w")
        said = project.attempt(*options, "commit", "-q", "-am", "x", cwd=tmp_path)
        project.check_committed(said, clean=False)
        assert set(documents_of("alone.py")) < set(project.committed())

    def test_the_folder_is_gone(self, project):
        script = 'mkdir gone; cd gone; rmdir ../gone; "$@"'
        program = (sys.executable, "-P", "-m", "twine_hooks", "hook", "pre-commit")
        done = project.run("sh", "-c", script, "sh", *program, check=False, environ=as_user())
        assert done.returncode == 1
        assert b"the folder that you are in is gone" in done.stderr

    def test_a_client_that_gives_no_output(self, project):
        change(project)
        done = project.run("sh", "-c", "codetwine hook pre-commit >&- 2>&- <&-", check=False)
        assert done.returncode == 0
        assert project.staged() == sorted(["alone.py", *documents_of("alone.py")])

    def test_a_path_through_a_link(self, project, tmp_path):
        (tmp_path / "link").symlink_to(project.path)
        change(project)
        said = project.tool("why", str(tmp_path / "link/alone.py"))
        assert said.out.startswith("alone.py is stale\n  its source changed"), said

    def test_a_locale_without_such_names(self, project):
        project.write({"naïve.py": "def f(): pass\n"})
        ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        said = project.program("refresh", environ=ascii_only)
        assert said.code == 1 and "set PYTHONUTF8=1" in said.err, said
        assert said.err.count("bug") == 0

    def test_a_file_that_git_cannot_add_is_named(self, project):
        project.config(filter__bad__clean="false", filter__bad__required="true")
        project.write({".gitattributes": "alone.py filter=bad\n"})
        project.replace("alone.py", "return 1", "return 22")
        for command in ("refresh", "verify"):
            said = project.tool(command)
            assert said.code == 0 and "alone.py: git can't add it" in said.err, said
