"""Pairs whose likelihood ratio runs off where floats are coarse, or turns where the grid has one place twice."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import acos, asin, betainc, findroot, mp, mpf, pi, sqrt
from scipy import stats

import dplens as dl

ALPHAS = [1e-100, 1e-40, 1e-17, 1e-15, 1e-12, 1e-8, 1e-3, 0.3, 0.999, 1 - 1e-6]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(60):
        yield


@pytest.fixture(scope="module", params=[stats.arcsine(), stats.beta(0.5, 0.5)], ids=["arcsine", "beta"])
def poles(request):
    return dl.ContinuousPair(p=stats.uniform(), q=request.param)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_poles_at_both_ends(poles, alpha):
    """The best test takes both ends alike: of the uniform law alpha/2 at each."""
    answer = dl.AttackPower(fpr=alpha).of(poles.tradeoff("add"))
    truth = 4 / pi * asin(sqrt(mpf(alpha) / 2))
    assert mpf(answer.low) <= truth <= mpf(answer.high)
    if alpha >= 1e-8:  # next to an end at 1 floats show no smaller sets, and these have a mass of 4e-8
        assert answer.high - answer.low < 1e-6 * min(answer, 1 - answer) + 1e-7
    missed = dl.MinFPR(fnr=alpha).of(poles.tradeoff("remove"))
    left = 1 - 4 / pi * asin(sqrt(mpf(alpha) / 2))
    assert mpf(missed.low) <= left <= mpf(missed.high)


def test_poles_read_as_areas_and_divergences(poles):
    for direction in ("add", "remove"):
        area = dl.AUC().of(poles.tradeoff(direction))
        assert mpf(area.low) <= 2 / pi <= mpf(area.high)
    f = poles.tradeoff("add")
    assert dl.Renyi(order=2.0).of(f) == np.inf  # ∫ 1/(pi²·x·(1 − x))
    # half of the level set {arcsine > e^eps·uniform} lies at each end
    for epsilon in (0.5, 3.0, 12.0, 17.0, 40.0):
        x = (1 - sqrt(1 - 4 / (pi * mp.exp(epsilon)) ** 2)) / 2
        truth = 4 / pi * acos(sqrt(1 - x)) - mp.exp(epsilon) * 2 * x
        answer = dl.Delta(epsilon=epsilon).of(f)
        assert mpf(answer.low) <= truth <= mpf(answer.high)


@pytest.mark.parametrize("alpha", [1e-12, 1e-6, 1e-4, 3e-4, 1e-3, 1e-2])
def test_a_pole_that_is_sharper_under_one_law(alpha):
    """beta(0.1, 0.1) against beta(0.1, 0.2): the ratio falls with the distance from 1."""
    a, b = mpf(0.1), mpf(0.2)
    log = findroot(
        lambda t: mp.log(betainc(b, a, 0, mp.exp(t), regularized=True)) - mp.log(mpf(alpha)), mp.log(alpha) / b
    )
    truth = betainc(a, a, 0, mp.exp(log), regularized=True)
    f = dl.ContinuousPair(p=stats.beta(0.1, 0.2), q=stats.beta(0.1, 0.1)).tradeoff("add")
    answer = dl.AttackPower(fpr=alpha).of(f)
    assert mpf(answer.low) <= truth <= mpf(answer.high)
    assert f.power(np.geomspace(1e-300, alpha, 50)).max() <= answer


@pytest.mark.parametrize("alpha", [1e-40, 1e-30, 1e-12, 1e-3])
def test_a_density_that_ends_at_zero_where_the_other_does_not(alpha):
    """Uniform against beta(1, 2), which falls to 0 at 1."""
    answer = dl.AttackPower(fpr=alpha).of(dl.ContinuousPair(p=stats.beta(1, 2), q=stats.uniform()).tradeoff("add"))
    assert mpf(answer.low) <= sqrt(mpf(alpha)) <= mpf(answer.high)
