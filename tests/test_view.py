"""The view of a snapshot: mirrors, contexts, and never a look at the disk beside it."""

from __future__ import annotations

import random
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.projects import Project
from twine_hooks.places import folder_name, places_of
from twine_hooks.project_view import view_of
from twine_hooks.secret_files import holds_secrets
from twine_hooks.session import Session
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.view import is_text
from twine_hooks.workspace import opened


def seen(project, ask, **options):
    with opened(Session(project.path, project.environ), **options) as workspace:
        return ask(view_of(workspace, options.get("rev")))


_name = st.sampled_from(["a", "b", "c", "d"])
_statement = st.builds(
    lambda form, module, symbol: form.format(m=module, s=symbol),
    st.sampled_from(
        [
            "from {m} import {s}\n{s}()\n",
            "import {m}\n{m}.{s}()\n",
            "from {m} import *\n",
            "def {s}(): return 1\n",
            "class {s}:\n    def go(self): return {s}\n",
            "import {m} as q\nx = q.{s}\n",
        ]
    ),
    _name,
    st.sampled_from(["f", "g", "h"]),
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(_name, st.lists(_statement, max_size=5).map("".join), min_size=2))
def test_what_is_used_mirrors_who_uses(tmp_path, files):
    shutil.rmtree(tmp_path / "p", ignore_errors=True)
    project = Project(tmp_path / "p")
    project.write({f"{name}.py": text for name, text in files.items()})

    def check(view):
        pairs = {(a, b) for a, targets in view.dependencies.items() for b in targets}
        assert pairs == {(a, b) for b, users in view.dependents.items() for a in users}
        used = {(a, *one) for a in view.sources for one in view.used(a) if one.file != a}
        assert used == {
            (one.file, b, one.name, one.lines) for b in view.paths for one in view.used_by(b)
        }
        assert {(a, b) for a, b, *_ in used} <= pairs
        assert list(view.paths) == sorted(view.paths)
        for _, target, name, _ in used:
            assert (view.context(target, name) is not None) == bool(view.definitions(target, name))

    seen(project, check)


def test_it_never_looks_at_the_disk_beside_the_snapshot(tmp_path):
    project = Project(tmp_path / "p", "-- a.py --\ndef f(): pass\n").add().commit()
    project.write({"a.py": "other\n", "b.py": "x = 1\n"})

    def ask(view):
        return view.paths, view.data("a.py"), view.context("a.py", "f")

    expected = (("a.py",), b"def f(): pass\n", "def f(): pass")
    assert seen(project, ask, rev="HEAD") == expected


def test_excluded_files_are_not_there(tmp_path):
    project = Project(tmp_path / "p", config="exclude: ['gen/']\n")
    project.write({"a.py": "x = 1\n", "gen/b.py": "y = 1\n", "gen/c.txt": "text\n"})
    assert seen(project, lambda view: view.paths) == ("a.py",)


def test_the_name_of_the_project_is_that_of_its_folder(tmp_path):
    project = Project(tmp_path / "Some Name", "-- a/b.py --\nx = 1\n").add().commit()
    assert seen(project, lambda view: view.name) == "Some Name"
    inside = Session(project.path, project.environ)._replace(cwd=project.path / "a")
    with opened(inside) as workspace:
        assert view_of(workspace).name == "Some Name"
    project.clone(tmp_path / "bare.git", "--bare")
    with opened(Session(tmp_path / "bare.git", project.environ)) as workspace:
        assert view_of(workspace).name == "bare"


def test_contexts_of_overloads_follow_each_other(tmp_path):
    getter, setter = "@property\n def x(self): return 1", "@x.setter\n def x(self, v): pass"
    project = Project(tmp_path / "p").write({"a.py": f"class A:\n {getter}\n {setter}\n"})
    context = seen(project, lambda view: view.context("a.py", "A.x"))
    assert "return 1" in context
    assert "x.setter" in context


def test_the_symbol_graph_of_a_small_project(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- base.py --
class Base:
    def go(self): ...
-- user.py --
from base import Base as B

class A(B):
    def m(self):
        self.go()
        return helper()

def helper(): return A()
""",
    )

    def edges(view):
        graph = make_symbol_graph(view)
        return {
            (str(graph.nodes[one.source]), one.kind, str(graph.nodes[one.target]))
            for one in graph.edges
        }

    assert seen(project, edges) == {
        ("base.py", "defines", "base.py::Base"),
        ("base.py::Base", "has_method", "base.py::Base.go"),
        ("user.py", "defines", "user.py::A"),
        ("user.py", "defines", "user.py::helper"),
        ("user.py::A", "has_method", "user.py::A.m"),
        ("user.py", "imports", "base.py"),
        ("user.py::A", "inherits_from", "base.py::Base"),
        ("user.py::A.m", "calls", "base.py::Base.go"),
        ("user.py::A.m", "calls", "user.py::helper"),
        ("user.py::helper", "calls", "user.py::A"),
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("main.py", "main_py"),
        ("pkg/main.py", "pkg/main_py"),
        ("Makefile", "Makefile"),
        ("a/.env", "a/.env"),
        ("x.tar.gz", "x.tar_gz"),
        ("llm/__init__.py", "llm/__init___py"),
    ],
)
def test_a_source_s_folder_is_named_as_the_reference_tool_does(path, expected):
    assert folder_name(path) == expected


_part = st.sampled_from(["a", "A", "a.b", "a_b", "a.b.c", "doc.md", "doc.json", "source", "a_b.c"])


@given(st.sets(st.lists(_part, min_size=1, max_size=3).map("/".join)))
def test_no_two_sources_share_a_file(paths):
    # A snapshot has no path that is both a file and a folder.
    paths = {one for one in paths if not any(other.startswith(one + "/") for other in paths)}
    places = places_of(random.sample(sorted(paths), len(paths)))
    assert places == places_of(paths)
    files = [
        f"{place.folder}/{name}".casefold()
        for place in places.values()
        for name in ("file_dependencies.json", "doc.json", "doc.md")
    ]
    files += [place.copy.casefold() for place in places.values()]
    assert len(files) == len(set(files))
    assert not any(one.startswith(other + "/") for one in files for other in files)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x", True),
        (b"", False),
        (b" \n", False),
        (b"a\0", False),
        (b"a" * 9000 + b"\0", True),
        ("x".encode("utf-16"), True),
        (b"\xff\xfe", False),
    ],
)
def test_what_is_text(data, expected):
    assert is_text(data) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".env", True),
        ("a/.env.local", True),
        (".env.example", False),
        ("prod.env", True),
        ("tls/server.key", True),
        ("id_ed25519", True),
        ("id_ed25519.pub", False),
        ("secrets.yaml", True),
        ("environment.py", False),
        ("keys.py", False),
        ("credentials.py", False),
    ],
)
def test_which_files_hold_secrets(path, expected):
    assert holds_secrets(path, b"text") is expected
