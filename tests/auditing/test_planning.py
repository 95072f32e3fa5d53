"""Plans keep what they promise, in simulated audits of the planned size."""

import numpy as np
import pytest
from scipy.stats import binom

import dplens as dl


@pytest.mark.parametrize(
    ("truth", "claim", "draw"),
    [
        (dl.Laplace(scale=0.5), dl.Laplace(scale=1.0), lambda rng, n, x: rng.laplace(x, 0.5, n)),
        (dl.Gaussian(sigma=0.5), dl.GaussianDP(mu=1.5), lambda rng, n, x: rng.normal(x, 0.5, n)),
    ],
)
def test_audits_of_the_planned_size_refute_as_often_as_promised(truth, claim, draw):
    plan, rng, audits = dl.plan_audit(truth, claim), np.random.default_rng(0), 50
    refuted = sum(bool(dl.audit(draw(rng, plan.n, 1), draw(rng, plan.n, 0)).refutes(claim)) for _ in range(audits))
    assert plan.power >= 0.8
    assert refuted >= binom.ppf(1e-4, audits, 0.8)
    small = plan.n // 4
    few = sum(bool(dl.audit(draw(rng, small, 1), draw(rng, small, 0)).refutes(claim)) for _ in range(20))
    assert few / 20 < refuted / audits  # the number matters
    assert plan.runs == 2 * plan.n


def test_more_power_and_closer_claims_need_more():
    truth = dl.Gaussian(sigma=0.5)
    sizes = [dl.plan_audit(truth, dl.GaussianDP(mu=mu), power=p).n for mu, p in ((0.5, 0.5), (0.5, 0.99), (1.2, 0.8))]
    assert sizes[0] < sizes[1] < sizes[2]


def test_canaries():
    claim, rng = dl.ApproximateDP(epsilon=1.0), np.random.default_rng(0)
    plan = dl.plan_one_run(claim, accuracy=0.9)
    refuted = [
        bool(dl.audit_one_run(correct=int(rng.binomial(plan.guesses, 0.9)), guesses=plan.guesses).refutes(claim))
        for _ in range(150)
    ]
    assert np.sum(refuted) >= binom.ppf(1e-4, 150, 0.8)
    surest = dl.plan_one_run(dl.GaussianDP(mu=0.5), truth=dl.Gaussian(sigma=1.0), share=0.2)
    assert surest.guesses == pytest.approx(0.2 * surest.n, abs=1)
    assert 0.8 < surest.accuracy < 0.95


def test_what_no_audit_can_show_is_said():
    with pytest.raises(dl.DplensError, match="No number of scores"):
        dl.plan_audit(dl.Laplace(scale=1.0), dl.Laplace(scale=1.0))
    with pytest.raises(dl.DplensError, match="No number of canaries"):
        dl.plan_one_run(dl.ApproximateDP(epsilon=1.0), accuracy=0.7)
    with pytest.raises(dl.DplensError, match="truth or accuracy"):
        dl.plan_one_run(dl.ApproximateDP(epsilon=1.0))
    with pytest.raises(dl.DplensError, match="power"):
        dl.plan_audit(dl.Laplace(scale=0.5), dl.Laplace(scale=1.0), power=1.0)
