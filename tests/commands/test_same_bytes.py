"""Every command that tells what is known says the same twice: any seed, place, locale, settings."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.projects import Project, as_user
from tests.repos import Repo
from twine_hooks.commands import COMMANDS
from twine_hooks.exporting import GRAPHS

SOURCES = '''
-- shop/price.py --
"""Prices."""
from .geometry import Shape, area as size
from .gone import nothing

class Price(Shape):
    """What something costs."""
    def total(self, n): return size(n) + self.edge()
    def _private(self): return nothing()

def main(): return Price().total(2)
-- shop/geometry.py --
from . import price
def area(n): return n * n
class Shape:
    name = {"a", "b"}
    def edge(self): return price.main
-- web/app.ts --
import { zed as q } from "./lib";
export function start() { return q(); }
-- web/lib.ts --
export const zed = () => 1;
-- go/go.mod --
module example.com/shop
-- go/main.go --
package main

import "example.com/shop/inner"

func main() { inner.Run() }
-- go/inner/run.go --
package inner

func Run() int { return other() }
-- go/inner/other.go --
package inner

func other() int { return 1 }
-- jvm/A.java --
package jvm;
class A extends B { int go() { return run(); } }
-- jvm/B.java --
package jvm;
class B { int run() { return 1; } }
-- c/a.h --
int twice(int n);
-- c/a.c --
#include "a.h"
int twice(int n) { return n + n; }
-- r/a.rb --
require_relative "b"
class A < B; def go; run; end; end
-- r/b.rb --
class B; def run; 1; end; end
-- db/a.sql --
CREATE TABLE t (a int);
CREATE VIEW v AS SELECT a FROM t;
-- übung/é.py --
from shop.price import main
main()
-- README.md --
# Shop
'''
#: Each command that reads a snapshot or a history and writes no document, in all its forms.
ASKED = [
    *(["export", "--output-dir", "{out}/" + form, "--format", form] for form in GRAPHS),
    *(["export", "--output-dir", "{out}/" + form, "--format", form] for form in ("json", "sqlite")),
    ["export", "--output-dir", "{out}/both", "--format", "both", "--json"],
    ["chunks"],
    ["chunks", "--max-tokens", "50"],
    ["repomap"],
    ["repomap", "--max-tokens", "60", "--focus", "{at}shop"],
    *(["rank", "--by", by, "--level", at] for by in ("katz", "pagerank") for at in ("symbol", "file")),
    ["rank", "--json"],
    *(["callers", name, *form] for name in ("Shape", "shop/geometry.py") for form in ([], ["--json"])),
    *(["callees", name, *form] for name in ("Price", "shop/price.py") for form in ([], ["--json"])),
    ["callers", "run"],
    ["chain", "main.main", "area"],
    ["chain", "shop/price.py::main", "area"],
    ["chain", "shop/price.py::main", "area", "--all", "--json"],
    *(["impact", name, *form] for name in ("area", "web/lib.ts") for form in ([], ["--json"], ["--files"])),
    *(["cycles", "--level", at, *form] for at in ("file", "symbol") for form in ([], ["--json"])),
    ["unused"],
    ["unused", "--json"],
    ["history"],
    ["history", "{at}shop", "--json"],
    ["cochange", "{at}shop/price.py", "--min-support", "1"],
    ["cochange", "{at}shop/price.py", "--min-support", "1", "--json"],
    *(["hotspots", "--by", by, *form] for by in ("size", "complexity") for form in ([], ["--json"])),
    *(["graph", "--level", at, "--format", form] for at in ("file", "symbol") for form in ("jsonl", "mermaid")),
    ["facts", "{at}shop/price.py"],
    ["tree"],
    ["languages"],
]  # fmt: skip
#: What the other commands say is about the machine, or about documents: tests/refresh has these.
_OTHERS = """
    init status plan refresh verify diff review comment resolve why template config install uninstall
    hook doctor replay
"""
#: All commands in one process, as JSON: exit code, output and complaint of each.
_DRIVER = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from twine_hooks.cli import main
root, out, more, asked = json.loads(sys.argv[1])
said = []
for args in asked:
    args = [one.replace("{out}", out).replace("{at}", f"{root}/") for one in args]
    streams = io.StringIO(), io.StringIO()
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        code = main(["-C", root, *args, *(more if args[0] != "languages" else ())])
    said.append([code, *(one.getvalue().replace(out, "OUT") for one in streams)])
json.dump(said, sys.stdout)
"""
_MADE = re.compile(r"\d+ made anew|\"made\": \d+")
#: Settings of a person that change what git prints, or in which order.
_HOSTILE = """
[user]
    name = Someone Else
    email = else@example.com
[log]
    showRoot = false
    showSignature = true
    abbrevCommit = true
    mailmap = false
    date = relative
    follow = true
[diff]
    relative = true
    noprefix = true
    renames = copies
    ignoreSubmodules = all
    orderFile = {order}
[color]
    ui = always
[core]
    quotePath = false
    abbrev = 4
[i18n]
    logOutputEncoding = latin1
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("same") / "shop-project", SOURCES)
    made.tool("refresh")
    _commit(made, "first", 0, "Ada")
    for day in range(1, 5):
        for name in ("shop/price.py", "shop/geometry.py", "go/main.go")[: day % 3 + 1]:
            mark = "//" if name.endswith(".go") else "#"
            made.write({name: made.read(name) + f"{mark} {day}\n"})
        _commit(made, "Fix the sum" if day % 2 else "Grow", day, "Zo\u00eb" if day % 2 else "bob")
    made.write({".mailmap": "Robert <bob@example.com>\n"})
    _commit(made, "Say who Robert is", 6, "Ada")
    return made


def _commit(project, message, day, author):
    stamp = f"{1_700_000_000 + day * 86400} +0000"
    environ = {"GIT_COMMITTER_DATE": stamp, "GIT_AUTHOR_DATE": stamp}
    environ |= {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": f"{author}@example.com"}
    project.add().git("commit", "-q", "-m", message, environ=environ)


def copy_of(project, path):
    """The same repository elsewhere, with nothing cached."""
    shutil.copytree(project.path, path, symlinks=True)
    shutil.rmtree(path / ".git" / "codetwine", ignore_errors=True)
    return Project(path, init=False)


def everything(project, out, *more, asked=ASKED, environ=None, cwd=None):
    """What all commands say, and the files that they write."""
    asked = json.dumps([str(project.path), str(out), more, asked])
    done = project.run(
        *(sys.executable, "-P", "-c", _DRIVER, asked),
        environ=as_user() | (environ or {}),
        cwd=cwd,
    )
    said = [
        (" ".join(args), *one) for args, one in zip(ASKED, json.loads(done.stdout), strict=True)
    ]
    files = {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(Path(out).rglob("*"))
        if path.is_file()
    }
    return said, files


@pytest.fixture(scope="module")
def expected(project, tmp_path_factory):
    said, files = everything(project, tmp_path_factory.mktemp("expected"), "--rev", "HEAD")
    for command, code, out, err in said:
        ambiguous = command in ("callers run", "chain main.main area")
        assert code == (1 if ambiguous else 0), (command, err)
        assert "Traceback" not in err
        assert out or ambiguous, command
    assert len(files) > 200
    return said, files


def check_same(found, expected):
    said, files = found
    for one, other in zip(said, expected[0], strict=True):
        assert one == other
    assert files.keys() == expected[1].keys()
    assert not [name for name, data in files.items() if data != expected[1][name]]


def test_each_command_is_asked_or_tested_elsewhere():
    assert {one[0] for one in ASKED} == COMMANDS.keys() - set(_OTHERS.split())


@pytest.mark.parametrize(
    ("seed", "locale", "zone"), [("1", "C", "Asia/Tokyo"), ("77", "tr_TR.UTF-8", "America/Lima")]
)
def test_any_seed_place_locale_time_zone_and_settings(
    project, expected, tmp_path, seed, locale, zone
):
    copy = copy_of(project, tmp_path / "els\u00e9 where" / "shop-project")
    (tmp_path / "order").write_text("*.py\n*.go\n")
    (tmp_path / "gitconfig").write_text(_HOSTILE.replace("{order}", str(tmp_path / "order")))
    environ = {"PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone}
    environ |= {"GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"), "NO_COLOR": "1"}
    more = () if seed == "1" else ("--rev", "HEAD")
    check_same(
        everything(copy, tmp_path / "out", *more, environ=environ, cwd=copy.path / "go"), expected
    )


def test_a_commit_is_never_mixed_with_the_disk_beside_it(project, expected, tmp_path):
    copy = copy_of(project, tmp_path / "shop-project")
    for path in sorted(copy.path.iterdir()):
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    copy.write({".mailmap": "Nobody <ada@example.com>\n", "shop/price.py": "x = 1\n"})
    copy.write({".codetwine/config.yaml": "exclude: ['*.go']\n", "new.py": "import shop\n"})
    copy.write({".gitattributes": "*.py -text\n", "web/tsconfig.json": "{", "go/go.mod": "?"})
    copy.add()
    check_same(everything(copy, tmp_path / "out", "--rev", "HEAD"), expected)


def test_a_bare_clone_says_the_same(project, expected, tmp_path):
    project.clone(tmp_path / "shop-project.git", "--bare", "-q")
    bare = Repo(tmp_path / "shop-project.git", init=False)
    relative = [[one.replace("{at}", "") for one in args] for args in ASKED]
    found = everything(bare, tmp_path / "out", asked=relative)
    check_same(found, expected)


def test_what_is_known_already_changes_nothing(project, expected, tmp_path):
    copy = copy_of(project, tmp_path / "shop-project")
    copy.git("checkout", "-q", "HEAD~3")
    everything(copy, tmp_path / "out")
    copy.git("checkout", "-q", "-")
    said, files = everything(copy, tmp_path / "out")
    # How many were made anew is all that differs.
    check_same((_less_made(said), files), (_less_made(expected[0]), expected[1]))


def _less_made(said):
    return [(command, code, _MADE.sub("", out), err) for command, code, out, err in said]
