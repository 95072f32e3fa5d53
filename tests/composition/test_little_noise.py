"""Sampled Gaussian steps that all but reveal who takes part, against closed forms and mpmath."""

import math
import pickle

import mpmath as mp
import pytest

import dplens as dl
from dplens._numerics.little_noise import LittleNoise

RATE = 0.01


@pytest.mark.parametrize("sigma", [0.045, 0.03, 1e-3, 1e-8, 1e-20])
@pytest.mark.parametrize("steps", [2, 1000])
def test_taking_part_is_all_there_is_to_see(sigma, steps):
    m = dl.DPSGD(noise_multiplier=sigma, sample_rate=RATE, steps=steps)
    taking_part = -math.expm1(steps * math.log1p(-RATE))
    delta, advantage, power = dl.Delta(epsilon=1.0).of(m), dl.Advantage().of(m), dl.AttackPower(fpr=0.001).of(m)
    for found, truth in ((delta, taking_part), (advantage, taking_part), (power, min(taking_part + 0.001, 1.0))):
        assert found.low <= truth * (1 + 1e-12)
        assert found.high >= truth * (1 - 1e-12)
        assert found.high - found.low < 1e-6 * truth
    assert dl.failure_mode(m) is dl.FailureMode.GRACEFUL


@pytest.mark.parametrize("sigma", [0.03, 1e-3, 1e-8])
def test_epsilon_lies_between_one_gaussian_release_and_all_of_them(sigma):
    m = dl.DPSGD(noise_multiplier=sigma, sample_rate=RATE, steps=10)
    found = dl.Epsilon(delta=1e-5).of(m)
    assert found.high <= dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=sigma).repeat(10)).high * (1 + 1e-6)
    assert found.high >= dl.Epsilon(delta=1e-5).of(dl.DPSGD(noise_multiplier=sigma, sample_rate=RATE, steps=1)).low
    assert 0 < found.low < found.high


def test_little_noise_without_replacement_and_among_other_releases():
    step = dl.Gaussian(sigma=1e-3, neighbours="replace").subsample(0.1, "without_replacement")
    found = dl.Delta(epsilon=1.0).of(step.repeat(5))
    assert found.low <= 1 - 0.9**5 <= found.high < (1 - 0.9**5) * (1 + 1e-9)
    little = dl.DPSGD(noise_multiplier=1e-3, sample_rate=1e-4, steps=10)
    both = dl.Delta(epsilon=1.0).of(dl.compose(little, dl.Gaussian(sigma=2.0)))
    seen = -math.expm1(10 * math.log1p(-1e-4))
    # whoever is not seen has moved the odds a little towards absence
    other = dl.Delta(epsilon=1.0 - math.log1p(-seen)).of(dl.Gaussian(sigma=2.0))
    assert both.low <= seen + (1 - seen) * other.high
    assert seen + (1 - seen) * other.low * (1 - 1e-9) <= both.high < (seen + (1 - seen) * other.high) * 1.001


@pytest.mark.parametrize("mu", [26.0, 100.0, 1e8])
@pytest.mark.parametrize("rate", [0.5, 1e-6, 1e-30])
def test_divergences_of_one_step(mu, rate):
    with mp.workdps(60):
        m, q = mp.mpf(mu), mp.mpf(rate)
        second = mp.log(1 + q**2 * mp.expm1(m**2))
        third = mp.log(1 + 3 * q**2 * (1 - q) * mp.expm1(m**2) + q**3 * mp.expm1(3 * m**2)) / 2
        law = LittleNoise(mu, rate)
        for order, truth in ((2.0, second), (3.0, third)):
            assert abs(law.divergence(order) / truth - 1) < 1e-13


@pytest.mark.parametrize("rate", [0.3, 1e-4])
def test_mean_loss_of_one_step(rate):
    mu = 30.0

    def loss(x):
        return mp.log(1 - rate + rate * mp.exp(mu * x - mu**2 / 2))

    with mp.workdps(30):
        turn = mu / 2 + mp.log((1 - rate) / rate) / mu
        cuts = [turn + d for d in (-1, -0.1, 0, 0.1, 1)]
        near = mp.quad(lambda x: mp.npdf(x) * loss(x), [-12, 0, 8, *cuts, 25])
        far = mp.quad(lambda x: mp.npdf(x - mu) * loss(x), [5, *cuts, 22, 30, 42])
        truth = (1 - rate) * near + rate * far
    step = dl.Gaussian(sigma=1 / mu).subsample(rate)
    assert step.tradeoff("add").renyi(1.0) == pytest.approx(float(truth), rel=1e-11)
    assert dl.PrivacyLoss.of(step.tradeoff("add")).h1.mean == pytest.approx(float(truth), rel=1e-11)


def test_curves_of_little_noise_can_be_sent_elsewhere():
    f = dl.DPSGD(noise_multiplier=1e-3, sample_rate=RATE, steps=10).tradeoff()
    assert pickle.loads(pickle.dumps(f)).epsilon(1e-5) == f.epsilon(1e-5)
