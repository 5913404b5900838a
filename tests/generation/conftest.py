"""A model server and an empty cache."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docs_store.cache import Cache
from tests.model_server import ModelServer


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def server(running):
    running.reset()
    return running


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "cache") as one:
        yield one
