"""The blog post "On the hypothesis testing perspective of DP" (2 July 2025): one curve from many (epsilon, delta)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

import dplens as dl
from dplens.papers.records import Figure, Line
from dplens.papers.texts import choices, figure, spaced

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
    # who is named at the cut-off of the best test, and who is missed, from the noise alone
    cut = dl.Attack(dl.Gaussian(sigma=1.0, sensitivity=mu), fpr=0.1).threshold
    accused, missed = 1 - NormalDist().cdf(cut), NormalDist(mu, 1.0).cdf(cut)
    e, d = choices.BLOG_PAIR.value
    worst = _worst(e, d).tradeoff(direction="add")
    formula = [max(0.0, 1 - d - math.exp(e) * a, math.exp(-e) * (1 - d - a)) for a in _ALPHAS]
    near = max(abs(float(worst(a)) - b) for a, b in zip(_ALPHAS, formula))
    other = dl.ApproximateDP(epsilon=1.0, delta=float(curve.delta(1.0))).tradeoff()
    beyond = float(curve(0.3)), float(other(0.3))
    at = _ALPHAS.index(min(_ALPHAS, key=lambda a: abs(a - 0.1)))
    lines = [Line(_ALPHAS, pair(e), label=f"ε = {e:g}", series=1 + k, bound=True) for k, e in enumerate(epsilons)]
    roc = [Line(line.x, tuple(1 - b for b in line.y), series=line.series, bound=True) for line in lines]
    least, here, delta = lowest[at], exact[at], float(curve.delta(1.0))
    return figure(
        "blog-envelope",
        locals(),
        panels=(
            {"lines": (*lines, Line(_ALPHAS, exact, label="f", series=0))},
            {"lines": (*roc, Line(_ALPHAS, tuple(1 - b for b in exact), label="1 − f", series=0))},
        ),
        holds=(
            below < 1e-9 and gap < slack + 1e-9,
            abs(accused - 0.1) < 1e-9 and abs(missed - float(curve(0.1))) < 1e-9,
            (near < 1e-12 and beyond[0] >= beyond[1], beyond[0] > beyond[1] + 1e-9),
        ),
    )


def _worst(epsilon: float, delta: float) -> dl.FinitePair:
    """The worst (epsilon, delta)-DP mechanism: with probability delta it tells the truth, else it answers at random."""
    likelier = (1 - delta) / (1 + math.exp(-epsilon))
    rest = 1 - delta - likelier
    return dl.FinitePair(p=[delta, likelier, rest, 0.0], q=[0.0, rest, likelier, delta])
