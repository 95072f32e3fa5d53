"""Curves of groups under finite pairs, against the curve of one record iterated with 50 digits."""

import math

import pytest
from mpmath import erfinv, exp, log, mp, mpf, ncdf, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")
ALPHAS = (1e-200, 1e-30, 1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999)


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


def roc(p, q):
    """Power as a function of alpha: outcomes taken in the order of q/p, the last one with a coin."""
    pairs = sorted(zip(p, q), key=lambda x: x[0] / x[1] if x[1] else mpf("inf"))

    def power(alpha):
        used = won = mpf(0)
        for mass, gain in pairs:
            if used + mass >= alpha:
                return won + gain * (alpha - used) / mass if mass else won
            used, won = used + mass, won + gain
        return mpf(1)

    return power


def response(epsilon, categories):
    """Randomised response: the masses of the true category, of the other one, and of all the rest."""
    e = exp(mpf(epsilon))
    likely = e / (e + categories - 1)
    p = [likely, likely / e, (categories - 2) * likely / e]
    return p, [p[1], p[0], p[2]]


@pytest.mark.parametrize("size", [2, 7, 40])
@pytest.mark.parametrize("categories", [2, 4])
def test_groups_under_randomised_response(categories, size):
    step = roc(*response(0.3, categories))
    curve = dl.RandomizedResponse(epsilon=0.3, categories=categories).group(size).tradeoff()
    for alpha in ALPHAS:
        truth = mpf(alpha)
        for _ in range(size):
            truth = step(truth)
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)
        assert curve(alpha) <= 1 - truth <= curve.readings()[1].beta(alpha)
        assert curve.power(alpha) <= truth * (1 + mpf("1e-12"))
        assert curve(alpha) >= (1 - truth) * (1 - mpf("1e-11"))


@pytest.mark.parametrize("masses", [(5, 3, 4, 2, 1, 1), (4, 4, 3, 5, 0, 0), (9, 2, 1, 2, 2, 0)])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_groups_under_pairs_with_a_vertex_in_the_middle(masses, size):
    p = [m / sum(masses) for m in masses]
    step = roc([mpf(x) for x in p], [mpf(x) for x in p[::-1]])
    curve = dl.FinitePair(p=p, q=p[::-1]).group(size).tradeoff()
    for alpha in (1e-30, 1e-3, 0.01, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.999):
        truth = mpf(alpha)
        for _ in range(size):
            truth = step(truth)
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)
        assert curve(alpha) <= 1 - truth <= curve.readings()[1].beta(alpha)
        assert curve.power(alpha) <= truth * (1 + mpf("1e-12"))


@pytest.mark.parametrize("size", [3, 20])
def test_groups_under_a_pair_with_proofs(size):
    p, q = [0.375, 0.5, 0.125, 0.0], [0.0, 0.125, 0.5, 0.375]
    step = roc([mpf(x) for x in p], [mpf(x) for x in q])
    curve = dl.FinitePair(p=p, q=q).group(size).tradeoff()
    for alpha in ALPHAS:
        truth = mpf(alpha)
        for _ in range(size):
            truth = step(truth)
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_groups_in_which_only_proofs_and_a_middle_are_left(size):
    """The middle is its own mirror image: losses that cancel leave a last digit, and its mass counts once."""
    p = [0.25956892695877504, 0.33379394, 0.21541143, 0.1912257, 0.0]
    p[0] = 1 - sum(p[1:])
    exact = [mpf(x) / sum(map(mpf, p)) for x in p]
    step, curve = roc(exact, exact[::-1]), dl.FinitePair(p=p, q=p[::-1]).group(size).tradeoff()
    for alpha in (1e-135, 0.01, 0.02, 0.2):
        truth = mpf(alpha)
        for _ in range(size):
            truth = min(step(truth), mpf(1))
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)
        assert curve(alpha) <= 1 - truth


@pytest.mark.parametrize(("size", "epsilon"), [(10_000, 1e-3), (10**6, 1e-6), (10**9, 1e-9)])
def test_large_groups_under_a_pure_guarantee(size, epsilon):
    """alpha < 1/(1 + e^eps) is multiplied by e^eps in a step, 1 − alpha above it by e^−eps."""
    curve = dl.RandomizedResponse(epsilon=epsilon).group(size).tradeoff()
    e, vertex = mpf(epsilon), 1 / (1 + exp(mpf(epsilon)))
    for alpha in (1e-30, 1e-6, 1e-3, 0.1, 0.45, 0.499):
        rising = min(int(mp.floor(log(vertex / mpf(alpha)) / e)) + 1, size)
        missed = (1 - mpf(alpha) * exp(e * rising)) * exp(-e * (size - rising))
        assert curve(alpha) <= missed <= curve.readings()[1].beta(alpha)
        assert curve(alpha) >= missed * (1 - mpf("1e-9"))


def test_large_groups_under_other_pairs():
    curve = dl.RandomizedResponse(epsilon=1e-3, categories=4).group(10_000).tradeoff()
    assert curve.epsilon(0.0) == pytest.approx(10.0, rel=1e-11)


@pytest.mark.parametrize(("epsilon", "size"), [(50.0, 16), (50.0, 17), (20.0, 128), (45.0, 400)])
def test_groups_whose_losses_leave_the_floats(epsilon, size):
    """e^−(size·eps) is no float: alphas of vertices underflow, the powers and losses that belong to them do not."""
    mechanism = dl.RandomizedResponse(epsilon=epsilon, categories=3).group(size)
    step, curve = roc(*response(epsilon, 3)), mechanism.tradeoff()
    assert curve.epsilon(0.0) == pytest.approx(size * epsilon, rel=1e-13)
    assert dl.failure_mode(mechanism) is dl.FailureMode.NONE
    for alpha in (1e-300, 1e-30, 0.1):
        truth = mpf(alpha)
        for _ in range(size):
            truth = step(truth)
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)
    for depth in (0.5, 0.9):  # the profile: all but the last segments lie above it
        assert 1 - 3 * exp(-mpf(epsilon)) <= curve.delta(depth * size * epsilon) <= 1


def test_groups_under_pairs_with_tiny_masses():
    """Vertices that lie closer together than floats near 1 − alpha or near a power tell apart."""
    mp.dps = 250  # 1 − power falls to 1e-188
    p = [2.5e-20, 0.375, 3e-17, 0.5, 2e-18, 0.125, 7e-28]
    exact = [mpf(x) for x in p]
    exact[3] = 1 - sum(exact[:3] + exact[4:])
    step, curve = roc(exact, exact[::-1]), dl.FinitePair(p=p, q=p[::-1]).group(22).tradeoff()
    for alpha in (1e-280, 1e-200, 1e-90, 5e-38, 1e-9, 0.3, 0.99, 1 - 2**-50):
        truth = mpf(alpha)
        for _ in range(22):
            truth = step(truth)
        assert curve.readings()[1].power(alpha) <= truth <= curve.power(alpha)
        assert curve(alpha) <= 1 - truth <= curve.readings()[1].beta(alpha)
    assert curve.epsilon(0.0) == pytest.approx(22 * float(log(exact[0] / exact[-1])), rel=1e-13)


@pytest.mark.parametrize(("rho", "size"), [(0.01, 3), (0.01, 9), (1e-6, 500), (1e-9, 10**5)])
def test_groups_under_concentrated_guarantees(rho, size):
    """No safer than a Gaussian release of that rho, whose groups are known; no looser than one inequality leaves."""
    curve, total = dl.ZeroConcentratedDP(rho=rho).tradeoff().group(size), mpf(rho) * size**2
    mu = sqrt(2 * total)
    for alpha in (1e-12, 1e-3, 0.3):
        gaussian = ncdf(mu - sqrt(2) * erfinv(1 - 2 * mpf(alpha)))
        # power^a·alpha^(1 − a) is one term of the moment, which is at most e^{a·(a − 1)·total}
        orders = (1 + mpf(1.1) ** k for k in range(-40, 40))
        loosest = min(mpf(alpha) ** (1 - 1 / a) * exp((a - 1) * total) for a in orders)
        assert gaussian <= curve.power(alpha) <= loosest


@pytest.mark.parametrize("m", [dl.Gaussian(sigma=0.02), dl.Laplace(scale=0.02), dl.Exponential(epsilon=50.0)])
def test_losses_beyond_all_floats(m):
    curve = m.group(10**308).tradeoff()
    assert curve.power(0.1) == 1
    assert curve(0.1) == 0
    assert curve.epsilon(1e-5) >= 1e307


@pytest.mark.parametrize("size", [10**9, 10**20, 10**307])
@pytest.mark.parametrize(("epsilon", "delta"), [(1e-3, 1e-9), (0.0, 1e-5), (1.0, 1e-300)])
def test_groups_to_whom_all_is_told_are_known_to_be(epsilon, delta, size):
    group = dl.ApproximateDP(epsilon=epsilon, delta=delta).group(size)
    found = dl.Advantage().of(group)
    assert 1 - 1e-9 < found.low <= found.high == 1
    assert dl.Epsilon(delta=1e-3).of(group).low == math.inf
