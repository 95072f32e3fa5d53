"""Composite hypotheses: what is known of them by theorem, and noise on steps."""

import math

import numpy as np
import pytest
import scipy.stats as st

import dplens as dl


def above(mechanism, values=(0, 1, 2, 3), gamma=1.5, **more):
    return dl.ValueAbove(mechanism=mechanism, values=list(values), gamma=gamma, **more)


@pytest.mark.parametrize(
    ("mechanism", "mode", "ratio"),
    [
        (dl.Laplace(scale=1.0), dl.FailureMode.NONE, math.exp(2)),
        (dl.Geometric(scale=1.0), dl.FailureMode.NONE, math.exp(2)),
        (dl.Gaussian(sigma=1.0), dl.FailureMode.GRACEFUL, math.inf),
        (dl.AdditiveNoise(noise=st.logistic()), dl.FailureMode.NONE, math.exp(2)),
        (dl.AdditiveNoise(noise=st.gennorm(1.5)), dl.FailureMode.GRACEFUL, math.inf),
        (dl.AdditiveNoise(noise=st.uniform(-2, 4)), dl.FailureMode.CATASTROPHIC, math.inf),
    ],
    ids=lambda x: repr(x)[:40],
)
def test_failure_and_relative_risk(mechanism, mode, ratio):
    h = above(mechanism)
    assert dl.failure_mode(h) is mode
    risk = dl.RelativeRisk().of(h)
    assert risk.low <= ratio <= risk.high
    assert risk.high == pytest.approx(ratio, rel=1e-10)


def test_the_curve_is_made_once():
    h = above(dl.Laplace(scale=1.0))
    assert h.tradeoff() is h.tradeoff()
    assert h.tradeoff("add") is h.experiment().curve
    assert dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5) == h


def test_a_mirror_image_needs_no_hull():
    even, odd = above(dl.Laplace(scale=1.0)), above(dl.Laplace(scale=1.0), weights=[0.1, 0.2, 0.3, 0.4])
    assert even.tradeoff("remove") is even.tradeoff("add")
    assert odd.tradeoff("remove") is not odd.tradeoff("add")
    for fpr in (1e-6, 0.01, 0.3):  # the same curve as from the two directions
        backward = above(dl.Laplace(scale=1.0), values=[3 + 1e-13, 0, 1, 2]).tradeoff("remove")
        assert even.tradeoff().power(fpr) == pytest.approx(backward.power(fpr), rel=1e-6)


def brute(log_density, low, high, cells, width):
    """Total variation and delta(1) of two mixtures from their masses on many cells."""
    p, q = (np.mean([np.exp(log_density(cells - v)) for v in side], axis=0) * width for side in (low, high))
    assert p.sum() == pytest.approx(1, abs=1e-9)
    return np.maximum(q - p, 0).sum(), np.maximum(q - math.e * p, 0).sum()


def test_geometric_noise_against_its_masses():
    h, k = above(dl.Geometric(scale=1.5), values=[-2, 0, 3, 4], gamma=1), np.arange(-90, 95.0)
    tv, delta = brute(lambda x: -np.abs(x) / 1.5, [-2, 0], [3, 4], k, math.tanh(1 / 3))
    assert h.tradeoff("add").delta([0.0, 1.0]) == pytest.approx([tv, delta], rel=1e-12)
    attack = dl.Attack(h, fpr=0.1, prior=0.5)
    p, q = (np.exp(-np.abs(7 - np.array(side)) / 1.5).sum() for side in ([-2, 0], [3, 4]))
    assert attack.posterior(7) == pytest.approx(q / (p + q), rel=1e-13)
    assert attack.decide([-50, 50]).tolist() == [False, True]


@pytest.mark.parametrize(("values", "gamma"), [((0, 1, 2, 3), 1.5), ((0, 0.4, 1.25, 2), 1.0)])
def test_staircase_noise_against_its_masses(values, gamma):
    m = dl.Staircase(epsilon=1.0, gamma=0.35)
    h = above(m, values, gamma)
    cells = np.arange(-45 * 20, 48 * 20) / 20 + 1 / 40  # every step is a multiple of 1/20
    sides = [v for v in values if v <= gamma], [v for v in values if v > gamma]
    tv, delta = brute(m.log_likelihood, *sides, cells, 1 / 20)
    assert h.tradeoff("add").delta([0.0, 1.0]) == pytest.approx([tv, delta], rel=1e-9)
    assert dl.failure_mode(h) is dl.FailureMode.NONE


def test_noise_that_does_not_fit_is_refused_by_name():
    with pytest.raises(dl.DplensError, match="whole numbers"):
        above(dl.DiscreteGaussian(sigma=1.0), values=[0, 1.5], gamma=1)
    with pytest.raises(dl.DplensError, match="whole numbers"):
        above(dl.Geometric(scale=1.0), values=[0, 1.5], gamma=1)
    with pytest.raises(dl.DplensError, match="RandomizedResponse adds no noise"):
        above(dl.RandomizedResponse(epsilon=1.0))
    with pytest.raises(dl.DplensError, match="not a class"):
        above(dl.Laplace)


def test_two_plateaus_of_the_ratio():
    """Exponential noise on 0, 1, 2, 3: seen from above, the ratio is e⁻² + e⁻¹ between 2 and 3 and e⁻² beyond."""
    h = above(dl.AdditiveNoise(noise=st.expon()))
    first, second = math.exp(-2) + math.exp(-1), math.exp(-2)
    proof, reach = 1 - first / 2, (1 - math.exp(-1)) / 2  # outputs below 2; P(2 < output < 3) if the value is above
    f = h.tradeoff("remove")
    for count in (99, 30_001):  # a few alphas, and so many that a dense table serves them
        alpha = np.linspace(0, 1, count)
        power = proof + first * np.minimum(alpha, reach) + second * np.maximum(alpha - reach, 0)
        assert f.power(alpha) == pytest.approx(power, rel=1e-6)
    area = dl.AUC().of(f)
    assert area.low <= proof + first * (reach - reach**2 / 2) + second * (1 - reach) ** 2 / 2 <= area.high
