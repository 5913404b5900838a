"""The ready workflows: valid, few rights, and nothing of an event in a shell line."""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from tests.action.runner import ACTION
from tests.environments import ROOT

FILES = sorted((ROOT / "docs/workflows").iterdir())
GITHUB = {
    path.name: YAML(typ="safe").load(path)
    for path in FILES
    if path.name not in ("gitlab-ci.yml", "pre-commit-ci.yaml")
}
#: All that each job may do.
RIGHTS = {
    ("pull-request.yml", "verify"): {"contents": "read"},
    ("pull-request.yml", "comment"): {"contents": "read", "pull-requests": "write"},
    ("fork-review.yml", "review"): {"contents": "read"},
    ("fork-comment.yml", "comment"): {"actions": "read", "pull-requests": "write"},
    ("scheduled-refresh.yml", "refresh"): {"contents": "write", "pull-requests": "write"},
}


def steps() -> list[tuple[str, dict]]:
    """All steps of the action and the workflows."""
    found = [("action.yml", step) for step in ACTION["runs"]["steps"]]
    for name, workflow in GITHUB.items():
        for job in workflow["jobs"].values():
            found += [(name, step) for step in job["steps"]]
    return found


def test_rights_are_minimal():
    found = {
        (name, job): one["permissions"]
        for name, workflow in GITHUB.items()
        for job, one in workflow["jobs"].items()
    }
    assert found == RIGHTS
    assert all(workflow["permissions"] == {} for workflow in GITHUB.values())


def test_no_expression_stands_in_a_shell_line():
    assert [name for name, step in steps() if "${{" in step.get("run", "")] == []


def test_strangers_code_is_never_checked_out_with_rights_to_write():
    assert [name for name in GITHUB if GITHUB[name].get("on", GITHUB[name].get(True)) is None] == []
    for name, workflow in GITHUB.items():
        events = workflow.get("on", workflow.get(True))
        assert "pull_request_target" not in events, name
        if "workflow_run" in events:
            for job in workflow["jobs"].values():
                assert not any("checkout" in step.get("uses", "") for step in job["steps"])
        if "pull_request" in events:
            text = (ROOT / "docs/workflows" / name).read_text()
            assert "secrets." not in text


def test_every_input_that_is_given_exists():
    for name, step in steps():
        if step.get("uses", "").startswith("OWNER/codetwine@"):
            assert set(step.get("with", {})) <= set(ACTION["inputs"]), name


def test_the_two_halves_for_forks_belong_together():
    second = GITHUB["fork-comment.yml"]
    events = second.get("on", second.get(True))
    assert events["workflow_run"]["workflows"] == [GITHUB["fork-review.yml"]["name"]]
    uploaded = [step["with"]["name"] for _, step in steps() if "upload-artifact" in str(step)]
    downloaded = [step["with"]["name"] for _, step in steps() if "download-artifact" in str(step)]
    assert uploaded == downloaded


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_is_yaml_and_is_on_the_page(path):
    assert YAML(typ="safe").load(path)
    assert f"(workflows/{path.name})" in (ROOT / "docs/hooks.md").read_text()
