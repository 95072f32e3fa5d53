"""Brackets where a rate underflows, a proof is all but certain or a ratio is huge: from the definitions, exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import erfc, erfinv, exp, mp, mpf, sqrt

import dplens as dl

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(60):
        yield


def holds(answer, truth):
    low, high = (Fraction(x) if isinstance(truth, Fraction) else mpf(x) for x in (answer.low, answer.high))
    assert low <= truth <= high, (answer, truth)


@pytest.mark.parametrize("mu", [36.5, 37.0, 37.3, 37.5, 38.0, 60.0])
def test_a_rate_that_underflows_is_not_zero(mu):
    for fnr in (0.3, 0.7, 0.99):
        z = sqrt(2) * erfinv(2 * mpf(fnr) - 1)
        truth = erfc((z + mpf(mu)) / sqrt(2)) / 2
        mechanism = dl.Gaussian(sigma=1.0, sensitivity=mu)
        holds(dl.MinFPR(fnr=fnr).of(mechanism), truth)
        assert mechanism.tradeoff()(fnr) <= truth
        for prior in (0.5, 1e-12):
            missed = mpf(prior) * truth
            holds(
                dl.PosteriorAfterNegative(prior=prior, fpr=fnr).of(mechanism),
                missed / ((1 - mpf(prior)) * (1 - mpf(fnr)) + missed),
            )


@pytest.mark.parametrize(("scale", "shift"), [(1.4, 7), (0.1, 3), (0.3, 3), (1.1, 11), (7.0, 49)])
def test_the_profile_next_to_the_largest_loss(scale, shift):
    r = exp(-1 / mpf(scale))
    for epsilon in (shift / scale, np.nextafter(shift / scale, 0), np.nextafter(shift / scale, 99)):
        # only the flat tails have a loss that may exceed such an epsilon: 1/(1 + r) under H1
        truth = max(-mp.expm1(mpf(float(epsilon)) - shift / mpf(scale)), mpf(0)) / (1 + r)
        holds(dl.Delta(epsilon=float(epsilon)).of(dl.Geometric(scale=scale, sensitivity=shift)), truth)


def law(masses):
    exact = [Fraction(x) for x in masses]
    return [x / sum(exact) for x in exact]


def least_fpr(p, q, fnr):
    """The least false-positive rate of a test that misses at most ``fnr``, in whichever direction is worse."""
    left, rate = 1 - Fraction(fnr), Fraction(0)
    for x, y in sorted(zip(p, q), key=lambda pair: pair[0] / pair[1] if pair[1] else Fraction(10) ** 999):
        used = min(y, left)
        rate += x * used / y if used else 0
        left -= used
    return rate


def worst(p, q, fnr):
    """The hull of both directions: at a given miss rate the better chord of all pairs of vertices."""
    points = []
    for one, other in ((p, q), (q, p)):
        a, t = Fraction(0), Fraction(0)
        points.append((1 - t, a))
        for x, y in sorted(zip(one, other), key=lambda pair: pair[0] / pair[1] if pair[1] else Fraction(10) ** 999):
            a, t = a + x, t + y
            points.append((1 - t, a))
    at = Fraction(fnr)
    best = min(a for b, a in points if b <= at)
    for b0, a0 in points:
        for b1, a1 in points:
            if b0 <= at < b1:
                best = min(best, a0 + (a1 - a0) * (at - b0) / (b1 - b0))
    return best


PAIRS = [
    ([1.0, 1.2945812264293217e-37], [0.0, 1.0]),
    (
        [1.0, 0.0, 3.722745259915821e-118, 0.0],
        [3.8427510848574565e-18, 0.5443882831224977, 0.2620916160367388, 0.19352010084076354],
    ),
    ([0.1, 0.7, 0.2, 0.0], [0.0, 0.3, 0.3, 0.4]),
    ([0.1, 0.9, 0.0], [0.1, 0.9, 1e-17]),
    ([0.1, 0.2, 0.3, 0.4], [1e-200, 0.3, 0.3, 0.4]),
]


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_rates_of_finite_pairs(p, q):
    mechanism, exact = dl.FinitePair(p=p, q=q), (law(p), law(q))
    for fnr in (1e-300, 1e-17, 0.01, 0.25, 0.5, 0.9, 0.999):
        holds(dl.MinFPR(fnr=fnr).of(mechanism), worst(*exact, fnr))
        for direction, (one, other) in (("add", exact), ("remove", exact[::-1])):
            holds(dl.MinFPR(fnr=fnr).of(mechanism.tradeoff(direction)), least_fpr(one, other, fnr))


@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_proofs_of_finite_pairs(p, q):
    mechanism, exact = dl.FinitePair(p=p, q=q), (law(p), law(q))
    proofs = [sum(y for x, y in zip(*pair) if x == 0) for pair in (exact, exact[::-1])]
    total = sum(max(y - x, Fraction(0)) for x, y in zip(*exact))
    if max(proofs):
        holds(dl.Delta(epsilon=800.0).of(mechanism), max(proofs))
        assert Fraction(mechanism.tradeoff()(0.0)) <= 1 - max(proofs)
    holds(dl.Advantage().of(mechanism), total)


def test_of_proofs_in_both_worlds_the_likelier_one_counts():
    """Masses whose sums round, so that vertices with alpha = 0 differ in the last digit of 1 − alpha."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        p, q = rng.random((2, 5)) * 10.0 ** -rng.integers(0, 9, (2, 5))
        p[0] = q[1] = 0.0
        p, q = (x / x.sum() for x in (p, q))
        exact = law(p), law(q)
        proof = max(exact[0][1], exact[1][0])
        for mechanism in (dl.FinitePair(p=p, q=q), dl.FinitePair(p=p, q=q).fails_with(1e-12)):
            assert Fraction(mechanism.tradeoff().power(0.0)) >= proof
        holds(dl.MinFPR(fnr=0.3).of(dl.FinitePair(p=p, q=q)), worst(*exact, 0.3))


@pytest.mark.parametrize("mu", [1e-161, 1e-163, 1e-300])
def test_a_proof_of_any_size_stays_one(mu):
    """One record of twenty is shown with probability 1 − e^−mu; the products of two such numbers underflow."""
    m = dl.UniformSampling(mu=mu, n=20)
    assert dl.Epsilon().of(m) == math.inf
    assert dl.failure_mode(m) is dl.FailureMode.CATASTROPHIC
    found = dl.Delta(epsilon=1.0).of(m)
    assert found.low <= mu / 20 * (1 + 1e-15)
    assert found.high >= mu / 20 * (1 - 1e-15)
    assert found.high - found.low <= 1e-12 * found


def test_the_hull_of_two_laplace_curves_next_to_power_one():
    f = dl.infimum(dl.Laplace(scale=0.816), dl.Laplace(scale=1.65))
    for alpha in np.random.default_rng(8).uniform(0.94, 1.0, 300):
        with mp.workdps(40):
            truth = 1 - mp.exp(-1 / mp.mpf(0.816)) * (1 - mp.mpf(float(alpha)))  # the last piece of the curve
            assert mp.mpf(dl.AttackPower(fpr=float(alpha)).of(f).high) >= truth
