"""leak: what attackers learn who know how records are related."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import (
    follow,
    said,
    show_json,
    show_words,
    spoken,
    waiting,
    write_report,
)
from dplens.cli.targets import REPORTS, Target, check_output
from dplens.describe.shorthand import numbers_of
from dplens.errors import InvalidValue

_MODEL: dict[str, Any] = {
    "joint": Annotated[str | None, o.option("JSON", "Joint law of discrete tuples, as JSON: [[.4,.1],[.1,.4]].")],
    "transition": Annotated[str | None, o.option("JSON", "Transition matrix of a chain, as JSON; needs --length.")],
    "initial": Annotated[str | None, o.option("JSON", "Law of the chain's first tuple, as JSON; default all alike.")],
    "correlation": Annotated[float | None, o.option("NUMBER", "Of neighbours in a normal chain; needs --length.")],
    "length": Annotated[int | None, o.option("COUNT", "Number of tuples in a chain.", parser=o.whole_number)],
    "weights": Annotated[str | None, o.option("JSON", "Of the released sum, as JSON; default all 1.")],
    "target": Annotated[int | None, o.option("INDEX", "A tuple to look at beside the worst, counted from 0.")],
    "known": Annotated[str | None, o.option("LIST", "What the attacker on it knows: 1,2 or 1=0.5,2=0.")],
    "method": Annotated[str | None, o.option("NAME", "How the worst attacker is searched for.")],
}


@o.gathering(_MODEL)
def leak(
    *,
    spec: o.Spec,
    flags: dict[str, Any],
    fail_above: o.FailAbove = None,
    prior: o.Priors = None,
    json: o.Json = False,
    report: o.Report = None,
) -> None:
    """What attackers learn who know how records are related; the data model is in the scenario or in options.

    \b
    Examples:
    dplens leak sensors.yaml
    dplens leak laplace:scale=1 --joint "[[0.4,0.1],[0.1,0.4]]"
    dplens leak laplace:scale=2 --transition "[[0.8,0.2],[0.2,0.8]]" --length 200
    dplens leak gaussian:sigma=3 --correlation 0.9 --length 12 --target 5 --known 4,6
    """
    check_output(report, REPORTS, "--report", spec)
    asked = Target(spec)
    if asked.scenario is not None:
        follow(asked.scenario)
    data = _related(asked, flags)
    from dplens.present.words.say import say

    with waiting("worst"):
        made = asked.assess(prior=prior, fail_above=fail_above, data=data)
    if report is not None:
        write_report(made, report)
    if json:
        show_json(made.to_dict())
    else:
        show_words(
            say(made, spoken(made)).only("summary", "limits", "related", "warnings"),
            title=made.title or spec,
            full=True,
        )
    if not made.passed:
        raise typer.Exit(1)


def _model(options: dict[str, Any]) -> Any:
    """The data model that options describe; None if they describe none."""
    from dplens.correlated.models.chains import GaussianChain, MarkovData
    from dplens.correlated.models.discrete import DiscreteData

    used = [name for name in ("joint", "transition", "correlation") if options[name] is not None]
    if len(used) > 1:
        raise InvalidValue(f"Expected one data model, got {' and '.join(f'--{name}' for name in used)}.")
    if options["transition"] is not None:
        steps = _numbers("--transition", options["transition"])
        count = max(len(steps), 1) if isinstance(steps, list) else 1
        start = _numbers("--initial", options["initial"]) if options["initial"] else [1 / count] * count
        return MarkovData(initial=start, transition=steps, length=options["length"])
    if options["correlation"] is not None:
        if options["length"] is None:
            raise InvalidValue("Expected --length to be given with --correlation.")
        return GaussianChain.ar1(correlation=options["correlation"], length=options["length"])
    return DiscreteData(joint=_numbers("--joint", options["joint"])) if used else None


def _related(asked: Target, options: dict[str, Any]) -> Any:
    """The data model of the options, or of the scenario with what the options add."""
    from dplens.assessment.related import Knowing, RelatedData

    model = _model(options)
    described = asked.scenario.related if asked.scenario is not None and model is None else None
    if model is None and described is None:
        options_ = "--joint, --transition or --correlation"
        raise InvalidValue(f"{asked.spec}: Expected a data model: the key data in a scenario, or {options_}.")
    attackers = list(described.attackers) if described else []
    if options["target"] is not None:
        known = _known(options["known"])
        attackers.append(Knowing(target=options["target"], known=known, name=said("leak-described")))
    elif options["known"] is not None:
        raise InvalidValue("Expected --target to be given with --known.")
    weights = _numbers("--weights", options["weights"]) if options["weights"] else described and described.weights
    return RelatedData(
        model=model if model is not None else described and described.model,
        weights=weights,
        method=options["method"] or (described and described.method),
        attackers=tuple(attackers),
    )


def _numbers(name: str, text: str) -> Any:
    try:
        return numbers_of(name, text)
    except InvalidValue:
        raise InvalidValue(f"Expected {name} to be JSON such as [[0.8, 0.2], [0.2, 0.8]], got {text!r}.") from None


def _known(text: str | None) -> Any:
    if not text:
        return ()
    items = [item.strip() for item in text.split(",") if item.strip()]
    try:
        if all("=" in item for item in items):
            return {int(k): float(v) for k, _, v in (item.partition("=") for item in items)}
        return [int(item) for item in items]
    except ValueError:
        raise InvalidValue(
            f"Expected --known to be indices such as 1,2 or values such as 1=0.5, got {text!r}."
        ) from None
