"""assess, compare."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.assessment.records import Answer
from dplens.assessment.result import Assessment
from dplens.cli import options as o
from dplens.cli.show import (
    decimal,
    follow,
    not_above,
    said,
    show_json,
    show_lines,
    show_table,
    show_words,
    spoken,
    waiting,
    write_report,
)
from dplens.cli.targets import REPORTS, Target, check_output
from dplens.describe.values import write_estimate
from dplens.errors import DplensWarning, InvalidValue
from dplens.estimate import Estimate
from dplens.present.rounding import ends, percent
from dplens.present.words.answers import answer_words, question_words
from dplens.present.words.say import Voice, say


@o.gathering(o.ASSESSING)
def assess(
    *,
    spec: o.Spec,
    flags: dict[str, Any],
    full: o.Full = False,
    json: o.Json = False,
    output: o.Output = None,
) -> None:
    """What a release means, in sentences; exit code 1 if a limit is not provably kept.

    \b
    Examples:
    dplens assess gaussian:sigma=2
    dplens assess laplace:scale=1*1000 --unit household --n 12000
    dplens assess dpsgd:noise_multiplier=0.8,sample_rate=0.004,steps=10000 --prior 0.1
    dplens assess "gaussian:sigma=2 + laplace:scale=1,sample_rate=0.1*10" --json
    dplens assess scenario.yaml --fail-above advantage=0.1 --fail-above attack_power:fpr=0.01=0.05
    """
    check_output(output, (".json", ".html", ".pdf", ".md", ".txt"), spec=spec)
    with waiting("assess"):
        made = Target(spec).assess(**flags)
    follow(made)
    if output is not None:
        write(made, output)
    show_assessment(made, spec, full=full, json=json, output=output)
    if full and not json:
        show_answers(made)
    if not made.passed:
        raise typer.Exit(1)


def show_assessment(made: Assessment, spec: str, *, full: bool, json: bool, output: Path | None) -> None:
    """An assessment as JSON or in sentences, and where it was written."""
    if json:
        show_json(made.to_dict())
    elif output is None or full:
        show_words(say(made, spoken(made)), title=made.title or spec, full=full)
    if output is not None and not json:
        show_lines([said("written", file=str(output))])


def write(made: Assessment, path: Path) -> None:
    """Write an assessment to a file in the format of its suffix."""
    if path.suffix.lower() == ".txt":
        from dplens.present.charts.export import write_whole

        write_whole(path, f"{made.words(language=spoken(made))}\n".encode())
    else:
        made.report(path, language=spoken(made))


def show_answers(made: Assessment) -> None:
    """Every answer with its bracket and route: about the release, about attackers on related records, the analyst's."""
    voice, known = Voice(made, spoken(made)), made.related
    other = voice.on_related()
    tables = [(voice("every-number"), [_bracketed(a, voice) for a in made.answers])]
    for who in (known.worst, *known.attackers) if known else ():
        kind = "" if known and who is known.worst else "-named" if who.name else "-unnamed"
        title = voice(f"table-related{kind}", name=who.name)
        tables.append((title, [_bracketed(a, other) for a in who.answers]))
    powers = [
        _bracket(
            voice("declared", name=a.name or voice("test-number", number=i + 1), value=voice(f"head-{key}")),
            not_above(float(power.low)),
            power,
        )
        for i, a in enumerate(made.analyst)
        for key, power in (("with_noise", a.power), ("without_noise", a.power_without_noise))
    ]
    heads = ["question", "answer", "low", "high", "route"]
    for title, rows in [*tables, *([(voice("table-analyst"), powers)] if powers else [])]:
        show_table([voice(f"every-head-{head}") for head in heads], rows, title=title)


def _bracketed(a: Answer, voice: Voice) -> list[str]:
    return _bracket(question_words(a.question, voice), answer_words(a.question, a.estimate, voice), a.estimate)


def _bracket(words: str, answer: str, estimate: Estimate) -> list[str]:
    return [words, answer, *ends(estimate.low, estimate.high, 10), said("route-short", route=estimate.route)]


def compare(
    specs: o.Specs,
    question: Annotated[str, typer.Option(help="What is held equal between mechanisms.")] = "advantage",
    delta: o.Delta = None,
    n: o.Records = None,
    unit: o.Unit = None,
    setting: o.Setting = None,
    json: o.Json = False,
    report: o.Report = None,
) -> None:
    """Releases side by side: whose curve protects better, what changed, and what equal protection costs.

    \b
    Examples:
    dplens compare gaussian:sigma=1 laplace:scale=1
    dplens compare before.yaml after.yaml
    dplens compare saved.json scenario.yaml
    """
    if len(specs) < 2:
        raise InvalidValue("Expected at least two releases to compare, got one.")
    for spec in specs:
        check_output(report, REPORTS, "--report", spec)
    targets = [Target(spec) for spec in specs]
    from dplens.decide.comparison.compare import compare as side_by_side
    from dplens.describe.shorthand import question_of

    if not json:  # printed below with the names of the releases
        warnings.filterwarnings("ignore", "The mechanisms are about different neighbours", DplensWarning)
    with waiting("compare"):
        found = side_by_side(*(t.release for t in targets), question=question_of(question))
        made = [t.assess(delta=delta, n=n, unit=unit, setting=setting) for t in targets]
    follow(made[-1])
    if report is not None:
        from dplens.cli.commands.report import side_by_side

        write_report(side_by_side(specs, {"delta": delta, "n": n, "unit": unit, "setting": setting}), report)
    changes = [second.changes_since(first) for first, second in itertools.pairwise(made)]
    if json:
        comparison = found.to_dict() | {"answers": [write_estimate(e) for e in found.answers]}
        show_json({"comparison": comparison, "changes": [c.to_dict() for c in changes]})
        return
    show_lines([*_refuted(made, specs), *_relations(found, made, specs), *_other_neighbours(made, specs)])
    _costs(found, specs, Voice(made[0], spoken(made[0])))
    if len(made) == 2:
        title = said("compared-from", a=specs[0], b=specs[1])
        show_lines(["", title, *changes[0].words(language=spoken(made[1])).splitlines()])


def _refuted(made: list[Assessment], specs: list[str]) -> list[str]:
    return [said("compared-refuted", name=spec) for spec, one in zip(specs, made) if one.refuted]


def _relations(found: Any, made: list[Assessment], specs: list[str]) -> list[str]:
    from dplens.assessment.changes import reservations

    out = []
    for r in found.relations:
        # rates next to 0 or 1 are of no practical use, so do not print their digits
        shown = [
            said("compared-next-to", end="all" if x > 0.5 else "zero") if min(x, 1 - x) < 1e-12 else percent(x, 3)
            for x in r.crossings
        ]
        rates = list(dict.fromkeys(shown))[:4]
        where = {"where": "some" if rates else "none", "rates": rates}
        told = said(f"compared-{r.kind}", a=specs[r.first], b=specs[r.second], **where)
        reserved = reservations(made[r.first], made[r.second])
        out.append(said("compared-by-description", said=told) if reserved else told)
    return out


def _other_neighbours(made: list[Assessment], specs: list[str]) -> list[str]:
    """Warnings about releases with other neighbours or units than the first."""
    from dplens.assessment.changes import reservations

    out = []
    for spec, one in zip(specs[1:], made[1:]):
        if "neighbours" in reservations(made[0], one):
            first, second = (Voice(x, spoken(x))("facts-neighbours") for x in (made[0], one))
            out.append(said("compared-neighbours", a=specs[0], b=spec, first=first, second=second))
    return out


def _costs(found: Any, specs: list[str], voice: Voice) -> None:
    answers = (answer_words(found.question, answer, voice) for answer in found.answers)
    errors = found.errors, found.equal_risk
    variances = ([decimal(f"{e.variance:.4g}") if e else "–" for e in some] for some in errors)
    rows = list(zip(specs, answers, *variances))
    heads = [voice(f"compared-head-{head}") for head in ("release", "answer", "variance", "equal")]
    show_table(heads, rows, title=voice("compared-by", question=question_words(found.question, voice)))
