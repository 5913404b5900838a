"""Repositories whose commits go through our hooks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hooks.committing import Committing
from tests.projects import SHAPES


@pytest.fixture(scope="session")
def scripts(tmp_path_factory) -> Path:
    """A folder with a `codetwine` that runs this checkout, for the PATH."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "codetwine"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m twine_hooks "$@"\n')
    script.chmod(0o755)
    return folder


@pytest.fixture
def bare_project(tmp_path, scripts) -> Committing:
    """Sources, not committed yet, and no documents."""
    return Committing(tmp_path / "p", SHAPES, "", scripts)


@pytest.fixture
def project(bare_project) -> Committing:
    """All is documented and committed; no hook is installed."""
    bare_project.tool("refresh")
    bare_project.add().commit("first")
    return bare_project
