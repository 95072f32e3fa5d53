"""Narrow sets of outputs, and tails that scipy takes as differences from 1: no less power than there is."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import betainc, exp, gamma, gammainc, mp, mpf, sqrt
from scipy import stats

import dplens as dl

ALPHAS = ["1e-100", "1e-30", "5.4e-27", "6.2e-27", "1e-20", "1e-18", "1e-17", "1e-16", "1.2e-16", "1e-12", "1e-3"]


@pytest.mark.parametrize(("direction", "rise", "fall"), [("add", "0.7", "0.4"), ("remove", "0.6", "0.3")])
def test_triangles_next_to_an_end(direction, rise, fall):
    curve = dl.ContinuousPair(p=stats.triang(0.3), q=stats.triang(0.6, loc=0.1)).tradeoff(direction=direction)
    got = [curve.power(float(a)) for a in ALPHAS]
    with mp.workdps(60):
        truth = [(mpf("0.1") + sqrt(mpf(rise) * mpf(float(a)))) ** 2 / mpf(fall) for a in ALPHAS]
        assert all(0 <= (mpf(g) - t) / t < 1e-6 for g, t in zip(got, truth))
    assert np.all(np.diff(got) >= 0)


@pytest.mark.parametrize("power", ["0.5", "0.7"])
def test_sets_about_a_cusp(power):
    """The outputs on which the loss is largest, 1: power is e·alpha(1 − what the loss falls by there)."""
    curve = dl.AdditiveNoise(noise=stats.gennorm(float(power)), sensitivity=1.0).tradeoff()
    with mp.workdps(50):
        k = mpf(float(power))

        def tail(x):
            return gammainc(1 / k, x**k) / gamma(1 / k) / 2

        def solve(loss, low, high):  # by halving: at ``high`` the loss is above
            for _ in range(160):
                middle = (low + high) / 2
                low, high = (low, middle) if middle**k - abs(middle - 1) ** k > loss else (middle, high)
            return high

        for below in ("1e-3", "1e-5", "1e-7"):
            loss = 1 - mpf(below)
            left, right = solve(loss, mpf(1) / 2, mpf(1)), solve(loss, mpf(2), mpf(1))
            alpha, truth = tail(left) - tail(right), 1 - tail(1 - left) - tail(right - 1)
            low, high = (end[0] for end in curve.power_bounds(*np.array([[float(alpha)], [float(1 - alpha)]])))
            wide = "1e-6" if alpha >= 1e-9 else "1e-4"  # floats next to 1 hardly tell narrower sets apart
            assert low <= truth <= high <= truth * (1 + mpf(wide))
            assert truth < exp(1) * alpha


def test_a_tail_without_quantiles_of_its_own_is_seen_to_its_end():
    """Scipy's upper quantiles of this law end at 1e-16; the ratio rises on, like 1 + x."""
    curve = dl.ContinuousPair(p=stats.betaprime(2, 3), q=stats.betaprime(2, 2)).tradeoff(direction="add")
    with mp.workdps(60):
        for at in ("1e-3", "1", "1e4", "1e10", "1e50", "1e80"):
            alpha, truth = (betainc(b, 2, 0, 1 / (1 + mpf(at)), regularized=True) for b in (3, 2))
            assert 0 <= (mpf(curve.power(float(alpha))) - truth) / truth < (1e-6 if alpha >= 1e-30 else 0.1)


@pytest.mark.parametrize("alpha", [1e-20, 1e-50, 1e-65, 1e-80, 1e-150, 1e-290])
def test_ends_that_hold_next_to_no_mass(alpha):
    """Beta(1, 5) against Beta(1, 4): power is alpha^0.8, at alphas whose outputs are beyond the last float before 1."""
    f = dl.ContinuousPair(p=stats.beta(1, 5), q=stats.beta(1, 4)).tradeoff(direction="add")
    found = dl.AttackPower(fpr=alpha).of(f)
    assert found.low <= alpha**0.8 * (1 + 1e-13)
    assert found.high >= alpha**0.8 * (1 - 1e-13)
