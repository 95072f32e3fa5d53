"""What was measured, as Markdown."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from benchmarks.analyst import AnalystRow
from benchmarks.calibration import CalibrationRow
from benchmarks.correlated import CorrelatedRow
from benchmarks.goals import GoalRow
from benchmarks.growth import GrowthRow
from benchmarks.singles import Row
from benchmarks.timing import Footprint

IMPORT_LIMIT = 0.25  # seconds
MEMORY_LIMIT = 20e6  # bytes above import
PEERS = ("dp-accounting", "riskcal", "prv-accountant")


@dataclass(frozen=True)
class Measurements:
    """Everything one run found."""

    imports: dict[str, float | None]
    goals: list[GoalRow]
    calibrations: list[CalibrationRow]
    related: list[CorrelatedRow]
    analyst: list[AnalystRow]
    footprints: dict[str, Footprint | str]
    growth: list[GrowthRow]
    singles: list[Row]


def document(found: Measurements) -> str:
    """The results, whole."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("dplens", "numpy", "scipy", *PEERS))
    lines = [
        "# Results",
        "",
        "Written by `make bench` in one run, except for the [survey](#survey) at the end, which is another's; do not",
        "edit. Times are medians, both sides of a row take turns, and ours start cold: new objects, empty caches.",
        "",
        f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores; {packages}.",
        *goal_lines(found.goals),
        *calibration_lines(found.calibrations),
        *correlated_lines(found.related),
        *analyst_lines(found.analyst),
        *memory_lines(found.footprints),
        *import_lines(found.imports),
        *growth_lines(found.growth),
        *single_lines(found.singles),
    ]
    return "\n".join(lines) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; a head that ends with a colon is a column of numbers."""
    rule = "|".join("---:" if head.endswith(":") else "---" for head in heads)
    names = " | ".join(head.rstrip(":") for head in heads)
    return [f"| {names} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)]


def groups(rows: Iterable[Any], name: Any) -> dict[str, list[Any]]:
    """Rows by the name of their group, in order."""
    out: dict[str, list[Any]] = {}
    for row in rows:
        out.setdefault(name(row), []).append(row)
    return out


def goal_lines(rows: list[GoalRow]) -> list[str]:
    """The goals against peers."""
    lines = [
        "",
        "## Goals against peers",
        "",
        "Ours gives both certified ends (for a curve: the safe side); *safe side* is the same question with that end",
        "only. *Faster* is the peer's time over ours, *width* that of our certified bracket, which holds the reference",
        "in every row that is not marked wrong. A positive error of a peer in epsilon is on the safe side.",
    ]
    for group, members in groups(rows, lambda r: r.goal.group).items():
        body = []
        for row in members:
            judged = row.judgement
            body.append(
                [
                    row.goal.name,
                    row.goal.peer,
                    pretty(row.ours[0] if row.ours else None),
                    pretty(row.ours[1] if len(row.ours) > 1 else None),
                    pretty(row.theirs) + (" (once)" if row.goal.job and row.theirs else ""),
                    times(row.ratio),
                    times(row.goal.faster),
                    f"{judged.width:.0e}" if judged else "–",
                    judged.peer_error if judged else "–",
                    row.verdict,
                ]
            )
        heads = ["work", "peer", "ours:", "safe side:", "peer:", "faster:", "goal:", "width:", "peer's error", ""]
        lines += ["", f"### {group}", "", *table(heads, body)]
    return lines


def calibration_lines(rows: list[CalibrationRow]) -> list[str]:
    """Noise from a requirement."""
    body = [
        [
            row.goal.name,
            row.goal.peer,
            pretty(row.ours),
            ("> " if row.stopped else "") + pretty(row.theirs) + (" (once)" if row.goal.slow and row.theirs else ""),
            ("> " if row.stopped else "") + times(row.ratio),
            times(row.goal.faster),
            f"{row.fit.value:.9g}",
            str(row.fit.evaluations),
            row.peer_verdict,
            row.verdict,
        ]
        for row in rows
    ]
    note = [
        "The least sigma that meets a requirement, DP-SGD with Poisson rate 0.01 and 1000 steps. Ours meets its target",
        "by certificate and no sigma smaller by 1e-9 does; a peer's sigma is judged by our certified answer at it.",
        "*Tried*: values of sigma that were evaluated.",
    ]
    heads = ["target", "peer", "ours:", "peer:", "faster:", "goal:", "sigma:", "tried:", "peer's target", ""]
    return ["", "### Calibration", "", *note, "", *table(heads, body)]


def memory_lines(footprints: dict[str, Footprint | str]) -> list[str]:
    """Peak memory."""
    body = []
    for job, found in footprints.items():
        work, _, who = job.partition(" ")
        if isinstance(found, str):
            body.append([work, who, "–", "–", f"does not run: {found}"])
            continue
        verdict = ("ok" if found.above < MEMORY_LIMIT else "not yet") if who == "ours" else ""
        body.append([work, who, f"{found.imported / 1e6:.0f} MB", f"{found.above / 1e6:.1f} MB", verdict])
    heads = ["work", "who", "after import:", "above import:", ""]
    note = [
        "Peak of resident memory in a fresh interpreter above what its imports left (for dplens: all its modules).",
        f"Goal for ours: below {MEMORY_LIMIT / 1e6:g} MB. Training is the last DP-SGD setting, curve its 1000 alphas,",
        "mixed the 200 releases, laplace the 10 000.",
    ]
    return ["", "## Memory", "", *note, "", *table(heads, body)]


def import_lines(imports: dict[str, float | None]) -> list[str]:
    """Import times."""
    seconds = imports["dplens"]
    slow = seconds is None or seconds > IMPORT_LIMIT
    body = [[name, pretty(s) if s is not None else "not importable"] for name, s in imports.items()]
    claim = f"`import dplens` should stay below {IMPORT_LIMIT} s: {'**it does not**' if slow else 'it does'}."
    return ["", "## Import, in a fresh interpreter", "", claim, "", *table(["what", "time:"], body)]


def correlated_lines(rows: list[CorrelatedRow]) -> list[str]:
    """The worst of all attackers on related records."""
    body = [
        [
            row.goal.group,
            str(row.goal.size),
            str(row.attackers),
            pretty(row.seconds),
            f"{row.memory / 1e6:.0f} MB",
            f"{row.leakage:.9g}",
            row.verdict,
        ]
        for row in rows
    ]
    heads = ["model", "tuples:", "attackers compared:", "time:", "memory:", "epsilon:", ""]
    note = [
        "The worst attacker over all targets and knowledge sets, each search in an interpreter of its own; promised:",
        "60 s and 2 GiB for the largest of each. Chains look only at attackers who can be the worst.",
    ]
    return ["", "## Related records", "", *note, "", *table(heads, body)]


def analyst_lines(rows: list[AnalystRow]) -> list[str]:
    """Designs, tests and simulations of the analyst."""
    kinds = {"designs": "100 000 designs of a mean", "power": "power of", "simulation": "80 000 data sets, workers:"}
    body = [
        [f"{kinds[row.goal.group]} {row.goal.name}", pretty(row.seconds), f"{row.answer:.9g}", row.verdict]
        for row in rows
    ]
    note = [
        "Each in an interpreter of its own, the first question of its session. Promised: 100 000 closed-form designs",
        "in a second. The answer (mean power, or power) does not depend on the number of workers.",
    ]
    return ["", "## The analyst", "", *note, "", *table(["job", "time:", "answer:", ""], body)]


def growth_lines(rows: list[GrowthRow]) -> list[str]:
    """How our cost grows."""
    lines = ["", "## How the cost grows", "", "From parameters to epsilon(1e-5) with both certified ends; ours only."]
    for group, members in groups(rows, lambda r: r.growth.group).items():
        body = []
        for row in members:
            route = row.answer.certificate.route if row.answer.certificate else "–"
            width = f"{row.answer.high - row.answer.low:.0e}"
            body.append([row.growth.size, pretty(row.seconds), f"{float(row.answer):.9g}", width, route])
        lines += ["", f"### {group}", "", *table(["size", "time:", "epsilon:", "width:", "route"], body)]
    return lines


def single_lines(rows: list[Row]) -> list[str]:
    """Single releases."""
    lines = []
    for group, members in groups(rows, lambda r: r.case.group).items():
        body = []
        for row in members:
            ratio = "–" if row.ratio is None else f"{row.ratio:.2g}"
            gap = "–" if row.difference is None else f"{row.difference:.0e}"
            body.append(
                [row.case.name, row.case.baseline, pretty(row.ours), pretty(row.baseline), ratio, gap, row.verdict]
            )
        heads = ["case", "baseline", "ours:", "baseline:", "ratio:", "difference:", ""]
        lines += ["", f"## {group}", "", *table(heads, body)]
    return [
        *lines,
        "",
        "Ratio is ours over baseline: below 1 is faster. Difference is the largest relative one. The bare functions",
        "for a million alphas come with what no correct curve can leave out: rates checked, complements formed, values",
        "moved to the safe side and clipped.",
    ]


def pretty(seconds: float | None) -> str:
    """A duration with three digits and a unit that suits it."""
    if seconds is None:
        return "–"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def times(ratio: float | None) -> str:
    """A ratio with two digits, without exponent."""
    return "–" if ratio is None else f"{float(f'{ratio:.2g}'):g}×"


def version(package: str) -> str:
    """Installed version, or the plain statement that there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
