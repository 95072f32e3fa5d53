"""Where a curve reaches its ends, and where its numbers leave the floats: against 50 digits from the definitions."""

import math

import numpy as np
import pytest
from mpmath import erfc, exp, findroot, fsum, log, mp, mpf, ncdf, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


def approximate(epsilon, delta, alpha):
    e, d, a = mpf(epsilon), mpf(delta), mpf(alpha)
    return max(mpf(0), 1 - d - exp(e) * a, exp(-e) * (1 - d - a))


def near(points):
    """Each point with the floats next to it, and some a little farther off."""
    for x in points:
        for ulps in (0, 1, -1, 2, -2, 7, -7, 1000, -1000):
            yield x + ulps * math.ulp(x)


@pytest.mark.parametrize("delta", [0.7, 0.3, 1e-5, 0.5, 1 / 3])
def test_beta_at_the_foot_of_an_approximate_guarantee(delta):
    for epsilon in (0.1, 1.0, 3.0):
        curve = dl.ApproximateDP(epsilon=epsilon, delta=delta).tradeoff()
        vertex = (1 - delta) / (1 + math.exp(epsilon))
        for alpha in near([1 - delta, vertex, 0.9 * (1 - delta)]):
            truth = approximate(epsilon, delta, alpha)
            read = curve.readings()[1].beta(alpha)
            assert curve(alpha) <= truth <= read
            assert read - curve(alpha) <= 1e-14 * truth + 4e-15 * min(alpha, 1 - alpha) * mpf(math.exp(epsilon))


@pytest.mark.parametrize("kappa", [0.5, 0.1, 0.9, 1e-3, 1e-20])
def test_beta_at_the_foot_of_a_failing_release(kappa):
    curve = dl.Laplace(scale=1.0).fails_with(kappa).tradeoff()
    alphas = [*near([1 - kappa, 0.999 * (1 - kappa)]), 0.4999945207463197, 1e-9]
    for alpha in (a for a in alphas if a < 1):
        keep = 1 - mpf(kappa)
        inner = min(mpf(alpha) / keep, mpf(1))
        if inner <= exp(-1) / 2:
            beta = 1 - mp.e * inner
        else:
            beta = exp(-1) / (4 * inner) if inner <= 0.5 else exp(-1) * (1 - inner)
        truth = keep * beta
        assert curve(alpha) <= truth <= curve.readings()[1].beta(alpha)
        assert curve(alpha) >= truth * (1 - mpf("1e-13"))


def test_losses_of_tiny_masses_keep_their_digits():
    rng = np.random.default_rng(5)
    for exponent in rng.uniform(-300, -1, 50):
        small = 10.0**exponent * rng.uniform(0.1, 1, 2)
        p, q = ([x, 1 - x] for x in small)
        truth = abs(log(mpf(q[0]) / mpf(p[0])))
        answer = dl.Epsilon(delta=0.0).of(dl.FinitePair(p=p, q=q))
        assert answer.low <= truth <= answer.high
        assert answer.high - answer.low <= 1e-14 * truth + 2e-15


def test_nearly_equal_laws():
    """The masses are floats that add up to 1 only up to rounding; the truth is that of the laws made exact."""
    rng = np.random.default_rng(3)
    for size in (1e-11, 1e-8, 1e-5, 1e-3):
        for order in (0.3, 0.5, 1.0, 1.01, 2.0, 7.5, 60.0):
            p = rng.dirichlet(np.ones(4))
            q = p * (1 + size * rng.uniform(-1, 1, 4))
            q /= q.sum()
            exact = []
            for masses in (p, q):
                given = [mpf(x) for x in masses]
                exact.append([x / fsum(given) for x in given])
            pair = dl.FinitePair(p=p, q=q)
            truths = {
                dl.Renyi(order=order): max(divergence(*exact, mpf(order)), divergence(*exact[::-1], mpf(order))),
                dl.Epsilon(delta=0.0): max(abs(log(y / x)) for x, y in zip(*exact)),
                dl.Advantage(): fsum(abs(y - x) for x, y in zip(*exact)) / 2,
            }
            for question, truth in truths.items():
                answer = question.of(pair)
                assert answer.low <= truth <= answer.high, question


def divergence(p, q, order):
    if order == 1:
        return fsum(y * log(y / x) for x, y in zip(p, q))
    return log(fsum(y**order * x ** (1 - order) for x, y in zip(p, q))) / (order - 1)


@pytest.mark.parametrize("mu", [1e-4, 0.1, 1.0, 10.0, 50.0, 74.0])
@pytest.mark.parametrize("prior", [0.5, 0.01, 1e-9, 0.999, 1e-200])
def test_cost_of_gaussian_noise(mu, prior):
    m, p = mpf(mu), mpf(prior)
    loss = log((1 - p) / p)
    truth = (1 - p) * ncdf(-loss / m - m / 2) + p * ncdf(loss / m - m / 2)
    answer = dl.Cost(prior=prior).of(dl.GaussianDP(mu=mu))
    assert answer.low <= truth <= answer.high
    assert answer.high - answer.low <= 1e-12 * truth + mpf("1e-323")


def range_divergence(epsilon, order):
    """The largest divergence of two-point laws with losses t and t − epsilon, by search over t."""
    e = mpf(epsilon)

    def value(t):
        mass = (exp(-t) - exp(-e)) / (1 - exp(-e))
        return divergence([mass, 1 - mass], [mass * exp(t), (1 - mass) * exp(t - e)], order)

    low, high, part = mpf(0), e, (sqrt(mpf(5)) - 1) / 2
    for _ in range(110):
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if value(left) > value(right) else (left, high)
    return value((low + high) / 2)


@pytest.mark.parametrize("epsilon", [1e-4, 1e-2, 0.99, 1.01, 3.0, 1000.0])
def test_divergence_of_bounded_range(epsilon):
    for order in (0.1, 0.5, 1.0, 1.0001, 2.0, 33.0, 12345.6):
        truth = range_divergence(epsilon, mpf(order))
        answer = dl.Renyi(order=order).of(dl.Exponential(epsilon=epsilon))
        assert answer.low <= truth <= answer.high
        assert abs(answer - truth) <= 1e-12 * truth


def pure_mu(epsilon):
    """The root of log Φ(−mu/2) = −log(1 + e^epsilon)."""
    target = -log(1 + exp(mpf(epsilon)))
    return findroot(lambda m: log(erfc(m / sqrt(mpf(8))) / 2) - target, sqrt(8 * mpf(epsilon)))


@pytest.mark.parametrize("epsilon", [650.0, 800.0, 1000.0])
def test_pure_guarantees_too_strong_for_floats(epsilon):
    cases = [
        dl.RandomizedResponse(epsilon=epsilon),
        dl.ApproximateDP(epsilon=epsilon),
        dl.Geometric(scale=1 / epsilon),
    ]
    for mechanism in cases:
        bound = mpf(float(dl.Epsilon(delta=0.0).of(mechanism)))
        found = dl.Renyi(order=2.0).of(mechanism)
        e = mpf(epsilon)
        assert found.low <= log(exp(2 * e) / (1 + exp(e)) + exp(-e) / (1 + exp(e))) <= found.high
        mu = dl.Mu().of(mechanism)
        assert mu.low <= pure_mu(epsilon) * (1 + mpf("1e-14"))
        assert pure_mu(epsilon) <= mu.high
        assert mu.high - mu.low <= 1e-12 * bound


def test_mu_of_strong_laplace_noise():
    for epsilon in (1299.0, 1301.0, 10000.0):
        target = -mpf(epsilon) / 2 - log(mpf(2))
        truth = findroot(lambda m, t=target: log(erfc(m / sqrt(mpf(8))) / 2) - t, 2 * sqrt(mpf(epsilon)))
        answer = dl.Mu().of(dl.Laplace(scale=1 / epsilon))
        assert answer.low <= truth * (1 + mpf("1e-15"))
        assert truth * (1 - mpf("1e-15")) <= answer.high <= truth * (1 + mpf("1e-12"))


STRONG = [dl.Gaussian(sigma=1e-300), dl.GaussianDP(mu=1e200), dl.Staircase(epsilon=1500.0)]


@pytest.mark.parametrize("mechanism", STRONG)
def test_no_protection_at_all_is_said_and_not_raised(mechanism):
    curve = mechanism.tradeoff()
    assert curve(0.1) == 0.0
    assert curve.power(0.1) == 1.0
    assert curve.renyi(2.0) >= 1499
    assert curve.epsilon(0.1) >= 1499
    assert dl.Cost().of(mechanism).low == 0.0
    assert dl.AUC().of(mechanism).high == 1.0


@pytest.mark.parametrize("n", [1, 2, 3, 10**6])
@pytest.mark.parametrize("mu", [1e-9, 1e-3, 0.3, 0.69, 1.0, 30.0, 700.0])
@mp.workdps(400)
def test_beta_at_the_foot_of_a_sampled_record(mu, n):
    mechanism = dl.UniformSampling(mu=mu, n=n, neighbours="replace")
    curve, foot = mechanism.tradeoff(), mpf(1) - (-mp.expm1(-mpf(mu))) / n
    for alpha in [*near([float(foot)]), *(float(foot * (1 - mpf(10) ** -k)) for k in range(1, 15))]:
        if not 0 < alpha < 1:
            continue
        truth = max(foot - mpf(alpha), mpf(0))
        answer = dl.MinFPR(fnr=alpha).of(mechanism)
        assert curve(alpha) <= truth <= curve.readings()[1].beta(alpha)
        assert answer.low <= truth <= answer.high
        known = min(foot, 1 - foot) if n == 1 else (1 - foot)
        assert truth - curve(alpha) <= mpf("3e-15") * truth + mpf("2e-15") * known


def test_beta_beside_proofs_that_are_all_but_certain():
    """A group of four, each of which is given away with probability 1e-6 and otherwise hidden by little noise."""
    mu, kappa = mpf(4), mpf(1e-6)

    def step(alpha):
        inner = alpha / (1 - kappa)
        quantile = findroot(lambda z: log(erfc(z / sqrt(2)) / 2) - log(inner), mpf(3) if inner < 0.5 else mpf(-2))
        return kappa + (1 - kappa) * ncdf(mu - quantile)

    truth = 1 - step(step(step(kappa)))
    curve = dl.Gaussian(sigma=0.25).fails_with(1e-6).tradeoff().group(4)
    for alpha in (0.0, 1e-300):
        assert curve(alpha) <= truth <= curve.readings()[1].beta(alpha)
        assert curve(alpha) >= truth * (1 - mpf("1e-10"))
    best = dl.supremum(curve, dl.ApproximateDP(epsilon=1.0, delta=1.0))
    assert best(0.0) == pytest.approx(curve(0.0), rel=1e-13)


@pytest.mark.parametrize("epsilon", [699.0, 745.5, 959.0, 1300.0])
def test_beta_where_its_factor_underflows(epsilon):
    """e^−eps0/(4·alpha) under Laplace noise, e^−eps0/alpha under a bounded range: floats, though e^−eps0 is none."""
    for alpha in (1e-300, 1e-290, 1e-280):
        shrunk = exp(-mpf(epsilon)) / mpf(alpha)
        for m, odds in (
            (dl.Laplace(scale=1.0, sensitivity=epsilon), shrunk / 4),
            (dl.Exponential(epsilon=epsilon), shrunk / (1 + shrunk)),
        ):
            curve = m.tradeoff()
            assert curve(alpha) <= odds <= curve.readings()[1].beta(alpha)
            assert curve(alpha) >= odds * (1 - mpf("1e-11")) - mpf("1e-306")
