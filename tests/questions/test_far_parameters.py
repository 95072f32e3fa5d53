"""Parameters next to no or to perfect protection: every question answers, in order, without a warning."""

import math

import pytest
from mpmath import exp, fsum, log, mp, mpf, pi, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")

RELEASES = {
    "weak concentrated": dl.ZeroConcentratedDP(rho=1e300),
    "weak renyi": dl.RenyiDP(orders=[2, 8.0], epsilons=[1e5, 1e6]),
    "renyi and pure": dl.RenyiDP(orders=[1.0, 2, math.inf], epsilons=[0.1, 1e5, 1e6]),
    "narrow discrete gaussian": dl.DiscreteGaussian(sigma=1e-300, sensitivity=1),
    "narrow gaussian": dl.Gaussian(sigma=1e-300),
    "narrow laplace": dl.Laplace(scale=1e-300),
    "narrow geometric": dl.Geometric(scale=1e-3, sensitivity=5),
    "weak range": dl.Exponential(epsilon=1e300),
    "strong range": dl.Exponential(epsilon=1e-300),
    "weak response": dl.RandomizedResponse(epsilon=1e300),
}
QUESTIONS = [
    dl.Advantage(),
    dl.AttackPower(fpr=1e-300),
    dl.MinFPR(fnr=0.1),
    dl.Accuracy(prior=0.1),
    dl.Cost(prior=0.9),
    dl.Posterior(prior=0.1, fpr=0.01),
    dl.MaxPosterior(prior=0.1),
    dl.PosteriorAfterNegative(prior=0.5, fpr=0.2),
    dl.Precision(recall=0.3),
    dl.RelativeRisk(fpr=0.01, prior=0.1),
    *(dl.Epsilon(delta=d) for d in (0.0, 1e-5, 1e-300)),
    *(dl.Delta(epsilon=e) for e in (1.0, 1e4, 1e308)),
    dl.Mu(),
    *(dl.Renyi(order=a) for a in (0.5, 1.0, 2.0, 1e6, math.inf)),
]


@pytest.mark.parametrize("name", RELEASES)
def test_every_question_answers(name):
    for question in QUESTIONS:
        answer = question.of(RELEASES[name])
        assert answer.low <= answer.high, question  # and neither is NaN


@pytest.mark.parametrize("sigma", [0.049, 0.01, 0.001])
@pytest.mark.parametrize("order", [0.3, 0.5, 1.5, 2.0, 7.25])
def test_divergence_of_narrow_discrete_gaussian_noise(sigma, order):
    with mp.workdps(60):
        s, a = mpf(sigma), mpf(order)
        moment = fsum(exp(-(a * (k - 2) ** 2 + (1 - a) * k**2) / (2 * s * s)) for k in range(-20, 40))
        truth = log(moment / fsum(exp(-(mpf(k) ** 2) / (2 * s * s)) for k in range(-9, 10))) / (a - 1)
        answer = dl.Renyi(order=order).of(dl.DiscreteGaussian(sigma=sigma, sensitivity=2))
        assert answer.low <= truth <= answer.high


@pytest.mark.parametrize("epsilon", [100.0, 119.0, 121.0, 1e4])
def test_divergence_of_narrow_laplace_noise(epsilon):
    with mp.workdps(60):
        e = mpf(epsilon)
        # order ½: −2·log ∫√(pq), which is e^{−e/2}·(1 + e/2)
        truth = e - 2 * log(1 + e / 2)
        answer = dl.Renyi(order=0.5).of(dl.Laplace(scale=1 / epsilon))
        assert answer.low <= truth <= answer.high


@pytest.mark.parametrize(
    ("question", "bound"), [("x", 0.1), (dl.Advantage, 0.1), (dl.Advantage(), math.nan), (dl.Advantage(), "0.1")]
)
def test_requirements_are_checked(question, bound):
    with pytest.raises(dl.DplensError, match=r"question|bound"):
        dl.Requirement(question=question, bound=bound)


@pytest.mark.parametrize(
    ("sensitivity", "noise"), [(1e300, 1e-5), (1e300, 1e-300), (1e-300, 1e5), (1e-300, 1e20), (1e-300, 1e300)]
)
@mp.workdps(40)
def test_quotients_near_the_ends_of_the_floats_and_beyond(sensitivity, noise):
    truth = mpf(sensitivity) / mpf(noise)
    laplace, gaussian = (
        dl.Laplace(scale=noise, sensitivity=sensitivity),
        dl.Gaussian(sigma=noise, sensitivity=sensitivity),
    )
    for answer in (dl.Epsilon().of(laplace), dl.Mu().of(gaussian)):
        assert answer.low <= truth <= answer.high
        assert answer.high <= truth * (1 + mpf("1e-15")) + mpf("5e-324") or truth > mpf("1.79e308")
    small = truth * truth / 2  # the order 1 of either, where that is small; of the Laplace it is epsilon where large
    for mechanism, exact in ((laplace, small if truth < 1 else truth - 1), (gaussian, small)):
        answer = dl.Renyi(order=1.0).of(mechanism)
        assert answer.high >= exact
        assert answer.low <= exact or exact > mpf("1.79e308")  # to a float that is infinity
        assert answer.low >= exact * (1 - mpf("1e-12")) or not 1e-320 < exact < 1e308
    answer = dl.Mu().of(laplace)
    middle = truth * sqrt(pi / 8) * 2 if truth < 1 else 2 * sqrt(truth)
    assert answer.low <= middle * (1 + mpf("1e-14"))
    assert answer.high >= middle * (1 - mpf("1e-14"))


def test_a_staircase_does_not_depend_on_its_sensitivity():
    for sensitivity in (1e-310, 1.0, 1e308):
        m = dl.Staircase(epsilon=1.0, sensitivity=sensitivity)
        assert dl.Advantage().of(m) == dl.Advantage().of(dl.Staircase(epsilon=1.0))
        assert m.tradeoff().power(0.1) == dl.Staircase(epsilon=1.0).tradeoff().power(0.1)
