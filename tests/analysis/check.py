"""What the tests of every language share: small projects as {path: text}, and what must come out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from twine_hooks.analysis.all_languages import language_of
from twine_hooks.analysis.extract import extract
from twine_hooks.analysis.facts import Facts, Links
from twine_hooks.analysis.graph import build
from twine_hooks.analysis.graph import edges as edges_between
from twine_hooks.analysis.lang_base import Project, Settings


def facts_of(path: str, text: str | bytes) -> Facts:
    """Facts of one file whose name decides its language."""
    language = language_of(path)
    assert language is not None, path
    return extract(text if isinstance(text, bytes) else text.encode(), language)


def links_of(
    files: Mapping[str, str], config: Mapping[str, Iterable[str]] | None = None
) -> Mapping[str, Links]:
    """Links of every file of a small project."""
    return build(_project(files, config or {}, names_only=False)).links


def _project(
    files: Mapping[str, str], settings: Mapping[str, Iterable[str]], *, names_only: bool
) -> Project:
    sources = {path: text.encode() for path, text in files.items()}
    return Project(
        frozenset(sources),
        {
            path: extract(text, language, names_only)
            for path, text in sources.items()
            if (language := language_of(path))
        },
        sources.get,
        Settings(
            tuple(settings.get("roots", ())),
            tuple(settings.get("include_dirs", ())),
            tuple(settings.get("args", ())),
        ),
    )


def check(
    files: Mapping[str, str],
    *,
    edges: Iterable[Iterable[str]] = (),
    symbols: Iterable[Iterable[str]] = (),
    optional: Iterable[Iterable[str]] = (),
    forbidden: Iterable[Iterable[str]] = (),
    config: Mapping[str, Iterable[str]] | None = None,
) -> Mapping[str, Links]:
    """Assert the file edges (from, to) and symbols used (from, to, name); return the links.

    Edges are exact but for the ``optional`` ones and those that a symbol implies. A symbol's name
    is qualified, or its last part alone. Facts that hold names only must give the same edges.
    """
    links = links_of(files, config)
    by_names = edges_between(_project(files, config or {}, names_only=True))
    assert by_names == {path: one.edges for path, one in links.items()}
    found = {(path, edge.target) for path, one in links.items() for edge in one.edges}
    used = {
        (path, use.target, name)
        for path, one in links.items()
        for use in one.uses
        for name in (use.symbol, use.symbol.replace("::", ".").rpartition(".")[2])
    }
    wanted = {tuple(one) for one in edges}
    names = {tuple(one) for one in symbols}
    allowed = wanted | {tuple(one) for one in optional} | {one[:2] for one in names}
    assert wanted - found == set(), "missing edges"
    assert found - allowed == set(), "edges that nobody asked for"
    assert found & {tuple(one) for one in forbidden} == set(), "forbidden edges"
    assert names - used == set(), "missing symbols"
    return links


def cases(folder: Path) -> Iterator[dict[str, object]]:
    """The cases in ``cases.jsonl`` of a test folder."""
    for line in folder.joinpath("cases.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def check_case(case: Mapping[str, object]) -> None:
    """One case of ``cases.jsonl``."""
    parts = {key: case.get(key) or () for key in ("edges", "symbols", "optional", "forbidden")}
    check(case["files"], config=case.get("config") or None, **parts)


def check_change(path: str, before: str, after: str, *, interface: bool, meaning: bool) -> None:
    """Assert whether an edit changes what others see of a file, and what the file means."""
    old, new = facts_of(path, before), facts_of(path, after)
    assert not old.has_errors and not new.has_errors, "not a program"
    assert (old.interface != new.interface, old.meaning != new.meaning) == (interface, meaning)
