"""Extreme plans: tiny levels, large nulls, certain power, wide noise, many threads, impossible values."""

import concurrent.futures
import math
import pickle
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.analyst.laws.noise import noise_of
from dplens.analyst.laws.simulation import configured
from dplens.analyst.planning.many import simulated_p_values
from dplens.analyst.tests.proportion import _whole_difference
from dplens.errors import Undefined
from tests.analyst.oracles import geometric_mass, normal_laplace_tail

MEAN = dl.MeanTest(n=100, sd=0.25, effect=0.2)


@pytest.mark.parametrize("level", [1e-12, 1e-17, 1e-200])
def test_decisions_at_levels_below_the_last_digit_of_a_confidence(level):
    verdict = MEAN.with_(level=level).decide(0.3, dl.Laplace(scale=0.01))
    tail = normal_laplace_tail(0.3 - verdict.interval.low, 0.025, 0.01)
    assert level / 2 * (1 - 1e-9) < tail <= level / 2
    assert "99.9999 %" in verdict.sentence
    with pytest.raises(dl.DplensError, match="Expected level >= 1e-300"):
        MEAN.with_(level=1e-310)


def test_a_large_null_costs_no_digits():
    far = MEAN.with_(null=1e17)
    assert far.power(dl.Laplace(scale=0.02)) == MEAN.power(dl.Laplace(scale=0.02))
    near = MEAN.with_(null=3.0)
    assert near.p_value(3.1) == pytest.approx(MEAN.p_value(0.1), rel=1e-10)
    assert near.critical().high == pytest.approx(3 + MEAN.critical().high, rel=1e-14)
    assert tuple(near.interval(3.1)) == pytest.approx(tuple(3 + x for x in MEAN.interval(0.1)), rel=1e-14)


def test_certain_power_is_nearly_one_and_never_negative():
    sure = dl.MeanTest(n=10**18, sd=1.0, effect=0.01)  # 10⁷ standard errors
    for noise in (None, dl.Gaussian(sigma=1e-9), dl.Laplace(scale=1e-9)):
        assert 1 - 1e-12 < sure.power(noise) <= 1
    hopeless = sure.powers("gaussian", [1e-9, 1.0], effect=[-0.01, 1e300])
    assert hopeless.tolist() == [0.0, pytest.approx(1.0)]
    assert dl.ProportionTest(n=10**6, null=0.5, effect=0.4).power(dl.Geometric(scale=0.1)) > 1 - 1e-10


def test_many_designs_are_refused_by_name():
    for bad, name in (({"effect": math.inf}, "effect"), ({"effect": math.nan}, "effect"), ({"n": math.inf}, "n "),
                      ({"n": [1, 2, 3]}, "noise, effect, n and level to have shapes")):  # fmt: skip
        with pytest.raises(dl.DplensError, match=f"Expected {name}"):
            MEAN.powers("laplace", [0.1, 0.2], **bad)


def test_plans_that_contradict_their_bounds_are_refused():
    for bad, name in (({"sd": 0.51}, "sd"), ({"effect": 1.1}, "effect")):
        with pytest.raises(dl.DplensError, match=f"Expected {name} at most"):
            dl.MeanTest(**{"n": 10, "sd": 0.3, "effect": 0.2, "bounds": (0, 1), **bad})
    with pytest.raises(dl.DplensError, match="Expected sd2 at most half"):
        dl.TwoMeansTest(n=10, sd=0.3, sd2=0.6, effect=0.2, bounds=(0, 1))
    with pytest.raises(dl.Unsolvable, match="largest, 1,"):  # an effect beyond the bounds does not count
        dl.solve(
            dl.MeanTest(n=10, sd=0.5, effect=0.2, bounds=(0, 1)), effect=None, power=0.9, noise=dl.Laplace(scale=9)
        )


def test_sentences_round_against_the_claim():
    verdict = MEAN.decide(0.0412)  # p = 0.0497: two digits, and not "at most 0.049"
    assert verdict.p_value == pytest.approx(0.04967, abs=1e-5)
    assert "at most 0.05." in verdict.sentence
    close = MEAN.with_(level=0.01).decide(0.0581)  # p = 0.01007 is more than 0.01
    assert not close
    assert "at most 0.011. It had to be at most 0.01." in close.sentence
    low, high = MEAN.interval(1 / 3)
    said = MEAN.decide(1 / 3).sentence.split("between ")[1].rstrip(".").split(" and ")
    assert float(said[0]) <= low < high <= float(said[1])


def test_critical_proportions_reject_what_is_rejected():
    test = dl.ProportionTest(n=49, null=0.5, effect=0.3, published="proportion")
    for k in range(50):
        assert test.critical().rejects(k / 49) == bool(test.decide(k / 49, interval=False))
    with pytest.raises(dl.DplensError, match="whole number of records"):
        dl.ProportionTest(n=10**9, null=0.5, effect=0.3, published="proportion").p_value(0.50000000049)


def test_differences_of_whole_noises_with_unequal_groups():
    noise = noise_of(dl.Geometric(scale=1.5))
    law, truth = _whole_difference(noise, 3, 2), {}
    for a in range(-70, 71):
        for b in range(-70, 71):
            truth[3 * a - 2 * b] = truth.get(3 * a - 2 * b, 0.0) + geometric_mass(a, 1.5) * geometric_mass(b, 1.5)
    for x in (-9, 0, 1, 4, 40):
        low, high = (float(v[0]) for v in law.tail(np.array([float(x)]), +1))
        assert low * (1 - 1e-9) <= math.fsum(p for t, p in truth.items() if t >= x) <= high * (1 + 1e-9)


def test_differences_of_wide_whole_noises_are_enclosed():
    r, law = math.exp(-1 / 300), _whole_difference(noise_of(dl.Geometric(scale=300.0)), 1, 1)
    # Σ_j r^|j|·r^|k − j| = r^|k|·{|k| + (1 + r²)/(1 − r²)}
    k = np.arange(0.0, 40_000)
    mass = ((1 - r) / (1 + r)) ** 2 * r**k * (k + (1 + r * r) / (1 - r * r))
    for x in (1, 700, 6000):
        low, high = (float(v[0]) for v in law.tail(np.array([float(x)]), +1))
        assert low <= math.fsum(mass[x:]) * (1 + 1e-12)
        assert math.fsum(mass[x:]) * (1 - 1e-12) <= high
        assert high - low < 1e-8
    with pytest.raises(dl.DplensError, match=r"too many values.*Laplace"):
        dl.TwoProportionsTest(n=100, ratio=1.01, baseline=0.3, effect=0.2).power(dl.Geometric(scale=1e4))


def exponential(rng, n, mean, size):
    return rng.exponential(1 + mean, (size, n))


def medians(data):
    return np.median(data, axis=1)


def median_test(**changes):
    given = {"simulate": exponential, "statistic": medians, "batched": True, "n": 20, "effect": 0.4, "draws": 1000}
    return dl.SimulatedTest(**{**given, "rng": 1, **changes})


def test_intervals_stay_where_data_can_be_simulated():
    with pytest.raises(Undefined, match=r"limits=\(lo, hi\)"):
        median_test().interval(0.1)  # looks at means below 0
    low, high = median_test(limits=(-1, math.inf)).interval(0.1)
    assert -1 <= low < high < 0
    with pytest.raises(Undefined, match="depend on the parameter"):
        median_test(simulate=lambda rng, n, mean, size: rng.normal(0, 1, (size, n)), draws=99, rises=True).interval(1e3)
    for bad in (3, (1, 2), (0, math.nan), ("a", "b")):
        with pytest.raises(dl.DplensError, match="Expected limits"):
            median_test(limits=bad)
    with pytest.raises(dl.DplensError, match="Expected observed"):
        median_test(score=lambda s: s).p_value("x")
    sums = dl.SlopeTest(n=50, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", rng=1)
    with pytest.raises(dl.DplensError, match="four noisy sums"):
        sums.p_value([1.0, 2.0], dl.Laplace(scale=1.0))


def test_threads_get_the_answers_of_one():
    alone, shared = median_test(draws=1500), median_test(draws=1500)
    pair = dl.TwoProportionsTest(n=12, baseline=0.3, effect=0.4)
    effects = [0.1, 0.2, 0.3, 0.4] * 3
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda x: shared.p_value(x), [0.8] * 6))
        powers = list(pool.map(lambda e: pair.power(dl.Laplace(scale=1.0), effect=e), effects))
    assert found == [alone.p_value(0.8)] * 6
    fresh = dl.TwoProportionsTest(n=12, baseline=0.3, effect=0.4)
    assert powers == [fresh.power(dl.Laplace(scale=1.0), effect=e) for e in effects]


def test_what_is_remembered_is_bounded_and_does_not_travel():
    test = dl.TwoProportionsTest(n=30, baseline=0.3, effect=0.4)
    for scale in range(1, 5):
        test.power(dl.Laplace(scale=float(scale)))
    assert len(vars(test)["_known"]["pair"]) == 1
    many = MEAN.with_()
    for i in range(100):
        many.power(dl.Gaussian(sigma=0.01 + i / 1000))
    assert len(vars(many)["_known"]["region"]) <= 64
    assert len(pickle.dumps(test)) < 2000
    again = pickle.loads(pickle.dumps(median_test()))
    assert again.p_value(0.8) == median_test().p_value(0.8)


def test_a_configured_number_of_workers_is_obeyed():
    joblib = pytest.importorskip("joblib")
    assert not configured()
    with joblib.parallel_config(n_jobs=2):
        assert configured()


def test_many_p_values_are_those_of_one():
    for mechanism, effective, close in (
        (dl.Laplace(scale=0.02), True, 1e-12),
        (dl.Laplace(scale=0.02), False, 1e-12),
        (dl.Staircase(epsilon=0.5, sensitivity=0.01), False, 2e-3),
    ):
        found = simulated_p_values(MEAN, mechanism, effective, np.random.default_rng(3), 2000)
        rng = np.random.default_rng(3)
        x = (0.2 if effective else 0.0) + rng.normal(0, 0.025, 2000) + noise_of(mechanism).draw(rng, 2000)
        for i in (*range(6), *np.argsort(found)[[0, 1, 30, 100]]):
            assert found[i] == pytest.approx(float(MEAN.p_value(float(x[i]), mechanism)), rel=close)


def test_several_tests_refuse_what_is_no_list():
    both = dl.MultipleTests(tests=[MEAN, MEAN])
    for bad in (3, None, [0.1]):
        with pytest.raises(dl.DplensError, match="Expected observed to be 2"):
            both.decide(bad)
    with pytest.raises(dl.DplensError, match="Expected absent"):
        both.power(rng=1, absent=1)


def test_sizes_of_tiny_effects():
    with mp.workdps(30):
        z = mp.sqrt(2) * (mp.erfinv(mp.mpf("0.9")) + mp.erfinv(mp.mpf("0.6")))
        truth = (z / mp.mpf("1e-9")) ** 2
    found = dl.solve(dl.MeanTest(n=10, sd=1.0, effect=1e-9), n=None, power=0.8)
    assert found.value == pytest.approx(float(truth), rel=1e-8)
    with pytest.raises(dl.Unsolvable, match="larger numbers are not looked at") as why:
        dl.solve(dl.ContingencyTest(n=10, probabilities=[[0.25001, 0.24999], [0.24999, 0.25001]], draws=199, rng=1),
                 n=None, power=0.9)  # fmt: skip
    assert why.value.reason != "noise"


def test_solved_noise_protects_what_is_published():
    total = dl.MeanTest(n=100, sd=2.0, effect=1.0, bounds=(0, 10), published="sum")
    found = dl.solve(total, noise=None, power=0.8, family="gaussian").mechanism
    assert (found.sensitivity, found.neighbours) == (10.0, "replace")
    assert found.mu == pytest.approx(float(total.min_mu(min_power=0.8)), rel=1e-9)


def test_levels_of_simulated_tests_stop_at_what_their_draws_allow():
    level = dl.solve(median_test(n=50, draws=300), level=None, power=0.8)
    assert 0.05 < level.value < 0.5
    assert level.power >= 0.8
    with pytest.raises(dl.Unsolvable, match="More draws"):
        dl.solve(median_test(effect=20.0, draws=199), level=None, power=0.5)


@pytest.mark.parametrize(("sizes", "p"), [((700, 700), 0.001), ((1000, 500), 0.3), ((500, 1000), 0.999)])
def test_sums_by_transforms_are_the_sums(sizes, p):
    n1, n2 = sizes
    along = dl.TwoProportionsTest(n=n1, ratio=n2 / n1, baseline=0.3, effect=0.2)._pair(None)
    pair = replace(along, masses=None)
    assert pair.quick
    assert not along.quick
    k1, k2 = pair._steps
    for x in (0.0, 17.0):
        second = stats.binom.pmf(np.arange(n2 + 1), n2, p)
        truth = second @ stats.binom.sf(np.ceil((x + np.arange(n2 + 1) * k2) / k1) - 1, n1, p)
        at = np.array([p])
        below = second @ stats.binom.cdf(np.floor((x + np.arange(n2 + 1) * k2) / k1), n1, p)
        for upper, sum_ in ((True, truth), (False, below)):
            tails, _, _ = pair._tails(x, upper)
            assert pair._by_transform(tails, at, at) == pytest.approx([sum_], abs=1e-11)
            assert pair._by_pairs(tails, at, at) == pytest.approx([sum_], rel=1e-11)
            assert along.tail(x, upper, at, at)[1] == pytest.approx([sum_], rel=1e-11)


@pytest.mark.parametrize("mechanism", [None, dl.Geometric(scale=1.5), dl.Laplace(scale=1.5)], ids=["no", "geo", "lap"])
@pytest.mark.parametrize(("n", "ratio"), [(2, 1.0), (9, 1.7), (61, 1.1), (220, 1.005)])
def test_the_worst_common_proportion_is_enclosed(n, ratio, mechanism):
    test = dl.TwoProportionsTest(n=n, ratio=ratio, baseline=0.3, effect=0.2)
    pair, n2 = test._pair(mechanism), test.n2
    table = stats.binom.pmf(np.arange(n2 + 1), n2, (grid := np.linspace(0, 1, 1001))[:, None])
    other = stats.binom.pmf(np.arange(n + 1), n, grid[:, None])
    k1, k2 = pair._steps
    places = np.arange(n + 1)[:, None] * k1 - np.arange(n2 + 1) * k2
    if isinstance(mechanism, dl.Geometric):
        masses = [geometric_mass(a, 1.5) for a in range(-100, 101)]
        table, other = (np.apply_along_axis(np.convolve, 1, t, masses) for t in (table, other))
        places = np.arange(-100, n + 101)[:, None] * k1 - np.arange(-100, n2 + 101) * k2
    for x in (0.0, float(round(0.12 * pair.unit)), float(round(0.5 * pair.unit))):
        if isinstance(mechanism, dl.Laplace):
            a, b = 1.5 * k1, 1.5 * k2  # the difference of two Laplace variables of scales a and b
            y = np.abs(x - places)
            tail = np.exp(-y / a) * (2 + y / a) / 4 if a == b else None
            if tail is None:
                tail = (a * a * np.exp(-y / a) - b * b * np.exp(-y / b)) / (2 * (a * a - b * b))
            beyond = np.where(x >= places, tail, 1 - tail)
        else:
            beyond = (places >= x).astype(float)
        reached = ((other @ beyond) * table).sum(axis=1).max()
        low, high = pair.worst(x, True, 0.0, (0.0, 1.0))
        assert reached * (1 - 1e-9) - 1e-40 <= high <= reached * (1 + 2e-3) + 1e-40
        assert low <= high


def test_levels_below_what_is_known_of_a_tail_are_refused_soon():
    test = dl.TwoProportionsTest(n=30, ratio=1.1, baseline=0.3, effect=0.4, level=1e-12)
    with pytest.raises(dl.DplensError, match="that small"):
        test.with_(level=1e-100).power()


def test_sentences_far_from_zero_keep_their_digits():
    said = dl.MeanTest(n=10, sd=1.0, effect=-1.0, null=1e9 + 0.5, alternative="smaller").decide(1e9 - 3).sentence
    assert "smaller than 1000000000.5" in said
    low, high = (float(x.rstrip(".")) for x in said.split("between ")[1].split(" and "))
    exact = dl.MeanTest(n=10, sd=1.0, effect=-1.0, null=1e9 + 0.5, alternative="smaller").interval(1e9 - 3)
    assert low <= exact.low < exact.high <= high <= low + 1.01 * (exact.high - exact.low)
    for bad in (lambda: dl.private_n(100, None), lambda: dl.MeanTest(n=5, effect=1.0, bounds=(-1.7e308, 1.7e308))):
        with pytest.raises(dl.DplensError, match=r"mechanism to be the noise|bounds with a finite width"):
            bad()


def test_an_interval_is_no_surer_than_the_count_it_rests_on():
    n = dl.private_n(205.3, dl.Gaussian(sigma=6.3245, neighbours="add_remove"), confidence=0.99)
    noise = dl.Laplace(scale=0.02, sensitivity=1 / 191)
    test = dl.MeanTest(n=n, sd=0.5, effect=0.1, bounds=(0, 1))
    assert test.interval(0.2, noise).confidence == pytest.approx(0.94)
    assert "With 94 % confidence" in test.decide(0.2, noise).sentence
    assert dl.MeanTest(n=191, sd=0.5, effect=0.1, bounds=(0, 1)).interval(0.2, noise).confidence == 0.95


def test_sums_of_values_as_they_came_are_refused():
    test = dl.SlopeTest(n=500, sd=8.0, effect=3.0, x_bounds=(20, 30), y_bounds=(0, 100), published="statistics", rng=2)
    noise = dl.Gaussian(sigma=5.0, sensitivity=8**0.5, neighbours="replace")
    with pytest.raises(dl.DplensError, match=r"observed.*\[−1, 1\].*\(2·x − 50\)/10"):
        test.p_value([12_500, 25_000, 316_500, 625_250], noise)
    # drawn sums are possible ones; with Σxy in the place of Σx² they are not where y falls with x
    x = np.random.default_rng(1).uniform(-1, 1, 500)
    sums = [x.sum(), (-x).sum(), (x * x).sum(), (-x * x).sum()]
    assert "The four sums are Σx, Σy, Σx², Σxy, of" in test.decide(sums, noise, interval=False).sentence
    for wrong in ([*sums[:2], sums[3], sums[2]], [300.0, 0.0, 50.0, 0.0], [0.0, 0.0, 50.0, 300.0]):
        with pytest.raises(dl.DplensError, match="in this order"):
            test.p_value(wrong, noise)


@pytest.mark.parametrize("alternative", ["larger", "two-sided"])
@pytest.mark.parametrize("level", [1e-300, 0.05, 0.6])
def test_noise_at_the_end_of_the_floats_leaves_the_level(alternative, level):
    t = dl.MeanTest(n=10, sd=1.0, effect=0.5, level=level, alternative=alternative)
    found = t.power(dl.Laplace(scale=1.7e308))
    assert found.low <= level * (1 + 1e-9)
    assert found.high >= level * (1 - 1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sd", [1e-320, 5e-324, 1e-310])
def test_a_spread_next_to_the_smallest_float_does_not_warn(sd):
    t = dl.MeanTest(n=500, sd=sd, effect=-1.5, null=7.0, level=0.05, alternative="smaller")
    assert t.power().high == 1.0
    assert t.power().low > 0.99


def test_subnormal_p_values_are_enclosed():
    study = dl.MeanTest(n=1000, sd=0.20862048800075084, effect=0.2, level=0.01)
    for observed, truth in ((0.45, 4.43215278285e-309), (0.452, 8.2275e-312), (0.455, 6.2455e-316)):
        found = study.p_value(observed, dl.Gaussian(sigma=0.01))
        assert found.low <= truth <= found.high
