"""Curves of groups among the steps of a composition: read from two polygons, which must enclose the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import log_ndtr

import dplens as dl
from dplens.composition.grid.connect_the_dots import connected
from dplens.composition.grid.groups import with_fast_profile
from dplens.curves.base import Floats
from dplens.curves.closed.bounded import LaplaceCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.groups import GroupedCurve, failing
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.closure import piecewise_group
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.enclosure import Enclosure


def _gaussian_delta(mu: float, epsilon: Floats) -> Floats:
    near, far = log_ndtr(mu / 2 - epsilon / mu), log_ndtr(-mu / 2 - epsilon / mu)
    return np.exp(near) * -np.expm1(epsilon + far - near)


@pytest.mark.parametrize("mu", [1e-5, 0.05, 1.0, 8.0])
def test_groups_of_gaussian_curves_are_those_of_as_many_times_the_shift(mu: float):
    epsilon = np.linspace(0.0, 4 * mu**2 + 8 * mu, 200)
    truth = _gaussian_delta(2 * mu, epsilon)
    curve = with_fast_profile(GroupedCurve(GaussianCurve(mu), 2))
    low, high = curve.profile_bounds(epsilon)
    assert np.all(low <= truth * (1 + 1e-10))
    assert np.all(truth * (1 - 1e-10) <= high)
    assert np.all(high - low <= 1e-4 * high)


@pytest.mark.verify
def test_compositions_with_them_enclose_the_closed_form():
    curve = connected([(GroupedCurve(GaussianCurve(0.5), 2), 3), (GaussianCurve(1.0), 1)])
    epsilon = np.linspace(0.0, 14.0, 30)
    low, high = curve.profile_bounds(epsilon)
    truth = _gaussian_delta(2.0, epsilon)
    assert np.all(low <= truth)
    assert np.all(truth <= high)
    assert np.all(high - low <= 5e-4 * high)


def test_the_largest_loss_stays_what_it_is():
    curve = connected([(GroupedCurve(LaplaceCurve(1.0), 2), 2)])
    assert curve.epsilon_bounds(np.zeros(1)).hi[0] == pytest.approx(4.0, rel=1e-12)
    assert curve.profile_bounds(np.array([4.5])).hi[0] == 0.0


@pytest.mark.parametrize("chance", [0.0, 1e-9, 0.01])
def test_kinks_and_proofs_are_enclosed(chance: float):
    rng = np.random.default_rng(5)
    for size in (2, 3):
        p, q = rng.dirichlet(np.ones(5), 2)
        loss = np.log(q) - np.log(p)
        order = np.argsort(-loss)
        base = both_directions(failing(PiecewiseCurve(p[order], q[order], loss[order]), chance))
        assert isinstance(base, PiecewiseCurve)
        exact, curve = piecewise_group(base, size), with_fast_profile(GroupedCurve(base, size))
        epsilon = np.linspace(0.0, size * float(np.max(np.abs(loss))), 301)
        assert np.all(curve.profile_bounds(epsilon).hi >= exact.profile_bounds(epsilon).lo)
        assert np.all(curve.profile_bounds(epsilon).lo <= exact.profile_bounds(epsilon).hi)
        assert curve.infinity_mass().hi >= exact.infinity_mass().lo >= chance


@pytest.mark.parametrize(
    ("wrap", "searched"),  # the brackets that searching for the profile at every slope took a minute for
    [
        (lambda m: dl.compose(m, dl.Laplace(scale=1.0, neighbours="replace")), (4.9998, 5.000001)),
        (lambda m: m.subsample(rate=0.1, scheme="without_replacement").repeat(10), (10.24253930, 10.24262386)),
    ],
)
def test_a_profile_is_not_searched_for_at_every_slope(monkeypatch, wrap, searched):
    walk, looks = GroupedCurve._enclose_both, []

    def counted(self, alpha, co):
        looks.append(len(alpha))
        assert sum(looks) < 300_000
        return walk(self, alpha, co)

    monkeypatch.setattr(GroupedCurve, "_enclose_both", counted)
    found = dl.Epsilon(delta=1e-6).of(wrap(dl.Laplace(scale=1.0).repeat(2).as_replace()))
    assert searched[0] <= found.high
    assert found.low <= searched[1]
    assert found.high - found.low < 2e-4  # next to the largest loss, where mass lies between lattice points


class _Watched(GaussianCurve):
    """Remembers the least alpha that was asked for."""

    least_alpha = 1.0

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        object.__setattr__(self, "least_alpha", min(self.least_alpha, float(alpha[alpha > 0].min(initial=1.0))))
        return super()._enclose_power(alpha, co)


@pytest.mark.parametrize(("delta", "far"), [(1e-6, False), (1e-30, True)])
def test_a_search_looks_far_out_only_where_that_can_decide(delta: float, far: bool):
    base = _Watched(0.5)
    found = GroupedCurve(base, 2).epsilon_bounds(np.array([delta])).hi[0]
    assert found == pytest.approx(GaussianCurve(1.0).epsilon_bounds(np.array([delta])).hi[0], rel=1e-10)
    assert (base.least_alpha < math.exp(-45)) == far


def test_many_laplace_releases_allow_no_more_than_their_largest_loss_however_small_alpha_is():
    many = dl.Laplace(scale=1.0).repeat(70)
    alpha = np.array([1e-300, 1e-150, 1e-60])
    assert np.all(many.tradeoff().power(alpha) <= np.exp(70 + np.log(alpha)) * (1 + 1e-11))
    # and so the group that walks there twice is enclosed
    found = dl.Epsilon(delta=1e-6).of(many.group(2))
    assert found.high < 140
    assert found.high - found.low < 1e-6


def test_a_group_of_a_training_run_beside_others_takes_a_bounded_number_of_points(monkeypatch):
    points, walked = [0], GroupedCurve._walked

    def counted(self, upper, alpha, co, steps):
        points[0] += steps * len(alpha) if upper else 0
        return walked(self, upper, alpha, co, steps)

    monkeypatch.setattr(GroupedCurve, "_walked", counted)
    training = dl.DPSGD(noise_multiplier=4.0, sample_rate=0.05, steps=1000)
    both, alone = (
        dl.Advantage().of(m) for m in (dl.compose(dl.Laplace(scale=1.0), training.group(2)), training.group(2))
    )
    assert points[0] < 10_000
    assert alone.low < both.low < both.high < 1


def test_renyi_divergences_of_groups_of_composed_releases_are_enclosed():
    """E_P e^{2·L} = 1 + 2·∫ (e^x + e^{−2x})·delta(x) dx over x > 0, for a pair that is its own mirror image."""
    group = dl.DPSGD(noise_multiplier=4.0, sample_rate=0.05, steps=1000).group(2)
    x, weight = np.polynomial.legendre.leggauss(60)
    x, weight = 3 * (x + 1), 3 * weight
    truth = math.log1p(2 * float(weight @ ((np.exp(x) + np.exp(-2 * x)) * group.tradeoff().delta(x))))
    found = dl.Renyi(order=2.0).of(group)
    assert found.low * (1 - 1e-9) <= truth <= found.high * (1 + 1e-9)
    assert found.high <= found.low * 1.01
