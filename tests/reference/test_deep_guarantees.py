"""Rényi and concentrated guarantees far out: between Gaussians that satisfy them and what one order implies."""

import math

import numpy as np
import pytest
from mpmath import erfc, exp, findroot, log, mp, mpf, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")
ORDERS = list(range(2, 65))


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(40):
        yield


def log_tail(x):
    """log Φ(x)."""
    return log(erfc(-x / sqrt(mpf(2))) / 2)


def quantile(log_alpha):
    """The x with log Φ(x) = log_alpha, deep in the lower tail."""
    return findroot(lambda x: log_tail(x) - log_alpha, -sqrt(-2 * log_alpha) * mpf("0.98"))


def gaussian_log_power(mu, log_alpha):
    return log_tail(quantile(log_alpha) + mu)


def gaussian_delta(mu, epsilon):
    mu, e = mpf(mu), mpf(epsilon)
    return exp(log_tail(mu / 2 - e / mu)) - exp(e + log_tail(-mu / 2 - e / mu))


def gaussian_epsilon(mu, delta):
    start = mpf(mu) ** 2 / 2 + mu * sqrt(-2 * log(mpf(delta)))
    return findroot(lambda e: log(gaussian_delta(mu, e)) - log(mpf(delta)), (start * mpf("0.9"), start))


def one_order_epsilon(bound, order, delta):
    """Canonne, Kamath & Steinke (2020), Proposition 12, from the definition of delta."""
    a = mpf(order)
    return bound + (log(1 / mpf(delta)) + (a - 1) * log(1 - 1 / a) - log(a)) / (a - 1)


@pytest.mark.parametrize(("rho", "delta"), [(0.5, 1e-5), (0.5, 1e-200), (50.0, 1e-5), (20.0, 1e-30)])
def test_epsilon_of_concentrated_guarantees(rho, delta):
    mu = sqrt(2 * mpf(rho))
    least = gaussian_epsilon(mu, delta)
    most = min(one_order_epsilon(rho * a, a, delta) for a in 1 + np.geomspace(1e-3, 1e3, 400))
    answer = dl.Epsilon(delta=delta).of(dl.ZeroConcentratedDP(rho=rho))
    assert least <= answer.low
    assert answer.high <= most * (1 + mpf("1e-12"))
    assert answer.high - answer.low <= 1e-9 * answer.high


@pytest.mark.parametrize("epsilon", [700.0, 1250.0, 1400.0, 2500.0])
def test_delta_of_a_weak_concentrated_guarantee(epsilon):
    answer = dl.Delta(epsilon=epsilon).of(dl.ZeroConcentratedDP(rho=1250.0))
    orders = 1 + np.geomspace(1e-6, 10, 600)
    most = min(exp((a - 1) * (1250 * mpf(a) - epsilon)) * (1 - 1 / mpf(a)) ** (a - 1) / a for a in orders)
    assert gaussian_delta(50, epsilon) <= answer.high
    assert answer.low <= min(most, 1)


@pytest.mark.parametrize("exponent", [-289, -291, -300, -307])
def test_power_at_the_smallest_alphas(exponent):
    curve = dl.RenyiDP(orders=ORDERS, epsilons=[a / 2 for a in ORDERS]).tradeoff()
    alpha = float(f"1e{exponent}")
    least = exp(gaussian_log_power(1, log(mpf(alpha))))
    # power^a·alpha^{1−a} ≤ e^{(a−1)·a/2}
    most = min(exp((1 - 1 / mpf(a)) * (log(mpf(alpha)) + mpf(a) / 2)) for a in ORDERS)
    assert least <= curve.power(alpha) <= most * (1 + mpf(curve.certificate.tolerance))
    assert curve.power(alpha) <= 1.3 * least


def test_bounds_too_large_to_bind():
    curve = dl.RenyiDP(orders=[1.5, 2, 10], epsilons=[700, 700, 1400]).tradeoff()
    # order 10: power ≤ alpha^{0.9}·e^{0.9·1400}, which is more than 1, and so are the others
    assert curve.power(1e-300) >= 1 - 1e-300
    assert curve.power(1e-10) >= 1 - 1e-300


def test_a_bound_that_leaves_losses_beyond_the_floats():
    """Kullback–Leibler at most 1: an epsilon of 1e5 at a delta of 1e-5, of which alphas that are floats show 660."""
    answer = dl.Epsilon(delta=1e-5).of(dl.RenyiDP(orders=[1.0], epsilons=[1.0]))
    assert answer.low <= 99988.487 <= answer.high


def test_a_supremum_beyond_the_floats_keeps_its_parts():
    curve = dl.supremum(dl.GaussianDP(mu=50), dl.ApproximateDP(epsilon=5000))
    truth = gaussian_epsilon(50, 1e-5)
    assert truth <= curve.epsilon(1e-5) <= truth * (1 + mpf("1e-9"))
    assert curve.delta(1250.0) >= gaussian_delta(50, 1250)
    assert curve.epsilon(0.0) == pytest.approx(5000)


def test_a_group_beyond_the_floats_is_not_said_to_be_safe():
    curve = dl.supremum(dl.GaussianDP(mu=30), dl.ApproximateDP(epsilon=5000)).group(2)
    assert curve.epsilon(1e-5) >= gaussian_epsilon(60, 1e-5)
    assert curve.delta(1800.0) >= gaussian_delta(60, 1800)


@pytest.mark.parametrize("orders", [[1000.0], [2.0], [1.0], [1.0, 1.5, 40.0]])
def test_finite_orders_imply_no_gaussian_guarantee(orders):
    """Order a allows power ~ alpha^{1−1/a}, and Φ(Φ⁻¹(alpha) + mu) = alpha^{1−o(1)} whatever mu."""
    mechanism = dl.RenyiDP(orders=orders, epsilons=[1.0] * len(orders))
    assert dl.Mu().of(mechanism).high == math.inf


def test_order_infinity_implies_one():
    answer = dl.Mu().of(dl.RenyiDP(orders=[2.0, math.inf], epsilons=[0.5, 1.0]))
    pure = dl.Mu().of(dl.ApproximateDP(epsilon=1.0))
    assert 0 < answer.low <= answer.high <= pure.high


LEVEL = {
    "two gaussians": (dl.supremum(dl.GaussianDP(mu=1.0), dl.GaussianDP(mu=2.0)), 1),
    "a gaussian and a looser guarantee": (
        dl.supremum(dl.GaussianDP(mu=1.0), dl.ApproximateDP(epsilon=1, delta=0.01)),
        1,
    ),
    "their group": (dl.supremum(dl.GaussianDP(mu=1.0), dl.ApproximateDP(epsilon=1, delta=0.01)).group(2), 2),
    "worst of two gaussians": (dl.infimum(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0)), 1),
    "worst of gaussian and laplace": (dl.infimum(dl.Gaussian(sigma=1.0), dl.Laplace(scale=2.0)), 1),
}


@pytest.mark.parametrize("name", LEVEL)
def test_mu_of_curves_that_are_gaussian_far_out(name):
    curve, truth = LEVEL[name]
    answer = dl.Mu().of(curve)
    assert answer.low <= truth <= answer.high
    assert answer.high - answer.low <= 1e-12


def test_a_gaussian_in_disguise_is_no_looser_than_its_mu():
    assert dl.supremum(dl.GaussianDP(mu=1.0), dl.GaussianDP(mu=2.0)).mu_looseness() == 0.0


@pytest.mark.parametrize(
    ("question", "rho"), [(dl.Mu(), 1e-4), (dl.AUC(), 1e-4), (dl.Advantage(), 1e-4), (dl.FScore(), 0.5)]
)
def test_concentrated_guarantees_are_no_safer_than_gaussians(question, rho):
    answer = question.of(dl.ZeroConcentratedDP(rho=rho))
    # a Gaussian of the same rho satisfies the guarantee, so it is no riskier
    assert answer.high >= question.of(dl.GaussianDP(mu=math.sqrt(2 * rho))).low


@pytest.mark.parametrize("question", [dl.AUC(), dl.Epsilon(delta=1e-6)])
def test_many_orders_are_no_safer_than_a_gaussian(question):
    orders = np.linspace(1.1, 64, 200)
    answer = question.of(dl.RenyiDP(orders=orders, epsilons=orders / 2))
    assert answer.high >= question.of(dl.GaussianDP(mu=1.0)).low


def kullback_leibler_beta(bound, alpha):
    """The least beta with D(P‖Q) ≤ bound and D(Q‖P) ≤ bound for the coins alpha and 1 − beta, by bisection."""
    a, c, bound = mpf(alpha), 1 - mpf(alpha), mpf(bound)

    def backward(s):
        return a * (log(a) - mp.log1p(-exp(s))) + c * (log(c) - s) - bound

    def forward(s):
        power = -mp.expm1(s)
        return power * log(power / a) + exp(s) * (s - log(c)) - bound

    found = []
    for excess in (backward, forward):
        low, high = mpf(-1000), log(c)
        if excess(low) < 0:
            continue
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        found.append(exp(low))
    return max(found)


@pytest.mark.parametrize("bound", [0.01, 0.3, 3.0])
def test_order_one_alone_leaves_little_to_large_alphas(bound):
    curve = dl.RenyiDP(orders=[1], epsilons=[bound]).tradeoff()
    edge = float(1 - mpf(bound) / 700)  # beta leaves the floats a little beyond
    for alpha in (1e-6, 0.3, 0.9, 0.99, (1 + edge) / 2 - 0.5 * (1 - edge), edge, 1 - (1 - edge) * 1.3):
        truth = kullback_leibler_beta(bound, alpha)
        mild = curve.readings()[1].beta(alpha)
        assert curve(alpha) <= truth <= mild
        if truth > 1e-303:
            assert mild - curve(alpha) <= mpf("2e-12") * truth
        answer = dl.PosteriorAfterNegative(prior=0.5, fpr=alpha).of(curve)
        assert answer.low <= truth / (1 - mpf(alpha) + truth) <= answer.high


def test_rates_far_below_any_alpha_that_matters_are_enclosed():
    # the root of the binary Kullback–Leibler inequality, solved with 600 digits
    answer = dl.AttackPower(fpr=1e-250).of(dl.RenyiDP(orders=[1], epsilons=[0.00011574322589972702]))
    assert answer.low <= 2.0695946592065787e-07 <= answer.high
    assert answer.high <= answer.low * (1 + 2e-12)


@pytest.mark.parametrize("order", [1e10, 1e100, 1e300])
def test_an_order_so_large_that_it_bounds_nearly_every_loss(order):
    """Power is at most alpha·e^0.4 times a root of so high an order that it makes no difference."""
    huge = dl.RenyiDP(orders=[2.0, 4.0, order], epsilons=[0.1, 0.2, 0.4])
    pure = dl.RenyiDP(orders=[2.0, 4.0, math.inf], epsilons=[0.1, 0.2, 0.4])
    assert dl.Delta(epsilon=1.0).of(huge).high <= 1e-290
    for question in (dl.Advantage(), dl.AttackPower(fpr=0.01), dl.Delta(epsilon=0.2), dl.Delta(epsilon=10.0)):
        found, limit = question.of(huge), question.of(pure)
        assert found.high >= limit.low
        assert found.low <= limit.high + 1e-7
