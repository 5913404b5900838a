"""After a merge, rebase or checkout: told or written into the work tree, and never in the way."""

from __future__ import annotations

import pytest

from tests.hooks.committing import Committing, folders_of, written_in
from tests.projects import DOCS


@pytest.fixture
def project(project) -> Committing:
    types = ("pre-commit", "post-merge", "post-rewrite", "post-checkout")
    assert project.tool("install", *(f"--hook-type={one}" for one in types)).code == 0
    return project


def _diverge(project: Committing) -> None:
    """A side branch adds a user of `area`, main changes `area`: a clean merge, stale together."""
    project.git("checkout", "-q", "-b", "side")
    project.files("\n-- side.py --\nfrom shapes import area\nprint(area(5, 6))\n").add()
    project.check_committed(project.try_commit())
    project.git("checkout", "-q", "main")
    project.replace("shapes.py", "w * h", "h * w").add()
    project.check_committed(project.try_commit())


def test_a_clean_merge_is_refreshed_in_the_work_tree_and_not_staged(project):
    _diverge(project)
    said = project.attempt("merge", "-q", "--no-edit", "side")
    assert said.code == 0
    assert written_in(said) == ["side.py"]
    assert project.status == " M .codetwine/docs/side.py/doc.md\n"
    assert project.run_line(said) == folders_of("side.py")
    project.check_committed(project.try_commit())


def test_a_merge_that_makes_nothing_stale_says_nothing(project):
    project.git("checkout", "-q", "-b", "side")
    project.replace("alone.py", "1", "2").add()
    project.check_committed(project.try_commit())
    project.git("checkout", "-q", "main")
    project.replace("shapes.py", "w * h", "h * w").add()
    project.check_committed(project.try_commit())
    before = project.stamps()
    said = project.check_committed(project.attempt("merge", "-q", "--no-edit", "side"))
    assert "codetwine" not in said.err
    unchanged = {path: stamp for path, stamp in before.items() if "alone.py" not in path}
    assert unchanged.items() <= project.stamps().items()


def test_in_report_mode_a_merge_only_tells(project):
    project.write({".codetwine/config.yaml": "hook: {post_merge: report}\n"}).add().commit()
    _diverge(project)
    before = project.stamps()
    said = project.attempt("merge", "-q", "--no-edit", "side")
    assert said.code == 0
    assert written_in(said) == ["side.py"]
    assert "codetwine refresh" in said.err
    assert project.status == ""
    assert before.items() <= project.stamps().items()


def test_a_merge_never_writes_over_an_edit_of_a_person(project):
    _diverge(project)
    project.git("checkout", "-q", "side")
    project.edit_doc("alone.py", "Defines", "By hand: defines")
    project.replace("alone.py", "return 1", "return 5").git("commit", "-qnm", "x", "--", "alone.py")
    said = project.attempt("merge", "-q", "--no-edit", "main")
    assert said.code == 0
    assert "By hand: defines" in project.doc("alone.py")
    assert "alone.py" in said.err and "edits of yours" in said.err


def test_a_rebase_tells_and_writes_nothing(project):
    _diverge(project)
    project.git("checkout", "-q", "side")
    said = project.attempt("rebase", "-q", "main")
    assert said.code == 0
    assert "side.py: what it uses changed (shapes.py)" in said.err
    assert project.status == ""


def test_a_checkout_tells_and_its_exit_code_is_its_own(project):
    project.git("checkout", "-q", "-b", "side")
    project.replace("alone.py", "1", "2").add().commit("hasty", "--no-verify")
    project.git("checkout", "-q", "main")
    said = project.attempt("checkout", "-q", "side")
    assert said.code == 0
    assert "alone.py: its source changed" in said.err
    assert project.status == ""
    quiet = project.attempt("checkout", "-q", "side", "--", "alone.py")
    assert (quiet.code, quiet.err) == (0, "")


def test_pull_and_checkout_end_as_without_us_even_where_we_cannot_work(project, tmp_path):
    project.clone(tmp_path / "clone")
    copy = project.at(tmp_path / "clone")
    types = ("post-merge", "post-rewrite", "post-checkout")
    assert copy.tool("install", *(f"--hook-type={one}" for one in types)).code == 0
    project.write({".codetwine/config.yaml": "dependents: nonsense\n"}).add()
    project.commit("broken settings", "--no-verify")
    said = copy.attempt("pull", "-q")
    assert said.code == 0
    assert ".codetwine/config.yaml:1" in said.err
    assert copy.attempt("checkout", "-q", "-b", "other").code == 0
    assert copy.attempt("checkout", "-q", "HEAD~1").code == 0


def test_a_fast_forward_pull_of_a_fresh_tree_touches_nothing(project, tmp_path):
    project.clone(tmp_path / "clone")
    copy = project.at(tmp_path / "clone")
    copy.tool("install")
    project.replace("alone.py", "1", "2").add()
    project.check_committed(project.try_commit())
    said = copy.check_committed(copy.attempt("pull", "-q"))
    assert "codetwine" not in said.err


def test_reverts_and_cherry_picks_are_judged_by_verify(project):
    project.replace("shapes.py", "w * h", "h * w").add().commit("hasty", "--no-verify")
    project.tool("refresh")
    project.add()
    project.check_committed(project.try_commit())
    project.git("revert", "--no-edit", "HEAD~1")
    said = project.tool("verify", "--rev", "HEAD", "--json")
    assert said.code == 1
    stale = [one["path"] for one in said.json["tasks"]]
    assert stale == ["shapes.py", "report.py", "table.py"]


def test_a_squash_merge_is_documented_before_it_is_committed(project):
    _diverge(project)
    said = project.attempt("merge", "-q", "--squash", "side")
    assert said.code == 0 and written_in(said) == ["side.py"]
    assert project.run_line(said) == folders_of("side.py")
    project.check_committed(project.try_commit())
    assert {"side.py", f"{DOCS}/side.py/doc.md"} <= set(project.committed())


@pytest.mark.parametrize("way", ["documented", "hasty"])
def test_patches_from_mail_are_judged_by_verify(project, way):
    project.git("checkout", "-q", "-b", "side")
    project.replace("shapes.py", "w * h", "h * w").add()
    project.try_commit(*(["--no-verify"] if way == "hasty" else []))
    patch = project.git("format-patch", "-1", "--stdout").encode()
    project.git("checkout", "-q", "main")
    assert project.attempt("am", "-q", input=patch).code == 0
    said = project.tool("verify", "--rev", "HEAD", "--json")
    stale = [one["path"] for one in said.json["tasks"]]
    assert stale == (["shapes.py", "report.py", "table.py"] if way == "hasty" else [])
    assert project.status == ""
