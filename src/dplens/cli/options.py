"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
        help="A limit, such as advantage=0.1: exit code 1 if it is exceeded; repeatable.",
    ),
]
Delta = Annotated[
    float | None, typer.Option(metavar="NUMBER", help="At which epsilon is quoted; by default well below 1/n.")
]
Records = Annotated[int | None, typer.Option("--n", metavar="COUNT", help="How many records there are.")]
Unit = Annotated[str | None, typer.Option(metavar="WORD", help="What one record stands for.")]
Rate = Annotated[
    float | None,
    typer.Option("--fpr", metavar="NUMBER", help="False-positive rate of the attacker in pairs of numbers."),
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="One line that says what is released.")]
Full = Annotated[bool, typer.Option("--full", help="Also what is not covered, what was declared, and every bracket.")]
