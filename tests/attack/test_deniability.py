"""Plausible deniability against all subsets, and with many candidates."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import dplens as dl


def largest(logs, gamma, true):
    """The largest set of candidates whose likelihoods are within gamma of each other: all sets are tried."""
    for size in range(len(logs), 0, -1):
        for chosen in combinations(range(len(logs)), size):
            within = max(logs[i] for i in chosen) - min(logs[i] for i in chosen) <= math.log(gamma)
            if within and true in chosen:
                return size
    raise AssertionError("one record alone is a set")


@pytest.mark.parametrize("true", [None, 0, 5])
def test_the_largest_of_all_sets(true):
    rng = np.random.default_rng(8)
    for _ in range(10):
        values = rng.normal(0, 2, 8)
        logs = -np.abs(0.3 - values)
        for gamma in (1.0, 1.5, 4.0):
            found = dl.deniability(
                dl.Laplace(scale=1.0), output=0.3, candidates=values.tolist(), gamma=gamma, true=true
            )
            assert found == largest(logs, gamma, int(np.argmax(logs)) if true is None else true)


def test_many_candidates():
    values = np.arange(20_000) / 1000  # likelihoods fall with the value; log 2 is 693 candidates wide
    found = dl.deniability(dl.Laplace(scale=1.0), output=-1.0, candidates=values.tolist(), gamma=2.0, true=3)
    assert found == 694


def test_a_crowd_of_unlikely_records_is_no_alibi():
    m, crowd = dl.Laplace(scale=1.0), [0.0, 10.0, 10.0, 10.0, 10.0]
    assert dl.deniability(m, output=0.0, candidates=crowd, gamma=2.0) == 1
    assert dl.Attack(m).deniability(0.0, crowd) == 1
    assert dl.Attack(m).deniability(0.0, crowd, true=2) == 4


def test_records_that_cannot_produce_the_output_explain_nothing():
    m = dl.AdditiveNoise(noise=stats.uniform(-1, 2))
    assert dl.deniability(m, output=0.0, candidates=[0.5, 3.0, -0.5, 4.0], gamma=2.0) == 2
    assert dl.deniability(m, output=0.0, candidates=[0.5, 3.0], gamma=2.0, true=1) == 0
    assert dl.deniability(m, output=9.0, candidates=[0.5, 3.0], gamma=2.0) == 0


@pytest.mark.parametrize(
    ("m", "law"), [(dl.Gaussian(sigma=0.7), stats.norm(0, 0.7)), (dl.Laplace(scale=0.7), stats.laplace(0, 0.7))]
)
def test_vectors(m, law):
    rng = np.random.default_rng(3)
    values, at = rng.normal(0, 1, (7, 3)), np.array([0.2, -0.1, 0.4])
    logs = [sum(law.logpdf(at - v)) for v in values]
    for true in range(7):
        assert dl.deniability(m, output=at, candidates=values, gamma=5.0, true=true) == largest(logs, 5.0, true)


def test_mistakes_are_named():
    for m, output, candidates, message in (
        (dl.Geometric(scale=1.0), [0, 1], [[0, 1], [1, 1]], "must be numbers"),
        (dl.Gaussian(sigma=1.0), 0.0, [[0, 1], [1, 1]], "vector of length 2"),
        (dl.Gaussian(sigma=1.0), [0.0, 1.0], [0, 1], "a finite number"),
        (dl.Gaussian, 0.0, [0, 1], "not a class"),
    ):
        with pytest.raises(dl.DplensError, match=message):
            dl.deniability(m, output=output, candidates=candidates, gamma=2.0)
