"""Curves made from others, where rounding or underflow could hide a risk: against 50 digits from the definitions."""

import math

import numpy as np
import pytest
from mpmath import erfinv, exp, mp, mpf, ncdf, sqrt
from scipy.spatial import ConvexHull
from scipy.special import expit

import dplens as dl
from dplens.curves.guarantees import coins
from dplens.curves.guarantees.renyi import RenyiCurve

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


@pytest.mark.parametrize("steep", [dl.RandomizedResponse(epsilon=749.0, categories=4), dl.ApproximateDP(epsilon=900.0)])
def test_proofs_beside_losses_whose_alphas_underflow(steep):
    """The hull starts at the proof and goes on almost upright: f(0) = 0.998, and 0 from alpha = 0.998 on."""
    proofs = dl.FinitePair(p=[0.997, 0.001, 0.002, 0.0], q=[0.997, 0.001, 0.0, 0.002])
    for curve in (dl.infimum(steep, proofs), dl.infimum(proofs, steep).inverse()):
        assert dl.failure_mode(curve) is dl.FailureMode.CATASTROPHIC
        assert curve.power(0.0) == pytest.approx(0.002, rel=1e-13)
        assert curve(0.0) == pytest.approx(0.998, rel=1e-13)
        assert curve.delta(1e4) == pytest.approx(0.002, rel=1e-13)
        assert curve.epsilon(0.001) == math.inf
        assert steep.epsilon - 1 < curve.epsilon(0.003) <= steep.epsilon * (1 + 1e-14)
        assert dl.MinFPR(fnr=0.0).of(curve) == pytest.approx(0.998, rel=1e-13)
        assert curve(0.5) < 1e-300


def test_two_chances_of_failure_add_up_however_small_one_of_them_is():
    curve = dl.RandomizedResponse(epsilon=0.5).fails_with(0.55).fails_with(1e-94).tradeoff()
    assert curve.epsilon(0.55) == math.inf
    assert curve.epsilon(0.56) <= 0.5


@pytest.mark.parametrize("epsilon", [0.002, 0.3, 1.7, 11.0, 87.0, 513.0])
def test_mu_of_a_supremum_has_its_kink(epsilon):
    parts = [dl.ApproximateDP(epsilon=epsilon), dl.FinitePair(p=[0.0, 1.0], q=[1.0, 0.0])]
    truth = 2 * sqrt(mpf(2)) * erfinv(1 - 2 / (1 + exp(mpf(epsilon)))) if epsilon < 50 else None
    found = dl.Mu().of(dl.supremum(*parts))
    single = dl.Mu().of(parts[0])
    if truth is not None:
        assert found.low <= truth <= found.high
    assert single.low <= found.high <= single.high * (1 + 1e-12)


@pytest.mark.parametrize("prior", [0.5, 1 - 1e-6, 1 - 1e-12])
def test_the_last_negative_test_of_an_almost_certain_attacker(prior):
    p, ratio = mpf(prior), exp(mpf(-37))
    found = dl.PosteriorAfterNegative(prior=prior, fpr=1.0).of(dl.ApproximateDP(epsilon=37.0))
    truth = p * ratio / (p * ratio + 1 - p)
    assert found.low <= truth <= found.high
    assert found.low >= truth * (1 - mpf("1e-12"))


def test_no_epsilon_is_needed_where_everything_may_fail():
    m = dl.RandomizedResponse(epsilon=1.0).fails_with(1.0)
    assert [dl.Epsilon(delta=1.0).of(m).high, dl.Epsilon(delta=0.9).of(m).low] == [0.0, math.inf]


def test_failures_of_a_supremum_leave_its_divergence_bracketed():
    """D of order ½ grows by −2·log(1 − kappa), at both ends of the bracket."""
    curve = dl.supremum(dl.ApproximateDP(epsilon=1.0, delta=0.1), dl.ApproximateDP(epsilon=0.1, delta=0.2))
    whole, failing = (dl.Renyi(order=0.5).of(c) for c in (curve, curve.fails_with(0.01)))
    assert whole.low < whole.high
    for end in ("low", "high"):
        assert getattr(failing, end) == pytest.approx(getattr(whole, end) - 2 * math.log1p(-0.01), rel=1e-13)


@pytest.mark.parametrize("order", [0.5, 1.0, 2.0, 30.0])
def test_divergence_of_a_group_whose_curve_has_kinks(order):
    """A guarantee that another one does not improve changes nothing; and outputs put together tell no more."""
    pair = dl.RandomizedResponse(epsilon=2.0, categories=3)
    curve = dl.supremum(pair, dl.ApproximateDP(epsilon=5.0)).group(3)
    found, truth = dl.Renyi(order=order).of(curve), pair.group(3).tradeoff().renyi(order)
    assert found.low <= truth <= found.high <= truth * (1 + 1e-9)
    assert found.low >= truth * (1 - 1e-2)
    mixed = dl.infimum(dl.Exponential(epsilon=1.0), dl.ApproximateDP(epsilon=8.0)).group(2)
    assert dl.Renyi(order=order).of(mixed).high >= dl.ApproximateDP(epsilon=8.0).group(2).tradeoff().renyi(order)


def test_a_group_of_which_nothing_is_left_has_no_finite_divergence():
    curve = dl.Geometric(scale=0.05).fails_with(0.5).group(4)
    assert dl.Renyi(order=0.5).of(curve).high == math.inf


def test_mu_of_a_supremum_with_many_vertices_is_never_below_the_truth():
    """The first guarantee is worse everywhere, so the supremum is the second by itself."""
    lattice = dl.DiscreteGaussian(sigma=1.7818869256809255, sensitivity=1)
    together = dl.supremum(dl.Gaussian(sigma=1.0, sensitivity=3.82), lattice)
    assert together.mu() >= lattice.tradeoff().mu() * (1 - 1e-12)


@pytest.mark.parametrize(("epsilon", "rate"), [(1.0, 0.1), (4.0, 0.01), (1.0, 1e-8), (20.0, 0.5)])
def test_mu_of_a_sample_under_bounded_losses(epsilon, rate):
    """sup over alpha of Φ⁻¹{rate·T(alpha) + (1 − rate)·alpha} − Φ⁻¹(alpha), T the power against Laplace noise."""
    steep = exp(mpf(epsilon))

    def gap(z):
        alpha = (1 + mp.erf(z / sqrt(2))) / 2
        power = steep * alpha if alpha < 1 / (2 * steep) else 1 - 1 / (4 * alpha * steep)
        power = power if alpha <= mpf(1) / 2 else 1 - (1 - alpha) / steep
        return sqrt(2) * erfinv(2 * (rate * power + (1 - mpf(rate)) * alpha) - 1) - z

    best = max((mpf(k) / 8 for k in range(-64, 25)), key=gap)
    low, high = best - mpf(1) / 8, best + mpf(1) / 8
    for _ in range(60):
        first, second = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (first, high) if gap(first) < gap(second) else (low, second)
    truth = gap(low)
    mu = dl.Mu().of(dl.Laplace(scale=1.0, sensitivity=epsilon).subsample(rate))
    assert mu.low <= truth <= mu.high <= truth * (1 + mpf("1e-6"))


@pytest.mark.parametrize("sigma", [0.6, 1.0, 5.0])
@pytest.mark.parametrize("alpha", [1e-4, 0.0395, 0.3])
def test_the_worse_of_two_curves_that_cross_at_every_vertex(sigma, alpha):
    """Power is the least of the larger delta(l) + e^l·alpha: rounded and continuous normal noise take turns."""
    s, masses = mpf(sigma), range(-60, 61)
    weight = {k: exp(-mpf(k * k) / (2 * s * s)) for k in range(-61, 62)}
    total = sum(weight.values())

    def line(loss):
        slope = exp(loss)
        lattice = sum(max(weight[k - 1] - slope * weight[k], mpf(0)) for k in masses) / total
        smooth = ncdf(1 / (2 * s) - loss * s) - slope * ncdf(-1 / (2 * s) - loss * s)
        return max(lattice, smooth) + slope * alpha

    low, high = mpf(-2), mpf(30) / sigma  # convex in e^l, so that thirds may be left out
    for _ in range(120):
        first, second = (2 * low + high) / 3, (low + 2 * high) / 3
        low, high = (first, high) if line(first) > line(second) else (low, second)
    found = dl.AttackPower(fpr=alpha).of(dl.infimum(dl.DiscreteGaussian(sigma=sigma), dl.Gaussian(sigma=sigma)))
    assert found.low <= line(low) <= found.high <= found.low * 1.03


@pytest.mark.parametrize("prior", [0.4, 0.5, 0.7])
def test_error_sums_are_known_no_better_than_what_they_are_made_of(prior):
    """A failure takes its share of every error; and at even odds the cost is half of what the advantage leaves."""
    release, cost = dl.Laplace(scale=1.0).subsample(0.2).repeat(5), dl.Cost(prior=prior)
    whole, failing = cost.of(release), cost.of(release.fails_with(0.3))
    assert whole.low < whole.high * (1 - 1e-10)
    assert failing.low <= 0.7 * whole.low * (1 + 1e-15)
    assert failing.high >= 0.7 * whole.high * (1 - 1e-12)
    group = release.group(2)
    even, gained = dl.Cost(prior=0.5).of(group), dl.Advantage().of(group)
    assert even.low <= (1 - gained.high) / 2 * (1 + 1e-15)
    assert even.high >= (1 - gained.low) / 2 * (1 - 1e-12)


def test_divergences_of_groups_fall_with_the_square_of_a_small_rate():
    """Brackets of D/rate² overlap: losses next to the rounding of alpha cost digits, and the bracket says so."""
    release, rates = dl.Exponential(epsilon=2.0), (1e-10, 1e-11, 1e-12, 1e-13)
    found = [dl.Renyi(order=0.5).of(release.subsample(rate).group(3)) for rate in rates]
    ends = [(e.low / rate**2, e.high / rate**2) for e, rate in zip(found, rates)]
    assert max(low for low, _ in ends) <= min(high for _, high in ends) * (1 + 1e-9)
    assert ends[0][1] <= ends[0][0] * (1 + 1e-4)


STRONG = [dl.RandomizedResponse(epsilon=3.0, categories=1000), dl.ZeroConcentratedDP(rho=5.0), dl.Laplace(scale=0.5)]


@pytest.fixture
def solved(monkeypatch):
    """The numbers of alphas at which inequalities of Rényi guarantees are solved."""
    counts, solve = [], RenyiCurve._candidates
    monkeypatch.setattr(
        RenyiCurve, "_candidates", lambda self, a, *rest: counts.append(len(a)) or solve(self, a, *rest)
    )
    return counts


FAINT = [dl.RenyiDP(orders=[2.0, 8.0], epsilons=[0.1, 0.4]), dl.ApproximateDP(epsilon=0.7, delta=1e-3)]


@pytest.mark.parametrize("parts", [STRONG, FAINT, [*FAINT, dl.ZeroConcentratedDP(rho=0.1), dl.Gaussian(sigma=3.0)]])
def test_area_under_the_worst_of_polygons_and_searched_profiles(parts, solved):
    """The area below chords is a little too small."""
    curve = dl.infimum(*parts)
    area = dl.AUC().of(curve)
    assert sum(solved) < 20_000
    assert area.high <= area.low + 1.5e-7 * (1 - curve.delta(0.0)) + 3e-12
    corner = (1 - 1e-3) / (1 + math.exp(0.7))  # of the approximate guarantee
    alpha = np.unique(np.concatenate([[0.0, corner, 1.0], expit(np.linspace(-30.0, 30.0, 6001))]))
    power = np.max([part.tradeoff().power(alpha) for part in parts], axis=0)
    vertices = ConvexHull(np.column_stack([alpha, power])).vertices
    upper = np.union1d(vertices[power[vertices] > alpha[vertices]], [0, len(alpha) - 1])
    chords = float(np.trapezoid(power[upper], alpha[upper]))
    assert chords - 1e-12 <= area.high
    assert area.low <= chords + 1e-6


def test_rates_of_a_strong_guarantee_need_no_bracketing_search(monkeypatch):
    """Newton's method converges from the rises that the table suggests."""
    curve = dl.ZeroConcentratedDP(rho=5.0).tradeoff()
    with monkeypatch.context() as patch:
        patch.setattr(coins, "_searched_rise", None)
        assert np.all(np.diff(curve.power(expit(np.linspace(-20.0, 20.0, 1000)))) >= 0)
    assert curve.delta(np.array([0.0, 1.0, 5.6])) == pytest.approx([0.987434, 0.976639, 0.58231], rel=1e-5)


@pytest.mark.parametrize("rho", [0.05, 0.5, 5.0])
def test_groups_under_the_worst_of_a_polygon_and_a_searched_profile(rho, solved):
    """One line is enough where it reaches a test, and rough bounds tell which part's delta is the largest."""
    parts = [STRONG[0], dl.ZeroConcentratedDP(rho=rho), STRONG[2]]
    alpha = np.geomspace(1e-6, 0.5, 300)
    powers = dl.infimum(*parts).group(2).power(alpha)
    assert len(solved) < 600
    assert (powers >= np.max([part.tradeoff().group(2).power(alpha) for part in parts], axis=0) * (1 - 1e-11)).all()


@pytest.mark.parametrize("order", [1.0, 2.0, 1e6])
def test_divergence_of_many_samples_whose_losses_overflow(order):
    """Almost everybody is sampled, so a step is geometric noise whose outputs differ by a loss of 1,000."""
    found = dl.Renyi(order=order).of(dl.Geometric(scale=1e-3).subsample(1 - 1e-16).repeat(1_000_000))
    assert found.low <= 1e9 <= found.high <= 1e9 * (1 + 1e-12)
