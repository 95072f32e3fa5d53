"""choose and power: the analyst's side, and the two doors to a decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import show_json, show_lines, show_table
from dplens.cli.targets import Target, check_output, is_file
from dplens.describe.shorthand import requirement_of, test_of
from dplens.describe.values import write_estimate, written
from dplens.errors import InvalidValue

_DOORS = ("privacy", "utility")
Test = Annotated[
    str | None,
    typer.Option(
        "--test", metavar="TEST", help="The analyst's test, such as mean:n=100,sd=0.25,effect=0.2,bounds=[0,1]."
    ),
]
MinPower = Annotated[float | None, typer.Option(metavar="NUMBER", help="The power that the analyst needs.")]
Sensitivity = Annotated[
    float | None, typer.Option(metavar="NUMBER", help="Of what is published; by default from the test's bounds.")
]


def choose(
    door: Annotated[str | None, typer.Option(metavar="privacy|utility", help="Which side is asked first.")] = None,
    limit: Annotated[
        list[str] | None, typer.Option("--limit", metavar="LIMIT", help="A tolerable risk: relative_risk:fpr=0.01=5.")
    ] = None,
    blatant_ok: Annotated[bool | None, typer.Option(help="May an output prove that someone is in the data?")] = None,
    high_confidence_ok: Annotated[
        bool | None, typer.Option(help="May an attacker become arbitrarily sure, however rarely?")
    ] = None,
    test: Test = None,
    min_power: MinPower = None,
    max_power_loss: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="The share of the power without noise that may be lost.")
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", metavar="NAME", help="gaussian, laplace, …; by default all that fit."),
    ] = None,
    sensitivity: Sensitivity = None,
    neighbours: Annotated[
        str | None, typer.Option(metavar="NAME", help="add_remove or replace; by default what fits the test.")
    ] = None,
    prior: Annotated[float, typer.Option(metavar="NUMBER", help="For the sentence about the attacker.")] = 0.1,
    fpr: Annotated[float, typer.Option("--fpr", metavar="NUMBER", help="For the sentence about the attacker.")] = 0.01,
    json: o.Json = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the choice as a scenario (.yaml).")
    ] = None,
) -> None:
    """Which noise? Starts from a risk limit (privacy) or from the power that is needed (utility); asks what is missing.

    \b
    Examples:
    dplens choose                                    (asks, in a terminal)
    dplens choose --door privacy --no-blatant-ok --high-confidence-ok --limit relative_risk:fpr=0.01=5
    dplens choose --door privacy --no-blatant-ok --no-high-confidence-ok --limit relative_risk=3 \\
        --test mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --min-power 0.8
    dplens choose --door utility --test mean:n=100,sd=0.25,effect=0.2,level=0.01,bounds=[0,1] --max-power-loss 0.01
    """
    check_output(output, (".yaml", ".yml"))
    ask = _Asking(json)
    which = ask.door(door)
    common = {"sensitivity": sensitivity, "neighbours": neighbours, "prior": prior, "fpr": fpr}
    if which == "privacy":
        from dplens.decide.privacy_first import privacy_first

        blatant = ask.yes(blatant_ok, "--blatant-ok", "May an output prove that someone is in the data?")
        sure = True if blatant else None
        question = "May an attacker become arbitrarily sure, however rarely?"
        sure = ask.yes(high_confidence_ok if high_confidence_ok is not None else sure, "--high-confidence-ok", question)
        limits = [requirement_of(text) for text in ask.limit(limit, sure)]
        plan = ask.test(test, needed=False)
        made = privacy_first(
            blatant_ok=blatant,
            high_confidence_ok=sure,
            limit=limits,
            families=family or None,
            analyst=None if plan is None else test_of(plan),
            min_power=min_power,
            **common,
        )
    else:
        from dplens.decide.utility_first import utility_first

        plan = test_of(ask.test(test, needed=True) or "")
        if min_power is None and max_power_loss is None:
            min_power = ask.number("--min-power", "Which power must be left?", 0.8)
        made = utility_first(
            plan,
            family=family or None,
            min_power=min_power,
            max_power_loss=max_power_loss,
            limit=[requirement_of(text) for text in limit] if limit else None,
            **common,
        )
    if output is not None:
        _write(made, output)
    if json:
        show_json(made.to_dict())
    else:
        _show(made)
    if made.recommended is None:
        raise typer.Exit(1)


class _Asking:
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


def _show(made: Any) -> None:
    from dplens.decide.decision import amount

    show_lines(made.sentences())
    rows = []
    least = made.door == "privacy_first"  # the least noise that meets the limits, else the most that leaves the power
    for one in made.options:
        power = _percent(one.power.low) if one.power is not None else "–"
        noise = "–" if one.noise is None else f"{one.parameter} = {amount(one.noise, at_least=least, digits=6)}"
        fails = one.failure.value if one.failure is not None else "–"
        rows.append([one.family, noise, fails, power, "yes" if one.admissible else f"no: {one.why}"])
    show_lines([""])
    show_table(["family", "noise", "fails", "power", "admissible"], rows, title="Every family that was looked at")


def _write(made: Any, path: Path) -> None:
    from dplens.describe.questions import write_requirement
    from dplens.describe.releases import write_release
    from dplens.present.charts.export import write_whole
    from dplens.scenario.written import as_yaml

    if made.recommended is None:
        raise InvalidValue("No noise serves both sides, so there is no scenario to write. See what would have to give.")
    content: dict[str, Any] = {"releases": [write_release(made.recommended.mechanism)]}
    if made.limit:
        content["limits"] = [write_requirement(r) for r in made.limit]
    write_whole(path, as_yaml(content).encode())


def power(
    test: Annotated[str, typer.Argument(metavar="TEST", help="mean:n=100,sd=0.25,effect=0.2, or a scenario file.")],
    spec: Annotated[
        str | None, typer.Argument(metavar="[SPEC]", help="The noise on the number that the test reads.")
    ] = None,
    solve: Annotated[
        str | None, typer.Option(metavar="NAME", help="Find n, effect, level or noise instead; needs --power.")
    ] = None,
    wanted: Annotated[
        float | None, typer.Option("--power", metavar="NUMBER", help="The power that is asked for.")
    ] = None,
    family: Annotated[str, typer.Option(metavar="NAME", help="Of the noise, with --solve noise.")] = "gaussian",
    sensitivity: Sensitivity = None,
    observed: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="The published number: its p-value and interval.")
    ] = None,
    json: o.Json = False,
) -> None:
    """How often a test finds what it looks for through the noise; or which n, effect or noise would do.

    \b
    Examples:
    dplens power mean:n=100,sd=0.25,effect=0.2,level=0.01 gaussian:sigma=0.05
    dplens power proportion:n=50,null=0.3,effect=0.2 geometric:scale=2 --observed 24
    dplens power mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --solve noise --power 0.8
    dplens power examples/hospital-mean.yaml
    """
    if is_file(test):
        _of_file(test, json)
        return
    plan = test_of(test)
    noise = Target(spec).release if spec is not None else None
    if solve is not None:
        _solve(plan, noise, solve, wanted, family, sensitivity, json)
        return
    if wanted is not None:
        raise InvalidValue("Expected --solve to be given with --power, as in: --solve n --power 0.8")
    found: dict[str, Any] = {"power": plan.power(noise), "power_without_noise": plan.power()}
    verdict = plan.decide(observed, noise) if observed is not None else None
    if json:
        more = {"verdict": written_verdict(verdict)} if verdict is not None else {}
        show_json({name: write_estimate(e) for name, e in found.items()} | more)
        return
    lines = (
        [f"Power with the noise: {_percent(found['power'].low)} (not promised too high)."] if noise is not None else []
    )
    lines.append(f"Power without noise: {_percent(found['power_without_noise'].low)}.")
    show_lines([*lines, *([verdict.sentence] if verdict is not None else [])])


def _of_file(path: str, json: bool) -> None:
    target = Target(path)
    if target.scenario is not None and not target.scenario.analyst:
        raise InvalidValue(f"{path}: Expected the key analyst, which holds the tests, to be given.")
    made = target.assess()
    if json:
        show_json([a.to_dict() for a in made.analyst])
    else:
        from dplens.present.words.say import say

        show_lines(say(made)["analyst"])
    if not all(a.met for a in made.analyst):
        raise typer.Exit(1)


def _solve(
    plan: Any, noise: Any, unknown: str, wanted: float | None, family: str, sensitivity: float | None, json: bool
) -> None:
    from dplens.describe.names import unknown as unknown_name
    from dplens.utility.solving import solve as solved

    if unknown not in ("n", "effect", "level", "noise"):
        raise unknown_name("--solve", unknown, ("n", "effect", "level", "noise"))
    if wanted is None:
        raise InvalidValue("Expected --power to be given with --solve, as in: --solve n --power 0.8")
    given: dict[str, Any] = {unknown: None, "power": wanted}
    if unknown == "noise":
        given |= {"family": family, "sensitivity": sensitivity}
    elif noise is not None:
        given["noise"] = noise
    found = solved(plan, **given)
    if json:
        show_json({"unknown": unknown, "value": written(float(found.value)), "power": write_estimate(found.power)})
        return
    show_lines([f"{unknown} = {found.value!r}", f"It gives a power of {_percent(found.power.low)}."])


def written_verdict(verdict: Any) -> dict[str, Any]:
    """A verdict as values that JSON knows."""
    made = verdict.to_dict()
    made["p_value"] = write_estimate(verdict.p_value)
    return made | {"interval": written(made["interval"])}


def _percent(x: float) -> str:
    from dplens.present.rounding import percent

    return percent(x, 4, more_is_riskier=False)
