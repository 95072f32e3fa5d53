"""Parameters next to the ends of floats, and values of the wrong kind: an answer or a clear error, never a bare one."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

QUESTIONS = (
    dl.Advantage(),
    dl.AttackPower(fpr=0.01),
    dl.Epsilon(delta=1e-5),
    dl.Delta(epsilon=1.0),
    dl.Mu(),
    dl.Renyi(order=2.0),
)

FAR = {
    "sampled Gaussian, no noise": lambda: dl.Gaussian(sigma=1e-300).subsample(0.3),
    "sampled Gaussians, no noise": lambda: dl.Gaussian(sigma=1e-320).subsample(0.1).repeat(10),
    "sampled Laplace, no noise": lambda: dl.Laplace(scale=1e-300).subsample(0.1).repeat(10),
    "rarely sampled Laplace": lambda: dl.Laplace(scale=1.0).subsample(1e-160).repeat(10),
    "sampled Gaussians, much noise": lambda: dl.Gaussian(sigma=1e300).subsample(0.5).repeat(10),
    "no noise beside Laplace": lambda: dl.compose(dl.Gaussian(sigma=1e-160), dl.Laplace(scale=1.0)),
    "much noise beside Laplace": lambda: dl.compose(dl.Gaussian(sigma=1e16), dl.Laplace(scale=1.0)),
    "Laplace without noise beside Gaussian": lambda: dl.compose(dl.Laplace(scale=1e-300), dl.Gaussian(sigma=1.0)),
    "many releases without noise": lambda: dl.Gaussian(sigma=1e-300).repeat(10**160),
    "a huge group of corners": lambda: dl.TradeOffPoints(alphas=[0, 0.2, 1], betas=[1, 0.2, 0]).group(10**308),
    "two deltas at one epsilon": lambda: dl.PrivacyProfile(epsilons=[0.0, 0.0, 1.0], deltas=[0.4, 0.1, 0.01]),
}


@pytest.mark.parametrize("name", FAR)
def test_far_parameters_have_an_answer_or_a_clear_error(name):
    try:
        release = FAR[name]()
    except dl.DplensError:
        return
    for question in QUESTIONS:
        try:
            answer = question.of(release)
        except dl.DplensError:
            continue
        assert 0 <= answer.low <= answer <= answer.high


@pytest.mark.parametrize("rate", [1e-320, 5e-324])
def test_samples_too_rare_for_floats_are_refused(rate):
    with pytest.raises(dl.DplensError, match="leave the release out"):
        dl.Gaussian(sigma=1.0).subsample(rate)
    with pytest.raises(dl.DplensError, match="leave the release out"):
        dl.DPSGD(noise_multiplier=1.0, sample_rate=rate, steps=10)


WRONG = [None, "x", Decimal("0.5"), Fraction(1, 3), np.longdouble(0.5), 1j, 10**400, np.datetime64("2020-01-01")]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_distributions_with_parameters_of_the_wrong_kind_are_refused(wrong):
    for frozen in (stats.norm(scale=wrong), stats.logistic(wrong), stats.cauchy(scale=wrong)):
        with pytest.raises(dl.DplensError):
            dl.AdditiveNoise(noise=frozen)
        with pytest.raises(dl.DplensError):
            dl.ContinuousPair(p=stats.norm(), q=frozen)


@pytest.mark.parametrize("scale", [float("inf"), 1e308, float("nan")])
def test_distributions_without_a_spread_are_refused(scale):
    with pytest.raises(dl.DplensError):
        dl.AdditiveNoise(noise=stats.logistic(scale=scale))


@pytest.mark.parametrize("wrong", [None, 1.0, "x", [0.5], dl.Gaussian], ids=repr)
def test_the_privacy_loss_of_something_else_is_refused(wrong):
    with pytest.raises(dl.DplensError, match="mechanism or a trade-off curve"):
        dl.PrivacyLoss(wrong)


def test_the_privacy_loss_takes_a_mechanism_for_its_curve():
    assert dl.PrivacyLoss(dl.Gaussian(sigma=1.0)).h1.mean == dl.PrivacyLoss.of(dl.Gaussian(sigma=1.0)).h1.mean


@pytest.mark.parametrize("wrong", [None, 0.1, np.float64(0.1), "x", [0.1], [2.0, 0.1]], ids=repr)
def test_profiles_with_a_wrong_way_back_are_refused(wrong):
    with pytest.raises(dl.DplensError, match="deltas_back"):
        dl.PrivacyProfile(epsilons=[0.0, 1.0], deltas=[0.4, 0.1], deltas_back=wrong)


def test_corners_above_a_chord_are_refused():
    with pytest.raises(dl.DplensError, match="convex"):
        dl.TradeOffPoints(alphas=[0, 0.2, 1], betas=[1, 0.9, 0])


def test_curves_are_compared_down_to_the_rarest_rates():
    shown = dl.UniformSampling(mu=1.0, n=5, neighbours="replace")
    with pytest.warns(dl.DplensWarning):
        found = dl.compare(shown, dl.Gaussian(sigma=2.0).subsample(0.1).repeat(10))
    assert found.relation(0, 1) in ("riskier", "crossing")


@pytest.mark.parametrize("scale", [1e300, 1e100, 1e17])
def test_the_mu_of_next_to_no_risk_is_not_zero(scale):
    # of rare samples of Laplace noise, mu is at least that of its total variation, √(2π)·advantage to first order
    advantage = 0.1 * 0.5 / scale
    assert dl.Mu().of(dl.Laplace(scale=scale).subsample(0.1)) >= 2.5066 * advantage
