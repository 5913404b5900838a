"""`replay`: what each commit of a history would have cost, without a document in the repository."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.git.states import inside_git
from tests.projects import Project, as_user, codetwine
from tests.replay.histories import FILES, STEPS, told
from twine_hooks.config import POLICIES


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """Never initialised: not even settings."""
    made = Project(tmp_path_factory.mktemp("replay") / "p")
    made.delete(".codetwine/config.yaml")
    return told(made)


def played(project: Project, *args: str) -> dict:
    said = project.tool("replay", "--json", *args)
    assert said.code == 0, said.err
    return said.json


def calls(bills: dict) -> str:
    return "".join(str(bills[policy]["calls"]) for policy in POLICIES)


@pytest.fixture(scope="module")
def result(project) -> dict:
    return played(project)


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[one.subject for one in STEPS])
def test_the_calls_of_each_commit_under_each_policy(result, number):
    commit = result["commits"][number]
    assert (commit["subject"], calls(commit["policies"])) == (
        STEPS[number].subject,
        STEPS[number].calls,
    )


def test_totals_are_sums_and_the_set_up_is_none_of_them(result):
    assert calls(result["set_up"]["policies"]) == "55555"
    for policy in POLICIES:
        bills = [one["policies"][policy] for one in result["commits"]]
        total = result["total"]["policies"][policy]
        for name in ("documents", "calls", "prompt_tokens", "answer_tokens", "doc_lines"):
            assert total[name] == sum(one[name] for one in bills)
        assert sum(one["written"] for one in bills) >= total["calls"]


def test_no_more_calls_than_what_changed_asks_for(result):
    for policy in ("interface", "used", "none"):
        total = result["total"]["policies"][policy]
        assert total["calls_per_least"] <= 1.1, policy
        assert total["least_calls"] > 10


def test_who_is_asked_about_is_named(result):
    commit = next(one for one in result["commits"] if one["subject"] == "body")
    assert commit["policies"]["used"]["asked"] == ["shapes.py", "report.py", "table.py"]
    assert commit["policies"]["interface"]["asked"] == ["shapes.py"]
    assert (commit["sources"], commit["source_lines"]) == (1, 2)


def test_documents_are_told_by_what_happens_to_them(result):
    bills = {one["subject"]: one["policies"]["used"] for one in result["commits"]}
    names = ("documents", "written", "rendered", "moved", "removed")
    assert [bills["renamed"][name] for name in names] == [1, 0, 0, 1, 0]
    assert [bills["reverted"][name] for name in names] == [1, 1, 0, 0, 0]
    assert [bills["removed"][name] for name in names] == [1, 0, 0, 0, 1]
    assert [bills["layout"][name] for name in names] == [0, 0, 0, 0, 0]
    assert bills["layout"]["doc_lines"] == bills["layout"]["prompt_tokens"] == 0


def as_after(project: Project, clone: Project, commit: str, policy: str) -> Project:
    """The clone with the sources of a commit, and with the documents that it has already."""
    clone.git("checkout", "-q", "-f", commit)
    return clone.write({".codetwine/config.yaml": f"dependents: {policy}\n"})


def commits_of(project: Project) -> list[str]:
    return project.git("rev-list", "--first-parent", "--reverse", "HEAD").split()


@pytest.mark.parametrize("policy", ["used", "none"])
def test_lines_are_those_that_git_counts_of_outlines(project, result, tmp_path, policy):
    project.clone(tmp_path / "clone")
    clone = Project(tmp_path / "clone", init=False)
    bills = [one["policies"][policy] for one in (result["set_up"], *result["commits"])]
    before = clone.git("hash-object", "-t", "tree", "-w", "/dev/null").strip()
    for commit, bill in zip(commits_of(project), bills, strict=True):
        as_after(project, clone, commit, policy).tool("refresh")
        tree = clone.add().git("write-tree").strip()
        clone.git("reset", "-q")
        counted = clone.git("diff", "-M", "--numstat", before, tree, "--", "*/doc.md")
        lines = [int(n) for row in counted.splitlines() for n in row.split("\t")[:2]]
        assert bill["doc_lines"] == sum(lines), counted
        before = tree


def test_nothing_is_written_but_the_cache(project):
    before = inside_git(project), project.documents(), project.status
    played(project)
    after = inside_git(project), project.documents(), project.status
    assert {p for p in after[0].keys() ^ before[0].keys() if "/.git/codetwine/" not in p} == set()
    assert {p for p in before[0] if before[0][p] != after[0].get(p) and "codetwine/" not in p} == (
        set()
    )
    assert before[1:] == after[1:] == ({}, "")


def test_a_bare_clone_tells_the_same(project, result, tmp_path):
    bare = project.clone(tmp_path / "bare", "--bare")
    assert codetwine(bare.path, "replay", "--json").json == result


def test_the_cache_and_the_order_of_sets_make_no_difference(project, result, tmp_path):
    for seed in ("1", "2"):
        project.clone(tmp_path / seed)
        clone = Project(tmp_path / seed, init=False)
        clone.delete(".codetwine/config.yaml")
        for _ in range(2):
            said = clone.program("replay", "--json", environ={"PYTHONHASHSEED": seed})
            assert said.code == 0, said.err
            assert project.tool("replay", "--json").out == said.out


def test_a_part_of_a_history_begins_with_all_documents(project, result):
    found = played(project, "HEAD~20..HEAD~18")
    assert [one["subject"] for one in found["commits"]] == ["body", "interface"]
    assert [calls(one["policies"]) for one in found["commits"]] == ["13341", "33341"]
    assert found["commits"] == result["commits"][1:3]
    assert found["set_up"]["sources"] == 5
    last = played(project, "-n", "2")
    assert [one["subject"] for one in last["commits"]] == [one.subject for one in STEPS[-2:]]


def test_a_merge_is_one_step(tmp_path):
    made = Project(tmp_path / "p", FILES).add().commit("first")
    made.git("checkout", "-q", "-b", "side")
    for number in ("3", "4"):
        text = made.read("shapes.py").rpartition("return")[0]
        made.write({"shapes.py": f"{text}return {number}\n"}).add().commit(f"on the side {number}")
    made.git("checkout", "-q", "main")
    made.replace("alone.py", "return 1", "return 2").add().commit("meanwhile")
    made.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    found = played(made)
    assert [one["subject"] for one in found["commits"]] == ["meanwhile", "merged"]
    assert found["commits"][1]["policies"]["used"]["asked"] == ["shapes.py"]


def test_settings_are_those_of_the_work_tree(project, tmp_path):
    project.clone(tmp_path / "clone")
    config = "exclude: [report.py]\ndependents: direct\ncutoff: bytes\n"
    clone = Project(tmp_path / "clone", init=False, config=config)
    found = played(clone)
    assert (found["set_up"]["sources"], found["policy"]) == (4, "direct")
    assert found["commits"][0]["policies"]["none"]["calls"] == 1, "every byte counts"
    clone.write({".codetwine/config.yaml": "dependents: nonsense\n"})
    said = clone.tool("replay")
    assert (said.code, ".codetwine/config.yaml:1" in said.err) == (1, True)


def test_commits_that_touch_documents_alone_cost_nothing(tmp_path):
    made = Project(tmp_path / "p", FILES).add().commit("first")
    made.tool("refresh")
    made.add().commit("documents")
    [commit] = played(made)["commits"]
    assert (commit["sources"], calls(commit["policies"])) == (0, "00000")


def test_the_table(project):
    said = project.tool("replay", "-n", "5", "--policy", "direct")
    lines = said.out.splitlines()
    assert lines[0] == "policy direct; no model named: 4 characters a token"
    assert lines[2].split()[:4] == ["commit", "subject", "sources", "documents"]
    assert lines[3].split()[1:5] == ["(set-up)", "7", "7", "7"]
    assert "below" in said.out and " 5 " in next(one for one in lines if "below" in one)
    assert "price" not in said.out
    assert [line.split()[0] for line in lines[-5:]] == list(POLICIES)
    assert not any("  " in line[-2:] or len(line) > 100 for line in lines)


def test_subjects_are_cut_and_cannot_write_to_the_terminal(tmp_path):
    made = Project(tmp_path / "p", FILES).add().commit("first")
    made.replace("alone.py", "return 1", "return 2").add().commit("\x1b[31m" + "long " * 50)
    out = made.tool("replay").out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 100
    assert "?[31mlong" in out and "…" in out


def test_what_cannot_be_played_is_said(project, tmp_path):
    cases = {
        "nowhere": "names no commit",
        "HEAD...HEAD~1": "`A..B`",
        "nowhere..HEAD": "names no commit",
    }
    for range_, text in cases.items():
        said = project.tool("replay", range_)
        assert (said.code, text in said.err, said.out) == (1, True, ""), said
    empty = Project(tmp_path / "empty")
    assert "names no commit" in empty.tool("replay").err
    empty.write({"README.md": "x"}).add().commit()
    said = empty.tool("replay")
    assert (said.code, "no source" in said.err) == (1, True)
    assert codetwine(tmp_path, "replay").code == 1


def test_a_shallow_clone_says_how_far_it_reaches(project, tmp_path):
    clone = project.clone(tmp_path / "clone", "--depth=3")
    said = codetwine(clone.path, "replay", "--json")
    base = clone.git("rev-list", "HEAD").split()[-1]
    assert f"begins at {base[:10]}" in said.err
    assert (said.json["shallow"], len(said.json["commits"]), said.json["from"]) == (True, 2, base)


def test_no_model_s_library_and_no_network_is_needed(project):
    program = (
        "import socket, sys\nsocket.socket = None\nfrom twine_hooks.cli import main\n"
        "code = main(['replay', '-n', '3'])\n"
        "assert not {'litellm', 'openai', 'httpx'} & set(sys.modules)\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.path,
        env=project.environ | as_user(),
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
