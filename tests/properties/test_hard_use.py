"""Calls that once ended in a raw error, a warning, a hang or a bracket that was none."""

import numpy as np
import pandas as pd
import pytest

import dplens as dl
from dplens import _validate


def _nested(depth):
    inner = []
    for _ in range(depth):
        inner = [inner]
    return inner


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


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
