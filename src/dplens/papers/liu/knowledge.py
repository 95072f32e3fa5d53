"""Liu et al. 2019, continued: what the attacker knows beforehand (§5), and notions of privacy side by side (§6)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import dplens as dl
from dplens.papers import choices
from dplens.papers.liu.fscore import PRECISION, RECALL, RECALLS, laplace, precisions
from dplens.papers.records import Area, Claim, Figure, Line, Note, Panel, Scale, figure, listed, spaced

COEFFICIENTS_8 = ((0, 0, 0), (0, 0.1, 0), (0, 0.1, 0.2), (0.5, 0, 0), (0.5, 0.1, 0), (0.5, 0.1, 0.2))


def figure_5(epsilons: Sequence[float] = choices.LIU_KNOWLEDGE_EPSILONS.value) -> Figure:
    """An attacker who knows how likely the two values of a record are."""
    return _knowledge("5", (choices.LIU_KNOWLEDGE.value[0], 0.0, 0.0), epsilons)


def figure_6(epsilons: Sequence[float] = choices.LIU_KNOWLEDGE_EPSILONS.value) -> Figure:
    """He also knows how records are correlated."""
    p, c, _ = choices.LIU_KNOWLEDGE.value
    return _knowledge("6", (p, c, 0.0), epsilons)


def figure_7(epsilons: Sequence[float] = choices.LIU_KNOWLEDGE_EPSILONS.value) -> Figure:
    """He also knows how records are correlated over time."""
    a, b, c = choices.LIU_KNOWLEDGE.value
    return _knowledge("7", (a, b, c), epsilons)


def _knowledge(number: str, given: tuple[float, float, float], epsilons: Sequence[float]) -> Figure:
    p, c, t = given
    adversary = dl.Adversary.from_coefficients(prior=p, record=c, temporal=t)
    factor = 1 - p - (2 - p) * (c + t * (1 - c))  # Liu's c of Equation 23
    lines = []
    for k, e in enumerate(epsilons):
        knowing = precisions(laplace(e), f"ε = {e:g}", k, adversary)
        without = precisions(laplace(e), "", k)
        lines += [knowing, Line(without.x, without.y, series=k, bound=True)]
    better = all(b > a for solid, dashed in zip(lines[::2], lines[1::2]) for a, b in zip(dashed.y, solid.y))
    # an attacker who has no coefficients, only a table and Bayes' rule
    table, seen = _table(p, c, t)
    believes = float(table[seen][1] / table[seen].sum())
    readings = _coefficients(table)
    exact = [_precision(e, recall, believes) for e in epsilons for recall in RECALLS]
    printed = [1 / (1 + factor * _alarms(e, recall) / recall) for e in epsilons for recall in RECALLS]
    drawn = [y for line in lines[::2] for y in line.y]
    gap = max(abs(a - b) for other in (printed, drawn) for a, b in zip(exact, other))
    coefficients = f"ρp = {p:g}, ρc = {c:g}, ρt = {t:g}"
    return figure(
        f"liu-{number}",
        {"prior": adversary.prior, "size": table.size, "believes": believes, "gap": gap},
        panels=(
            _weighted(adversary.prior, coefficients),
            Panel("(b) Precision and recall; dashed: without", RECALL, PRECISION, tuple(lines)),
        ),
        holds=(better, gap < 1e-9 and all(abs(a - b) < 1e-12 for a, b in zip(readings, given))),
    )


def _table(prior: float, record: float, temporal: float) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    """A joint law of another record, the past and the target (last axis), and what the attacker sees of the first two.

    The likelier value of the target is 1/(1 − prior) times as likely as the other one. What the attacker sees of the other
    record, and then of the past, makes it 1/(1 − coefficient) times as likely; each is seen with a probability of one in
    ten, so that nothing else that could be seen would move him as far.
    """
    rare = choices.LIU_TABLE.one
    target = np.array([1 - prior, 1.0]) / (2 - prior)

    def split(law: npt.NDArray[np.float64], coefficient: float) -> npt.NDArray[np.float64]:
        high = law[1] / (1 - coefficient)
        moved = np.array([1 - high, high])
        return np.array([law - rare * moved, rare * moved])

    others = split(target, record)
    return np.array([row.sum() * split(row / row.sum(), temporal) for row in others]), (1, 1)


def _coefficients(table: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Liu's coefficients, read off a joint law: 1 less the smallest ratio that each kind of knowledge can cause."""
    alone, others = table.sum(axis=(0, 1)), table.sum(axis=1)
    known = others / others.sum(axis=1, keepdims=True)
    past = table / table.sum(axis=2, keepdims=True)
    return (
        float(1 - alone.min() / alone.max()),
        float(1 - (alone / known).min()),
        float(1 - (known[:, None, :] / past).min()),
    )


def _alarms(epsilon: float, recall: float) -> float:
    """The share of false alarms at a recall, from the Laplace law itself."""
    from scipy import stats

    return float(stats.laplace.sf(stats.laplace.isf(recall, loc=epsilon)))


def _precision(epsilon: float, recall: float, believes: float) -> float:
    """Of all accusations, the share that is right."""
    return believes * recall / (believes * recall + (1 - believes) * _alarms(epsilon, recall))


def _weighted(prior: float, coefficients: str, epsilon: float = 1.0) -> Panel:
    """Both output laws times their priors, and the output from which on the attacker decides for h1."""
    release = laplace(epsilon)
    even = (1 - prior) / prior  # he decides for h1 where the likelihood ratio exceeds the odds against it
    rate = math.exp(-epsilon / 2) / (2 * math.sqrt(even))  # Theorem 3: the ratio at the threshold is e^−ε/(4·rate²)
    attack = dl.Attack(release, fpr=rate, prior=prior)
    rows = dl.frame("output_laws", release, fpr=rate).rows
    lines = []
    for k, (world, weight, label) in enumerate((("absent", 1 - prior, "h0"), ("present", prior, "h1"))):
        kept = [row for row in rows if row["world"] == world and -4 <= row["output"] <= 5]
        lines.append(Line.of(kept, "output", "probability", weight, label=label, series=k))
    top = max(max(line.y) for line in lines)
    beyond = [(x, y) for x, y in zip(lines[0].x, lines[0].y) if x >= attack.threshold]
    return Panel(
        f"(a) The test; {coefficients}",
        Scale("Noisy output o", -4.0, 5.0),
        Scale("Density times prior", 0.0, 1.15 * top),
        tuple(lines),
        areas=(Area(tuple(x for x, _ in beyond), tuple(y for _, y in beyond), "false alarms", series=0),),
        notes=(Note(attack.threshold + 0.15, 1.1 * top, f"θ = {attack.threshold:.2f}"),),
        uprights=(attack.threshold,),
    )


def figure_8(coefficients: Sequence[tuple[float, float, float]] = COEFFICIENTS_8, points: int = 72) -> Figure:
    """The best F-score against epsilon for six attackers; the coefficients are printed in the figure."""
    turning = [math.log1p(1 / (1 - p - (2 - p) * (c + t * (1 - c)))) for p, c, t in coefficients]
    values = tuple(sorted((*spaced(0.02, 10.0, points), *turning)))
    lines = []
    for k, (p, c, t) in enumerate(coefficients):
        adversary = dl.Adversary.from_coefficients(prior=p, record=c, temporal=t)
        scores = dl.fscore_curve(values, adversary, weight=1.0).scores
        lines.append(Line(values, tuple(map(float, scores)), label=f"{p:g}, {c:g}, {t:g}", series=k))
    ordered = all(
        b >= a - 1e-12
        for (less, low), (more, high) in itertools.permutations(zip(coefficients, lines), 2)
        if all(x <= y for x, y in zip(less, more))
        for a, b in zip(low.y, high.y)
    )
    start = f"{lines[0].y[0]:.4f}", f"{lines[-1].y[0]:.4f}"
    return figure(
        "liu-8",
        {"start": start, "turning": listed(f"{x:.3f}" for x in turning)},
        panels=[
            Panel(
                "Lines: ρp, ρc, ρt",
                Scale("epsilon", 0.0, 10.0),
                Scale("Best F1-score of the attacker", 0.65, 1.0),
                tuple(lines),
            )
        ],
        holds=[ordered],
    )


MODELS = {
    "positive": [[0.3, 0.2], [0.2, 0.3]],
    "negative": [[0.2, 0.3], [0.3, 0.2]],
    "equal": [[0.5, 0.0], [0.0, 0.5]],
    "independent": [[0.25, 0.25], [0.25, 0.25]],
}
_NOTIONS = (
    ("dp", "DP"), ("dependent", "DDP"), ("inferential", "IP"), ("blowfish", "BP"), ("membership", "MP"),
    ("mutual_information", "MIDP"), ("bayesian", "weakest attacker"),
)  # fmt: skip


def theorem_7(scale: float = 1.0) -> Figure:
    """Each notion's epsilon on four concrete models, and which of the published inequalities hold on them."""
    found = {name: dl.frameworks(dl.DiscreteData(joint=t), dl.Laplace(scale=scale)) for name, t in MODELS.items()}
    rows = tuple(
        (name, *("–" if getattr(f, key) is None else f"{getattr(f, key):.4f}" for key, _ in _NOTIONS))
        for name, f in found.items()
    )
    said: dict[str, list[str]] = {}
    failed: dict[str, dict[str, str]] = {}
    for name, f in found.items():
        for inequality in f.inequalities:
            if inequality.claim.endswith("group"):
                continue  # Li's, not Liu's
            said.setdefault(inequality.claim, []).append(name)
            if not inequality.holds:
                text = f"{name}: {inequality.left:.4f} against {inequality.right:.4f}"
                failed.setdefault(inequality.claim, {})[name] = text
    names = {key: f"ε_{short}" for key, short in _NOTIONS}

    def spoken(claim: str) -> str:
        for key in sorted(names, key=len, reverse=True):
            claim = claim.replace(key, names[key])
        return claim.replace("<=", "≤")

    claims = tuple(
        Claim(
            says=spoken(claim) + ".",
            holds=claim not in failed,
            found=(f"Fails on {'; '.join(against.values())}. " if against else "")
            + f"Holds on: {', '.join(name for name in models if name not in against)}.",
        )
        for claim, models in said.items()
        for against in [failed.get(claim, {})]
    )
    less = found["negative"]
    return replace(
        figure("liu-theorem-7", {"scale": scale, "weakest": less.bayesian, "dp": less.dp}, rows=[rows]), claims=claims
    )
