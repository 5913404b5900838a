"""`codetwine export`: its files, field by field, what it leaves out, and doing it again."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.projects import Project, as_user, unpack
from tests.schemas import problems, schema
from twine_hooks.export_record import Done, packed, read_record

SHAPES = '''
-- shop/__init__.py --
-- shop/price.py --
"""Prices."""
from .geometry import Shape, area as size

RATE = 3


class Price(Shape):
    """What something costs."""

    def total(self, n):
        def inner():
            return size(n)
        return inner() * RATE


def main():
    return Price().total(2)
-- shop/geometry.py --
def area(n):
    """Square."""
    return n * n


class Shape:
    name = "shape"
-- web/app.ts --
import { zed as q } from "./lib";
export function start() { return q(); }
-- web/lib.ts --
export const zed = () => 1;
-- README.md --
# Shop
-- notes --
plain
'''


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "shop-project", SHAPES)
    made.tool("refresh")
    made.add().commit()
    return made


def export(project, *args, code=0):
    said = project.tool("export", "--json", *args)
    assert said.code == code, said.err
    return Path(said.json["folder"])


def read(folder, name):
    return json.loads((folder / name).read_text("utf-8"))


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_each_file_is_what_its_schema_says(project):
    folder = export(project, "--format", "both")
    assert folder == project.path / ".codetwine/export/shop-project"
    for path in folder.rglob("*.json"):
        if path.name != ".export.json":
            assert problems(read(folder, path), schema(path.stem)) == [], path
    names = {path.name for path in folder.rglob("*.json")}
    assert {"doc.json", "file_dependencies.json", "project_knowledge.json"} <= names


def test_a_source_s_file_says_what_it_defines_and_uses(project):
    folder = export(project)
    found = read(folder, "shop/price_py/file_dependencies.json")
    assert found["file"] == "shop-project/shop/price_py/price.py"
    definitions = [
        (d["name"], d["type"], d["start_line"], d["end_line"]) for d in found["definitions"]
    ]
    assert definitions == [
        ("RATE", "constant", 4, 4),
        ("Price", "class", 7, 13),
        ("total", "method", 10, 13),
        ("main", "function", 16, 17),
    ]
    assert found["definitions"][2]["context"].startswith(
        "    def total(self, n):\n        def inner"
    )
    assert found["callee_usages"] == [
        {
            "name": "Shape",
            "from": "shop-project/shop/geometry_py/geometry.py",
            "target_context": 'class Shape:\n    name = "shape"',
            "lines": [7],
        },
        {
            "name": "area",
            "from": "shop-project/shop/geometry_py/geometry.py",
            "target_context": 'def area(n):\n    """Square."""\n    return n * n',
            "lines": [12],
        },
    ]
    assert {"name": "RATE", "lines": [13]} in found["same_file_usages"]
    assert found["caller_usages"] == []


def test_who_uses_a_source_is_shown_with_its_surroundings(project):
    folder = export(project)
    [usage] = [
        one
        for one in read(folder, "shop/geometry_py/file_dependencies.json")["caller_usages"]
        if one["name"] == "area"
    ]
    assert usage["file"] == "shop-project/shop/price_py/price.py"
    assert usage["lines"] == [12]
    assert "            return size(n)\n        return inner() * RATE" in usage["usage_context"]
    assert len(usage["usage_context"].split("\n")) == 7


def test_names_that_a_language_encodes_are_never_shown(project):
    text = (export(project) / "web/app_ts/file_dependencies.json").read_text("utf-8")
    assert '"name": "zed"' in text
    assert "@" not in text.replace("@{", "")


@pytest.mark.parametrize(
    ("name", "code", "user"),
    [
        ("A.java", "class A { A(int x) {} }\n", "class B { A a() { return new A(1); } }\n"),
        ("A.kt", "class A { constructor(x: Int) {} }\n", "fun b() = A(1)\n"),
        ("A.cs", "class A { public A(int x) {} }\n", "class B { A a() { return new A(1); } }\n"),
    ],
)
def test_a_constructor_is_named_as_the_code_names_it(tmp_path, name, code, user):
    folder = export(Project(tmp_path / "p").write({name: code, name.replace("A", "B"): user}))
    found = read(folder, f"{name.replace('.', '_')}/file_dependencies.json")
    assert ("A", "constructor") in [(one["name"], one["type"]) for one in found["definitions"]]
    assert "A.A" in [one["name"] for one in found["caller_usages"]]
    assert "<init>" not in (folder / "project_knowledge.json").read_text("utf-8")


def test_the_copy_the_document_and_its_hash(project):
    folder = export(project)
    source = project.path / "shop/price.py"
    assert (folder / "shop/price_py/price.py").read_bytes() == source.read_bytes()
    doc = read(folder, "shop/price_py/doc.json")
    assert doc["source_hash"] == sha256(source.read_bytes()).hexdigest()
    assert doc["summary"]
    assert [one["id"] for one in doc["sections"]]
    for one in doc["sections"]:
        assert one["content"] in (folder / "shop/price_py/doc.md").read_text("utf-8")


def test_the_consolidated_file_holds_the_same(project):
    folder = export(project, "--format", "both")
    knowledge = read(folder, "project_knowledge.json")
    summary = read(folder, "project_dependency_summary.json")
    assert knowledge["project_name"] == summary["project_name"] == "shop-project"
    assert knowledge["project_dependencies"] == summary["files"]
    for entry in knowledge["files"]:
        own = (folder.parent / entry["file"]).parent
        expected = read(own, "file_dependencies.json")
        assert expected == {"file": entry["file"], **entry["file_dependencies"]}
        if "doc" in entry:
            assert read(own, "doc.json") == {"file": entry["file"], **entry["doc"]}
        else:
            assert not (own / "doc.json").exists()


def test_other_text_is_listed_empty_and_binary_files_are_not(project):
    project.write({"data.bin": b"a\0b", "blank.txt": "  \n", "utf16.txt": "é".encode("utf-16")})
    folder = export(project)
    files = {one["file"]: one for one in read(folder, "project_dependency_summary.json")["files"]}
    empty = {"summary": None, "callers": [], "callees": []}
    for name in ("README_md/README.md", "notes/notes", "utf16_txt/utf16.txt"):
        file = f"shop-project/{name}"
        assert files[file] == {"file": file, **empty}
    assert not [one for one in files if "data" in one or "blank" in one or "__init__" in one]
    assert not [one for one in files if ".codetwine" in one]


def test_callers_and_callees_mirror_each_other(project):
    folder = export(project)
    files = {one["file"]: one for one in read(folder, "project_dependency_summary.json")["files"]}
    edges = {(file, other) for file, one in files.items() for other in one["callees"]}
    assert edges == {(other, file) for file, one in files.items() for other in one["callers"]}
    assert len(edges) == 2


def test_a_consumer_of_the_reference_formats_finds_its_way(project):
    # As one for the reference tool does it: walk from a definition over `from` to the source copy.
    folder = export(project)
    data = read(folder, "project_knowledge.json")
    index = {entry["file"]: entry for entry in data["files"]}
    [start] = [
        entry
        for entry in data["files"]
        for one in entry["file_dependencies"]["definitions"]
        if one["name"] == "main"
    ]
    usage = start["file_dependencies"]["callee_usages"][1]
    target = index[usage["from"]]
    [definition] = [
        one for one in target["file_dependencies"]["definitions"] if one["name"] == usage["name"]
    ]
    text = (folder.parent / usage["from"]).read_text("utf-8").split("\n")
    code = "\n".join(text[definition["start_line"] - 1 : definition["end_line"]])
    assert code == usage["target_context"] == definition["context"]


def test_two_runs_give_the_same_bytes(project, tmp_path):
    first = tree(export(project, "--format", "both", "--output-dir", str(tmp_path / "one")))
    folder = export(project, "--format", "both", "--output-dir", str(tmp_path / "two"))
    assert tree(folder) == first
    export(project, "--format", "both", "--output-dir", str(tmp_path / "two"))
    assert tree(folder) == first
    assert len(first) > 15


def test_after_a_change_the_export_is_that_of_a_fresh_one(project, tmp_path):
    folder = export(project, "--format", "both")
    project.replace("shop/geometry.py", "n * n", "n ** 2")
    project.delete("web/lib.ts").write({"shop/extra.py": "from .price import main\nmain()\n"})
    said = project.tool("export", "--format", "both", "--json").json
    fresh = export(project, "--format", "both", "--output-dir", str(tmp_path / "fresh"))
    assert tree(folder) == tree(fresh)
    assert not (folder / "web/lib_ts").exists()
    assert 0 < said["made"] < said["files"]


def test_what_someone_changed_in_an_export_is_made_again(project):
    folder = export(project)
    before = tree(folder)
    (folder / "shop/price_py/file_dependencies.json").write_text("{}")
    (folder / "shop/geometry_py/geometry.py").unlink()
    project.write({"new.py": "x = 1\n"})
    export(project)
    project.delete("new.py")
    export(project)
    assert tree(folder) == before


@pytest.mark.parametrize(
    "name",
    [
        "project_knowledge.json",
        "project_knowledge.sqlite",
        "project_dependency_summary.json",
        "dependency_graph.md",
        "shop/price_py/file_dependencies.json",
        "shop/price_py/price.py",
    ],
)
@pytest.mark.parametrize("replaced", [False, True])
def test_a_change_that_keeps_the_size_and_the_time_is_seen(project, name, replaced):
    folder = export(project, "--format", "both")
    before = tree(folder)
    target = folder / name
    stamp = target.stat()
    changed = target.with_name("changed") if replaced else target
    changed.write_bytes(target.read_bytes()[:-1] + b"#")
    os.utime(changed, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    changed.replace(target)
    assert tree(folder) != before
    export(project, "--format", "both")
    assert tree(folder) == before


def test_what_was_not_touched_is_not_written_again(project):
    folder = export(project, "--format", "both")
    stamps = {path: path.stat().st_ctime_ns for path in folder.rglob("*") if path.is_file()}
    assert project.tool("export", "--format", "both", "--json").json["made"] == 0
    assert stamps == {path: path.stat().st_ctime_ns for path in stamps}
    project.write({"notes": "other\n"})
    assert project.tool("export", "--format", "both", "--json").json["made"] == 1
    written = {path.name for path in stamps if path.stat().st_ctime_ns != stamps[path]}
    assert written == {
        ".export.json",
        "notes",
        "project_dependency_summary.json",
        "project_knowledge.json",
        "project_knowledge.sqlite",
    }


_edit = st.sampled_from(
    [
        ("shop/geometry.py", "def area(n):\n    return n\n\ndef aaa(): pass\n"),
        ("shop/geometry.py", "class Shape: pass\n"),
        ("shop/price.py", "from .geometry import *\narea(1)\n"),
        ("shop/price.py", "from web import nothing\n"),
        ("shop/extra.py", "from .price import main\nmain()\n"),
        ("web/lib.ts", "export const other = 1;\n"),
        ("a.txt", "text\n"),
        ("README.md", ""),
        ("web/app.ts", None),
        ("shop/geometry.py", None),
        ("shop/price.py", None),
    ]
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_edit, st.booleans()), min_size=1, max_size=5))
def test_any_changes_lead_to_what_a_fresh_export_is(tmp_path, edits):
    shutil.rmtree(tmp_path / "p", ignore_errors=True)
    project = Project(tmp_path / "p", SHAPES)
    folder = export(project, "--format", "both")
    for (name, text), exports in edits:
        (project.path / name).unlink(missing_ok=True)
        if text is not None:
            project.write({name: text})
        if exports:
            project.tool("refresh")
            export(project, "--format", "both")
    export(project, "--format", "both")
    shutil.rmtree(tmp_path / "fresh", ignore_errors=True)
    fresh = export(project, "--format", "both", "--output-dir", str(tmp_path / "fresh"))
    assert tree(folder) == tree(fresh)


def test_kill_at_any_moment(tmp_path):
    files = {f"m{number:03}.py": f"from base import low\nlow({number})\n" for number in range(200)}
    project = Project(tmp_path / "p").write({"base.py": "def low(n): return n\n", **files})
    command = [sys.executable, "-P", "-m", "twine_hooks", "export", "--format", "both"]
    environ = {**project.environ, **as_user()}
    started = time.monotonic()
    folder = export(project, "--format", "both")
    whole = time.monotonic() - started
    choose = random.Random(3)
    for number in range(5):
        project.write({"base.py": f"def low(n): return {number}\n"})
        project.rename(f"m{number:03}.py", f"n{number:03}.py")
        running = subprocess.Popen(command, cwd=project.path, env=environ)
        time.sleep(choose.uniform(0.3, 1.0) * whole)
        running.kill()
        running.wait()
        for path in folder.rglob("*.json"):
            if not path.name.startswith(".export"):
                json.loads(path.read_bytes())  # never half a file
        export(project, "--format", "both")
        fresh = export(project, "--format", "both", "--output-dir", str(tmp_path / f"f{number}"))
        assert tree(folder) == tree(fresh)


def test_two_exports_at_once_leave_a_whole_one(project, tmp_path):
    expected = tree(export(project, "--format", "both", "--output-dir", str(tmp_path / "one")))
    command = (sys.executable, "-P", "-m", "twine_hooks", "export", "--format", "both")
    environ = {**project.environ, **as_user()}
    running = [
        subprocess.Popen(
            [*command, "--output-dir", tmp_path / "two"], cwd=project.path, env=environ
        )
        for _ in range(3)
    ]
    assert [one.wait() for one in running] == [0, 0, 0]
    assert tree(tmp_path / "two/shop-project") == expected


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"[]\n",
        lambda data: data[:-9],
        lambda data: data.replace(b"doc.json", b"doc.jsom", 1),
        lambda data: data.replace(b"export 3", b"export 2"),
    ],
)
def test_a_damaged_record_costs_time_only(project, damage):
    folder = export(project, "--format", "both")
    before = tree(folder)
    record = folder / ".export.json"
    record.write_bytes(damage(record.read_bytes()))
    export(project, "--format", "both")
    assert tree(folder) == before


def test_a_record_cannot_make_us_delete_elsewhere(project):
    folder = export(project)
    victim = project.path / "shop/price.py"
    record = read_record(folder)
    record.done["gone.py"] = Done("x", None, False, {"../../../shop/price.py": 1})
    (folder / ".export.json").write_bytes(packed(record))
    export(project)
    assert victim.exists()


def test_the_export_is_of_a_commit_when_it_is_asked_for(project, tmp_path):
    project.write({"shop/geometry.py": "def other(): pass\n", "new.py": "x = 1\n"})
    folder = export(project, "--rev", "HEAD", "--output-dir", str(tmp_path / "out"))
    assert "def area" in (folder / "shop/geometry_py/geometry.py").read_text()
    assert not (folder / "new_py").exists()


def test_an_export_is_no_source_and_git_ignores_it(project):
    before = project.tool("status", "--json").out
    folder = export(project, "--output-dir", "output")
    assert project.status == ""
    assert project.tool("status", "--json").out == before
    again = tree(export(project, "--output-dir", "output"))
    assert not [name for name in again if name.startswith("output")]
    shutil.rmtree(folder)


def test_a_folder_with_files_of_the_project_is_refused(tmp_path):
    # `--output-dir .` in a repository whose package has its name.
    project = Project(tmp_path / "shop", "-- shop/a.py --\nx = 1\n").add().commit()
    said = project.tool("export", "--output-dir", ".")
    assert said.code == 1
    assert "shop/a.py is a file of the project; choose another --output-dir" in said.err
    assert project.status == ""


def test_an_export_that_git_was_told_of_is_never_read(project):
    folder = export(project, "--output-dir", "out")
    project.git("add", "-f", "out")
    said = project.tool("export", "--output-dir", "out")
    assert said.code == 1
    assert "git rm -r --cached" in said.err
    project.git("rm", "-rq", "--cached", "out")
    before = tree(folder)
    assert tree(export(project, "--output-dir", "out")) == before


def test_a_folder_of_someone_else_is_left_alone(project, tmp_path):
    other = tmp_path / "out/shop-project"
    other.mkdir(parents=True)
    (other / "diary.txt").write_text("mine")
    said = project.tool("export", "--output-dir", str(tmp_path / "out"))
    assert said.code == 1
    assert "is no export and holds diary.txt; choose another --output-dir" in said.err
    assert tree(other) == {"diary.txt": b"mine"}
    # One that the reference tool made is taken over.
    (other / "project_dependency_summary.json").write_text("{}")
    assert export(project, "--output-dir", str(tmp_path / "out")) == other


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, {"project_knowledge.json"}),
        ({"KNOWLEDGE_FORMAT": "sqlite"}, {"project_knowledge.sqlite"}),
        ({"KNOWLEDGE_FORMAT": "Both"}, {"project_knowledge.json", "project_knowledge.sqlite"}),
    ],
)
def test_the_environment_says_which_format(project, environ, expected):
    said = project.program("export", "--json", environ=environ)
    folder = Path(said.json["folder"])
    assert {one.name for one in folder.glob("project_knowledge.*")} == expected


def test_the_environment_says_where_to(project, tmp_path):
    said = project.program("export", "--json", environ={"DEFAULT_OUTPUT_DIR": str(tmp_path / "x")})
    assert Path(said.json["folder"]) == tmp_path / "x/shop-project"
    said = project.program("export", environ={"KNOWLEDGE_FORMAT": "xml"})
    assert said.code == 1
    assert "KNOWLEDGE_FORMAT is 'xml'; set it to json, sqlite, both" in said.err


def test_another_format_leaves_no_older_file_that_says_something_else(project):
    folder = export(project, "--format", "both")
    export(project, "--format", "sqlite")
    assert not (folder / "project_knowledge.json").exists()
    assert (folder / "project_knowledge.sqlite").exists()


def test_files_that_hold_secrets_are_not_copied_unless_asked_for(project):
    secret = "hunter2-hunter2"
    files = {".env": f"KEY={secret}\n", "deploy/id_rsa": f"-----{secret}\n", "my.pem": secret}
    files |= {".envrc": f"export KEY={secret}\n", "prod.tfvars": f'key = "{secret}"\n'}
    files["odd"] = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{secret}\n"
    project.write({**files, ".env.example": "KEY=\n"})
    folder = export(project)
    assert not [name for name, data in tree(folder).items() if secret.encode() in data]
    assert (folder / ".env_example/.env.example").exists()
    listed = {one["file"] for one in read(folder, "project_dependency_summary.json")["files"]}
    assert "shop-project/.env/.env" in listed
    export(project, "--with-secrets")
    assert secret in (folder / ".env/.env").read_text()
    export(project)
    assert not (folder / ".env/.env").exists()


def test_names_that_mangle_to_one_folder_do_not_overwrite_each_other(project):
    files = unpack("-- a.b --\none\n-- a_b --\ntwo\n-- doc.md --\nthree\n-- doc.json --\nfour\n")
    project.write({**files, "file_dependencies.json": "five\n", "A_B": "six\n"})
    project.write({".export-x": "seven\n", "project_knowledge.json/a": "eight\n"})
    export(project)
    project.write({"new": "change\n"})
    folder = export(project)
    copies = {
        name: (folder.parent / one["file"]).read_text()
        for one in read(folder, "project_dependency_summary.json")["files"]
        if (name := Path(one["file"]).name) in (*files, "file_dependencies.json", "A_B")
    }
    assert sorted(copies.values()) == ["five\n", "four\n", "one\n", "six\n", "three\n", "two\n"]


def test_a_name_that_is_no_utf_8_can_be_exported(tmp_path):
    project = Project(tmp_path / "p", "-- a.py --\nx = 1\n")
    name = b"\xff.py".decode("utf-8", "surrogateescape")
    (project.path / name).write_text("from a import x\n")
    folder = export(project, "--format", "both")
    listed = read(folder, "project_dependency_summary.json")["files"]
    assert {one["file"] for one in listed} >= {"p/a_py/a.py", "p/\udcff_py/\udcff.py"}
    with sqlite3.connect(folder / "project_knowledge.sqlite") as database:
        assert ("p/\\udcff_py/\\udcff.py",) in database.execute("SELECT file FROM files").fetchall()


def test_a_project_whose_name_is_no_utf_8_can_be_exported(tmp_path):
    name = b"shop\xff".decode("utf-8", "surrogateescape")
    project = Project(tmp_path / name, "-- a.py --\nx = 1\n")
    said = project.tool("export", "--format", "both", "--output-dir", str(tmp_path / "out"))
    assert said.code == 0, said.err
    [folder] = (tmp_path / "out").iterdir()
    assert read(folder, "project_knowledge.json")["project_name"] == name


def test_a_folder_that_cannot_be_written_is_named(project):
    said = project.tool("export", "--output-dir", "README.md")
    assert said.code == 1
    assert "README.md" in said.err
    assert "--output-dir" in said.err


def test_an_empty_repository_gives_empty_lists(tmp_path):
    folder = export(Project(tmp_path / "p"), "--format", "both")
    assert read(folder, "project_knowledge.json") == {
        "project_name": "p",
        "project_dependencies": [],
        "files": [],
    }


def test_nothing_of_the_machine_is_in_an_export(project, tmp_path):
    for name, data in tree(export(project, "--format", "both")).items():
        assert str(tmp_path).encode() not in data, name


def test_the_time_is_that_of_the_commit(project):
    folder = export(project, "--format", "sqlite")
    with sqlite3.connect(folder / "project_knowledge.sqlite") as database:
        meta = dict(database.execute("SELECT key, value FROM meta"))
    assert meta == {
        "created_at": "2024-01-02T03:04:05Z",
        "project_name": "shop-project",
        "schema_version": "1",
    }
