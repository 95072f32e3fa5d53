"""Continuous laws with gaps, combs and truncated tails, and laws known by their density alone."""

import math

import numpy as np
import pytest
from mpmath import erf, erfc, exp, log, mp, mpf, sqrt
from scipy import stats

import dplens as dl
from dplens.errors import DplensError
from tests.reference.checks import encloses

CATASTROPHIC, GRACEFUL, NONE, UNDETERMINED = (
    getattr(dl.FailureMode, n) for n in ("CATASTROPHIC", "GRACEFUL", "NONE", "UNDETERMINED")
)


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(40):
        yield


# ---- gaps and combs: elementary arithmetic on steps ---------------------------------------------------------------


def holed(start=0.0):
    """Even on (0, 1) and (2, 3), nothing between."""
    parts = [stats.Uniform(a=start, b=start + 1), stats.Uniform(a=start + 2, b=start + 3)]
    return stats.Mixture(parts, weights=[0.5, 0.5])


HOLED = {
    "mixture": holed,
    "histogram": lambda: stats.rv_histogram(([1.0, 0.0, 1.0], [0.0, 1.0, 2.0, 3.0]))(),
    "empty ends": lambda: stats.rv_histogram(([0.0, 1.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0]))(),
}


@pytest.mark.parametrize("name", HOLED)
def test_a_hole_in_a_density_is_proof(name):
    pair = dl.ContinuousPair(p=HOLED[name](), q=stats.uniform(0, 3))
    third = mpf(1) / 3
    encloses(dl.AttackPower(fpr=0.0).of(pair.tradeoff("add")), third, 1e-12)
    encloses(dl.Advantage().of(pair), third, 1e-12)
    encloses(dl.Delta(epsilon=5.0).of(pair.tradeoff("add")), third, 1e-12)
    assert dl.failure_mode(pair) is CATASTROPHIC
    assert dl.failure_mode(pair.tradeoff("remove")) is CATASTROPHIC


def test_a_hole_against_a_smooth_law():
    """beta(2, 2) on (0, 3): 7/27 of it on either outer third, 13/27 in the hole, where there is nothing else."""
    pair = dl.ContinuousPair(p=holed(), q=stats.beta(2, 2, 0, 3))
    encloses(dl.AttackPower(fpr=0.0).of(pair.tradeoff("add")), mpf(13) / 27, 1e-10)
    assert dl.failure_mode(pair) is CATASTROPHIC
    encloses(dl.Advantage().of(pair), mpf(13) / 27, 1e-6)  # outside it q's density 2u(1 − u) is below p's ½


class Holed(stats.rv_continuous):
    """The same hole in a user's own density."""

    def _pdf(self, x):
        return np.where((x < 1) | (x > 2), 0.5, 0.0)


def test_a_hole_in_a_users_density_is_proof():
    pair = dl.ContinuousPair(p=Holed(a=0, b=3)(), q=stats.norm(1.5, 1.0))
    truth = 1 - erf(mpf(1.5) / sqrt(mpf(2))) + erf(mpf(0.5) / sqrt(mpf(2)))
    encloses(dl.AttackPower(fpr=0.0).of(pair.tradeoff("add")), truth, 1e-6)
    assert dl.failure_mode(pair) is CATASTROPHIC


def comb(teeth):
    """Heights 1, 3, 1, 3, …: densities ½ and 1½."""
    return stats.rv_histogram((np.tile([1.0, 3.0], teeth // 2), np.linspace(0, 1, teeth + 1)))()


def test_a_fine_comb_against_its_mean():
    pair = dl.ContinuousPair(p=comb(2048), q=stats.uniform(0, 1))
    encloses(dl.Advantage().of(pair), mpf(1) / 4, 1e-12)
    encloses(dl.Renyi(order=1.0).of(pair.tradeoff("add")), log(mpf(4) / 3) / 2, 1e-12)
    encloses(dl.RelativeRisk().of(pair.tradeoff("add")), mpf(2), 1e-12)


class Ripple(stats.rv_continuous):
    """Density 1 + 0.9·sin(2π·k·x) on (0, 1), with everything scipy asks for."""

    waves = 100_000

    def _pdf(self, x):
        return 1 + 0.9 * np.sin(2 * np.pi * self.waves * x)

    def _cdf(self, x):
        return x + 0.9 * (1 - np.cos(2 * np.pi * self.waves * x)) / (2 * np.pi * self.waves)

    def _sf(self, x):
        return 1 - self._cdf(x)

    def _ppf(self, p):
        return p  # to within a wave


def test_ripples_finer_than_any_grid_are_refused_not_overlooked():
    noise = Ripple(a=0, b=1)()
    with pytest.raises(DplensError, match=r"resolved|turns"):
        dl.ContinuousPair(p=noise, q=stats.uniform(0, 1)).tradeoff().delta(0.0)
    with pytest.raises(DplensError, match=r"resolved|one peak"):
        dl.AdditiveNoise(noise=noise, sensitivity=1 / 6000).tradeoff().delta(0.0)


# ---- truncated normal noise ---------------------------------------------------------------------------------------


def mass(a, b):
    """Of the normal law between a and b."""
    root = sqrt(mpf(2))
    if a >= 0:
        return (erfc(a / root) - erfc(b / root)) / 2
    return mass(-b, -a) if b <= 0 else 1 - (erfc(b / root) + erfc(-a / root)) / 2


def truncated_delta(limit, epsilon):
    """Shift 1: the loss is x − ½, and infinite on the last unit of the moved law."""
    start = min(mpf(epsilon) + mpf(1) / 2, mpf(limit))
    total = mass(-mpf(limit), mpf(limit))
    return (mass(start - 1, mpf(limit)) - exp(mpf(epsilon)) * mass(start, mpf(limit))) / total


@pytest.mark.parametrize("limit", [2.0, 6.0, 20.0, 40.0, 1e3, math.inf])
def test_delta_and_epsilon_of_truncated_normal_noise(limit):
    f = dl.AdditiveNoise(noise=stats.truncnorm(-limit, limit)).tradeoff()
    with mp.workdps(60):
        for epsilon in (0.5, 3.0, 10.0) if limit <= 6 else (0.5, 3.0):  # deltas far from the end are known above 1e-15
            truth = truncated_delta(limit, epsilon)
            assert truth <= mpf(f.delta(epsilon)) <= truth * (1 + mpf("1e-6"))
            assert truth * (1 - mpf("1e-6")) <= mpf(f.readings()[1].delta(epsilon)) <= truth
        if limit >= 20:
            delta = 1e-30 if limit == math.inf else 1e-7
            e = f.epsilon(delta)
            assert truncated_delta(limit, e) <= mpf(delta) <= truncated_delta(limit, e - 1e-5)


@pytest.mark.parametrize(
    ("limit", "alpha"),
    [(40.0, 1e-5), (40.0, 0.3), *((x, a) for x in (6.0, math.inf) for a in (1e-300, 1e-50, 1e-16, 1e-5, 0.3))],
)
def test_power_of_truncated_normal_noise(limit, alpha):
    f = dl.AdditiveNoise(noise=stats.truncnorm(-limit, limit)).tradeoff()
    with mp.workdps(60):
        end, total, goal = mpf(limit), mass(-mpf(limit), mpf(limit)), mpf(alpha)
        low, high = mpf(-1), min(end, mpf(45))
        for _ in range(160):
            middle = (low + high) / 2
            low, high = (middle, high) if mass(middle, end) > goal * total else (low, middle)
        truth = mass(low - 1, end) / total
    near = mpf("1e-6") if alpha >= 1e-30 else mpf("1e-3")
    assert truth <= mpf(f.power(alpha)) <= truth * (1 + near)
    assert truth * (1 - near) <= mpf(f.readings()[1].power(alpha)) <= truth


def test_a_proof_too_rare_for_floats_is_not_called_none():
    for noise in (stats.truncnorm(-20, 20), stats.truncnorm(-40, 40), stats.truncnorm(-1e3, 1e3)):
        m = dl.AdditiveNoise(noise=noise)
        assert dl.failure_mode(m) in {CATASTROPHIC, UNDETERMINED}
        assert dl.RelativeRisk().of(m).high == math.inf
        assert dl.Mu().of(m).high == math.inf
        proof = dl.AttackPower(fpr=0.0).of(m)
        assert proof.low < proof.high < 1e-15
    assert dl.failure_mode(dl.AdditiveNoise(noise=stats.truncnorm(-6, 6))) is CATASTROPHIC
    assert dl.failure_mode(dl.AdditiveNoise(noise=stats.truncnorm(-np.inf, np.inf))) is GRACEFUL


@pytest.mark.parametrize("law", [stats.truncnorm(-2, 2), stats.gumbel_r(), stats.gumbel_l()], ids=lambda x: x.dist.name)
def test_many_alphas_agree_with_the_definition(law):
    """Log-concave noise, shift 1: P(X + 1 > x) at the x that noise alone exceeds with probability alpha."""
    alpha = np.random.default_rng(1).uniform(0.001, 0.999, 20_000)
    truth = law.sf(law.isf(alpha) - 1)
    np.testing.assert_allclose(dl.AdditiveNoise(noise=law).tradeoff("add").power(alpha), truth, rtol=1e-6)


# ---- laws by name, and laws by density ----------------------------------------------------------------------------


def test_student_with_infinite_degrees_of_freedom_is_normal():
    m = dl.AdditiveNoise(noise=stats.t(np.inf, scale=2.0))
    assert dl.failure_mode(m) is GRACEFUL
    assert m.tradeoff().epsilon(0.0) == math.inf
    encloses(dl.Advantage().of(m), erf(mpf(1) / 4 / sqrt(mpf(2))), 1e-12)


class Bell(stats.rv_continuous):
    def _pdf(self, x):
        return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


class Tent(stats.rv_continuous):
    def _pdf(self, x):
        return np.where(x < 0.5, 4 * x, 4 - 4 * x)


class TwoSided(stats.rv_continuous):
    def _pdf(self, x):
        return np.exp(-np.abs(x)) / 2


def test_a_borrowed_name_proves_nothing():
    m = dl.AdditiveNoise(noise=Bell(name="laplace")())
    assert dl.failure_mode(m) is not NONE
    assert m.tradeoff().epsilon(0.0) == math.inf
    assert m != dl.AdditiveNoise(noise=stats.laplace())
    assert "laplace" not in repr(m).lower()


def test_laws_of_one_name_are_not_one_law():
    first, second = (stats.rv_histogram((np.array(c), [0.0, 1.0, 2.0]))() for c in ([1.0, 3.0], [3.0, 1.0]))
    pair = dl.ContinuousPair(p=first, q=second)
    encloses(dl.Advantage().of(pair), mpf(1) / 2, 1e-12)
    assert dl.AdditiveNoise(noise=first) != dl.AdditiveNoise(noise=second)
    assert dl.AdditiveNoise(noise=first) == dl.AdditiveNoise(noise=first)


@pytest.mark.parametrize("part", [0.01, 0.3, 1.0])
def test_two_users_densities_are_as_good_as_scipys(part):
    pair = dl.ContinuousPair(p=TwoSided()(), q=TwoSided()(loc=part))
    encloses(dl.Advantage().of(pair), 1 - exp(-mpf(part) / 2), 1e-6)
    bells = dl.ContinuousPair(p=Bell()(loc=5.0), q=Bell()(loc=5.0 + part, scale=1.0))
    encloses(dl.AttackPower(fpr=1e-40).of(bells.tradeoff("add")), bell_power(mpf(5.0 + part) - 5, mpf(1e-40)), 1e-3)


def bell_power(shift, alpha):
    root, low, high = sqrt(mpf(2)), mpf(0), mpf(40)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if erfc(middle / root) / 2 > alpha else (low, middle)
    return erfc((low - shift) / root) / 2


@pytest.mark.parametrize(("law", "d", "truth"), [(TwoSided(), 1.0, "0.39346934"), (Tent(a=0, b=1), 0.1, "0.19")])
def test_noise_known_by_its_density(law, d, truth):
    """Laplace: 1 − e^{−1/2}. Tent of height 2: moved by d, 2d − d² of it is new."""
    got = dl.Advantage().of(dl.AdditiveNoise(noise=law(), sensitivity=d))
    assert got.low <= mpf(truth) + mpf("1e-8")
    assert mpf(truth) - mpf("1e-8") <= got.high <= mpf(truth) * mpf("1.05")
