"""Liu et al. 2019: the attacker's precision and recall, and the largest epsilon under a bound on his F-score.

"Investigating statistical privacy frameworks from the perspective of hypothesis testing".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Panel, Printed, Scale, digits, figure, listed, plain, spaced

RECALL = Scale("Recall of the attacker")
PRECISION = Scale("Precision of the attacker", 0.4, 1.0)
RECALLS = (0.001, *spaced(0.01, 1.0, 100))  # at recall 0 itself the precision is a limit

BOUNDS = ("0.55", "0.58", "0.62", "0.67", "0.76", "0.83", "0.9", "0.95")
TABLE_1 = {  # weight: the row as printed; "–" where the paper prints a dash
    0.5: ("0.22", "0.34", "0.55", "0.82", "1.42", "2.04", "3", "4.29"),
    0.6: ("–", "0.33", "0.54", "0.83", "1.45", "2.11", "3.11", "4.43"),
    0.8: ("–", "–", "0.49", "0.8", "1.46", "2.16", "3.21", "4.58"),
    1.0: ("–", "–", "–", "0.71", "1.4", "2.12", "3.2", "4.6"),
    1.5: ("–", "–", "–", "–", "1.17", "1.88", "2.99", "4.41"),
    2.0: ("–", "–", "–", "–", "–", "1.61", "2.69", "4.12"),
}


def laplace(epsilon: float) -> dl.Laplace:
    """A release with Laplace noise that is epsilon-DP."""
    return dl.Laplace(scale=1.0, sensitivity=epsilon)


def precisions(mechanism: object, label: str, series: int, adversary: dl.Adversary | None = None) -> Line:
    """Precision against recall as a line."""
    curve = dl.pr_curve(mechanism, adversary, recalls=RECALLS)
    return Line(curve.recalls, tuple(map(float, curve.precisions)), label=label, series=series)


def figure_3(
    epsilons: Sequence[float] = choices.LIU_EPSILONS.value,
    weights: Sequence[float] = choices.LIU_WEIGHTS.value,
    points: int = 72,
) -> Figure:
    """Precision against recall under Laplace noise, and the best F-score against epsilon."""
    lines = tuple(precisions(laplace(e), f"ε = {e:g}", k) for k, e in enumerate(epsilons))
    values = tuple(
        sorted((*spaced(0.02, 10.0, points), *(math.log1p(w * w) for w in weights)))
    )  # with the turning points
    scores = {w: dl.fscore_curve(values, weight=w).scores for w in weights}
    curves = tuple(
        Line(values, tuple(map(float, scores[w])), label=f"weight {w:g}", series=k) for k, w in enumerate(weights)
    )
    best = [max(line.y) for line in lines]
    flat = max(
        abs(float(dl.FScore(weight=w).of(laplace(0.9 * math.log1p(w * w)))) - (1 + w * w) / (2 + w * w))
        for w in weights
    )
    rises = all(
        b > a
        for w in weights
        for (x, a), b in zip(zip(values, scores[w]), scores[w][1:])
        if x >= math.log1p(w * w)
    )  # fmt: skip
    return figure(
        "liu-3",
        {"best": listed(f"{p:.4f} at ε = {e:g}" for p, e in zip(best, epsilons)), "flat": flat},
        panels=(
            Panel("(a) Precision and recall", RECALL, PRECISION, lines),
            Panel(
                "(b) Highest F-score",
                Scale("epsilon", 0.0, 10.0),
                Scale("Best F-score of the attacker", 0.5, 1.0),
                curves,
            ),
        ),
        holds=(
            all(p < 1 / (1 + math.exp(-e)) + 1e-9 for p, e in zip(best, epsilons))
            and float(dl.Precision(recall=0.01, prior=0.5).of(laplace(0.001))) < 0.501,
            flat < 1e-12 and rises,
        ),
    )


def table_1() -> Figure:
    """The largest epsilon under a bound on the F-score, all 48 cells."""
    table = dl.fscore_table(bounds=[float(b) for b in BOUNDS], weights=list(TABLE_1))
    printed, rows = [], []
    dashes = 0
    for w, cells in TABLE_1.items():
        ours = table.row(weight=w)
        floor = (1 + w * w) / (2 + w * w)
        rows.append((f"{w:g}", *("–" if x is None else f"{x:.4f}" for x in ours)))
        for bound, cell, value in zip(BOUNDS, cells, ours):
            what = f"weight {w:g}, F ≤ {bound}"
            if cell == "–":
                dashes += value is None
                continue
            correction = ""
            if value is None:
                value = math.log1p(w * w)
                correction = (
                    f"F ≤ {bound} at weight {w:g}: accusing everyone reaches {floor:.4f} already, so no epsilon will "
                    f"do; printed is the turning point log(1 + w²) = {value:.4f}"
                )
            printed.append(Printed(what, cell, value, correction=correction, decimals=2))
    wanted = sum(row.count("–") for row in TABLE_1.values())
    cut = [f"{n.what}: {n.ours:.3f} as {n.printed}" for n in printed if n.reading == "cut"]
    return figure(
        "liu-table-1",
        {"dashes": dashes, "wanted": wanted, "cut": "; ".join(cut)},
        rows=[rows],
        printed=printed,
        holds=[dashes == wanted],
    )


def figure_4(
    epsilons: Sequence[float] = choices.LIU_GAUSSIAN_EPSILONS.value,
    deltas: Sequence[float] = choices.LIU_GAUSSIAN_DELTAS.value,
    delta: float = choices.LIU_FIXED_DELTA.one,
    epsilon: float = choices.LIU_FIXED_EPSILON.one,
) -> Figure:
    """Precision against recall under Gaussian noise of the classical size, with varying epsilon and varying delta."""

    def gaussian(e: float, d: float, method: str = "classical") -> dl.Gaussian:
        return dl.Gaussian(sigma=dl.gaussian_sigma(epsilon=e, delta=d, method=method))

    first = tuple(precisions(gaussian(e, delta), f"ε = {e:g}", k) for k, e in enumerate(epsilons))
    second = tuple(precisions(gaussian(epsilon, d), f"δ = {plain(d)}", k) for k, d in enumerate(deltas))

    def above(lines: tuple[Line, ...]) -> bool:
        return all(b > a for low, high in itertools.pairwise(lines) for a, b in zip(low.y[:-1], high.y[:-1]))

    scale = Scale(PRECISION.title, 0.48, 0.72)
    used = gaussian(epsilon, delta)
    exact = gaussian(epsilon, delta, "analytic")
    real = float(dl.Epsilon(delta=delta).of(used))
    return figure(
        "liu-4",
        {"epsilon": epsilon, "delta": plain(delta), "used": used.sigma, "exact": exact.sigma, "real": real},
        panels=(
            Panel(f"(a) δ = {plain(delta)}", RECALL, scale, first),
            Panel(f"(b) ε = {epsilon:g}", RECALL, scale, second),
        ),
        holds=[above(first) and above(second)],
    )


def theorem_3(epsilon: float = 1.0, rates: Sequence[float] = choices.LIU_RATES.value) -> Figure:
    """The attacker's thresholds on the output and on the likelihood ratio, and the plausible deniability they give."""
    from scipy import stats

    release = laplace(epsilon)
    rows, right, printed_above = [], [], []
    for a in rates:
        attack = dl.Attack(release, fpr=a)
        theta = (-math.log(2 * a) if a <= 0.5 else math.log(2 * (1 - a))) + 0.0
        middle = math.exp(-epsilon) / (4 * (a if a <= 0.5 else 1 - a) ** 2)
        known = min(max(middle, math.exp(-epsilon)), math.exp(epsilon)) if a <= 0.5 else math.exp(-epsilon)
        # the noise alone decides: how often it passes θ, and how much likelier that output is with the record
        alarms, ratio = stats.laplace.sf(theta), stats.laplace.pdf(theta, loc=epsilon) / stats.laplace.pdf(theta)
        right.append(
            abs(alarms - a) < 1e-12
            and abs(ratio - known) < 1e-9
            and abs(attack.threshold - theta) < 1e-9
            and abs(attack.likelihood_threshold - known) < 1e-9
        )
        if a > 0.5:
            printed_above.append(abs(middle - attack.likelihood_threshold))
        shown = (theta, attack.threshold, middle, attack.likelihood_threshold)
        rows.append((f"{a:g}", *(f"{x:.4f}".replace("-", "−") for x in shown)))
    made = figure(
        "liu-theorem-3",
        {"epsilon": epsilon, "off": digits(max(printed_above, default=0.0))},
        rows=[rows],
        holds=[all(right)],
    )
    return made if printed_above else replace(made, learned=())
