"""calibrate, convert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import (
    decimal,
    said,
    show_json,
    show_lines,
    show_table,
    spoken,
    waiting,
    write_report,
)
from dplens.cli.targets import REPORTS, Target, check_output, is_file, limit
from dplens.describe.shorthand import UNKNOWN, ShorthandError, composed_release, release_data
from dplens.errors import DplensError


def calibrate(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", help="A mechanism with a question mark for the number that is sought.")
    ],
    meet: Annotated[
        list[str], typer.Option("--meet", metavar="LIMIT", help="A limit to be met, such as advantage=0.1; repeatable.")
    ],
    delta: o.Delta = None,
    json: o.Json = False,
    report: o.Report = None,
) -> None:
    """The riskiest parameter that still provably meets every limit.

    \b
    Examples:
    dplens calibrate gaussian:sigma=? --meet advantage=0.1
    dplens calibrate "dpsgd:noise_multiplier=?,sample_rate=0.01,steps=1000" --meet epsilon=2 --delta 1e-5
    dplens calibrate "laplace:scale=2*?" --meet attack_power:fpr=0.01=0.05
    """
    from dplens.assessment.assess import chosen_delta
    from dplens.decide.calibration.calibrate import calibrate as search
    from dplens.describe.questions import write_requirement
    from dplens.describe.releases import write_release
    from dplens.describe.values import write_estimate, written

    check_output(report, REPORTS, "--report")
    made, name, whole = _family(family)
    at = chosen_delta(delta, None)[0]
    with waiting("search"):
        fit = search(made, meet=[limit(text, at) for text in meet], integer=whole)
    if report is not None:
        write_report(fit, report)
    if json:
        reached = [{**write_requirement(r), **write_estimate(a)} for r, a in zip(fit.meet, fit.achieved, strict=True)]
        release = write_release(fit.mechanism)
        found = {"parameter": name, "value": written(fit.value), "achieved": reached, "release": release}
        show_json({**found, "refused": fit.refused})
        return
    # print every digit, since rounding to the wrong side would break the limit
    show_lines([said("calibrated", name=name, value=decimal(repr(fit.value))), *_reached(fit), *_refused(fit, name)])


def _reached(fit: Any) -> list[str]:
    from dplens.assessment.assess import assess
    from dplens.assessment.records import LimitVerdict
    from dplens.assessment.structure import responding, sampling_schemes
    from dplens.present.words.answers import limit_sentence
    from dplens.present.words.say import Voice

    # sampling protects only if the holder of the data keeps the sample secret
    setting = "local" if responding(fit.mechanism) == "part" else None
    voice = Voice(assess(fit.mechanism, setting="central" if sampling_schemes(fit.mechanism) else setting), spoken())
    return [
        limit_sentence(LimitVerdict(requirement=r, estimate=a), voice)
        for r, a in zip(fit.meet, fit.achieved, strict=True)
    ]


def _refused(fit: Any, name: str) -> list[str]:
    """A note if the search ended where dplens cannot compute further, not at a limit."""
    if fit.refused is None:
        return []
    larger = "yes" if fit.more_is_riskier else "no"
    return [said("calibrate-refused", larger=larger, name=name, why=str(fit.refused))]


def _family(text: str) -> tuple[Callable[[Any], Any], str, bool]:
    """The function from a number to the release, the name of the number, and whether it is a whole one."""
    parts = release_data(text)
    places = [(i, key) for i, part in enumerate(parts) for key, value in part.items() if value == UNKNOWN]
    if len(places) != 1:
        files = " Files have none: write the mechanism on the line." if is_file(text) else ""
        raise ShorthandError(
            f"Expected one question mark for the number that is sought, got {len(places)} in {text!r}.{files}"
        )
    at, name = places[0]
    whole = name in ("repeat", "steps", "group", "n", "batch_size", "categories")

    def made(value: Any) -> Any:
        return composed_release([{**part, **({name: value} if i == at else {})} for i, part in enumerate(parts)])

    try:  # report errors other than in the number before the search starts
        made(2 if whole else 0.5)
    except DplensError as error:
        if f"Expected {name} " not in str(error) and "Expected rate " not in str(error):
            raise ShorthandError(f"{text}: {error}") from None

    return made, name, whole


def convert(
    spec: o.Spec,
    delta: Annotated[float, typer.Option(help="At which epsilon is quoted.")] = 1e-5,
    json: o.Json = False,
) -> None:
    """One release in every notion of privacy.

    \b
    Examples:
    dplens convert gaussian:sigma=1 --delta 1e-6
    dplens convert zcdp:rho=0.5
    """
    from dplens.decide.comparison.conversions import conversions

    with waiting("convert"):
        found = conversions(Target(spec).release, delta=delta)
    if json:
        show_json(found.to_dict())
        return
    from dplens.present.rounding import ends, given, number, share

    rows = [
        (said("convert-epsilon", delta=given(delta)), found.epsilon),
        (said("convert-epsilon", delta=given(0)), found.pure_epsilon),
        (said("convert-mu"), found.mu),
        (said("convert-zcdp"), found.zcdp),
        *((said("convert-renyi", order=given(k)), value) for k, value in found.renyi if k in (2.0, 8.0, 32.0)),
        *(
            (said("convert-delta", epsilon=given(at)), value)
            for at, value in found.profile
            if at in (0.5, 1.0, 2.0, 5.0)
        ),
        *((said("convert-power", rate=share(a)), value) for a, value in found.roc if a in (0.001, 0.01, 0.1)),
        (said("convert-advantage"), found.advantage),
        (said("convert-auc"), found.auc),
    ]
    shown = [
        [name, number(float(e), 4), *ends(e.low, e.high, 8), said("route-short", route=e.route)] for name, e in rows
    ]
    heads = ["convert-head-notion", "convert-head-value", *(f"every-head-{head}" for head in ("low", "high", "route"))]
    show_table([said(head) for head in heads], shown, title=spec)
    show_lines([said("convert-failure", failure=found.failure.value)])
