"""The click group that finds a command when it is called; knows the list of names, no command."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from twine_hooks import versions
from twine_hooks.commands import COMMANDS
from twine_hooks.errors import CodetwineError
from twine_hooks.session import Session, here


class LazyGroup(click.Group):
    """Lists every command from COMMANDS and imports the module of the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"twine_hooks.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"codetwine {versions.installed('codetwine') or '(not installed)'}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "folders",
    metavar="PATH",
    multiple=True,
    help="Run as if started in PATH; several add up, as in git.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version.",
)
@click.pass_context
def codetwine(ctx: click.Context, folders: tuple[str, ...]) -> None:
    """Keep documents of source code true on every commit.

    codetwine COMMAND --help tells about one command. PyPI's twine (upload, check) may own the
    script `twine` here: `codetwine` is always this program, and `codetwine doctor` tells who
    owns what.
    """
    cwd = here().joinpath(*folders)
    if not cwd.is_dir():
        raise CodetwineError(f"-C {cwd}: there is no such folder; check the path")
    ctx.obj = Session(cwd=cwd, environ=dict(os.environ))


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; its exit code. Errors of ours pass through.

    Not by way of click's own `main`, which ends in silence on any broken pipe, also on one to
    git or to a model.
    """
    instruction = os.environ.get("_CODETWINE_COMPLETE")
    if instruction:
        return shell_complete(codetwine, {}, "codetwine", "_CODETWINE_COMPLETE", instruction)
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with codetwine.make_context("codetwine", list(arguments), color=color) as context:
            code = codetwine.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return 1
    except click.Abort:  # an end of input at a prompt
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0
