"""Who owns the script `twine`, as `codetwine doctor` tells it; with real scripts on a real PATH."""

from __future__ import annotations

import json

import pytest

from tests.projects import Project, codetwine
from twine_hooks.cli import main
from twine_hooks.commands import doctor
from twine_hooks.session import Session

SCRIPTS = {
    "ours": "#!/usr/bin/python\nfrom twine_hooks.cli import main\n",
    "theirs": "#!/usr/bin/python\nfrom twine.__main__ import main\n",
    "a shim": '#!/bin/sh\nexec pyenv exec twine "$@"\n',
}


@pytest.fixture
def session_with(tmp_path):
    """A session whose PATH is one folder with one `twine` in it."""

    def build(text: str) -> Session:
        script = tmp_path / "twine"
        script.write_text(text)
        script.chmod(0o755)
        return Session(tmp_path, {"PATH": str(tmp_path)})

    return build


@pytest.mark.parametrize(
    ("owner", "ok", "says"),
    [
        ("ours", True, "is ours"),
        ("theirs", False, "PyPI's upload tool of another environment"),
        ("a shim", False, "another program"),
    ],
)
def test_the_owner_of_a_script_elsewhere(session_with, owner, ok, says):
    finding = doctor.check_twine_script(session_with(SCRIPTS[owner]))
    assert (finding.ok, bool(finding.advice)) == (ok, not ok)
    assert says in finding.detail


@pytest.mark.parametrize(
    ("version", "ok"),
    [("git version 2.31.0", True), ("git version 2.30.9", False), ("no git", False)],
)
def test_git_must_be_new_enough(tmp_path, version, ok):
    git = tmp_path / "git"
    git.write_text(f"#!/bin/sh\necho {version}\n")
    git.chmod(0o755)
    finding = doctor.check_git(Session(tmp_path, {"PATH": str(tmp_path)}))
    assert (finding.ok, bool(finding.advice)) == (ok, not ok)


def test_no_git_at_all(tmp_path):
    assert not doctor.check_git(Session(tmp_path, {"PATH": str(tmp_path)})).ok


def test_json_and_text_say_the_same_and_agree_with_the_exit_code(capsys):
    code = main(["doctor", "--json"])
    findings = json.loads(capsys.readouterr().out)
    assert main(["doctor"]) == code == (0 if all(found["ok"] for found in findings) else 1)
    printed = capsys.readouterr().out
    for found in findings:
        assert f"{found['title']}: {found['detail']}" in printed
        assert found["advice"] in printed
    assert [found["title"] for found in findings] == [
        "python",
        "git",
        "installed",
        "codetwine",
        "twine",
        "hooks",
        "merge driver",
    ]


def test_a_clone_tells_whether_it_has_hooks_and_the_merge_driver(tmp_path):
    project = Project(tmp_path / "p")

    def found() -> dict[str, dict[str, object]]:
        return {one["title"]: one for one in project.tool("doctor", "--json").json}

    assert found()["hooks"]["advice"] == found()["merge driver"]["advice"] == "codetwine install"
    project.tool("install")
    assert "pre-commit, post-merge, post-rewrite" in found()["hooks"]["detail"]
    assert found()["hooks"]["advice"] == found()["merge driver"]["advice"] == ""
    project.tool("uninstall")
    assert found()["hooks"]["advice"] == found()["merge driver"]["advice"] == "codetwine install"


def test_outside_of_a_repository_the_installation_is_checked_all_the_same(tmp_path):
    found = codetwine(tmp_path, "doctor", "--json").json
    assert [one["ok"] for one in found if one["title"] in ("hooks", "merge driver")] == [True, True]
