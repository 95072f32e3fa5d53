"""Suprema of (epsilon, delta) guarantees, which are the largest of a few lines: exact at high precision."""

import itertools

import mpmath as mp
import numpy as np
import pytest

import dplens as dl
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.enclosed import EnclosedCurve


def corners(pairs):
    """The corners (alpha, f) of the largest of the lines of all guarantees."""
    lines = [(mp.mpf(0), mp.mpf(0))]
    for epsilon, delta in pairs:
        e, left = mp.mpf(epsilon), 1 - mp.mpf(delta)
        lines += [(left, -mp.exp(e)), (mp.exp(-e) * left, -mp.exp(-e))]
    crossings = [(b - a) / (s - t) for (a, s), (b, t) in itertools.combinations(lines, 2) if s != t]
    at = sorted({mp.mpf(0), mp.mpf(1), *(x for x in crossings if 0 < x < 1)})
    return [(x, max(a + s * x for a, s in lines)) for x in at]


def hull(points):
    """The corners of the hull from below."""
    kept = []
    for point in sorted(points):
        while len(kept) > 1 and not _bends(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _bends(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def beta(points, alpha):
    (a, y), (b, z) = next(pair for pair in itertools.pairwise(points) if pair[0][0] <= alpha <= pair[1][0])
    return y + (z - y) * (alpha - a) / (b - a)


def pair(points):
    """Two records: the corners of 1 − (1 − f)∘(1 − f), among them the points that one record takes to a corner."""
    at = {x for x, _ in points}
    for (a, y), (b, z) in itertools.pairwise(points):
        at |= {a + (1 - x - y) * (b - a) / (z - y) for x, _ in points if y > z and z <= 1 - x <= y}
    return [(x, beta(points, 1 - beta(points, x))) for x in sorted(at)]


def drawn(rng):
    return [
        (float(np.exp(rng.uniform(-2, 2.3))), float(10 ** rng.uniform(-8, -1)) if rng.random() < 0.8 else 0.0)
        for _ in range(rng.integers(2, 4))
    ]


def best(pairs):
    return dl.supremum(*(dl.ApproximateDP(epsilon=e, delta=d) for e, d in pairs))


@pytest.mark.parametrize("seed", [3, 8, 9, 13, 14])
def test_kinks_of_parts_are_met_in_hulls_and_groups(seed):
    rng = np.random.default_rng(seed)
    with mp.workdps(40):
        first, second = drawn(rng), drawn(rng)
        either, epsilon = hull(corners(first) + corners(second)), float(rng.uniform(0, 3))
        worst = dl.infimum(best(first), best(second))
        cases = (worst, either), (best(first).group(2), pair(corners(first))), (worst.group(2), pair(either))
        for curve, points in cases:
            area = mp.fsum((y + z) / 2 * (b - a) for (a, y), (b, z) in itertools.pairwise(points))
            for question, true in (
                (dl.AUC(), 1 - area),
                (dl.Advantage(), max(1 - y - x for x, y in points)),
                (dl.Delta(epsilon=epsilon), max(1 - y - mp.exp(mp.mpf(epsilon)) * x for x, y in points)),
            ):
                found = question.of(curve)
                assert found.low <= true <= found.high
                wide = 1e-6 if isinstance(question, dl.AUC) else 1e-10
                assert found.high - found.low <= wide * true + 2e-12


def test_a_bracket_wider_than_rounding_stays_in_groups():
    """Two tests, one after the other, lead no further than the group's curve: so much must its readings allow."""

    risky = dl.compose(dl.Gaussian(sigma=2.0), dl.ApproximateDP(epsilon=0.0, delta=1e-4)).tradeoff()
    single = EnclosedCurve(risky, GaussianCurve(0.5), (), "shifts")
    group, alpha = single.group(2), np.logspace(-8, -0.1, 200)
    power = single.power(single.power(alpha))
    for epsilon in (0.0, 1.0, 3.0):
        assert dl.Delta(epsilon=epsilon).of(group) >= np.max(power - np.exp(epsilon) * alpha) * (1 - 1e-12)
    assert dl.Renyi(order=2.0).of(group) == np.inf


@pytest.mark.parametrize("seed", range(12))
def test_kinks_are_met_from_both_sides(seed):
    """Between its nodes a search or an integral must not lose what lies at the corner where guarantees take turns."""
    rng = np.random.default_rng(seed)
    with mp.workdps(40):
        for _ in range(3):
            pairs = [
                (float(np.exp(rng.uniform(-2, 2.3))), float(10 ** rng.uniform(-8, -1)) if rng.random() < 0.8 else 0.0)
                for _ in range(rng.integers(2, 4))
            ]
            curve = dl.supremum(*(dl.ApproximateDP(epsilon=e, delta=d) for e, d in pairs))
            points, epsilon = corners(pairs), float(rng.uniform(0, max(e for e, _ in pairs)))
            area = mp.fsum((y + z) / 2 * (b - a) for (a, y), (b, z) in itertools.pairwise(points))
            for question, true in (
                (dl.AUC(), 1 - area),
                (dl.Advantage(), max(1 - y - x for x, y in points)),
                (dl.Delta(epsilon=epsilon), max(1 - y - mp.exp(mp.mpf(epsilon)) * x for x, y in points)),
            ):
                found = question.of(curve)
                assert found.low <= true <= found.high
                wide = 1e-6 if isinstance(question, dl.AUC) else 1e-10
                assert found.high - found.low <= wide * true + 1e-12


def test_losses_without_end_never_have_a_delta_of_0():
    for release in (dl.DiscreteGaussian(sigma=0.5), dl.Gaussian(sigma=0.5), dl.DiscreteGaussian(sigma=1.0).group(2)):
        assert 0 < dl.Delta(epsilon=1e4).of(release).high < 1e-300
