"""Arguments and options that several commands share, and how a command takes many of them at once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens import _validate
from dplens.cli import show
from dplens.telling import LANGUAGES


def whole_number(text: str | int) -> int:
    """A count as people write it: 12000, 1e5."""
    from dplens.describe.shorthand import whole

    try:
        return whole(text)
    except ValueError:
        raise typer.BadParameter(f"Expected a whole number such as 12000 or 1e5, got {text!r}.") from None


def option(metavar: str, text: str, *names: str, **more: Any) -> Any:
    """An option with what its help shows."""
    return typer.Option(*names, metavar=metavar, help=text, **more)


_LANGUAGES = ", ".join(LANGUAGES)
_SPEC = "A mechanism (gaussian:sigma=2), a scenario file (.yaml, .toml, .json) or a saved assessment (.json)."
_FILE = "Write to this file, whole or not at all; the suffix says in which format."
_LIMIT = "A limit, such as advantage=0.1: exit code 1 if it is not kept; repeatable."

Spec = Annotated[str, typer.Argument(metavar="SPEC", help=_SPEC)]
Specs = Annotated[list[str], typer.Argument(metavar="SPEC…", help="Two or more of the same, best first.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")]
Output = Annotated[Path | None, option("FILE", _FILE, "--output", "-o")]
Report = Annotated[Path | None, option("FILE", "Also write a report (.html, .pdf, .md or .json).", "--report")]
Priors = Annotated[
    list[float] | None, option("NUMBER", "What the attacker believes beforehand; may be repeated.", "--prior")
]
Ask = Annotated[
    list[str] | None, option("QUESTION", "A further question, such as f_score:prior=0.1; may be repeated.", "--ask")
]
FailAbove = Annotated[list[str] | None, option("LIMIT", _LIMIT, "--fail-above")]
Delta = Annotated[float | None, option("NUMBER", "At which epsilon is quoted; by default well below 1/n.")]
Records = Annotated[int | None, option("COUNT", "How many records there are.", "--n", parser=whole_number)]
Unit = Annotated[str | None, option("WORD", "What one record stands for.")]
Rate = Annotated[float | None, option("NUMBER", "False-positive rate of the attacker in pairs of numbers.", "--fpr")]
Setting = Annotated[str | None, option("central|local", "Who adds the noise: the holder of the data, or each person.")]
Title = Annotated[str | None, option("TEXT", "One line that says what is released.")]
Language = Annotated[str | None, option("CODE", f"Of the words: {_LANGUAGES}; by default that of the scenario.")]
Full = Annotated[bool, typer.Option("--full", help="Also what was declared, and every bracket.")]
Sensitivity = Annotated[float | None, option("NUMBER", "Of what is published; by default from the test's bounds.")]

# How a release is assessed, for the commands that assess one.
ASSESSING: dict[str, Any] = {
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


def speaking(command: Callable[..., None]) -> Callable[..., None]:
    """A command that also takes ``--language``, which everything that it prints is then in."""

    def spoken(*, flags: dict[str, Any], **given: Any) -> None:
        if flags["language"] is not None:
            _validate.one_of("--language", flags["language"], LANGUAGES)
        with show.speaking(flags["language"]):
            command(**given)

    return gathering({"language": Language}, like=command)(spoken)


def gathering(
    options: dict[str, Any], like: Callable[..., None] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for commands that take all these options, by default None, and get them as one dictionary ``flags``.

    On the command line they appear at the place of ``flags`` among the command's own parameters, or after those of the
    command that this one is ``like``.
    """

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for name, kind in options.items()
        ]
        own = inspect.signature(like or command, eval_str=True).parameters
        parameters = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name in dict.fromkeys((*own, "flags"))
            for one in (shared if name == "flags" else [own[name]])
        ]

        @wraps(like or command)
        def run(**given: Any) -> None:
            flags = {name: given.pop(name) for name in options}
            command(**given, flags=flags)

        run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        del run.__wrapped__  # pyright: ignore[reportAttributeAccessIssue]
        return run

    return decorated
