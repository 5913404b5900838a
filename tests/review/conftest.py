"""A project with one commit behind it, and GitHub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.projects import SHAPES, Project
from tests.review.github_server import GitHub


@pytest.fixture
def project(tmp_path) -> Project:
    made = Project(tmp_path / "p", SHAPES)
    made.tool("refresh")
    made.add().commit("first")
    return made


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server
