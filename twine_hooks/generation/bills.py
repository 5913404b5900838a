"""What a model was asked for each document on this machine: kept in the cache, never committed."""

from __future__ import annotations

import json

from docs_store.cache import Cache
from docs_store.digest import digest
from twine_hooks.generation.writer import Estimate

_KIND = "bill"  #: in the cache: path and inputs of a document -> calls and tokens


def record(cache: Cache, path: str, inputs: str, asked: Estimate) -> None:
    """Add what was asked now to what was asked before for a document with these inputs."""
    if asked.calls:
        whole = asked + (recorded(cache, path, inputs) or Estimate())
        row = [whole.calls, whole.prompt_tokens, whole.answer_tokens]
        cache.put(_KIND, digest(path, inputs), json.dumps(row).encode())


def recorded(cache: Cache, path: str, inputs: str) -> Estimate | None:
    """What was asked for a document with these inputs; None where that is not known."""
    row = cache.get(_KIND, digest(path, inputs))
    return None if row is None else Estimate(*json.loads(row))
