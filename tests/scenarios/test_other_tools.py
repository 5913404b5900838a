"""Formatters and linters over what we write: nothing is found, nothing is changed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from tests.projects import SHAPES, Project

HARD = '''
-- hard.py --
"""A *star* and a_snake_case, `code`, <tag>, 1. one, # two, | bar |, trailing\t

* a list
    indented

C++ > C, a + b  and 2 * 3; list[int] or [z]; _private, __dunder__, a -> b, ~ $ `one` + `[]`,
1. one 2) two --- | ===
# no heading, #1 @name
- no item

Tree
├── Leaf     of it
"""
KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def f(a="x|y", *args: "List[int]", **kw) -> "Dict[str, int]":
    """First line.

    >>> f()
    - item
    """
-- Shape.java --
/** A shape. <p>With HTML &amp; @link. */
public class Shape<T extends Comparable<T>> { /** Area. */ public double area(int w, int h) { return w * h; } }
-- shape.ts --
/** Draws `a` | b. */
export function draw(a: number | string, b = "*"): void {}
'''


@pytest.fixture
def project(tmp_path) -> Project:
    made = Project(tmp_path / "p", SHAPES + HARD)
    made.tool("refresh")
    return made


def test_ends_of_files_and_of_lines(project):
    for path, data in project.documents().items():
        assert data.endswith(b"\n") and not data.endswith(b"\n\n"), path
        assert not re.search(rb"[ \t]+\n", data), path
        assert b"\r" not in data and not data.startswith(b"\xef\xbb\xbf"), path
        assert not re.search(rb"^(<{7}|>{7}|={7})( |$)", data, re.MULTILINE), path


def prettier() -> list[str]:
    """The command, from PATH: it is npm's, and not among what is locked here."""
    found = shutil.which("prettier")
    if found is None:
        pytest.skip("prettier is not on PATH; run by hand with 3.10")
    return [found, "--no-config", "--write"]


def mdformat() -> list[str]:
    return [sys.executable, "-m", "mdformat"]


@pytest.mark.parametrize("formatter", [mdformat, prettier])
def test_formatters_change_nothing(project, formatter):
    files = sorted((project.path / ".codetwine/docs").rglob("doc.md"))
    before = project.documents()
    subprocess.run([*formatter(), *files], check=True)
    assert project.documents() == before


def test_a_document_that_a_formatter_changed_is_fresh_and_not_edited(project):
    """What is not ours to lay out, here: an option of the formatter that wraps all lines."""
    files = sorted((project.path / ".codetwine/docs").rglob("doc.md"))
    before = project.documents()
    subprocess.run([*mdformat(), "--wrap=40", "--number", *files], check=True)
    assert project.documents() != before
    project.check_fresh()
    assert project.tool("status", "--json").json["edited"] == []


def test_detect_secrets_finds_nothing(project):
    from detect_secrets import SecretsCollection
    from detect_secrets.settings import default_settings

    found = SecretsCollection()
    with default_settings():
        for path in project.documents():
            found.scan_file(str(project.path / path))
    assert dict(found.json()) == {}


def test_links_between_documents_lead_to_documents(project):
    for path, data in project.documents().items():
        for target in re.findall(r"\]\(([^)]+)\)", data.decode()):
            assert (project.path / path).parent.joinpath(target).resolve().is_file(), target
