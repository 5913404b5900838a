"""The running API and the reading API, as another program uses them."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
import time

import pytest

from tests.environments import ROOT
from tests.projects import Project, unpack
from twine_hooks import knowledge_db as db
from twine_hooks.api import process_all_files
from twine_hooks.errors import CodetwineError

FILES = unpack('''
-- geometry.py --
"""Shapes."""
class BaseShape:
    """Something with an outline."""
    def compute_area(self): return 0

def areaOfSquare(n): return n * n
-- price.py --
from geometry import BaseShape, areaOfSquare
class Price(BaseShape):
    def total(self):
        return areaOfSquare(2) + self.compute_area()
-- shop.py --
from price import Price
def main():
    return Price().total()
''')


def run(*args, **options):
    return asyncio.run(process_all_files(*args, **options))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "shop"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


@pytest.fixture
def knowledge(folder, tmp_path):
    run(folder, tmp_path / "out", knowledge_format="sqlite")
    return db.open_knowledge(tmp_path / "out/shop/project_knowledge.sqlite")


def test_it_works_outside_of_a_repository(folder, tmp_path):
    (folder / "node_modules").mkdir()
    (folder / "node_modules/x.js").write_text("x()")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / "a.log").write_text("x")
    done = run(str(folder), str(tmp_path / "out"))
    expected = {"file_count": 4, "dependency_fail_list": [], "doc_count": 0, "doc_fail_list": []}
    assert done == expected
    summary = json.loads((tmp_path / "out/shop/project_dependency_summary.json").read_text())
    assert re.fullmatch(r"shop/\.gitignore~\w+/\.gitignore", summary["files"][0]["file"])
    assert [one["file"] for one in summary["files"][1:]] == [
        "shop/geometry_py/geometry.py",
        "shop/price_py/price.py",
        "shop/shop_py/shop.py",
    ]


def test_an_output_folder_inside_of_the_project_is_no_source(folder):
    for _ in range(3):
        assert run(folder, folder / "output")["file_count"] == 3


def test_the_same_folder_gives_the_same_bytes(folder, tmp_path):
    for name in ("one", "two"):
        run(folder, tmp_path / name, knowledge_format="both")
    for name in ("project_knowledge.json", "project_knowledge.sqlite", "dependency_graph.md"):
        one, two = ((tmp_path / folder / "shop" / name).read_bytes() for folder in ("one", "two"))
        assert one == two


def test_only_the_files_of_the_list_are_looked_at(folder, tmp_path):
    done = run(folder, tmp_path / "out", file_list=["price.py", "./geometry.py", "gone.py"])
    assert done["file_count"] == 2
    assert done["dependency_fail_list"] == ["gone.py"]
    with pytest.raises(CodetwineError, match="outside"):
        run(folder, tmp_path / "out", file_list=["../x.py"])


def test_in_a_repository_it_is_what_git_sees_with_its_documents(tmp_path):
    project = Project(tmp_path / "shop")
    project.write(FILES)
    project.write({".gitignore": "hidden.py\n", "hidden.py": "x = 1\n"})
    project.tool("refresh")
    done = run(project.path, tmp_path / "out")
    assert (done["file_count"], done["doc_count"]) == (4, 3)
    done = run(project.path, tmp_path / "out", file_list=["shop.py", "nothing.py"])
    assert (done["file_count"], done["doc_count"]) == (1, 1)
    assert done["dependency_fail_list"] == ["nothing.py"]


@pytest.mark.parametrize("name", ["gone", "shop/price.py"])
def test_a_folder_that_is_not_there(folder, tmp_path, name):
    with pytest.raises(CodetwineError, match="is no folder"):
        run(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_files_and_dependencies(knowledge):
    files = {one["file"]: one for one in db.iter_files(knowledge)}
    assert list(files) == [f"shop/{name}_py/{name}.py" for name in ("geometry", "price", "shop")]
    price = "shop/price_py/price.py"
    assert db.get_file(knowledge, price) == db.get_file(knowledge, "price.py") == files[price]
    assert db.get_file(knowledge, "gone.py") is None
    assert db.callees_of(knowledge, price) == ["shop/geometry_py/geometry.py"]
    assert db.callers_of(knowledge, price) == ["shop/shop_py/shop.py"]
    [entry] = [one for one in db.iter_dependencies(knowledge) if one["file"] == price]
    assert entry["callers"] == ["shop/shop_py/shop.py"]


def test_definitions_by_name_or_a_part_of_it(knowledge):
    [found] = db.find_definitions(knowledge, "total")
    assert found == {
        "file": "shop/price_py/price.py",
        "name": "total",
        "type": "method",
        "start_line": 3,
        "end_line": 4,
    }
    assert db.find_definitions(knowledge, "tot") == []
    assert [one["name"] for one in db.find_definitions(knowledge, "AREA", partial=True)] == [
        "compute_area",
        "areaOfSquare",
    ]
    assert db.find_definitions(knowledge, "%", partial=True) == []


@pytest.mark.parametrize(
    "name", ["total", "Price.total", "Price::total", "price.py::Price.total", "price.py::total"]
)
def test_callers_and_callees_of_a_symbol(knowledge, name):
    [caller] = db.callers_of_symbol(knowledge, name)
    assert (caller["path"], caller["qualified"]) == ("shop.py", "main")
    assert (caller["edge"], caller["lines"]) == ("calls", [3])
    callees = {one["qualified"] for one in db.callees_of_symbol(knowledge, name)}
    assert callees == {"areaOfSquare", "BaseShape.compute_area"}
    [symbol] = db.find_symbols(knowledge, name)
    assert symbol["kind"] == "method"


def test_a_path_names_the_file(knowledge):
    [found] = db.find_symbols(knowledge, "price.py")
    assert (found["name"], found["kind"], found["qualified"]) == ("price.py", "file", "")
    assert [one["path"] for one in db.callers_of_symbol(knowledge, "price.py")] == ["shop.py"]


def test_what_a_symbol_touches_with_the_steps(knowledge):
    found = [
        (one["qualified"], one["steps"]) for one in db.impact_of_symbol(knowledge, "areaOfSquare")
    ]
    assert found == [("Price.total", 1), ("main", 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("square", "areaOfSquare"),
        ("area of square", "areaOfSquare"),
        ("compute", "BaseShape.compute_area"),
        ("outline", "BaseShape"),
        ("basesh", "BaseShape"),
    ],
)
def test_search_knows_the_parts_of_names(knowledge, text, expected):
    assert expected in [one["qualified"] for one in db.search(knowledge, text)]


@pytest.mark.parametrize("text", ["", "  ", '"', "a AND", "(", "'; DROP TABLE files", "*", "NEAR("])
def test_no_search_is_an_error(knowledge, text):
    db.search(knowledge, text)


def test_the_database_cannot_be_written(knowledge):
    with pytest.raises(sqlite3.OperationalError):
        knowledge.execute("DELETE FROM files")


def test_what_is_no_database_is_named(tmp_path):
    (tmp_path / "x").write_text("text that is no database, but long enough to be looked at" * 99)
    for name in ("x", "gone"):
        with pytest.raises(CodetwineError, match=r"codetwine export --format sqlite"):
            db.open_knowledge(tmp_path / name)


def test_a_query_uses_an_index(knowledge):
    asked = []
    knowledge.set_trace_callback(asked.append)
    for name in ("total", "Price.total", "price.py::total", "price.py", "nothing"):
        db.find_symbols(knowledge, name)
        db.callers_of_symbol(knowledge, name)
        db.callees_of_symbol(knowledge, name)
        db.impact_of_symbol(knowledge, name)
    knowledge.set_trace_callback(None)
    assert len(asked) > 20
    for query in asked:
        plan = [row[3] for row in knowledge.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert not [one for one in plan if re.match(r"SCAN (symbols|symbol_edges|edge)\b", one)], (
            plan
        )


def test_reading_imports_nothing_heavy():
    program = "import sys, twine_hooks.knowledge_db; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "sqlite3" in loaded
    assert not loaded & {"click", "pygit2", "tree_sitter", "ruamel", "litellm", "blake3"}


def test_a_query_takes_no_time(knowledge):
    started = time.perf_counter()
    db.callers_of_symbol(knowledge, "total")
    db.search(knowledge, "area")
    assert time.perf_counter() - started < 0.05
