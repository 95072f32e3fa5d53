"""Two laws with very different tails, shifts far smaller than the noise, and noise far larger than any number."""

import math
import warnings

import pytest
from mpmath import asinh, atan, erfc, erfinv, euler, exp, gamma, gammainc, inf, log, mp, mpf, pi, quad, sqrt
from scipy import stats

import dplens as dl
from tests.reference.checks import encloses


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(40):
        yield


# ---- two laws with very different tails ---------------------------------------------------------------------------


def normal_against_cauchy(epsilon):
    """The Cauchy density is e^eps times the normal one at ±r (eps = 0: three crossings by symmetry, two by size)."""
    z = exp(mpf(epsilon))

    def excess(x):
        return 1 / (pi * (1 + x * x)) - z * exp(-x * x / 2) / sqrt(2 * pi)

    low, high = mpf(1), mpf(1000)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return 2 * (atan(1 / low) / pi - z * erfc(low / sqrt(mpf(2))) / 2)


def test_normal_against_cauchy():
    pair = dl.ContinuousPair(p=stats.norm(), q=stats.cauchy())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = pair.tradeoff("add")
        encloses(dl.Advantage().of(pair), normal_against_cauchy(0), 1e-5)
        encloses(dl.Delta(epsilon=5.0).of(pair), normal_against_cauchy(5), 1e-5)
        e = pair.tradeoff().epsilon(0.05)
        assert normal_against_cauchy(mpf(e)) <= mpf(0.05) <= normal_against_cauchy(mpf(e) * (1 - mpf("1e-5")))
        assert pair.tradeoff().epsilon(1e-3) == math.inf  # losses above 640 count as proof
        x = bell_quantile(mpf(1e-200) / 2)
        encloses(dl.AttackPower(fpr=1e-200).of(f), 2 * atan(1 / x) / pi, 1e-3)
        assert 0.6 < pair.tradeoff()(0.1) < 0.7
        assert dl.failure_mode(pair) is dl.FailureMode.GRACEFUL


def bell_quantile(alpha):
    root, low, high = sqrt(mpf(2)), mpf(0), mpf(40)
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if erfc(middle / root) / 2 > alpha else (low, middle)
    return low


# ---- small shifts -------------------------------------------------------------------------------------------------


def student3_divergence(d):
    """∫ q·log(q/p) of t with 3 degrees of freedom, shift d small: Fisher information 2/3, next term by quadrature."""

    def term(x):
        ratio = (3 + (x + d) ** 2) / (3 + x * x)
        return 6 * sqrt(mpf(3)) / (pi * (3 + x * x) ** 2) * 2 * log(ratio)

    return quad(term, [-inf, -100, -10, -1, 0, 1, 10, 100, inf])


@pytest.mark.parametrize("scale", [10.0, 1e4, 1e6, 1e8])
def test_divergences_at_small_shifts(scale):
    d = 1 / mpf(scale)
    truths = {
        stats.cauchy(scale=scale): log(1 + d * d / 4),
        stats.gumbel_r(scale=scale): max(exp(d) - 1 - d, exp(-d) - 1 + d),
        stats.t(3, scale=scale): student3_divergence(d),
    }
    for noise, truth in truths.items():
        encloses(dl.Renyi(order=1.0).of(dl.AdditiveNoise(noise=noise)), truth)
    # order 2 of Cauchy: E_p[(q/p)²] = 1 + d²/2
    encloses(dl.Renyi(order=2.0).of(dl.AdditiveNoise(noise=stats.cauchy(scale=scale))), log(1 + d * d / 2))


def test_divergence_of_nearly_uniform_noise():
    """log-density −|x|^100: at order 1 an integral over the body of the noise; above it out of reach of floats."""
    f = dl.AdditiveNoise(noise=stats.gennorm(100.0), sensitivity=0.5).tradeoff()
    constant = 50 / gamma(mpf(1) / 100)

    def term(y):
        return constant * exp(-(abs(y) ** 100)) * (abs(y + mpf(1) / 2) ** 100 - abs(y) ** 100)

    truth = quad(term, [-1.1, -1, -0.9, 0, 0.9, 0.97, 1, 1.02, 1.05, 1.1])
    low, high = f.renyi_bounds(1.0)
    assert low <= truth <= high  # losses beyond 1e15, of which nothing is said, leave no upper end
    assert f.renyi(2.0) >= 1e100


@pytest.mark.parametrize(("power", "epsilon", "d"), [(8.0, 0.67, 4.4e-4), (8.0, 0.55, 4.2e-4), (2.5, 2.7, 0.0293)])
def test_a_small_delta_far_out_in_the_tail(power, epsilon, d):
    """A difference of two tails near 1e-150 of which a thousandth is left: their digits are those of their logs."""

    def tail(y):
        return gammainc(1 / mpf(power), y ** mpf(power)) / gamma(1 / mpf(power)) / 2

    low, high = mpf(1), mpf(100)
    for _ in range(140):
        middle = (low + high) / 2
        far = middle ** mpf(power) - (middle - mpf(d)) ** mpf(power) > epsilon
        low, high = (low, middle) if far else (middle, high)
    got = dl.Delta(epsilon=epsilon).of(dl.AdditiveNoise(noise=stats.gennorm(power), sensitivity=d))
    encloses(got, tail(low - mpf(d)) - exp(mpf(epsilon)) * tail(low), 0.5)  # deltas below 1e-33 are told less well


@pytest.mark.parametrize("name", ["cauchy", "gennorm"])
def test_tightest_mu_at_small_shifts(name):
    """At eps = 0 mu must satisfy 2Φ(mu/2) − 1 ≥ total variation; for Cauchy noise that decides it."""
    d = mpf(10) ** -4
    body = mpf("1.5") / gamma(mpf(2) / 3) * quad(lambda x: exp(-(x ** mpf("1.5"))), [0, d / 2])
    noise, truth = {
        "cauchy": (stats.cauchy(scale=1e4), 2 * atan(d / 2) / pi),
        "gennorm": (stats.gennorm(1.5, scale=1e4), body),
    }[name]
    m = dl.AdditiveNoise(noise=noise)
    encloses(dl.Advantage().of(m), truth)
    got, at_zero = dl.Mu().of(m), 2 * sqrt(mpf(2)) * erfinv(truth)
    assert got.high - got.low <= 1e-6 * got.high
    assert at_zero <= mpf(got.high)
    assert name != "cauchy" or mpf(got.low) <= at_zero


def test_divergences_that_do_not_converge():
    """Cauchy weighs x² with 1/x²; e^x meets e^−x; 1/x next to the end of a triangle."""
    pairs = [
        (stats.norm(), stats.cauchy(), 1.0),
        (stats.gumbel_r(), stats.gumbel_l(), 1.0),
        (stats.triang(0.3), stats.uniform(), 2.0),
        (stats.lognorm(1.0), stats.expon(), 2.0),
    ]
    for p, q, order in pairs:
        assert dl.ContinuousPair(p=p, q=q).tradeoff("add").renyi(order) == math.inf


def test_divergence_of_a_pole_and_of_a_flat_start():
    """From E[log x] = −γ and E[log² x] = γ² + π²/6 of the exponential law; an arcsine against a uniform law."""
    pair = dl.ContinuousPair(p=stats.lognorm(1.0), q=stats.expon())
    truth = -1 - euler + log(2 * pi) / 2 + (euler**2 + pi**2 / 6) / 2
    encloses(dl.Renyi(order=1.0).of(pair.tradeoff("add")), truth, 2e-5)  # losses like log² x, most of it far out
    pole = dl.ContinuousPair(p=stats.uniform(), q=stats.arcsine()).tradeoff("add")
    # ∫ (π²·x(1 − x))^{−3/4} = Γ(¼)²/(Γ(½)·π^{3/2}), much of it within a float of 1; ∫ 1/(x(1 − x)) diverges
    assert pole.renyi(1.5) >= 2 * log(gamma(mpf(1) / 4) ** 2 / pi**2)
    assert pole.renyi(2.0) == math.inf


def test_a_group_of_cauchy_noise_is_one_shift():
    f = dl.AdditiveNoise(noise=stats.cauchy(scale=100.0)).group(100).tradeoff()
    g = dl.AdditiveNoise(noise=stats.cauchy()).tradeoff()
    assert f.epsilon(1e-5) == pytest.approx(g.epsilon(1e-5), rel=1e-6)
    assert 2 * asinh(mpf(1) / 2) <= f.epsilon(0.0) <= 2 * asinh(mpf(1) / 2) * (1 + 1e-6)
    encloses(dl.Advantage().of(f), 2 * atan(mpf(1) / 2) / pi, 1e-6)


@pytest.mark.parametrize(
    "law", [stats.skewnorm(2.0), stats.exponnorm(2.0), stats.skewnorm(-3.0, 1.0, 2.0)], ids=lambda x: str(x.args)
)
def test_laws_from_their_density_keep_their_tails(law):
    """Power of the threshold test at its own alpha, both tails by quadrature of the density."""
    name, shapes = law.dist.name, law.args
    loc, scale = (mpf(x) for x in (shapes[1:] if len(shapes) > 1 else (0, 1)))
    a = mpf(shapes[0])

    def pdf(x):
        z = (x - loc) / scale
        if name == "skewnorm":
            return exp(-z * z / 2) / sqrt(2 * pi) * erfc(-a * z / sqrt(mpf(2))) / scale
        return exp(1 / (2 * a * a) - z / a) * erfc(-(z - 1 / a) / sqrt(mpf(2))) / (2 * a)

    f = dl.AdditiveNoise(noise=law).tradeoff("add")
    with mp.workdps(25):
        for x in (mpf(4), mpf(12)) if name == "exponnorm" else (loc + scale, loc + 3 * scale):
            ends = [x + scale * k for k in (0, 0.1, 0.2, 0.4, 0.7, 1, 2, 4, 8, 16, 40, 80)]
            alpha, power = quad(pdf, ends), quad(pdf, [x - 1, x - 0.8, x - 0.6, x - 0.4, x - 0.2, *ends])
            got = mpf(f.power(float(alpha)))
            assert abs(got / power - 1) < mpf("1e-6" if power > 1e-15 else "1e-5")


def test_gaussian_noise_beyond_squares():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = dl.Gaussian(sigma=1e160).tradeoff()
        assert 0 < f.delta(1.0) < 1e-300
        encloses(dl.Advantage().of(f), mpf(10) ** -160 / sqrt(2 * pi), 1e-12)
        assert dl.Gaussian(sigma=1.0).tradeoff().delta(1e200) < 1e-300
