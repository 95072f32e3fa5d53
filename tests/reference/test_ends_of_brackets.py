"""Ends of brackets where digits or floats end, against values worked out with mpmath at 40 digits and more."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import dplens as dl


@pytest.mark.parametrize(
    ("noise", "sensitivity", "limit"),
    [
        (stats.skewnorm(11.0), 0.73, 0.73 * np.sqrt(122)),
        (stats.skewnorm(8.0), 1.0, np.sqrt(65)),
        (stats.skewnorm(0.1), 0.7, 0.7 * np.sqrt(1.01)),
        (stats.skewnorm(0.2617250461248194), 0.13341726367417409, 0.137911),
        (stats.exponnorm(0.1), 1.0, 1.0),
        (stats.exponnorm(0.13440916237630976), 2.110590550498102, 2.110590550498102),
    ],
    ids=lambda x: getattr(getattr(x, "dist", None), "name", None),
)
def test_mu_that_is_reached_only_in_the_limit(noise, sensitivity, limit):
    """The left tail is that of a normal law, of precision 1 + a² under a skew a; mu nears its limit like 1/z²."""
    found = dl.Mu().of(dl.AdditiveNoise(noise=noise, sensitivity=sensitivity))
    assert found.high >= limit * (1 - 1e-6)
    assert found.low <= limit


@pytest.mark.parametrize(
    ("chain", "scale", "target", "pair", "epsilon", "truth"),
    [
        (
            dl.MarkovData(
                initial=[0.9375, 0.0625], transition=[[0.0, 1.0], [0.984375, 0.015625]], length=2, values=[1.0, 2.0]
            ),
            *(3.2278403380352603, 0, (2.0, 1.0), 0.0041296271006075495, 2.406135785606247564e-05),
        ),
        (
            dl.MarkovData(
                initial=[0.6328125, 0.3671875],
                transition=[[0.0390625, 0.9609375], [0.8046875, 0.1953125]],
                length=4,
                values=[0.0, 1.0],
            ),
            *(10.301087762432479, 1, (1.0, 0.0), 0.0008130741987017066, 3.657102237096467e-07),
        ),
    ],
    ids=["two tuples", "four tuples"],
)
def test_small_deltas_of_related_records(chain, scale, target, pair, epsilon, truth):
    curve = chain.view(dl.Geometric(scale=scale), target=target, pair=pair).tradeoff(direction="add")
    found = curve.profile_bounds(np.array([epsilon]))
    assert found.lo[0] <= truth <= found.hi[0]
    assert found.hi[0] - found.lo[0] <= 1e-7 * truth


def test_both_directions_of_a_sampled_pair_agree_on_the_advantage():
    """Masses that add up to 1 but for rounding."""
    pair = dl.FinitePair(p=[0.0, 1.0], q=[0.0004048445502505881, 0.9995951554497494]).subsample(0.9999973973691222)
    add, remove = (dl.Advantage().of(pair.tradeoff(direction=d)) for d in ("add", "remove"))
    assert add.low <= remove.high
    assert remove.low <= add.high


def test_losses_above_700():
    release = dl.FinitePair(p=[1e-160, 1.0], q=[0.3, 0.7]).repeat(2)
    for fpr in (1e-306, 1e-310):
        assert dl.AttackPower(fpr=fpr).of(release).high >= 0.09


def test_tiny_rates_of_a_sampled_step():
    curve = dl.Laplace(scale=0.47509932787820836).subsample(2.1487375952394957e-05).tradeoff(direction="remove")
    found = curve.power_bounds(np.array([1e-29]), np.array([1.0]))
    assert found.lo[0] <= 1.0000188691247666001e-29 <= found.hi[0]


def test_products_and_underflows_are_rounded_up():
    delta, rate = 1.005942480054262e-05, 0.9999972601960584
    sampled = dl.ApproximateDP(epsilon=2.3347920956221584, delta=delta).subsample(rate)
    assert Fraction(dl.Delta(epsilon=3.0).of(sampled).high) >= Fraction(delta) * Fraction(rate)
    coins = dl.RandomizedResponse(epsilon=0.06232768397583483).repeat(1502)
    assert coins.tradeoff(direction="remove").profile_bounds(np.array([87.3936029384622])).hi[0] > 0  # 1.36e-342
    truth = 4.39e-7  # relatively, above 4.49059e-318
    gaussian = dl.Delta(epsilon=0.34662900554356313).of(dl.Gaussian(sigma=109.32383628947291))
    assert gaussian.high >= 4.49059e-318 * (1 + truth)
