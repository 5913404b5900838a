"""Commits through the real pre-commit framework: it writes, it never stages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.environments import ROOT
from tests.hooks.committing import Committing, documents_of, folders_of, written_in

pytest.importorskip("pre_commit")

SETTINGS = """\
# Our hooks.
repos:
  - repo: local
    hooks:
      - {id: nothing, name: nothing, entry: "true", language: system, pass_filenames: false}
"""


def install(project: Committing, home: Path) -> Committing:
    """Set the framework up in a repository that has our hooks in its settings."""
    project.environ["PRE_COMMIT_HOME"] = str(home)
    project.environ["PATH"] += f":{Path(sys.executable).parent}"
    types = ("pre-commit", "post-merge")
    project.run(
        sys.executable, "-m", "pre_commit", "install", *(f"--hook-type={one}" for one in types)
    )
    return project


@pytest.fixture(scope="session")
def framework_home(tmp_path_factory):
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def project(project, framework_home) -> Committing:
    project.write({".pre-commit-config.yaml": SETTINGS})
    assert project.tool("init").code == 0
    project.add().commit("set up")
    return install(project, framework_home)


def test_a_new_source_is_stopped_told_and_passes_after_the_very_line(project):
    project.files("\n-- new.py --\nfrom alone import alone\n").add()
    head = project.head
    said = project.try_commit()
    assert (said.code, project.head) == (1, head)
    assert written_in(said) == ["new.py"]
    assert project.staged() == ["new.py"]
    stamps = project.stamps()
    # Once more without adding them: nothing is generated again.
    again = project.try_commit()
    assert again.code == 1
    assert project.stamps() == stamps
    assert project.run_line(again) == folders_of("new.py")
    project.check_committed(project.try_commit())
    assert project.stamps() == stamps
    assert project.committed() == sorted(["new.py", *documents_of("new.py")])


def test_nothing_stale_passes_and_touches_no_file(project):
    before = project.stamps()
    project.replace("shapes.py", "return 1", "return 1  # why").add()
    said = project.check_committed(project.try_commit())
    assert "Passed" in said.err
    assert project.stamps() == before


def test_a_changed_function_with_two_dependents(project):
    project.replace("shapes.py", "w * h", "h * w").add()
    said = project.try_commit()
    assert written_in(said) == ["shapes.py", "report.py", "table.py"]
    assert project.run_line(said) == sorted(folders_of("report.py", "shapes.py", "table.py"))
    project.check_committed(project.try_commit())


def test_a_deletion_only_commit(project):
    project.git("rm", "-q", "shapes.py")
    said = project.try_commit()
    assert said.code == 1
    assert written_in(said) == ["report.py", "table.py"]
    project.run_line(said)
    project.check_committed(project.try_commit())
    assert set(documents_of("shapes.py")) < set(project.committed())


def test_half_of_a_file_is_documented_as_it_is_staged(project):
    project.replace("shapes.py", "(w, h)", "(w, h, d)").replace("shapes.py", "spare()", "spare(x)")
    project.run("git", "add", "-p", "shapes.py", input=b"s\ny\nn\n")
    said = project.try_commit()
    assert said.code == 1
    text = project.doc("shapes.py")
    assert "`def area(w, h, d)`" in text and "`def spare()`" in text
    project.run_line(said)
    project.check_committed(project.try_commit(), clean=False)
    assert project.status == " M shapes.py\n"


def test_commit_all(project):
    project.replace("alone.py", "1", "2")
    said = project.try_commit("-a")
    assert said.code == 1
    project.run_line(said)
    project.check_committed(project.try_commit("-a"))


def test_amend_with_nothing_staged(project):
    project.check_committed(project.attempt("commit", "--amend", "-m", "other words"))
    project.replace("alone.py", "1", "2").add().commit("hasty", "--no-verify")
    said = project.attempt("commit", "--amend", "-m", "again")
    assert said.code == 1
    assert written_in(said) == ["alone.py"]
    project.run_line(said)
    project.check_committed(project.attempt("commit", "--amend", "-m", "again"))


def test_a_document_on_disk_that_git_does_not_know_is_not_enough(project):
    project.files("\n-- new.py --\ndef new(): pass\n")
    project.check("new.py")
    stamps = project.stamps()
    project.add("new.py")
    said = project.try_commit()
    assert said.code == 1
    assert project.stamps() == stamps
    assert project.run_line(said) == folders_of("new.py")
    project.check_committed(project.try_commit())


def test_an_edit_of_a_document_that_is_not_staged_survives(project):
    project.edit_doc("shapes.py", "Shapes.", "Shapes, by hand.")
    project.edit_doc("alone.py", "Defines", "By hand: defines")
    project.replace("shapes.py", "w * h", "h * w").add("shapes.py")
    said = project.try_commit()
    assert said.code == 1
    for source, text in (("shapes.py", "Shapes, by hand."), ("alone.py", "By hand: defines")):
        assert text in project.doc(source)
    project.run("git", "add", "-A")
    project.check_committed(project.try_commit())
    assert "Shapes, by hand." in project.doc("shapes.py")


def test_a_clean_merge_is_refreshed_in_the_work_tree(project):
    project.git("checkout", "-q", "-b", "side")
    project.files("\n-- side.py --\nfrom shapes import area\nprint(area(5, 6))\n").add()
    project.run_line(project.try_commit())
    project.check_committed(project.try_commit())
    project.git("checkout", "-q", "main")
    project.replace("shapes.py", "w * h", "h * w").add()
    project.run_line(project.try_commit())
    project.check_committed(project.try_commit())
    said = project.attempt("merge", "--no-edit", "side")
    assert said.code == 0, said
    assert project.status == " M .codetwine/docs/side.py/doc.md\n"
    project.add()
    project.check_committed(project.try_commit())


def test_run_all_files_says_what_verify_says(project):
    run = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert project.run(*run, check=False).returncode == 0
    project.replace("alone.py", "1", "2").add()
    assert project.run(*run, check=False).returncode == 1
    project.add()
    assert project.run(*run, check=False).returncode == 0
    assert project.tool("verify", "--staged").code == 0


@pytest.mark.slow
def test_hooks_in_an_environment_of_their_own(bare_project, framework_home, real_environ, tmp_path):
    """`language: python`, installed by the framework from a repository of ours, and `try-repo`."""
    ours = _our_repository(tmp_path / "ours")
    project = bare_project
    project.tool("refresh")
    hooks = ("codetwine-verify", "codetwine-refresh", "codetwine-post-merge")
    listed = "".join(f"      - id: {one}\n" for one in hooks)
    text = f"repos:\n  - repo: {ours.path}\n    rev: {ours.head}\n    hooks:\n{listed}"
    project.write({".pre-commit-config.yaml": text}).add().commit("first")
    # The machine's own settings for pip, and no way back to this checkout.
    project.environ |= {
        key: real_environ[key] for key in ("HOME", "PIP_CONFIG_FILE") if key in real_environ
    }
    for key in [one for one in real_environ if one.startswith(("PIP_", "UV_"))]:
        project.environ[key] = real_environ[key]
    project.environ.pop("PYTHONPATH")
    project.environ["PATH"] = project.environ["PATH"].split(":", 1)[1]
    install(project, framework_home)
    project.replace("shapes.py", "w * h", "h * w").add()
    said = project.try_commit()
    assert said.code == 1
    assert written_in(said) == ["shapes.py", "report.py", "table.py"]
    project.run_line(said)
    project.check_committed(project.try_commit())
    project.replace("alone.py", "1", "2").add()
    command = (sys.executable, "-m", "pre_commit", "try-repo", ours.path, "codetwine-verify")
    tried = project.run(*command, check=False)
    assert tried.returncode == 1
    assert b"alone.py: its source changed" in tried.stdout


def _our_repository(path: Path):
    """This checkout as a repository of one commit."""
    from tests.repos import Repo

    ours = Repo(path)
    listed = Repo(ROOT, home=path.parent / "home", init=False).git(
        "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    for name in filter(None, listed.split("\0")):
        source = ROOT / name
        if source.is_file() and not name.startswith(("tests/", "benchmarks/")):
            ours.write({name: source.read_bytes()})
    return ours.add().commit("ours")
