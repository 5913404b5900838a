"""`codetwine template`: which templates there are, what one asks for, whether one can be used."""

from __future__ import annotations

from typing import Any

import click

from twine_hooks.errors import TemplateError
from twine_hooks.parsed import read_template
from twine_hooks.presentation import as_json
from twine_hooks.resources import templates_folder
from twine_hooks.session import Session
from twine_hooks.templating import Template, is_path, load_template, own_templates, parse_template
from twine_hooks.workspace import opened


@click.group("template")
def command() -> None:
    """List, show and check the templates of documents."""


@command.command("list")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def list_(session: Session, wants_json: bool) -> int:
    """List the templates that come with codetwine; * marks the one in use."""
    used = _used(session)
    names = sorted(one.name for one in templates_folder().iterdir() if one.is_dir())
    found = [load_template(name, lambda path: None) for name in names]
    if used.name == "own":
        found.append(used)
    if wants_json:
        listed = [template_value(one) | {"is_used": one.name == used.name} for one in found]
        click.echo(as_json(listed))
        return 0
    for template in found:
        titles = ", ".join(one.title for one in template.sections)
        click.echo(f"{'*' if template.name == used.name else ' '} {template.name}: {titles}")
    return 0


@command.command("show")
@click.argument("name", default="")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
@click.pass_obj
def show(session: Session, name: str, wants_json: bool) -> int:
    """Show the sections of a template and what they ask for; of the one in use by default."""
    template = load_template(name, lambda path: None) if name else _used(session)
    if wants_json:
        click.echo(as_json(template_value(template)))
        return 0
    click.echo(f"summary: {template.summary_prompt}")
    for one in template.sections:
        each = f", one for each {one.each}" if one.each else ""
        limit = f", at most {one.max_words} words" if one.max_words else ""
        what = one.prompt if one.kind == "prose" else one.render
        click.echo(f"\n{one.title} ({one.id}, {one.kind}{each}{limit}): {what}")
    return 0


def template_value(template: Template) -> dict[str, Any]:
    """A template for JSON: its name, what it asks for as a summary, its sections in order."""
    return {
        "name": template.name,
        "summary_prompt": template.summary_prompt,
        "sections": [one._asdict() for one in template.sections],
    }


@command.command("check")
@click.argument("file", default="")
@click.pass_obj
def check(session: Session, file: str) -> int:
    """Fail if a template cannot be used, and say why; the one in use by default.

    FILE is a template.yaml, or a doc_template.json, that need not be committed yet.
    """
    if not file:
        template = _used(session)
    elif is_path(file):
        template = parse_template(_text_of(session, file), file, "own")
    else:
        template = load_template(file, lambda path: None)
    nothing_asked = [one.id for one in template.sections if one.kind == "prose" and not one.prompt]
    if nothing_asked:
        raise TemplateError(f"section {nothing_asked[0]} asks for nothing; give it a `prompt`")
    click.echo(f"good: {len(template.sections)} sections and a summary")
    return 0


def _used(session: Session) -> Template:
    with opened(session) as workspace:
        config = workspace.config
        return read_template(workspace.snapshot, config, workspace.cache)


def _text_of(session: Session, file: str) -> str:
    path = session.cwd / file
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        known = ", ".join(own_templates("default"))
        raise TemplateError(f"{file}: {error.strerror}; templates lie at {known}") from None
