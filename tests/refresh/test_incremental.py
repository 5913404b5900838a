"""What was kept from runs before changes no answer: each plan is that of an empty cache."""

from __future__ import annotations

import random
import shutil

import pytest

from tests.projects import Project

FILES = """
-- pyproject.toml --
[project]
name = "x"
-- package.json --
{"name": "x"}
-- a.py --
def f(): return 1
def g(): return 2
-- b.py --
from a import f
def b(): return f()
-- pkg/__init__.py --
from .inner import deep
-- pkg/inner.py --
from a import *
def deep(): return g()
-- c.py --
from pkg import deep
import lost
print(deep())
-- web/x.ts --
import { y } from './y';
import data from './data.json';
export const x = () => y(data);
-- web/y.ts --
export const y = (v: unknown) => v;
-- web/data.json --
{"a": 1}
-- web/z.js --
import { x } from '@/x';
export const z = x();
"""

# Each edit: files to write (None deletes), small enough that any two may meet.
EDITS: list[dict[str, str | None]] = [
    {"a.py": "def f(): return 3\ndef g(): return 2\n"},
    {"a.py": "def f(x): return 1\ndef g(): return 2\n"},
    {"a.py": "def f(): return 1\n"},
    {"a.py": None},
    {"a.py": "def f(): return 1\ndef g(): return 2\n"},
    {"lost.py": "lost = 1\n"},
    {"lost.py": None},
    {"lost/__init__.py": "lost = 2\n"},
    {"b.py": "import a\ndef b(): return a.f\n"},
    {"b.py": ""},
    {"pkg/__init__.py": ""},
    {"pkg/__init__.py": "from .inner import deep\n"},
    {"pkg/inner.py": "def deep(): return 0\n"},
    {"pkg.py": "def deep(): return 'module'\n"},
    {"pkg.py": None},
    {"web/data.json": '{"a": 2}\n'},
    {"web/data.json": None},
    {"web/y.ts": "export const y = () => 0;\n"},
    {"web/y.ts": "export { y } from './other';\n"},
    {"web/other.ts": "export const y = 1;\n"},
    {"web/y/index.ts": "export const y = 2;\n"},
    {"tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./web/*"]}}}\n'},
    {"tsconfig.json": None},
    {"package.json": '{"name": "x", "imports": {"#x": "./web/x.ts"}}\n'},
    {".codetwine/config.yaml": "dependents: direct\n"},
    {".codetwine/config.yaml": "dependents: transitive\n"},
    {".codetwine/config.yaml": "exclude: [a.py, web/y.ts]\n"},
    {".codetwine/config.yaml": "cutoff: bytes\n"},
    {".codetwine/config.yaml": ""},
    {"a.py": "# only a comment\ndef f(): return 1\ndef g(): return 2\n"},
    {"c.py": "x = '" + "a" * 30_000 + "'\n"},
]


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_of_edits(tmp_path, seed):
    choose = random.Random(seed)
    project = Project(tmp_path / "p", FILES)
    project.tool("refresh")
    for step in range(8):
        done = [choose.choice(EDITS) for _ in range(choose.choice((1, 1, 2)))]
        for edit in done:
            _apply(project, edit)
        kept = project.tool("plan", "--json")
        assert kept.json == _without_cache(project), (seed, step, done)
        if choose.random() < 0.7:
            said = project.tool("refresh", "--json")
            assert said.code == 0
            project.check_fresh()
            assert _without_cache(project)["tasks"] == [], (seed, step, done)


def test_each_edit_alone(tmp_path):
    project = Project(tmp_path / "p", FILES)
    project.tool("refresh")
    for edit in EDITS:
        _apply(project, edit)
        kept = project.tool("plan", "--json")
        assert kept.json == _without_cache(project), edit
        assert project.tool("refresh").code == 0


def _apply(project: Project, edit: dict[str, str | None]) -> None:
    for name, text in edit.items():
        if text is not None:
            project.write({name: text})
        elif (project.path / name).exists():
            project.delete(name)


def _without_cache(project: Project):
    """The plan of somebody who has never been here."""
    cache, aside = project.path / ".git/codetwine", project.path.parent / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    cache.rename(aside)
    try:
        return project.tool("plan", "--json").json
    finally:
        shutil.rmtree(cache, ignore_errors=True)
        aside.rename(cache)
