"""Simulated tests: the same whatever the workers, valid p-values, controlled error, named mistakes."""

import json
import math

import numpy as np
import pytest

import dplens as dl
from dplens.analyst.laws.simulation import CHUNK
from dplens.describe.analyses import read_test, write_test
from tests.analyst.oracles import close


def _exponential(rng, n, mean):
    return rng.exponential(1 + mean, n)


def _tables(rng, n, mean, size):
    return rng.exponential(1 + mean, (size, n))


def _mean(data):
    return data.mean(axis=-1)


def median_test(**changes):
    return dl.SimulatedTest(
        **{"simulate": _exponential, "statistic": np.median, "n": 40, "effect": 0.6, "draws": 1500, "rng": 5, **changes}
    )


def batch_test(**changes):
    return dl.SimulatedTest(
        **{"simulate": _tables, "statistic": _mean, "batched": True, "n": 40, "effect": 0.5, "draws": 20_000, "rng": 5,
           **changes}
    )  # fmt: skip


def answers(test, mechanism=dl.Laplace(scale=0.05)):  # noqa: B008
    p = test.power(mechanism)
    return float(p), p.point, float(test.p_value(1.1, mechanism)), test.critical(mechanism)


def test_the_answer_does_not_depend_on_the_workers():
    one = answers(median_test(workers=1))
    assert answers(median_test(workers=2)) == one
    assert answers(median_test()) == one
    assert answers(median_test(rng=6)) != one
    generator = np.random.default_rng(3)
    assert answers(median_test(rng=np.random.default_rng(3))) == answers(median_test(rng=generator))


def test_the_answer_is_the_same_on_a_dask_cluster():
    distributed = pytest.importorskip("distributed")
    import joblib

    one = answers(median_test(workers=1))
    local = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.Client(**local), joblib.parallel_config("dask"):
        assert answers(median_test()) == one


def test_level_and_power_of_a_mean():
    mechanism = dl.Laplace(scale=0.05)
    test = batch_test()
    rng = np.random.default_rng(77)
    null = rng.exponential(1.0, (40_000, 40)).mean(axis=1) + rng.laplace(0, 0.05, 40_000)
    c = test.critical(mechanism).high
    low, high = test.level_bracket(mechanism)
    assert low <= 0.05 <= high
    assert low - 0.004 <= np.mean(null >= c) <= high + 0.004
    true = rng.exponential(1.5, (40_000, 40)).mean(axis=1) + rng.laplace(0, 0.05, 40_000)
    p = test.power(mechanism)
    assert float(p) == p.low <= p.point <= p.high
    assert p.low - 0.01 <= np.mean(true >= c) <= p.high + 0.01
    assert p.error == pytest.approx(math.sqrt(p.point * (1 - p.point) / p.draws))


@pytest.mark.parametrize("alternative", ["larger", "smaller", "two-sided"])
def test_p_values_are_valid_and_agree_with_the_critical_value(alternative):
    effect = -0.3 if alternative == "smaller" else 0.3
    rejections, runs = 0, 300
    for seed in range(runs):  # new null draws each time, few of them: the level still holds
        test = batch_test(draws=99, n=5, rng=seed, alternative=alternative, effect=effect, level=0.1)
        x = float(np.random.default_rng([seed, 1]).exponential(1.0, 5).mean())
        rejected = test.p_value(x) <= 0.1
        assert rejected == test.critical().rejects(x)
        rejections += rejected
    assert rejections / runs <= 0.1 + 4 * math.sqrt(0.09 / runs)
    assert close(rejections / runs, 0.1, runs)


def test_error_is_controlled():
    p = batch_test(draws=1000, target_error=0.004).power()
    assert p.error <= 0.004
    assert p.draws > 1000
    with pytest.raises(dl.ToleranceNotMet, match="most_draws"):
        batch_test(draws=1000, target_error=1e-4, most_draws=20_000).power()


def test_intervals_cover():
    rng, held = np.random.default_rng(10), 0
    test = batch_test(draws=1000, n=20)
    for _ in range(40):
        x = float(rng.exponential(1.3, 20).mean() + rng.laplace(0, 0.05))
        held += 0.3 in test.interval(x, dl.Laplace(scale=0.05), 0.9)
    assert held >= 30
    low, high = test.interval(1.3, dl.Laplace(scale=0.05), alternative="larger")
    assert 0 > low > -0.5
    assert high == math.inf


def test_an_interrupted_simulation_goes_on_where_it_was():
    calls = {"left": CHUNK + 20}

    def simulate(rng, n, mean):
        calls["left"] -= 1
        if calls["left"] == 0:
            raise KeyboardInterrupt
        return rng.exponential(1 + mean, n)

    test = median_test(simulate=simulate, workers=1, rises=True)
    with pytest.raises(KeyboardInterrupt, match=f"{CHUNK} of {3 * CHUNK} draws") as stop:
        test.p_value(1.0)
    assert stop.value.done == CHUNK
    calls["left"] = 2 * CHUNK + 1  # enough for the two chunks that are missing, not for all three
    assert test.p_value(1.0) == median_test(workers=1).p_value(1.0)


def test_statistics_that_are_no_number_are_named():
    with pytest.raises(ValueError, match=r"statistic.*nan.*draw 0 of chunk 0.*keep its level"):
        median_test(statistic=lambda d: math.nan).power()
    with pytest.raises(ValueError, match="finite"):
        median_test(statistic=lambda d: math.inf).power()
    with pytest.raises(TypeError, match="array of numbers"):
        median_test(statistic=lambda d: "x").power()
    with pytest.raises(TypeError, match="score="):
        median_test(statistic=lambda d: d[:3]).power()
    with pytest.raises(TypeError, match="one number for each data set"):
        batch_test(statistic=lambda d: d[0]).power()


def test_several_published_numbers_and_a_score():
    test = median_test(
        statistic=lambda d: np.array([d.sum(), (d * d).sum()]), score=lambda s: s[1] / max(s[0], 1.0), draws=1000
    )
    noisy, plain = test.power(dl.Laplace(scale=20.0)), test.power()
    assert noisy.point < plain.point
    assert test.p_value([60.0, 200.0], dl.Laplace(scale=1.0)) < test.p_value([60.0, 80.0], dl.Laplace(scale=1.0))


def test_tables_level_and_shape():
    test = dl.ContingencyTest(n=80, probabilities=[[0.35, 0.15], [0.2, 0.3]], draws=5000, rng=3)
    mechanism = dl.Geometric(scale=2.0)
    rng = np.random.default_rng(12)
    null = np.outer([0.5, 0.5], [0.55, 0.45])
    share = 1 - math.exp(-0.5)
    rejected = []
    for _ in range(400):
        noise = rng.geometric(share, (2, 2)) - rng.geometric(share, (2, 2))
        counts = rng.multinomial(80, null.ravel()).reshape(2, 2) + noise
        rejected.append(test.p_value(counts, mechanism) <= 0.05)
    assert close(np.mean(rejected), 0.05, 400)
    verdict = test.decide([[30, 10], [14, 26]], mechanism)
    assert bool(verdict) is (verdict.p_value <= 0.05)
    assert verdict.interval.low >= 0


def test_what_falls_with_the_parameter_is_read_the_other_way_round():
    """Waiting times fall as their rate rises; the mean of n is a gamma variable, so the exact interval is known."""
    from scipy.stats import gamma

    rate = {"simulate": lambda rng, n, r: rng.exponential(1 / r, n), "statistic": np.mean, "n": 200, "null": 1.0,
            "effect": 0.4, "limits": (0.01, 10), "draws": 2000, "rng": 1}  # fmt: skip
    found = dl.SimulatedTest(**rate, alternative="two-sided").decide(0.72)
    exact = [gamma(200).ppf(q) / (200 * 0.72) for q in (0.025, 0.975)]
    assert (found.interval.low, found.interval.high) == pytest.approx(exact, abs=0.03)
    assert found.reject
    more = dl.SimulatedTest(**rate)
    assert more.power() > 0.9
    assert more.critical().high == math.inf
    assert more.p_value(0.72) < 0.01 < 0.99 < more.p_value(1.4)
    assert dl.SimulatedTest(**rate, rises=False).decide(0.72) == more.decide(0.72)


def test_a_direction_that_cannot_be_seen_is_asked_for():
    flat = {"simulate": lambda rng, n, sd: rng.normal(0, 1 + sd, n), "statistic": np.mean, "n": 5, "effect": 1.0,
            "draws": 1000, "rng": 3}  # fmt: skip
    with pytest.raises(ValueError, match="rises=True or rises=False"):
        dl.SimulatedTest(**flat).p_value(0.3)
    with pytest.raises(ValueError, match="rises=True or rises=False"):
        dl.SimulatedTest(**flat, alternative="two-sided").decide(0.3)
    assert dl.SimulatedTest(**flat, rises=True).p_value(0.3) < 0.5


def test_margins_carry_their_source_into_verdicts_and_decisions():
    table = dl.PlanningValue(value=[[0.4, 0.2], [0.1, 0.3]], source="private_estimate", note="a pilot study")
    test = dl.ContingencyTest(n=300, probabilities=table, draws=200, rng=1)
    bare = dl.ContingencyTest(n=300, probabilities=[[0.4, 0.2], [0.1, 0.3]], draws=200, rng=1)
    noise, said = dl.Geometric(scale=2.0), "The level holds for the declared margins (0.6, 0.4 by 0.5, 0.5): "
    origin = "estimated by a noisy release of its own (a pilot study)."
    assert said + origin in test.decide([[90, 60], [60, 90]], noise, interval=False).sentence
    assert said + "source not stated" in bare.decide([[90, 60], [60, 90]], noise, interval=False).sentence
    decision = str(dl.utility_first(test, family="geometric", min_power=0.8))
    assert said + origin in decision
    assert f"probabilities = [[0.4, 0.2], [0.1, 0.3]] – {origin}" in decision
    assert test.with_(n=50).sources()["probabilities"].source == "private_estimate"
    assert bare.sources()["probabilities"].source == "not_stated"
    other = test.with_(probabilities=np.array([[0.3, 0.2], [0.2, 0.3]]))
    assert other.sources()["probabilities"].source == "not_stated"  # another table, of which nothing was said
    assert read_test(json.loads(json.dumps(write_test(test)))) == test
    with pytest.raises(dl.DplensError, match="Expected value finite"):
        dl.PlanningValue(value=[[0.5, math.inf], [0.2, 0.3]])
    with pytest.raises(dl.DplensError, match="Expected n "):
        dl.ContingencyTest(n=table, probabilities=table, rng=1)
