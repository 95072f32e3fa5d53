"""Rarely sampled steps: close at ordinary deltas, wide but safe far out, where one large loss decides."""

import mpmath as mp
import pytest

import dplens as dl


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
    found = dl.Delta(epsilon=e).of(dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=2).tradeoff("add"))
    assert found.low <= truth <= found.high


@pytest.mark.parametrize(("sigma", "rate", "steps"), [(0.9, 1e-6, 10**6), (0.6, 1e-6, 10**5), (1.0, 1e-4, 1000)])
def test_ordinary_deltas_are_known_closely(sigma, rate, steps):
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    for question in (dl.Epsilon(delta=1e-6), dl.AttackPower(fpr=1e-3)):
        found = question.of(release)
        assert found.high - found.low < 1e-3 * found.high


@pytest.mark.parametrize(("sigma", "rate", "steps"), [(0.9, 1e-6, 300), (0.6, 1e-6, 10**5)])
def test_tails_stay_safe(sigma, rate, steps):
    """n times the delta of a single step is about what n steps have there."""
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    for epsilon in (0.1, 1.0):
        found = dl.Delta(epsilon=epsilon).of(release)
        alone = steps * float(dl.Delta(epsilon=epsilon).of(dl.Gaussian(sigma=sigma).subsample(rate)))
        assert alone * 0.999 < found.high
        assert found.low < alone * 3


def test_the_direction_whose_losses_are_bounded():
    """Removing a record: losses end at −n·log(1 − q), and lines reach nearly as far."""
    curve = dl.DPSGD(noise_multiplier=0.9, sample_rate=1e-5, steps=300).tradeoff("remove")
    for e in (9e-5, 9e-4, 2.7e-3):
        found = dl.Delta(epsilon=e).of(curve)
        assert 0 < found.high - found.low < 1e-6 * found.high


def test_the_certificate_claims_no_deep_tail_of_rare_sampling():
    rare = dl.DPSGD(noise_multiplier=1.5, sample_rate=1e-4, steps=1000).tradeoff()
    power = dl.AttackPower(fpr=1e-12).of(rare)
    assert (power.high - power.low) / power.high > rare.certificate.tolerance
    assert "width at epsilon 0" in rare.certificate.note
    assert (
        "width at epsilon 0"
        not in dl.DPSGD(noise_multiplier=1, sample_rate=0.01, steps=1000).tradeoff().certificate.note
    )
