"""What every test gets: a home folder of its own, no keys; and one wheel of ours for all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.environments import ROOT

# A busy machine is no failure, and a run of today fails where one of yesterday did.
settings.register_profile("codetwine", deadline=None, derandomize=True)
settings.load_profile("codetwine")

pytest.register_assert_rewrite("tests.projects")


def _is_personal(name: str) -> bool:
    """Settings of the person who runs the tests, which must change no outcome."""
    return name.startswith(("GIT_", "XDG_", "CODETWINE_", "LLM_")) or name.endswith("_API_KEY")


@pytest.fixture(scope="session")
def real_environ() -> dict[str, str]:
    """The environment as it was, for installing packages with the machine's own settings."""
    return dict(os.environ)


@pytest.fixture(scope="session", autouse=True)
def _isolated(
    tmp_path_factory: pytest.TempPathFactory, real_environ: dict[str, str]
) -> Iterator[None]:
    """No test reads or writes the home of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in filter(_is_personal, real_environ):
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [built] = folder.glob("codetwine-*.whl")
    return built
