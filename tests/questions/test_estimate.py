"""An estimate is a number within its bracket."""

import math
import pickle

import numpy as np
import pytest

import dplens as dl


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (0.0, 0.2, 0.3),
        (0.4, 0.2, 0.3),
        (0.25, 0.3, 0.2),
        (math.nan, 0.2, 0.3),
        (0.2, math.nan, 0.3),
        (0.2, 0.2, math.nan),
    ],
)
def test_a_number_outside_its_bracket_is_refused(value, low, high):
    with pytest.raises(dl.DplensError, match=r"Expected (value|low|high) to"):
        dl.Estimate(value, low=low, high=high)


@pytest.mark.parametrize("wrong", ["0.2", None, [0.2], True])
def test_what_is_no_number_is_refused(wrong):
    for given in ((wrong, 0.1, 0.3), (0.2, wrong, 0.3), (0.2, 0.1, wrong)):
        with pytest.raises(dl.DplensError, match="to be a number"):
            dl.Estimate(given[0], low=given[1], high=given[2])


def test_whole_numbers_infinity_and_those_of_numpy_are_numbers():
    e = dl.Estimate(np.float32(1), low=0, high=math.inf)
    assert (float(e), e.low, e.high) == (1.0, 0.0, math.inf)
    assert isinstance(e.low, float)
    assert pickle.loads(pickle.dumps(e)).high == math.inf


@pytest.mark.parametrize(
    "group",
    [
        dl.ApproximateDP(epsilon=1.0, delta=1e-5).group(10**308),
        dl.PrivacyProfile(epsilons=[0.0, 1.0, 2.0], deltas=[0.4, 0.1, 0.01]).group(1e20),
    ],
    ids=["guarantee", "profile"],
)
def test_brackets_of_huge_groups_stay_within_their_range(group):
    for question in (dl.Advantage(), dl.Delta(epsilon=1.0), dl.AttackPower(fpr=0.01)):
        answer = question.of(group)
        assert answer == answer.high == 1.0  # so many records that all is told
        assert answer.low >= 0
