"""Curves of two continuous laws against exact rates of their best tests, in 50 digits.

The oracle looks for the places where the ratio crosses a threshold on a grid of its own, turning points included, and
adds up closed distribution functions.
"""

import itertools
import math
import random

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import dplens as dl

LEVELS = [10.0**-k for k in (250, 100, 50, 30, 20, 15, 12, 9, 6, 4, 3)] + list(np.linspace(0.004, 0.5, 40))


class Law:
    """Density and both tails in mpmath beside scipy's law, with the places where the density is not smooth."""

    def __init__(self, source, density, below, above, places=()):
        self.source, self.density, self.below, self.above, self.places = source, density, below, above, places

    def quantiles(self):
        found = np.concatenate([self.source.ppf(LEVELS), self.source.isf(LEVELS), self.places])
        return [float(x) for x in found if math.isfinite(x)]


def normal(m, s):
    tail = lambda z: mp.erfc(z / mp.sqrt(2)) / 2  # noqa: E731
    return Law(
        stats.norm(m, s), lambda x: mp.npdf(x, m, s), lambda x: tail((mp.mpf(m) - x) / s), lambda x: tail((x - m) / s)
    )


def student(df, m, s):
    df, size = mp.mpf(df), mp.gamma((mp.mpf(df) + 1) / 2) / mp.gamma(mp.mpf(df) / 2) / mp.sqrt(df * mp.pi) / s

    def tail(z):
        part = mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + z * z), regularized=True) / 2
        return part if z > 0 else 1 - part

    density = lambda x: size * (1 + ((x - m) / s) ** 2 / df) ** (-(df + 1) / 2)  # noqa: E731
    return Law(stats.t(float(df), m, s), density, lambda x: tail((mp.mpf(m) - x) / s), lambda x: tail((x - m) / s))


def laplace(m, s):
    tail = lambda z: mp.exp(-z) / 2 if z > 0 else 1 - mp.exp(z) / 2  # noqa: E731
    density = lambda x: mp.exp(-abs(x - m) / s) / 2 / s  # noqa: E731
    return Law(stats.laplace(m, s), density, lambda x: tail((mp.mpf(m) - x) / s), lambda x: tail((x - m) / s), (m,))


def gamma_law(k, s):
    density = lambda x: mp.exp((k - 1) * mp.log(x / s) - x / s - mp.loggamma(k)) / s if x > 0 else mp.mpf(0)  # noqa: E731
    below = lambda x: mp.gammainc(k, 0, x / s, regularized=True) if x > 0 else mp.mpf(0)  # noqa: E731
    above = lambda x: mp.gammainc(k, x / s, mp.inf, regularized=True) if x > 0 else mp.mpf(1)  # noqa: E731
    return Law(stats.gamma(k, scale=s), density, below, above)


def triangle(c):
    c = mp.mpf(c)
    density = lambda x: mp.mpf(0) if not 0 < x < 1 else 2 * x / c if x < c else 2 * (1 - x) / (1 - c)  # noqa: E731
    above = lambda x: 1 - x * x / c if x < c else (1 - x) ** 2 / (1 - c)  # noqa: E731
    below = lambda x: x * x / c if x < c else 1 - (1 - x) ** 2 / (1 - c)  # noqa: E731
    return Law(stats.triang(float(c)), density, below, above, (float(c),))


def beta_law(a, b):
    density = lambda x: x ** (a - 1) * (1 - x) ** (b - 1) / mp.beta(a, b) if 0 < x < 1 else mp.mpf(0)  # noqa: E731
    below = lambda x: mp.betainc(a, b, 0, x, regularized=True)  # noqa: E731
    return Law(stats.beta(a, b), density, below, lambda x: mp.betainc(b, a, 0, 1 - x, regularized=True))


def loss(p, q, x):
    first, second = p.density(x), q.density(x)
    return mp.log(second / first) if first > 0 and second > 0 else None


def seen(p, q):
    """Places and log-ratios on a grid, with the turning points."""
    x = sorted({*p.quantiles(), *q.quantiles()})
    x = [mp.mpf(a + (b - a) * part) for a, b in itertools.pairwise(x) for part in (0.0, 0.5)]
    rows = [(at, found) for at in x if (found := loss(p, q, at)) is not None]
    golden, more = (mp.sqrt(5) - 1) / 2, []
    for (a, before), (_, here), (b, after) in zip(rows, rows[1:], rows[2:]):
        if (here - before) * (after - here) < 0:
            sign = 1 if here > before else -1
            for _ in range(110):
                c, d = b - golden * (b - a), a + golden * (b - a)
                a, b = (a, d) if sign * loss(p, q, c) >= sign * loss(p, q, d) else (c, b)
            more.append((a, loss(p, q, a)))
    return sorted(rows + more)


def rates(p, q, rows, threshold):
    """alpha, 1 − alpha, power and beta of the test "log-ratio above the threshold"."""
    cuts = []
    for (a, before), (b, after) in itertools.pairwise(rows):
        if (before > threshold) != (after > threshold):
            for _ in range(170):
                middle = (a + b) / 2
                a, b = (a, middle) if (loss(p, q, middle) > threshold) == (after > threshold) else (middle, b)
            cuts.append((a + b) / 2)
    found, accuses = [mp.mpf(0)] * 4, rows[0][1] > threshold
    for low, high in zip([None, *cuts], [*cuts, None]):
        for i, law in enumerate((p, q)):
            from_below = (law.below(high) if high is not None else 1) - (law.below(low) if low is not None else 0)
            from_above = (law.above(low) if low is not None else 1) - (law.above(high) if high is not None else 0)
            upper = low is not None and law.above(low) < mp.mpf(1) / 2
            found[2 * i + (not accuses)] += from_above if upper else from_below
        accuses = not accuses
    return found


def drawn(seed):
    rng = random.Random(seed)
    r = lambda a, b: round(rng.uniform(a, b), 3)  # noqa: E731
    return [
        (normal(0, 1), normal(r(0.1, 3), r(0.5, 2))),
        (student(r(2, 6), 0, r(0.5, 3)), student(r(1.5, 8), r(0, 2), r(0.5, 3))),
        (laplace(0, r(0.5, 2)), normal(r(0, 1), r(0.5, 2))),
        (gamma_law(r(1, 5), r(0.5, 2)), gamma_law(r(1, 5), r(0.5, 2))),
        (triangle(r(0.1, 0.9)), beta_law(r(1, 3), r(1, 3))),
    ]


@pytest.mark.verify
@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("seed", [1, 2])
def test_random_pairs_are_enclosed(seed, kind):
    p, q = drawn(seed)[kind]
    with mp.workdps(50):
        rows = seen(p, q)
        f = dl.ContinuousPair(p=p.source, q=q.source).tradeoff("add")
        places = [law.source.isf(level) for law in (p, q) for level in (1e-25, 1e-12, 1e-6, 0.01, 0.3, 1 - 1e-9)]
        thresholds = {float(found) + 1e-9 for x in places if (found := loss(p, q, mp.mpf(x))) is not None} | {0.0, 1.0}
        inside = [t for t in thresholds if min(v for _, v in rows) < t < max(v for _, v in rows) and abs(t) < 600]
        assert inside
        for threshold in inside:
            alpha, co, power, beta = rates(p, q, rows, mp.mpf(threshold))
            price, at = mp.exp(mp.mpf(threshold)), (float(alpha), float(co))
            moved = (mp.mpf(at[0]) - alpha if alpha < co else co - mp.mpf(at[1])) * price  # to the floats
            found = f.both_bounds(np.array([at[0]]), np.array([at[1]]))
            for (low, high), truth in zip(found, (power + moved, beta - moved)):
                assert mp.mpf(float(low[0])) * (1 - mp.mpf("1e-18")) <= truth <= float(high[0]) * (1 + mp.mpf("1e-18"))
            side, truth = (f, power - price * alpha) if threshold >= 0 else (f.inverse(), co - beta / price)
            low, high = side.profile_bounds(np.array([abs(threshold)]))
            assert mp.mpf(float(low[0])) <= truth <= mp.mpf(float(high[0]))
