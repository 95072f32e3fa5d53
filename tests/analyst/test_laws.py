"""Laws of published numbers against mpmath: values inside their brackets, at any depth."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.analyst.laws.noise import DensityNoise, TwoLaplaceLaw, noise_of
from dplens.analyst.laws.published import alone, normal_plus
from dplens.analyst.laws.two_counts import binomial_masses
from dplens.mechanisms.noise_laws import NormalLaw
from dplens.numerics.laws import normal_laplace
from tests.analyst.oracles import (
    DRAWS,
    binomial,
    close,
    convolved_tail,
    discrete_gaussian_mass,
    geometric_mass,
    normal_laplace_tail,
    normal_uniform_tail,
)

SETTINGS = [(1.0, 1.0), (0.025, 0.05), (1.0, 1e-3), (1.0, 0.03), (1e-3, 1.0), (1.0, 30.0), (5.0, 0.2)]


@pytest.mark.parametrize(("s", "b"), SETTINGS)
def test_normal_laplace_tail_holds_the_truth_at_any_depth(s, b):
    law = normal_plus(s, noise_of(dl.Laplace(scale=b)))
    for z in (0.0, 0.3, 1.0, 2.5, 6.0, 11.0, 25.0, 37.0):
        x = z * max(s, b if z < 12 else s)
        truth = normal_laplace_tail(x, s, b)
        low, high = (float(v[0]) for v in law.tail(np.array([x]), +1))
        assert low <= truth <= high
        assert high - low <= 1e-11 * float(truth)
        mirrored = law.tail(np.array([-x]), -1)
        assert (float(mirrored[0][0]), float(mirrored[1][0])) == (low, high)


@pytest.mark.parametrize("level", [0.3, 0.05, 1e-3, 1e-12, 1e-100, 0.8])
def test_normal_laplace_quantile_keeps_the_level_and_hardly_less(level):
    for s, b in SETTINGS:
        c = float(normal_laplace.upper_quantile(level, s, b))
        reached = normal_laplace_tail(c, s, b) if c >= 0 else 1 - normal_laplace_tail(-c, s, b)
        assert reached <= level
        assert reached >= level * (1 - 1e-10)
        assert normal_plus(s, noise_of(dl.Laplace(scale=b))).quantile(level, +1) == pytest.approx(c, rel=1e-9)


def _student(x):
    """P(t₃ > x)."""
    x = mp.mpf(x)
    t = x / mp.sqrt(3)
    return mp.mpf(1) / 2 - (mp.atan(t) + t / (1 + t * t)) / mp.pi


def _gumbel(x):
    return 1 - mp.exp(-mp.exp(-x))


def _logistic(x):
    return 1 / (1 + mp.exp(x))


LAWS = {
    "student": (stats.t(3), _student),
    "uniform": (stats.uniform(-1, 2), None),
    "gumbel": (stats.gumbel_r(), _gumbel),
    "logistic": (stats.logistic(), _logistic),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("s", [0.2, 2.0])
def test_convolutions_hold_the_truth(name, s):
    noise, tail = LAWS[name]
    law = normal_plus(s, noise_of(dl.AdditiveNoise(noise=noise)))
    for x in (-1.3, 2.5):
        truth = normal_uniform_tail(x, s) if tail is None else convolved_tail(x, s, tail)
        low, high = (float(v[0]) for v in law.tail(np.array([x]), +1))
        assert low <= truth <= high
        assert high - low <= 3e-8 * high + 2e-14
        low, high = (float(v[0]) for v in law.tail(np.array([x]), -1))
        assert low <= 1 - truth <= high


def test_convolutions_without_a_known_shape_are_wider_but_hold_the_truth():
    class Bumps(stats.rv_continuous):
        def _pdf(self, x):
            return (stats.norm.pdf(x, 0, 0.5) + stats.norm.pdf(x, 3, 0.5)) / 2

        def _cdf(self, x):
            return (stats.norm.cdf(x, 0, 0.5) + stats.norm.cdf(x, 3, 0.5)) / 2

        def _sf(self, x):
            return (stats.norm.sf(x, 0, 0.5) + stats.norm.sf(x, 3, 0.5)) / 2

    law = normal_plus(0.5, noise_of(dl.AdditiveNoise(noise=Bumps()())))
    for x in (1.5,):
        truth = (stats.norm.sf(x, 0, math.hypot(0.5, 0.5)) + stats.norm.sf(x, 3, math.hypot(0.5, 0.5))) / 2
        low, high = (float(v[0]) for v in law.tail(np.array([x]), +1))
        assert low <= truth <= high
        assert high - low < 1e-3


def test_normal_noise_given_as_any_noise_agrees_with_the_closed_form():
    anything = DensityNoise(NormalLaw(0.7), (0.0, 0.0), True, None)  # that it is normal is not looked at
    law, closed = normal_plus(1.0, anything), normal_plus(1.0, noise_of(dl.Gaussian(sigma=0.7)))
    for x in (0.5, 4.0, 12.0, 30.0):  # down to 1e-130
        low, high = (float(v[0]) for v in law.tail(np.array([x]), +1))
        truth = float(closed.tail(np.array([x]), +1)[0][0])
        assert low * (1 - 1e-11) <= truth <= high * (1 + 1e-11)
        assert high <= low * (1 + 1e-6)


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (12, 0.5), (60, 1e-3), (400, 0.97)])
def test_binomial_masses(n, p):
    start, masses = binomial_masses(n, p)
    truth = binomial(n, p)
    for k in range(n + 1):
        if truth[k] > mp.mpf("1e-290"):
            assert k >= start
            assert masses[k - start] == pytest.approx(float(truth[k]), rel=2e-13)


def test_binomial_masses_of_many_trials():
    start, masses = binomial_masses(1_000_000, 0.3)
    k = np.array([299_000, 300_000, 301_500])
    assert masses[k - start] == pytest.approx(stats.binom.pmf(k, 1_000_000, 0.3), rel=2e-13)
    assert math.fsum(masses) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (2.0, 0.5), (1.0, 1 - 1e-9), (1.0, 1e-4)])
def test_difference_of_two_laplace_noises(a, b):
    law = TwoLaplaceLaw(a, b)
    for x in (0.0, 0.4, 3.0, 40.0):
        with mp.workdps(60):
            p, q, y = mp.mpf(a), mp.mpf(b), mp.mpf(x)
            if a == b:
                truth = mp.exp(-y / p) * (2 + y / p) / 4
            else:
                truth = (p**2 * mp.exp(-y / p) - q**2 * mp.exp(-y / q)) / (2 * (p**2 - q**2))
        assert float(law.sf(np.array([x]))[0]) == pytest.approx(float(truth), rel=1e-13)


MECHANISMS = [
    dl.Gaussian(sigma=1.7),
    dl.Laplace(scale=0.8),
    dl.Staircase(epsilon=1.2),
    dl.Geometric(scale=2.5),
    dl.DiscreteGaussian(sigma=1.6),
    dl.DiscreteGaussian(sigma=250.0),
    dl.AdditiveNoise(noise=stats.t(4)),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: type(m).__name__)
def test_draws_follow_the_law(mechanism):
    noise = noise_of(mechanism)
    drawn = noise.draw(np.random.default_rng(7), DRAWS)
    law = alone(noise)
    for x in (-2.0, 0.0, 1.0, 3.0):
        at = x * (100 if getattr(mechanism, "sigma", 0) > 100 else 1)
        assert close(np.mean(drawn >= at), float(law.tail(np.array([at]), +1)[1][0]), DRAWS)
        assert close(np.mean(drawn <= at), float(law.tail(np.array([at]), -1)[1][0]), DRAWS)


@pytest.mark.parametrize(("m", "mass"), [
    (dl.Geometric(scale=2.0), lambda k: geometric_mass(k, 2.0)),
    (dl.DiscreteGaussian(sigma=0.4), lambda k: discrete_gaussian_mass(k, 0.4)),
    (dl.DiscreteGaussian(sigma=3.0), lambda k: discrete_gaussian_mass(k, 3.0)),
])  # fmt: skip
def test_whole_number_masses(m, mass):
    found = noise_of(m).masses(400)[360:441]
    assert found == pytest.approx([mass(k) for k in range(-40, 41)], rel=1e-12)
    law = normal_plus(0.7, noise_of(m))
    for x in (0.2, 3.0, 9.5):
        truth = math.fsum(mass(k) * stats.norm.sf((x - k) / 0.7) for k in range(-200, 201))
        low, high = (float(v[0]) for v in law.tail(np.array([x]), +1))
        assert low * (1 - 1e-12) <= truth <= high * (1 + 1e-12)


@pytest.mark.parametrize("m", [
    dl.Gaussian(sigma=1.0).repeat(2), dl.compose(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0)),
    dl.Gaussian(sigma=1.0).subsample(0.1), dl.ApproximateDP(epsilon=1.0, delta=1e-6), dl.GaussianDP(mu=1.0),
    dl.RandomizedResponse(epsilon=1.0), dl.Laplace(scale=1.0).fails_with(1e-3), dl.DPSGD(
        noise_multiplier=1.0, sample_rate=0.01, steps=10),
])  # fmt: skip
def test_releases_without_one_noise_are_refused(m):
    with pytest.raises(dl.DplensError, match="single release"):
        dl.MeanTest(n=10, sd=1.0, effect=1.0).power(m)


def test_a_group_changes_neighbours_and_not_the_noise():
    t = dl.MeanTest(n=10, sd=1.0, effect=1.0)
    assert t.power(dl.Staircase(epsilon=1.0).as_replace()) == t.power(dl.Staircase(epsilon=1.0))
    assert t.power(dl.Gaussian(sigma=1.0).group(3)) == t.power(dl.Gaussian(sigma=1.0))
