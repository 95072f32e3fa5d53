"""Few steps of sampled Gaussian noise, whose losses crowd next to the least one: long lines, worked out at once."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtr

import dplens as dl
from dplens.engine.fourier import fourier_sums
from dplens.engine.sampled import SampledGaussianLoss


def iterated(epsilon, mu, rate, steps, width):
    """delta of so many steps: that of one less, averaged over what the first step shows."""
    if steps == 1:
        least = np.expm1(epsilon) / rate + 1  # of the likelihood ratio of the noise alone
        seen = np.where(least > 0, least, 1.0)
        start = np.log(seen) / mu + mu / 2
        return np.where(least > 0, rate * (ndtr(mu - start) - seen * ndtr(-start)), -np.expm1(epsilon))
    x = np.arange(-12.0, 12.0 + mu, width)
    loss = np.log1p(rate * np.expm1(mu * x - mu * mu / 2))
    weight = np.exp(loss - x * x / 2) * (width / math.sqrt(2 * math.pi))
    if steps == 2:
        return float(weight @ iterated(epsilon - loss, mu, rate, 1, width))
    return float(sum(w * iterated(epsilon - e, mu, rate, steps - 1, width) for w, e in zip(weight, loss)))


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "width"), [(1.0, 0.01, 2, 0.002), (0.6, 0.03, 2, 0.0005), (1.44, 0.1, 3, 0.02)]
)
def test_few_steps_against_iterated_integrals(sigma, rate, steps, width):
    curve = dl.Gaussian(sigma=sigma).subsample(rate).repeat(steps).tradeoff().parts[0]
    epsilon = np.array([0.0, 0.02, 0.3, 1.5])
    low, high = curve.profile_bounds(epsilon)
    truth = np.array([iterated(e, 1 / sigma, rate, steps, width) for e in epsilon])
    assert np.all(low <= truth * (1 + 1e-13))
    assert np.all(truth <= high * (1 + 1e-13))
    assert (high - low)[0] < 1e-9 * high[0]
    assert np.all(high - low < 5e-11)


def test_steps_of_different_noise_need_no_grid():
    release = dl.compose(*(dl.Gaussian(sigma=0.7 + 0.02 * i).subsample(0.01) for i in range(10)))
    found = dl.Epsilon(delta=1e-5).of(release)
    assert found.high - found.low < 1e-8
    assert release.tradeoff().certificate.route == "contour"


def test_fourier_sums_against_sums_as_they_stand():
    rng = np.random.default_rng(3)
    loss = rng.normal(size=40) * 10.0 ** rng.uniform(-4, 1, 40)  # in no order
    weight, step, count = rng.random(40), 0.37, 3000
    found, error = fourier_sums(loss, weight, step, count)
    with mp.workdps(30):
        for k in (0, 1, 2, 77, 1024, 2999):
            angles = [k * mp.mpf(step) * mp.mpf(x) for x in loss]
            truth = mp.fsum(mp.mpf(w) * mp.expj(a) for w, a in zip(weight, angles))
            turned = 4 * 1.2e-16 * float(mp.fsum(w * abs(a) for w, a in zip(weight, angles)))
            assert abs(mp.mpc(found[k]) - truth) <= error[k] * weight.sum() + turned
    assert error[0] < 1e-13


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("rate", [1e-3, 0.1, 0.7])
def test_no_characteristic_function_exceeds_its_closer_envelope(mu, rate):
    law = SampledGaussianLoss(mu, rate)
    x = np.arange(-14.0, 14.0 + 6 * mu, 0.002)
    loss = np.log1p(rate * np.expm1(mu * x - mu * mu / 2))
    sharp = False
    for c in (-2.5, 0.5, 4.0):
        weight = np.exp(c * loss - x * x / 2)
        t = np.geomspace(0.5, 200.0, 12) / min(1.0, mu * rate * 4)
        phi = np.abs(np.exp(1j * np.multiply.outer(t, loss)) @ weight) / weight.sum()
        later = np.maximum.accumulate(phi[::-1])[::-1]
        bound = law.closer_envelope(c, t)
        assert np.all(later <= bound * (1 + 1e-9) + 1e-13)
        sharp |= bool(np.any(bound < 0.2 * law.envelope(c, t)))
    assert sharp


def test_noise_for_few_steps_is_the_least():
    asked = dl.Advantage().at_most(0.05)
    fit = dl.calibrate(lambda sigma: dl.Gaussian(sigma=sigma).subsample(0.1).repeat(3), [asked])
    assert fit.achieved[0].high <= 0.05
    assert dl.Advantage().of(dl.Gaussian(sigma=fit.value * (1 - 1e-9)).subsample(0.1).repeat(3)).low > 0.05


def test_areas_of_long_trainings_are_known_as_closely_as_powers():
    def training(sigma):
        return dl.DPSGD(noise_multiplier=sigma, sample_rate=0.01, steps=1000)

    fit = dl.calibrate(training, [dl.AUC().at_most(0.55)])
    assert dl.AUC().of(training(fit.value * (1 - 2e-9))).low > 0.55


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
    assert found.high - found.low < 1e-9 * found.high


def test_less_noise_beside_a_coin_never_lowers_what_is_told():
    found = [
        dl.Advantage().of(dl.compose(dl.RandomizedResponse(epsilon=1.0), dl.Gaussian(sigma=s)))
        for s in (1000, 40, 30, 20)
    ]
    assert all(x.high - x.low < 1e-9 for x in found)
    assert all(after.high >= before.high - 1e-9 for before, after in itertools.pairwise(found))
