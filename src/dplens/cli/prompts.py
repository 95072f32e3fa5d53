"""What the two doors ask for in a terminal."""

from __future__ import annotations

import sys

import typer

from dplens.cli.show import show_lines
from dplens.errors import InvalidValue

_DOORS = ("privacy", "utility")


class Asking:
    """Asks for what flags did not say, in a terminal; elsewhere names the flag that is missing."""

    def __init__(self, json: bool) -> None:
        self.may = sys.stdin.isatty() and sys.stdout.isatty() and not json

    def _missing(self, flag: str) -> InvalidValue:
        return InvalidValue(f"Expected {flag} to be given: this is no terminal in which to ask for it.")

    def door(self, given: str | None) -> str:
        if given is not None:
            if given not in _DOORS:
                raise InvalidValue(f"Expected --door to be privacy or utility, got {given!r}.")
            return given
        if not self.may:
            raise self._missing("--door privacy or --door utility")
        show_lines(
            [
                "Where do you start?",
                "  1  I have a risk limit (privacy first)",
                "  2  I need this much power (utility first)",
            ]
        )
        while (answer := typer.prompt("1 or 2", default="1")) not in ("1", "2"):
            pass
        return _DOORS[int(answer) - 1]

    def yes(self, given: bool | None, flag: str, question: str) -> bool:
        if given is not None:
            return given
        if not self.may:
            raise self._missing(f"{flag} or --no{flag[1:]}")
        return typer.confirm(question, default=False)

    def number(self, flag: str, question: str, default: float) -> float:
        if not self.may:
            raise self._missing(flag)
        return typer.prompt(question, default=default, type=float)

    def limit(self, given: list[str] | None, sure: bool) -> list[str]:
        if given:
            return given
        if not self.may:
            raise self._missing("--limit")
        show_lines(
            [
                "How is the tolerable risk stated?",
                "  1  by how much odds may grow",
                "  2  how many members an attack may find",
            ]
        )
        while (kind := typer.prompt("1 or 2", default="1")) not in ("1", "2"):
            pass
        if kind == "1" and not sure:
            return [f"relative_risk={self.number('--limit', 'By which factor may odds grow, at most?', 3.0)}"]
        rate = self.number("--limit", "At which false-positive rate of the attack?", 0.01)
        if kind == "1":
            return [
                f"relative_risk:fpr={rate}={self.number('--limit', 'By which factor may odds grow, at most?', 5.0)}"
            ]
        share = self.number("--limit", "Which share of members may it find, at most?", 0.05)
        return [f"attack_power:fpr={rate}={share}"]

    def test(self, given: str | None, *, needed: bool) -> str | None:
        if given is not None or not (needed or self.may):
            return given
        if not self.may:
            raise self._missing("--test")
        if not needed and not typer.confirm("Is there an analysis that the number is for?", default=False):
            return None
        n = typer.prompt("Number of records", type=int)
        low = typer.prompt("Least possible value of one record", default=0.0, type=float)
        high = typer.prompt("Largest possible value", default=1.0, type=float)
        effect = typer.prompt("Difference of the mean that has to be seen", type=float)
        level = typer.prompt("Accepted chance of a false alarm", default=0.05, type=float)
        side = "larger" if effect > 0 else "smaller"
        return f"mean:n={n},bounds=[{low},{high}],effect={effect},level={level},alternative={side}"
