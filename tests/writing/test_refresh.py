"""Documents written by a model, from the command line to the tree."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.environments import ROOT
from tests.model_server import LIES, ModelServer
from tests.projects import Project

FILES = '''
-- geo/__init__.py --
"""Geometry."""
-- geo/shapes.py --
"""Shapes in the plane."""

class Shape:
    """Anything with an area."""

    def area(self):
        """In square metres."""
        return 0
-- geo/boxes.py --
from geo.shapes import Shape

class Box(Shape):
    def __init__(self, width):
        self.width = width

    def area(self):
        return self.width ** 2
-- geo/app.py --
from geo.boxes import Box

def main(argv):
    print(Box(len(argv)).area())
'''


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path / "p", FILES).add().commit()


def refreshed(project: Project, *args: str, code: int = 0) -> dict:
    said = project.tool("refresh", "--json", *args)
    assert said.code == code, said
    return said.json


def prose(project: Project, path: str) -> str:
    return project.read(f".codetwine/docs/{path}/doc.md")


def test_what_plan_says_is_what_refresh_does(project, server):
    plan = project.tool("plan", "--json").json
    assert server.calls == 0
    done = refreshed(project)
    assert plan["calls"] == done["calls"] == server.calls == 4
    assert [one["path"] for one in plan["tasks"]] == done["written"]
    assert plan["prompt_tokens"] == pytest.approx(done["prompt_tokens"], rel=0.25)
    assert plan["price"] > 0 < done["cost"]
    assert project.tool("verify").code == 0
    again = refreshed(project)
    assert (again["calls"], server.calls) == (0, 4)
    assert "by=" not in prose(project, "geo/app.py").split("\n")[0]


def test_the_plan_is_kept_after_a_change_too(project, server):
    refreshed(project)
    project.add().commit()
    project.replace("geo/shapes.py", "return 0", "return 1")
    server.forget()
    plan = project.tool("plan", "--json").json
    done = refreshed(project)
    assert plan["calls"] == done["calls"] == server.calls
    assert done["written"] == [one["path"] for one in plan["tasks"]]
    assert "geo/shapes.py" in done["written"]


def test_the_plan_counts_a_question_that_the_summaries_before_it_change(project, server):
    refreshed(project)
    server.mode = "rewrite"
    for body in ("1", "2", "1 + 1", "2 + 2"):
        text = project.read("geo/shapes.py").rpartition("return")[0]
        project.write({"geo/shapes.py": f"{text}return {body}\n"})
        assert project.tool("plan", "--json").json["calls"] == refreshed(project)["calls"]


def test_dependents_are_told_what_their_dependencies_are(project, server):
    refreshed(project)
    asked = next(one for one in server.history if "File: geo/boxes.py" in one.prompt)
    assert "`geo/shapes.py`: This part is about summary" in asked.prompt


def test_the_change_of_a_source_is_shown_in_any_clone(project, server, tmp_path):
    refreshed(project)
    project.add().commit()
    project.clone(tmp_path / "clone")
    clone = Project(tmp_path / "clone", init=False, config="")
    clone.replace("geo/shapes.py", "return 0", "return 1")
    server.forget()
    refreshed(clone)
    prompt = server.history[0].prompt
    assert "-        return 0\n+        return 1" in prompt
    assert "This part is about overview" in prompt


def test_still_true_changes_one_line_of_a_document(project, server):
    refreshed(project)
    project.add().commit()
    server.mode = "still-true"
    project.replace("geo/shapes.py", "return 0", "return 1")
    refreshed(project)
    changed = project.git("diff", "--numstat", "--", "*/geo/shapes.py/doc.md").split()
    assert changed[:2] == ["1", "1"]


def test_without_any_setting_no_model_is_asked_and_none_imported(project, tmp_path):
    program = (
        "import sys\nfrom twine_hooks.cli import main\n"
        "code = main(['refresh'])\n"
        "assert not {'litellm', 'openai', 'httpx'} & set(sys.modules)\nsys.exit(code)"
    )
    environ = {name: value for name, value in project.environ.items() if "LLM" not in name}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.path,
        env=environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert "by=outline" in prose(project, "geo/app.py")


def test_outlines_are_upgraded_once_there_is_a_model(project, server):
    refreshed(project, "--provider", "outline")
    assert server.calls == 0
    assert refreshed(project)["written"] == [], "they are fresh"
    plan = project.tool("plan", "--upgrade", "--json").json
    done = refreshed(project, "--upgrade")
    assert plan["calls"] == done["calls"] == 4
    assert "by=outline" not in prose(project, "geo/app.py")
    assert refreshed(project, "--upgrade")["written"] == []


@pytest.mark.parametrize("mode", ["500", "401", "refuse", "garbage", "cut"])
def test_after_an_outage_everything_recovers(project, server, mode):
    server.mode = mode
    done = refreshed(project, code=1)
    assert len(done["outlined"]) == 4
    assert "by=outline" in prose(project, "geo/app.py")
    server.mode = "well"
    refreshed(project, "--upgrade")
    project.add().commit()
    server.mode = mode
    project.replace("geo/shapes.py", "return 0", "return 1")
    before = prose(project, "geo/shapes.py")
    assert refreshed(project, code=1)["failed"]
    assert prose(project, "geo/shapes.py") == before
    assert project.tool("verify").code == 1, "it stays stale"
    server.mode = "well"
    refreshed(project)
    assert project.tool("verify").code == 0


def test_limits_leave_the_rest_stale_and_named(project, server):
    done = refreshed(project, "--max-calls", "2", code=1)
    assert (done["calls"], server.calls, len(done["written"])) == (2, 2, 2)
    assert {one["reason"] for one in done["left"]} == {"the limit of 2 calls is reached"}
    assert "geo/shapes.py" in done["written"], "the one that most others use"
    assert len(refreshed(project)["written"]) == 2
    assert server.calls == 4


def test_a_limit_of_price(project, server):
    total = project.tool("plan", "--json").json["price"]
    done = refreshed(project, "--max-cost", f"{total / 2:.6f}", code=1)
    assert done["left"]
    assert (done["cost"] or 0) <= total / 2
    said = project.tool("refresh", "--max-cost", "1", "--model", "openai/nobody-knows-it")
    assert (said.code, "--max-calls" in said.err) == (1, True)


def test_no_lie_reaches_the_tree(project, server):
    server.mode, server.lie_rate = "lie-always", 0.7
    refreshed(project)
    assert server.lies
    tree = "".join(path.read_text() for path in (project.path / ".codetwine").rglob("doc.md"))
    assert not [lie for lie in server.lies if lie in tree]
    assert not [lie for lie in LIES if lie.strip("`()") in tree]


def test_hand_edits_survive_a_model_that_rewrites(project, server):
    refreshed(project)
    path = ".codetwine/docs/geo/shapes.py/doc.md"
    project.write({path: project.read(path).replace("This part is about summary", "In my words")})
    server.mode = "rewrite"
    project.replace("geo/shapes.py", "return 0", "return 1")
    refreshed(project)
    assert "In my words" in project.read(path)
    assert "This part of version" in project.read(path)
    prompt = next(one for one in server.history if one.mode == "rewrite").prompt
    assert "In my words" not in prompt


def test_a_revert_and_a_branch_switch_pay_nothing(project, server):
    refreshed(project)
    project.add().commit("docs")
    project.replace("geo/shapes.py", "return 0", "return 1")
    refreshed(project)
    calls = server.calls
    project.git("checkout", "-q", "--", "geo")
    refreshed(project)
    project.replace("geo/shapes.py", "return 0", "return 1")
    refreshed(project)
    assert server.calls == calls


def test_killed_and_run_again_it_pays_for_nothing_twice(project, tmp_path):
    with ModelServer(delay=0.3) as server:
        environ = project.environ | server.environ() | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "twine_hooks", "refresh"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        running = subprocess.Popen(command, cwd=project.path, env=environ, **quiet)
        deadline = time.monotonic() + 60
        while server.calls < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        assert server.calls == 3
        server.delay = 0
        done = subprocess.run(command, cwd=project.path, env=environ, capture_output=True)
        assert done.returncode == 0, done.stderr
        prompts = [one.prompt for one in server.history]
    # The third was on its way when the process died: only that one may come again.
    assert len(prompts) - len(set(prompts)) <= 1
    assert len(set(prompts)) == 4


def test_settings_of_the_repository_cannot_lead_anything_elsewhere(project, server, monkeypatch):
    monkeypatch.delenv("LLM_MODEL")
    config = ".codetwine/config.yaml"
    for line in ("api_base: http://attacker.example", "llm_api_key: x"):
        project.write({config: line + "\n"})
        said = project.tool("refresh")
        assert (said.code, "never taken from a repository" in said.err) == (1, True), said
    project.write({config: "provider: litellm\nmodel: custom/http://attacker.example/v1\n"})
    assert "holds an address" in project.tool("refresh").err
    project.write({config: "provider: litellm\nmodel: openai/gpt-4o-mini\n"})
    assert refreshed(project)["calls"] == 4, "to the address that the person set"
    monkeypatch.delenv("LLM_API_BASE")
    assert "LLM_MODEL=openai/gpt-4o-mini" in project.tool("refresh", "--all").err


def test_a_person_s_own_file_holds_the_same_settings(project, server, monkeypatch, tmp_path):
    lines = [f"model: {os.environ['LLM_MODEL']}", f"api_base: {os.environ['LLM_API_BASE']}"]
    for name in ("LLM_MODEL", "LLM_API_BASE", "LLM_API_KEY"):
        monkeypatch.delenv(name)
    folder = tmp_path / "config" / "codetwine"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("\n".join([*lines, "api_key: of-mine", ""]))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent))
    assert refreshed(project)["calls"] == 4
    assert "of-mine" in server.history[0].headers["authorization"]
    monkeypatch.setenv("ENABLE_LLM_DOC", "False")
    project.replace("geo/app.py", "len(argv)", "1 + len(argv)")
    refreshed(project)
    assert server.calls == 4


def test_another_model_or_wording_makes_nothing_stale(project, server):
    refreshed(project)
    assert refreshed(project, "--model", "anthropic/claude-sonnet-4-5")["written"] == []


@pytest.mark.parametrize("circle", [False, True])
def test_any_number_of_jobs_gives_the_same_documents(tmp_path, server, circle):
    found = []
    for jobs in ("1", "5"):
        project = Project(tmp_path / jobs, FILES)
        if circle:
            project.replace(
                "geo/shapes.py", "return 0", "from geo.app import main\n        return 0"
            )
        server.delay = 0.02
        assert refreshed(project, "--jobs", jobs)["calls"] == 4
        found.append(project.documents())
    assert found[0] == found[1]


def test_jobs_ask_at_the_same_time(tmp_path, server):
    files = "".join(f"-- m{n}.py --\ndef f{n}(x):\n    return x\n" for n in range(8))
    project = Project(tmp_path / "p", files)
    refreshed(project, "--max-calls", "0", code=1)  # everything but the answers
    server.delay = 0.5
    start = time.monotonic()
    assert refreshed(project, "--jobs", "8")["calls"] == 8
    assert time.monotonic() - start < 8 * 0.5 * 0.75


def test_what_the_gate_did_is_told(project, server):
    server.mode, server.lie_rate = "lie-always", 1.0
    truth = refreshed(project)["truth"]
    assert truth["geo/boxes.py"]["names"] > truth["geo/boxes.py"]["dropped"] > 0
    server.reset()
    assert refreshed(project, "--all", "--model", "openai/gpt-4o")["truth"]["geo/app.py"] == {
        "names": 2,
        "unknown": 0,
        "dropped": 0,
        "stood_in": 0,
    }


def test_a_terminal_shows_how_far_it_is_and_what_it_costs(project):
    ours, theirs = pty.openpty()
    with ModelServer() as server:
        environ = project.environ | server.environ() | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", "twine_hooks", "refresh", "--jobs", "1"],
            cwd=project.path,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert re.search(r"\[#{15}\.{5}\] 3/4, 3 calls, \d+k tokens, \$0\.\d+, \d+ s left", shown), (
        shown
    )
    assert b"documents: 4 written" in done.stdout


def test_a_summary_keeps_to_its_limit(project, server):
    project.write({".codetwine/config.yaml": "summary_max_chars: 70\n"})
    refreshed(project, "geo/shapes.py")
    assert "(Two or three" in server.history[0].prompt
    assert "know of it first. At most 70 characters.)" in server.history[0].prompt
    summary = prose(project, "geo/shapes.py").split("\n\n")[2]
    assert summary == "This part is about summary and the file as a whole."


def test_the_plan_counts_what_a_small_window_takes(project, server, monkeypatch):
    steps = "".join(f"    step{n} = argv[{n}]\n" for n in range(60))
    project.write({"geo/long.py": "".join(f"def f{n}(argv):\n{steps}\n\n" for n in range(4))})
    monkeypatch.setenv("LLM_CONTEXT_TOKENS", "1500")
    plan = project.tool("plan", "--json").json
    done = refreshed(project)
    assert plan["calls"] == done["calls"] == server.calls > 5
    assert [request for request in server.history if "You say in a few" in request.prompt]
    server.forget()
    monkeypatch.setenv("ENABLE_CODE_SUMMARY", "false")
    project.write({"geo/long.py": project.read("geo/long.py").replace("argv", "args")})
    assert project.tool("plan", "--json").json["calls"] == refreshed(project)["calls"] == 1
    assert "lines left out" in server.history[0].prompt
    monkeypatch.setenv("ENABLE_CODE_SUMMARY", "perhaps")
    assert "set it to true or false" in project.tool("plan").err


def test_settings_of_code_summaries_are_shown_and_checked(project):
    project.write({".codetwine/config.yaml": "enable_code_summary: maybe\n"})
    assert "`enable_code_summary` takes true or false" in project.tool("status").err
    project.write({".codetwine/config.yaml": "enable_code_summary: false\n"})
    rows = project.tool("config", "show", "--json").json["settings"]
    shown = {row["name"]: (row["value"], row["origin"]) for row in rows}
    assert shown["enable_code_summary"] == (False, ".codetwine/config.yaml")
    assert shown["CODE_SUMMARY_MAX_CHARS"] == ("", "default")
