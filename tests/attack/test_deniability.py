"""Plausible deniability against all subsets, and with many candidates."""

import math
from itertools import combinations

import numpy as np
import pytest

import dplens as dl


def largest(logs, gamma, true):
    """The largest set of candidates whose likelihoods are within gamma of each other: all sets are tried."""
    for size in range(len(logs), 0, -1):
        for chosen in combinations(range(len(logs)), size):
            within = max(logs[i] for i in chosen) - min(logs[i] for i in chosen) <= math.log(gamma)
            if within and (true is None or true in chosen):
                return size
    return 0


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
            assert found == largest(logs, gamma, true)


def test_many_candidates():
    values = np.arange(20_000) / 1000  # likelihoods fall with the value; log 2 is 693 candidates wide
    found = dl.deniability(dl.Laplace(scale=1.0), output=-1.0, candidates=values.tolist(), gamma=2.0, true=3)
    assert found == 694
