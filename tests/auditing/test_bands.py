"""The band: its chance of failing by enumeration, its levels, its edges."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplens.auditing.bands import crossing, grid_ranks, lower_band, rank_bounds


def exact_crossing(n, ranks, bounds):
    """1 − P(N(c_k) ≤ k − 1 for every rank k), N the number of n uniform numbers below, by exact enumeration."""
    state, before = {0: Fraction(1)}, Fraction(0)
    for k, c in zip(ranks.tolist(), map(Fraction, bounds.tolist())):
        share = (c - before) / (1 - before)
        after = {}
        for m, mass in state.items():
            for more in range(k - m):  # at most k − 1 in all
                chance = math.comb(n - m, more) * share**more * (1 - share) ** (n - m - more)
                after[m + more] = after.get(m + more, Fraction(0)) + mass * chance
        state, before = after, c
    return float(1 - sum(state.values()))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12])
@pytest.mark.parametrize("error", [0.2, 0.025, 1e-6])
def test_small_bands_fail_no_more_often_than_allowed_by_enumeration(n, error):
    band = lower_band(n, error)
    exact = exact_crossing(n, band.ranks, band.bounds)
    assert exact <= error
    assert exact >= 0.6 * error  # and the error that is allowed is used


@given(st.integers(2, 14), st.data())
def test_crossing_bounds_the_exact_probability_for_any_ranks_and_bounds(n, data):
    ranks = np.array(sorted(data.draw(st.sets(st.integers(1, n), min_size=1, max_size=n))))
    level = data.draw(st.floats(1e-4, 0.4))
    bounds = rank_bounds(n, ranks, level)
    exact = exact_crossing(n, ranks, bounds)
    assert crossing(n, ranks, bounds) >= exact * (1 - 1e-9)


@pytest.mark.parametrize(("n", "draws"), [(60, 2000), (1500, 600)])
def test_larger_bands_by_simulation(n, draws):
    rng, band = np.random.default_rng(n), lower_band(n, 0.1)
    failed = sum(bool((np.sort(rng.random(n))[band.ranks - 1] < band.bounds).any()) for _ in range(draws))
    assert failed / draws <= 0.1 + 3.7 * math.sqrt(0.09 / draws)
    assert failed / draws >= 0.03  # not idle either


@pytest.mark.parametrize("n", [1, 5, 1000, 10**8])
def test_bands_are_ordered_and_never_reach_the_ends(n):
    band = lower_band(n, 0.025)
    assert (np.diff(band.ranks) > 0).all()
    assert band.ranks[0] == 1
    assert band.ranks[-1] == n
    assert (np.diff(band.bounds) > 0).all()
    assert band.bounds[0] > 0
    assert band.bounds[-1] < 1
    assert crossing(n, band.ranks, band.bounds) <= 0.025
    assert band.at(0) == 0
    assert band.above(n) == 1
    assert 0 < band.above(0) < 1
    # a bound never exceeds the share that was seen, and lies within six standard deviations (or a few counts) of it
    seen = band.ranks / n
    assert (band.bounds < seen).all()
    width = 6 * np.sqrt(seen * (1 - seen) / n) + 20 / n
    assert (seen - band.bounds < width).all()


def test_counts_between_ranks_use_the_next_lower_rank():
    band = lower_band(10**6, 0.05)
    k = int(band.ranks[700])
    assert band.ranks[701] > k + 1
    assert band.at(k + 1) == band.at(k) > band.at(k - 1)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 99, 12345])
def test_ranks_are_all_there_while_there_are_few(n):
    ranks = grid_ranks(n)
    assert ranks[0] == 1
    assert ranks[-1] == n
    assert len(ranks) == n or n > 30
