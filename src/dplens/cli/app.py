"""The commands."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from dplens.cli.options import speaking

# The module of each command in ``cli.commands``, and the function there if it has another name.
_COMMANDS = {
    "assess": "assess",
    "report": "report",
    "compare": "assess",
    "calibrate": "calibrate",
    "convert": "calibrate",
    "choose": "choose",
    "power": "power",
    "leak": "leak",
    "audit": "audit",
    "import": "import_:import_",
    "schema": "schema",
    "reproduce": "reproduce",
}


def app(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments: only the command that they name is loaded, or all if they name none."""
    out = typer.Typer(
        name="dplens",
        epilog="Exit codes: 0 fine, 1 a limit is not kept, 2 bad input. Start with: dplens assess gaussian:sigma=2",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    out.callback(invoke_without_command=True)(_start)
    named = arguments[0] if arguments else ""
    for command in [named] if named in _COMMANDS else _COMMANDS:
        module, _, function = _COMMANDS[command].partition(":")
        found = getattr(import_module(f"dplens.cli.commands.{module}"), function or command)
        out.command(command)(found if command == "schema" else speaking(found))
    return out


def _start(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """See what a differential-privacy guarantee means: to the attacker, to the person in the data, to the analyst."""
    if version:
        from importlib.metadata import version as installed

        print(installed("dplens"))
        raise typer.Exit(0)
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(0)
