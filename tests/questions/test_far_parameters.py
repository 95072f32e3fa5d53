"""Parameters next to no or to perfect protection: every question answers, in order, without a warning."""

import math

import pytest
from mpmath import exp, fsum, log, mp, mpf

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
