"""Closed forms against 40-digit references, and calibration against both."""

import math
import warnings

import pytest
from mpmath import mp, mpf

import dplens as dl

mp.dps = 40
WITHIN = 1e-9


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def quantile(p):
    """Φ⁻¹(p) by bisection from its definition."""
    low, high = mpf(-40), mpf(40)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if phi(middle) < p else (low, middle)
    return (low + high) / 2


def root(rising, low, high):
    """Where an increasing function crosses 0."""
    low, high = mpf(low), mpf(high)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def gaussian_delta(mu, epsilon):
    return phi(mu / 2 - epsilon / mu) - mp.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def liu_f(epsilon, weight, prior):
    """The largest F-score against Laplace noise over thresholds on the output, from the definition."""
    w2, p = mpf(weight) ** 2, mpf(prior)

    def score(theta):
        alpha = mp.exp(-theta) / 2 if theta >= 0 else 1 - mp.exp(theta) / 2
        t = theta - epsilon
        power = mp.exp(-t) / 2 if t >= 0 else 1 - mp.exp(t) / 2
        return (1 + w2) * p * power / (w2 * p + p * power + (1 - p) * alpha)

    low, high = mpf(-1), epsilon + 1
    for _ in range(140):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if score(a) < score(b) else (low, b)
    return max(score((low + high) / 2), (1 + w2) * p / (w2 * p + 1))


ONE = mpf(1)
GAUSSIAN = {
    dl.Advantage().at_most(0.1): 2 * quantile((1 + mpf(0.1)) / 2),
    dl.AUC().at_most(0.7): mp.sqrt(2) * quantile(mpf(0.7)),
    dl.AttackPower(fpr=0.01).at_most(0.05): quantile(mpf(0.05)) - quantile(mpf(0.01)),
    dl.AttackPower(fpr=1e-9).at_most(1e-6): quantile(mpf(1e-6)) - quantile(mpf(1e-9)),
    dl.MinFPR(fnr=0.1).at_least(0.5): -quantile(mpf(0.5)) - quantile(mpf(0.1)),
    dl.RelativeRisk(fpr=0.001).at_most(20.0): quantile(20 * mpf(0.001)) - quantile(mpf(0.001)),
    dl.Epsilon(delta=1e-5).at_most(1.0): root(lambda m: gaussian_delta(m, ONE) - mpf(1e-5), "1e-3", 10),
    dl.Epsilon(delta=1e-12).at_most(0.1): root(lambda m: gaussian_delta(m, mpf(0.1)) - mpf(1e-12), "1e-4", 10),
    dl.Delta(epsilon=3.0).at_most(1e-30): root(lambda m: gaussian_delta(m, mpf(3)) - mpf(1e-30), "1e-3", 10),
    dl.Accuracy().at_most(0.6): 2 * quantile(mpf(0.6)),
    dl.Renyi(order=8.0).at_most(1.0): mp.sqrt(2 * ONE / 8),
    dl.Mu().at_most(1.0): ONE,
}


@pytest.mark.parametrize("requirement", GAUSSIAN, ids=str)
def test_gaussian_noise_is_the_least_that_will_do(requirement):
    fit = dl.calibrate(lambda sigma: dl.Gaussian(sigma=sigma), meet=[requirement])
    excess = fit.value * GAUSSIAN[requirement] - 1
    assert 0 <= excess <= WITHIN
    assert not fit.more_is_riskier


LAPLACE = {
    dl.Advantage().at_most(0.1): -2 * mp.log(1 - mpf(0.1)),
    dl.RelativeRisk().at_most(5.0): mp.log(5),
    dl.Epsilon().at_most(0.7): mpf(0.7),
    dl.MaxPosterior(prior=0.01).at_most(0.05): mp.log(mpf(0.05) / (1 - mpf(0.05)) * (1 - mpf(0.01)) / mpf(0.01)),
    dl.Delta(epsilon=0.5).at_most(0.01): mpf(0.5) - 2 * mp.log(1 - mpf(0.01)),
    dl.FScore(weight=2.0, prior=0.3).at_most(0.8): root(lambda e: liu_f(e, 2.0, 0.3) - mpf(0.8), "0.5", 10),
    dl.Cost(prior=0.5).at_least(0.4): -2 * mp.log(2 * mpf(0.4)),
}


@pytest.mark.parametrize("requirement", LAPLACE, ids=str)
def test_laplace_epsilon_is_the_largest_that_will_do(requirement):
    fit = dl.calibrate(lambda e: dl.Laplace(scale=1.0, sensitivity=e), meet=[requirement])
    assert 0 <= 1 - fit.value / LAPLACE[requirement] <= WITHIN
    assert fit.more_is_riskier


CLOSED = [
    (dl.mu_from_power(0.05, fpr=0.01), GAUSSIAN[dl.AttackPower(fpr=0.01).at_most(0.05)]),
    (dl.mu_from_relative_risk(20.0, fpr=0.001), GAUSSIAN[dl.RelativeRisk(fpr=0.001).at_most(20.0)]),
    (dl.mu_from_auc(0.7), GAUSSIAN[dl.AUC().at_most(0.7)]),
    (dl.mu_from_advantage(0.1), GAUSSIAN[dl.Advantage().at_most(0.1)]),
    (dl.epsilon_from_relative_risk(5.0), mp.log(5)),
    (dl.epsilon_from_fscore(0.8, weight=2.0, prior=0.3), LAPLACE[dl.FScore(weight=2.0, prior=0.3).at_most(0.8)]),
]


@pytest.mark.parametrize(("got", "truth"), CLOSED)
def test_closed_forms(got, truth):
    assert abs(got / truth - 1) <= 1e-14


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.mu_from_power(0.005, fpr=0.01),
        lambda: dl.mu_from_power(1.0, fpr=0.01),
        lambda: dl.mu_from_relative_risk(0.5, fpr=0.01),
        lambda: dl.mu_from_relative_risk(100.0, fpr=0.01),
        lambda: dl.mu_from_auc(0.4),
        lambda: dl.mu_from_advantage(-0.1),
        lambda: dl.epsilon_from_relative_risk(0.9),
        lambda: dl.epsilon_from_fscore(0.66),
        lambda: dl.epsilon_from_fscore(math.nan),
        lambda: dl.gaussian_sigma(epsilon=0.0, delta=1e-5),
        lambda: dl.gaussian_sigma(epsilon=1.0, delta=0.0),
        lambda: dl.gaussian_sigma(epsilon=1.0, delta=1e-5, method="best"),
    ],
)
def test_what_cannot_be_met_is_refused(call):
    with pytest.raises(ValueError, match="Expected"):
        call()


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.99, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1])
def test_gaussian_sigma(epsilon, delta):
    exact = 1 / root(lambda m: gaussian_delta(m, mpf(epsilon)) - mpf(delta), "1e-3", 100)
    assert 0 <= dl.gaussian_sigma(epsilon=epsilon, delta=delta) / exact - 1 <= WITHIN
    formula = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    if epsilon < 1:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert dl.gaussian_sigma(epsilon=epsilon, delta=delta, method="classical") == pytest.approx(formula)
        assert formula >= exact
    else:
        enough = gaussian_delta(1 / mpf(formula), mpf(epsilon)) <= mpf(delta)
        with pytest.warns(dl.DplensWarning, match="happens to be enough" if enough else "more than was asked for"):
            dl.gaussian_sigma(epsilon=epsilon, delta=delta, method="classical")
    doubled = dl.gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=2.0)
    assert 0 <= doubled / (2 * exact) - 1 <= WITHIN


@pytest.mark.parametrize("excess", [1e-13, 1e-7, 1e-3, 0.5])
@pytest.mark.parametrize("fpr", [1e-200, 1e-9, 0.3, 0.6])
def test_small_risks_keep_their_digits(fpr, excess):
    """Where the power is next to the false-positive rate the difference of two quantiles would lose them."""
    mp.dps = 60
    start, risk = quantile(mpf(fpr)), 1 + excess
    expected = quantile(mpf(risk) * mpf(fpr)) - start
    assert dl.mu_from_relative_risk(risk, fpr=fpr) == pytest.approx(float(expected), rel=1e-12)
    power = fpr * risk
    assert dl.mu_from_power(power, fpr=fpr) == pytest.approx(float(quantile(mpf(power)) - start), rel=1e-12)
    mp.dps = 40


@pytest.mark.parametrize("method", ["analytic", "classical"])
def test_neighbours_of_a_sigma_are_checked(method):
    with pytest.raises(ValueError, match="neighbours to be 'add_remove' or 'replace', got 'foo'"):
        dl.gaussian_sigma(epsilon=0.5, delta=1e-5, method=method, neighbours="foo")
