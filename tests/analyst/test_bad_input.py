"""Bad input is named and explained: argument, value, rule, remedy."""

import math

import numpy as np
import pytest

import dplens as dl

GOOD = {
    dl.MeanTest: {"n": 10, "sd": 1.0, "effect": 0.5},
    dl.TwoMeansTest: {"n": 10, "sd": 1.0, "effect": 0.5},
    dl.ProportionTest: {"n": 10, "null": 0.3, "effect": 0.2},
    dl.TwoProportionsTest: {"n": 10, "baseline": 0.3, "effect": 0.2},
    dl.SlopeTest: {"n": 10, "sd": 1.0, "effect": 0.5, "x_bounds": (0, 1), "y_bounds": (0, 1)},
    dl.ContingencyTest: {"n": 10, "probabilities": [[0.3, 0.2], [0.2, 0.3]], "rng": 1},
    dl.SimulatedTest: {"n": 10, "effect": 0.5, "simulate": lambda rng, n, m: rng.normal(m, 1, n), "statistic": np.mean,
                       "rng": 1},
}  # fmt: skip

BAD = [
    ({"level": 0.0}, "level"), ({"level": 1.0}, "level"), ({"level": math.nan}, "level"), ({"level": "5%"}, "level"),
    ({"n": 0}, "n "), ({"n": -3}, "n "), ({"n": 2.5}, "n "), ({"effect": 0.0}, "effect"),
    ({"effect": math.inf}, "effect"), ({"alternative": "greater"}, "alternative"),
    ({"planning": (("n", 3),)}, "planning"),
]  # fmt: skip


@pytest.mark.parametrize("kind", GOOD, ids=lambda k: k.__name__)
@pytest.mark.parametrize(("changes", "name"), BAD, ids=lambda v: str(v))
def test_plans(kind, changes, name):
    with pytest.raises(dl.DplensError, match=f"Expected {name}"):
        kind(**{**GOOD[kind], **changes})


OWN = [
    (dl.MeanTest, {"sd": 0.0}, "sd"), (dl.MeanTest, {"sd": -1}, "sd"), (dl.MeanTest, {"sd": None}, "sd"),
    (dl.MeanTest, {"bounds": (1, 1)}, "bounds"), (dl.MeanTest, {"bounds": (2, 1)}, "bounds"),
    (dl.MeanTest, {"bounds": 3}, "bounds"), (dl.MeanTest, {"published": "median"}, "published"),
    (dl.MeanTest, {"effect": -0.5}, "effect"), (dl.MeanTest, {"null": math.inf}, "null"),
    (dl.TwoMeansTest, {"ratio": 0}, "ratio"), (dl.TwoMeansTest, {"sd2": -1}, "sd2"),
    (dl.ProportionTest, {"null": 0.0}, "null"), (dl.ProportionTest, {"null": 0.9}, "effect"),
    (dl.TwoProportionsTest, {"baseline": 0.9}, "effect"), (dl.TwoProportionsTest, {"common": (0.5, 0.5)}, "common"),
    (dl.TwoProportionsTest, {"common": (-0.1, 1)}, "common"), (dl.TwoProportionsTest, {"null": 0.1}, "null"),
    (dl.SlopeTest, {"x_bounds": (1, 0)}, "x_bounds"), (dl.SlopeTest, {"sd_x": 2.0}, "sd_x"),
    (dl.SlopeTest, {"mean_y": 0.5}, "mean_y"),
    (dl.SlopeTest, {"mean_x": 1.5, "published": "statistics", "rng": 1}, "mean_x"),
    (dl.SlopeTest, {"mean_x": 0.99, "published": "statistics", "rng": 1}, "mean_x"),
    (dl.SlopeTest, {"published": "statistics"}, "rng"), (dl.SlopeTest, {"n": 2}, "n "),
    (dl.ContingencyTest, {"probabilities": [[0.25, 0.25], [0.25, 0.25]]}, "probabilities"),
    (dl.ContingencyTest, {"probabilities": [[0.5, 0.6], [0.2, 0.3]]}, "probabilities"),
    (dl.ContingencyTest, {"probabilities": [0.5, 0.5]}, "probabilities"),
    (dl.ContingencyTest, {"effect": 9.0}, "effect"),
    (dl.ContingencyTest, {"probabilities": [[0.5, 0.5], [0, 0]]}, "probabilities"),
    (dl.SimulatedTest, {"rng": None}, "rng"), (dl.SimulatedTest, {"draws": 10}, "draws"),
    (dl.SimulatedTest, {"simulate": 3}, "simulate"), (dl.SimulatedTest, {"workers": 0}, "workers"),
    (dl.SimulatedTest, {"target_error": 0}, "target_error"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "changes", "name"), OWN, ids=lambda v: getattr(v, "__name__", str(v)))
def test_what_each_kind_needs(kind, changes, name):
    with pytest.raises(dl.DplensError, match=f"Expected {name}"):
        kind(**{**GOOD[kind], **changes})


def test_what_is_asked():
    test = dl.MeanTest(**GOOD[dl.MeanTest])
    for bad in (math.nan, math.inf, "0.3", [0.1, 0.2]):
        with pytest.raises(dl.DplensError, match="Expected observed"):
            test.p_value(bad)
    with pytest.raises(dl.DplensError, match="Expected confidence"):
        test.interval(0.1, None, 95)
    around = test.interval(0.1)
    assert (around[0], around[-1], len(around)) == (*around, 2)
    with pytest.raises(dl.DplensError, match="Expected mechanism"):
        test.power(0.05)
    with pytest.raises(dl.DplensError, match="digits behind the point"):
        test.power(dl.Geometric(scale=1.0))
    with pytest.raises(dl.DplensError, match="Expected alternative"):
        test.interval(0.1, alternative="both")
    with pytest.raises(dl.DplensError, match="Expected sensitivity"):
        test.min_mu(max_power_loss=0.1)
    with pytest.raises(dl.DplensError, match="exactly one"):
        test.min_mu(sensitivity=0.1)
    with pytest.raises(dl.DplensError, match="Expected family"):
        test.powers("cauchy", 0.1)
    with pytest.raises(dl.DplensError, match="Expected n >= 1"):
        test.powers(n=[0, 5])
    count = dl.ProportionTest(**GOOD[dl.ProportionTest])
    with pytest.raises(dl.DplensError, match="whole number"):
        count.p_value(3.5, dl.Geometric(scale=1.0))
    with pytest.raises(dl.DplensError, match="between 0 and n"):
        count.p_value(11)
    assert count.p_value(3.5, dl.Laplace(scale=1.0)) < 1
    two = dl.TwoProportionsTest(**GOOD[dl.TwoProportionsTest])
    with pytest.raises(dl.DplensError, match="pair"):
        two.p_value(0.2)
    with pytest.raises(dl.DplensError, match="table of 2 by 2"):
        dl.ContingencyTest(**GOOD[dl.ContingencyTest]).p_value([1, 2, 3, 4])
    with pytest.raises(dl.DplensError, match="too many pairs"):
        dl.TwoProportionsTest(n=2_000_000, baseline=0.3, effect=0.2).power()
    with pytest.raises(dl.DplensError, match="large common divisor"):
        dl.TwoProportionsTest(n=10_000, ratio=1.0001, baseline=0.3, effect=0.2).power(dl.Laplace(scale=1.0))


def test_frames_name_what_is_missing():
    test = dl.MeanTest(**GOOD[dl.MeanTest])
    for ask in (dl.power_function, dl.roc):
        with pytest.raises(dl.DplensError, match="Expected mechanisms to be mechanisms by name"):
            ask(test, dl.Laplace(scale=0.1))
        with pytest.raises(dl.DplensError, match="Expected test"):
            ask(dl.Laplace(scale=0.1), {})
    with pytest.raises(dl.DplensError, match="Expected sizes"):
        dl.fondeville_analysis(sizes="15")
    assert set(dl.fondeville_analysis(sizes=15).power["n"]) == {15}


def test_planning_values():
    for changes in ({"source": "guess"}, {"value": math.nan}, {"value": "x"}):
        with pytest.raises(dl.DplensError, match=f"Expected {next(iter(changes))}"):
            dl.PlanningValue(**{"value": 1.0, **changes})
    with pytest.raises(dl.DplensError, match="lo < hi"):
        dl.worst_case_sd((1, 1))


def test_whole_number_noise_is_refused_wherever_numbers_are_not_whole():
    sums = dl.SlopeTest(**GOOD[dl.SlopeTest], published="statistics", rng=1, draws=200)
    for test in (sums, dl.SlopeTest(**GOOD[dl.SlopeTest]), dl.TwoMeansTest(**GOOD[dl.TwoMeansTest])):
        with pytest.raises(dl.DplensError, match="digits behind the point"):
            test.power(dl.DiscreteGaussian(sigma=1.0))
    assert dl.TwoMeansTest(n=9, sd=dl.worst_case_sd((0, 1)), effect=0.5).sources()["sd2"].source == "worst_case"


def test_bounds_stand_in_for_the_spread_of_two_groups_as_of_one():
    two = dl.TwoMeansTest(n=10, effect=0.1, bounds=(0, 1))
    assert (two.sd, two.sd2) == (0.5, 0.5)
    assert {two.sources()[name].source for name in ("sd", "sd2")} == {"worst_case"}
    with pytest.raises(dl.DplensError, match=r"Expected sd .* With bounds=\(lo, hi\) it may be left out"):
        dl.TwoMeansTest(n=10, effect=0.1)


def test_nothing_is_not_a_number():
    good = GOOD[dl.SimulatedTest]
    for name in ("statistic", "score"):
        with pytest.raises(dl.DplensError, match=f"Expected {name} to be a number .*, got None"):
            dl.SimulatedTest(**good | {name: lambda x: None}).power()
    with pytest.raises(dl.DplensError, match="'weakest', 'average' or a number for each"):
        dl.split_budget([dl.MeanTest(**GOOD[dl.MeanTest])], dl.Mu().at_most(1), sensitivity=1.0, weights="optimal")
