"""The commands of the main job: what they print, as text and as JSON, and how they end."""

from __future__ import annotations

import json

import pytest

from tests.projects import DOCS, Project, codetwine

FILES = '''
-- a.py --
def f():
    """Does it."""
    return 1
-- b.py --
from a import f
from .lost import thing


def g():
    return f()
-- deep/c.py --
def c(): return 1
-- notes.txt --
Not a source.
'''


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "p", FILES).check("a.py b.py deep/c.py")


PRE_COMMIT = """\
# What we check.
default_stages: [pre-commit]  # as ever
repos:
  # Small things first.
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: "v5.0.0"  # pinned
    hooks:
      - id: end-of-file-fixer
        exclude: '^docs/'

      - id: check-yaml
        args: [--unsafe,   --allow-multiple-documents]
# The end.
"""


class TestInit:
    def test_it_writes_what_is_missing_and_nothing_twice(self, tmp_path):
        project = Project(tmp_path / "p").delete(".codetwine/config.yaml")
        said = project.tool("init")
        assert (said.code, said.err) == (0, "")
        assert said.out.startswith("wrote .codetwine/config.yaml\nwrote .codetwine/.gitignore\n")
        assert "codetwine install" in said.out
        before = _files(project)
        again = project.tool("init")
        assert again.code == 0 and "in place already" in again.out
        assert _files(project) == before
        assert project.tool("status").code == 0

    def test_what_stands_there_stays(self, tmp_path):
        project = Project(tmp_path / "p", "\n-- .gitattributes --\n*.png binary\n")
        project.write({".gitattributes": "*.png binary", ".codetwine/config.yaml": "cutoff: bytes"})
        assert project.tool("init").code == 0
        assert project.read(".codetwine/config.yaml") == "cutoff: bytes"
        lines = project.read(".gitattributes").splitlines()
        assert lines[0] == "*.png binary" and len(lines) == 3

    def test_the_settings_of_the_framework_keep_their_comments_and_order(self, tmp_path):
        project = Project(tmp_path / "p").write({".pre-commit-config.yaml": PRE_COMMIT})
        assert "pre-commit install" in project.tool("init").out
        text = project.read(".pre-commit-config.yaml")
        kept = [line for line in text.splitlines() if line in PRE_COMMIT.splitlines()]
        for line in PRE_COMMIT.splitlines():
            assert line.strip() in text, line
        assert kept[:3] == PRE_COMMIT.splitlines()[:3]
        assert "id: codetwine-refresh" in text and "id: codetwine-post-merge" in text
        assert text.index("check-yaml") < text.index("codetwine-refresh")
        project.tool("init")
        assert project.read(".pre-commit-config.yaml") == text

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a: [", "this is not YAML"),
            ("- 1\n", "no list of `repos:`"),
            ("", "no list of `repos:`"),
            ("repos: [1, {hooks: [1]}, {hooks: 3}]", "it is laid out in a way"),
            ("repos: 2001-99-99", "this is not YAML"),
        ],
    )
    def test_settings_of_the_framework_that_cannot_be_read(self, tmp_path, text, message):
        project = Project(tmp_path / "p").write({".pre-commit-config.yaml": text})
        said = project.tool("init")
        assert said.code == 1
        assert f".pre-commit-config.yaml: {message}" in said.err.replace("has no", "no").replace(
            "it no", "no"
        )
        assert project.read(".pre-commit-config.yaml") == text

    def test_a_bare_repository_has_no_place_for_it(self, tmp_path):
        bare = Project(tmp_path / "p", FILES).add().commit().clone(tmp_path / "bare", "--bare")
        said = codetwine(bare.path, "init")
        assert said.code == 1 and "no work tree" in said.err


def _files(project):
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(project.path.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def test_status_tells_each_state_with_its_reason(project):
    fresh = project.tool("status", "--json").json
    assert (fresh["sources"], fresh["fresh"]) == (3, 3)
    assert fresh["stale"] == fresh["missing"] == fresh["orphaned"] == fresh["edited"] == []
    assert fresh["unresolved"] == [{"path": "b.py", "line": 2, "text": ".lost.thing"}] or [
        one["path"] for one in fresh["unresolved"]
    ] == ["b.py"]
    project.edit_doc("b.py", "Defines", "By hand: defines")
    project.replace("a.py", "return 1", "return 2")
    project.files("\n-- new.py --\nx = 1\n").delete("deep/c.py")
    said = project.tool("status", "--json").json
    assert [one["path"] for one in said["stale"]] == ["a.py", "b.py"]
    assert said["stale"][1]["reasons"] == [
        {"kind": "uses", "subject": "a.py", "symbols": ["f"], "text": "`f` of a.py changed"}
    ]
    assert [one["path"] for one in said["missing"]] == ["new.py"]
    assert [one["path"] for one in said["orphaned"]] == ["deep/c.py"]
    edit = {"section": "summary", "heading": "", "fate": "kept"}
    assert said["edited"] == [
        {"path": "b.py", "sections": ["summary"], "is_stale": True, "edits": [edit]}
    ]
    text = project.tool("status")
    assert text.code == 0
    for line in (
        "3 sources, 0 fresh, 2 stale, 1 missing, 1 orphaned",
        "  a.py: its source changed (`f` changed)",
        "  new.py: it has no document yet",
        "  deep/c.py: its source is gone",
        "  b.py: summary (kept); its source has changed since",
        "imports that lead nowhere:",
    ):
        assert line in text.out, text.out


def test_status_says_aloud_that_it_found_no_dependency_at_all(tmp_path):
    project = Project(tmp_path / "p").write({f"m{n}.py": f"x{n} = 1\n" for n in range(5)})
    assert "no file uses another one" in project.tool("status").out


def test_plan_and_dry_run_say_what_refresh_does_and_write_nothing(project):
    project.replace("a.py", "return 1", "return 2").delete("deep/c.py")
    before = _files(project)
    planned = project.tool("plan", "--json").json
    assert planned["fresh"] == 0
    assert [(one["path"], one["action"]) for one in planned["tasks"]] == [
        ("a.py", "write"),
        ("b.py", "write"),
        ("deep/c.py", "remove"),
    ]
    dry = project.tool("refresh", "--dry-run", "--json").json
    tasks = dry["tasks"] if isinstance(dry, dict) else dry
    assert [one["path"] for one in tasks] == [one["path"] for one in planned["tasks"]]
    text = project.tool("plan").out
    assert "b.py: `f` of a.py changed" in text
    assert _files(project) == before
    project.check("a.py b.py", removed="deep/c.py")


def test_refresh_of_some_paths_leaves_the_others(project):
    project.replace("a.py", "return 1", "return 2").replace("deep/c.py", "1", "2")
    said = project.tool("refresh", "deep", "--json").json
    assert said["written"] == ["deep/c.py"]
    said = codetwine(project.path / "deep", "refresh", "../b.py", "--json").json
    assert said["written"] == ["b.py"]
    said = project.tool("refresh", f"{DOCS}/a.py/doc.md", "--json").json
    assert said["written"] == ["a.py"]
    project.check()
    for path, message in (
        ("nowhere.py", "check the spelling"),
        ("notes.txt", "no language that codetwine knows"),
        ("/etc/passwd", "is outside of"),
    ):
        wrong = project.tool("refresh", path)
        assert wrong.code == 1 and message in wrong.err


def test_why_names_uses_and_users(project):
    value = project.tool("why", "a.py", "--json").json
    assert (value["path"], value["state"], value["reasons"]) == ("a.py", "fresh", [])
    assert value["used_by"] == [{"file": "b.py", "symbols": ["f"]}]
    project.replace("a.py", "return 1", "return 2")
    value = project.tool("why", "b.py", "--json").json
    assert value["state"] == "stale"
    assert value["uses"] == [{"file": "a.py", "symbols": ["f"]}]
    assert [one["text"] for one in value["reasons"]] == ["`f` of a.py changed"]
    text = project.tool("why", f"{DOCS}/b.py/doc.md").out
    assert text.startswith("b.py is stale\n  `f` of a.py changed\n")
    assert project.tool("why", "nowhere.py").code == 1


def test_the_tree_is_a_function_of_what_files_mean(project):
    root = project.tool("verify", "--root").out.splitlines()[0]
    rows = project.tool("tree", "--json").json
    assert rows[0] == {"path": "", "kind": "folder", "digest": root}
    assert [(one["path"], one["kind"]) for one in rows[1:]] == [
        ("a.py", "file"),
        ("b.py", "file"),
        ("deep", "folder"),
    ]
    assert project.tool("tree", "deep").out.splitlines()[1].endswith(" deep/c.py")
    project.replace("a.py", "return 1", "return 1  # why")
    assert project.tool("tree", "--json").json == rows
    project.replace("a.py", "return 1", "return 2")
    changed = project.tool("tree", "--json").json
    assert [one["path"] for one, old in zip(changed, rows, strict=True) if one != old] == [
        "",
        "a.py",
    ]
    assert project.tool("tree", "nowhere").code == 1


def test_verify_in_bare_and_shallow_clones(project, tmp_path):
    project.add().commit("first")
    project.replace("a.py", "return 1", "return 2").add().commit("hasty")
    root = project.tool("verify", "--rev", "HEAD", "--root").out.splitlines()[0]
    for name, args in {"bare": ["--bare"], "shallow": ["--depth=1"]}.items():
        clone = project.clone(tmp_path / name, *args)
        said = codetwine(clone.path, "verify", "--rev", "HEAD", "--root", "--json")
        assert said.code == 1
        assert [one["path"] for one in said.json["tasks"]] == ["a.py", "b.py"]
        assert (said.json["root"], said.json["fresh"]) == (root, 1)
    bare = codetwine(tmp_path / "bare", "verify")
    assert bare.code == 1 and "HEAD: 2 documents not up to date" in bare.out
    assert codetwine(tmp_path / "bare", "verify", "--rev", "HEAD~1").code == 0
    gone = codetwine(tmp_path / "shallow", "verify", "--rev", "HEAD~1")
    assert gone.code == 1 and "shallow" in gone.err
    assert codetwine(tmp_path / "bare", "refresh").code == 1


def test_verify_judges_what_it_is_asked_to(project):
    project.add().commit()
    project.replace("a.py", "return 1", "return 2")
    assert project.tool("verify").code == 1
    assert project.tool("verify", "--staged").code == 0
    project.add("a.py")
    assert project.tool("verify", "--staged").code == 1
    assert project.tool("verify", "--rev", "HEAD").code == 0


def test_the_graph_of_a_repository_that_was_never_set_up(tmp_path):
    project = Project(tmp_path / "p", FILES).delete(".codetwine/config.yaml")
    lines = project.tool("graph").out.splitlines()
    [edge] = [json.loads(line) for line in lines]
    assert {name: edge[name] for name in ("from", "to", "kind", "names")} == {
        "from": "b.py",
        "to": "a.py",
        "kind": "import",
        "names": ["f"],
    }
    lines = project.tool("graph", "--level", "symbol").out.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"from": "b.py", "to": "a.py", "name": "f", "lines": [6]}
    ]
    assert project.tool("graph", "--format", "mermaid").out == (
        'graph LR\n  n0["a.py"]\n  n1["b.py"]\n  n1 --> n0\n'
    )
    assert project.status == "?? a.py\n?? b.py\n?? deep/\n?? notes.txt\n"


def test_install_and_uninstall_say_what_they_did(project):
    assert project.tool("install").out == (
        "pre-commit: installed\npost-merge: installed\npost-rewrite: installed\n"
        "merge driver: registered\n"
    )
    assert "was installed already" in project.tool("install", "--hook-type=pre-commit").out
    assert project.tool("uninstall").out == (
        "pre-commit: removed\npost-merge: removed\npost-rewrite: removed\nmerge driver: removed\n"
    )
    assert project.tool("uninstall").out == ""
