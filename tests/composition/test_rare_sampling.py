"""Rarely sampled steps far out in the tail, where one large loss among many small ones is all that counts."""

import mpmath as mp
import numpy as np
import pytest

import dplens as dl
from dplens.curves.gaussian import GaussianCurve
from dplens.curves.sampled import SampledCurve
from dplens.engine.one_large import OneLarge


def sampled(sigma, rate):
    return SampledCurve(GaussianCurve(1 / sigma), rate)


def one_step(mu, q, y):
    """E(e^L − e^y)₊ of one step."""
    if y <= mp.log(1 - q):
        return 1 - mp.exp(y)
    x = (mp.log((mp.exp(y) - 1 + q) / q) + mu**2 / 2) / mu
    above = mp.ncdf(-x)
    return (1 - q) * above + q * mp.ncdf(mu - x) - mp.exp(y) * above


def two_steps(sigma, rate, e):
    """The same of two: the mean over the first of what the second then adds."""
    mu, q, e = 1 / mp.mpf(sigma), mp.mpf(rate), mp.mpf(e)

    def weighted(x):
        ratio = 1 - q + q * mp.exp(mu * x - mu**2 / 2)
        return mp.npdf(x) * ratio * one_step(mu, q, e - mp.log(ratio))

    at = (mp.log((mp.exp(e) - 1 + q) / q) + mu**2 / 2) / mu
    return mp.quad(weighted, [-12, -4, 0, 2, 4, *(at + d for d in (-2, -1, 0, 1, 2, 4, 10))])


@pytest.mark.parametrize(
    ("sigma", "rate", "e"),
    [(0.9, 1e-6, 0.1), (0.9, 1e-6, 0.001), (0.6, 1e-5, 1.0), (0.9, 1e-4, 0.01), (2.0, 1e-4, 0.05), (0.5, 1e-3, 3.0)],
)
def test_two_steps_by_quadrature(sigma, rate, e):
    with mp.workdps(25):
        truth = two_steps(sigma, rate, e)
    for steps in ([(sampled(sigma, rate), 2)], [(sampled(sigma, rate), 1), (sampled(sigma, rate), 1)]):
        low, high = OneLarge(steps).calls(e)
        assert low <= truth <= high
        assert high - low < 0.06 * high


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "losses"),
    [
        (0.9, 1e-4, 300, [0.02, 0.05, 0.1]),
        (0.9, 1e-3, 300, [0.3, 1.0, 2.0]),
        (0.6, 1e-4, 1000, [0.1, 0.3, 1.0, 2.0]),
        (0.5, 1e-4, 1000, [0.1, 0.3, 1.0, 2.0]),
        (0.9, 1e-4, 10_000, [0.1, 0.3]),
    ],
)
def test_many_steps_where_lines_reach_too(sigma, rate, steps, losses):
    """Contour integrals, whose brackets are narrower there, lie inside."""
    curve = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps).tradeoff("add")
    large = OneLarge([(sampled(sigma, rate), steps)])
    for e in losses:
        line = curve._readings._halves[0].line_at(e)
        assert line is not None
        low, high = (float(x[0]) for x in line.bracket(np.array([e])))
        assert large.calls(e)[0] <= high
        assert large.calls(e)[1] >= low


@pytest.mark.parametrize(("sigma", "rate", "steps"), [(0.9, 1e-6, 300), (0.9, 1e-6, 10**6), (0.6, 1e-6, 10**5)])
def test_tails_are_known_closely(sigma, rate, steps):
    """One step more than each alone, about: n times the delta of a single step, and a little more."""
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    for epsilon in (0.1, 1.0):
        found = dl.Delta(epsilon=epsilon).of(release)
        alone = steps * float(dl.Delta(epsilon=epsilon).of(dl.Gaussian(sigma=sigma).subsample(rate)))
        assert found.high - found.low < 0.01 * found.high
        assert alone * 0.999 < found.high
        assert found.low < alone * 3
    found = dl.Epsilon(delta=1e-30).of(release)
    assert found.high - found.low < 1e-3 * found.high


def test_delta_falls_with_epsilon_and_grows_with_steps():
    releases = [dl.DPSGD(noise_multiplier=0.9, sample_rate=1e-6, steps=n) for n in (300, 450)]
    table = [[float(dl.Delta(epsilon=e).of(m)) for e in (0.0, 3e-4, 0.1, 1.0)] for m in releases]
    assert np.all(np.diff(table, axis=0) > 0)
    assert np.all(np.diff(table, axis=1) < 0)


def test_power_at_rare_alphas():
    release = dl.DPSGD(noise_multiplier=0.9, sample_rate=1e-5, steps=300)
    for fpr in (1e-3, 1e-9, 1e-15):
        found = dl.AttackPower(fpr=fpr).of(release)
        assert fpr < found.low <= found.high < 1.02 * found.low


def test_the_direction_whose_losses_are_bounded():
    """Removing a record: losses end at −n·log(1 − q), and lines reach nearly as far."""
    curve = dl.DPSGD(noise_multiplier=0.9, sample_rate=1e-5, steps=300).tradeoff("remove")
    for e in (9e-5, 9e-4, 2.7e-3):
        found = dl.Delta(epsilon=e).of(curve)
        assert 0 < found.high - found.low < 1e-9 * found.high
