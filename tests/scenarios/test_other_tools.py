"""Formatters and linters over what we write: nothing is found, nothing is changed."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.projects import SHAPES, Project

HARD = '''
-- hard.py --
"""A *star* and a_snake_case, `code`, <tag>, 1. one, # two, | bar |, trailing\t

* a list
    indented
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


def test_mdformat_changes_nothing_that_counts(project):
    pytest.importorskip("mdformat_gfm")
    files = sorted((project.path / ".codetwine/docs").rglob("doc.md"))
    subprocess.run([sys.executable, "-m", "mdformat", *files], check=True)
    project.check_fresh()
    assert project.tool("status", "--json").json["edited"] == []


def test_detect_secrets_finds_nothing(project):
    pytest.importorskip("detect_secrets")
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
