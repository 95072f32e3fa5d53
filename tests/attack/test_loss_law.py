"""The law of the privacy loss where the log-ratio has plateaus, and its quantiles."""

import math

import numpy as np
import pytest
import scipy.stats as st

import dplens as dl

LEVELS = np.array([0, 1e-300, 1e-12, 1e-5, 0.01, 0.2, 0.5, 0.5000001, 0.8, 0.999, 1 - 1e-12, 1.0])
CASES = {
    "laplace pair": dl.ContinuousPair(p=st.laplace(0), q=st.laplace(1.0)),
    "value above": dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
    "truncated": dl.AdditiveNoise(noise=st.truncnorm(-2, 2)),
    "gumbel": dl.AdditiveNoise(noise=st.gumbel_r()),
    "binormal": dl.ContinuousPair(p=st.norm(0, 1), q=st.norm(1, 1.5)),
    "gaussian": dl.Gaussian(sigma=1.0),
    "laplace": dl.Laplace(scale=1.0),
    "geometric": dl.Geometric(scale=2.0, sensitivity=3),
    "discrete gaussian": dl.DiscreteGaussian(sigma=2.0),
    "uniform": dl.AdditiveNoise(noise=st.uniform(-2, 4)),
    "finite": dl.FinitePair(p=[0.2, 0.3, 0.5, 0], q=[0.6, 0.2, 0.1, 0.1]),
}


def test_atoms_of_a_laplace_pair_are_counted_whole():
    law = dl.Attack(CASES["laplace pair"]).privacy_loss
    # l = −1 below 0, where P has mass 1/2 and Q e⁻¹/2; l = 1 above 1, the other way round
    assert law.h0.cdf([-1.0, 0.0, 1.0]) == pytest.approx([0.5, 1 - math.exp(-0.5) / 2, 1.0], rel=1e-10)
    assert law.h1.cdf([-1.0, 0.0, 1.0]) == pytest.approx([math.exp(-1) / 2, math.exp(-0.5) / 2, 1.0], rel=1e-10)
    assert law.h0.sf([-1.0, 1.0]) == pytest.approx([0.5, 0.0], rel=1e-10)
    assert law.h0.cdf(-1.0 - 1e-6) == pytest.approx(0.0, abs=1e-200)
    assert law.h0.quantile(0.3) == pytest.approx(-1.0, abs=1e-11)


def test_the_largest_loss_of_a_composite_hypothesis_bounds_it():
    law = dl.Attack(CASES["value above"]).privacy_loss
    assert (law.h0.cdf(2.0), law.h1.cdf(2.0), law.h0.sf(2.0), law.h1.sf(2.0)) == (1.0, 1.0, 0.0, 0.0)
    # l = −2 below 0: P has (1 + e⁻¹)/4 there, Q e⁻² times as much
    assert law.h0.cdf(-2.0) == pytest.approx((1 + math.exp(-1)) / 4, rel=1e-10)
    assert law.h1.cdf(-2.0) == pytest.approx((math.exp(-2) + math.exp(-3)) / 4, rel=1e-10)


def test_smooth_laws_are_not_blurred():
    law = dl.Attack(dl.ContinuousPair(p=st.norm(0, 1), q=st.norm(0, 2))).privacy_loss
    # l = 3x²/8 − log 2
    x = np.array([0.5, 3.0, 9.0])
    assert law.h0.sf(3 * x**2 / 8 - math.log(2)) == pytest.approx(2 * st.norm.sf(x), rel=1e-10)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CASES)
def test_quantiles_reach_their_level(name):
    law = dl.Attack(CASES[name]).privacy_loss
    for side in (law.h0, law.h1):
        found = side.quantile(LEVELS)
        assert not np.isnan(found).any()
        rare = LEVELS[np.isfinite(found)][:-1] < 1e-30  # found to fewer digits
        assert (np.diff(found[np.isfinite(found)]) >= np.where(rare, -1e-6, -1e-11)).all()
        assert (side.cdf(found) >= LEVELS).all()
        inner = np.isfinite(found) & (LEVELS > 0)
        earlier = side.cdf(found[inner] - 1e-6 * (1 + np.abs(found[inner])))
        assert (earlier <= LEVELS[inner]).all()


def test_mass_at_minus_infinity():
    law = dl.Attack(CASES["truncated"]).privacy_loss
    assert law.h0.quantile(0.0) == -math.inf
    assert law.h0.quantile(0.1) == -math.inf  # P(X < −1) = 0.143
    assert law.h0.cdf(-math.inf) == pytest.approx(st.truncnorm(-2, 2).cdf(-1), rel=1e-10)
