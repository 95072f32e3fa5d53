"""What one record can change over the noise is seldom a float: brackets still hold the quotient's exact value."""

from __future__ import annotations

import math

import pytest
from mpmath import mp, mpf
from scipy import stats

import dplens as dl

UNITS = [(3.0, 1.0), (0.7, 0.1), (1.1, 37.4), (0.008243826849396702, 0.00010639506753164172), (49.0, 9.0)]


def holds(answer, truth):
    return mpf(answer.low) <= truth <= mpf(answer.high)


def noise(law, scale, shift):
    return dl.AdditiveNoise(noise=getattr(stats, law)(scale=scale), sensitivity=shift)


@pytest.mark.parametrize(("scale", "shift"), UNITS)
@mp.workdps(50)
def test_the_parameter_itself(scale, shift):
    truth = mpf(shift) / mpf(scale)
    for m in (
        dl.Laplace(scale=scale, sensitivity=shift),
        noise("laplace", scale, shift),
        noise("logistic", scale, shift),
    ):
        for size in (1, 7):
            assert holds(dl.Epsilon(delta=0.0).of(m.group(size)), size * truth)
        assert holds(dl.Epsilon(delta=0.0).of(m.group(7).group(13)), 91 * truth)
    for m in (dl.Gaussian(sigma=scale, sensitivity=shift), noise("norm", scale, shift)):
        assert holds(dl.Mu().of(m.group(7)), 7 * truth)


@pytest.mark.parametrize("mu", [18.022446119782604, 23.1, 25.3, 29.7])
@pytest.mark.parametrize("size", [1, 7])
@mp.workdps(50)
def test_both_ends_of_gaussian_readings_far_out(mu, size):
    sigma, fnr = size / mu, 0.24452539458848588
    m, shift = dl.Gaussian(sigma=sigma).group(size), size / mpf(sigma)
    beta = mp.ncdf(mp.sqrt(2) * mp.erfinv(1 - 2 * mpf(fnr)) - shift)
    assert holds(dl.MinFPR(fnr=fnr).of(m), beta)
    assert holds(
        dl.PosteriorAfterNegative(prior=0.3, fpr=fnr).of(m),
        mpf(0.3) * beta / (mpf(0.3) * beta + (1 - mpf(0.3)) * (1 - mpf(fnr))),
    )
    for beyond in (1, 3, 11):
        epsilon = mu * (mu / 2 + beyond)
        a = shift / 2 - epsilon / shift
        assert holds(dl.Delta(epsilon=epsilon).of(m), mp.ncdf(a) - mp.exp(epsilon) * mp.ncdf(a - shift))


@pytest.mark.parametrize("start", [0.0, 0.1, 1e6 / 3])
@mp.workdps(50)
def test_two_normals_apart_by_a_difference(start):
    end = start + 0.7
    m = dl.ContinuousPair(p=stats.norm(start, 0.3), q=stats.norm(end, 0.3))
    assert holds(dl.Mu().of(m), (mpf(end) - mpf(start)) / mpf(0.3))


@pytest.mark.parametrize(("scale", "shift"), UNITS)
@pytest.mark.parametrize("below", [1e-15, 1e-12, 1e-8, 0.1])
@mp.workdps(50)
def test_delta_next_to_the_largest_loss(scale, shift, below):
    largest = mpf(shift) / mpf(scale)
    epsilon = float(largest) * (1 - below)
    gap = -mp.expm1((mpf(epsilon) - largest) / 2)
    for m in (dl.Laplace(scale=scale, sensitivity=shift), noise("laplace", scale, shift)):
        assert holds(dl.Delta(epsilon=epsilon).of(m), gap)
    truth = gap**2 / -mp.expm1(-largest)
    assert holds(dl.Delta(epsilon=epsilon).of(noise("logistic", scale, shift)), truth)


@pytest.mark.parametrize(("scale", "shift"), [(3.0, 1.0), (0.7, 0.1), (1.1, 0.9), (7.0, 6.999999999999)])
@mp.workdps(50)
def test_uniform_noise(scale, shift):
    alone = mpf(shift) / mpf(scale)
    m = noise("uniform", scale, shift)
    for fpr in (0.0, 1e-17, 0.05):
        assert holds(dl.AttackPower(fpr=fpr).of(m), min(alone + mpf(fpr), 1))
    assert holds(dl.Advantage().of(m), alone)
    for steps in range(4):  # the last floats before the curve ends
        alpha = float(1 - alone)
        for _ in range(steps):
            alpha = math.nextafter(alpha, 0.0)
        left = max(1 - alone - mpf(alpha), mpf(0))
        assert holds(dl.MinFPR(fnr=alpha).of(m), left)
        assert m.tradeoff()(alpha) <= left
