"""Both directions at once: with and without the assumption that one of them is the riskier for all losses above 0."""

import numpy as np
import pytest

import dplens as dl
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.hull import HullCurve
from dplens.numerics.enclosure import Enclosure

ALPHA = np.geomspace(1e-9, 0.999, 150)
RELEASES = {
    "one leads": dl.Gaussian(sigma=1.0).subsample(0.05).repeat(200),
    "one leads, beside others": dl.compose(
        dl.Gaussian(sigma=1.0).subsample(0.05).repeat(200), dl.FinitePair(p=[0.5, 0.49, 0.01], q=[0.3, 0.3, 0.4])
    ),
    "they cross": dl.compose(
        dl.Gaussian(sigma=2.0).subsample(0.5).repeat(20),
        dl.FinitePair(p=[0.02, 0.98], q=[0.0001, 0.9999]),
        dl.Gaussian(sigma=4.0),
    ),
}


@pytest.mark.parametrize("name", RELEASES)
def test_arcs_are_looked_for_only_where_they_matter(name):
    """Tangents at the thresholds of the true arcs say the same, and the mild side is next to it."""
    curve, other = (RELEASES[name].tradeoff() for _ in range(2))
    assert isinstance(curve, HullCurve)
    assert isinstance(other, HullCurve)
    power = curve.power(ALPHA)
    assert ("arcs" in vars(curve)) == (name == "they cross")
    by_arcs = other._line(other._log_slope(ALPHA, 1 - ALPHA), None, ALPHA, 1 - ALPHA)[0]
    assert power == pytest.approx(by_arcs, rel=1e-12)
    assert power == pytest.approx(other.power_bounds(ALPHA, 1 - ALPHA).lo, rel=1e-9)


@pytest.mark.parametrize("setting", [(1.0, 0.01, 1000), (0.6, 0.001, 100_000), (5.0, 0.1, 3000)])
def test_many_points_at_once_are_those_of_few(setting):
    """Thresholds between knots for many points, against thresholds that are solved for."""
    sigma, rate, steps = setting
    release = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    many, few = release.tradeoff(), release.tradeoff()
    alpha = np.sort(np.append(ALPHA, np.linspace(0.3, 0.5, 50)))  # and around slope −1
    for reads in ("power", "__call__"):
        assert getattr(many, reads)(alpha) == pytest.approx([getattr(few, reads)(float(a)) for a in alpha], rel=2e-12)


@pytest.mark.parametrize("setting", [(2.5, 0.085, 4108), (0.86, 0.0077, 85_000), (7.1, 0.048, 492_000)])
def test_betas_next_to_nothing_keep_their_digits_among_many(setting):
    """From 1e-6 in the middle down to 1e-27: next to 1 a power says nothing about them."""
    sigma, rate, steps = setting
    curve = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps).tradeoff()
    co = np.geomspace(1e-9, 0.999, 150)
    many = curve.beta_bounds(1 - co, co).lo
    few = [float(curve.beta_bounds(np.array([1 - c]), np.array([c])).lo[0]) for c in co]
    assert many == pytest.approx(few, rel=1e-10)
    assert min(few) < 1e-16


def test_the_other_direction_may_be_next_to_the_leading_one():
    """After so many steps of so much noise both are nearly Gaussian, so that chords say little."""
    release = dl.DPSGD(noise_multiplier=3.0, sample_rate=0.001, steps=10**6)
    alpha = np.sort(np.append(ALPHA, np.linspace(0.3, 0.5, 50)))
    power = release.tradeoff().power(alpha)
    for direction in ("add", "remove"):
        assert np.all(power >= release.tradeoff(direction).power_bounds(alpha, 1 - alpha).lo)
    few = release.tradeoff()
    assert power == pytest.approx([few.power(float(a)) for a in alpha], rel=1e-10)


class Doubtful(GaussianCurve):
    """Of its epsilon only the high end is known."""

    def epsilon_bounds(self, delta):
        found = super().epsilon_bounds(delta)
        return Enclosure(np.zeros_like(delta), lambda: found.hi)


def test_a_part_outdone_from_above_may_still_know_more_from_below():
    other, delta = GaussianCurve(0.9), np.array([1e-5])
    curve = HullCurve((Doubtful(1.0), other))
    assert curve.epsilon_bounds(delta).hi > other.epsilon_bounds(delta).hi
    assert curve.epsilon_bounds(delta).lo == other.epsilon_bounds(delta).lo


@pytest.mark.parametrize("sigma", [2.0, 6.0, 100.0])
def test_thresholds_between_losses_far_apart(sigma):
    """A rare outcome that tells much: no test has its threshold in the gap, and no step leads out of it."""
    m = dl.compose(dl.FinitePair(p=[0.02, 0.98], q=[0.0001, 0.9999]), dl.Gaussian(sigma=sigma))
    for fpr in (0.0026, 0.01):
        power = dl.AttackPower(fpr=fpr).of(m)
        assert power.high - power.low < 1e-9 * power
