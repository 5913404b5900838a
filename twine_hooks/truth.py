"""How true the documents of a snapshot are, and what a model was asked for them.

The measures are kept in the cache by all that they depend on; what was asked, by who asked, and
that is this machine's own and never committed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache as once
from pathlib import Path
from typing import NamedTuple

from docs_store.cache import Cache
from docs_store.digest import digest
from docs_store.document import Document
from docs_store.layout import ROOT, doc_path
from twine_hooks.evaluation import Evaluation
from twine_hooks.fastpath import states_of
from twine_hooks.files import read_file
from twine_hooks.generation.bills import recorded
from twine_hooks.generation.measure import Measure, measure
from twine_hooks.generation.vocabulary import exists_in, vocabulary_of
from twine_hooks.generation.writer import Estimate
from twine_hooks.recorded import present_document

_KIND = "measure"  #: in the cache: document and all that it is held against -> Measure


class Told(NamedTuple):
    """One document. ``asked`` is what a model was asked for it here; None where nobody knows."""

    path: str
    by: str  #: as in its header: "outline" where no model wrote it
    measure: Measure
    asked: Estimate | None


def truth_of(evaluation: Evaluation, cache: Cache) -> list[Told]:
    """All documents of the snapshot that can be read and have a source; sorted."""
    snapshot = evaluation.snapshot
    exists = exists_in(path for path in snapshot.files if not path.startswith(ROOT))
    documented = sorted(evaluation.recorded.headers.keys() & evaluation.inputs.keys())
    keys = {path: _key(evaluation, path) for path in documented if doc_path(path) in snapshot.files}
    known = cache.get_many(_KIND, keys.values())
    found, fresh = [], []
    for path, key in keys.items():
        row = _unpacked(known.get(key), exists)
        header = evaluation.recorded.headers.get(path)
        if row is None:
            document = _document(evaluation, path, read_file(snapshot, doc_path(path)))
            if document is None:
                continue
            row, asked_of = _measured(evaluation, path, document, exists)
            fresh.append((key, _packed(row, asked_of)))
        if header is not None:
            asked = recorded(cache, path, header.inputs)
            found.append(Told(path, header.by, row, asked))
    cache.put_many(_KIND, fresh)
    return found


def truth_on_disk(evaluation: Evaluation, root: Path, asked: Mapping[str, Estimate]) -> list[Told]:
    """The documents that were just written below ``root`` for some sources, in their order."""
    exists = exists_in(path for path in evaluation.snapshot.files if not path.startswith(ROOT))
    found = []
    for path, asking in asked.items():
        file = root / doc_path(path)
        document = _document(evaluation, path, file.read_bytes() if file.is_file() else None)
        if document is not None:
            row, _ = _measured(evaluation, path, document, exists)
            found.append(Told(path, document.header.by, row, asking))
    return found


def total_of(told: Sequence[Told]) -> tuple[Measure, Estimate]:
    """All of them together; of what was asked, as far as it is known."""
    asked = [one.asked for one in told if one.asked is not None]
    return sum((one.measure for one in told), Measure()), sum(asked, Estimate())


def _key(evaluation: Evaluation, path: str) -> str:
    """All that decides a measure but for which files there are, which the row itself names."""
    files, inputs = evaluation.snapshot.files, evaluation.inputs[path]
    return digest(_state_of_code(), files[doc_path(path)], files[path], path, inputs.digest)


@once
def _state_of_code() -> str:
    """Changes when our own code or its lists of names do: another version measures otherwise."""
    here = Path(__file__).resolve().parent
    tops = (here, here.with_name("docs_store"))
    folders = sorted(folder for top in tops for folder, _, _ in os.walk(top))
    return digest(*(one for folder in folders for one in sorted(states_of(folder))))


def _document(evaluation: Evaluation, path: str, data: bytes | None) -> Document | None:
    return present_document(data, evaluation.template.titles, doc_path(path))


def _measured(
    evaluation: Evaluation, path: str, document: Document, exists: Callable[[str], bool]
) -> tuple[Measure, dict[str, bool]]:
    """The measure of a document, and which files it asked after, with the answer."""
    looked_up: dict[str, bool] = {}

    def noted(name: str) -> bool:
        looked_up[name] = exists(name)
        return looked_up[name]

    material = evaluation.material(path, lambda other: "")
    vocabulary = vocabulary_of(material, material.source(), noted)
    return measure(document, material, vocabulary), looked_up


def _packed(row: Measure, looked_up: Mapping[str, bool]) -> bytes:
    return json.dumps([asdict(row), looked_up]).encode("utf-8", "surrogatepass")


def _unpacked(packed: bytes | None, exists: Callable[[str], bool]) -> Measure | None:
    """What was measured before, if the files that it depended on are or are not there still."""
    if packed is None:
        return None
    values, looked_up = json.loads(packed)
    if any(exists(name) is not there for name, there in looked_up.items()):
        return None
    lists = {name: tuple(one) for name, one in values.items() if isinstance(one, list)}
    return Measure(**values | lists)
