"""choose: the two doors to a decision about noise."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.prompts import Asking
from dplens.cli.show import said, show_json, show_lines, show_table, spoken, waiting, write_report
from dplens.cli.targets import REPORTS, check_output
from dplens.describe.shorthand import requirement_of, test_of
from dplens.risk.conversions import Epsilon
from dplens.telling import Figure

_TEST = "The analyst's test, such as mean:n=100,sd=0.25,effect=0.2,bounds=[0,1]."
_ASKED: dict[str, Any] = {
    "door": Annotated[str | None, o.option("privacy|utility", "Which side is asked first.")],
    "limit": Annotated[list[str] | None, o.option("LIMIT", "A tolerable risk: relative_risk:fpr=0.01=5.", "--limit")],
    "blatant_ok": Annotated[bool | None, typer.Option(help="May a result prove that someone is in the data?")],
    "high_confidence_ok": Annotated[
        bool | None, typer.Option(help="May an attacker become arbitrarily sure, however rarely?")
    ],
    "test": Annotated[str | None, o.option("TEST", _TEST, "--test")],
    "min_power": Annotated[float | None, o.option("NUMBER", "The power that the analyst needs.")],
    "max_power_loss": Annotated[
        float | None, o.option("NUMBER", "The share of the power without noise that may be lost.")
    ],
    "family": Annotated[
        list[str] | None, o.option("NAME", "gaussian, laplace, …; by default all that fit.", "--family")
    ],
    "sensitivity": o.Sensitivity,
    "neighbours": Annotated[str | None, o.option("NAME", "add_remove or replace; by default what fits the test.")],
}


@o.gathering(_ASKED)
def choose(
    *,
    flags: dict[str, Any],
    prior: Annotated[float, o.option("NUMBER", "For the sentence about the attacker.")] = 0.1,
    fpr: Annotated[float, o.option("NUMBER", "For the sentence about the attacker.", "--fpr")] = 0.01,
    json: o.Json = False,
    output: Annotated[
        Path | None, o.option("FILE", "Write the choice as a scenario (.yaml).", "--output", "-o")
    ] = None,
    chart: Annotated[
        Path | None, o.option("FILE", "Draw the feasible range of noise (.svg, .png, .html or .csv).")
    ] = None,
    report: o.Report = None,
) -> None:
    """Which noise? Starts from a risk limit (privacy) or from the power that is needed (utility); asks what is missing.

    \b
    Examples:
    dplens choose                                    (asks, in a terminal)
    dplens choose --door privacy --no-blatant-ok --high-confidence-ok --limit relative_risk:fpr=0.01=5
    dplens choose --door privacy --no-blatant-ok --no-high-confidence-ok --limit relative_risk=3 \\
        --test mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --min-power 0.8
    dplens choose --door utility --test mean:n=100,sd=0.25,effect=0.2,level=0.01,bounds=[0,1] --max-power-loss 0.01 \\
        --chart range.svg
    """
    check_output(output, (".yaml", ".yml"))
    check_output(chart, (".svg", ".png", ".html", ".json", ".csv"), "--chart")
    check_output(report, REPORTS, "--report")
    ask = Asking(json)
    door = _privacy_first if ask.door(flags["door"]) == "privacy" else _utility_first
    made, study = door(
        ask, flags, {key: flags[key] for key in ("sensitivity", "neighbours")} | {"prior": prior, "fpr": fpr}
    )
    if output is not None and made.recommended is not None:
        _write(made, study, output)
    if report is not None:
        write_report(made, report)
    if json:
        show_json(made.to_dict())
    else:
        _show(made)
    if chart is not None and made.feasible is None:
        print(f"dplens: note: {chart} is not drawn: no family of noise has a range to show.", file=sys.stderr)
    elif chart is not None:  # an empty range is drawn and labelled too
        from dplens.present.charts.picture import chart as draw

        with waiting("draw"):
            draw("feasible", made).save(chart)
    if made.recommended is None:
        if output is not None:
            print(f"dplens: note: {output} is not written: no noise suits both sides.", file=sys.stderr)
        raise typer.Exit(1)


def _privacy_first(ask: Asking, flags: dict[str, Any], common: dict[str, Any]) -> tuple[Any, Any]:
    """The decision and the analyst's test, starting from a limit on the risk."""
    from dplens.decide.doors.privacy_first import privacy_first

    blatant = ask.yes(flags["blatant_ok"], "--blatant-ok", said("ask-blatant"))
    sure = flags["high_confidence_ok"]
    if sure is None and blatant:
        sure = True
    sure = ask.yes(sure, "--high-confidence-ok", said("ask-sure"))
    limits = [requirement_of(text) for text in ask.limit(flags["limit"], sure)]
    plan = ask.test(flags["test"], needed=False)
    study = None if plan is None else test_of(plan)
    with waiting("families"):
        made = privacy_first(
            blatant_ok=blatant,
            high_confidence_ok=sure,
            limit=limits,
            families=flags["family"] or None,
            analyst=study,
            min_power=flags["min_power"],
            **common,
        )
    return made, study


def _utility_first(ask: Asking, flags: dict[str, Any], common: dict[str, Any]) -> tuple[Any, Any]:
    """The decision and the analyst's test, starting from the power they need."""
    from dplens.decide.doors.utility_first import utility_first

    study, power = test_of(ask.test(flags["test"], needed=True) or ""), flags["min_power"]
    if power is None and flags["max_power_loss"] is None:
        power = ask.share("--min-power", said("ask-power"), 0.8)
    limits = [requirement_of(text) for text in flags["limit"] or ()]
    with waiting("families"):
        made = utility_first(
            study,
            family=flags["family"] or None,
            min_power=power,
            max_power_loss=flags["max_power_loss"],
            limit=limits or None,
            **common,
        )
    return made, study


def _show(made: Any) -> None:
    from dplens.decide.doors.decision import amount
    from dplens.decide.doors.review import rounded_down

    show_lines([*made.words(language=spoken()).splitlines(), *_epsilons(made)])
    rows = []
    least = made.door == "privacy_first"  # the least noise that meets the limits, else the most that leaves the power
    for one in made.options:
        power = rounded_down(one.power.low, 2) if one.power is not None else "–"
        noise = "–"
        if one.noise is not None:
            size = Figure(amount(one.noise, at_least=least, digits=6))
            noise = said("choose-noise", parameter=one.parameter, amount=size)
        fails = said("choose-worst", failure=one.failure.value) if one.failure is not None else "–"
        rows.append(
            [
                said("family-name", family=one.family),
                noise,
                fails,
                power,
                said("choose-yes" if one.admissible else "choose-no"),  # the reasons are told above
            ]
        )
    show_lines([""])
    heads = [said(f"choose-head-{head}") for head in ("family", "noise", "worst", "power", "admissible")]
    show_table(heads, rows, title=said("choose-every"))


def _epsilons(made: Any) -> list[str]:
    """Epsilon of the recommended release at each delta of a limit."""
    from dplens.present.words.epsilon import epsilon_sentence

    asked = made.recommended.risks if made.recommended is not None else ()
    say = partial(said, mildest="no")
    return [epsilon_sentence(q.delta, answer, say) for q, answer in asked if isinstance(q, Epsilon)]


def _write(made: Any, study: Any, path: Path) -> None:
    """Write the recommended release, its limits and the test as a scenario."""
    from dplens.describe.analyses import write_test
    from dplens.describe.questions import write_requirement
    from dplens.describe.releases import write_release
    from dplens.present.charts.export import write_whole
    from dplens.scenario.written import as_yaml

    content: dict[str, Any] = {"releases": [write_release(made.recommended.mechanism)]}
    if made.limit:
        content["limits"] = [write_requirement(r) for r in made.limit]
    if study is not None:
        needed = {} if made.wanted_power is None else {"min_power": made.wanted_power}
        content["analyst"] = [{**write_test(study), **needed}]
    write_whole(path, as_yaml(content).encode())
