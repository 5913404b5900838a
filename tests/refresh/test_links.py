"""Who is made stale by way of circles, re-exports, barrels and stars; and the order of writing."""

from __future__ import annotations

from tests.projects import Project


def test_the_order_is_that_of_components_and_inside_of_them_of_names(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- app.py --
from ring.b import fb
fb()
-- base.py --
def low(): return 1
-- ring/__init__.py --
-- ring/a.py --
from base import low
from ring.c import fc
def fa(): return low(), fc()
-- ring/b.py --
from ring.a import fa
def fb(): return fa()
-- ring/c.py --
from ring import b
def fc(): return b.fb()
-- alone.py --
def alone(): return 1
""",
    ).check("alone.py base.py ring/a.py ring/b.py ring/c.py app.py")
    project.replace("base.py", "1", "2").check("base.py ring/a.py")
    project.replace("ring/a.py", "low(), fc()", "fc(), low()").check("ring/a.py ring/b.py")
    project.replace("ring/b.py", "return fa()", "return 1, fa()").check(
        "ring/b.py ring/c.py app.py"
    )


def test_a_circle_written_in_any_state_ends_in_one_pass(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
from b import g
def f(): return g
-- b.py --
from a import f
def g(): return f
""",
    ).check("a.py b.py")
    project.replace("a.py", "return g", "return g, 1").replace("b.py", "return f", "return f, 1")
    project.check("a.py b.py")


def test_what_a_package_passes_on_leads_to_the_file_that_defines_it(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- pkg/__init__.py --
\"\"\"The package.\"\"\"
from .shapes import area
from .colours import red
-- pkg/shapes.py --
def area(w, h): return w * h
def spare(): return 1
-- pkg/colours.py --
def red(): return 1
-- main.py --
from pkg import area
print(area(1, 2))
""",
    ).check("pkg/colours.py pkg/shapes.py pkg/__init__.py main.py")
    # Who only passes a name on is not told of a change behind its interface.
    project.replace("pkg/shapes.py", "w * h", "h * w").check("pkg/shapes.py main.py")
    project.replace("pkg/shapes.py", "(w, h)", "(w, h, d=1)")
    project.check("pkg/shapes.py pkg/__init__.py main.py")
    project.replace("pkg/colours.py", "return 1", "return 2").check("pkg/colours.py")
    project.replace("pkg/shapes.py", "spare(): return 1", "spare(): return 2")
    project.check("pkg/shapes.py")
    project.replace("pkg/__init__.py", "The package.", "A package.").check("pkg/__init__.py")
    project.replace("pkg/__init__.py", "from .shapes import area", "from .more import area")
    project.files("\n-- pkg/more.py --\ndef area(*all): return 0\n")
    project.check("pkg/more.py pkg/__init__.py main.py")


def test_a_barrel_leads_to_the_file_that_defines_it(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- lib/index.js --
export * from './shapes.js';
export { red as rouge } from './colours.js';
-- lib/shapes.js --
export function area(w, h) { return w * h; }
export function spare() { return 1; }
-- lib/colours.js --
export const red = () => 1;
-- main.js --
import { area, rouge } from './lib';
console.log(area(1, 2), rouge());
-- other.mjs --
import * as lib from './lib/index.js';
console.log(lib.area(3, 4));
""",
    ).check("lib/colours.js lib/shapes.js lib/index.js main.js other.mjs")
    project.replace("lib/shapes.js", "w * h", "h * w")
    project.check("lib/shapes.js main.js other.mjs")
    project.replace("lib/colours.js", "=> 1", "=> 2").check("lib/colours.js main.js")
    project.replace("lib/shapes.js", "area(w, h)", "area(w, h, d)")
    project.check("lib/shapes.js lib/index.js main.js other.mjs")
    project.replace("lib/shapes.js", "return 1;", "return 2;").check("lib/shapes.js")


def test_a_star_uses_everything(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- shapes.py --
def area(w, h): return w * h
def spare(): return 1
-- main.py --
from shapes import *
print(area(1, 2))
-- whole.py --
import shapes
print(shapes)
""",
    ).check("shapes.py main.py whole.py")
    project.replace("shapes.py", "return 1", "return 2")
    written = project.tool("refresh", "--json").json["written"]
    assert written in (
        ["shapes.py", "main.py", "whole.py"],
        ["shapes.py", "whole.py"],  # a star that was resolved to what is used of it
    )
    project.check_fresh()
    project.replace("shapes.py", "w * h", "h * w").check("shapes.py main.py whole.py")


def test_a_stub_beside_its_source(tmp_path):
    project = Project(
        tmp_path / "p",
        """
-- a.py --
def f(x): return x
-- a.pyi --
def f(x: int) -> int: ...
-- b.py --
from a import f
print(f(1))
""",
    )
    project.tool("refresh")
    project.check_fresh()
    project.replace("a.py", "return x", "return x + 1")
    written = project.tool("refresh", "--json").json["written"]
    assert "b.py" in written and "a.py" in written
    project.check_fresh()
