"""`codetwine facts`: what is known of one file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from twine_hooks.analysis.facts import Definition, Facts, Links
from twine_hooks.errors import CodetwineError
from twine_hooks.presentation import as_json, shown
from twine_hooks.session import Session
from twine_hooks.workspace import Workspace, opened


@click.command("facts")
@click.argument("path")
@click.option("--staged", is_flag=True, help="Look at the index, not the work tree.")
@click.option("--rev", metavar="REV", help="Look at a commit.")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def command(session: Session, path: str, staged: bool, rev: str | None, wants_json: bool) -> int:
    """Print what one file says of itself, and what its names lead to.

    Its definitions with lines and signatures, its imports, the symbols that it uses and where they
    are defined, and what leads nowhere. Needs no set-up.
    """
    with opened(session, rev=rev, staged=staged) as workspace:
        name = workspace.folder(path)
        survey = workspace.survey
        if name not in survey.facts:
            raise CodetwineError(f"{path} has no facts{_why(workspace, name)}")
        facts, links = survey.facts[name], survey.links[name]
        value = _value(name, facts, links)
        click.echo(as_json(value) if wants_json else "\n".join(_lines(value)))
        return 0


def _why(workspace: Workspace, path: str) -> str:
    for one in workspace.survey.skipped:
        if one.path == path:
            return f": {one.reason}"
    if path in workspace.snapshot.files:
        return ": it is excluded, or in no language that `codetwine languages` lists"
    return f": there is no such file in {workspace.snapshot.label}; check the spelling"


def _value(path: str, facts: Facts, links: Links) -> dict[str, Any]:
    return {
        "path": path,
        "language": facts.language,
        "lines": facts.lines,
        "has_errors": facts.has_errors,
        "doc": facts.doc,
        "meaning": facts.meaning,
        "interface": facts.interface,
        "definitions": [_definition(one) for one in facts.definitions],
        "imports": [
            {"module": one.module, "name": one.name, "alias": one.alias, "kind": one.kind,
             "line": one.line}
            for one in facts.imports
        ],
        "edges": [
            {"to": one.target, "kind": one.kind, "names": list(one.names),
             "confidence": one.confidence}
            for one in links.edges
        ],
        "uses": [
            {"file": one.target, "symbol": one.symbol, "kind": one.kind, "lines": list(one.lines),
             "scope": one.scope}
            for one in links.uses
        ],
        "unresolved": [{"text": one.text, "line": one.line} for one in links.unresolved],
    }  # fmt: skip


def _definition(one: Definition) -> dict[str, Any]:
    return {
        "name": one.qualified,
        "kind": one.kind,
        "start_line": one.start_line,
        "end_line": one.end_line,
        "public": one.public,
        "signature": one.signature,
        "doc": one.doc,
        "decorators": list(one.decorators),
        "bases": list(one.bases),
        "interface": one.interface,
        "meaning": one.meaning,
    }


def _lines(value: dict[str, Any]) -> Iterator[str]:
    errors = ", with syntax errors" if value["has_errors"] else ""
    yield f"{shown(value['path'])}: {value['language']}, {value['lines']} lines{errors}"
    yield f"meaning {value['meaning']}, interface {value['interface']}"
    yield from _titled(
        "definitions",
        [
            f"{one['start_line']}-{one['end_line']} {one['kind']} {one['name']}"
            + ("" if one["public"] else " (private)")
            for one in value["definitions"]
        ],
    )
    yield from _titled(
        "imports",
        [
            f"{shown(one['to'])} ({one['kind']})"
            + (f": {', '.join(one['names'])}" if one["names"] else "")
            for one in value["edges"]
        ],
    )
    yield from _titled(
        "uses",
        [
            f"{shown(file)}: {symbol} (line {', '.join(map(str, sorted(lines)))})"
            for (file, symbol), lines in _used(value).items()
        ],
    )
    yield from _titled(
        "leads nowhere", [f"{one['line']}: {one['text']}" for one in value["unresolved"]]
    )


def _used(value: dict[str, Any]) -> dict[tuple[str, str], set[int]]:
    """(other file, symbol) -> lines, whatever the use is."""
    found: dict[tuple[str, str], set[int]] = {}
    for one in value["uses"]:
        if one["file"] != value["path"]:
            found.setdefault((one["file"], one["symbol"]), set()).update(one["lines"])
    return found


def _titled(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)
