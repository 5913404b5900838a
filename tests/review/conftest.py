"""A project with one commit behind it, and GitHub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.projects import Project
from tests.review.github_server import GitHub

FILES = '''
-- shapes.py --
"""Shapes."""


def area(w, h):
    """The area."""
    return w * h


def spare():
    return 1
-- report.py --
from shapes import area


def show():
    return area(1, 2)
-- table.py --
from shapes import area


def rows():
    return [area(3, 4)]
-- alone.py --
def alone():
    return 1
'''


@pytest.fixture
def project(tmp_path) -> Project:
    made = Project(tmp_path / "p", FILES)
    made.tool("refresh")
    made.add().commit("first")
    return made


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server
