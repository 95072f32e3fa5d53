"""Calls that once ended in a raw error, a warning, a hang or a bracket that was none."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dplens as dl
from dplens import _validate
from dplens.curves.finite.polygons import polygon_above, polygon_below
from dplens.curves.readings.sandwich import _Side
from dplens.mechanisms.noise_laws import StaircaseLaw


def _nested(depth):
    inner = []
    for _ in range(depth):
        inner = [inner]
    return inner


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


MEAN = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
COUNTED = dl.audit_counts(true_positives=60, n_in=100, false_positives=10, n_out=100)
TABLE = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
GAUSSIAN = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]], width=1.0)
PLAN = dl.MultipleTests(tests=[MEAN, MEAN])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10**5000, "an integer of about 5001 digits"),
        (_nested(5000), "a list that cannot be printed"),
        (Unprintable(), "Unprintable that cannot be printed"),
        (pd.Series([0.1]), "Pass a scalar"),
        (np.datetime64("2020"), "to be a number"),
        (np.longdouble("1e4000"), "finite"),
        (bytearray(b"1"), "to be a number"),
        (np.array(None), "to be a number"),
    ],
    ids=["long integer", "deep list", "no repr", "series", "time", "long double", "bytes", "nothing"],
)
def test_values_that_python_cannot_print_or_turn_into_a_number(value, shown):
    with pytest.raises(dl.DplensError, match=r"Expected sigma") as caught:
        dl.Gaussian(sigma=value)
    assert shown in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [10**5000, _nested(5000), np.array([np.longdouble("1e4000")]), [pd.NA], "0.1"],
    ids=["long integer", "deep list", "long doubles", "not available", "text"],
)
def test_levels_of_the_wrong_kind(value):
    with pytest.raises(dl.DplensError, match="Expected alpha"):
        dl.Gaussian(sigma=1.0).tradeoff()(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.DPSGD(noise_multiplier=1.0, sample_rate=pd.Series([0.1, 0.2]), steps=100),
        lambda: dl.DPSGD(noise_multiplier=1.0, epochs=1, batch_size=pd.Series([1, 2]), n=100),
        lambda: dl.PrivacyLoss(2),
        lambda: dl.Renyi(order=1e10).of(dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100)),
        lambda: dl.Answer.from_dict({"question": np.array([1, 2]), "value": 0.1, "low": 0.1, "high": 0.1}),
        lambda: dl.audit_one_run(included=[True, pd.Series([0.1])], scores=[1, 2], guess=1),
        lambda: dl.Runs(10, 0, "how", chunks=3),
        lambda: dl.Runs(10**12, 0, "how"),
        lambda: dl.DiscreteData.independent(3),
        lambda: dl.Knowing(target=0, known=[_nested(5000)]),
        lambda: dl.Certificate("exact", 10**5000),
        lambda: dl.fit_gaussian("x" * 10_000, ranges={"a": (0, 1), "b": (0, 1)}),
        lambda: dl.audit_mechanism(Unprintable(), [0.0], [1.0], n=40),
        lambda: dl.load_scenario("x" * 5000),
        lambda: dl.Critical(low=0.0, high=1.0).rejects("0.1"),
        lambda: dl.Laplace(scale=1.0).log_likelihood("0.1"),
        lambda: dl.Geometric(scale=1.0).log_likelihood([None]),
        lambda: dl.from_opacus([(np.array([1.0, 2.0]), 0.01, 100)]),
        lambda: dl.from_arrays([0.0, 1.0], [1.0, 0.0], origin=3),
        lambda: dl.PlanningValue(value=1, confidence=pd.Series([0.9])),
        lambda: dl.TwoMeansTest(n=100, sd=1.0, effect=0.2, ratio=1e308),
        lambda: dl.SlopeTest(n=50, sd=0.2, effect=0.5, x_bounds=(0, 1), y_bounds=(0, 1), draws=np.nan),
        lambda: dl.SlopeTest(n=50, sd=0.2, effect=0.5, x_bounds=(0, 1), y_bounds=(0, 1), draws=Unprintable()),
        lambda: dl.GaussianData(covariance=[[1e308, 5e307], [5e307, 1e308]]),
        lambda: dl.GaussianChain(correlations=[0.5], sds=1e200).worst(dl.Gaussian(sigma=1.0)),
        lambda: MEAN.power(dl.Staircase(epsilon=1e-320)),
        lambda: dl.Advantage().of(TABLE.view(dl.Staircase(epsilon=1e-320), target=0)),
        lambda: dl.Advantage().of(TABLE.view(dl.Laplace(scale=1e-320), target=0)),
        lambda: dl.Advantage().of(TABLE.view(dl.Gaussian(sigma=1e308), target=0)),
        lambda: dl.Advantage().of(TABLE.view(dl.Gaussian(sigma=1.0), target=0, weights=[1e308, 1e308])),
        lambda: dl.Advantage().of(TABLE.view(dl.Gaussian(sigma=1.0), target=0, weights=[1e-308, 1.0])),
        lambda: dl.Advantage().of(TABLE.view(dl.Geometric(scale=1.0), target=0, weights=[10**9, 1])),
        lambda: GAUSSIAN.view(dl.Gaussian(sigma=1.0), target=0, weights=[1e308, 1e308]),
        lambda: dl.ZeroConcentratedDP(rho=1e-18),
        lambda: dl.Estimate(0.25, low=0.2, high=0.3, certificate=3),
        lambda: MEAN.p_value([1.0, 2.0, 3.0], dl.Gaussian(sigma=0.05)),
        lambda: dl.Answer.from_dict({"question": "auc", "value": 0.6, "low": 0.6, "high": _nested(5000)}),
        lambda: dl.Answer.from_dict({"question": "delta", "epsilon": _nested(5000), "value": 0, "low": 0, "high": 0}),
        lambda: dl.SlopeTest(
            n=10**12, sd=0.2, effect=0.5, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", rng=1
        ).power(),
        lambda: dl.Runs(10, 0, "how", shape=np.nan),
        lambda: dl.DPSGD(noise_multiplier=1.0, epochs=2, batch_size=1, n=1e308),
        lambda: dl.SimulatedTest(
            simulate=lambda rng, n, m: m, statistic=np.mean, n=20, effect=0.5, draws=200, rng=0, batched=np.nan
        ),
        lambda: dl.Assessment.from_dict({"format": 10**5000}),
        lambda: dl.solve(MEAN, n=None, power=0.8, noise=len),
        lambda: dl.solve(MEAN, noise=None, power=0.8, family=len),
        lambda: COUNTED.least(len),
        lambda: PLAN.power(rng=0, draws=1e16),
        lambda: PLAN.decide(np.array(0.1)),
        lambda: dl.Runs(10, 0, "how").save("x" * 5000),
        lambda: dl.Epsilon(delta=1e-5).of(dl.Geometric(scale=1.0, sensitivity=10**12).repeat(3)),
        lambda: dl.Assessment.from_dict({"format": "dplens assessment 1", "title": _nested(5000)}),
    ],
)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_refused_in_words(call):
    with pytest.raises(dl.DplensError):
        call()


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_groups_of_training_steps_have_a_divergence_without_a_warning():
    one, two = (
        dl.Renyi(order=2.0).of(dl.DPSGD(noise_multiplier=2.0, sample_rate=0.05, steps=20).group(k)) for k in (1, 2)
    )
    assert two.low > one.high


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_losses_whose_squares_are_no_floats_are_composed():
    answer = dl.Advantage().of(dl.Geometric(scale=1e-300, sensitivity=3).repeat(7))
    assert 0 <= answer.low <= answer.high == 1


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_spread_may_be_a_fraction():
    asked = {"sizes": (15,), "mus": (1.0,), "effects": (0.1,), "levels": (0.01,)}
    assert "sd 0.333333" in dl.fondeville_analysis(sd=Fraction(1, 3), **asked).power.caption


def test_a_divergence_whose_digits_are_lost_is_not_negative():
    found = dl.Renyi(order=2.0).of(dl.Exponential(epsilon=0.2).group(10**18))
    assert 0 <= found.low <= found.high


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_gaussian_noise_whose_mu_is_subnormal():
    release = dl.Gaussian(sigma=1e308, sensitivity=1e-10)
    assert release.tradeoff().certificate.tolerance < 1e-11
    for sensitivity in (1e-10, 5e-324):
        cost = dl.Cost().of(dl.Gaussian(sigma=1e308 if sensitivity > 1e-300 else 1.0, sensitivity=sensitivity))
        assert cost.low <= 0.5 <= cost.high


def test_shifts_at_either_end_of_the_floats():
    tiny = dl.Advantage().of(dl.Gaussian(sigma=2.0, sensitivity=5e-324, neighbours="replace"))
    assert 0 <= tiny.low <= tiny.high <= 1e-300
    assert dl.Attack(dl.Gaussian(sigma=1e308, sensitivity=1e308), fpr=0.05).power == pytest.approx(
        dl.Attack(dl.Gaussian(sigma=1.0), fpr=0.05).power
    )


@pytest.mark.parametrize("sensitivity", [5e-324, 1e-300, 0.3, 3.0, 1e300])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_sigma_scales_with_the_sensitivity(sensitivity):
    unit = dl.gaussian_sigma(epsilon=1.0, delta=1e-5)
    found = dl.gaussian_sigma(epsilon=1.0, delta=1e-5, sensitivity=sensitivity)
    assert found >= unit * sensitivity
    if 1e-290 < sensitivity < 1e290:
        assert found == pytest.approx(unit * sensitivity, rel=1e-14)
        release = dl.Gaussian(sigma=found, sensitivity=sensitivity)
        assert dl.Delta(epsilon=1.0).of(release) <= 1e-5


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (_validate.flag, True, 1),
        (_validate.text, "a", 3),
        (_validate.path, "a.txt", ""),
        (lambda name, value: _validate.workers(value, name), -1, 0),
        (lambda name, value: _validate.mapping(name, value, "a to b"), {}, []),
    ],
)
def test_checks_name_the_argument(check, good, bad):
    check("thing", good)
    with pytest.raises(dl.DplensError, match="Expected thing to be"):
        check("thing", bad)


def test_a_confidence_may_be_a_fraction():
    found = dl.private_n(100, dl.Laplace(scale=1.0), confidence=Fraction(1, 4))
    assert found == dl.private_n(100, dl.Laplace(scale=1.0), confidence=0.25)


def test_a_family_that_makes_nothing_is_said_to():
    found = dl.privacy_first(
        blatant_ok=False, high_confidence_ok=True, limit=dl.Advantage().at_most(0.2), families=len, sensitivity=1.0
    )
    assert not found.options[0].admissible
    assert "TypeError" in found.options[0].why


def test_lists_that_hold_themselves_are_looked_through():
    ring = ["whole"]
    ring.append(ring)
    assert not _validate.has_lone_surrogates({"ring": ring})
    assert _validate.has_lone_surrogates([ring, ("half \ud800",)])


@pytest.mark.parametrize("bad", [True, np.bool_(True), np.timedelta64(0, "s"), np.timedelta64("NaT"), 1.0])
def test_what_is_no_integer(bad):
    assert not _validate.is_integer(bad)
    assert _validate.is_integer(np.int8(1))
    with pytest.raises(dl.DplensError, match="Expected workers"):
        _validate.workers(bad)


def test_quantiles_of_very_flat_stairs_are_infinite():
    law = StaircaseLaw(epsilon=1e-320, sensitivity=1.0, gamma=0.5)
    with np.errstate(all="raise"):
        assert law.isf(np.array([0.0, 0.25])).tolist() == [np.inf, np.inf]
        assert StaircaseLaw(epsilon=1.0, sensitivity=1.0, gamma=0.5).isf(np.array([0.0, 0.5])).tolist() == [np.inf, 0.0]


RARE = dl.DPSGD(noise_multiplier=2.0, sample_rate=1e-6, steps=3)


@pytest.mark.parametrize("probability", [1e-320, 1e-9, 0.3])
def test_a_release_that_may_fail_answers_as_soon_as_one_that_does_not(probability):
    question, release = dl.PosteriorAfterNegative(prior=0.9, fpr=0.1), RARE.fails_with(probability)
    found = question.of(release)
    # beta is (1 − k)·f(alpha/(1 − k)), k the probability
    inner, keep = dl.PosteriorAfterNegative(prior=0.9, fpr=0.1 / (1 - probability)).of(RARE), 1 - probability
    odds = keep * inner / (1 - inner) * (1 - 0.1 / keep) / 0.9
    assert found == pytest.approx(odds / (1 + odds), rel=1e-12)


@pytest.mark.parametrize(("delta", "epsilon"), [(0.0, math.inf), (1.0, 0.0)])
def test_at_the_ends_of_delta_no_profile_of_a_group_is_needed(delta, epsilon):
    release = dl.Gaussian(sigma=7.3, sensitivity=30).subsample(0.1).repeat(100).group(2)
    found = dl.Epsilon(delta=delta).of(release)
    assert (found.low, found.high) == (epsilon, epsilon)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("epsilon", [0.3, 2.0, 5.64])
def test_cells_around_a_kink_are_divided_no_further_than_floats_can_tell(epsilon):
    """As in the area under a curve next to one with kinks, which no public reading asks for at such a tolerance."""
    curve = dl.RandomizedResponse(epsilon=epsilon).tradeoff()
    truth = float(dl.AUC().of(curve))
    side = _Side(curve, 1e-18)
    above, below = side.above(), side.below(side)
    for polygon in (polygon_above(above, above), polygon_below(below, below)):
        assert float(dl.AUC().of(polygon)) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize(
    ("question", "release"),
    [
        # noise on slopes is no reason to look closer and closer
        (dl.Renyi(order=1e-9), dl.ZeroConcentratedDP(rho=1.97).group(2).group(2)),
    ],
    ids=["divergence"],
)
def test_unusual_settings_are_answered(question, release):
    found = question.of(release)
    assert 0 < found.low <= found.high


def test_a_group_of_groups_is_a_group():
    release = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100)
    for question in (dl.Advantage(), dl.Epsilon(delta=1e-6)):
        assert question.of(release.group(2).group(3)) == question.of(release.group(6))
