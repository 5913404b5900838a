"""How true documents are, as refresh and status tell it: on real code, with a model that lies."""

from __future__ import annotations

import pytest

from tests.environments import ROOT
from tests.projects import Project

REAL = sorted((ROOT / "docs_store").glob("*.py"))
SMALL = '''
-- shapes.py --
"""Shapes."""

def area(width, height):
    """The area."""
    return width * height

def spare(one):
    return one
'''


@pytest.fixture
def real(tmp_path) -> Project:
    project = Project(tmp_path / "p")
    project.write({f"docs_store/{path.name}": path.read_text() for path in REAL})
    return project.add().commit()


@pytest.fixture
def small(tmp_path) -> Project:
    return Project(tmp_path / "p", SMALL).add().commit()


def truth(project: Project, *args: str) -> dict:
    said = project.tool("status", "--truth", "--json", *args)
    assert said.code == 0, said
    return said.json["truth"]


@pytest.mark.parametrize("mode", ["lie", "lie-always"])
def test_what_is_written_of_real_code_is_true_however_the_model_lies(real, server, mode):
    server.mode, server.lie_rate = mode, 0.5
    done = real.tool("refresh", "--json").json
    assert len(server.lies) > 20
    assert len(done["documents"]) == len(done["written"]) == len(REAL)
    for one in done["documents"].values():
        assert (one["existence"], one["completeness"], one["unknown"]) == (1.0, 1.0, [])
    assert sum(one["calls"] for one in done["documents"].values()) == done["calls"]
    tree = "".join(real.doc(path) for path in done["written"])
    assert not [lie for lie in server.lies if lie in tree]
    assert all(true in tree for true in server.truths), "and nothing that is true was dropped"
    told = truth(real)
    assert (told["existence"], told["completeness"]) == (1.0, 1.0)
    assert told["parameter_recall"] >= 0.99
    names = ("calls", "prompt_tokens", "answer_tokens")
    assert [told[name] for name in names] == [done[name] for name in names]
    assert told["documents"] == done["documents"]


def test_a_clone_knows_how_true_they_are_but_not_what_was_asked(small, server, tmp_path):
    assert small.tool("refresh").code == 0
    small.add().commit()
    small.clone(tmp_path / "clone")
    there = truth(Project(tmp_path / "clone", init=False, config=""))["documents"]["shapes.py"]
    here = truth(small)["documents"]["shapes.py"]
    assert (here["calls"], there["calls"], there["answer_tokens"]) == (1, None, None)
    assert {**here, "calls": 0} | {name: 0 for name in here if "tokens" in name} == {
        **there,
        "calls": 0,
        "prompt_tokens": 0,
        "answer_tokens": 0,
    }
    assert "truth" not in small.tool("status", "--json").json


def test_a_stale_document_is_held_against_its_source_as_it_is_now(small, server):
    small.tool("refresh")
    small.replace("shapes.py", "def spare(one):\n    return one", "def extra(two):\n    return two")
    one = truth(small)["documents"]["shapes.py"]
    assert one["unknown"] == ["spare"]
    assert 0 < one["existence"] < 1
    assert (one["missing"], one["unnamed"]) == (["extra"], ["extra(two)"])
    assert (one["completeness"], one["parameter_recall"], one["calls"]) == (0.8, 0.666, 1)
    lines = small.tool("status", "--truth").out
    assert "names that nothing knows:\n  shapes.py: spare\n" in lines
    assert "not told of:\n  shapes.py: extra\n" in lines
    assert "parameters not named:\n  shapes.py: extra(two)\n" in lines
    small.tool("refresh")
    assert truth(small)["existence"] == 1.0


def test_a_file_that_goes_is_noticed_though_neither_document_nor_source_changed(small, server):
    small.write({"shapes.py": small.read("shapes.py") + "# see below\n", "docs/usage.md": "x\n"})
    small.tool("refresh", "--provider", "outline")
    doc = small.doc("shapes.py")
    # As if a model had written it: the digest of the section is that of this text.
    from docs_store.document import section_digest

    (line,) = [one for one in doc.split("\n") if one.startswith("Shapes")]
    before = section_digest(doc.split("\n\n## ")[0].partition("# `shapes.py`")[2].strip())
    doc = doc.replace(line, "Shapes, see `docs/usage.md`.")
    after = section_digest(doc.split("\n\n## ")[0].partition("# `shapes.py`")[2].strip())
    small.write({".codetwine/docs/shapes.py/doc.md": doc.replace(before, after)})
    assert truth(small)["existence"] == 1.0
    (small.path / "docs/usage.md").unlink()
    assert truth(small)["documents"]["shapes.py"]["unknown"] == ["docs/usage.md"]


def test_what_people_wrote_is_not_measured(small, server):
    small.tool("refresh")
    path = ".codetwine/docs/shapes.py/doc.md"
    text = small.read(path).replace("This part is about summary", "Unlike `ghost_lib`, this is")
    small.write({path: text})
    assert truth(small)["existence"] == 1.0


def test_paid_for_in_two_runs_it_counts_both(small, server, monkeypatch):
    body = "".join(f"    s{n} = one + {n}\n" for n in range(120))
    small.write({"shapes.py": small.read("shapes.py").replace("    return one", body)})
    monkeypatch.setenv("LLM_CONTEXT_TOKENS", "1300")
    total = small.tool("plan", "--json").json["calls"]
    assert total > 1
    small.tool("refresh", "--max-calls", "1", "--jobs", "1")
    assert small.tool("refresh").code == 0
    assert truth(small)["calls"] == server.calls == total
