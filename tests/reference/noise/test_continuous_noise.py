"""Continuous noise and pairs of continuous laws: small shifts, cusps, ends of the support, unknown shapes."""

import itertools
import math

import numpy as np
import pytest
from mpmath import atan, erf, exp, gamma, inf, mp, mpf, pi, quad, sqrt
from scipy import stats

import dplens as dl
from dplens.errors import DplensError


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(40):
        yield


def encloses(got, truth, width=1e-6):
    """low ≤ truth ≤ high, the answer is the high end and the bracket is narrow."""
    slack = mpf(10) ** -30  # of the oracle's own quadrature
    assert mpf(got.low) <= truth * (1 + slack), (got.low, truth)
    assert mpf(got.high) >= truth * (1 - slack), (got.high, truth)
    assert float(got) == got.high
    assert got.high - got.low <= width * truth


def student3(x):
    """CDF of t with 3 degrees of freedom."""
    x = x / sqrt(mpf(3))
    return mpf(1) / 2 + (atan(x) + x / (1 + x * x)) / pi


def bell(b):
    """Mass of the generalised normal law on (-x, x), by a series-free integral in u = |x|^b."""
    b = mpf(b)
    return lambda x: 1 - quad(lambda u: u ** (1 / b - 1) * exp(-u), [x**b, x**b + 1, x**b + 10, inf]) / gamma(1 / b)


ADVANTAGES = {  # of symmetric unimodal noise: the mass within half the shift of the centre
    "cauchy": (stats.cauchy, (), lambda x: 2 * atan(x) / pi),
    "t3": (stats.t, (3,), lambda x: 2 * student3(x) - 1),
    "gennorm 0.5": (stats.gennorm, (0.5,), bell(0.5)),
    "gennorm 1.5": (stats.gennorm, (1.5,), bell(1.5)),
}


@pytest.mark.verify
@pytest.mark.parametrize("d", [1e-4, 1e-3, 0.03, 1.0, 50.0])
@pytest.mark.parametrize("name", ADVANTAGES)
def test_advantage_of_noise_at_small_and_large_shifts(name, d):
    family, shapes, mass = ADVANTAGES[name]
    truth = mass(mpf(d) / 2)
    encloses(dl.Advantage().of(dl.AdditiveNoise(noise=family(*shapes), sensitivity=d)), truth)
    moved = dl.AdditiveNoise(noise=family(*shapes, loc=0.1, scale=8.0), sensitivity=8 * d)
    encloses(dl.Advantage().of(moved), truth)


def cauchy_delta(d, epsilon):
    """Roots of q = e^eps·p, a quadratic, and the masses between them."""
    z = exp(epsilon)
    a, b, c = 1 - z, 2 * z * d, 1 - z - z * d * d  # (1 + x²) − z·(1 + (x − d)²) > 0
    low, high = sorted([(-b + s * sqrt(b * b - 4 * a * c)) / (2 * a) for s in (1, -1)])
    return (atan(high - d) - atan(low - d) - z * (atan(high) - atan(low))) / pi


@pytest.mark.parametrize(("d", "part"), [*itertools.product((1e-4, 1e-2, 1.0, 50.0), (0.01, 0.1, 0.5, 0.9))])
def test_delta_of_cauchy_noise(d, part):
    top = 2 * math.asinh(d / 2)
    f = dl.AdditiveNoise(noise=stats.cauchy(), sensitivity=d).tradeoff()
    truth = cauchy_delta(mpf(d), mpf(part * top))
    got = f.delta(part * top)
    assert truth <= mpf(got) <= truth * (1 + mpf("1e-6"))
    assert mpf(f.readings()[1].delta(part * top)) <= truth


@pytest.mark.parametrize("d", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("count", [300, 40_000])
def test_curve_of_cauchy_noise_is_a_mobius_map(d, count):
    """Shifts of a Cauchy law are Möbius maps of a circle: tan(pi/2·power) = k·tan(pi/2·alpha), k the largest ratio."""
    f = dl.AdditiveNoise(noise=stats.cauchy(), sensitivity=d).tradeoff()
    rng = np.random.default_rng(3)
    alpha = np.concatenate([rng.uniform(size=count // 2), 10.0 ** rng.uniform(-300, 0, size=count // 2)])
    k, half = math.exp(2 * math.asinh(d / 2)), np.pi / 2
    rounded = 4e-15 * (1 + d)  # of these formulas
    tan = np.tan(half * np.minimum(alpha, 1 - alpha))
    tan = np.where(alpha <= 0.5, tan, 1 / tan)
    power, beta = np.arctan(k * tan) / half, np.arctan(1 / (k * tan)) / half
    assert (f.power(alpha) >= power * (1 - rounded)).all()
    near = np.minimum(alpha, 1 - alpha) >= 1e-12  # beyond, brackets may be wider
    assert (f.power(alpha) <= power * (1 + 1e-6))[near].all()
    assert (f(alpha) <= beta * (1 + rounded)).all()
    assert (f(alpha) >= beta * (1 - 1e-6))[near].all()
    mild = f.readings()[1].curve.power_bounds(alpha, 1 - alpha).lo
    assert (mild <= power * (1 + rounded)).all()
    assert (mild >= power * (1 - 1e-6))[near].all()


@pytest.mark.parametrize("laws", [(stats.norm(0, 1), stats.norm(0.5, 2)), (stats.cauchy(), stats.norm())])
def test_long_arrays_are_as_close_as_short_ones(laws):
    """Also where losses have no end: in both tails, and where the likelihood ratio turns."""
    f = dl.ContinuousPair(p=laws[0], q=laws[1]).tradeoff(direction="add")
    alpha = np.concatenate([10.0 ** np.linspace(-300, -0.1, 6000), 1 - 10.0 ** np.linspace(-15, -0.1, 6000)])
    long, some = (f.power(alpha), f(alpha)), slice(None, None, 59)
    assert np.allclose(long[0][some], f.power(alpha[some]), rtol=3e-11, atol=0)
    assert np.allclose(long[1][some], f(alpha[some]), rtol=3e-11, atol=0)
    assert (long[0][some] >= f.power_bounds(alpha[some], 1 - alpha[some]).lo).all()
    assert (long[1][some] <= f.beta_bounds(alpha[some], 1 - alpha[some]).hi).all()


def test_long_arrays_next_to_a_cusp():
    """The largest ratio e is that of one output, where sets are soon narrower than floats are apart."""
    f = dl.AdditiveNoise(noise=stats.gennorm(0.7), sensitivity=1.0).tradeoff()
    alpha = 10.0 ** np.linspace(-300, -17, 40_000)
    assert np.allclose(f.power(alpha) / alpha, math.e, rtol=1e-6, atol=0)


@pytest.mark.parametrize(("loc", "step"), [(0.0, 1e-4), (1.0, 1e-4), (1e3, 1e-3), (-7.0, 2.0)])
def test_advantage_of_two_cauchy_laws(loc, step):
    pair = dl.ContinuousPair(p=stats.cauchy(loc), q=stats.cauchy(loc + step))
    encloses(dl.Advantage().of(pair), 2 * atan((mpf(loc + step) - mpf(loc)) / 2) / pi)


@pytest.mark.parametrize("power", [0.25, 0.5])
def test_the_largest_loss_sits_in_a_cusp(power):
    """log-density −|x|^b, b < 1: log q/p is largest at the centre of q, and there d^b."""
    m = dl.AdditiveNoise(noise=stats.gennorm(power, loc=0.1), sensitivity=0.3)
    truth = mpf(0.3) ** mpf(power)
    got = mpf(m.tradeoff().epsilon(0.0))
    assert truth <= got <= truth * (1 + mpf("1e-6"))
    encloses(dl.RelativeRisk().of(m), exp(truth))
    prior = mpf(0.1)
    encloses(dl.MaxPosterior(prior=0.1).of(m), prior * exp(truth) / (prior * exp(truth) + 1 - prior))


@pytest.mark.parametrize("d", [1e-6, 1e-4, 0.1])
def test_what_only_one_of_two_truncated_normals_can_give(d):
    m = dl.AdditiveNoise(noise=stats.truncnorm(-2.0, 2.0), sensitivity=d)
    whole = erf(2 / sqrt(mpf(2)))
    alone = (whole - erf((2 - mpf(d)) / sqrt(mpf(2)))) / (2 * whole)
    encloses(dl.AttackPower(fpr=0.0).of(m), alone)
    small = dl.AttackPower(fpr=1e-12).of(m)
    assert mpf(small.low) <= alone + mpf("3e-12")
    assert alone <= mpf(small.high)


def test_what_only_one_of_two_semicircles_can_give():
    d = mpf(1e-4)
    alone = quad(lambda u: 2 / pi * sqrt(u * (2 - u)), [0, d])
    m = dl.AdditiveNoise(noise=stats.semicircular(), sensitivity=1e-4)
    encloses(dl.AttackPower(fpr=0.0).of(m), alone, 1e-6)


@pytest.mark.parametrize("alpha", [1e-12, 1e-6])
def test_power_next_to_the_end_of_a_triangle(alpha):
    """Tail 2u² within u of the upper end: the quantile is exact, scipy's has half of its digits."""
    f = dl.AdditiveNoise(noise=stats.triang(0.5), sensitivity=1e-4).tradeoff("add")
    truth = 2 * (sqrt(mpf(alpha) / 2) + mpf(1e-4)) ** 2
    got = mpf(f.power(alpha))
    assert truth <= got <= truth * (1 + mpf("1e-6"))


UNBOUNDED = [
    (stats.expon(), stats.gamma(2)),  # ratio x
    (stats.halfnorm(), stats.rayleigh()),
    (stats.beta(2, 2), stats.beta(1, 1)),
    (stats.triang(0.5), stats.beta(1, 1)),
    (stats.uniform(), stats.cosine(0.5, 1 / (2 * math.pi))),
    (stats.norm(), stats.skewnorm(2)),
    (stats.gumbel_r(), stats.gumbel_r(scale=1.5)),
    (stats.t(3), stats.t(4)),
]


@pytest.mark.parametrize(("p", "q"), UNBOUNDED, ids=lambda law: law.dist.name)
def test_an_unbounded_ratio_is_not_called_bounded(p, q):
    pair = dl.ContinuousPair(p=p, q=q)
    assert dl.failure_mode(pair) in {dl.FailureMode.GRACEFUL, dl.FailureMode.UNDETERMINED}
    assert dl.RelativeRisk().of(pair).high == math.inf


def test_a_bounded_ratio_is_still_known():
    for p, q in ((stats.logistic(), stats.laplace()), (stats.t(3), stats.t(3, scale=2))):
        assert dl.failure_mode(dl.ContinuousPair(p=p, q=q)) is dl.FailureMode.NONE
    # 1 + x² against 1 + x²/4: the tails differ by a factor
    encloses(dl.RelativeRisk().of(dl.ContinuousPair(p=stats.cauchy(), q=stats.cauchy(0, 2))), mpf(2), 1e-6)


SAME = [
    (stats.norm(), stats.norm()),
    (stats.cauchy(), stats.t(1)),
]


@pytest.mark.parametrize(("p", "q"), SAME, ids=lambda law: law.dist.name)
def test_equal_laws_are_perfect_privacy(p, q):
    pair = dl.ContinuousPair(p=p, q=q)
    assert 0 <= dl.Advantage().of(pair) <= 1e-12
    encloses(dl.RelativeRisk().of(pair), mpf(1), 1e-11)
    assert dl.failure_mode(pair) is dl.FailureMode.NONE


@pytest.mark.parametrize("d", [1e-99, 1e-30, 1e-17])
@pytest.mark.parametrize("name", ADVANTAGES)
def test_a_shift_below_the_digits_is_not_called_harmless(name, d):
    family, shapes, _ = ADVANTAGES[name]
    got = dl.Advantage().of(dl.AdditiveNoise(noise=family(*shapes), sensitivity=d))
    density = {"cauchy": 1 / pi, "t3": 2 / (pi * sqrt(mpf(3)))}.get(name)
    truth = density * mpf(d) if density else shapes[0] / (2 * gamma(1 / mpf(shapes[0]))) * mpf(d)
    assert got.low <= truth <= got.high <= 1e-12


REFUSED = [
    lambda: stats.t(3, scale=1e300),
    lambda: stats.norm(0, 1e-300),
    lambda: stats.norm([0, 1], 1),
    lambda: stats.norm([0.0], 1),
    lambda: stats.Normal(mu=np.array([0.0, 1.0]), sigma=1.0),  # pyright: ignore[reportArgumentType]
    lambda: stats.Binomial(n=3, p=0.5),
]


@pytest.mark.parametrize("make", REFUSED)
def test_laws_that_cannot_be_used_are_refused_by_name(make):
    with pytest.raises(DplensError, match="noise"):
        dl.AdditiveNoise(noise=make())
    with pytest.raises(DplensError, match="q"):
        dl.ContinuousPair(p=stats.norm(), q=make())


def test_units_do_not_matter():
    huge = dl.AdditiveNoise(noise=stats.t(3, scale=1e300), sensitivity=1e300)
    encloses(dl.Advantage().of(huge), 2 * student3(mpf(1) / 2) - 1)


NORMAL = stats.Normal
SHAPELESS = [
    stats.Mixture([NORMAL(mu=0.0, sigma=0.25), NORMAL(mu=10.0, sigma=0.25)], weights=[0.5, 0.5]),
    stats.lognorm(3),
    stats.pareto(0.5),
    stats.dweibull(2.0),
    stats.arcsine(),
]


@pytest.mark.parametrize("law", SHAPELESS)
def test_noise_whose_worst_shift_may_be_a_small_one_is_refused(law):
    with pytest.raises(DplensError, match="ContinuousPair"):
        dl.AdditiveNoise(noise=law).tradeoff()


def test_a_mixture_about_one_centre():
    """Symmetric with one peak: the advantage is the mass within half the shift of the centre."""
    noise = stats.Mixture([NORMAL(mu=0.0, sigma=1.0), NORMAL(mu=0.0, sigma=5.0)], weights=[0.9, 0.1])
    got = dl.Advantage().of(dl.AdditiveNoise(noise=noise))
    encloses(got, mpf("0.9") * erf(mpf(1) / 2 / sqrt(mpf(2))) + mpf("0.1") * erf(mpf(1) / 10 / sqrt(mpf(2))))
