"""Rényi divergences of one sampled step, in both directions, from the definition."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl

RATE = 0.05


def forward_divergence(mu, order):
    """log Σ_k C(n, k)·(1 − q)^(n − k)·q^k·e^{k(k − 1)mu²/2}/(n − 1), the binomial theorem under the expectation."""
    mp.dps = 30
    q = mpf(RATE)
    terms = [
        mp.binomial(order, k) * (1 - q) ** (order - k) * q**k * mp.exp(k * (k - 1) * mpf(mu) ** 2 / 2)
        for k in range(order + 1)
    ]
    return float(mp.log(mp.fsum(terms)) / (order - 1))


def backward_divergence(mu, order):
    """log E (1 − q + q·e^l)^(1 − order)/(order − 1) under N(0, 1), as a fine sum."""
    x = np.linspace(-15, 15, 60001)
    weight = np.exp(-x * x / 2) * (x[1] - x[0]) / math.sqrt(2 * math.pi)
    excess = np.expm1((1 - order) * np.log1p(RATE * np.expm1(mu * x - mu * mu / 2)))
    return math.log1p(math.fsum(weight * excess)) / (order - 1)


@pytest.mark.parametrize(("mu", "order"), [(1.0, 2), (0.3, 6), (1.0, 48), (3.0, 24)])
def test_sampled_gaussian_at_any_order(mu, order):
    forward, backward = dl.GaussianDP(mu=mu).subsample(RATE).tradeoff()._components()
    assert forward.renyi(order) == pytest.approx(forward_divergence(mu, order), rel=1e-12)
    assert backward.renyi(order) == pytest.approx(backward_divergence(mu, order), rel=1e-11)


def test_one_step_is_half_of_two():
    one, two = (dl.Renyi(order=64.0).of(dl.Gaussian(sigma=1.0).subsample(0.01).repeat(n)) for n in (1, 2))
    assert one.high < math.inf
    assert two.low <= 2 * one.high
    assert 2 * one.low <= two.high


def test_sampled_whole_noise():
    k = np.arange(-30, 31)
    p, q = (np.exp(-((k - at) ** 2) / 2.0) for at in (0, 1))
    p, q = p / p.sum(), q / q.sum()
    mixture = (1 - RATE) * p + RATE * q
    expected = [math.log(math.fsum(a * (a / b) ** 0.5)) / 0.5 for a, b in ((mixture, p), (p, mixture))]
    directions = dl.DiscreteGaussian(sigma=1.0).subsample(RATE).tradeoff()._components()
    assert [c.renyi(1.5) for c in directions] == pytest.approx(expected, rel=1e-11)


def test_sampled_failing_noise():
    """What proves the absence before sampling has a likelihood ratio of 1 − q after it."""
    kappa, order = 0.01, 2.5
    plain = math.exp((order - 1) * backward_divergence(1.0, order))
    expected = math.log((1 - kappa) * plain + kappa * (1 - RATE) ** (1 - order)) / (order - 1)
    backward = dl.Gaussian(sigma=1.0).fails_with(kappa).subsample(RATE).tradeoff()._components()[1]
    assert backward.renyi_bounds(order).mid == pytest.approx(expected, rel=1e-11)


def test_a_divergence_beyond_computing_has_a_finite_lower_end():
    """Sampled discrete Gaussian noise: finite at every order, but its tails outgrow the floats."""
    answer = dl.Renyi(order=64.0).of(dl.DiscreteGaussian(sigma=1.0).subsample(RATE))
    assert 5 < answer.low < 32
    assert math.isinf(dl.Renyi(order=2.0).of(dl.Gaussian(sigma=1.0).fails_with(0.01)).low)


@pytest.mark.parametrize(("sigma", "sensitivity", "rate"), [(0.5, 1, 0.1), (0.86, 1, 0.3), (2.46, 3, 1e-5)])
@pytest.mark.parametrize("times", [1, 100])
def test_sampled_whole_number_noise_is_never_understated(sigma, sensitivity, rate, times):
    """E_P(1 − q + q·r)² = 1 + q²·(E_P r² − 1), and E_P r² = e^{shift²/sigma²} for whole shifts."""
    release = dl.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity).subsample(rate).repeat(times)
    truth = times * math.log1p(rate**2 * math.expm1((sensitivity / sigma) ** 2))
    found = dl.Renyi(order=2.0).of(release)
    assert found.low <= truth <= found.high * (1 + 1e-15)
    assert found.high <= found.low * 1.002


@pytest.mark.parametrize("order", [25.0, 1e3])
def test_divergences_of_groups_without_an_end_of_the_losses_are_never_understated(order):
    """The Gaussian release alone has order·k²/2 for k records."""
    found = dl.Renyi(order=order).of(dl.compose(dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0)).group(2))
    assert found.high >= 2 * order
