"""Outcomes of equal likelihood ratio on a lattice: their masses add up."""

import math

import pytest

import dplens as dl


def binomial_delta(n: int, epsilon: float, at: float) -> float:
    """Delta of n randomised responses, by the law of the number of true answers."""
    p = 1 / (1 + math.exp(epsilon))
    total = []
    for k in range(n + 1):
        log_choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        q_mass = math.exp(log_choose + k * math.log(1 - p) + (n - k) * math.log(p))
        total.append(q_mass * max(1 - math.exp(at - (2 * k - n) * epsilon), 0.0))
    return math.fsum(total)


@pytest.mark.parametrize("route", ["enumeration", "lattice", "grid", None])
@pytest.mark.parametrize("n", [7, 40])
def test_two_outcomes_of_one_ratio_count_as_one(n, route):
    p = 1 / (1 + math.exp(0.3))
    # either answer comes in two colours, which tell nothing
    pair = dl.FinitePair(p=[p / 4, 3 * p / 4, (1 - p) / 2, (1 - p) / 2], q=[(1 - p) / 4, 3 * (1 - p) / 4, p / 2, p / 2])
    found = dl.Delta(epsilon=0.5).of(dl.compose(pair.repeat(n), route=route))
    truth = binomial_delta(n, 0.3, 0.5)
    assert found.low * (1 - 1e-12) <= truth <= found.high * (1 + 1e-12)
    assert found == pytest.approx(truth, rel=1e-6)
