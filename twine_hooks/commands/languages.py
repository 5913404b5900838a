"""`codetwine languages`: what is understood, and how far."""

from __future__ import annotations

import click

from twine_hooks.analysis.all_languages import LANGUAGES
from twine_hooks.presentation import as_json


@click.command("languages")
@click.option("--json", "wants_json", is_flag=True, help="Print as JSON.")
def command(wants_json: bool) -> int:
    """List the languages that are understood, and how far.

    Of each: the ends of file names, how imports find files, and how names and members are followed
    to what defines them. Languages of one family resolve into each other.
    """
    if wants_json:
        click.echo(
            as_json(
                [
                    {
                        "language": name,
                        "family": entry.family,
                        "extensions": list(entry.extensions),
                        "manifests": list(entry.manifests),
                        "imports": entry.imports,
                        "symbols": entry.symbols,
                    }
                    for name, entry in sorted(LANGUAGES.items())
                ]
            )
        )
        return 0
    for name, entry in sorted(LANGUAGES.items()):
        click.echo(f"{name}: {' '.join(f'.{one}' for one in entry.extensions)}")
        click.echo(f"  imports  {entry.imports}")
        click.echo(f"  symbols  {entry.symbols}")
        if entry.manifests:
            click.echo(f"  obeys    {', '.join(entry.manifests)}")
    return 0
