"""power: how often the analyst's test finds what it looks for through the noise."""

from __future__ import annotations

from json import loads
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import (
    decimal,
    follow,
    not_above,
    said,
    show_json,
    show_lines,
    spoken,
    waiting,
    write_report,
)
from dplens.cli.targets import REPORTS, Target, check_output, is_file
from dplens.describe.shorthand import numbers_of, test_of
from dplens.describe.values import write_estimate, written
from dplens.errors import InvalidValue

_OBSERVED = "What was published (24, 40,20 or a table): p-value, interval."


def power(
    test: Annotated[str, typer.Argument(metavar="TEST", help="mean:n=100,sd=0.25,effect=0.2, or a scenario file.")],
    spec: Annotated[
        str | None, typer.Argument(metavar="[SPEC]", help="The noise on the number that the test reads.")
    ] = None,
    solve: Annotated[str | None, o.option("NAME", "Find n, effect, level or noise instead; needs --power.")] = None,
    wanted: Annotated[float | None, o.option("NUMBER", "The power that is asked for.", "--power")] = None,
    family: Annotated[str | None, o.option("NAME", "Of the noise, with --solve noise; by default gaussian.")] = None,
    sensitivity: o.Sensitivity = None,
    observed: Annotated[str | None, o.option("NUMBERS", _OBSERVED)] = None,
    json: o.Json = False,
    report: o.Report = None,
) -> None:
    """How often a test finds what it looks for through the noise; or which n, effect or noise would do.

    \b
    Examples:
    dplens power mean:n=100,sd=0.25,effect=0.2,level=0.01 gaussian:sigma=0.05
    dplens power proportion:n=50,null=0.3,effect=0.2 geometric:scale=2 --observed 24
    dplens power two_proportions:n=80,baseline=0.3,effect=0.2 geometric:scale=2 --observed 40,20
    dplens power mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --solve noise --power 0.8
    dplens power examples/hospital-mean.yaml --observed 5.8
    """
    check_output(report, REPORTS, "--report", test)
    amount = {"--family": family, "--sensitivity": sensitivity}
    if is_file(test):
        _refuse({"SPEC": spec, "--solve": solve, "--power": wanted, **amount}, "a file, which holds test and noise")
        _of_file(test, observed, json, report)
        return
    plan = test_of(test)
    if solve != "noise":
        _refuse(amount, "anything but --solve noise")
    noise = Target(spec).release if spec is not None else None
    if solve is not None:
        _refuse({"--observed": observed, **({"SPEC": spec} if solve == "noise" else {})}, f"--solve {solve}")
        _solve(plan, noise, solve, wanted, family, sensitivity, json, report)
        return
    if wanted is not None:
        raise InvalidValue("Expected --solve to be given with --power, as in: --solve n --power 0.8")
    if report is not None and observed is None:
        raise InvalidValue("Expected --report to be given with --solve, --observed or a scenario file.")
    with waiting("power"):
        found: dict[str, Any] = {"power": plan.power(noise), "power_without_noise": plan.power()}
    verdict = plan.decide(numbers_of("--observed", observed), noise) if observed is not None else None
    if report is not None:
        write_report(verdict, report)
    if json:
        more = {"verdict": written_verdict(verdict)} if verdict is not None else {}
        show_json({name: write_estimate(e) for name, e in found.items()} | more)
        return
    lines = [said("power-noise", power=not_above(found["power"].low))] if noise is not None else []
    lines.append(said("power-none", power=not_above(found["power_without_noise"].low)))
    show_lines([*lines, *([verdict.sentence] if verdict is not None else [])])


def _refuse(given: dict[str, Any], beside: str) -> None:
    """Refuse options that would have no effect."""
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InvalidValue(f"Expected {' and '.join(named)} to be left out: not for use with {beside}.")


def _of_file(path: str, observed: str | None, json: bool, report: Path | None) -> None:
    target = Target(path)
    if target.scenario is not None and not target.scenario.analyst:
        raise InvalidValue(f"{path}: Expected the key analyst, which holds the tests, to be given.")
    with waiting("assess"):
        made = target.assess()
    follow(made)
    verdict = None if observed is None else _decided(target, observed)
    if report is not None:
        write_report(verdict or made, report, made.declared if verdict else None)
    if json:
        more = {"verdict": written_verdict(verdict)} if verdict is not None else {}
        show_json([a.to_dict() | more for a in made.analyst])
    else:
        from dplens.present.words.say import say

        show_lines([*say(made, spoken(made))["analyst"], *([verdict.sentence] if verdict is not None else [])])
    if not all(a.met for a in made.analyst):
        raise typer.Exit(1)


def _decided(target: Target, observed: str) -> Any:
    """The verdict of the test in the file on a published number."""
    from dplens.describe.analyses import read_test
    from dplens.describe.releases import read_release

    if target.saved is not None:
        held = [(read_test(loads(a.test)), read_release(loads(a.reads))) for a in target.saved.analyst]
    else:
        held = [(a.test, a.mechanism) for a in target.scenario.analyst]
    if len(held) != 1:
        raise InvalidValue(
            f"{target.spec}: Expected one test for --observed, got {len(held)}. Name test and noise instead, as in: "
            "dplens power mean:n=100,sd=0.25,effect=0.2 gaussian:sigma=0.05 --observed 0.13"
        )
    ((test, noise),) = held
    return test.decide(numbers_of("--observed", observed), noise)


def _solve(
    plan: Any,
    noise: Any,
    unknown: str,
    wanted: float | None,
    family: str | None,
    sensitivity: float | None,
    json: bool,
    report: Path | None,
) -> None:
    from dplens.analyst.planning.solving import solve as solved
    from dplens.describe.names import unknown as unknown_name

    if unknown not in ("n", "effect", "level", "noise"):
        raise unknown_name("--solve", unknown, ("n", "effect", "level", "noise"))
    if wanted is None:
        raise InvalidValue("Expected --power to be given with --solve, as in: --solve n --power 0.8")
    given: dict[str, Any] = {unknown: None, "power": wanted}
    if unknown == "noise":
        given |= {"family": family or "gaussian", "sensitivity": sensitivity}
    elif noise is not None:
        given["noise"] = noise
    with waiting("solve"):
        found = solved(plan, **given)
    if report is not None:
        write_report(found, report)
    if json:
        show_json({"unknown": unknown, "value": written(float(found.value)), "power": write_estimate(found.power)})
        return
    value = said("power-solved", name=unknown, value=decimal(repr(found.value)))
    show_lines([value, said("power-reached", power=not_above(found.power.low))])


def written_verdict(verdict: Any) -> dict[str, Any]:
    """A verdict as values that JSON knows."""
    made = verdict.to_dict()
    made["p_value"] = write_estimate(verdict.p_value)
    return made | {"interval": written(made["interval"])}
