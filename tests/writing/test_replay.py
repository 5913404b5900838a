"""`replay` with a model: its figures are those of `plan`, and of the refreshes of a real history."""

from __future__ import annotations

import pytest

from tests.model_server import Request
from tests.projects import Project
from tests.replay.histories import STEPS, told
from twine_hooks.config import POLICIES


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    return told(Project(tmp_path_factory.mktemp("replay") / "p"))


def played(project: Project, *args: str) -> dict:
    said = project.tool("replay", "--json", *args)
    assert said.code == 0, said.err
    return said.json


@pytest.mark.parametrize("policy", POLICIES)
def test_each_refresh_of_a_history_takes_what_replay_says(project, server, tmp_path, policy):
    """With a model that never says the same twice: else a question may be one of before."""
    found = played(project)
    assert server.calls == 0
    bills = [one["policies"][policy] for one in (found["set_up"], *found["commits"])]
    server.mode = "rewrite"
    project.clone(tmp_path / "clone")
    clone = Project(tmp_path / "clone", init=False)
    commits = project.git("rev-list", "--reverse", "HEAD").split()
    subjects = ["first", *(one.subject for one in STEPS)]
    for subject, commit, bill in zip(subjects, commits, bills, strict=True):
        clone.git("checkout", "-q", "-f", commit)
        clone.write({".codetwine/config.yaml": f"dependents: {policy}\n"})
        before = server.calls  # no new history: its length makes each answer another one
        done = clone.tool("refresh", "--json").json
        assert (subject, bill["calls"]) == (subject, done["calls"])
        asked = sorted(_asked_about(server.history[before:]))
        assert len(asked) == done["calls"]
        assert asked == sorted(bill.get("asked", asked))
        names = ("written", "rendered", "moved")
        assert [bill[name] for name in names] == [len(done[name]) for name in names], subject


def _asked_about(history: list[Request]) -> list[str]:
    return [one.prompt.partition("\nFile: ")[2].partition("\n")[0] for one in history]


def test_to_begin_with_it_costs_what_plan_says(project, server):
    plan = project.tool("plan", "--json").json
    found = played(project, "HEAD..HEAD")
    bill = found["set_up"]["policies"]["used"]
    names = ("calls", "prompt_tokens", "answer_tokens", "price")
    assert [bill[name] for name in names] == [plan[name] for name in names]
    assert found["model"] == "openai/gpt-4o-mini"
    assert (found["commits"], bill["calls"]) == ([], 9)


def test_later_it_costs_about_what_plan_says(project, server, tmp_path):
    """What a model will have written is not known: a text of the usual length stands for it."""
    found = played(project, "-n", "4")
    bill = found["commits"][0]["policies"]["used"]
    project.clone(tmp_path / "clone")
    clone = Project(tmp_path / "clone", init=False)
    clone.git("checkout", "-q", "HEAD~4")
    clone.tool("refresh")
    clone.git("checkout", "-q", project.git("rev-parse", "HEAD~3").strip())
    plan = clone.tool("plan", "--json").json
    assert (bill["calls"], bill["answer_tokens"]) == (plan["calls"], plan["answer_tokens"])
    assert bill["prompt_tokens"] == pytest.approx(plan["prompt_tokens"] + 300 * 2, rel=0.2)


def test_the_price_is_that_of_the_model_named(project, server):
    small, large = (
        played(project, "-n", "4", "--model", f"openai/{one}") for one in ("gpt-4o-mini", "gpt-4o")
    )
    for policy in POLICIES:
        one, other = (found["total"]["policies"][policy] for found in (small, large))
        assert one["prompt_tokens"] == other["prompt_tokens"]
        assert 0 < one["price"] < other["price"]
    table = project.tool("replay", "-n", "4").out
    assert table.startswith("policy used; as openai/gpt-4o-mini counts\n")
    assert "  price  " in table and "  $0.00" in table
    unknown = played(project, "-n", "1", "--model", "openai/nobody-knows-it")
    assert unknown["total"]["policies"]["used"]["price"] is None
    assert played(project, "-n", "1", "--provider", "outline")["model"] is None


def test_a_source_that_fits_into_no_question_is_counted_apart(project, server, monkeypatch):
    monkeypatch.setenv("LLM_CONTEXT_TOKENS", "300")
    bill = played(project, "HEAD..HEAD")["set_up"]["policies"]["used"]
    assert bill["calls"] + bill["too_long"] == bill["written"] == 9
    assert bill["too_long"] > 0
