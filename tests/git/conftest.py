"""Repositories to look at with twine_hooks.git."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repos import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository, its home beside it."""
    return Repo(tmp_path / "repo")
