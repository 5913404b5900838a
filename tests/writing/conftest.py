"""A model server for the tests of this folder, and an environment that leads to it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from tests.model_server import ModelServer

if importlib.util.find_spec("litellm") is None:  # importing it here would make it fetch prices
    pytest.skip("litellm is not installed", allow_module_level=True)


@pytest.fixture(scope="session")
def _running() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def server(_running, monkeypatch) -> ModelServer:
    """It answers well until told otherwise; this process writes with it."""
    _running.reset()
    for name, value in _running.environ().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MAX_RETRIES", "1")
    monkeypatch.setenv("LLM_TIMEOUT", "1")
    return _running
