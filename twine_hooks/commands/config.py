"""`codetwine config`: each setting, its value and where that comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from twine_hooks.config import CONFIG_PATH, Config
from twine_hooks.personal import SECRET_NAMES, Personal, read_personal, unread_lines
from twine_hooks.presentation import as_json
from twine_hooks.session import Session
from twine_hooks.workspace import opened
from twine_hooks.writers import Wish, chosen_model


class _Row(NamedTuple):
    name: str
    value: Any
    origin: str


@click.group("config")
def command() -> None:
    """Show the settings."""


@command.command("show")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def show(session: Session, wants_json: bool) -> int:
    """Show each setting, its value and where that comes from; keys are masked.

    Those in small letters are the repository's, those in capitals your own.
    """
    with opened(session) as workspace:
        config = workspace.config
    personal = read_personal(session.environ)
    writer = chosen_model(personal, config, Wish()) or "the outline"
    rows = [*_of_repository(config, Config()), *_personal_rows(personal)]
    for line in unread_lines(session.environ, config):
        click.echo(line, err=True)
    if wants_json:
        click.echo(as_json({"writer": writer, "settings": [row._asdict() for row in rows]}))
        return 0
    width = max(len(row.name) for row in rows)
    for name, value, origin in rows:
        click.echo(f"{name:<{width}}  {_shown(value)}  ({origin})")
    click.echo(f"written by: {writer}")
    return 0


def _of_repository(config: Any, default: Any, prefix: str = "") -> Iterator[_Row]:
    for name, value, usual in zip(config._fields, config, default, strict=True):
        if hasattr(value, "_fields"):
            yield from _of_repository(value, usual, f"{name}.")
        else:
            listed = list(value) if isinstance(value, tuple) else value
            origin = "default" if value == usual else CONFIG_PATH
            yield _Row(prefix + name, listed, origin)


def _personal_rows(personal: Personal) -> Iterator[_Row]:
    for name, (value, origin) in sorted(personal.settings.items()):
        yield _Row(name, "***" if value and name in SECRET_NAMES else value, origin)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return str(value) if value != "" else "-"
