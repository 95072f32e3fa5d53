"""Two numbers with a noise each: against closed forms."""

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.analyst.laws.noise import difference, noise_of
from dplens.analyst.laws.published import alone


@pytest.mark.parametrize(
    "test",
    [
        dl.TwoMeansTest(n=50, sd=0.5, effect=0.3, published="means", bounds=(0, 1)),
        dl.TwoProportionsTest(n=40, baseline=0.3, effect=0.3),
    ],
    ids=["means", "counts"],
)
def test_two_numbers_with_other_noise_are_refused(test):
    for noise in (dl.Staircase(epsilon=1.0, sensitivity=0.1), dl.AdditiveNoise(noise=stats.t(3, scale=0.1))):
        with pytest.raises(dl.DplensError, match=r"Gaussian and Laplace noise.*published='difference'"):
            test.power(noise)
    found = dl.utility_first(test, min_power=0.3)
    staircase = next(o for o in found.options if o.family == "staircase")
    assert not staircase.admissible
    assert "published='difference'" in staircase.why
    assert test.with_(published="difference").power(dl.Staircase(epsilon=1.0, sensitivity=0.1)) > test.level


def test_laplace_noise_that_is_not_about_zero():
    shifted = dl.AdditiveNoise(noise=stats.laplace(5, 0.1))
    test = dl.TwoMeansTest(n=50, sd=0.5, effect=0.3, published="means")
    assert test.power(shifted) == test.power(dl.Laplace(scale=0.1))
    law = alone(difference(noise_of(shifted), 3.0, 1.0))  # about 10
    assert float(law.tail(np.array([10.0]), +1)[1][0]) == pytest.approx(0.5, abs=1e-9)
