"""After a merge: the verdict is true, one refresh is enough, and nobody pays for what is written."""

from __future__ import annotations

import random

import pytest

from tests.hooks.committing import Committing, written_in
from tests.projects import DOCS, Project
from tests.scenarios.branches import alone, body, fork, refresh_and_commit, resolve_source

NUMBER = 14


def _module(number: int, value: int = 0, more: str = "") -> str:
    used = sorted({number // 2, number // 3} - {number})
    imports = "".join(f"from m{one} import f{one}\n" for one in used)
    calls = " + ".join(f"f{one}(x)" for one in used) or "x"
    return f"{imports}\n\ndef f{number}(x{more}):\n    return {calls} + {value}\n"


@pytest.fixture
def modules(tmp_path) -> Project:
    """Modules that use each other, all documented and committed."""
    project = Project(tmp_path / "p")
    project.write({f"m{n}.py": _module(n) for n in range(NUMBER)})
    assert project.tool("refresh").code == 0
    project.add().commit("first")
    return project


def _change(project: Project, random_: random.Random, numbers: list[int]) -> None:
    for number in numbers:
        more = ", more=0" if random_.random() < 0.25 else ""
        project.write({f"m{number}.py": _module(number, random_.randint(1, 9999), more)})
    assert project.tool("refresh").code == 0
    project.add().commit(f"change {numbers}")


@pytest.mark.parametrize("seed", range(4))
def test_after_a_clean_merge_verify_is_true_and_one_refresh_is_enough(modules, seed):
    random_ = random.Random(seed)
    numbers = random_.sample(range(NUMBER), 4)
    for branch, mine in (("one", numbers[:2]), ("two", numbers[2:])):
        modules.git("checkout", "-q", "-B", branch, "main")
        _change(modules, random_, mine)
    roots = []
    for ours, theirs in (("one", "two"), ("two", "one")):
        modules.git("checkout", "-q", "-B", "merged", ours)
        clean = modules.run("git", "merge", "-q", "--no-edit", theirs, check=False).returncode == 0
        if not clean:
            conflicts = modules.git("diff", "--name-only", "--diff-filter=U").split()
            # No source is shared: what conflicts are documents of files that both sides reach.
            assert all(path.endswith("/doc.md") for path in conflicts)
            assert modules.tool("resolve").code == 0
            modules.git("commit", "-q", "--no-edit")
        stale = [one["path"] for one in modules.tool("verify", "--json").json["tasks"]]
        wrong = _wrong_ones(modules)
        assert set(wrong) <= set(stale), "a document is called fresh and is not"
        modules.check(" ".join(stale))
        roots.append(modules.tool("verify", "--root").out.splitlines()[0])
        modules.git("checkout", "-q", "--", ".")
    assert roots[0] == roots[1]


def _wrong_ones(project: Project) -> list[str]:
    """The sources whose documents are not what a clone without documents would write."""
    before = project.documents()
    project.delete_folder(DOCS)
    assert project.tool("refresh").code == 0
    right = project.documents()
    for path, data in before.items():
        (project.path / path).write_bytes(data)
    return [
        path.removeprefix(f"{DOCS}/").removesuffix("/doc.md")
        for path, data in right.items()
        if path.endswith("/doc.md") and data != before.get(path)
    ]


def test_sources_that_reach_nobody_in_common_merge_without_a_conflict(project):
    fork(project, alone("2"), body("h * w"))
    said = project.attempt("merge", "-q", "--no-edit", "side")
    project.check_committed(said)


@pytest.mark.parametrize("how", ["--ff-only", "--squash", "--no-ff"])
def test_a_merge_of_what_is_fresh_upstream_writes_nothing(project, how):
    project.tool("install")
    project.git("checkout", "-q", "-b", "side")
    alone("2")(project)
    project.tool("refresh")
    project.add().commit("side", "--no-verify")
    project.git("checkout", "-q", "main")
    said = project.attempt("merge", "-q", how, "side")
    assert said.code == 0 and "codetwine" not in said.err
    if how == "--squash":
        said = project.try_commit()
    project.check_committed(said)


def _stale_together(project: Committing) -> Committing:
    """A merge of both would be clean, and leave the new user of `area` stale."""
    return fork(
        project,
        body("h * w"),
        lambda one: one.files("\n-- side.py --\nfrom shapes import area\nprint(area(5, 6))\n"),
    )


def test_a_squash_merge_is_refreshed_in_the_work_tree_and_passes_at_the_commit(project):
    project.tool("install")
    _stale_together(project)
    said = project.attempt("merge", "-q", "--squash", "side")
    assert said.code == 0 and written_in(said) == ["side.py"]
    project.run_line(said)
    project.check_committed(project.try_commit())


def test_pull_with_rebase_tells_and_writes_nothing(project, tmp_path):
    _stale_together(project)
    project.clone(tmp_path / "clone")
    copy = project.at(tmp_path / "clone")
    copy.tool("install")
    copy.git("checkout", "-q", "side")
    said = copy.attempt("pull", "-q", "--rebase", "origin", "main")
    assert said.code == 0
    assert "side.py: what it uses changed (shapes.py)" in said.err
    assert copy.status == ""


def test_a_merge_that_conflicted_is_committed_through_the_hook(project):
    project.tool("install", "--hook-type", "pre-commit")
    fork(project, body("w * h * 1"), body("w * h * 2"))
    assert project.attempt("merge", "-q", "side").code == 1
    resolve_source(project)
    assert project.tool("resolve").code == 0
    # The hook itself writes what is stale and takes it along.
    project.check_committed(project.attempt("commit", "-q", "--no-edit"))


def test_a_merge_of_renames_on_both_sides(project):
    fork(
        project,
        lambda one: one.rename("alone.py", "lib/alone.py"),
        lambda one: (
            one.rename("shapes.py", "forms.py")
            .replace("report.py", "from shapes", "from forms")
            .replace("table.py", "from shapes", "from forms")
        ),
    )
    project.check_committed(project.attempt("merge", "-q", "--no-edit", "side"))


def test_one_side_renames_what_the_other_changes(project):
    fork(project, lambda one: one.rename("alone.py", "lonely.py"), alone("2"))
    said = project.attempt("merge", "-q", "--no-edit", "side")
    if said.code:
        project.tool("resolve")
        refresh_and_commit(project)
    else:
        project.tool("refresh")
        project.add()
        project.check_committed(project.try_commit("--allow-empty"))
    assert not (project.path / DOCS / "alone.py").exists()
