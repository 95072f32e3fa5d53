"""Noise on the integers against sums of its masses in mpmath, ties and extreme parameters included."""

from functools import cache

import numpy as np
import pytest
from mpmath import erfc, erfinv, exp, findroot, fsum, log, mp, mpf, sqrt

import dplens as dl


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(50):
        yield


@cache
def gaussian_masses(sigma):
    """e^{−j²/(2·sigma²)} for j = 0, 1, … and their sum over all integers."""
    mass = [exp(-(mpf(j) ** 2) / (2 * mpf(sigma) ** 2)) for j in range(int(40 * sigma) + 3)]
    return mass, 2 * fsum(mass) - 1


def gaussian_delta(sigma, shift, epsilon):
    (mass, total), e, square = gaussian_masses(sigma), mpf(float(epsilon)), mpf(sigma) ** 2
    first = max(shift // 2, shift - len(mass) + 1)
    while mpf((2 * first - shift) * shift) / (2 * square) <= e:
        first += 1
    left, fade = exp(e - mpf((2 * first - shift) * shift) / (2 * square)), exp(-mpf(shift) / square)
    out = mpf(0)
    for j in range(first, shift + len(mass)):
        out += mass[abs(j - shift)] * (1 - left)
        left *= fade
    return out / total


def geometric_delta(scale, shift, epsilon):
    s, e = mpf(scale), mpf(float(epsilon))
    r, out = exp(-1 / s), mpf(0)
    for j in range(shift // 2, shift):
        loss = mpf(2 * j - shift) / s
        if loss > e:
            out += (1 - r) / (1 + r) * r ** (shift - j) * (1 - exp(e - loss))
    return out + (max(1 - exp(e - shift / s), 0)) / (1 + r)


def bracketed(curve, truth, epsilons):
    for epsilon in epsilons:
        low, high = (float(curve.readings()[side < 0].delta(epsilon)) for side in (-1, 1))
        exact = truth(epsilon)
        if exact < 1e-300:
            continue
        assert low <= exact <= high, (epsilon, low, high)
        assert high <= exact * (1 + mpf("1e-10"))


@pytest.mark.parametrize(
    ("sigma", "shift"),
    [(2.0, 1), (0.3, 1), (0.2, 3), (1.7, 4), (7.3, 20), (1.0, 100), (12.5, 3), (250.0, 7), (210.0, 3000)],
)
def test_discrete_gaussian_profile(sigma, shift):
    ties = np.array([(2 * k - shift) * shift / (2 * sigma**2) for k in (shift, shift + 1, shift + 2)])
    spread = np.linspace(0, 4 * shift / sigma, 7) + 1e-9
    epsilons = np.concatenate([[0.0], spread, ties, np.nextafter(ties, 0), np.nextafter(ties, np.inf)])
    curve = dl.DiscreteGaussian(sigma=sigma, sensitivity=shift).tradeoff()
    bracketed(curve, lambda e: gaussian_delta(sigma, shift, e), epsilons[epsilons >= 0].tolist())


@pytest.mark.parametrize(("scale", "shift"), [(1e9, 2000), (50.0, 1001), (3.7, 1200)])
def test_geometric_profile_of_a_large_sensitivity(scale, shift):
    ties = np.array([(2 * k - shift) / scale for k in (shift - 1, shift)])
    epsilons = np.concatenate([[0.0, shift / scale / 3], ties, np.nextafter(ties, 0)])
    curve = dl.Geometric(scale=scale, sensitivity=shift).tradeoff()
    bracketed(curve, lambda e: geometric_delta(scale, shift, e), epsilons.tolist())


@pytest.mark.parametrize("sigma", [1e9, 1e12, 1e15, 1e17, 1e20, 1e120])
def test_huge_sigma_is_as_good_as_gaussian(sigma):
    lattice, smooth = dl.DiscreteGaussian(sigma=sigma).tradeoff(), dl.Gaussian(sigma=sigma).tradeoff()
    for delta in (0.1 / sigma, 1e-3 / sigma):
        assert lattice.epsilon(delta) == pytest.approx(smooth.epsilon(delta), rel=1e-9)
    for epsilon in (0.0, 1 / sigma, 4 / sigma, 1.0):
        assert lattice.delta(epsilon) == pytest.approx(smooth.delta(epsilon), rel=1e-9)
    low, high = lattice._mu()
    assert low <= 1 / sigma * (1 + 1 / (24 * sigma**2)) <= high


@pytest.mark.parametrize("sigma", [1e160, 1e300])
def test_sigma_whose_square_overflows(sigma):
    curve = dl.DiscreteGaussian(sigma=sigma).tradeoff()
    assert curve.delta([0.0, 1.0]) == pytest.approx([float(1 / (sigma * sqrt(2 * mp.pi))), 0.0], rel=1e-12)
    assert curve.mu() == pytest.approx(1 / sigma, rel=1e-9)
    assert curve.power(0.3) == pytest.approx(0.3, rel=1e-12)


def test_a_sensitivity_as_huge_as_sigma():
    lattice, smooth = dl.DiscreteGaussian(sigma=1e20, sensitivity=10**20).tradeoff(), dl.Gaussian(sigma=1.0).tradeoff()
    for epsilon in (0.0, 1.0, 5.0):
        assert lattice.delta(epsilon) == pytest.approx(smooth.delta(epsilon), rel=1e-9)
    assert lattice.epsilon(1e-12) == pytest.approx(smooth.epsilon(1e-12), rel=1e-9)
    assert lattice.mu() == pytest.approx(1.0, rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("sigma", "shift"), [(1e-300, 1), (1e-5, 3), (1.0, 10**300), (250.0, 10**9), (1e20, 10**40), (1e-300, 2000)]
)
def test_noise_far_too_small_tells_the_worlds_apart(sigma, shift):
    curve = dl.DiscreteGaussian(sigma=sigma, sensitivity=shift).tradeoff()
    assert curve.delta([0.0, 1.0, 100.0]).tolist() == pytest.approx([1.0] * 3, rel=1e-12)
    assert curve([1e-9, 0.5]).tolist() == [0.0, 0.0]
    assert curve.mu() >= shift / sigma * (1 - 1e-9) / 1.0001
    assert curve.epsilon(0.1) > 1e4
    assert dl.Attack(dl.DiscreteGaussian(sigma=sigma, sensitivity=shift), fpr=0.3).decide([-1, shift]).tolist() == [
        0,
        1,
    ]
    assert not np.isnan(dl.Geometric(scale=sigma, sensitivity=shift).tradeoff().epsilon([0.0, 1e-12, 0.1])).any()


def normal_quantile(tail):
    """z with P(Z > z) = tail."""
    z = sqrt(-2 * log(tail)) if tail < mpf("1e-3") else sqrt(2) * erfinv(1 - 2 * tail)
    return findroot(lambda x: log(erfc(x / sqrt(2)) / 2) - log(tail), z)


@pytest.mark.parametrize(
    ("sigma", "shift"), [(0.3, 1), (0.6, 2), (2.0, 3), (50.0, 2), (150.0, 1), (250.0, 1), (300.0, 500), (1.0, 100)]
)
def test_tightest_mu_of_the_discrete_gaussian(sigma, shift):
    """The largest Φ⁻¹(power) − Φ⁻¹(alpha) over vertices near the centre."""
    s, reach = mpf(sigma), int(30 * sigma) + shift + 10
    mass = [exp(-(mpf(j) ** 2) / (2 * s * s)) for j in range(reach)]
    total, tails, run = 2 * fsum(mass) - 1, [mpf(0)] * reach, mpf(0)
    for j in reversed(range(reach)):
        run += mass[j]
        tails[j] = run / total

    def z(k):
        return -normal_quantile(tails[k]) if k >= 1 else normal_quantile(tails[1 - k])

    centre = -(shift // 2)
    truth = max(z(k) - z(k + shift) for k in range(centre - 2, centre + 3))
    low, high = dl.DiscreteGaussian(sigma=sigma, sensitivity=shift).tradeoff()._mu()
    assert low <= truth <= high
    assert high <= truth * (1 + mpf("1e-11"))


def test_revealed_records_keep_the_digits_of_a_tiny_beta():
    for n, alphas in ((1, (0.0, 1e-30, 1e-22)), (2, (0.5, 0.25)), (1000, (0.5, 0.999, 1e-9))):
        curve = dl.UniformSampling(mu=50.0, n=n, neighbours="replace").tradeoff()
        for alpha in alphas:
            truth = 1 - (1 - exp(mpf(-50))) / n - mpf(alpha)
            low, high = (curve.readings()[side < 0].beta(alpha) for side in (1, -1))
            assert low <= truth <= high
            assert low == pytest.approx(float(truth), rel=1e-12)
    assert dl.UniformSampling(mu=50.0, n=1, neighbours="replace").tradeoff()(1e-9) == 0.0  # beyond 1 − d
