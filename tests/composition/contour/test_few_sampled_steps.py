"""Few steps of sampled Gaussian noise, whose losses crowd next to the least one: long lines, worked out at once."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr

import dplens as dl
from dplens.losses.sampled import SampledGaussianLoss

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(400)


def iterated(epsilon, mu, rate, steps):
    """delta of so many steps: that of one less, averaged over what the first step shows.

    As a function of what the first step shows, it has a kink where nothing is left to learn from the others.
    """
    if steps == 1:
        least = np.expm1(epsilon) / rate + 1  # of the likelihood ratio of the noise alone
        seen = np.where(least > 0, least, 1.0)
        start = np.log(seen) / mu + mu / 2
        return np.where(least > 0, rate * (ndtr(mu - start) - seen * ndtr(-start)), -np.expm1(epsilon))
    out = []
    for e in np.atleast_1d(epsilon):
        least = np.expm1(e - (steps - 1) * np.log1p(-rate)) / rate + 1
        kink = float(np.clip(np.log(least) / mu + mu / 2, -13.0, 14.0 + mu)) if least > 0 else -13.0
        edges = np.union1d(np.linspace(-13.0, kink, 4), np.linspace(kink, 14.0 + mu, 6))
        half = np.diff(edges) / 2
        x = ((edges[1:] - half)[:, None] + np.multiply.outer(half, POINTS)).ravel()
        loss = np.log1p(rate * np.expm1(mu * x - mu * mu / 2))
        weight = np.exp(loss - x * x / 2) * np.multiply.outer(half, WEIGHTS).ravel() / math.sqrt(2 * math.pi)
        out.append(math.fsum(weight * iterated(e - loss, mu, rate, steps - 1)))
    return np.array(out)


@pytest.mark.parametrize(
    ("sigma", "rate", "steps"),
    [(1.0, 0.01, 2), (0.6, 0.03, 2), (0.5, 1e-4, 2), (3.0, 1e-3, 2), (1.44, 0.1, 3)],
)
def test_few_steps_against_iterated_integrals(sigma, rate, steps):
    curve = dl.Gaussian(sigma=sigma).subsample(rate).repeat(steps).tradeoff().parts[0]
    epsilon = np.array([0.0, 0.02, 0.3, 1.5][: 4 if steps == 2 else 2])
    low, high = curve.profile_bounds(epsilon)
    truth = iterated(epsilon, 1 / sigma, rate, steps)
    assert np.all(low <= truth * (1 + 1e-12) + 1e-17)
    assert np.all(truth <= high * (1 + 1e-12) + 1e-17)
    assert (high - low)[0] < 1e-6 * high[0]
    assert np.all(high - low < 5e-11)


def test_steps_of_different_noise_need_no_grid():
    release = dl.compose(*(dl.Gaussian(sigma=0.7 + 0.02 * i).subsample(0.01) for i in range(10)))
    found = dl.Epsilon(delta=1e-5).of(release)
    assert found.high - found.low < 1e-8
    assert release.tradeoff().certificate.route == "contour"


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("rate", [1e-3, 0.1, 0.7])
def test_no_characteristic_function_exceeds_its_envelope(mu, rate):
    law = SampledGaussianLoss(mu, rate)
    x = np.arange(-14.0, 14.0 + 6 * mu, 0.002)
    loss = np.log1p(rate * np.expm1(mu * x - mu * mu / 2))
    for c in (-2.5, 0.5, 4.0):
        weight = np.exp(c * loss - x * x / 2)
        t = np.geomspace(0.5, 200.0, 12) / min(1.0, mu * rate * 4)
        phi = np.abs(np.exp(1j * np.multiply.outer(t, loss)) @ weight) / weight.sum()
        later = np.maximum.accumulate(phi[::-1])[::-1]
        bound = law.envelope(c, t)
        assert np.all(later <= bound * (1 + 1e-9) + 1e-13)
        assert bound[-1] < 0.75


def test_noise_for_few_steps_is_the_least():
    asked = dl.Advantage().at_most(0.05)
    fit = dl.calibrate(lambda sigma: dl.Gaussian(sigma=sigma).subsample(0.1).repeat(3), [asked])
    assert fit.achieved[0].high <= 0.05
    assert dl.Advantage().of(dl.Gaussian(sigma=fit.value * (1 - 1e-9)).subsample(0.1).repeat(3)).low > 0.05


def test_areas_of_long_trainings_are_known_closely():
    def training(sigma):
        return dl.DPSGD(noise_multiplier=sigma, sample_rate=0.01, steps=1000)

    fit = dl.calibrate(training, [dl.AUC().at_most(0.55)])
    assert dl.AUC().of(training(fit.value * (1 - 5e-6))).low > 0.55


@pytest.mark.filterwarnings("error")
def test_lines_far_out_and_rates_next_to_one():
    training = dl.DPSGD(noise_multiplier=1.2, sample_rate=0.002, steps=20)
    assert float(dl.AttackPower(fpr=1e-3).of(training)) == pytest.approx(0.00105030210088, rel=1e-9)
    nearly_all = dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=100.0).subsample(0.99).repeat(2))
    assert 0.0395491 < nearly_all.low <= nearly_all.high < 0.0395526
    assert nearly_all.high - nearly_all.low < 1e-9


@pytest.mark.parametrize(
    ("sigma", "rate", "delta"), [(8.8, 0.00067, 2.85e-16), (3.47225095, 0.00170510793, 1.4457e-15)]
)
def test_what_a_line_leaves_open_far_out_the_grid_knows(sigma, rate, delta):
    """Where rounding takes over, a reported epsilon was ten times too high, and fell with more steps."""
    found = [dl.Epsilon(delta=delta).of(dl.Gaussian(sigma=sigma).subsample(rate).repeat(n)) for n in (6, 7)]
    assert all(x.high - x.low < 0.2 * x.high for x in found)
    assert found[0].high < found[1].high


@pytest.mark.parametrize("sigma", [1.19, 1.2, 1.21])
def test_lines_nearer_to_one_where_the_first_is_dim(sigma):
    found = dl.Advantage().of(dl.Gaussian(sigma=sigma).subsample(0.02).repeat(3))
    assert found.high - found.low < 2e-9 * found.high


def test_less_noise_beside_a_coin_never_lowers_what_is_told():
    found = [
        dl.Advantage().of(dl.compose(dl.RandomizedResponse(epsilon=1.0), dl.Gaussian(sigma=s)))
        for s in (1000, 40, 30, 20)
    ]
    assert all(x.high - x.low < 1e-9 for x in found)
    assert all(after.high >= before.high - 1e-9 for before, after in itertools.pairwise(found))
