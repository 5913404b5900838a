"""What an edit of one file makes stale, and what it leaves alone."""

from __future__ import annotations

import pytest

from tests.projects import Project

PYTHON = '''
-- shapes.py --
"""Shapes."""

# What a unit is worth.
UNIT = 2


def area(width, height):
    """The area of a rectangle."""
    return width * height  # in units


def perimeter(width, height):
    """Once around."""
    return 2 * (width + height)


class Box:
    """A box."""

    def volume(self):
        return area(1, 2) * 3
-- report.py --
"""Reports."""
from shapes import area


def show():
    return area(3, 4)
-- main.py --
from report import show

show()
-- other.py --
from shapes import Box, perimeter


def around():
    return perimeter(1, 2), Box().volume()
'''
ALL = "shapes.py report.py main.py other.py"


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "p", PYTHON).check(ALL)


def test_the_body_of_a_used_function_reaches_its_users_and_no_further(project):
    project.replace("shapes.py", "width * height", "height * width").check("shapes.py report.py")
    project.replace("shapes.py", "2 * (width + height)", "(width + height) * 2").check(
        "shapes.py other.py"
    )
    project.replace("report.py", "area(3, 4)", "area(4, 3)").check("report.py main.py")
    project.replace("main.py", "show()\n", "show(), show()\n").check("main.py")


def test_the_signature_of_a_used_function(project):
    project.replace("shapes.py", "def area(width, height)", "def area(width, height, unit=1)")
    project.check("shapes.py report.py")
    assert "def area(width, height, unit=1)" in project.doc("shapes.py")
    project.replace("shapes.py", "unit=1)", "unit=UNIT)").check("shapes.py report.py")


def test_the_doc_comment_of_a_used_function(project):
    project.replace("shapes.py", "The area of a rectangle.", "What is inside of it.")
    project.check("shapes.py report.py")
    assert "What is inside of it." in project.doc("report.py")
    project.replace("shapes.py", "Once around.", "All along.").check("shapes.py other.py")


def test_the_doc_comment_of_the_file_is_its_own_business(project):
    project.replace("shapes.py", "Shapes.", "Flat shapes.").check("shapes.py")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("shapes.py", "# in units", "# in square units"),
        ("shapes.py", "# What a unit is worth.\n", ""),
        ("shapes.py", "width * height", "width*height"),
        ("shapes.py", "2 * (width + height)", "2 * (\n        width + height\n    )"),
        ("shapes.py", "    return area(1, 2) * 3", "    return area(1, 2) * 3\n\n\n\n"),
        ("report.py", "from shapes import area\n", "\n\nfrom   shapes  import area  # needed\n"),
        ("main.py", "show()\n", "show()   \n# the end"),
    ],
)
def test_layout_and_plain_comments_change_nothing(project, name, old, new):
    text = project.read(name)
    assert old in text
    project.write({name: text.replace(old, new, 1)})
    project.check()
    project.write({name: text})
    project.check()


def test_a_whole_file_in_another_layout_changes_nothing(project):
    indented = project.read("shapes.py").replace("    ", "\t")
    project.write({"shapes.py": indented.replace("\n", "\r\n")})
    project.check()
    project.replace("shapes.py", "width * height", "width + height").check("shapes.py report.py")


def test_a_symbol_that_nobody_uses_reaches_nobody(project):
    project.replace("shapes.py", "UNIT = 2", "UNIT = 3").check("shapes.py")
    project.files(
        """
-- extra.py --
def lonely(): return 1
"""
    ).check("extra.py")
    project.replace("extra.py", "1", "2").check("extra.py")


def test_a_method_counts_for_those_that_use_its_class(project):
    project.replace("shapes.py", "* 3", "* 4").check("shapes.py other.py")
    project.replace("shapes.py", "A box.", "A chest.").check("shapes.py other.py")


def test_a_symbol_that_goes_away_is_missed_by_its_users(project):
    project.replace("shapes.py", "def area(", "def surface(").check("shapes.py report.py")
    said = project.tool("status", "--json").json["unresolved"]
    assert [(one["path"], one["text"]) for one in said] in ([("report.py", "shapes.area")], [])
    project.replace("shapes.py", "def surface(", "def area(").check("shapes.py report.py")


def test_with_cutoff_bytes_every_byte_of_the_source_counts(tmp_path):
    project = Project(tmp_path / "p", PYTHON, "cutoff: bytes").check(ALL)
    project.replace("shapes.py", "# in units", "# in square units").check("shapes.py")
    project.replace("main.py", "show()\n", "show() \n").check("main.py")
    project.replace("shapes.py", "width * height", "height * width").check("shapes.py report.py")
    project.write({".codetwine/config.yaml": "cutoff: meaning"}).check(ALL)


TYPESCRIPT = """
-- src/shapes.ts --
/** Shapes. */
export interface Box { width: number; height: number }

/** The area of a box. */
export function area(box: Box): number {
  return box.width * box.height; // in units
}

export const unused = 1;
-- src/report.ts --
import { area, type Box } from './shapes';

export function show(box: Box): string {
  return String(area(box));
}
-- src/main.tsx --
import { show } from './report.js';

export const Main = () => <p>{show({ width: 1, height: 2 })}</p>;
-- src/old.js --
const { show } = require('./report');
module.exports = { again: () => show };
-- src/types.ts --
import type { Box } from './shapes';
export type Boxes = Box[];
"""


def test_typescript_and_javascript_cut_off_at_symbols_too(tmp_path):
    project = Project(tmp_path / "p", TYPESCRIPT)
    project.check("src/shapes.ts src/report.ts src/main.tsx src/old.js src/types.ts")
    project.replace("src/shapes.ts", "box.width * box.height", "box.height * box.width")
    project.check("src/shapes.ts src/report.ts")
    project.replace("src/shapes.ts", "// in units", "/* in square units */").check()
    project.replace("src/shapes.ts", "unused = 1", "unused = 2").check("src/shapes.ts")
    project.replace("src/shapes.ts", "height: number }", "height: number; depth: number }")
    project.check("src/shapes.ts src/report.ts src/types.ts")
    project.replace("src/shapes.ts", "The area of a box.", "What is inside.")
    project.check("src/shapes.ts src/report.ts")
    project.replace("src/report.ts", "String(area(box))", "`${area(box)}`")
    project.check("src/report.ts src/main.tsx src/old.js")
    project.replace("src/report.ts", "{\n  return", "\n{\n\n      return").check()
