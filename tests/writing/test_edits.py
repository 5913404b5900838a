"""What a model, or the outline, makes of sections that people edited: keep, merge, overwrite."""

from __future__ import annotations

import pytest

from tests.projects import Project

FILES = '''
-- shop.py --
"""Prices."""


def price(item):
    """What one item costs."""
    return 1


def total(items):
    return sum(price(one) for one in items)
-- till.py --
from shop import total


def close(items):
    return total(items)
'''
MINE = (
    "The till asks `price` for each item, see the `ledgerd` runbook.\n\n"
    "Ask Ada before you change a number here, she knows the [contract](docs/contract.md).\n\n"
    "Every price is in cents, and nobody gets a discount on Sundays."
)
CONFIG = ".codetwine/config.yaml"


@pytest.fixture
def project(tmp_path, server) -> Project:
    """Written by a model, with a person's summary of shop.py, committed."""
    project = Project(tmp_path / "p", FILES)
    refreshed(project)
    by_hand(project, MINE)
    server.forget()
    return project.add().commit("docs")


def by_hand(project: Project, text: str, source: str = "shop.py") -> None:
    """Give a document a summary that a person wrote."""
    doc = project.doc(source)
    start, end = doc.index("\n# ") + 1, doc.index("\n## ")
    title = doc[start:].partition("\n")[0]
    project.write(
        {f".codetwine/docs/{source}/doc.md": f"{doc[:start]}{title}\n\n{text}\n{doc[end:]}"}
    )


def refreshed(project: Project, *args: str, code: int = 0) -> dict:
    said = project.tool("refresh", "--json", *args)
    assert said.code == code, said
    return said.json


def summary(project: Project, source: str = "shop.py") -> str:
    text = project.doc(source)
    return text[text.index("\n# ") :].partition("\n\n")[2].partition("\n\n## ")[0]


def edited(project: Project) -> dict:
    said = project.tool("status", "--json").json["edited"]
    return {one["path"]: one["sections"] for one in said}


def set_to(project: Project, policy: str) -> Project:
    project.write({CONFIG: f"edits: {policy}\n"})
    return project


def answering(server, monkeypatch, text: str, overview: str = "STILL TRUE") -> None:
    """Answer with this summary, and this of the rest."""

    def answer(self, mode, messages):
        is_first = sum(one["role"] == "user" for one in messages) == 1
        return f"## Summary\n\n{text}" + (f"\n\n## Overview\n\n{overview}" if is_first else "")

    monkeypatch.setattr(type(server), "answer", answer)


@pytest.mark.parametrize("policy", ["keep", "merge", "overwrite"])
def test_a_policy_makes_nothing_stale(project, server, policy):
    before = project.documents()
    set_to(project, policy)
    assert project.tool("verify").code == 0
    assert refreshed(project)["written"] == []
    assert (project.documents(), server.calls) == (before, 0)
    assert edited(project) == {"shop.py": ["summary"]}


def test_kept_a_section_is_not_shown_to_a_model_that_rewrites_everything(project, server):
    server.mode = "rewrite"
    project.replace("shop.py", "return 1", "return 2")
    done = refreshed(project)
    assert summary(project) == MINE
    assert "This part of version" in project.doc("shop.py")
    assert "Ask Ada" not in server.history[0].prompt
    assert done["edits"] == []


def test_merged_what_an_answer_repeats_stays_byte_for_byte(project, server, monkeypatch):
    set_to(project, "merge").replace("shop.py", "return 1", "return 0.01")
    answering(
        server,
        monkeypatch,
        MINE.replace("[contract](docs/contract.md)", "contract").replace("in cents", "in euros"),
    )
    plan = project.tool("plan", "--json").json
    assert plan["tasks"][0]["edited"] == {"summary": "merged"}
    done = refreshed(project)
    assert plan["calls"] == done["calls"] == server.calls
    assert summary(project) == MINE.replace("in cents", "in euros")
    prompt = server.history[0].prompt
    assert "Ask Ada before you change a number" in prompt
    assert "A person wrote the text of these sections: Summary." in prompt
    assert done["edits"] == [
        {"path": "shop.py", "section": "summary", "result": "corrected by a model"}
    ]
    assert edited(project) == {"shop.py": ["summary"]}, "most of it is a person's"
    assert project.tool("verify").code == 0


def test_merged_a_text_that_is_still_true_stays(project, server):
    server.mode = "still-true"
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    done = refreshed(project)
    assert (summary(project), done["edits"]) == (MINE, [])
    assert edited(project) == {"shop.py": ["summary"]}


def test_merged_a_model_that_rewrites_everything_does_not_get_its_way(project, server):
    server.mode = "rewrite"
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    done = refreshed(project)
    assert summary(project) == MINE
    assert "This part of version" in project.doc("shop.py"), "the rest is the model's"
    assert [(one["path"], one["section"]) for one in done["edits"]] == [("shop.py", "summary")]
    assert "look whether it is still true" in done["edits"][0]["result"]


def test_merged_what_left_the_source_is_no_longer_said_though_a_person_said_it(project, server):
    """But what the source never had, as the name of a program, is a person's knowledge."""
    server.mode = "still-true"
    text = project.read("shop.py")
    set_to(project, "merge").write({"shop.py": text.replace("price", "cost_of")})
    refreshed(project)
    assert "price`" not in summary(project)
    assert "Ask Ada before you change a number here" in summary(project)
    assert "discount on Sundays" in summary(project)
    by_hand(project, MINE.replace("`price`", "`cost_of`"))
    project.replace("shop.py", "return 1", "return 3")
    refreshed(project)
    assert "`ledgerd`" in summary(project)


def test_merged_a_lie_does_not_get_in(project, server, monkeypatch):
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    answering(server, monkeypatch, f"{MINE} It calls `reticulate_splines` for that.")
    refreshed(project)
    assert summary(project) == MINE


def test_merged_an_image_is_never_lost(project, server, monkeypatch):
    mine = f"{MINE}\n\n![how it hangs together](shop.png) and a note on it."
    by_hand(project, mine)
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    answering(server, monkeypatch, MINE)
    refreshed(project)
    assert summary(project) == mine
    answering(server, monkeypatch, mine.replace("cents", "euros"))
    project.replace("shop.py", "return 2", "return 3")
    refreshed(project)
    assert summary(project) == mine.replace("cents", "euros")


def test_merged_in_another_language_nothing_is_translated(project, server, monkeypatch):
    mine = "価格はすべてセントです。日曜日の割引はありません。"
    by_hand(project, mine)
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    answering(server, monkeypatch, mine)
    assert refreshed(project)["calls"] == server.calls == 1
    assert summary(project) == mine


@pytest.mark.parametrize("how", ["outage", "outline"])
def test_merged_without_a_model_nothing_is_lost(project, server, how):
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    if how == "outage":
        server.mode = "500"
        assert refreshed(project, code=1)["failed"]
    else:
        plan = project.tool("plan", "--provider", "outline", "--json").json["tasks"]
        assert plan[0]["edited"] == {"summary": "kept"}
        refreshed(project, "--provider", "outline")
    assert summary(project) == MINE


def test_merged_an_outline_that_a_person_edited_is_corrected_too(tmp_path, server, monkeypatch):
    project = Project(tmp_path / "p", FILES, config="edits: merge\n")
    refreshed(project, "--provider", "outline")
    by_hand(project, MINE)
    answering(server, monkeypatch, "STILL TRUE", "It multiplies.")
    assert refreshed(project, "--upgrade", "shop.py")["written"] == ["shop.py"]
    assert summary(project) == MINE
    assert "no text yet, so write them: Overview." in server.history[0].prompt
    assert "It multiplies." in project.doc("shop.py"), "the rest is written anew"
    assert "by=outline" not in project.doc("shop.py")


def test_merged_the_same_question_is_asked_once(project, server):
    server.mode = "still-true"
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    refreshed(project)
    calls = server.calls
    project.git("checkout", "-q", "--", "shop.py", ".codetwine/docs")
    project.replace("shop.py", "return 1", "return 2")
    assert project.tool("plan", "--json").json["calls"] == 0
    assert (refreshed(project)["calls"], server.calls) == (0, calls)


def test_merged_what_does_not_fit_is_kept(project, server, monkeypatch):
    mine = MINE + "".join(
        f"\n\nNote {n} is a long one about nothing in particular." for n in range(300)
    )
    by_hand(project, mine)
    monkeypatch.setenv("LLM_CONTEXT_TOKENS", "2500")
    set_to(project, "merge").replace("shop.py", "return 1", "return 2")
    plan = project.tool("plan", "--json").json
    done = refreshed(project)
    assert plan["calls"] == done["calls"] == server.calls
    assert "Note 299" not in server.history[0].prompt
    assert summary(project) == mine


def test_overwritten_a_section_is_written_as_if_nobody_had(project, server):
    set_to(project, "overwrite").replace("shop.py", "return 1", "return 2")
    own = "## Who to ask\n\nAda.\n\n"
    project.edit_doc("shop.py", "## Overview", f"{own}## Overview")
    assert "edited by hand: summary overwritten" in project.tool("plan").out
    assert "summary (overwritten)" in project.tool("status").out
    done = refreshed(project)
    assert done["edits"] == [{"path": "shop.py", "section": "summary", "result": "overwritten"}]
    assert summary(project).startswith("This part is about summary")
    assert "Ask Ada before" not in server.history[0].prompt
    assert own in project.doc("shop.py"), "a section that a person added stays"
    assert edited(project) == {}


def test_overwritten_only_when_a_document_is_written_anew(project, server):
    set_to(project, "overwrite")
    project.git("mv", "till.py", "desk.py")
    refreshed(project)
    project.git("mv", "shop.py", "store.py")
    project.replace("desk.py", "from shop", "from store")
    refreshed(project)
    assert summary(project, "store.py") == MINE
    refreshed(project, "--all")
    assert summary(project, "store.py") != MINE


def test_overwritten_not_while_the_outline_stands_in(tmp_path, server):
    project = Project(tmp_path / "p", FILES, config="edits: overwrite\n")
    refreshed(project, "--provider", "outline")
    by_hand(project, MINE)
    project.replace("shop.py", "return 1", "return 2")
    server.mode = "500"
    assert refreshed(project, code=1)["outlined"]
    assert summary(project) == MINE


def test_overwritten_without_any_model_too(project):
    set_to(project, "overwrite").replace("shop.py", "return 1", "return 2")
    refreshed(project, "--provider", "outline")
    assert summary(project).startswith("Prices.")


def test_a_person_s_own_setting_goes_first(project, monkeypatch):
    set_to(project, "overwrite").replace("shop.py", "return 1", "return 2")
    monkeypatch.setenv("DOC_EDITS", "keep")
    refreshed(project)
    assert summary(project) == MINE
    assert "DOC_EDITS" in project.tool("config", "show").out
    monkeypatch.setenv("DOC_EDITS", "always")
    assert "set it to one of keep, merge, overwrite" in project.tool("status").err
    monkeypatch.delenv("DOC_EDITS")
    assert "`edits` is one of" in set_to(project, "drop").tool("status").err


def test_overwritten_is_nothing_that_only_the_work_tree_has(project):
    set_to(project, "overwrite").replace("shop.py", "return 1", "return 2").add()
    by_hand(project, "Not staged yet.")
    done = refreshed(project, "--staged")
    assert (done["written"], done["edits"]) == (["shop.py"], [])
    assert summary(project) == "Not staged yet."
