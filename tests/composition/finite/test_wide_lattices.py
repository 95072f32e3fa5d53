"""Lattices of many losses, of which a window is worked out."""

import pickle

import numpy as np
import pytest
from mpmath import binomial, exp, inf, mp, mpf, nstr

import dplens as dl

STEPS, EPSILON = 10**6, 0.002


@pytest.fixture(scope="module")
def curve():
    """A million randomised responses."""
    return dl.RandomizedResponse(epsilon=EPSILON).repeat(STEPS).tradeoff()


def tails(first):
    """P(K ≥ first) of the number of answers that speak for H1, under H0 and under H1, term by term."""
    step = mpf(EPSILON)
    truth = exp(step) / (1 + exp(step))
    absent = binomial(STEPS, first) * (1 - truth) ** first * truth ** (STEPS - first)
    present = absent * exp((2 * first - STEPS) * step)
    sums, k = [mpf(0), mpf(0)], first
    while present > sums[1] * mpf(10) ** -25:
        sums = [sums[0] + absent, sums[1] + present]
        ratio = mpf(STEPS - k) / (k + 1)
        absent, present = absent * ratio * (1 - truth) / truth, present * ratio * truth / (1 - truth)
        k += 1
    return sums


@pytest.mark.parametrize("above", [1000, 3000, 6500])  # of half the answers: from a third to 1e-28
def test_the_window_encloses_the_truth(curve, above):
    with mp.workdps(40):
        epsilon = float((2 * above - 1) * mpf(EPSILON))
        absent, present = tails(STEPS // 2 + above)
        delta = present - exp(mpf(epsilon)) * absent
        low, high = (end[0] for end in curve.profile_bounds(np.array([epsilon])))
        assert mpf(low) <= delta <= mpf(high) < inf, nstr(delta, 15)
        assert high - low < 1e-7 * high
        for sign, end in zip((-1, 1), curve.power_bounds(np.array([float(absent)]), np.array([1 - float(absent)]))):
            assert sign * (mpf(end[0]) - present) > -(mpf(10) ** -13) * present
            assert abs(mpf(end[0]) - present) < mpf(10) ** -7 * present
        found = [end[0] for end in curve.epsilon_bounds(np.array([float(delta)]))]
        assert found[0] * (1 - 1e-14) <= epsilon <= found[1] * (1 + 1e-14)


def test_beyond_the_window_bounds_stay_safe(curve):
    """At 1e-110 only the upper end says something: nothing is lost on that side."""
    with mp.workdps(40):
        above = 12_000
        epsilon = float((2 * above - 1) * mpf(EPSILON))
        absent, present = tails(STEPS // 2 + above)
        delta = present - exp(mpf(epsilon)) * absent
        low, high = (end[0] for end in curve.profile_bounds(np.array([epsilon])))
        assert mpf(low) <= delta <= mpf(high) < 1e-40


def test_it_travels(curve):
    copy = pickle.loads(pickle.dumps(curve))
    assert copy.delta(3.0) == curve.delta(3.0)


def test_far_too_many_responses_are_refused_in_words():
    with pytest.raises(dl.DplensError):
        dl.Advantage().of(dl.RandomizedResponse(epsilon=1.0, categories=3).repeat(10**12))
