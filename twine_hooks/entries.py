"""What an export says of one file, as values of its formats; writes nothing.

The fields and their order are those of codetwine's `file_dependencies.json` and `doc.json`, so that
a program made for these reads ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from docs_store.digest import digest
from docs_store.document import Document
from docs_store.layout import doc_path
from twine_hooks.analysis.facts import EXTRACTOR_VERSION, Definition
from twine_hooks.places import Place, places_of
from twine_hooks.symbol_names import as_written, short_name
from twine_hooks.view import Usage, View

_FORMAT = "3"  #: raised when what is said of an unchanged file comes out differently


class Listed(NamedTuple):
    """One file in the project's lists."""

    file: str
    summary: str | None
    callers: tuple[str, ...]
    callees: tuple[str, ...]


class Texts(NamedTuple):
    """file_dependencies.json and doc.json of one file, each in one line; None for no document."""

    dependencies: str
    doc: str | None


class Entry(NamedTuple):
    """One file: its path, what the project's lists say of it, and its two JSON texts."""

    path: str
    file: str  #: the copied source as the formats name it: "project/pkg/main_py/main.py"
    summary: str | None
    callers: tuple[str, ...]
    callees: tuple[str, ...]
    dependencies: str  #: file_dependencies.json in one line
    doc: str | None  #: doc.json in one line; None where there is no document

    def without_file(self, text: str) -> str:
        """One of the JSON texts less its field ``file``, as the consolidated formats have it."""
        return "{" + text[len(f'{{"file": {as_text(self.file)}, ') :]


def definition_name(one: Definition) -> str:
    """How the formats name a definition: without the names around it."""
    written = as_written(one.qualified)
    return one.name if written == one.qualified else short_name(written)


_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def as_text(value: Any) -> str:
    """A value as JSON in one line."""
    return _ENCODER.encode(value)


def as_bytes(text: str) -> bytes:
    """JSON as UTF-8. What is no character in a file name becomes an escape of JSON."""
    return text.encode("utf-8", "backslashreplace")


@dataclass(frozen=True, eq=False)
class Entries:
    """Makes the entries of a view."""

    view: View

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """Where the files of each source lie."""
        return places_of(self.view.paths)

    def file(self, path: str) -> str:
        """How the formats name a source: the place of its copy, below the project's name."""
        return f"{self.view.name}/{self.places[path].copy}"

    def key(self, path: str) -> str:
        """Changes whenever the entry of a file may: a digest of all that it is made from."""
        view = self.view
        neighbours = {*view.dependencies.get(path, ()), *view.dependents.get(path, ())}
        states = self._states
        known = [states[one] for one in (path, *sorted(neighbours))]
        return digest(self._common, view.blob(doc_path(path)), "".join(known))

    @cached_property
    def _common(self) -> str:
        titles = repr(sorted(self.view.titles.items()))
        return digest(_FORMAT, str(EXTRACTOR_VERSION), self.view.name, titles)

    @cached_property
    def _states(self) -> Mapping[str, str]:
        """By file a digest of all that an entry may show of it: its text, links and place."""
        return {path: self._state(path) for path in self.view.paths}

    def _state(self, path: str) -> str:
        view = self.view
        links = view.survey.links_digest(path) if path in view.facts else ""
        return digest(path, view.blob(path), links, self.places[path].copy)

    def around(self, path: str) -> set[str]:
        """The files whose text its entry shows: itself, what it uses and who uses it."""
        return {path, *self.view.used_files(path), *self.view.users(path)}

    def made(self, path: str, document: Document | None) -> Texts:
        """The texts of a file."""
        doc = as_text(self._doc(path, document)) if document else None
        return Texts(as_text(self.dependencies(path)), doc)

    def listed(self, path: str, summary: str | None) -> Listed:
        """What the project's lists say of a file."""
        view = self.view
        return Listed(
            self.file(path),
            summary,
            tuple(sorted(map(self.file, view.dependents.get(path, ())))),
            tuple(sorted(map(self.file, view.dependencies.get(path, ())))),
        )

    def dependencies(self, path: str) -> dict[str, Any]:
        """The value of file_dependencies.json."""
        used = tuple(self.view.used(path))
        return {
            "file": self.file(path),
            "definitions": self._definitions(path),
            "callee_usages": [self._callee(one) for one in used if one.file != path],
            "same_file_usages": [
                {"name": as_written(one.name), "lines": one.lines}
                for one in used
                if one.file == path
            ],
            "caller_usages": [self._caller(one) for one in self.view.used_by(path)],
        }

    def _definitions(self, path: str) -> list[dict[str, Any]]:
        facts = self.view.facts.get(path)
        return [
            {
                "name": definition_name(one),
                "type": one.kind,
                "start_line": one.start_line,
                "end_line": one.end_line,
                "context": self.view.source_of(path, one),
            }
            for one in (facts.definitions if facts else ())
        ]

    def _callee(self, one: Usage) -> dict[str, Any]:
        return {
            "name": as_written(one.name),
            "from": self.file(one.file),
            "target_context": self.view.context(one.file, one.name),
            "lines": one.lines,
        }

    def _caller(self, one: Usage) -> dict[str, Any]:
        return {
            "name": as_written(one.name),
            "file": self.file(one.file),
            "usage_context": self.view.around(one.file, one.lines),
            "lines": one.lines,
        }

    def _doc(self, path: str, document: Document) -> dict[str, Any]:
        return {
            "file": self.file(path),
            "summary": document.summary,
            "sections": [
                {"id": one.id, "title": one.title, "content": one.body} for one in document.sections
            ],
            "source_hash": sha256(self.view.data(path)).hexdigest(),
        }
