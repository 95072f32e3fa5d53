"""Suprema of (epsilon, delta) guarantees, which are the largest of a few lines: exact at high precision."""

import itertools

import mpmath as mp
import numpy as np
import pytest

import dplens as dl


def corners(pairs):
    """The corners (alpha, f) of the largest of the lines of all guarantees."""
    lines = [(mp.mpf(0), mp.mpf(0))]
    for epsilon, delta in pairs:
        e, left = mp.mpf(epsilon), 1 - mp.mpf(delta)
        lines += [(left, -mp.exp(e)), (mp.exp(-e) * left, -mp.exp(-e))]
    crossings = [(b - a) / (s - t) for (a, s), (b, t) in itertools.combinations(lines, 2) if s != t]
    at = sorted({mp.mpf(0), mp.mpf(1), *(x for x in crossings if 0 < x < 1)})
    return [(x, max(a + s * x for a, s in lines)) for x in at]


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
                assert found.high - found.low <= 1e-10 * true + 1e-12


def test_losses_without_end_never_have_a_delta_of_0():
    for release in (dl.DiscreteGaussian(sigma=0.5), dl.Gaussian(sigma=0.5), dl.DiscreteGaussian(sigma=1.0).group(2)):
        assert 0 < dl.Delta(epsilon=1e4).of(release).high < 1e-300
