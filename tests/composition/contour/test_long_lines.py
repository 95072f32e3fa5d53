"""Rare sampling: many tiny losses and a few large ones, by paths above the real axis and integrals panel by panel."""

import math

import mpmath as mp
import numpy as np
import pytest

import dplens as dl
from dplens.composition.contour.panels import Panels
from dplens.losses.sampled import SampledGaussianLoss
from dplens.losses.without_replacement import SymmetricSampleLoss

RARE = [(0.5, 1e-5, 2000), (1.0, 1e-4, 20_000), (0.6, 1e-7, 100_000), (0.3, 1e-4, 100)]


def moment(mu, rate, s):
    """E (1 − q + q·e^{mu·x − mu²/2})^s for a standard normal x, along a path on which nothing oscillates."""
    height = mp.mpf(1) / (2 * mu)

    def integrand(x):
        z = x + 1j * height
        return (1 - rate + rate * mp.e ** (mu * z - mu * mu / 2)) ** s * mp.e ** (-z * z / 2)

    return mp.quad(integrand, [-13, -8, -4, -2, 0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 20]) / mp.sqrt(2 * mp.pi)


@pytest.mark.verify
@pytest.mark.parametrize("c", [1.3, 2.9, -0.4, -3.0])
@pytest.mark.parametrize(("mu", "rate"), [(2.0, 1e-5), (1.0, 1e-3), (3.3, 1e-4), (0.5, 1e-7)])
def test_moments_far_up_a_line(mu, rate, c):
    """The law itself is asked, as no public answer depends on one moment alone."""
    t = np.array([400.0, 401.5, 3000.0, 3001.0, 20_000.0])
    k, error = SampledGaussianLoss(mu, rate).evaluate(c, t)
    with mp.workdps(40):
        for at, found, wrong in zip(t, k, error):
            exact = moment(mp.mpf(mu), mp.mpf(rate), mp.mpc(c, float(at)))
            apart = abs(mp.e ** mp.mpc(complex(found)) / exact - 1)
            assert apart <= math.expm1(wrong) + 1e-15  # and the rounding of the logarithm
            assert wrong < 1e-10


@pytest.mark.parametrize(("mu", "rate", "c"), [(2.0, 1e-5, -2.6e4), (0.5, 1e-4, -9e3), (3.0, 0.01, -40.0)])
def test_moments_of_far_negative_tilts(mu, rate, c):
    """There the few records that are sampled hardly count, and a few hundred nodes are enough."""
    law, t = SampledGaussianLoss(mu, rate), np.array([0.0, 3.0, 0.1 * abs(c)])
    assert (law._ends(c)[1] - law._ends(c)[0]) / law.grade(c, 0.0) < 600
    k, error = law.evaluate(c, t)
    with mp.workdps(40):
        for at, found, wrong in zip(t, k, error):
            exact = moment(mp.mpf(mu), mp.mpf(rate), mp.mpc(c, float(at)))
            assert abs(mp.e ** mp.mpc(complex(found)) / exact - 1) <= math.expm1(wrong) + 1e-15
            assert wrong < 1e-11


def symmetric_moment(mu, rate, s):
    """The same of the hull with its mirror image: L where it is positive, −L of the other world, and what is still."""

    def upwards(s):
        def integrand(z):
            return (1 - rate + rate * mp.e ** (mu * z - mu * mu / 2)) ** s * mp.npdf(z)

        start, height = mu / 2, 1 / (2 * mu)
        rise = mp.quad(lambda v: 1j * integrand(start + 1j * v), [0, *(height / 10**k for k in range(6, -1, -1))])
        return rise + mp.quad(lambda r: integrand(start + 1j * height + r), [0, 0.5, 1, 2, 3, 4, 6, 8, 10, 14])

    still = (1 - rate) * mp.erf(mu / mp.sqrt(8))
    return upwards(s) + mp.conj(upwards(1 - mp.conj(s))) + still


@pytest.mark.verify
@pytest.mark.parametrize("c", [0.5, 1.3, 4.0])
@pytest.mark.parametrize(("mu", "rate"), [(0.5, 0.1), (1.0, 0.01), (2.0, 1e-3)])
def test_moments_of_samples_without_replacement(mu, rate, c):
    t = np.array([100.0, 100.7, 3000.0, 1e5, 1e7])
    k, error = SymmetricSampleLoss(mu, rate).evaluate(c, t)
    with mp.workdps(30):
        for at, found, wrong in zip(t, k, error):
            exact = symmetric_moment(mp.mpf(mu), mp.mpf(rate), mp.mpc(c, float(at)))
            assert abs(mp.e ** mp.mpc(complex(found)) / exact - 1) <= math.expm1(wrong) + 1e-15
            assert wrong < 1e-7


@pytest.mark.parametrize("threshold", [0.0, 1e-4, 0.3, 7.0, -7.0, 900.0, 2e4])
def test_panels_of_a_known_integral(threshold):
    """∫ e^{−at}·e^{−ite} dt = 1/(a + ie) from 0 on, for a sum of a fast and a slow part."""
    rates = 30.0, 1e-3
    panels = Panels.covering(5e4, 0.05, lambda b, start, stop: max(-a * (start - b) for a in rates), 32.0)
    assert panels is not None
    row = sum(np.exp(-a * panels.t) for a in rates)
    exact = sum((1 / complex(a, threshold)).real for a in rates)
    found = panels.sums(row[None].astype(complex), np.array([threshold, 0.01]))[0, 0]
    assert found == pytest.approx(exact, rel=1e-11, abs=1e-11)
    assert len(panels.half) < 60


def test_growth_bounds_what_is_left_of_a_sum():
    """In the box around a panel, for the nodes that are not out of phase: these are known inside only."""
    law, generator = SampledGaussianLoss(2.0, 1e-5), np.random.default_rng(3)
    for _ in range(60):
        c, start = float(generator.uniform(1.1, 6.0)), float(10 ** generator.uniform(-1, 4.3))
        width = start * float(generator.uniform(0.1, 1.0))
        b = width * float(generator.uniform(0.05, 0.6))
        line = law.raised(c)
        kept = np.abs(line.tilted) * np.exp(-start * line.loss.imag) > 1e-17
        s = generator.uniform(-b, b, 50) + 1j * generator.uniform(start - b, start + width + b, 50)
        sums = np.exp(np.multiply.outer(s, line.loss[kept])) @ line.tilted[kept]
        assert line.top + np.log(np.abs(sums)).max() <= law.growth(c, b, start, start + width) + 1e-9


@pytest.mark.verify
@pytest.mark.parametrize(("sigma", "rate", "steps"), RARE)
@pytest.mark.parametrize(
    "question", [dl.Epsilon(delta=1e-5), dl.Delta(epsilon=5e-4), dl.AttackPower(fpr=0.01), dl.AUC()]
)
def test_agrees_with_the_grid(sigma, rate, steps, question):
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    found, other = question.of(release), question.of(dl.compose(release, route="grid"))
    assert found.low <= other.high
    assert other.low <= found.high
    assert found.high - found.low < 1e-6 * found.high


def test_few_lines_are_tried_in_panels_where_panels_do_not_serve(monkeypatch):
    """Little noise beside a Laplace release: lines do not end, and panels would be too many."""
    tried, covering = [0], Panels.covering.__func__

    def counted(cls, end, first, growth, depth):
        tried[0] += 1
        return covering(cls, end, first, growth, depth)

    monkeypatch.setattr(Panels, "covering", classmethod(counted))
    release = dl.compose(dl.DPSGD(noise_multiplier=0.2, sample_rate=0.01, steps=100), dl.Laplace(scale=1.0))
    area = dl.AUC().of(release)
    assert tried[0] <= 12
    assert 0.92 < area.low <= area.high < 0.925
