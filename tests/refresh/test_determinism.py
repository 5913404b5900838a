"""The same snapshot gives the same bytes: any seed, folder, order or state of the cache."""

from __future__ import annotations

import shutil

import pytest

from tests.projects import Project

FILES = """
-- lib/a.py --
\"\"\"A.\"\"\"
from lib.b import b, c
from lib import d
class A(b.B):
    x = {1, 2}
    def m(self): return c(d.e)
-- lib/b.py --
from lib.a import A
class B: pass
def b(): return A
def c(*x): return x
-- lib/d.py --
e = 1
from lib.b import *
-- web/x.ts --
export { y, z } from './y';
export * from './z';
-- web/y.ts --
import * as all from './x';
export const y = 1, z = () => all.w;
-- web/z.ts --
export let w = 1;
import { z, y } from './y';
console.log(z, y);
-- web/q.js --
const { w, y, z } = require('./x');
module.exports = { w, y, z };
"""


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("first") / "p", FILES)
    project.tool("refresh")
    return project.documents()


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_any_seed_of_python(tmp_path, expected, seed):
    project = Project(tmp_path / "p", FILES)
    said = project.program("refresh", environ={"PYTHONHASHSEED": seed})
    assert said.code == 0, said.err
    assert project.documents() == expected
    root = project.program("verify", "--root", environ={"PYTHONHASHSEED": seed}).out
    assert root == project.tool("verify", "--root").out


def test_any_folder_locale_and_time_zone(tmp_path, expected):
    project = Project(tmp_path / "another folder \u00e9" / "deeper", FILES)
    environ = {"LC_ALL": "C", "TZ": "Asia/Tokyo"}
    assert project.program("refresh", environ=environ).code == 0
    assert project.documents() == expected


def test_any_order_of_writing(tmp_path, expected):
    project = Project(tmp_path / "p", FILES)
    for path in ("web/z.ts", "lib/d.py", "lib", "web/q.js", "."):
        assert project.tool("refresh", path).code == 0
    assert project.documents() == expected


def test_any_detour(tmp_path, expected):
    project = Project(tmp_path / "p", FILES)
    project.replace("lib/b.py", "return x", "return 7").tool("refresh")
    project.rename("web", "net").tool("refresh")
    project.rename("net", "web").replace("lib/b.py", "return 7", "return x").tool("refresh")
    shutil.rmtree(project.path / ".git" / "codetwine")
    project.check_fresh()
    assert project.documents() == expected


def test_a_clone_agrees(tmp_path, expected):
    project = Project(tmp_path / "p", FILES)
    project.tool("refresh")
    project.add().commit()
    project.clone(tmp_path / "far" / "away")
    clone = Project(tmp_path / "far" / "away", init=False, home=tmp_path / "home")
    clone.write({".codetwine/config.yaml": ""}).check_fresh()
    assert clone.tool("refresh", "--all").code == 0
    assert clone.documents() == expected
    assert clone.tool("verify", "--root").out == project.tool("verify", "--root").out


def test_line_ends_of_a_work_tree_change_nothing(tmp_path, expected):
    project = Project(tmp_path / "p", FILES)
    project.config(core__autocrlf="true")
    for name in ("lib/a.py", "web/x.ts"):
        project.write({name: project.read(name).replace("\n", "\r\n")})
    project.tool("refresh")
    assert project.documents() == expected
