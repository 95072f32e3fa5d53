"""Rényi divergences from the definition, log Σ q^a·p^(1−a)/(a − 1) with 120 digits: near order 1, small and large."""

import itertools
import math

import numpy as np
import pytest
from mpmath import erfinv, exp, expm1, findroot, fsum, inf, log, mp, mpf, ncdf, npdf, quad, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")

NEAR = [sign * 10.0**-k for k in (1, 2, 3, 5, 8, 11, 14, 15) for sign in (1, -1)]
ORDERS = [1.0, *(1 + step for step in NEAR), 1e-12, 0.05, 0.3, 0.5, 0.7, 1.7, 2.0, 11.0, 1001.0]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(120):
        yield


def divergence(p, q, order):
    """D_order(Q‖P)."""
    a = mpf(order)
    if a == 1:
        return fsum(y * log(y / x) if x else inf for x, y in zip(p, q) if y)
    if a > 1 and any(y and not x for x, y in zip(p, q)):
        return inf
    return log(fsum(y**a * x ** (1 - a) for x, y in zip(p, q) if x and y)) / (a - 1)


def both(p, q, order):
    return max(divergence(p, q, order), divergence(q, p, order))


def check(mechanism, p, q, orders=ORDERS, tolerance="1e-12"):
    for order in orders:
        truth, found = both(p, q, order), dl.Renyi(order=order).of(mechanism)
        assert found.low <= truth <= found.high, (mechanism, order, found, truth)
        if truth < inf:
            assert abs(mpf(mechanism.tradeoff().renyi_bounds(order).mid) - truth) <= mpf(tolerance) * truth, (
                mechanism,
                order,
            )


def response(epsilon, categories):
    e = exp(mpf(epsilon))
    rest = e + categories - 1
    return [e / rest, 1 / rest, (categories - 2) / rest], [1 / rest, e / rest, (categories - 2) / rest]


def geometric(scale, shift):
    r = exp(-1 / mpf(scale))
    inner = [(1 - r) / (1 + r) * r**j for j in range(1, shift)]
    p = [1 / (1 + r), *inner, r**shift / (1 + r)]
    return p, p[::-1]


def discrete_gaussian(sigma, shift):
    reach = math.ceil(20 * sigma) + 12 * shift  # a large order looks at outputs about order·shift
    keys = range(-reach, reach + shift + 1)
    p, q = ([exp(-(mpf(k - c) ** 2) / (2 * mpf(sigma) ** 2)) for k in keys] for c in (0, shift))
    return [x / fsum(p) for x in p], [x / fsum(q) for x in q]


@pytest.mark.parametrize("epsilon", [1e-4, 0.01, 0.3, 1.0, 4.0, 50.0])
@pytest.mark.parametrize("categories", [2, 5])
def test_randomised_response_near_order_one_and_far_from_it(epsilon, categories):
    check(dl.RandomizedResponse(epsilon=epsilon, categories=categories), *response(epsilon, categories))
    if categories == 2:
        check(dl.ApproximateDP(epsilon=epsilon), *response(epsilon, 2))


@pytest.mark.parametrize(
    ("scale", "shift"), [(1e4, 1), (30.0, 3), (3.0, 3), (0.7, 2), (0.06, 3), (2e6, 70), (900.0, 300)]
)
def test_geometric_noise(scale, shift):
    check(dl.Geometric(scale=scale, sensitivity=shift), *geometric(scale, shift))


@pytest.mark.parametrize(("scale", "shift"), [(1e5, 70), (70.0, 65), (65.0, 65), (10.0, 400), (1e-3, 100), (3.0, 200)])
def test_geometric_noise_with_many_steps_has_a_closed_form(scale, shift):
    noise = dl.Geometric(scale=scale, sensitivity=10**6).tradeoff().noise
    p, q = geometric(scale, shift)
    for order in ORDERS:
        truth = both(p, q, order)
        assert abs(mpf(noise.renyi(shift, order)) - truth) <= mpf("1e-12") * truth, order


def test_geometric_noise_of_any_width():
    """For 1e15 steps the noise is Laplace noise up to 1e-30."""
    for ratio in (1e-3, 1.0, 30.0):
        e = mpf(10) ** 15 / mpf(float(10**15 / ratio))
        for order in (0.3, 1 - 1e-9, 1.0, 1 + 1e-9, 2.0, 100.0):
            a = mpf(order)
            moment = a / (2 * a - 1) * exp((a - 1) * e) + (a - 1) / (2 * a - 1) * exp(-a * e)
            truth = e + expm1(-e) if a == 1 else log(moment) / (a - 1)
            found = dl.Renyi(order=order).of(dl.Geometric(scale=10**15 / ratio, sensitivity=10**15))
            assert found.low <= truth <= found.high
            assert found.high - found.low <= 1e-12 * truth


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.5, 0.999, 1.0, 3.0, 60.0, 100.0, 5000.0])
def test_laplace_noise(epsilon):
    e = mpf(epsilon)
    for order in ORDERS:
        a = mpf(order)
        if a == 0.5:
            truth = e - 2 * log(1 + e / 2)
        elif a == 1:
            truth = e + expm1(-e)
        else:
            truth = log(a / (2 * a - 1) * exp((a - 1) * e) + (a - 1) / (2 * a - 1) * exp(-a * e)) / (a - 1)
        mechanism = dl.Laplace(scale=1.0, sensitivity=epsilon)
        found = dl.Renyi(order=order).of(mechanism)
        assert found.low <= truth <= found.high
        assert abs(mpf(mechanism.tradeoff().renyi(order)) - truth) <= mpf("1e-13") * truth


@pytest.mark.parametrize(("sigma", "shift"), [(0.02, 1), (0.049, 2), (0.06, 1), (0.2, 3), (0.5, 1), (1.0, 4), (2.0, 1)])
def test_discrete_gaussian_noise(sigma, shift):
    orders = [a for a in ORDERS if a < 100]
    check(dl.DiscreteGaussian(sigma=sigma, sensitivity=shift), *discrete_gaussian(sigma, shift), orders)


@pytest.mark.parametrize(("epsilon", "gamma"), [(1e-3, 0.5), (1.0, 0.25), (1.0, 0.75), (8.0, 0.1)])
def test_staircase_noise(epsilon, gamma):
    b, g = exp(-mpf(epsilon)), mpf(gamma)
    height = (1 - b) / (2 * (g + b * (1 - g)))
    ends = height * min(g, 1 - g) + mpf(1) / 2
    p = [b * ends, height * abs(1 - 2 * g) * (b if g <= 0.5 else 1), ends]
    check(dl.Staircase(epsilon=epsilon, gamma=gamma), p, p[::-1])


def test_finite_pairs_do_not_scatter_near_order_one():
    rng = np.random.default_rng(11)
    for spread in (1e-6, 1e-3, 0.3, 5.0):
        p = rng.dirichlet(np.ones(6))
        q = p * np.exp(spread * rng.standard_normal(6))
        q /= q.sum()
        exact = [[mpf(x) / fsum(map(mpf, law)) for x in law] for law in (p, q)]
        mechanism = dl.FinitePair(p=p, q=q)
        found = [mechanism.tradeoff().renyi(order) for order in sorted(ORDERS)]
        assert all(b >= a * (1 - 4e-15) for a, b in itertools.pairwise(found))
        for order in ORDERS:
            answer, truth = dl.Renyi(order=order).of(mechanism), both(*exact, order)
            assert answer.low <= truth <= answer.high


def test_outcomes_of_one_world_at_orders_below_one():
    cases = [
        ([0.1, 0.9, 0.0], [0.1, 0.9, 1e-17]),
        ([0.1, 0.9, 1e-30], [0.1, 0.9, 0.0]),
        ([0.25, 0.5, 0.25, 0.0], [0.0, 0.25, 0.5, 0.25]),
        ([1.0, 0.0], [1e-40, 1.0]),
    ]
    for p, q in cases:
        exact = [[mpf(x) / fsum(map(mpf, law)) for x in law] for law in (p, q)]
        check(dl.FinitePair(p=p, q=q), *exact, [1e-300, 1e-6, 0.2, 0.5, 0.8, 1 - 1e-9, 1.0, 2.0])


@pytest.mark.parametrize("delta", [1e-30, 1e-12, 1e-3, 0.4])
@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 2.0])
def test_approximate_guarantees_at_orders_below_one(epsilon, delta):
    e, d = exp(mpf(epsilon)), mpf(delta)
    p = [d, (1 - d) * e / (1 + e), (1 - d) / (1 + e), mpf(0)]
    check(dl.ApproximateDP(epsilon=epsilon, delta=delta), p, p[::-1], [1e-6, 0.2, 0.5, 0.8, 1 - 1e-9])


@pytest.mark.parametrize("n", [1, 2, 10**7])
def test_uniform_sampling_at_orders_below_one(n):
    for mu in (1e-4, 0.3, 20.0):
        d = -expm1(-mpf(mu)) / n
        check(
            dl.UniformSampling(mu=mu, n=n, neighbours="replace"),
            [d, 1 - d, mpf(0)],
            [mpf(0), 1 - d, d],
            [1e-6, 0.2, 0.5, 0.8, 1 - 1e-9],
        )


@pytest.mark.parametrize("order", [0.1, 0.5, 0.999, 1.0, 2.0])
def test_a_release_that_always_fails(order):
    assert dl.Renyi(order=order).of(dl.Gaussian(sigma=1.0).fails_with(1.0)) == math.inf


def test_two_guarantees_together_allow_less_than_each():
    """The slope of the larger of two curves, squared and integrated piece by piece between their crossings."""
    mp.dps = 30
    mu, e = mpf(1.2), mpf(1)
    # at small alphas and, by symmetry, at large ones the pure guarantee is the better one; in between the Gaussian
    cross = findroot(lambda z: ncdf(z - mu) - (1 - exp(e) * ncdf(-z)), mpf(0.6))
    alpha, beta = ncdf(-cross), ncdf(cross - mu)
    middle = quad(lambda z: exp(2 * mu * z - mu**2) * npdf(z), [sqrt(2) * erfinv(1 - 2 * beta), cross])
    truth = log(exp(2 * e) * alpha + middle + exp(-2 * e) * (1 - beta))
    answer = dl.Renyi(order=2.0).of(dl.supremum(dl.ApproximateDP(epsilon=1.0), dl.GaussianDP(mu=1.2)))
    assert answer.low <= truth <= answer.high
    assert answer.low >= truth * (1 - mpf("1e-5"))
