"""The commands."""

from __future__ import annotations

from typing import Annotated

import typer

from dplens.cli import asking, assessing, auditing, choosing, leaking, powering, reproducing

app = typer.Typer(
    name="dplens",
    help="See what a differential-privacy guarantee means: to the attacker, to the person in the data, to the analyst.",
    epilog="Exit codes: 0 fine, 1 a limit is exceeded, 2 bad input. Start with: dplens assess gaussian:sigma=2",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback(invoke_without_command=True)
def start(
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


for _command, _function in {
    "assess": assessing.assess,
    "report": assessing.report,
    "compare": assessing.compare,
    "calibrate": asking.calibrate,
    "convert": asking.convert,
    "choose": choosing.choose,
    "power": powering.power,
    "leak": leaking.leak,
    "audit": auditing.audit,
    "import": auditing.import_,
    "schema": asking.schema,
    "reproduce": reproducing.reproduce,
}.items():
    app.command(_command)(_function)
