"""calibrate, convert, leak, schema."""

from __future__ import annotations

import json as json_
from collections.abc import Callable
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import show_json, show_lines, show_table, show_words, waiting
from dplens.cli.targets import Target, check_output, limit
from dplens.describe.shorthand import UNKNOWN, ShorthandError, release_data
from dplens.errors import DplensError, InvalidValue


def calibrate(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", help="A mechanism with a question mark for the number that is sought.")
    ],
    meet: Annotated[
        list[str], typer.Option("--meet", metavar="LIMIT", help="A limit to be met, such as advantage=0.1; repeatable.")
    ],
    delta: o.Delta = None,
    json: o.Json = False,
) -> None:
    """The riskiest parameter that still provably meets every limit.

    \b
    Examples:
    dplens calibrate gaussian:sigma=? --meet advantage=0.1
    dplens calibrate "dpsgd:noise_multiplier=?,sample_rate=0.01,steps=1000" --meet epsilon=2 --delta 1e-5
    dplens calibrate "laplace:scale=2*?" --meet attack_power:fpr=0.01=0.05
    """
    from dplens.assessment.assess import chosen_delta
    from dplens.decide.calibrate import calibrate as search
    from dplens.describe.questions import write_requirement
    from dplens.describe.releases import write_release
    from dplens.describe.values import write_estimate, written

    made, name, whole = _family(family)
    at = chosen_delta(delta, None)[0]
    with waiting("Searching"):
        fit = search(made, meet=[limit(text, at) for text in meet], integer=whole)
    if json:
        reached = [{**write_requirement(r), **write_estimate(a)} for r, a in zip(fit.meet, fit.achieved, strict=True)]
        release = write_release(fit.mechanism)
        show_json({"parameter": name, "value": written(fit.value), "achieved": reached, "release": release})
        return
    # every digit: a parameter that is rounded to the wrong side no longer meets the limit
    show_lines([f"{name} = {fit.value!r}", *_reached(fit)])


def _reached(fit: Any) -> list[str]:
    from dplens.assessment.assess import assess
    from dplens.assessment.records import Verdict
    from dplens.present.words.answers import limit_sentence
    from dplens.present.words.say import Voice

    voice = Voice(assess(fit.mechanism))
    return [
        limit_sentence(Verdict(requirement=r, estimate=a), voice) for r, a in zip(fit.meet, fit.achieved, strict=True)
    ]


def _family(text: str) -> tuple[Callable[[Any], Any], str, bool]:
    """The function from a number to the release, the name of the number, and whether it is a whole one."""
    from dplens.describe.releases import release_from
    from dplens.mechanisms.composed import compose

    parts = release_data(text)
    places = [(i, key) for i, part in enumerate(parts) for key, value in part.items() if value == UNKNOWN]
    if len(places) != 1:
        raise ShorthandError(
            f"Expected one question mark for the number that is sought, got {len(places)} in {text!r}."
        )
    at, name = places[0]
    whole = name in ("repeat", "steps", "group", "n", "batch_size", "categories")
    try:  # what is wrong beside the number is told before the search, in its own words
        release_from({**parts[at], name: 2 if whole else 0.5})
    except DplensError as error:
        if f"Expected {name} " not in str(error) and "Expected rate " not in str(error):
            raise ShorthandError(f"{text}: {error}") from None

    def made(value: Any) -> Any:
        given = [{**part, **({name: value} if i == at else {})} for i, part in enumerate(parts)]
        releases = [release_from(part) for part in given]
        return releases[0] if len(releases) == 1 else compose(*releases)

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
    from dplens.decide.conversions import conversions

    with waiting("Converting"):
        found = conversions(Target(spec).release, delta=delta)
    if json:
        show_json(found.to_dict())
        return
    from dplens.present.rounding import ends, given, number, share

    rows = [
        (f"epsilon at delta {given(delta)}", found.epsilon),
        ("epsilon at delta 0", found.pure_epsilon),
        ("mu (Gaussian differential privacy)", found.mu),
        ("rho (zero-concentrated)", found.zcdp),
        *((f"Rényi divergence of order {order:g}", value) for order, value in found.renyi if order in (2.0, 8.0, 32.0)),
        *(
            (f"delta at epsilon {epsilon:g}", value)
            for epsilon, value in found.profile
            if epsilon in (0.5, 1.0, 2.0, 5.0)
        ),
        *(
            (f"members found at {share(fpr)} false positives", value)
            for fpr, value in found.roc
            if fpr in (0.001, 0.01, 0.1)
        ),
        ("advantage", found.advantage),
        ("area under the ROC curve (never alone)", found.auc),
    ]
    shown = [
        [name, number(float(e), 4), *ends(e.low, e.high, 8), e.certificate.route if e.certificate else ""]
        for name, e in rows
    ]
    show_table(["notion", "value", "low", "high", "known by"], shown, title=spec)
    show_lines([f"Failure mode: {found.failure.value}."])


def leak(
    spec: o.Spec,
    joint: Annotated[
        str | None, typer.Option(metavar="JSON", help="Joint law of discrete tuples, as JSON: [[.4,.1],[.1,.4]].")
    ] = None,
    transition: Annotated[
        str | None, typer.Option(metavar="JSON", help="Transition matrix of a chain, as JSON; needs --length.")
    ] = None,
    initial: Annotated[
        str | None, typer.Option(metavar="JSON", help="Law of the chain's first tuple, as JSON; default all alike.")
    ] = None,
    correlation: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Of neighbours in a normal chain; needs --length.")
    ] = None,
    length: Annotated[int | None, typer.Option(metavar="COUNT", help="Number of tuples in a chain.")] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="JSON", help="Of the released sum, as JSON; default all 1.")
    ] = None,
    target: Annotated[
        int | None, typer.Option(metavar="INDEX", help="A tuple to look at beside the worst, counted from 0.")
    ] = None,
    known: Annotated[
        str | None, typer.Option(metavar="LIST", help="What the attacker on it knows: 1,2 or 1=0.5,2=0.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="How the worst attacker is searched for.")] = None,
    fail_above: o.FailAbove = None,
    prior: o.Priors = None,
    json: o.Json = False,
) -> None:
    """What attackers learn who know how records are related; the data model is in the scenario or in options.

    \b
    Examples:
    dplens leak sensors.yaml
    dplens leak laplace:scale=1 --joint "[[0.4,0.1],[0.1,0.4]]"
    dplens leak laplace:scale=2 --transition "[[0.8,0.2],[0.2,0.8]]" --length 200
    dplens leak gaussian:sigma=3 --correlation 0.9 --length 12 --target 5 --known 4,6
    """
    asked = Target(spec)
    options = {"joint": joint, "transition": transition, "initial": initial, "correlation": correlation}
    options |= {"length": length, "weights": weights, "target": target, "known": known, "method": method}
    data = _related(asked, options)
    from dplens.adversary import Adversary
    from dplens.assessment.assess import assess as assess_
    from dplens.present.words.say import Words, say

    limits = [limit(text, chosen) for chosen in (_delta(asked),) for text in fail_above or ()]
    changed: dict[str, Any] = {"adversary": [Adversary(prior=p) for p in prior]} if prior else {}
    if asked.scenario is not None:
        made = asked.scenario.assess(data=data, limits=limits, **changed)
    else:
        made = assess_(asked.release, data=data, limits=limits, **changed)
    if json:
        show_json(made.to_dict())
    else:
        words = say(made)
        kept = tuple(s for s in words.sections if s.key in ("related", "limits", "warnings"))
        show_words(Words(words.title or spec, kept), full=True)
    if not made.passed:
        raise typer.Exit(1)


def _delta(asked: Target) -> float:
    from dplens.assessment.assess import chosen_delta

    content = asked.scenario.content if asked.scenario is not None else {}
    return chosen_delta(content.get("delta"), content.get("n"))[0]


def _model(options: dict[str, Any]) -> Any:
    """The data model that options describe; None if they describe none."""
    from dplens.correlated.discrete import DiscreteData
    from dplens.correlated.gaussian_chain import GaussianChain
    from dplens.correlated.markov import MarkovData

    used = [name for name in ("joint", "transition", "correlation") if options[name] is not None]
    if len(used) > 1:
        raise InvalidValue(f"Expected one data model, got {' and '.join(f'--{name}' for name in used)}.")
    if options["transition"] is not None:
        steps = _json("--transition", options["transition"])
        count = len(steps) if isinstance(steps, list) else 1
        start = _json("--initial", options["initial"]) if options["initial"] else [1 / count] * count
        return MarkovData(initial=start, transition=steps, length=options["length"])
    if options["correlation"] is not None:
        if options["length"] is None:
            raise InvalidValue("Expected --length to be given with --correlation.")
        return GaussianChain.ar1(correlation=options["correlation"], length=options["length"])
    return DiscreteData(joint=_json("--joint", options["joint"])) if used else None


def _related(asked: Target, options: dict[str, Any]) -> Any:
    """The data model of the options, or of the scenario with what the options add."""
    from dplens.assessment.related import Knowing, RelatedData
    from dplens.correlated.gaussian_chain import GaussianChain

    model = _model(options)
    described = asked.scenario.related if asked.scenario is not None and model is None else None
    if model is None and described is None:
        options_ = "--joint, --transition or --correlation"
        raise InvalidValue(f"{asked.spec}: Expected a data model: the key data in a scenario, or {options_}.")
    attackers = list(described.attackers) if described else []
    if options["target"] is not None:
        known = _known(options["known"])
        attackers.append(Knowing(target=options["target"], known=known, name="The attacker you describe"))
    elif options["known"] is not None:
        raise InvalidValue("Expected --target to be given with --known.")
    weights = _json("--weights", options["weights"]) if options["weights"] else described and described.weights
    usual = "runs" if isinstance(model, GaussianChain) else described and described.method
    return RelatedData(
        model=model if model is not None else described and described.model,
        weights=weights,
        method=options["method"] or usual,
        attackers=tuple(attackers),
    )


def _json(name: str, text: str) -> Any:
    try:
        return json_.loads(text)
    except ValueError:
        try:  # .4 is a number to people
            import re

            return json_.loads(re.sub(r"(?<![\d.])\.(\d)", r"0.\1", text))
        except ValueError:
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


def schema(output: o.Output = None, json: o.Json = False) -> None:
    """The JSON Schema of scenario files, for editors and other programs.

    \b
    Examples:
    dplens schema --output scenario.schema.json
    """
    from dplens.scenario.scenario import scenario_schema

    check_output(output, (".json",))
    made = scenario_schema()
    if output is None:
        show_json(made)
        return
    from dplens.present.charts.export import write_whole

    write_whole(output, (json_.dumps(made, indent=2, ensure_ascii=False) + "\n").encode())
    if json:
        show_json({"written": str(output)})
    else:
        show_lines([f"Written: {output}"])
