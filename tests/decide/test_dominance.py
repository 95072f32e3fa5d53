"""Dominance is proven between the rates looked at, too; what is proven is said."""

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl
from tests.decide.test_closed_forms import phi, quantile


def relation(first, second):
    return dl.compare(first, second).relations[0]


def test_curves_that_cross_in_a_narrow_gap():
    """The tightest Gaussian curve under Laplace noise touches it; one a little above crosses it twice nearby."""
    mp.dps = 40
    tightest = -2 * quantile(mp.exp(mpf(-1) / 2) / 2)
    found = relation(dl.GaussianDP(mu=float(tightest) * (1 - 1e-7)), dl.Laplace(scale=1.0))
    assert found.kind == "crossing"
    assert found.slack is None
    first, second = map(mpf, found.crossings)
    assert first < mp.exp(mpf(-1) / 2) / 2 < second
    mu = tightest * (1 - mpf("1e-7"))
    for alpha in (first, second):
        before, after = (phi(-quantile(a) - mu) - mp.exp(-1) / (4 * a) for a in (alpha - 1e-9, alpha + 1e-9))
        assert before * after < 0
    touching = relation(dl.GaussianDP(mu=float(tightest) * (1 + 1e-12)), dl.Laplace(scale=1.0))
    assert touching.kind == "riskier"
    assert touching.slack < 1e-9
    assert touching.proven_from == 0


def test_curves_that_cross_far_down():
    found = relation(dl.ApproximateDP(epsilon=1.0, delta=1e-40), dl.ApproximateDP(epsilon=2.0))
    assert found.kind == "crossing"
    assert found.crossings[0] == pytest.approx(1e-40 / (np.exp(2) - np.exp(1)), rel=1e-9)


PAIRS = {
    "touching": (dl.Laplace(scale=1.0), dl.ApproximateDP(epsilon=1.0)),
    "graceful": (dl.Gaussian(sigma=1.01), dl.Gaussian(sigma=1.0)),
    "catastrophic": (dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=1.0).fails_with(1e-6)),
    "finite": (dl.RandomizedResponse(epsilon=1.0, categories=4), dl.Geometric(scale=1.0)),
    "sampled": (dl.Gaussian(sigma=1.0).subsample(0.1), dl.Gaussian(sigma=1.0)),
    "one direction": (dl.Gaussian(sigma=1.0).subsample(0.1).tradeoff(direction="add"), dl.GaussianDP(mu=1.0)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_proven_holds(name):
    safer, riskier = PAIRS[name]
    found = relation(safer, riskier)
    assert found.kind == "safer"
    assert dl.compare(riskier, safer).relation(0, 1) == "riskier"
    assert found.slack <= 1e-2
    assert found.proven_from < 1e-299
    alpha = np.concatenate([np.geomspace(max(found.proven_from, 1e-300), 0.1, 4001), np.linspace(0.1, 0.5, 1000)])
    for f, g in ((safer.tradeoff(), riskier.tradeoff()), (safer.tradeoff().inverse(), riskier.tradeoff().inverse())):
        assert (f.power(alpha) <= g.power(alpha) * (1 + found.slack + 1e-11)).all()


def test_equal_curves():
    same = relation(dl.Gaussian(sigma=2.0), dl.GaussianDP(mu=0.5))
    assert (same.kind, same.slack, same.proven_from) == ("equal", 0.0, 0.0)
    alike = relation(dl.RandomizedResponse(epsilon=1.0), dl.ApproximateDP(epsilon=1.0))
    assert alike.kind == "equal"
    assert alike.slack < 1e-11
