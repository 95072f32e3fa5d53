"""Liu et al. 2019: F-scores of attackers, what they know beforehand (§5), and notions of privacy side by side (§6).

"Investigating statistical privacy frameworks from the perspective of hypothesis testing".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

import dplens as dl
from dplens.papers.records import Area, Claim, Figure, Line, Note, Panel, Printed, Scale, labelled
from dplens.papers.sums import Floats
from dplens.papers.texts import choices, digits, figure, plain, spaced, texts

RECALL = Scale("Recall of the attacker")
PRECISION = Scale("Precision of the attacker", 0.4, 1.0)
EPSILON = Scale("epsilon", 0.0, 10.0)
RECALLS = (0.001, *spaced(0.01, 1.0, 100))  # at recall 0 itself the precision is a limit

_PRINTED = texts("printed.json")["liu"]
# by weight, a row with a cell for each bound on the F-score; "–" where the paper prints a dash
TABLE_1 = {float(weight): row for weight, row in _PRINTED["table 1"].items()}
COEFFICIENTS_8 = tuple(map(tuple, _PRINTED["figure 8"]))
MODELS = {
    "positive": [[0.3, 0.2], [0.2, 0.3]],
    "negative": [[0.2, 0.3], [0.3, 0.2]],
    "equal": [[0.5, 0.0], [0.0, 0.5]],
    "independent": [[0.25, 0.25], [0.25, 0.25]],
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
    turning = {w: math.log1p(w * w) for w in weights}
    values = sorted((*spaced(0.02, 10.0, points), *turning.values()))
    scores = {w: dl.fscore_curve(values, weight=w).scores for w in weights}
    best = [max(line.y) for line in lines]
    flat = max(
        abs(float(dl.FScore(weight=w).of(laplace(0.9 * at))) - (1 + w * w) / (2 + w * w)) for w, at in turning.items()
    )
    rises = all(
        b > a for w in weights for x, (a, b) in zip(values, itertools.pairwise(scores[w])) if x >= turning[w]
    )  # fmt: skip
    curves = labelled(values, {f"weight {w:g}": scores[w] for w in weights})
    return figure(
        "liu-3",
        {"best": ", ".join(f"{p:.4f} at ε = {e:g}" for p, e in zip(best, epsilons)), "flat": flat},
        panels=(
            Panel("(a) Precision and recall", RECALL, PRECISION, lines),
            Panel("(b) Highest F-score", EPSILON, Scale("Best F-score of the attacker", 0.5, 1.0), curves),
        ),
        holds=(
            all(p < 1 / (1 + math.exp(-e)) + 1e-9 for p, e in zip(best, epsilons))
            and float(dl.Precision(recall=0.01, prior=0.5).of(laplace(0.001))) < 0.501,
            flat < 1e-12 and rises,
        ),
    )


def table_1() -> Figure:
    """The largest epsilon under a bound on the F-score, all 48 cells."""
    bounds = _PRINTED["bounds"]
    table = dl.fscore_table(bounds=[float(b) for b in bounds], weights=list(TABLE_1))
    printed, rows, dashes = [], [], 0
    for w, cells in TABLE_1.items():
        ours = table.row(weight=w)
        floor = (1 + w * w) / (2 + w * w)
        rows.append((f"{w:g}", *("–" if x is None else f"{x:.4f}" for x in ours)))
        for bound, cell, value in zip(bounds, cells, ours):
            if cell == "–":
                dashes += value is None
                continue
            correction = ""
            if value is None:
                value = math.log1p(w * w)
                correction = (
                    f"F ≤ {bound} at weight {w:g}: naming everyone reaches {floor:.4f} already, so no epsilon will "
                    f"do; printed is the turning point log(1 + w²) = {value:.4f}"
                )
            printed.append(Printed(f"weight {w:g}, F ≤ {bound}", cell, value, correction=correction, decimals=2))
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
    above = all(
        b > a
        for lines in (first, second)
        for low, high in itertools.pairwise(lines)
        for a, b in zip(low.y[:-1], high.y[:-1])
    )
    scale = Scale(PRECISION.title, 0.48, 0.72)
    used, exact = gaussian(epsilon, delta), gaussian(epsilon, delta, "analytic")
    real = float(dl.Epsilon(delta=delta).of(used))
    return figure(
        "liu-4",
        {"epsilon": epsilon, "delta": plain(delta), "used": used.sigma, "exact": exact.sigma, "real": real},
        panels=(
            Panel(f"(a) δ = {plain(delta)}", RECALL, scale, first),
            Panel(f"(b) ε = {epsilon:g}", RECALL, scale, second),
        ),
        holds=[above],
    )


def theorem_3(epsilon: float = 1.0, rates: Sequence[float] = choices.LIU_RATES.value) -> Figure:
    """The attacker's thresholds on the output and on the likelihood ratio, and the plausible deniability they give."""
    from scipy import stats

    rows, right, printed_above = [], True, []
    for a in rates:
        attack = dl.Attack(laplace(epsilon), fpr=a)
        theta = (-math.log(2 * a) if a <= 0.5 else math.log(2 * (1 - a))) + 0.0
        middle = math.exp(-epsilon) / (4 * (a if a <= 0.5 else 1 - a) ** 2)
        known = min(max(middle, math.exp(-epsilon)), math.exp(epsilon)) if a <= 0.5 else math.exp(-epsilon)
        # the noise alone decides: how often it passes θ, and how much likelier that output is with the record
        alarms, ratio = stats.laplace.sf(theta), stats.laplace.pdf(theta, loc=epsilon) / stats.laplace.pdf(theta)
        pairs = ((ratio, known), (attack.threshold, theta), (attack.likelihood_threshold, known))
        right &= abs(alarms - a) < 1e-12 and all(abs(x - y) < 1e-9 for x, y in pairs)
        if a > 0.5:
            printed_above.append(abs(middle - attack.likelihood_threshold))
        shown = (theta, attack.threshold, middle, attack.likelihood_threshold)
        rows.append((f"{a:g}", *(f"{x:.4f}".replace("-", "−") for x in shown)))
    off = digits(max(printed_above, default=0.0))
    made = figure("liu-theorem-3", {"epsilon": epsilon, "off": off}, rows=[rows], holds=[bool(right)])
    return made if printed_above else replace(made, learned=())


# ---- what the attacker knows beforehand ------------------------------------------------------------------------------


def _knowledge(count: int, epsilons: Sequence[float] = choices.LIU_KNOWLEDGE_EPSILONS.value) -> Figure:
    """The figure of an attacker who knows as many of the three coefficients."""
    given = p, c, t = (*choices.LIU_KNOWLEDGE.value[:count], 0.0, 0.0)[:3]
    adversary = dl.Adversary.from_coefficients(prior=p, record=c, temporal=t)
    lines = []
    for k, e in enumerate(epsilons):
        without = replace(precisions(laplace(e), "", k), bound=True)
        lines += [precisions(laplace(e), f"ε = {e:g}", k, adversary), without]
    better = all(b > a for solid, dashed in zip(lines[::2], lines[1::2]) for a, b in zip(dashed.y, solid.y))
    # an attacker who has no coefficients, only a table and Bayes' rule
    table, seen = _table(p, c, t)
    believes = float(table[seen][1] / table[seen].sum())
    places = [(recall, _alarms(e, recall)) for e in epsilons for recall in RECALLS]
    exact = [believes * recall / (believes * recall + (1 - believes) * alarms) for recall, alarms in places]
    printed = [1 / (1 + _factor(p, c, t) * alarms / recall) for recall, alarms in places]
    drawn = [y for line in lines[::2] for y in line.y]
    gap = max(abs(a - b) for other in (printed, drawn) for a, b in zip(exact, other))
    return figure(
        f"liu-{4 + count}",
        {"prior": adversary.prior, "size": table.size, "believes": believes, "gap": gap},
        panels=(
            _weighted(adversary.prior, f"ρp = {p:g}, ρc = {c:g}, ρt = {t:g}"),
            Panel("(b) Precision and recall; dashed: without", RECALL, PRECISION, tuple(lines)),
        ),
        holds=(better, gap < 1e-9 and all(abs(a - b) < 1e-12 for a, b in zip(_coefficients(table), given))),
    )


# of an attacker who knows how likely the two values of a record are; how records are correlated; and how over time
figure_5, figure_6, figure_7 = (partial(_knowledge, count) for count in (1, 2, 3))


def _factor(prior: float, record: float, temporal: float) -> float:
    """Liu's c of Equation 23."""
    return 1 - prior - (2 - prior) * (record + temporal * (1 - record))


def _table(prior: float, record: float, temporal: float) -> tuple[Floats, tuple[int, int]]:
    """A joint law of another record, the past and the target (last axis), and what the attacker sees of the first two.

    The likelier value of the target is 1/(1 − prior) times as likely as the other one. What the attacker sees of the other
    record, and then of the past, makes it 1/(1 − coefficient) times as likely; each is seen with a probability of one in
    ten, so that nothing else that could be seen would move the attacker as far.
    """
    rare = choices.LIU_TABLE.one
    target = np.array([1 - prior, 1.0]) / (2 - prior)

    def split(law: Floats, coefficient: float) -> Floats:
        high = law[1] / (1 - coefficient)
        moved = np.array([1 - high, high])
        return np.array([law - rare * moved, rare * moved])

    others = split(target, record)
    return np.array([row.sum() * split(row / row.sum(), temporal) for row in others]), (1, 1)


def _coefficients(table: Floats) -> tuple[float, ...]:
    """Liu's coefficients, read off a joint law: 1 less the smallest ratio that each kind of knowledge can cause."""
    alone, others = table.sum(axis=(0, 1)), table.sum(axis=1)
    known = others / others.sum(axis=1, keepdims=True)
    past = table / table.sum(axis=2, keepdims=True)
    ratios = alone.min() / alone.max(), (alone / known).min(), (known[:, None, :] / past).min()
    return tuple(1 - float(ratio) for ratio in ratios)


def _alarms(epsilon: float, recall: float) -> float:
    """The share of false alarms at a recall, from the Laplace law itself."""
    from scipy import stats

    return float(stats.laplace.sf(stats.laplace.isf(recall, loc=epsilon)))


def _weighted(prior: float, coefficients: str, epsilon: float = 1.0) -> Panel:
    """Both output laws times their priors, and the output from which on the attacker decides for h1."""
    release = laplace(epsilon)
    even = (1 - prior) / prior  # the attacker decides for h1 where the likelihood ratio exceeds the odds against it
    rate = math.exp(-epsilon / 2) / (2 * math.sqrt(even))  # Theorem 3: the ratio at the threshold is e^−ε/(4·rate²)
    attack = dl.Attack(release, fpr=rate, prior=prior)
    rows = [row for row in dl.frame("output_laws", release, fpr=rate).rows if -4 <= row["output"] <= 5]
    worlds = (("absent", 1 - prior, "h0"), ("present", prior, "h1"))
    absent, present = (
        Line.of([r for r in rows if r["world"] == world], "output", "probability", weight, label=label, series=k)
        for k, (world, weight, label) in enumerate(worlds)
    )
    top = max(*absent.y, *present.y)
    xs, ys = zip(*((x, y) for x, y in zip(absent.x, absent.y) if x >= attack.threshold))
    return Panel(
        f"(a) The test; {coefficients}",
        Scale("Noisy output o", -4.0, 5.0),
        Scale("Density times prior", 0.0, 1.15 * top),
        (absent, present),
        areas=(Area(xs, ys, "false alarms"),),
        notes=(Note(attack.threshold + 0.15, 1.1 * top, f"θ = {attack.threshold:.2f}"),),
        uprights=(attack.threshold,),
    )


def figure_8(coefficients: Sequence[tuple[float, float, float]] = COEFFICIENTS_8, points: int = 72) -> Figure:
    """The best F-score against epsilon for six attackers; the coefficients are printed in the figure."""
    turning = [math.log1p(1 / _factor(*given)) for given in coefficients]
    values = sorted((*spaced(0.02, 10.0, points), *turning))
    scores = {}
    for p, c, t in coefficients:
        adversary = dl.Adversary.from_coefficients(prior=p, record=c, temporal=t)
        scores[f"{p:g}, {c:g}, {t:g}"] = dl.fscore_curve(values, adversary, weight=1.0).scores
    lines = labelled(values, scores)
    ordered = all(
        b >= a - 1e-12
        for (less, low), (more, high) in itertools.permutations(zip(coefficients, lines), 2)
        if all(x <= y for x, y in zip(less, more))
        for a, b in zip(low.y, high.y)
    )
    start = f"{lines[0].y[0]:.4f}", f"{lines[-1].y[0]:.4f}"
    scale = Scale("Best F1-score of the attacker", 0.65, 1.0)
    return figure(
        "liu-8",
        {"start": start, "turning": ", ".join(f"{x:.3f}" for x in turning)},
        panels=[Panel("Lines: ρp, ρc, ρt", EPSILON, scale, lines)],
        holds=[ordered],
    )


def theorem_7(scale: float = 1.0) -> Figure:
    """Each notion's epsilon on four concrete models, and which of the published inequalities hold on them."""
    found = {name: dl.frameworks(dl.DiscreteData(joint=t), dl.Laplace(scale=scale)) for name, t in MODELS.items()}
    notions, rows = _PRINTED["notions"], []
    for name, f in found.items():
        values = [getattr(f, key) for key in notions]
        rows.append((name, *("–" if value is None else f"{value:.4f}" for value in values)))
    on: dict[str, list[str]] = {}
    against: dict[str, list[str]] = {}
    for name, f in found.items():
        for one in f.inequalities:
            if one.claim.endswith("group"):
                continue  # Li's, not Liu's
            held, failed = on.setdefault(one.claim, []), against.setdefault(one.claim, [])
            if one.holds:
                held.append(name)
            else:
                failed.append(f"{name}: {one.left:.4f} against {one.right:.4f}")

    def spoken(claim: str) -> str:
        for key in sorted(notions, key=len, reverse=True):
            claim = claim.replace(key, f"ε_{notions[key]}")
        return claim.replace("<=", "≤")

    claims = []
    for claim, held in on.items():
        fails = f"Fails on {'; '.join(against[claim])}. " if against[claim] else ""
        said = f"{fails}Holds on: {', '.join(held)}."
        claims.append(Claim(says=f"{spoken(claim)}.", holds=not fails, found=said))
    less = found["negative"]
    made = figure("liu-theorem-7", {"scale": scale, "weakest": less.bayesian, "dp": less.dp}, rows=[rows])
    return replace(made, claims=tuple(claims))
