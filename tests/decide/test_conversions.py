"""Lossless conversions there and back, lossy ones on their safe side of 40-digit references."""

import json
import math

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl
from tests.decide.test_closed_forms import gaussian_delta, phi, quantile, root

MUS = [0.1, 0.5, 1.0, 2.0, 4.0, 6.0]


def gaussian_epsilon(mu, delta):
    """The least epsilon at delta, from the profile."""
    return root(lambda e: mpf(delta) - gaussian_delta(mpf(mu), e), 0, 200)


def laplace_divergence(order, epsilon):
    a, e = mpf(order), mpf(epsilon)
    return mp.log(a / (2 * a - 1) * mp.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * mp.exp(-a * e)) / (a - 1)


@pytest.mark.parametrize("mu", MUS)
def test_gaussian_there_and_back(mu):
    c = dl.conversions(dl.GaussianDP(mu=mu), delta=1e-5)
    assert float(c.mu) == pytest.approx(mu, rel=1e-14)
    assert c.mu_looseness == pytest.approx(0.0, abs=1e-12)
    assert dl.mu_from_advantage(c.advantage) == pytest.approx(mu, rel=1e-12)
    if mu < 4:  # an area next to 1 has too few digits left to come back from
        assert dl.mu_from_auc(c.auc) == pytest.approx(mu, rel=1e-9)
    for fpr, power in c.roc:
        if 0 < fpr < 1 and power < 0.99:
            assert dl.mu_from_power(power, fpr=fpr) == pytest.approx(mu, rel=1e-9)
    for order, divergence in c.renyi:
        assert math.sqrt(2 * divergence / order) == pytest.approx(mu, rel=1e-12)
    assert math.sqrt(2 * c.zcdp) == pytest.approx(mu, rel=1e-12)
    back = dl.calibrate(lambda m: dl.GaussianDP(mu=m), meet=[dl.Epsilon(delta=1e-5).at_most(float(c.epsilon))])
    assert back.value == pytest.approx(mu, rel=2e-9)


@pytest.mark.parametrize("mu", MUS)
def test_gaussian_against_references(mu):
    c = dl.conversions(dl.GaussianDP(mu=mu), delta=1e-5)
    m = mpf(mu)
    truths = [(c.epsilon, gaussian_epsilon(mu, 1e-5)), (c.advantage, 2 * phi(m / 2) - 1), (c.auc, phi(m / mp.sqrt(2)))]
    truths += [(d, gaussian_delta(m, mpf(e))) for e, d in c.profile]
    truths += [(t, phi(m + quantile(mpf(a)))) for a, t in c.roc if 0 < a < 1]
    truths += [(x, mpf(a) * m * m / 2) for a, x in c.renyi] + [(c.zcdp, m * m / 2)]
    for got, truth in truths:
        assert got.low <= truth <= got.high
        assert got.high - got.low <= 1e-9 * max(got.high, 1e-300)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_laplace_there_and_back(epsilon):
    c = dl.conversions(dl.Laplace(scale=1.0, sensitivity=epsilon), delta=1e-5)
    assert float(c.pure_epsilon) == pytest.approx(epsilon, rel=1e-15)
    assert -2 * math.log1p(-c.advantage) == pytest.approx(epsilon, rel=1e-12)
    for e, d in c.profile:
        if e < epsilon:
            assert e - 2 * math.log1p(-d) == pytest.approx(epsilon, rel=1e-12)
        else:
            assert d == 0
    assert c.failure is dl.FailureMode.NONE


RELEASES = [
    dl.Laplace(scale=1.0),
    dl.RandomizedResponse(epsilon=1.0, categories=3),
    dl.Exponential(epsilon=2.0),
    dl.Geometric(scale=2.0, sensitivity=2),
    dl.compose(dl.Gaussian(sigma=2.0), dl.Gaussian(sigma=3.0)),
]


@pytest.mark.parametrize("release", RELEASES, ids=lambda m: type(m).__name__)
def test_the_profile_gives_the_curve_back(release):
    """f = sup over epsilon of f_{epsilon, delta(epsilon)}: from below, and close where the epsilons are."""
    f = release.tradeoff()
    epsilons = np.linspace(0, 6, 601)
    c = dl.conversions(release, epsilons=epsilons)
    alphas = np.array([1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.99])
    rebuilt = np.zeros_like(alphas)
    for e, d in c.profile:
        one = np.maximum(1 - d - math.exp(e) * alphas, math.exp(-e) * (1 - d - alphas))
        rebuilt = np.maximum(rebuilt, one)
    truth = np.array([1 - dl.AttackPower(fpr=float(a)).of(release).low for a in alphas])
    assert (rebuilt <= truth * (1 + 1e-12)).all()
    assert (rebuilt >= f(alphas) - 2e-5).all()


@pytest.mark.parametrize("release", RELEASES, ids=lambda m: type(m).__name__)
def test_lossy_notions_err_on_the_safe_side(release):
    c = dl.conversions(release, delta=1e-5)
    gaussian = dl.GaussianDP(mu=float(c.mu))
    for fpr, power in c.roc:
        assert power.low <= dl.AttackPower(fpr=fpr).of(gaussian).high
    for order, divergence in c.renyi:
        assert divergence.low <= c.zcdp.high * order * (1 + 1e-12)
    for route in (c.routes.standard, c.routes.improved):
        assert route.epsilon >= c.epsilon.low
        assert route.loss == pytest.approx(route.epsilon - c.epsilon, abs=1e-15)
    assert c.routes.improved.epsilon <= c.routes.standard.epsilon
    assert c.routes.improved.epsilon <= min(c.routes.improved_by_order)
    assert c.routes.standard.epsilon <= min(c.routes.standard_by_order)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_concentration_of_laplace_noise(epsilon):
    c = dl.conversions(dl.Laplace(scale=1.0, sensitivity=epsilon))
    truth = max(laplace_divergence(1 + mpf(k) / 200, epsilon) / (1 + mpf(k) / 200) for k in range(1, 4000))
    truth = max(truth, epsilon + mp.exp(-epsilon) - 1)  # order 1
    assert truth * (1 - mpf(10) ** -9) <= c.zcdp.high <= truth * (1 + mpf(10) ** -5)
    assert c.zcdp.low <= truth * (1 + mpf(10) ** -6)


def test_guarantees_that_say_it_themselves():
    c = dl.conversions(dl.ZeroConcentratedDP(rho=0.3), epsilons=[1.0], fprs=[0.01], orders=[2.0], delta=0.0)
    assert c.zcdp == 0.3
    worst = dl.conversions(dl.ApproximateDP(epsilon=1.0, delta=1e-3))
    assert math.isinf(worst.zcdp)
    assert math.isinf(worst.mu)
    assert worst.failure is dl.FailureMode.CATASTROPHIC


@pytest.mark.parametrize("mu", MUS)
@pytest.mark.parametrize("delta", [1e-5, 1e-12])
def test_renyi_conversions_of_the_gaussian(mu, delta):
    """Kaissis et al., §5: both conversions lose, the improved one less; best standard order in closed form."""
    routes = dl.renyi_routes(dl.GaussianDP(mu=mu), delta=delta)
    m, log = mpf(mu), -mp.log(mpf(delta))
    truth = gaussian_epsilon(mu, delta)
    best_standard = m * m / 2 + m * mp.sqrt(2 * log)
    assert 0 <= routes.standard.epsilon / best_standard - 1 <= 1e-9
    assert routes.standard.order == pytest.approx(float(1 + mp.sqrt(2 * log) / m), rel=1e-3)
    assert truth <= routes.improved.epsilon <= routes.standard.epsilon
    for a, standard, improved in zip(routes.orders, routes.standard_by_order, routes.improved_by_order):
        x = mpf(a)
        divergence = x * m * m / 2
        assert standard == pytest.approx(float(divergence + log / (x - 1)), rel=1e-13)
        exact = divergence + mp.log((x - 1) / x) - (mp.log(mpf(delta)) + mp.log(x)) / (x - 1)
        assert improved == pytest.approx(float(exact), rel=1e-12)
        assert truth <= improved <= standard


def test_kaissis_figure_6():
    """One call a panel: order 2 is good for large psi, order 6 for small ones, and nowhere better than the profile."""
    psi = [0.1 * k for k in range(1, 61)]
    high, low = (dl.conversion_curves(psi, order=a, delta=1e-5) for a in (2.0, 6.0))
    for figure in (high, low):
        for exact, standard, improved in zip(figure.profile, figure.standard, figure.improved):
            assert exact.high <= improved < standard
    for mu, exact in list(zip(psi, high.profile))[::12]:
        assert exact.low <= gaussian_epsilon(mu, 1e-5) <= exact.high
    loss = {f.order: [i - float(p) for i, p in zip(f.improved, f.profile)] for f in (high, low)}
    assert all(loss[2.0][k] < loss[6.0][k] for k in range(60) if psi[k] > 3)
    assert all(loss[6.0][k] < loss[2.0][k] for k in range(60) if 0.5 < psi[k] < 1.5)
    assert min(loss[6.0]) < 0.4  # "almost perfectly", within a narrow interval
    assert loss[6.0][0] > 1  # and an error that grows again towards psi = 0


def test_results_serialise():
    c = dl.conversions(dl.ApproximateDP(epsilon=1.0, delta=1e-3))
    data = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    assert data["mu"]["value"] == "inf"
    assert data["failure"] == "catastrophic"
    figure = dl.conversion_curves([1.0], order=2.0)
    assert json.loads(json.dumps(figure.to_dict(), allow_nan=False))["order"] == 2.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.conversions(3),
        lambda: dl.conversions(dl.Laplace(scale=1.0), delta=1.0),
        lambda: dl.conversions(dl.Laplace(scale=1.0), fprs=[2.0]),
        lambda: dl.renyi_routes(dl.Laplace(scale=1.0), delta=0.0),
        lambda: dl.renyi_routes(dl.Laplace(scale=1.0), orders=[1.0]),
        lambda: dl.renyi_routes(dl.Laplace(scale=1.0), orders=[]),
        lambda: dl.conversion_curves([], order=2.0),
        lambda: dl.conversion_curves([1.0], order=1.0),
        lambda: dl.standard_epsilon(2.0, -1.0, 1e-5),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(dl.DplensError, match="Expected"):
        call()


def test_conversion_without_a_delta_has_no_detour():
    assert dl.conversions(dl.Laplace(scale=1.0), delta=0.0).routes is None


@pytest.mark.parametrize("mu", [1e-7, 1e-3, 1.0, 1e3, 1e6])
def test_the_best_order_is_found_however_far_away(mu):
    """a·mu²/2 + log(1/delta)/(a − 1) is least at a = 1 + √(2·log(1/delta))/mu."""
    root = math.sqrt(2 * math.log(1e5))
    standard = dl.renyi_routes(dl.GaussianDP(mu=mu), delta=1e-5, orders=[2.0]).standard
    assert standard.epsilon == pytest.approx(mu * mu / 2 + mu * root, rel=1e-9)
    assert standard.order - 1 == pytest.approx(root / mu, rel=1e-4)


def test_bounded_losses_have_their_best_order_far_out():
    routes = dl.renyi_routes(dl.Laplace(scale=1.0), delta=1e-5)
    assert 1 <= routes.standard.epsilon <= 1 + 1e-9  # the pure epsilon, at orders without end
    assert 0 <= routes.improved.loss < 1e-9


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_discrete_gaussian_noise_is_concentrated_like_its_continuous_relative(sigma):
    """Canonne, Kamath & Steinke (2020): rho = 1/(2·sigma²), reached at order 2 and at others."""
    found = dl.conversions(dl.DiscreteGaussian(sigma=sigma)).zcdp
    assert found.low <= 1 / (2 * sigma**2) <= found.high
    assert found.high - found.low < 1e-9 * found.high


@pytest.mark.parametrize(
    ("release", "truth"),
    [
        (dl.compose(dl.Laplace(scale=1.0), dl.Gaussian(sigma=2.0)), math.exp(-1) + 1 / 8),
        (dl.DiscreteGaussian(sigma=1.0).repeat(20), 10.0),
        (dl.Laplace(scale=1e8), 5e-17),
    ],
)
def test_concentration_of_releases_adds_up(release, truth):
    """D_a/a is largest at order 1 for Laplace noise (epsilon − 1 + e^−epsilon), the same at all orders for Gaussian."""
    rho = dl.conversions(release).zcdp
    assert rho.low * (1 - 1e-8) <= truth <= rho.high * (1 + 1e-15)
    assert rho.high == pytest.approx(truth, rel=2e-6, abs=0)


def test_no_concentration_is_rounded_to_nothing():
    assert dl.conversions(dl.Laplace(scale=1e180)).zcdp.high > 0
    assert dl.conversions(dl.GaussianDP(mu=1e-180)).zcdp.high > 0


@pytest.mark.parametrize(
    ("mechanism", "truth"), [(dl.Laplace(scale=1.0), 0.037016111), (dl.RandomizedResponse(epsilon=1.0), 0.057546396)]
)
def test_looseness_is_enough_between_the_rates_looked_at(mechanism, truth):
    """Truths by bisection at 50 digits around the worst alpha."""
    assert mechanism.tradeoff().mu_looseness() == pytest.approx(truth, abs=4e-9)
