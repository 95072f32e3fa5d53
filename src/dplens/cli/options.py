"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer


def whole_number(text: str | int) -> int:
    """A count as people write it: 12000, 1e5."""
    from dplens.describe.shorthand import whole

    try:
        return whole(text)
    except ValueError:
        raise typer.BadParameter(f"Expected a whole number such as 12000 or 1e5, got {text!r}.") from None


Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="A mechanism (gaussian:sigma=2), a scenario file (.yaml, .toml, .json) or a saved assessment (.json).",
    ),
]
Specs = Annotated[list[str], typer.Argument(metavar="SPEC…", help="Two or more of the same, best first.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, whole or not at all; the suffix says in which format.",
    ),
]
Priors = Annotated[
    list[float] | None,
    typer.Option("--prior", metavar="NUMBER", help="What the attacker believes beforehand; may be repeated."),
]
Ask = Annotated[
    list[str] | None,
    typer.Option("--ask", metavar="QUESTION", help="A further question, such as f_score:prior=0.1; may be repeated."),
]
FailAbove = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-above",
        metavar="LIMIT",
        help="A limit, such as advantage=0.1: exit code 1 if it is not kept; repeatable.",
    ),
]
Delta = Annotated[
    float | None, typer.Option(metavar="NUMBER", help="At which epsilon is quoted; by default well below 1/n.")
]
Records = Annotated[
    int | None, typer.Option("--n", metavar="COUNT", parser=whole_number, help="How many records there are.")
]
Unit = Annotated[str | None, typer.Option(metavar="WORD", help="What one record stands for.")]
Rate = Annotated[
    float | None,
    typer.Option("--fpr", metavar="NUMBER", help="False-positive rate of the attacker in pairs of numbers."),
]
Setting = Annotated[
    str | None,
    typer.Option(metavar="central|local", help="Who adds the noise: the holder of the data, or each person."),
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="One line that says what is released.")]
Full = Annotated[bool, typer.Option("--full", help="Also what is not covered, what was declared, and every bracket.")]

Sensitivity = Annotated[
    float | None, typer.Option(metavar="NUMBER", help="Of what is published; by default from the test's bounds.")
]

# How a release is assessed, for the commands that assess one.
_ASSESSING: dict[str, Any] = {
    "prior": Priors,
    "fail_above": FailAbove,
    "ask": Ask,
    "delta": Delta,
    "n": Records,
    "unit": Unit,
    "fpr": Rate,
    "setting": Setting,
    "title": Title,
}


def assessing(command: Callable[..., None]) -> Callable[..., None]:
    """A command that also takes every flag on how to assess, and is given them together as ``flags``.

    They stand where ``flags`` stands among its own arguments.
    """
    own = inspect.signature(command, eval_str=True)
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in _ASSESSING.items()
    ]
    parameters = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, mine in own.parameters.items()
        for one in (shared if name == "flags" else [mine])
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        flags = {name: given.pop(name) for name in _ASSESSING}
        command(**given, flags=flags)

    run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    del run.__wrapped__  # pyright: ignore[reportAttributeAccessIssue]
    return run
