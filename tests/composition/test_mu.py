"""The tightest mu of compositions, against the optimal test of the pair itself."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri

import dplens as dl


def beside_laplace(mu: float, eps: float) -> float:
    """max of Φ⁻¹(power) − Φ⁻¹(alpha) over the tests "loss above t" of N(·, 1) beside Laplace noise, by quadrature."""

    def rate(t: float, present: bool) -> float:
        sign = 1 if present else -1
        ends = (0.5, 0.5 * math.exp(-eps)) if present else (0.5 * math.exp(-eps), 0.5)  # at losses eps and −eps

        def above(loss: float) -> float:
            return float(ndtr((loss - t) / mu + sign * mu / 2))

        # between, the loss has density e^{(±loss − eps)/2}/4
        middle = quad(lambda x: above(x) * math.exp((sign * x - eps) / 2) / 4, -eps, eps, epsabs=1e-14, epsrel=1e-13)[0]
        return ends[0] * above(eps) + ends[1] * above(-eps) + middle

    def gap(t: float) -> float:
        return float(ndtri(rate(t, True)) - ndtri(rate(t, False)))

    start = max(np.linspace(-1.0, 6.0, 29), key=gap)
    return -minimize_scalar(lambda t: -gap(t), bounds=(start - 0.3, start + 0.3), options={"xatol": 1e-9}).fun


@pytest.mark.parametrize(("sigma", "scale"), [(1.0, 1.0), (2.0, 0.5), (1.0, 3.0)])
def test_a_gaussian_beside_laplace_noise(sigma, scale):
    found = dl.Mu().of(dl.compose(dl.Gaussian(sigma=sigma), dl.Laplace(scale=scale)))
    truth = beside_laplace(1 / sigma, 1 / scale)
    assert found.low <= truth * (1 + 1e-11)
    assert truth * (1 - 1e-11) <= found.high <= truth * (1 + 1e-9)


@pytest.mark.parametrize(
    "release",
    [
        dl.Laplace(scale=10.0).repeat(1000),
        dl.compose(dl.Gaussian(sigma=1.0), dl.RandomizedResponse(epsilon=1.0)),
        dl.compose(dl.Gaussian(sigma=1.0), dl.Geometric(scale=2.0)),
        dl.compose(dl.Gaussian(sigma=10.0), dl.Exponential(epsilon=0.5).repeat(20)),
    ],
)
def test_no_power_exceeds_that_of_the_tightest_mu(release):
    found, z = dl.Mu().of(release), np.linspace(-30.0, 5.0, 71)
    assert found.high <= found.low * (1 + 2e-9)
    bound = ndtr(z + found.high)
    assert np.all(release.tradeoff().power(ndtr(z)) <= bound * (1 + 1e-9) + 1e-290)


def test_mu_of_two_kinds_is_calibrated_to_its_border():
    fit = dl.calibrate(lambda s: dl.compose(dl.Gaussian(sigma=s), dl.Laplace(scale=s)), meet=dl.Mu().at_most(1.0))
    assert beside_laplace(1 / fit.value, 1 / fit.value) <= 1 + 1e-11
    assert beside_laplace(1 / fit.neighbour, 1 / fit.neighbour) > 1
