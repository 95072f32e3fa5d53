"""Whole-number noise beside Gaussian noise: hundreds of losses on a line that the Gaussian loss makes short."""

import mpmath as mp
import numpy as np
import pytest

import dplens as dl


def delta(epsilon, sigma, mu, steps):
    """That of the Gaussian release, averaged over the losses of ``steps`` discrete Gaussian ones, summed one by one."""
    with mp.workdps(30):
        reach = int(12 * sigma)
        mass = [mp.exp(-(mp.mpf(k) ** 2) / (2 * sigma**2)) for k in range(-reach, reach + 1)]
        total = mp.fsum(mass)
        one = np.array([m / total for m in mass], dtype=object)
        law = one
        for _ in range(steps - 1):
            law = np.convolve(law, one)
        out = mp.mpf(0)
        for i, p in enumerate(law):
            loss = (i - steps * reach - mp.mpf(steps) / 2) / mp.mpf(sigma) ** 2
            x = epsilon - loss
            call = mp.ncdf(mu / 2 - x / mu) - mp.exp(x) * mp.ncdf(-mu / 2 - x / mu)
            out += p * mp.exp(loss) * call
        return float(out)


@pytest.mark.parametrize(("sigma", "noise", "steps"), [(5, 20, 1), (5, 1, 1), (3, 8, 4)])
def test_the_sum_over_all_whole_numbers_is_enclosed(sigma, noise, steps):
    release = dl.compose(dl.DiscreteGaussian(sigma=float(sigma)).repeat(steps), dl.Gaussian(sigma=float(noise)))
    curve = release.tradeoff()
    epsilon = np.array([0.0, 0.2, 1.0])
    truth = np.array([delta(mp.mpf(e), sigma, mp.mpf(1) / noise, steps) for e in epsilon])
    low, high = curve.profile_bounds(epsilon)
    assert np.all(low <= truth)
    assert np.all(truth <= high)
    assert np.all(high - low < 1e-9 * high)


def test_many_steps_whose_characteristic_function_vanishes():
    found = dl.Epsilon(delta=1e-6).of(dl.compose(dl.DiscreteGaussian(sigma=5.0).repeat(50), dl.Gaussian(sigma=20.0)))
    assert found.high - found.low < 1e-8
    # nearly one Gaussian release of the variances together
    like = dl.Epsilon(delta=1e-6).of(dl.GaussianDP(mu=(50 / 25 + 1 / 400) ** 0.5))
    assert float(found) == pytest.approx(float(like), rel=1e-3)


@pytest.mark.parametrize("sigma", [2.0, 5.0])
def test_tails_too_rare_for_floats_prove_nothing(sigma):
    release = dl.compose(dl.DiscreteGaussian(sigma=sigma), dl.Gaussian(sigma=20.0))
    squares = 1 / sigma**2 + 1 / 400
    assert dl.failure_mode(release) is dl.FailureMode.GRACEFUL
    assert release.tradeoff().power(0.0) == 0
    assert release.tradeoff().epsilon(0.0) == np.inf
    # at whole orders the divergence is the Gaussian one (Canonne, Kamath & Steinke 2020), however far out
    for order in (2, 3, 400):
        assert float(dl.Renyi(order=order).of(release)) == pytest.approx(order / 2 * squares, rel=1e-8)
    assert float(dl.Mu().of(release)) == pytest.approx(squares**0.5, rel=0.02)
