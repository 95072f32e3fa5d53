"""The blog post "On the hypothesis testing perspective of DP" (2 July 2025): one curve from many (epsilon, delta)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Claim, Figure, Line, Panel, Scale, spaced

_ALPHAS = (*spaced(0.0, 0.02, 21), *spaced(0.03, 0.97, 95), *spaced(0.98, 1.0, 21))


def envelope(
    mu: float = choices.BLOG_MU.one, epsilons: Sequence[float] = choices.BLOG_EPSILONS.value, pairs: int = 241
) -> Figure:
    """The trade-off curve of a mechanism, and the curves of its (epsilon, delta) pairs that touch it from below."""
    curve = dl.GaussianDP(mu=mu).tradeoff()
    alphas = np.array(_ALPHAS)
    exact = tuple(map(float, curve(alphas)))

    def pair(e: float) -> tuple[float, ...]:
        bound = dl.ApproximateDP(epsilon=e, delta=min(float(curve.delta(e)), 1.0)).tradeoff()
        return tuple(map(float, bound(alphas)))

    # the tangents of all rates drawn lie within; between two pairs the curve rises by at most slack, since no density of
    # the loss exceeds that of N(mu²/2, mu²) at its peak
    top = mu * mu / 2 + 6 * mu
    step = top / (pairs - 1)
    slack = step * step / (8 * mu * math.sqrt(2 * math.pi)) + float(curve.delta(top))
    many = [pair(e) for e in spaced(0.0, top, pairs)]
    highest = [max(column) for column in zip(*many)]
    lowest = [min(column) for column in zip(*many)]
    below = max(h - x for h, x in zip(highest, exact))
    gap = max(x - h for h, x in zip(highest, exact))
    at = _ALPHAS.index(min(_ALPHAS, key=lambda a: abs(a - 0.1)))
    lines = [Line(x=_ALPHAS, y=pair(e), label=f"ε = {e:g}", series=1 + k, bound=True) for k, e in enumerate(epsilons)]
    rates = Scale(title="False-positive rate", low=0.0, high=1.0)
    roc = [Line(x=line.x, y=tuple(1 - b for b in line.y), series=line.series, bound=True) for line in lines]
    return Figure(
        key="blog-envelope",
        name="Trade-off functions",
        title="One curve, infinitely many pairs (epsilon, delta)",
        supports="No single pair says what a mechanism does; all of them together are its trade-off curve.",
        panels=(
            Panel(
                title=f"False negatives: the upper envelope (mu = {mu:g})",
                x=rates,
                y=Scale(title="False-negative rate", low=0.0, high=1.0),
                lines=(*lines, Line(x=_ALPHAS, y=exact, label="f", series=0)),
            ),
            Panel(
                title="True positives: the lower envelope",
                x=rates,
                y=Scale(title="True-positive rate", low=0.0, high=1.0),
                lines=(*roc, Line(x=_ALPHAS, y=tuple(1 - b for b in exact), label="1 − f", series=0)),
            ),
        ),
        claims=(
            Claim(
                says="The true trade-off function is the lower envelope of all (ε, δ)-based trade-off functions.",
                holds=below < 1e-9 and gap < slack + 1e-9,
                found=f"The largest of {pairs} pairs meets f within {gap:.1e} and never exceeds it; the least is "
                f"{lowest[at]:.4f} at a false-positive rate of 10 %, where f is {exact[at]:.4f}.",
                correction="it is the upper envelope (a supremum) of trade-off functions; the lower one of ROC curves",
            ),
            Claim(
                says="Type I errors are called FNR and type II errors FPR.",
                holds=float(curve(0.0)) == 1.0 and float(curve(1.0)) == 0.0,
                found="Accusing someone whose data are not there is a false positive: type I is FPR, type II is FNR. "
                "The formulas of the post use them in that way.",
                correction="the two names are swapped",
            ),
            Claim(
                says="f(α) = max{0, 1 − δ − e^ε·α, e^−ε·(1 − δ − α)} (Lemma 3.4).",
                holds=all(
                    abs(b - max(0.0, 1 - d - math.exp(e) * a, math.exp(-e) * (1 - d - a))) < 1e-12
                    for e, d in [choices.BLOG_PAIR.value]
                    for a, b in zip(_ALPHAS, dl.ApproximateDP(epsilon=e, delta=d).tradeoff()(alphas))
                ),
                found="Our curve of (log 2, 0.1)-DP is the same at all places drawn.",
            ),
        ),
        choices=(choices.BLOG_MU, choices.BLOG_EPSILONS, choices.BLOG_PAIR),
        learned=(
            "Every pair is a promise, and promises add up: the attacker must respect all of them, so the largest "
            "bound on his errors counts. Drawn as true positives it is the smallest.",
        ),
    )
