"""audit: what a measured attack proves."""

from __future__ import annotations

import json as json_
import re
from dataclasses import replace
from decimal import ROUND_FLOOR, Context
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.commands.assess import write
from dplens.cli.show import (
    decimal,
    follow,
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
from dplens.describe.shorthand import whole
from dplens.errors import DplensError, InvalidValue, Undefined
from dplens.scenario.audits import FILES, read_audit

_ATTACK: dict[str, Any] = {
    "scores_in": Annotated[
        Path | None, typer.Argument(metavar="IN", help="CSV, JSONL or Parquet file: scores with the target.")
    ],
    "scores_out": Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The same without the target; left out if IN holds both.")
    ],
    "column": Annotated[str | None, o.option("NAME", "The column that holds the scores; score by default.")],
    "label": Annotated[
        str | None, o.option("NAME", "Of one file with both, the column that is 1 with the target, else 0.")
    ],
    "members": Annotated[
        str | None, o.option("END", "Which end of the scores is for membership: higher (default), lower or either.")
    ],
    "counts": Annotated[
        str | None,
        o.option("TP/IN,FP/OUT", "Counts at a threshold fixed beforehand, such as 600/1000,20/1000."),
    ],
    "guesses": Annotated[str | None, o.option("RIGHT/MADE", "Guesses about canaries of one run, such as 930/1000.")],
    "canaries": Annotated[int | None, o.option("COUNT", "Canaries of that run in all.", parser=o.whole_number)],
    "canary_scores": Annotated[
        Path | None, o.option("FILE", "CSV, JSONL or Parquet file with a row for each canary of one run.")
    ],
    "included": Annotated[
        str | None, o.option("NAME", "Its column that says whether a canary was put in; included by default.")
    ],
    "guess": Annotated[
        int | None,
        o.option("COUNT", "Canaries guessed at each end, if fixed beforehand.", parser=o.whole_number),
    ],
}
# The four ways to describe an attack, each with the options that go with it.
_WAYS: dict[str, tuple[str, ...]] = {
    "scores_in": ("scores_out", "column", "label", "members"),
    "counts": (),
    "guesses": ("canaries",),
    "canary_scores": ("column", "members", "included", "guess"),
}
_GOES_WITH = {
    "scores_out": "a file of scores",
    "column": "files of scores",
    "members": "files of scores",
    "label": "a file of scores",
    "canaries": "--guesses",
    "included": "--canary-scores",
    "guess": "--canary-scores",
}


@o.gathering(_ATTACK)
def audit(
    *,
    flags: dict[str, Any],
    claim: Annotated[str | None, o.option("SPEC", "What is claimed: gaussian:sigma=2, a scenario, …")] = None,
    confidence: Annotated[float, o.option("NUMBER", "With which every bound holds.")] = 0.95,
    delta: o.Delta = None,
    json: o.Json = False,
    output: o.Output = None,
    report: o.Report = None,
) -> None:
    """What a measured attack proves, and whether it refutes a claim; exit code 1 if it does.

    A report without a claim is about the mildest Gaussian guarantee that explains the attack, and says so.

    \b
    Examples:
    dplens audit in.csv out.csv --claim gaussian:sigma=1
    dplens audit in.parquet out.parquet --column loss --members lower --claim scenario.yaml --output report.html
    dplens audit scores.csv --label member --claim gaussian:sigma=1
    dplens audit --counts 600/1000,20/1000 --claim approximate_dp:epsilon=1
    dplens audit --guesses 930/1000 --canaries 5000
    dplens audit --canary-scores canaries.csv --included was_in --column loss --members lower
    """
    check_output(output, (".json", ".html", ".pdf", ".md", ".txt"))
    check_output(report, REPORTS, "--report")
    with waiting("count"):
        entry = _entry(flags) | {"confidence": confidence}
        try:
            found = read_audit(entry)
        except DplensError as error:
            error.args = (re.sub(r"\b(column|included|label)=…", r"--\1 …", str(error)), *error.args[1:])
            raise
    made = None
    if claim is not None or output is not None:
        with waiting("assess"):
            made = _assessed(claim, found, entry, delta)
        follow(made)
        if output is not None:
            write(made, output)
    if report is not None:
        about = None if made is None or made.mildest else made
        write_report(found, report, about and about.declared, about and about.mechanism)
    _show(found, made, delta, json, output)
    if "correct" in entry and "canaries" not in entry and not json:
        show_lines([said("audit-all-guessed")])
    if made is not None and any(a.refuted for a in made.audits):
        raise typer.Exit(1)


def _entry(flags: dict[str, Any]) -> dict[str, Any]:
    """The attack as a scenario file would describe it."""
    given = {
        name: str(value) if isinstance(value, Path) else value for name, value in flags.items() if value is not None
    }
    ways = [way for way in _WAYS if way in given]
    if len(ways) != 1:
        raise InvalidValue(
            "Expected two files of scores, or one with --label, or --counts, or --guesses, or --canary-scores, as in: "
            "dplens audit in.csv out.csv"
        )
    way = ways[0]
    if way == "scores_in" and ("scores_out" in given) == ("label" in given):
        raise InvalidValue(
            "Expected two files of scores, or one with --label, as in: dplens audit scores.csv --label member"
        )
    for name in given:
        if name not in (way, *_WAYS[way]):
            raise InvalidValue(f"--{name} goes with {_GOES_WITH[name]}.")
    if way == "counts":
        (tp, n_in), (fp, n_out) = _shares("--counts", given.pop("counts"), 2)
        given |= {"true_positives": tp, "n_in": n_in, "false_positives": fp, "n_out": n_out}
    elif way == "guesses":
        ((given["correct"], given["guesses"]),) = _shares("--guesses", given["guesses"], 1)
    elif "label" in given:
        given["scores"] = given.pop("scores_in")
    return given


def _shares(name: str, text: str, wanted: int) -> list[tuple[int, int]]:
    try:
        found = [tuple(whole(x) for x in part.split("/")) for part in text.split(",")]
        pairs = [(a, b) for a, b in found]
    except ValueError:
        pairs = []
    if len(pairs) != wanted:
        example = "600/1000,20/1000" if wanted == 2 else "930/1000"
        raise InvalidValue(f"Expected {name} to be counts such as {example}, got {text!r}.")
    return pairs


def _assessed(claim: str | None, found: Any, entry: dict[str, Any], delta: float | None) -> Any:
    """The claim with the attack; without a claim, the mildest Gaussian guarantee that explains the attack."""
    from dplens.assessment.assess import assess
    from dplens.scenario.written import scenario_of

    if claim is None:
        return assess(found.least("gaussian").mechanism, audit=found, delta=delta)
    target = Target(claim)
    changed: dict[str, Any] = {} if delta is None else {"delta": delta}
    if target.saved is not None:
        raise InvalidValue(f"{target.spec} is a saved assessment. Pass its scenario or its mechanism as the claim.")
    entries = [entry]
    if target.scenario is not None:
        before = target.scenario._arguments.get("audit", {})  # keep the attacks in the file
        name = "this audit" if before else ""
        made = target.scenario.assess(audit={**before, name: found}, **changed)
        folder = Path(target.scenario.found.source).absolute().parent  # absolute, to be found from anywhere
        said = target.scenario.content.get("audits") or ()
        entries = [{k: str(folder / v) if k in FILES and v else v for k, v in one.items()} for one in said] + [entry]
    else:
        made = assess(target.release, audit=found, **changed)
    try:  # the scenario that reproduces it names the files
        said = scenario_of(replace(made, audits=()))
    except Undefined:
        return made
    return replace(made, scenario=json_.dumps({**said, "audits": entries}))


def _show(found: Any, made: Any, delta: float | None, json: bool, output: Path | None) -> None:
    from dplens.present.rounding import given, share
    from dplens.present.words.say import say

    at = made.assumptions.delta if made is not None else 1e-6 if delta is None else delta
    if json:
        verdicts = [] if made is None or made.mildest else [a.to_dict() for a in made.audits]
        values = found.to_dict()
        values["bounds"] |= {"delta": at, "epsilon_at_delta": found.epsilon_at(at)}
        show_json(values | {"verdicts": verdicts})
        return
    if made is not None:
        show_words(say(made, spoken(made)).only("summary" if made.mildest else "audit", "audit"), full=True)
    bounds = [
        (said("convert-epsilon", delta=given(0)), found.epsilon),
        (said("convert-epsilon", delta=given(at)), found.epsilon_at(at)),
        (said("convert-mu"), found.mu),
    ]
    if hasattr(found, "power"):
        bounds += [(said("convert-power", rate=share(a)), found.power(a)) for a in (0.001, 0.01, 0.1)]
        bounds.append((said("convert-advantage"), found.advantage))
    rows = [[name, decimal(_at_least(bound))] for name, bound in bounds]
    heads = [said("audit-head-bound"), said("audit-head-least")]
    show_table(heads, rows, title=said("audit-proved", confidence=share(found.confidence)))
    if made is None:
        from dplens.present.words.sections import audit_assumes

        show_lines([audit_assumes(found.to_dict()["source"], said), *found.notes])
    if output is not None:
        show_lines([said("written", file=str(output))])


def _at_least(value: float) -> str:
    """Six digits, rounded downwards: a lower bound stays one."""
    return f"{Context(prec=6, rounding=ROUND_FLOOR).create_decimal_from_float(value).normalize():g}"
