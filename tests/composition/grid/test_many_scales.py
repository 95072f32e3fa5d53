"""Many releases of different noise, too many pieces for splines: the grid, against splines where both are open."""

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl
from dplens.composition.spline.curve import SplineCurve

ALPHA = np.array([1e-9, 1e-3, 0.02, 0.1, 0.45, 0.8, 0.98, 1 - 1e-6])
RELEASES = {
    "laplace": [dl.Laplace(scale=s) for s in np.linspace(20.0, 60.0, 8)],
    "with coins": [
        *(dl.Laplace(scale=s) for s in (3.0, 4.5, 7.3)),
        *(dl.RandomizedResponse(epsilon=e) for e in (0.1, 0.37)),
        dl.FinitePair(p=[0.7, 0.25, 0.05], q=[0.6, 0.2, 0.2]),
    ],
}


@pytest.mark.parametrize("name", RELEASES)
def test_the_grid_encloses_what_splines_know(name):
    truth = dl.compose(*RELEASES[name]).tradeoff(direction="add")
    assert isinstance(truth, SplineCurve)
    found = dl.compose(*RELEASES[name], route="grid").tradeoff(direction="add")
    losses = np.linspace(0.0, 0.97 * truth.epsilon(0.0), 12)
    both = [(found, truth)] if found.inverse() is found else [(found, truth), (found.inverse(), truth.inverse())]
    for curve, exact in both:
        delta, known = curve.profile_bounds(losses), exact.profile_bounds(losses)
        assert np.all(delta.lo <= known.hi)
        assert np.all(known.lo <= delta.hi)
        large = delta.hi > 1e-9
        assert delta.hi[large] == pytest.approx(delta.lo[large], rel=1e-3)
        for (low, high), here in zip(curve.both_bounds(ALPHA, 1 - ALPHA), exact.both_bounds(ALPHA, 1 - ALPHA)):
            assert np.all(low <= here.hi)
            assert np.all(here.lo <= high)
            inner = (ALPHA > 0.01) & (ALPHA < 0.99)
            assert low[inner] == pytest.approx(high[inner], rel=2e-3)


def test_many_different_scales():
    """Bounded work and a bracket between those of noise that is surely worse and surely milder."""
    epsilons = np.linspace(0.02, 0.05, 30)
    found = dl.Delta(epsilon=0.3).of(dl.compose(*(dl.Laplace(scale=1 / e) for e in epsilons)))
    assert found.certificate.route == "grid"
    assert found.high - found.low <= 1e-5 * found
    rounded = np.ceil(epsilons * 200) / 200, np.floor(epsilons * 200) / 200
    worse, milder = (dl.Delta(epsilon=0.3).of(dl.compose(*(dl.Laplace(scale=1 / e) for e in part))) for part in rounded)
    assert milder.low <= found.high
    assert found.low <= worse.high


def test_schedules_of_different_noise():
    """Hundreds of different steps, between as many of the most noise and of the least."""
    sigmas = np.linspace(0.9, 1.1, 200)
    release = dl.compose(*(dl.Gaussian(sigma=s).subsample(0.02) for s in sigmas))
    found, power = dl.Epsilon(delta=1e-5).of(release), dl.AttackPower(fpr=0.01).of(release)
    assert found.high - found.low <= 1e-9
    assert power.high - power.low <= 1e-9 * power
    most, least = (dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=s).subsample(0.02).repeat(200)) for s in (1.1, 0.9))
    assert most.high < found.low < found.high < least.low


def test_gaussian_loss_however_little_never_lowers_what_is_told():
    """Across the amount from which lines end by themselves."""
    laplace = [dl.Laplace(scale=1 / e) for e in np.linspace(0.02, 0.09, 40)]
    told = [dl.Delta(epsilon=1.0).of(dl.compose(*laplace))]
    told += [dl.Delta(epsilon=1.0).of(dl.compose(*laplace, dl.Gaussian(sigma=s))) for s in (8000.0, 2000.0)]
    assert [float(x) for x in told] == sorted(float(x) for x in told)
    assert {x.certificate.route for x in told} <= {"contour", "grid"}


def test_many_different_coins():
    """No common lattice: between coins that are surely worse and surely milder."""
    epsilons = np.random.default_rng(1).uniform(0.01, 0.3, 60)
    found = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.RandomizedResponse(epsilon=e) for e in epsilons)))
    assert found.certificate.route == "grid"
    assert found.high - found.low <= 1e-5
    for rounded, sign in ((np.ceil(epsilons * 500) / 500, 1), (np.floor(epsilons * 500) / 500, -1)):
        beside = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.RandomizedResponse(epsilon=e) for e in rounded if e)))
        assert sign * (float(beside) - float(found)) >= 0


def test_hundreds_of_different_releases_on_whole_numbers():
    """Between releases that are surely worse and surely milder."""
    scales = np.random.default_rng(5).uniform(5, 50, 300)
    found = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.Geometric(scale=s) for s in scales)))
    assert found.certificate.route == "grid"
    assert found.high - found.low < 1e-5 * found
    for move, sign in ((0.99, 1), (1.01, -1)):
        beside = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.Geometric(scale=s * move) for s in scales)))
        assert sign * (float(beside) - float(found)) > 0


def test_dozens_of_different_sampled_laplace_releases():
    """Between releases that are surely worse and surely milder."""
    rng = np.random.default_rng(5)
    steps = list(zip(rng.uniform(0.5, 5, 32), rng.uniform(0.001, 0.1, 32)))
    found = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.Laplace(scale=s).subsample(q) for s, q in steps)))
    assert found.certificate.route == "grid"
    assert found.high - found.low < 1e-5 * found
    for move, sign in ((0.99, 1), (1.01, -1)):
        beside = dl.Epsilon(delta=1e-6).of(dl.compose(*(dl.Laplace(scale=s * move).subsample(q) for s, q in steps)))
        assert sign * (float(beside) - float(found)) > 0


@pytest.mark.parametrize(("scale", "count"), [(1e20, 10**6), (1e15, 10**12), (1e15, 10**15), (1e13, 10**15)])
def test_many_steps_that_tell_next_to_nothing_are_enclosed(scale, count):
    """So many losses of ±epsilon and between add up to those of a Gaussian release with mu = √count·epsilon."""
    release = dl.Laplace(scale=scale).repeat(count)
    with mp.workdps(40):
        mu = mp.sqrt(count) / mpf(scale)
        area, power = mp.ncdf(mu / mp.sqrt(2)), mp.ncdf(mu)
    for question, truth in ((dl.AUC(), area), (dl.AttackPower(fpr=0.5), power)):
        found = question.of(release)
        assert found.low <= truth <= found.high
        assert count > 10**12 or found.high < 0.51  # beyond, rounding leaves nothing of a sum
