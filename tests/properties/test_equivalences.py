"""The same release, described in two ways, has one curve; and laws that hold between releases."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import dplens as dl

ALPHA = np.concatenate([10.0 ** -np.arange(1, 250, 23), np.linspace(0.02, 0.98, 25), [0.0, 1.0]])
EPSILON = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 5.0])

few = settings(max_examples=10)
level = st.floats(0.05, 6)


def same(first, second, rel, deltas=None):
    """Both curves at all alphas and epsilons."""
    f, g = first.tradeoff(), second.tradeoff()
    np.testing.assert_allclose(f.power(ALPHA), g.power(ALPHA), rtol=rel)
    np.testing.assert_allclose(f(ALPHA), g(ALPHA), rtol=rel, atol=1e-300)
    np.testing.assert_allclose(f.delta(EPSILON), g.delta(EPSILON), rtol=deltas or rel, atol=1e-14)


@few
@given(level, st.floats(0.01, 100))
def test_gaussian_is_normal_noise(mu, unit):
    named = dl.Gaussian(sigma=unit, sensitivity=mu * unit)
    same(named, dl.GaussianDP(mu=mu), 1e-12)
    same(named, dl.AdditiveNoise(noise=stats.norm(scale=unit), sensitivity=mu * unit), 1e-9)


@few
@given(level)
def test_gaussian_is_a_pair_of_normals(mu):
    same(dl.Gaussian(sigma=1.0, sensitivity=mu), dl.ContinuousPair(p=stats.norm(0, 1), q=stats.norm(mu, 1)), 1e-9)


@few
@given(level, st.floats(0.01, 100))
def test_laplace_is_laplace_noise(epsilon, unit):
    named = dl.Laplace(scale=unit, sensitivity=epsilon * unit)
    same(named, dl.AdditiveNoise(noise=stats.laplace(scale=unit), sensitivity=epsilon * unit), 1e-9)


def test_laplace_is_a_pair_of_laplace_laws():
    pair = dl.ContinuousPair(p=stats.laplace(0, 1), q=stats.laplace(1.5, 1))
    same(dl.Laplace(scale=1.0, sensitivity=1.5), pair, 1e-6)


@few
@given(st.floats(0.1, 4), st.integers(1, 4))
def test_geometric_is_a_finite_pair(epsilon, count):
    m = dl.Geometric(scale=count / epsilon, sensitivity=count)
    # outputs beyond 0 and count all have the same ratio: they may be taken together
    rate = epsilon / count
    tail = 1 / (1 + math.exp(-rate))  # of one side, its end included
    inner = np.tanh(rate / 2) * np.exp(-rate * np.arange(1, count))
    p = np.concatenate([[tail], inner, [tail * math.exp(-epsilon)]])
    same(m, dl.FinitePair(p=p / p.sum(), q=p[::-1] / p.sum()), 1e-11, 1e-9)


@few
@given(st.floats(0.01, 8), st.integers(2, 30))
def test_randomized_response_is_a_finite_pair(epsilon, categories):
    weights = np.ones(categories)
    weights[0] = math.exp(epsilon)
    p = weights / weights.sum()
    q = np.roll(p, 1)
    same(dl.RandomizedResponse(epsilon=epsilon, categories=categories), dl.FinitePair(p=p, q=q), 1e-12, 1e-10)


@few
@given(st.floats(0.01, 8), st.floats(1e-9, 0.3))
def test_a_guarantee_is_the_pair_that_attains_it(epsilon, delta):
    keep = (1 - delta) / (1 + math.exp(epsilon))
    p = [0.0, keep, keep * math.exp(epsilon), delta]
    same(dl.ApproximateDP(epsilon=epsilon, delta=delta), dl.FinitePair(p=p, q=p[::-1]), 1e-11, 1e-9)


@few
@given(level)
def test_bounded_range_is_logistic_noise(epsilon):
    noise = dl.AdditiveNoise(noise=stats.logistic(), sensitivity=epsilon)
    same(dl.Exponential(epsilon=epsilon), noise, 1e-11, 1e-9)


@few
@given(st.integers(1, 12), st.floats(0.05, 1.0), st.floats(0.0, 0.5))
def test_groups_of_a_finite_pair_walk_the_curve(size, epsilon, extra):
    first = dl.FinitePair(p=[0.5, 0.3, 0.2], q=[0.5 - extra / 2, 0.3, 0.2 + extra / 2])
    f, g = first.tradeoff(), first.group(size).tradeoff()
    beta = f(ALPHA)
    for _ in range(size - 1):
        beta = f(np.clip(1 - beta, 0, 1))
    np.testing.assert_allclose(g(ALPHA), beta, rtol=1e-9, atol=1e-12)
    assert g.epsilon(1e-6) <= size * f.epsilon(0.0) * (1 + 1e-12)


@pytest.mark.parametrize("size", [2, 5, 40])
def test_groups_of_pure_guarantees_multiply_their_ratio(size):
    m = dl.RandomizedResponse(epsilon=0.05, categories=2).group(size)
    assert m.tradeoff().epsilon(0.0) == pytest.approx(0.05 * size, rel=1e-12)
    assert dl.failure_mode(m) is dl.FailureMode.NONE


def test_a_smaller_shift_can_be_worse():
    # ½N(0, ½²) + ½N(10, ½²): told apart perfectly by a shift of 5, half the time only by one of 10
    class Bimodal(stats.rv_continuous):
        def _pdf(self, x):
            return (stats.norm.pdf(x, 0, 0.5) + stats.norm.pdf(x, 10, 0.5)) / 2

        def _cdf(self, x):
            return (stats.norm.cdf(x, 0, 0.5) + stats.norm.cdf(x, 10, 0.5)) / 2

    p = Bimodal(name="bimodal")()
    wide = dl.ContinuousPair(p=p, q=Bimodal(name="bimodal")(loc=10))
    near = dl.ContinuousPair(p=p, q=Bimodal(name="bimodal")(loc=5))
    assert dl.Advantage().of(wide) == pytest.approx(0.50, abs=1e-6)
    assert dl.Advantage().of(near) == pytest.approx(1.00, abs=1e-6)


@pytest.mark.parametrize(
    ("orders", "bounds"),
    [
        ([2.0, 64.0], [1e-9, 1e-7]),
        ([1.0, math.inf], [0.3, 2.0]),
        ([1.5, 300.0], [20.0, 40.0]),
        ([3.0, 5.0], [2.0, 2.1]),
    ],
)
def test_more_orders_never_raise_the_risk(orders, bounds):
    both = dl.RenyiDP(orders=orders, epsilons=bounds).tradeoff()
    alone = [dl.RenyiDP(orders=[a], epsilons=[b]).tradeoff() for a, b in zip(orders, bounds)]
    for read in (lambda f: f.delta(EPSILON), lambda f: f.power(ALPHA), lambda f: f.epsilon(np.array([1e-5, 0.01]))):
        assert (read(both) <= np.min([read(f) for f in alone], axis=0) * (1 + 1e-9) + 1e-14).all()


@pytest.mark.parametrize("rho", [1e-3, 0.05, 0.5, 30.0])
def test_concentrated_epsilon_and_delta_are_the_largest_over_all_tests(rho):
    f = dl.ZeroConcentratedDP(rho=rho).tradeoff()
    alpha = np.geomspace(1e-60, 0.5, 20_000)
    power = f.power(alpha)
    for epsilon in EPSILON:
        reached = float(np.max(power - math.exp(epsilon) * alpha))
        assert reached * (1 - 1e-11) - 1e-15 <= f.delta(epsilon) <= reached * (1 + 1e-4) + 1e-15
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = float(np.nanmax(np.log(power - 1e-5) - np.log(alpha)))
    assert max(reached, 0.0) * (1 - 1e-11) <= f.epsilon(1e-5) <= max(reached, 0.0) * (1 + 1e-4)
