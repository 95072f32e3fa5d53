"""zCDP and Rényi guarantees composed with what has failures, or in groups."""

import math

import pytest

import dplens as dl

CONCENTRATED = dl.ZeroConcentratedDP(rho=0.1)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-3])
def test_failures_stand_beside_bounded_moments(delta):
    """What proves a world has no finite divergence, so its chance is kept apart."""
    pure = dl.compose(CONCENTRATED, dl.ApproximateDP(epsilon=1.0, delta=0.0))
    both = dl.compose(CONCENTRATED, dl.ApproximateDP(epsilon=1.0, delta=delta).repeat(2), dl.GaussianDP(mu=0.5))
    rest = dl.compose(pure, dl.ApproximateDP(epsilon=1.0, delta=0.0), dl.GaussianDP(mu=0.5))
    kappa = -math.expm1(2 * math.log1p(-delta))
    found, inner = dl.Delta(epsilon=4.0).of(both), dl.Delta(epsilon=4.0).of(rest)
    assert found.high == pytest.approx(kappa + (1 - kappa) * inner.high, rel=1e-9)
    assert dl.failure_mode(both) is dl.FailureMode.CATASTROPHIC


def test_guarantees_that_may_fail():
    kappa = -math.expm1(3 * math.log1p(-1e-4))
    found = dl.Delta(epsilon=3.0).of(CONCENTRATED.fails_with(1e-4).repeat(3))
    assert found.high == pytest.approx(kappa + (1 - kappa) * dl.Delta(epsilon=3.0).of(CONCENTRATED.repeat(3)), rel=1e-9)
    assert dl.Delta(epsilon=3.0).of(CONCENTRATED.fails_with(1.0).repeat(2)) == 1.0


def test_groups_under_concentrated_guarantees():
    """k records have k²·rho."""
    found = dl.Epsilon(delta=1e-5).of(dl.compose(CONCENTRATED.group(3), CONCENTRATED.group(2)))
    assert found.high == pytest.approx(dl.Epsilon(delta=1e-5).of(dl.ZeroConcentratedDP(rho=1.3)).high, rel=1e-12)
