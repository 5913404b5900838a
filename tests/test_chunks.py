"""Chunks and the map of signatures: nothing lost, nothing too large, and what each piece says."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.projects import Project
from tests.schemas import problems, schema
from twine_hooks.chunks import chunks_of, complexity, tokens_of
from twine_hooks.project_view import viewed
from twine_hooks.session import Session

SOURCE = '''\
"""Shop."""
import os
from .tools import helper as h, other


@decorate
class Shop(Base, other.Mixin):
    """Sells things."""

    def open(self, n):
        """Open up."""
        if n and h(n):
            return self.close(n)
        return None

    def close(self, n):
        return [x for x in range(n)]


def main():
    return Shop().open(1)
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("chunks") / "p")
    tools = "def helper(n): return n\ndef other(): pass\n"
    return made.write({"shop.py": SOURCE, "tools.py": tools, "a.ts": "export const x = () => 1;\n"})


def chunks(project, *args):
    said = project.tool("chunks", *args)
    assert said.code == 0, said.err
    return [json.loads(line) for line in said.out.splitlines()]


def in_process(project, ask):
    with viewed(Session(project.path, project.environ)) as view:
        return ask(view)


_line = st.sampled_from(
    [
        "def f(a):\n", "class C:\n", "    x = 1\n", "    def m(self):\n", "        return f(1)\n", "\n",
        "import os\n", "# text\n", "x = [1,\n", "]\n", "    @property\n", "a = b; c = d\n",
        "def g(): return 1\n", '"""\n', "é = 'ü'\n", "y" * 300 + "\n", "\r\n", "x",
    ]
)  # fmt: skip


_brace_line = st.sampled_from(
    [
        "class A {\n", "struct S {\n", "fn f() {\n", "func g() int {\n", "function h() {\n", "int m() {\n",
        "}\n", "  return f(1);\n", "/* open\n", "close */\n", "/** Doc. */\n", "// line\n", "# hash\n", "\n",
        "  int x = 1;\n", "  /* a */ int y; /* b */\n", "import a.b;\n", "#include <a>\n", "end\n", "def go\n",
        "CREATE TABLE t (a int);\n", "-- note\n", "\ufeffx\n", "z" * 300 + "\n", "\r\n", "é }\n", "};",
    ]
)  # fmt: skip
_sources = st.one_of(
    st.tuples(st.just("a.py"), st.lists(_line, min_size=1, max_size=60).map("".join)),
    st.tuples(
        st.sampled_from(
            ("a.java", "a.kt", "a.cs", "a.ts", "a.go", "a.rs", "a.rb", "a.c", "a.cpp", "a.sql")
        ),
        st.lists(_brace_line, min_size=1, max_size=60).map("".join),
    ),
)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(_sources, st.sampled_from([50, 200, 2000]))
def test_together_the_chunks_of_a_file_are_its_text(tmp_path, source, most):
    name, text = source
    shutil.rmtree(tmp_path / "p", ignore_errors=True)
    project = Project(tmp_path / "p").write({name: text})
    found = in_process(project, lambda view: list(chunks_of(view, max_tokens=most)))
    if not text.strip():
        assert found == []
        return
    whole = text.replace("\r\n", "\n")
    assert "".join(one.code for one in found) == whole
    assert [one.start_line for one in found[1:]] == [one.end_line + 1 for one in found[:-1]]
    for one in found:
        assert whole.encode()[one.start_byte : one.end_byte].decode() == one.code
        assert one.tokens <= most or one.start_line == one.end_line
    assert len({one.id for one in found}) == len(found)


def test_each_says_what_its_schema_says(project):
    values = chunks(project)
    assert [one for value in values for one in problems(value, schema("chunks.jsonl"))] == []
    assert {one["file"] for one in values} == {"shop.py", "tools.py", "a.ts"}


def test_a_definition_that_fits_is_one_chunk(project):
    found = {one["id"]: one for one in chunks(project, "shop.py", "--max-tokens", "200")}
    shop = found["shop.py::Shop"]
    assert shop["code"].startswith("@decorate\nclass Shop")
    assert (shop["type"], shop["name"], shop["parent"]) == ("class", "Shop", None)
    assert shop["doc"] == "Sells things."
    assert shop["bases"] == ["Base", "other.Mixin"]
    assert shop["decorators"] == ["decorate"]
    assert shop["symbols"] == ["Shop", "Shop.open", "Shop.close"]
    assert shop["imports"] == ["os", "from .tools: helper as h", "from .tools: other"]
    assert shop["imports_used"] == ["from .tools: helper as h", "from .tools: other"]
    assert {"written": "self.close", "resolved": "shop.py::Shop.close"} in shop["calls"]
    assert {"written": "h", "resolved": "tools.py::helper"} in shop["calls"]
    assert shop["complexity"] == 4


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        (
            "a.py",
            "import os\nfrom .gone import away\nos.path.join(1)\naway()\n",
            ["away", "os.path.join"],
        ),
        ("a.ts", 'import fs from "fs";\nfs.read(fs.x);\n', ["fs.read"]),
        (
            "A.java",
            "class A { void m(B b) { System.out.println(b.x); } }\n",
            ["System.out.println"],
        ),
    ],
)
def test_calls_that_leave_the_project_are_told_as_they_are_written(tmp_path, name, code, expected):
    [found] = chunks(Project(tmp_path / "p").write({name: code}))
    assert found["calls"] == [{"written": one, "resolved": None} for one in expected]


def test_one_that_is_too_large_is_split_at_its_members(project):
    found = {one["id"]: one for one in chunks(project, "shop.py", "--max-tokens", "60")}
    method = found["shop.py::Shop::open"]
    assert method["parent"] == "shop.py::Shop"
    assert method["qualified_name"] == "Shop.open"
    assert method["doc"] == "Open up."
    assert found["shop.py::Shop"]["code"].startswith("@decorate")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (
            "A.java",
            "class A {\n{pad}\n\n    /**\n     * Adds.\n     */\n    int add() { return 1; }\n}\n",
        ),
        ("a.py", "{pad}\n\n# Adds\n# all.\ndef add(): return 1\n"),
        ("a.ts", "{pad}\n\n/** Adds. */\n// really\nexport function add() { return 1; }\n"),
        ("a.c", "#include <x.h>\n{pad}\n#define Y\n/* Adds. */\nint add(void) { return 1; }\n"),
    ],
)
def test_the_comment_above_a_definition_is_in_its_chunk(tmp_path, name, code):
    mark = "#" if name.endswith("py") else "//"
    pad = "\n".join(f"{mark} {n} other text that fills the file up to here" for n in range(20))
    project = Project(tmp_path / "p").write({name: code.replace("{pad}", pad)})
    found = chunks(project, "--max-tokens", "100")
    assert "".join(one["code"] for one in found) == project.read(name)
    [add] = [one for one in found if one["name"] == "add"]
    lines = [line.strip() for line in add["code"].splitlines()]
    assert [line for line in lines if "Adds" in line]
    assert not [line for line in lines if "#define" in line or "other text" in line]


def test_small_neighbours_are_together(project):
    [found] = chunks(project, "tools.py")
    assert (found["id"], found["type"]) == ("tools.py::helper..other", "group")
    assert found["symbols"] == ["helper", "other"]


def test_filters(project):
    assert {one["id"] for one in chunks(project, "--filter", "type=class")} == {"shop.py::Shop"}
    assert chunks(project, "--filter", "type=class", "--filter", "file=*.ts") == []
    assert [one["name"] for one in chunks(project, "--filter", "decorators=deco*")] == ["Shop"]
    said = project.tool("chunks", "--filter", "size=3")
    assert said.code == 1
    assert "FIELD=PATTERN" in said.err


def test_the_api_takes_a_filter(project):
    def ask(view):
        return [one.name for one in chunks_of(view, keep=lambda one: "main" in one.symbols)]

    assert in_process(project, ask) == ["main"]


def test_a_document_gives_its_summary(tmp_path):
    project = Project(tmp_path / "p").write({"a.py": '"""About shops."""\nx = 1\n'})
    assert chunks(project)[0]["summary"] is None
    project.tool("refresh")
    assert "shops" in chunks(project)[0]["summary"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", 1),
        ("if a and b: pass\nelif c: pass", 4),
        ("x = 'if' # while\n", 1),
        ("for (;;) { if (a && b || c) {} }", 5),
        ("a ? b : c", 2),
        ("a?.b ?? c", 1),
    ],
)
def test_complexity(code, expected):
    assert complexity(code) == expected


def test_the_map_keeps_its_budget(project):
    for most in (50, 70, 2000):
        said = project.tool("repomap", "--max-tokens", str(most))
        assert tokens_of(said.out) <= most
    assert "class Shop(Base, other.Mixin)\n    def open(self, n)\n" in said.out
    assert "return" not in said.out


def test_the_focus_decides_what_matters(tmp_path):
    files = {"hub.py": "def popular(): pass\n", "rare.py": "def special(): pass\n"}
    files |= {f"u{n}.py": "from hub import popular\npopular()\n" for n in range(9)}
    files["mine.py"] = "from rare import special\nspecial()\n"
    project = Project(tmp_path / "p").write({name: text * 1 for name, text in files.items()})
    first = project.tool("repomap", "--max-tokens", "50", "--focus", "mine.py").out
    assert first.index("special") >= 0
    ranked = project.tool("rank", "--json").json["ranked"]
    assert ranked[0]["name"] == "popular"
