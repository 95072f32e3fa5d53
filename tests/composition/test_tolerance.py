"""A tolerance is kept or refused, never quietly loosened."""

import pickle

import numpy as np
import pytest

import dplens as dl

SGD = dl.DPSGD(noise_multiplier=0.8, sample_rate=0.004, steps=10_000)
COARSE = dl.Laplace(scale=1.0).subsample(0.03).repeat(100)  # by the grid: known to about five digits


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9, 1e-10])
@pytest.mark.parametrize("direction", ["both", "add", "remove"])
def test_readings_within_tolerance(tolerance, direction):
    f, reference = (SGD.tradeoff(direction, tolerance=x) for x in (tolerance, 1e-10))
    alpha, epsilon = np.array([1e-9, 0.01, 0.5, 0.99]), np.array([0.0, 1.0, 5.0])
    np.testing.assert_allclose(f.power(alpha), reference.power(alpha), rtol=tolerance)
    np.testing.assert_allclose(f(alpha), reference(alpha), rtol=tolerance)
    np.testing.assert_allclose(f.delta(epsilon), reference.delta(epsilon), rtol=tolerance)
    np.testing.assert_allclose(f.epsilon(1e-5), reference.epsilon(1e-5), atol=tolerance)
    assert f.certificate.tolerance <= tolerance


def test_estimates_of_a_guarded_curve():
    found = dl.AttackPower(fpr=0.01).of(SGD.tradeoff(tolerance=1e-9))
    assert found.high - found.low <= 1e-9 * found.high


@pytest.mark.verify
@pytest.mark.parametrize(
    "read",
    [
        lambda f: f.power(0.01),
        lambda f: f(0.01),
        lambda f: f.delta(0.1),
        lambda f: f.epsilon(1e-5),
        lambda f: dl.Advantage().of(f),
        lambda f: f.inverse().power(0.01),
    ],
)
def test_what_is_not_known_so_closely_is_refused(read):
    with pytest.raises(dl.ToleranceNotMet, match=r"tolerance = 1e-12.*width .*route.*larger tolerance") as caught:
        read(COARSE.tradeoff(tolerance=1e-12))
    assert isinstance(caught.value, dl.DplensError)
    # and it says how close it got: a tolerance somewhat above that is met
    assert 1e-12 < caught.value.width < 1e-2
    assert pickle.loads(pickle.dumps(caught.value)).width == caught.value.width


@pytest.mark.verify
def test_the_width_that_is_told_can_be_asked_for():
    with pytest.raises(dl.ToleranceNotMet) as caught:
        COARSE.tradeoff(tolerance=1e-12).power(0.01)
    COARSE.tradeoff(tolerance=1.01 * caught.value.width).power(0.01)


@pytest.mark.parametrize("tolerance", [None, 1e-5, 1e-8])
def test_a_coarser_line_knows_more_than_a_grid(tolerance):
    """Ten symmetrised samples: lines do not end for the finest goal, but do for a coarser one, whatever is asked."""
    step = dl.Gaussian(sigma=2.0, neighbours="replace").subsample(0.1, scheme="without_replacement")
    found = dl.Epsilon(delta=1e-6).of(step.repeat(10).tradeoff(tolerance=tolerance))
    assert 0 < found.high - found.low < 1e-8


def test_exact_curves_meet_tolerances_near_rounding():
    assert dl.Gaussian(sigma=1.0).tradeoff(tolerance=1e-13).power(0.05) == dl.Gaussian(sigma=1.0).tradeoff().power(0.05)


@pytest.mark.parametrize("tolerance", [0, -1e-9, 1, float("nan"), float("inf"), "fine", True])
def test_bad_tolerances(tolerance):
    with pytest.raises(dl.DplensError, match="tolerance"):
        SGD.tradeoff(tolerance=tolerance)


def test_a_tolerance_makes_the_grid_finer():
    usual, closer = COARSE.tradeoff(), COARSE.tradeoff(tolerance=1e-6)
    delta = np.array([1e-6, 1e-3])
    before, after = usual.epsilon_bounds(delta), closer.epsilon_bounds(delta)
    assert (after.hi - after.lo <= 1e-6).all()
    assert (after.hi - after.lo < (before.hi - before.lo) / 2).all()
    assert ((before.lo <= after.hi) & (after.lo <= before.hi)).all()
