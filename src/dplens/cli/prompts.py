"""Prompts of ``choose``."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import typer

from dplens.cli.show import said, show_lines
from dplens.errors import InvalidValue

_DOORS = ("privacy", "utility")
_SHARE = ("a share above 0 and below 1", lambda x: 0 < x < 1)


class Asking:
    """Prompts for missing flags in a terminal; elsewhere an error names the flag."""

    def __init__(self, json: bool) -> None:
        self.may = sys.stdin.isatty() and sys.stdout.isatty() and not json

    def _missing(self, flag: str) -> InvalidValue:
        return InvalidValue(f"Expected {flag} to be given: it cannot be asked for outside a terminal.")

    def door(self, given: str | None) -> str:
        if given is not None:
            if given not in _DOORS:
                raise InvalidValue(f"Expected --door to be privacy or utility, got {given!r}.")
            return given
        if not self.may:
            raise self._missing("--door privacy or --door utility")
        return self._choice(said("ask-door"), {door: said(f"ask-door-{door}") for door in _DOORS})

    def _choice(self, question: str, options: dict[str, str]) -> str:
        """One of several, by number or name; prompts until the answer is valid."""
        numbered = {str(i + 1): name for i, name in enumerate(options)}
        show_lines([question, *(f"  {i}  {options[name]}" for i, name in numbered.items())])
        while True:
            answer = typer.prompt(said("ask-or", first="1", second=str(len(numbered))), default="1").strip().lower()
            if (chosen := numbered.get(answer, answer)) in options:
                return chosen
            show_lines([f"Expected {' or '.join((*numbered, *options))}, got {answer!r}."])

    def _number(self, question: str, rule: str, fits: Callable[[float], bool], default: float | None = None) -> float:
        """A number that satisfies a rule; prompts until the answer is valid."""
        while True:
            answer = typer.prompt(question, default=None if default is None else str(default), type=str)
            try:
                value = float(answer)
            except ValueError:
                value = math.nan
            if math.isfinite(value) and fits(value):
                return value
            share = " Shares are written as numbers: 0.1 for 10 %." if answer.strip().endswith("%") else ""
            show_lines([f"Expected {rule}, got {answer!r}.{share}"])

    def yes(self, given: bool | None, flag: str, question: str) -> bool:
        if given is not None:
            return given
        if not self.may:
            raise self._missing(f"{flag} or --no{flag[1:]}")
        return typer.confirm(question, default=False)

    def share(self, flag: str, question: str, default: float) -> float:
        if not self.may:
            raise self._missing(flag)
        return self._number(question, *_SHARE, default)

    def limit(self, given: list[str] | None, sure: bool) -> list[str]:
        if given:
            return given
        if not self.may:
            raise self._missing("--limit")
        kind = self._choice(said("ask-limit"), {one: said(f"ask-limit-{one}") for one in ("odds", "members")})
        factor, above_one = said("ask-factor"), ("a number above 1", lambda x: x > 1)
        if kind == "odds" and not sure:
            return [f"relative_risk={self._number(factor, *above_one, 3.0)}"]
        rate = self._number(said("ask-rate"), *_SHARE, 0.01)
        if kind == "odds":
            return [f"relative_risk:fpr={rate}={self._number(factor, *above_one, 5.0)}"]
        usual = 0.05 if rate < 0.05 else None
        more = (f"a share above {rate}, which guessing finds, and below 1", lambda x: rate < x < 1)
        return [f"attack_power:fpr={rate}={self._number(said('ask-share'), *more, usual)}"]

    def test(self, given: str | None, *, needed: bool) -> str | None:
        if given is not None or not (needed or self.may):
            return given
        if not self.may:
            raise self._missing("--test")
        if not needed and not typer.confirm(said("ask-analysis"), default=False):
            return None
        n = int(self._number(said("ask-n"), "a whole number from 2 on", lambda x: x >= 2 and x == int(x)))
        low = self._number(said("ask-low"), "a number", lambda x: True, 0.0)
        high = self._number(said("ask-high"), f"a number above {low}", lambda x: x > low, low + 1)
        within = (f"a difference other than 0 and within {high - low}", lambda x: 0 < abs(x) <= high - low)
        effect = self._number(said("ask-effect"), *within)
        level = self._number(said("ask-level"), *_SHARE, 0.05)
        side = "larger" if effect > 0 else "smaller"
        return f"mean:n={n},bounds=[{low},{high}],effect={effect},level={level},alternative={side}"
