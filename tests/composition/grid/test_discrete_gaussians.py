"""Many equal discrete Gaussian releases are one, of their sum."""

import time

import numpy as np
import pytest
from mpmath import exp, mp, mpf

import dplens as dl
from dplens.composition import steps


def convolved(sigma: float, count: int, reach: int) -> list[mpf]:
    """P(sum = −count·reach … count·reach), added up release by release."""
    one = np.array([exp(-(mpf(k) ** 2) / (2 * mpf(sigma) ** 2)) for k in range(-reach, reach + 1)])
    law = one
    for _ in range(count - 1):
        law = np.convolve(law, one)
    return list(law / sum(law))


@pytest.mark.parametrize(("sigma", "count", "sensitivity"), [(3.0, 4, 1), (3.7, 3, 5)])
def test_against_the_sum_of_outputs(monkeypatch, sigma, count, sensitivity):
    monkeypatch.setattr(steps, "_WIDEST_LISTED", 0.0)
    release = dl.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity).repeat(count)
    with mp.workdps(50):
        law, shift = convolved(sigma, count, 60), sensitivity * count
        moved = [mpf(0)] * shift + law
        still = law + [mpf(0)] * shift
        for epsilon in (0.0, 0.3, 2.0, 9.0):
            truth = sum(max(q - exp(mpf(epsilon)) * p, mpf(0)) for p, q in zip(still, moved))
            found = dl.Delta(epsilon=epsilon).of(release)
            assert found.certificate.route == "exact"
            assert found.low <= truth <= found.high <= found.low * (1 + 1e-9)


@pytest.mark.parametrize("sigma", [1e3, 1e5, 1e7, 1e9])
def test_many_are_as_close_as_one(sigma):
    count = min(round(0.1 * sigma**2), 10**15)
    start = time.process_time()
    found = dl.AUC().of(dl.DiscreteGaussian(sigma=sigma).repeat(count))
    assert time.process_time() - start < 5
    assert found.high - found.low < 1e-6
    assert float(dl.AUC().of(dl.Gaussian(sigma=sigma / count**0.5))) == pytest.approx(float(found), abs=1e-6)


def test_how_many_may_be_made():
    for sigma, least in ((1e5, 1.283e9), (1e7, 1.283e13)):
        noise = dl.DiscreteGaussian(sigma=sigma)
        found = dl.calibrate(noise.repeat, meet=dl.AUC().at_most(0.6), integer=True)
        assert least < found.value < 1.001 * least
