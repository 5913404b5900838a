"""Every kind of repository: the verdict is the same, and nothing is read that is not committed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.hooks.committing import Committing, documents_of, written_in
from tests.projects import DOCS, SHAPES, Project, codetwine
from tests.scenarios.branches import alone, body, fork

GIT = tuple(
    map(int, re.findall(r"\d+", subprocess.check_output(["git", "--version"]).decode())[:2])
)


@pytest.fixture(params=["sha1", "sha256", "reftable"])
def kind(request, tmp_path, scripts) -> Committing:
    """A documented project in a repository of each format."""
    if request.param == "reftable" and GIT < (2, 45):
        pytest.skip(f"reftable needs git 2.45, this is {GIT[0]}.{GIT[1]}; ran with 2.55")
    option = "--ref-format" if request.param == "reftable" else "--object-format"
    args = (f"{option}={request.param}",)
    project = Committing(tmp_path / "k", SHAPES, "", scripts, args=args)
    project.tool("refresh")
    project.add().commit("first")
    return project


def test_formats(kind):
    kind.tool("install")
    kind.check_fresh()
    said = kind.replace("shapes.py", "w * h", "h * w").add().try_commit()
    assert written_in(kind.check_committed(said)) == ["shapes.py", "report.py", "table.py"]


@pytest.mark.parametrize("layout", ["split", "v4", "sparse", "sparse-index"])
def test_layouts_of_the_index(project, layout):
    project.files("\n-- lib/far.py --\nfrom shapes import area\narea(1, 2)\n")
    project.tool("refresh")
    project.add().commit("more")
    project.tool("install")
    if layout == "split":
        project.git("update-index", "--split-index")
    elif layout == "v4":
        project.git("update-index", "--index-version", "4")
    else:
        extra = ("--sparse-index",) if layout == "sparse-index" else ()
        project.git("sparse-checkout", "set", "--cone", *extra, ".codetwine")
        assert not (project.path / "lib").exists()
    assert project.tool("verify", "--staged").code == 0
    assert project.tool("verify").code == 0
    said = project.replace("shapes.py", "w * h", "h * w").git("add", "shapes.py")
    said = project.try_commit()
    # The file that is not on the disk is not deleted, and its document follows.
    order = ["shapes.py", "lib/far.py", "report.py", "table.py"]
    assert written_in(project.check_committed(said)) == order


def test_a_clone_of_depth_1_at_the_merge_of_a_pull_request(project, tmp_path):
    fork(project, body("h * w"), alone("2"))
    project.git("merge", "-q", "--no-edit", "side")
    project.git("update-ref", "refs/pull/7/merge", "HEAD")
    project.git("reset", "-q", "--hard", "HEAD^")
    clone = Project(tmp_path / "ci", "", init=False)
    clone.delete(".codetwine/config.yaml").git("init", "-q")
    clone.git("fetch", "-q", "--depth", "1", project.path.as_uri(), "refs/pull/7/merge")
    clone.git("checkout", "-q", "--detach", "FETCH_HEAD")
    assert clone.tool("verify", "--rev", "HEAD").code == 0
    assert clone.tool("verify", "--staged").code == 0


@pytest.mark.parametrize("args", [("--filter=blob:none",), ("--bare",), ("--depth=1",)])
def test_partial_bare_and_shallow_clones(project, tmp_path, args):
    project.config(uploadpack__allowFilter="true")
    project.clone(tmp_path / "clone", *args)
    assert codetwine(tmp_path / "clone", "verify", "--rev", "HEAD").code == 0
    project.replace("alone.py", "return 1", "return 2").add().commit("hasty", "--no-verify")
    project.clone(tmp_path / "stale", *args)
    said = codetwine(tmp_path / "stale", "verify", "--rev", "HEAD")
    assert said.code == 1 and "alone.py: its source changed" in said.out


ATTRIBUTES = {
    "autocrlf": ({"core__autocrlf": "true"}, ""),
    "eol": ({"core__eol": "crlf"}, "* text=auto\n"),
    "encoding": ({}, "alone.py text working-tree-encoding=UTF-16\n"),
    "filter": ({"filter__up__clean": "tr A-Z a-z", "filter__up__smudge": "cat"}, "*.py filter=up"),
}


@pytest.mark.parametrize("how", ATTRIBUTES)
def test_line_ends_encodings_and_filters_give_the_same_digests(project, tmp_path, how):
    settings, attributes = ATTRIBUTES[how]
    if attributes:
        project.config(**settings).write({".gitattributes": attributes})
        if how == "encoding":
            project.write({"alone.py": project.read("alone.py").encode("utf-16")})
        project.git("add", "--renormalize", ".")
        project.tool("refresh")
        project.add().git("commit", "-q", "--allow-empty", "-m", "x")
    root = project.tool("verify", "--rev", "HEAD", "--root").out.split()[0]
    project.git("clone", "-q", "--no-checkout", project.path, tmp_path / "other")
    other = Project(tmp_path / "other", "", init=False, home=Path(project.environ["HOME"]))
    other.delete(".codetwine/config.yaml").config(**settings)
    other.git("checkout", "-q", "main")
    said = other.tool("verify", "--root")
    assert said.code == 0, said.out
    assert said.out.split()[0] == root
    for file in other.path.glob("*.py"):
        file.touch()
    other.check_fresh()
    if how == "autocrlf":
        assert b"\r\n" in (other.path / "alone.py").read_bytes()


def test_what_git_does_not_know_is_no_dependency(project):
    """22: a staged file imports a module that lies in the work tree only."""
    project.tool("install")
    project.files("\n-- unknown.py --\ndef unknown(): return 1\n")
    project.files("\n-- user.py --\nfrom unknown import unknown\nunknown()\n").add("user.py")
    project.check_committed(project.try_commit(), clean=False)
    assert "unknown.py" not in project.doc("user.py").replace("`unknown`", "")
    assert not (project.path / DOCS / "unknown.py").exists()
    assert project.status == "?? unknown.py\n"


def test_a_submodule_has_documents_of_its_own(project, tmp_path, scripts):
    """18: from outside its files are not looked at; inside its own store is used."""
    inner = Committing(tmp_path / "inner", "\n-- inner.py --\ndef inner(): return 1\n", "", scripts)
    inner.tool("refresh")
    inner.add().commit("inner")
    project.tool("install")
    project.git("submodule", "add", "-q", inner.path.as_uri(), "sub")
    project.check_committed(project.try_commit())
    assert not (project.path / DOCS / "sub").exists()
    sub = project.at(project.path / "sub")
    sub.tool("install")
    sub.replace("inner.py", "return 1", "return 2").add()
    sub.check_committed(sub.try_commit())
    assert sub.committed() == sorted(["inner.py", *documents_of("inner.py")])
    # From the hook of the superproject, whose variables must not leak into the submodule.
    project.add("sub")
    project.check_committed(project.try_commit())
    assert project.committed() == ["sub"]


def test_a_relative_index_file_from_a_folder_below(project):
    """Git takes it relative to the top, wherever it is called from."""
    project.tool("install")
    (project.path / "deep").mkdir()
    project.replace("alone.py", "return 1", "return 2").add()
    index = {"GIT_INDEX_FILE": ".git/index"}
    project.check_committed(project.try_commit(cwd=project.path / "deep", environ=index))
    assert project.committed() == sorted(["alone.py", *documents_of("alone.py")])


@pytest.mark.skipif(
    GIT < (2, 54), reason=f"needs git 2.54, this is {GIT[0]}.{GIT[1]}; ran with 2.55"
)
def test_hooks_in_the_settings_of_git(project):
    for hook_type in ("pre-commit", "post-merge"):
        project.git("config", f"hook.twine-{hook_type}.command", f"codetwine hook {hook_type}")
        project.git("config", f"hook.twine-{hook_type}.event", hook_type)
    assert "pre-commit, post-merge: by the settings of git" in project.tool("doctor").out
    said = project.replace("alone.py", "return 1", "return 2").try_commit("-a")
    assert written_in(project.check_committed(said)) == ["alone.py"]
    user = {"side.py": "from shapes import area\nprint(area(5, 6))\n"}
    fork(project, body("h * w"), lambda one: one.write(user))
    said = project.attempt("merge", "-q", "--no-edit", "side")
    assert said.code == 0 and written_in(said) == ["side.py"]
