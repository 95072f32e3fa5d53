"""Several tests: corrections keep their promises, budgets meet the limit, planning values carry their source."""

import math

import numpy as np
import pytest

import dplens as dl
from tests.analyst.oracles import SEARCHING

TESTS = [
    dl.MeanTest(n=200, sd=0.5, effect=0.1, bounds=(0, 1)),
    dl.MeanTest(n=50, sd=0.5, effect=0.3, bounds=(0, 1)),
    dl.ProportionTest(n=60, null=0.3, effect=0.15, published="proportion"),
]


@pytest.mark.parametrize("method", ["bonferroni", "holm", "benjamini_hochberg"])
def test_corrections_keep_their_promise_and_gain_power(method):
    plan = dl.MultipleTests(tests=TESTS, method=method)
    noise = [dl.Laplace(scale=0.02), dl.Gaussian(sigma=0.05), dl.Laplace(scale=0.02)]
    power = plan.power(noise, rng=1, draws=2000)
    for each, least in zip(power.each, power.guaranteed):
        assert each.high >= least  # no correction does less than Bonferroni's
    assert power.all.point <= min(e.point for e in power.each) <= max(e.point for e in power.each) <= power.any.point
    none = plan.power(noise, rng=2, draws=2000, absent=[0, 1, 2])
    assert none.false_alarms.low <= 0.05  # all effects absent: any rejection is false
    some = plan.power(noise, rng=2, draws=2000, absent=[0])
    assert some.false_share <= 0.05 + 4 * math.sqrt(0.05 / 2000)
    assert plan.power(noise, rng=1, draws=2000).each == power.each
    assert dl.MultipleTests(tests=TESTS, method={"benjamini_hochberg": "fdr_bh"}.get(method, method)) == plan


def test_bonferroni_is_each_test_at_its_share():
    plan = dl.MultipleTests(tests=TESTS[:2], method="bonferroni", level=0.04)
    power = plan.power(None, rng=3)
    for each, test in zip(power.each, TESTS):
        assert each.low <= test.with_(level=0.02).power() <= each.high


def test_published_numbers_are_corrected_as_statsmodels_does():
    from statsmodels.stats.multitest import multipletests

    plan, observed = dl.MultipleTests(tests=TESTS, method="holm"), [0.09, 0.2, 0.42]
    noise = dl.Laplace(scale=0.01)
    verdict = plan.decide(observed, noise)
    p = [float(t.p_value(x, noise)) for t, x in zip(TESTS, observed)]
    reject, adjusted, *_ = multipletests(p, alpha=0.05, method="holm")
    assert verdict.reject == tuple(reject)
    assert verdict.adjusted == pytest.approx(adjusted)


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
def test_budgets_meet_the_limit_together(family):
    limit = dl.Advantage().at_most(0.2)
    equal = dl.split_budget(TESTS[:2], limit, family=family)
    parts = dl.compose(*equal.mechanisms)
    assert limit.met_by(parts)
    assert float(dl.Advantage().of(parts)) == pytest.approx(0.2, rel=1e-6)
    assert equal.weights == (0.5, 0.5)
    weakest = dl.split_budget(TESTS[:2], limit, family=family, weights="weakest")
    assert limit.met_by(dl.compose(*weakest.mechanisms))
    assert weakest.powers[0] == pytest.approx(weakest.powers[1], rel=1e-6)
    assert min(weakest.powers) > min(equal.powers)
    if family == "laplace" and not SEARCHING:
        return
    average = dl.split_budget(TESTS[:2], limit, family=family, weights="average")
    assert limit.met_by(dl.compose(*average.mechanisms))
    assert sum(average.powers) >= max(sum(equal.powers), sum(weakest.powers)) - 1e-9
    assert sum(average.weights) == pytest.approx(1)


@pytest.mark.parametrize(
    ("family", "tests"),
    [
        (
            "geometric",
            [dl.ProportionTest(n=200, null=0.3, effect=0.1), dl.ProportionTest(n=100, null=0.5, effect=0.15)],
        ),
        ("gaussian", [TESTS[0], dl.ContingencyTest(n=300, probabilities=[[0.3, 0.2], [0.2, 0.3]], draws=4000, rng=2)]),
    ],
    ids=["whole numbers", "simulated"],
)
def test_the_weakest_of_tests_whose_power_moves_in_steps(family, tests):
    limit = dl.Mu().at_most(0.5)
    found = dl.split_budget(tests, limit, family=family, weights="weakest")
    assert limit.met_by(dl.compose(*found.mechanisms))
    other = [dl.split_budget(tests, limit, family=family, weights=[w, 1 - w]) for w in (0.3, 0.45, 0.6, 0.75, 0.9)]
    assert min(found.powers) >= max(min(split.powers) for split in other)


def test_gaussian_budgets_add_as_squares():
    split = dl.split_budget(TESTS[:2], dl.Mu().at_most(0.6), weights=[1, 3], count_share=0.1)
    mus = [m.mu for m in (*split.mechanisms, split.count)]
    assert math.hypot(*mus) == pytest.approx(0.6, rel=1e-8)
    assert [m**2 / 0.36 for m in mus] == pytest.approx([0.225, 0.675, 0.1], rel=1e-8)
    assert split.composed.neighbours == "add_remove"  # a number of records is hidden from no one who may replace one


def test_bad_budgets():
    with pytest.raises(ValueError, match="weights"):
        dl.split_budget(TESTS[:2], dl.Mu().at_most(1.0), weights=[1, 2, 3])
    with pytest.raises(ValueError, match="weights"):
        dl.split_budget(TESTS[:2], dl.Mu().at_most(1.0), weights=[1, -1])
    with pytest.raises(ValueError, match="count_share"):
        dl.split_budget(TESTS[:2], dl.Mu().at_most(1.0), count_share=1.0)
    with pytest.raises(TypeError, match="tests"):
        dl.split_budget([], dl.Mu().at_most(1.0))
    with pytest.raises(dl.DplensError, match="Expected limit to be a requirement"):
        dl.split_budget(TESTS[:2], 0.5)
    with pytest.raises(ValueError, match="method"):
        dl.MultipleTests(tests=TESTS, method="sidak")
    with pytest.raises(ValueError, match="mechanisms"):
        dl.MultipleTests(tests=TESTS).power([None], rng=1)


def test_planning_values_keep_their_source():
    t = dl.MeanTest(
        n=dl.private_n(500, dl.Geometric(scale=3.0)), sd=dl.worst_case_sd((0, 1)), effect=dl.PlanningValue(value=0.1)
    )
    sources = {name: value.source for name, value in t.sources().items()}
    assert sources == {"n": "private_estimate", "sd": "worst_case", "effect": "not_stated"}
    assert t.n < 500
    assert t.power() == dl.MeanTest(n=t.n, sd=0.5, effect=0.1).power()
    changed = t.with_(level=0.01, n=400)
    assert changed.sources()["sd"].source == "worst_case"
    assert changed.sources()["n"].source == "not_stated"
    said = dl.MeanTest(n=9, effect=0.1, bounds=(2, 6)).sources()["sd"].sentence("sd")
    assert "standard deviation = 2 – the worst case" in said
    assert dl.MeanTest(n=9, effect=0.1, bounds=(2, 6)).sensitivity_at() == pytest.approx(4 / 9)


@pytest.mark.parametrize("mechanism", [dl.Geometric(scale=3.0), dl.Laplace(scale=3.0)], ids=["geometric", "laplace"])
def test_the_lower_bound_of_n_is_rarely_too_high(mechanism):
    rng, draws = np.random.default_rng(1), 2000
    share = 1 - math.exp(-1 / 3)
    whole = isinstance(mechanism, dl.Geometric)
    noise = rng.geometric(share, draws) - rng.geometric(share, draws) if whole else rng.laplace(0, 3.0, draws)
    bound = dl.private_n(1000, mechanism, confidence=0.9).value - 1000  # the same for every observed number
    if whole:
        assert np.mean(1000 + noise + bound > 1000) <= 0.1 + 4 * math.sqrt(0.09 / draws)
    else:
        bounds = [dl.private_n(1000 + x, mechanism, confidence=0.9).value for x in noise[:300]]
        assert np.mean(np.array(bounds) > 1000) <= 0.1 + 4 * math.sqrt(0.09 / 300)
    with pytest.raises(ValueError, match="larger share"):
        dl.private_n(2, mechanism)
