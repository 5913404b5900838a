"""Files that come, go, move, change places or are copied: none of it asks a model again."""

from __future__ import annotations

import os

import pytest

from tests.projects import DOCS, Project

FILES = '''
-- lib/__init__.py --
-- lib/shapes.py --
"""Shapes."""


def area(width, height):
    """The area."""
    return width * height


def perimeter(width, height):
    return 2 * (width + height)
-- lib/report.py --
"""Reports."""
from .shapes import area


def show():
    return area(3, 4)
-- main.py --
from lib.report import show

show()
'''
ALL = "lib/shapes.py lib/report.py main.py"


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "p", FILES).check(ALL)


def test_a_file_that_nobody_uses_moves_alone(project):
    before = project.doc("main.py")
    project.rename("main.py", "app.py").check(moved="main.py>app.py", removed="main.py")
    assert project.doc("app.py").splitlines()[2:] == [
        line.replace("main.py", "app.py") for line in before.splitlines()[2:]
    ]
    assert not (project.path / DOCS / "main.py").exists()
    project.rename("app.py", "main.py").check(moved="app.py>main.py", removed="app.py")
    assert project.doc("main.py") == before


def test_a_file_that_moves_with_the_imports_of_its_users(project):
    project.rename("lib/shapes.py", "lib/forms.py")
    project.replace("lib/report.py", "from .shapes", "from .forms")
    project.check("lib/report.py", moved="lib/shapes.py>lib/forms.py", removed="lib/shapes.py")
    assert "(../forms.py/doc.md)" in project.doc("lib/report.py")


def test_a_file_that_moves_without_its_users_leaves_them_with_nothing(project):
    project.rename("lib/shapes.py", "lib/forms.py")
    project.check("lib/report.py", moved="lib/shapes.py>lib/forms.py", removed="lib/shapes.py")
    assert "shapes" not in project.doc("lib/report.py")
    project.rename("lib/forms.py", "lib/shapes.py")
    project.check("lib/report.py", moved="lib/forms.py>lib/shapes.py", removed="lib/forms.py")
    assert "(../shapes.py/doc.md)" in project.doc("lib/report.py")


def test_a_folder_moves_as_a_whole(project):
    project.rename("lib", "core").replace("main.py", "from lib.", "from core.")
    project.check(
        "main.py",
        moved="lib/shapes.py>core/shapes.py lib/report.py>core/report.py",
        removed="lib/report.py lib/shapes.py",
    )
    assert not (project.path / DOCS / "lib").exists()
    project.rename("core", "lib").replace("main.py", "from core.", "from lib.")
    project.check(
        "main.py",
        moved="core/shapes.py>lib/shapes.py core/report.py>lib/report.py",
        removed="core/report.py core/shapes.py",
    )


def test_a_file_that_moves_and_changes_is_written_from_its_old_document(project):
    project.edit_doc("lib/shapes.py", "Shapes.", "Shapes, as we teach them.")
    project.check()
    project.rename("lib/shapes.py", "lib/forms.py")
    project.replace("lib/forms.py", "2 * (width + height)", "(width + height) * 2")
    project.replace("lib/report.py", "from .shapes", "from .forms")
    project.check("lib/forms.py lib/report.py", removed="lib/shapes.py")
    assert "Shapes, as we teach them." in project.doc("lib/forms.py")


def test_a_copy_says_the_same(project):
    project.write({"lib/again.py": project.read("lib/shapes.py")})
    project.check(moved="lib/shapes.py>lib/again.py")
    project.replace("lib/again.py", "width * height", "height * width").check("lib/again.py")
    project.delete("lib/again.py").check(removed="lib/again.py")


def test_two_files_that_change_places(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
def first(): return 1
-- b.py --
def second(): return 2
""",
    ).check("a.py b.py")
    project.edit_doc("a.py", "Defines function `first`.", "By hand, of the first.").check()
    project.rename("a.py", "c").rename("b.py", "a.py").rename("c", "b.py")
    project.check(moved="b.py>a.py a.py>b.py")
    assert "By hand, of the first." in project.doc("b.py")
    assert "By hand" not in project.doc("a.py")
    assert "`def second()`" in project.doc("a.py")


def test_three_files_that_change_places_in_a_ring(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
def first(): return 1
-- b.py --
def second(): return 2
-- c.py --
def third(): return 3
""",
    ).check("a.py b.py c.py")
    project.rename("a.py", "d").rename("c.py", "a.py").rename("b.py", "c.py").rename("d", "b.py")
    project.check(moved="c.py>a.py a.py>b.py b.py>c.py")


def test_a_file_that_becomes_a_package(project):
    project.rename("lib/shapes.py", "lib/shapes/__init__.py")
    project.check(
        rendered="lib/report.py",
        moved="lib/shapes.py>lib/shapes/__init__.py",
        removed="lib/shapes.py",
    )
    project.rename("lib/shapes/__init__.py", "x").delete_folder("lib/shapes")
    project.rename("x", "lib/shapes.py")
    project.check(
        rendered="lib/report.py",
        moved="lib/shapes/__init__.py>lib/shapes.py",
        removed="lib/shapes/__init__.py",
    )


def test_a_rename_of_case_only_on_a_disk_that_does_not_tell_case(tmp_path):
    """A link stands in for such a disk: both names lead to one folder. Tried on a real one, too."""
    project = Project(tmp_path / "p", "\n-- alone.py --\ndef alone(): return 1\n").check("alone.py")
    project.edit_doc("alone.py", "Defines", "By hand: defines").add().commit("first")
    project.git("mv", "alone.py", "Alone.py")
    os.symlink("alone.py", project.path / DOCS / "Alone.py")
    said = project.tool("refresh", "--staged")
    assert said.code == 0 and "git rm -rq --cached" in said.out
    assert "By hand" in project.doc("Alone.py")


def test_a_source_becomes_a_folder_of_its_very_name(tmp_path):
    project = Project(tmp_path / "p", "\n-- a.py --\ndef f(): return 1\n").check("a.py")
    project.rename("a.py", "x").rename("x", "a.py/b.py")
    project.check(moved="a.py>a.py/b.py", removed="a.py")
    project.rename("a.py/b.py", "x").delete_folder("a.py").rename("x", "a.py")
    project.check(moved="a.py/b.py>a.py", removed="a.py/b.py")


def test_a_deleted_file_takes_its_document_along_and_its_users_are_told(project):
    project.delete("lib/shapes.py").check("lib/report.py", removed="lib/shapes.py")
    assert "area" not in project.doc("lib/report.py")
    project.delete("lib/report.py", "main.py").check(removed="lib/report.py main.py")
    assert project.documents() == {}


def test_a_deletion_only_names_those_that_used_it(project):
    reasons = project.delete("lib/shapes.py").tool("plan", "--json").json["tasks"]
    assert [(one["path"], one["action"]) for one in reasons] == [
        ("lib/report.py", "write"),
        ("lib/shapes.py", "remove"),
    ]


def test_a_new_file_is_what_an_import_was_waiting_for(project):
    project.files(
        """
-- wanting.py --
from found import thing


def use(): return thing()
"""
    ).check("wanting.py")
    unresolved = project.tool("status", "--json").json["unresolved"]
    assert unresolved == []  # it might be a package from elsewhere
    project.files("\n-- found.py --\ndef thing(): return 1\n").check("found.py wanting.py")
    assert "(../found.py/doc.md): `thing`" in project.doc("wanting.py")
    project.replace("found.py", "1", "2").check("found.py wanting.py")


def test_a_new_file_goes_before_the_one_that_was_found_so_far(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- src/index.ts --
import { f } from './lib';
export const g = () => f();
-- src/lib/index.ts --
export function f() { return 1; }
""",
    ).check("src/lib/index.ts src/index.ts")
    project.files("\n-- src/lib.ts --\nexport function f() { return 1; }\n")
    project.check(rendered="src/index.ts", moved="src/lib/index.ts>src/lib.ts")
    assert "(../lib.ts/doc.md)" in project.doc("src/index.ts")


def test_a_revert_gives_the_same_bytes_again(project):
    before, text = project.documents(), project.read("lib/shapes.py")
    project.replace("lib/shapes.py", "width * height", "height * width")
    project.check("lib/shapes.py lib/report.py")
    assert project.documents() != before
    project.write({"lib/shapes.py": text}).check("lib/shapes.py lib/report.py")
    assert project.documents() == before


def test_a_file_that_comes_to_say_what_another_says_keeps_what_was_written_by_hand(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
def first(): return 1
-- b.py --
def second(): return 2
""",
    ).check("a.py b.py")
    project.edit_doc("b.py", "Defines function `second`.", "By hand, of b.").check()
    project.write({"b.py": project.read("a.py")})
    project.check("b.py")
    assert "By hand, of b." in project.doc("b.py")
