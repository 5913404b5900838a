"""A run with nothing stale imports next to nothing, opens no socket and writes no file."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.projects import Project

# Runs `main` under an audit hook, and tells what it imported, wrote and connected to.
WATCHED = """
import os, sys
before = set(sys.modules)
seen = {"wrote": [], "sockets": []}
def watch(event, args):
    if event.startswith("socket."):
        seen["sockets"].append(event)
    elif event == "open" and isinstance(args[0], str):
        if args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and args[0] != os.devnull:
            seen["wrote"].append(str(args[0]))
    elif event == "os.remove" and args[1] != -1:
        pass  # below a folder that is open: the end of a temporary one
    elif event in ("os.rename", "os.remove", "os.mkdir", "sqlite3.connect"):
        seen["wrote"].append(str(args[0]))
sys.addaudithook(watch)
from twine_hooks.cli import main
code = main(sys.argv[1:])
seen["modules"] = sorted(set(sys.modules) - before)
import json
print(json.dumps({"code": code, **seen}), file=sys.stderr)
"""
HEAVY = ("tree_sitter", "tree_sitter_language_pack", "litellm", "pygit2", "click", "ruamel")
# Of the standard library: together they take 15 ms, and no document of an outline needs them.
RECORDS = {"ast", "dataclasses", "dis", "inspect", "tokenize"}
NEEDLESS = RECORDS | {"html", "json", "logging", "random", "tomllib", "traceback"}
FILES = """
-- a.py --
def f(): return 1
-- b.py --
from a import f
print(f())
"""


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path / "p", FILES).check("a.py b.py")
    project.add().commit()
    return project


def watched(project: Project, *args: str, environ: dict[str, str] | None = None):
    done = project.run(
        sys.executable,
        "-c",
        WATCHED,
        *args,
        environ={"PYTHONPATH": os.getcwd(), **(environ or {})},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize(
    "args", [("hook", "pre-commit"), ("verify", "--staged"), ("hook", "report")], ids=" ".join
)
def test_the_second_time_nothing_is_imported_written_or_connected_to(project, args):
    assert project.program(*args).code == 0
    before = _stamps(project)
    seen = watched(project, *args)
    assert (seen["code"], seen["wrote"], seen["sockets"]) == (0, [], [])
    assert [name for name in seen["modules"] if name.partition(".")[0] in HEAVY] == []
    assert not {"sqlite3", "twine_hooks.analysis.extract"} & set(seen["modules"])
    assert _stamps(project) == before


@pytest.mark.parametrize(
    "args", [("hook", "pre-commit"), ("verify", "--staged"), ("verify",)], ids=" ".join
)
def test_the_first_time_in_a_clone_only_the_git_folder_is_written(project, tmp_path, args):
    project.clone(tmp_path / "clone")
    clone = Project.__new__(Project)
    clone.path, clone.environ = tmp_path / "clone", project.environ
    before = _stamps(clone)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    seen = watched(clone, *args, environ={"TMPDIR": str(temporary)})
    assert (seen["code"], seen["sockets"]) == (0, [])
    outside = [path for path in seen["wrote"] if not _may_be_written(path, clone, temporary)]
    assert outside == []
    assert "litellm" not in seen["modules"]
    assert _stamps(clone) == before
    assert clone.status == ""


def test_a_hook_that_writes_a_document_imports_nothing_that_it_can_do_without(project):
    assert project.program("hook", "pre-commit").code == 0
    project.replace("b.py", "print(f())", "print(f() + 1)").add()
    seen = watched(project, "hook", "pre-commit")
    assert project.git("diff", "--cached", "--name-only").split() == [
        ".codetwine/docs/b.py/doc.md",
        ".codetwine/docs/b.py/leaf.twine",
        "b.py",
    ]
    assert [name for name in seen["modules"] if name.partition(".")[0] in NEEDLESS] == []
    assert "twine_hooks.providers.litellm" not in seen["modules"]


def test_what_the_fast_answer_says_ends_with_the_first_change(project):
    assert project.program("hook", "pre-commit").code == 0
    assert project.program("hook", "pre-commit").code == 0
    project.replace("a.py", "1", "2").add()
    assert project.program("hook", "pre-commit", environ={"PRE_COMMIT": "1"}).code == 1
    assert project.program("verify", "--staged").code == 1
    project.git("reset", "-q", "--hard")
    assert project.program("hook", "pre-commit").code == 0
    project.write({".codetwine/config.yaml": "output_language: German\n"}).add()
    assert project.program("verify", "--staged").code == 1


def test_the_fast_answer_looks_at_the_index_that_git_names(project):
    assert project.program("hook", "pre-commit").code == 0
    other = project.path.parent / "other-index"
    other.write_bytes((project.path / ".git/index").read_bytes())
    environ = {"GIT_INDEX_FILE": str(other)}
    project.replace("a.py", "1", "2")
    project.git("add", "a.py", environ=environ)
    assert project.program("verify", "--staged", environ=environ).code == 1
    assert project.program("verify", "--staged").code == 0


def _may_be_written(path: str, project: Project, temporary) -> bool:
    own = (f"{temporary}/", f"{project.path}/.git/codetwine", ".git/codetwine")
    return path.startswith(own)


def _stamps(project: Project) -> dict[str, int]:
    """When each file was last written, the folder of git left out."""
    return {
        str(path): path.lstat().st_mtime_ns
        for path in sorted(project.path.rglob("*"))
        if ".git" not in path.parts
    }
