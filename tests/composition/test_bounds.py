"""What lines rest on, cumulant functions and how fast they fall off, against sums over very many outcomes."""

import itertools

import mpmath
import numpy as np
import pytest
from scipy.special import expit, log_ndtr
from scipy.stats import binom

from dplens.composition.contour.line_readings import LineReadings
from dplens.losses.base import GaussianLoss
from dplens.losses.bounded import AtomicLoss, LaplaceLoss
from dplens.losses.sampled import SampledGaussianLoss
from dplens.losses.total import Composition, Term
from dplens.losses.without_replacement import SymmetricSampleLoss

SAMPLED = [
    (20.0, 1e-3),
    (20.0, 0.5),
    (1 / 0.3, 0.01),
    (1 / 0.3, 1e-4),
    (1.0, 1e-6),
    (1.0, 0.01),
    (1 / 0.6, 0.001),
    (2.0, 0.5),
    (0.1, 0.1),
]
TILTS = [-300.0, -3.0, 0.4, 1.5, 4.0, 20.0]
CASES = list(itertools.product(SAMPLED, TILTS))
OUTCOMES = 20_001


def outcomes(mu, rate, c):
    """x, the loss there, and log of the tilted weight, from the definition; x is standard normal under H0."""
    x, step = np.linspace(-14.0, 14.0 + mu * max(c, 1.0), OUTCOMES, retstep=True)
    u = mu * x - mu**2 / 2
    loss = np.logaddexp(np.log1p(-rate), np.log(rate) + u)
    return loss, c * loss - x * x / 2 + np.log(step / np.sqrt(2 * np.pi))


def moments(loss, log_weight, t):
    """log M(c), and M(c + it)/M(c) for each t."""
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    keep = weight > 1e-25
    loss, weight = loss[keep], weight[keep]
    total = weight.sum()
    return top + np.log(total), np.array([weight @ np.exp(1j * x * loss) for x in t]) / total


@pytest.mark.parametrize(("law", "c"), CASES)
def test_moments_of_sampled_steps(law, c):
    mu, rate = law
    loss, log_weight = outcomes(mu, rate, c)
    t = np.linspace(0.0, 40.0 / max(np.ptp(loss[log_weight > log_weight.max() - 8]), mu**2 / 800), 9)
    log_total, ratio = moments(loss, log_weight, t)
    found, error = SampledGaussianLoss(mu, rate).evaluate(c, t)
    wrong = np.abs(np.exp(found - log_total) - ratio)
    assert np.all(wrong <= np.expm1(error) * np.abs(ratio) + 3e-12 * (1 + abs(log_total)))


@pytest.mark.parametrize(("law", "c"), CASES)
def test_characteristic_functions_stay_below_their_bounds(law, c):
    mu, rate = law
    loss, log_weight = outcomes(mu, rate, c)
    spread = max(np.ptp(loss[log_weight > log_weight.max() - 8]), mu**2 / 800)
    step = Composition((Term(SampledGaussianLoss(mu, rate), 1),))
    t = np.geomspace(0.05, 60.0, 25) / spread
    sizes = np.abs(moments(loss, log_weight, t)[1])
    later = np.maximum.accumulate(sizes[::-1])[::-1]
    assert np.all(later <= step.envelope(c, t) + 1e-10)
    assert np.all(later <= step.reversed.envelope(1 - c, t) + 1e-10)


@pytest.mark.parametrize(
    ("law", "c"), list(itertools.product([(1.0, 0.01), (2.0, 0.5), (0.5, 0.001)], [0.4, 1.5, 9.0]))
)
def test_symmetric_steps_stay_below_their_bounds(law, c):
    """Losses of L > 0, their mirror image, and an atom at 0 with what is left."""
    mu, rate = law
    loss, tilted = outcomes(mu, rate, c)
    log_weight = tilted - c * loss
    up = loss > 0
    both = np.concatenate([loss[up], -loss[up]])
    weights = np.concatenate([log_weight[up], log_weight[up] + loss[up]])
    still = 1 - np.exp(weights).sum()
    both, weights = np.append(both, 0.0), np.append(weights, np.log(still))
    t = np.geomspace(0.05, 60.0, 25) / np.ptp(loss[log_weight > log_weight.max() - 8])
    sizes = np.abs(moments(both, weights + c * both, t)[1])
    later = np.maximum.accumulate(sizes[::-1])[::-1]
    found = SymmetricSampleLoss(mu, rate).envelope(c, t)
    # the sum over outcomes is cut at loss 0, where a cell may be wrong
    assert np.all(later <= found + 1e-4)
    assert found[-1] < 1


def gaussian_call(mu, e):
    """E(e^L − e^e)₊ of a Gaussian loss."""
    return np.exp(log_ndtr(mu / 2 - e / mu)) - np.exp(e + log_ndtr(-mu / 2 - e / mu))


def response_call(epsilon, count, e):
    """The same of so many coins with log-odds epsilon: the loss is (2·heads − count)·epsilon."""
    heads = np.arange(count + 1)
    loss, log_chance = (2 * heads - count) * epsilon, binom.logpmf(heads, count, 1 / (1 + np.exp(epsilon)))
    gain = -np.expm1(np.minimum(e[:, None] - loss, 0.0))
    return gain @ np.exp(loss + log_chance)


@pytest.mark.parametrize("epsilon", [0.05, 0.4, 2.0])
@pytest.mark.parametrize("count", [1, 30, 400])
def test_bounds_without_lines_lie_above_calls(epsilon, count):
    coin = 1 / (1 + np.exp(-epsilon))
    atoms = AtomicLoss(np.array([coin, 1 - coin]), np.array([-epsilon, epsilon]))
    e = np.linspace(0.0, 0.98, 40) * min(count * epsilon, 6 * epsilon * np.sqrt(count))
    cases = [
        (Composition((Term(GaussianLoss(epsilon), count),)), gaussian_call(epsilon * np.sqrt(count), e)),
        (Composition((Term(atoms, count),)), response_call(epsilon, count, e)),
    ]
    for comp, truth in cases:
        readings = LineReadings(comp)
        assert np.all(readings.call_bounds(e) >= truth * (1 - 1e-9))


def log_moment(s, epsilons, responses):
    """K(s) of Laplace steps and of responses with two losses, by closed forms at 40 digits."""
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for e in map(mpmath.mpf, epsilons):
            total += mpmath.log((s * mpmath.exp((s - 1) * e) + (s - 1) * mpmath.exp(-s * e)) / (2 * s - 1))
        for e in map(mpmath.mpf, responses):
            total += mpmath.log((mpmath.exp(s * e) + mpmath.exp((1 - s) * e)) / (1 + mpmath.exp(e)))
        return total


@pytest.mark.parametrize("scale", [1e-4, 0.01, 0.3, 2.5])
@pytest.mark.parametrize("c", [-1.3, 0.6, 4.0, 60.0])
def test_many_small_steps_are_evaluated_within_their_error(scale, c):
    epsilons = [scale * (1 + 0.07 * i) for i in range(30)]
    responses = [scale * (1 + 0.03 * i) for i in range(300)]
    laws = [LaplaceLoss(e) for e in epsilons]
    laws += [AtomicLoss(expit([-e, e]), np.array([e, -e])) for e in responses]
    total = Composition.of(Term(law, 1) for law in laws)
    t = np.linspace(0.0, 3.0 / scale, 7)
    k, error = total.evaluate(c, t)
    with mpmath.workdps(40):
        for value, bound, x in zip(k, error, t):
            gap = mpmath.mpc(complex(value)) - log_moment(mpmath.mpc(c, x), epsilons, responses)
            turns = mpmath.nint(gap.imag / (2 * mpmath.pi))  # any branch of the logarithm will do
            assert abs(gap - 2j * mpmath.pi * turns) <= bound
    assert error.max() < 1e-7
    with mpmath.workdps(15):  # steps of a length that log_moment still resolves
        derivative = mpmath.diff(lambda s: log_moment(s, epsilons, responses), c)
    assert total.cgf(np.array([c]))[1][0] == pytest.approx(float(derivative), rel=1e-7, abs=1e-12)
