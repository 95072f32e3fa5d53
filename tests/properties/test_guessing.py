"""Answers that are no better than a guess: exact where that is proven, and never said where it is not."""

from fractions import Fraction
from itertools import product

import hypothesis.strategies as st
import pytest
from hypothesis import given

import dplens as dl

SIXTEENTHS = st.sampled_from([(a, b, 16 - a - b) for a in range(1, 15) for b in range(1, 16 - a)])
SHARES = st.integers(1, 7).map(lambda k: k / 8)


def rates(p, q):
    """(alpha, power) of every set of outcomes that could be taken for presence, in sixteenths."""
    for chosen in product((0, 1), repeat=len(p)):
        yield tuple(Fraction(sum(c * m for c, m in zip(chosen, masses)), 16) for masses in (p, q))


def enclosed(answer, truth):
    """Whether both ends are on their sides, to the last digit that a float has."""
    return answer.low <= float(truth) <= answer.high


@given(SIXTEENTHS, SIXTEENTHS, SHARES, st.sampled_from((0.5, 1.0, 2.0)))
def test_every_test_one_by_one(p, q, prior, weight):
    release = dl.FinitePair(p=[m / 16 for m in p], q=[m / 16 for m in q]).tradeoff(direction="add")
    there, w2 = Fraction(prior), Fraction(weight) ** 2
    right = max((1 - there) * (1 - alpha) + there * power for alpha, power in rates(p, q))
    score = max((1 + w2) * there * t / (w2 * there + there * t + (1 - there) * a) for a, t in rates(p, q))
    accuracy, fscore = dl.Accuracy(prior=prior).of(release), dl.FScore(weight=weight, prior=prior).of(release)
    cost = dl.Cost(prior=prior).of(release)
    assert enclosed(accuracy, right)
    assert enclosed(fscore, score)
    assert enclosed(cost, 1 - right)
    ratios = [Fraction(b, a) for a, b in zip(p, q)]
    odds = (1 - there) / there
    if max(ratios) < odds or min(ratios) > odds:  # no outcome changes the decision
        assert (accuracy.low, accuracy.high) == (max(prior, 1 - prior),) * 2
        assert (cost.low, cost.high) == (min(prior, 1 - prior),) * 2
    else:
        assert right == max(there, 1 - there) or accuracy > max(prior, 1 - prior)
    everyone = (1 + w2) * there / (w2 * there + 1)
    if min(ratios) * (1 + w2 / odds) > 1:
        assert (fscore.low, fscore.high) == (float(everyone),) * 2
    else:
        assert score == everyone or fscore > float(everyone)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (dl.Precision(recall=0.3, prior=0.1), 0.1),
        (dl.Posterior(prior=0.01, fpr=0.001), 0.01),
        (dl.MaxPosterior(prior=0.1), 0.1),
        (dl.PosteriorAfterNegative(prior=0.9, fpr=0.1), 0.9),
        (dl.RelativeRisk(prior=0.3), 1.0),
        (dl.AttackPower(fpr=0.3), 0.3),
        (dl.MinFPR(fnr=0.3), 0.7),
        (dl.AUC(), 0.5),
    ],
    ids=str,
)
def test_a_release_that_tells_nothing_leaves_the_guess_as_it_is(question, answer):
    told = question.of(dl.RandomizedResponse(epsilon=0.0))
    assert (told.low, float(told), told.high) == (answer,) * 3
    assert (question.of(dl.RandomizedResponse(epsilon=1e-9)) > answer) == question.more_is_riskier


def test_finding_everyone_takes_proofs_of_absence():
    assert dl.Precision(recall=1.0, prior=0.1).of(dl.Gaussian(sigma=1.0)) == 0.1
    assert dl.MinFPR().of(dl.Gaussian(sigma=1.0)) == 1.0
    assert dl.MinFPR().of(dl.Gaussian(sigma=1.0).fails_with(1e-3)) < 0.9991
