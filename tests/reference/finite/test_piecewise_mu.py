"""The tightest mu of finite pairs: the largest distance of quantiles over the vertices, with 300 digits."""

import numpy as np
import pytest
from mpmath import erfc, exp, fsum, log, mp, mpf, pi, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(300):
        yield


def quantile(p):
    """Φ⁻¹(p), by Newton's steps on the logarithm of the tail."""
    if p > 0.5:
        return -quantile(1 - p)
    z = -sqrt(-2 * log(2 * p))
    for _ in range(200):
        tail, density = erfc(-z / sqrt(2)) / 2, exp(-z * z / 2) / sqrt(2 * pi)
        step = (log(p) - log(tail)) * tail / density
        z += step
        if abs(step) < mpf(10) ** -40:
            return z
    raise AssertionError


def tightest(p, q):
    best, alpha, power = mpf(0), mpf(0), mpf(0)
    for x, y in sorted(zip(p, q), key=lambda pair: pair[0] / pair[1])[:-1]:
        alpha, power = alpha + x, power + y
        best = max(best, quantile(power) - quantile(alpha))
    return best


@pytest.mark.parametrize("epsilon", [1e-12, 1e-4, 0.01, 0.3, 3.0, 40.0])
@pytest.mark.parametrize("categories", [3, 10, 10**6, 10**30])
def test_randomised_response(epsilon, categories):
    e = exp(mpf(epsilon))
    rest = e + categories - 1
    p, q = ([x / rest, y / rest, (categories - 2) / rest] for x, y in ((e, 1), (1, e)))
    truth, answer = tightest(p, q), dl.Mu().of(dl.RandomizedResponse(epsilon=epsilon, categories=categories))
    assert answer.low <= truth <= answer.high
    assert answer.high - answer.low <= mpf("1e-12") * truth + mpf("2e-13")


def test_finite_pairs():
    rng = np.random.default_rng(4)
    for spread in (1e-9, 1e-4, 1e-2, 0.5, 4.0):
        for thin in (1.0, 1e-12, 1e-200):
            p = rng.dirichlet(np.ones(5)) * np.array([thin, 1, thin, 1, 1])
            q = p * np.exp(spread * rng.uniform(-1, 1, 5))
            p, q = p / p.sum(), q / q.sum()
            exact = [[mpf(x) / fsum(map(mpf, law)) for x in law] for law in (p, q)]
            truth, answer = tightest(*exact), dl.Mu().of(dl.FinitePair(p=p, q=q))
            assert answer.low <= truth <= answer.high
            assert answer.high - answer.low <= mpf("1e-12") * truth + mpf("2e-13")


@pytest.mark.parametrize(("epsilon", "shift"), [(1e-4, 1), (1e-3, 3), (0.3, 7), (2.0, 40)])
def test_geometric_noise(epsilon, shift):
    scale = shift / epsilon
    r = exp(-1 / mpf(scale))
    p = [1 / (1 + r), *((1 - r) / (1 + r) * r**j for j in range(1, shift)), r**shift / (1 + r)]
    truth, answer = tightest(p, p[::-1]), dl.Mu().of(dl.Geometric(scale=scale, sensitivity=shift))
    assert answer.low <= truth <= answer.high
    assert answer.high - answer.low <= mpf("1e-12") * truth + mpf("2e-13")
