"""Extreme but meaningful parameters: brackets hold, nothing warns."""

import math

import pytest
from mpmath import exp, log, mp, mpf, sqrt

import dplens as dl


def laplace_f_score(weight, prior):
    """The best F-score against Laplace noise of eps0 = 1, over the three stretches of its curve."""
    e, w2, p = mpf(1), mpf(weight) ** 2, mpf(prior)
    c = (1 - p) / p

    def score(alpha):
        if alpha <= exp(-e) / 2:
            power = exp(e) * alpha
        else:
            power = 1 - exp(-e) / (4 * alpha) if 2 * alpha <= 1 else 1 - exp(-e) * (1 - alpha)
        return (1 + w2) * power / (w2 + power + c * alpha)

    # stationary in the middle stretch, T = 1 − k/alpha with k = e^−eps/4: c·alpha² − 2·c·k·alpha − k·w² = 0
    k = exp(-e) / 4
    inner = k + sqrt(k * k + k * w2 / c)
    inner = min(max(inner, exp(-e) / 2), mpf(1) / 2)
    return max(score(a) for a in (exp(-e) / 2, inner, mpf(1) / 2, mpf(1)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("weight", "prior"),
    [
        (1.0, 0.5),
        (0.5, 0.5),
        (1e160, 0.5),
        (1e-9, 0.5),
        (1e-170, 0.5),
        (1e-3, 1e-5),
        (1.0, 1e-300),
        (1.0, 1e-320),
        (1.0, 1e-12),
        (3.0, 1e-8),
        (1e5, 1e-9),
        (1e10, 1e-15),
        (1e5, 0.5),
        (1.0, 1 - 1e-9),
    ],
)
def test_f_scores_of_extreme_attackers(weight, prior):
    with mp.workdps(60):
        truth = laplace_f_score(weight, prior)
        answer = dl.FScore(weight=weight, prior=prior).of(dl.Laplace(scale=1.0))
        # what accusing everyone reaches is known exactly: then the answer is the float next to it
        assert answer.low <= truth <= answer.high or answer.low == answer.high == float(truth)
        assert answer.high <= truth * (1 + mpf("1e-11")) + mpf("3e-323")
        assert log(truth) <= 0


@pytest.mark.filterwarnings("error")
def test_pairs_with_the_smallest_masses():
    f = dl.FinitePair(p=[1e-320, 1], q=[1, 0]).tradeoff()
    assert f(0.1) == 0
    assert dl.failure_mode(f) is dl.FailureMode.CATASTROPHIC


def test_randomised_response_with_very_many_categories():
    k = 10**12
    f = dl.RandomizedResponse(epsilon=1.0, categories=k).tradeoff()
    with mp.workdps(40):
        truth = (exp(1) - 1) / (exp(1) + k - 1)
        assert f.delta(0.0) == pytest.approx(float(truth), rel=1e-12)
        assert truth <= f.delta(0.0)


@pytest.mark.parametrize("prior", [1e-200, 1e-300, 3e-320])
def test_a_tiny_prior_does_not_become_zero(prior):
    m, with_release = dl.Laplace(scale=1.0), prior * math.e  # power e·fpr at every small rate
    for question in (
        dl.Posterior(prior=prior, fpr=1e-200),
        dl.Precision(prior=prior, recall=1e-200),
        dl.MaxPosterior(prior=prior),
    ):
        answer = question.of(m)
        assert answer.low * (1 - 1e-3) <= with_release <= answer.high * (1 + 1e-3)
        assert answer >= with_release * (1 - 1e-15)
    assert dl.Attack(m, fpr=1e-200, prior=prior).precision() == pytest.approx(with_release, rel=1e-3)
