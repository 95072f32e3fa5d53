"""Settings at the edges of what is asked: little loss, groups, losses that nearly coincide, tiny rates, order 1."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats as st
from mpmath import mp, mpc, mpf
from scipy.optimize import minimize_scalar
from scipy.special import ndtri

import dplens as dl
from dplens.composition.routes import composed
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.losses.bounded import AtomicLoss, LaplaceLoss, LogisticLoss
from dplens.losses.sampled import SampledGaussianLoss


@pytest.mark.parametrize(("delta", "truth"), [(1e-6, 0.034379), (1e-12, 0.062834), (1e-20, 0.089128)])
def test_steps_that_tell_little(delta, truth):
    """The characteristic function passes next to 0. References: an independent contour in extended precision."""
    found = dl.Epsilon(delta=delta).of(dl.DPSGD(noise_multiplier=10.0, sample_rate=0.01, steps=100))
    assert found.high - found.low <= 1e-9
    assert found == pytest.approx(truth, abs=6e-7)


def test_no_reading_is_nan():
    m = dl.DPSGD(noise_multiplier=20.0, sample_rate=0.01, steps=300)
    f = m.tradeoff()
    assert np.isfinite(f.delta(np.linspace(0.0, 1.0, 41))).all()
    assert np.isfinite(f.power(np.geomspace(1e-300, 0.5, 41))).all()


def test_moments_of_two_far_losses():
    """M(½ + it) = 2·sqrt(p·q)·cos(40·t) for losses ±40: its zeros cost relative accuracy, and the bound says so."""
    p = np.array([1.0, math.exp(-40.0)]) / (1 + math.exp(-40.0))
    law = AtomicLoss(p, np.array([-40.0, 40.0]))
    t = np.linspace(0.0, 3.0, 301)
    k, error = law.evaluate(0.5, t)
    truth = 2 * math.sqrt(p[0] * p[1]) * np.cos(40 * t)
    assert np.all(np.abs(np.exp(k) - truth) <= np.abs(np.exp(k)) * np.expm1(error) + 1e-16 * abs(truth).max())
    assert np.isfinite(k).all()


@pytest.mark.parametrize("size", [2, 3])
def test_groups_of_compositions(size):
    """1 − f composed with itself, the largest gap to the diagonal by a search of its own."""
    m = dl.Gaussian(sigma=1.0).subsample(0.01).repeat(1000)
    f = m.tradeoff()

    def gap(alpha):
        power = alpha
        for _ in range(size):
            power = f.power(power)
        return power - alpha

    truth = -minimize_scalar(lambda a: -gap(a), bounds=(1e-6, 0.9), method="bounded", options={"xatol": 1e-9}).fun
    found = dl.Advantage().of(m.group(size))
    assert found == pytest.approx(truth, rel=1e-8)
    assert dl.Accuracy(prior=0.5).of(m.group(size)) == pytest.approx((1 + truth) / 2, rel=1e-8)


def test_f_scores_and_divergences_of_groups_of_rare_samples():
    """Points of the group's curve give lower bounds, which the answers meet closely."""
    m = dl.DPSGD(noise_multiplier=1.0, sample_rate=1e-4, steps=2000).group(2)
    alpha = np.geomspace(1e-6, 0.999, 400)
    power, _ = m.tradeoff().both_bounds(alpha, 1 - alpha)
    found = dl.FScore(weight=0.2, prior=0.3).of(m)
    scores = 1.04 * 0.3 * power.lo / (0.04 * 0.3 + 0.3 * power.lo + 0.7 * alpha)
    assert scores.max() <= found.high
    assert found.low <= found.high <= scores.max() * (1 + 1e-4)
    divergence = dl.Renyi(order=3.0).of(m)
    masses = np.diff(alpha, prepend=0.0, append=1.0), np.diff(power.lo, prepend=0.0, append=1.0)
    cells = math.log(math.fsum(masses[1] ** 3 / masses[0] ** 2)) / 2
    assert 0.99 * cells <= divergence.high <= 3 * cells
    assert divergence.low <= divergence.high


def test_losses_that_nearly_coincide_are_not_taken_for_a_lattice():
    """Some hundred releases, half of them a little riskier, against the sum over both binomials."""
    count, gap = 145, 9e-10
    first, second = dl.RandomizedResponse(epsilon=1.0), dl.RandomizedResponse(epsilon=1 + gap)
    heads = np.arange(count + 1)
    log_chance = [st.binom.logpmf(heads, count, 1 / (1 + math.exp(e))) for e in (1.0, 1 + gap)]
    loss = np.add.outer((2 * heads - count) * 1.0, (2 * heads - count) * (1 + gap))
    truth = np.sum(-np.expm1(np.minimum(190.0 - loss, 0.0)) * np.exp(np.add.outer(*log_chance) + loss))
    found = dl.Delta(epsilon=190.0).of(dl.compose(first.repeat(count), second.repeat(count)))
    assert found.low <= truth * (1 + 1e-11)
    assert found.high >= truth * (1 - 1e-11)


@pytest.mark.parametrize(("sigma", "steps"), [(1.0, 1000)])
def test_tiny_rates_cost_bounded_work_and_stay_safe(sigma, steps):
    """No more can leak than the chance that the record takes part at all, no less than in one step."""
    m = dl.Gaussian(sigma=sigma).subsample(1e-6).repeat(steps)
    found = dl.Delta(epsilon=0.05).of(m)
    one = dl.Delta(epsilon=0.05).of(dl.Gaussian(sigma=sigma).subsample(1e-6))
    assert one.low <= found.high <= steps * 1e-6
    assert found.low <= found.high


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "epsilon", "delta"),
    [(0.3, 0.01, 10**4, 296.8268439235, 1.000000000000157e-5), (1.0, 1e-6, 10**8, 0.0367775222, 9.999999898629997e-6)],
)
def test_little_noise_and_tiny_rates(sigma, rate, steps, epsilon, delta):
    """References: trapezoidal sums over a line with 30 digits, the same for two spacings."""
    found = dl.Delta(epsilon=epsilon).of(dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps))
    assert found.low <= delta <= found.high
    assert found.high - found.low <= 1e-6 * delta


def test_sampled_laplace_steps():
    """Reference: the trapezoidal sum over Re s = 12 with 30 digits, the same for two spacings."""
    found = dl.Delta(epsilon=1.12376811).of(dl.Laplace(scale=1.0).subsample(0.01).repeat(1000))
    assert found.low <= 9.99999937962757696e-6 <= found.high
    assert found.high - found.low <= 2e-4 * found


@pytest.mark.parametrize(
    "step",
    [
        dl.DiscreteGaussian(sigma=2.0).subsample(0.01),
        dl.Geometric(scale=3.0, sensitivity=5).subsample(0.01),
        dl.compose(dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0)).subsample(0.01),
        dl.Gaussian(sigma=0.3).subsample(1e-3),
    ],
)
def test_brackets_of_spread_losses_say_something(step):
    m = step.repeat(200)
    for question in (dl.Epsilon(delta=1e-5), dl.AttackPower(fpr=1e-3)):
        found = question.of(m)
        assert found.low <= found.high
        assert found.high - found.low <= 0.02 * found.high


def test_a_sample_of_a_sample_is_a_smaller_sample():
    twice = dl.Gaussian(sigma=1.0).subsample(0.1).subsample(0.1).repeat(100)
    once = dl.Gaussian(sigma=1.0).subsample(0.01).repeat(100)
    assert dl.Epsilon(delta=1e-5).of(twice) == pytest.approx(dl.Epsilon(delta=1e-5).of(once), rel=1e-12)


def test_divergences_near_order_one_grow_with_the_order():
    m = dl.Gaussian(sigma=1.0).subsample(0.01).repeat(1000)
    found = [dl.Renyi(order=1 + h).of(m) for h in (0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3)]
    assert all(a.low <= b.high for a, b in itertools.pairwise(found))
    widths = [a.high - a.low for a in found]
    assert max(widths[:4] + widths[5:]) <= 1e-9
    assert widths[4] <= 3e-8  # at 1e-5 a quotient of two small numbers, each with its own rounding
    slope = (found[5] - found[0]) / 1e-3  # the first digits agree with the difference quotient
    assert found[4].low <= found[0] + 1e-5 * slope <= found[4].high


CERTAIN = {
    "guarantees": lambda: dl.ApproximateDP(epsilon=0.1, delta=0.5).repeat(2000),
    "sampled guarantees": lambda: dl.ApproximateDP(epsilon=0.1, delta=0.5).subsample(0.5).repeat(2000),
    "guarantees beside Laplace": lambda: dl.compose(
        dl.ApproximateDP(epsilon=0.1, delta=0.5).repeat(100), dl.Laplace(scale=1.0).repeat(3)
    ),
    "steps that fail": lambda: dl.Laplace(scale=90.0).fails_with(0.3).repeat(2330),
    "finite steps that fail": lambda: dl.RandomizedResponse(epsilon=1.0).fails_with(0.9).repeat(1000),
    "steps that always fail": lambda: dl.Gaussian(sigma=1.0).fails_with(1.0).repeat(5),
    "samples of steps that fail": lambda: dl.Gaussian(sigma=1.0).fails_with(0.9).subsample(0.99).repeat(10_000),
}


@pytest.mark.parametrize("name", CERTAIN)
def test_proofs_that_add_up_to_certainty(name):
    """Where the chance that nothing is proved is below the rounding of 1, everything is revealed."""
    m = CERTAIN[name]()
    for question in (dl.Advantage(), dl.Delta(epsilon=0.5), dl.AttackPower(fpr=0.01)):
        found = question.of(m)
        assert found.high == 1
        assert found.low > 1 - 1e-7


@pytest.mark.parametrize("epsilon", [12.0, 18.5, 21.5])
def test_nearly_everyone_is_sampled(epsilon):
    """log(1 − q + q·e^l) for l far below 0: the largest loss of the target's removal, and deltas next to it."""
    rate, count = 1 - 2**-33, 20
    f = dl.RandomizedResponse(epsilon=epsilon).subsample(rate).repeat(count).tradeoff("remove")
    with mp.workdps(40):
        truth = -count * mp.log((1 - mpf(rate)) + mpf(rate) * mp.exp(-mpf(epsilon)))
    assert mpf(f.epsilon_bounds(np.zeros(1)).lo[0]) <= truth <= mpf(f.epsilon(0.0))
    # all but this outcome have chances below 1e-4, and lower delta no more than that
    assert abs(mpf(f.epsilon(1e-20)) / truth - 1) < 1e-12


@pytest.mark.parametrize("c", [0.5, 0.1, -0.05])
def test_moments_where_nearly_everyone_is_sampled(c):
    """M(c + it) by a sum over points, 40 digits."""
    mu, rate, t = 1 / 0.3, 1 - 1e-9, np.linspace(0.0, 2.0, 5)
    k, error = SampledGaussianLoss(mu, rate).evaluate(c, t)
    with mp.workdps(40):
        step, sums = mpf(1) / 25, [mpc(0)] * len(t)
        for x in (i * step for i in range(-340, 440)):
            loss = mp.log1p(mpf(rate) * mp.expm1(mpf(mu) * x - mpf(mu) ** 2 / 2))
            weight = step * mp.exp(mpf(c) * loss - x * x / 2) / mp.sqrt(2 * mp.pi)
            sums = [total + weight * mp.expj(loss * u) for total, u in zip(sums, t)]
        for found, wrong, truth in zip(k, error, sums):
            moment = mp.exp(mpc(found))
            assert abs(moment - truth) <= abs(moment) * mp.expm1(mpf(wrong))


def bounded_moment(law, epsilon, s):
    """E e^{sL} of Laplace and of logistic noise; v = epsilon/2, u = (s − ½)·epsilon."""
    v, u = mpf(epsilon) / 2, (s - mpf(1) / 2) * mpf(epsilon)
    if law in (LaplaceLoss, LaplaceCurve):
        return mp.exp(-v) * (mp.cosh(u) + v * mp.sinh(u) / u)
    return mp.sinh(u) / u / (mp.sinh(v) / v)


@pytest.mark.parametrize("law", [LaplaceLoss, LogisticLoss])
@pytest.mark.parametrize("epsilon", [1.5, 2.4, 8.0, 70.0, 300.0])
@pytest.mark.parametrize("c", [1.3, 1.2, 1 + 1e-3, 1 + 1e-6, 1 - 1e-3, 1e-3, -1e-6, -0.2])
def test_moments_next_to_a_pole_err_no_more_than_they_say(law, epsilon, c):
    """K is 0 at 0 and 1, where what is left is a difference."""
    t = abs(c - round(c)) * np.linspace(0.0, 3.0, 7)
    k, error = law(epsilon).evaluate(c, t)
    with mp.workdps(40):
        for found, wrong, x in zip(k, error, t):
            truth, moment = bounded_moment(law, epsilon, mpc(c, x)), mp.exp(mpc(found))
            assert abs(moment - truth) <= abs(moment) * mp.expm1(mpf(wrong))
            assert wrong <= 1e-13 * (epsilon + 4) ** 2
        on_axis = law(epsilon).cgf(np.array([c]))[0][0]
        assert abs(on_axis - mp.log(bounded_moment(law, epsilon, mpf(c)))) < 1e-14 * (epsilon + 4) ** 2


@pytest.mark.parametrize(("curve", "epsilon"), [(LaplaceCurve, 2.5), (LogisticCurve, 2.5), (LaplaceCurve, 1.0)])
def test_a_million_steps_that_tell_all(curve, epsilon):
    """Hundreds of standard deviations between the worlds. Reference: the line next to 1 in mpmath."""
    count = 10**6
    f = composed([(curve(epsilon), count)])
    with mp.workdps(40):
        gap = mpf(10) ** -10
        moments = [mp.log(bounded_moment(curve, epsilon, 1 + x * gap)) for x in (-1, 1)]
        mean, spread = (moments[1] - moments[0]) / (2 * gap), mp.sqrt(count * (moments[0] + moments[1])) / gap
        for e in (float(count * mean + z * spread) for z in (0, 2)):
            step, total = 1 / (12 * spread), mpf(0)
            for j in range(-150, 151):
                s = mpc(1 + 1 / spread, j * step)
                total += mp.re(bounded_moment(curve, epsilon, s) ** count * mp.exp((1 - s) * e) / (s * (s - 1)))
            truth = total * step / (2 * mp.pi)
            low, high = (mpf(end[0]) for end in f.profile_bounds(np.array([e])))
            assert low <= truth <= high
            assert high - low < 5e-6 * truth


def test_many_coins_that_tell_all():
    """Too far apart for tilted sums: what is known is said, and nothing more."""
    f = dl.RandomizedResponse(epsilon=3.0).repeat(50_000).tradeoff()
    low, high = (end[0] for end in f.profile_bounds(np.array([1.0])))
    assert 0 <= low <= high == 1


@pytest.mark.parametrize(("kappa", "rate"), [(0.9, 0.99), (1e-3, 0.1), (0.3, 0.5)])
def test_removal_from_samples_of_what_may_fail(kappa, rate):
    """By outcomes in order: proofs of absence, Gaussian outputs from below; proofs of presence are missed."""
    f = dl.Gaussian(sigma=1.0).fails_with(kappa).subsample(rate).tradeoff("remove")

    def alarms(x):
        return (1 - rate) * kappa + (1 - kappa) * ((1 - rate) * st.norm.cdf(x) + rate * st.norm.cdf(x - 1))

    for x in (-3.0, 0.0, 1.5):
        assert f.power(alarms(x)) == pytest.approx(kappa + (1 - kappa) * st.norm.cdf(x), rel=1e-12)
    assert f.power((1 - rate) * kappa / 2) == pytest.approx(kappa / 2, rel=1e-12)
    for alpha in (1 - rate * kappa, 1 - rate * kappa / 2, 1 - 1e-9):
        assert f.power(alpha) == 1
    alphas = np.linspace(0.0, 1.0, 401)
    for end in f.power_bounds(alphas, 1 - alphas):
        assert (np.diff(end) >= -1e-14).all()
    both = dl.Gaussian(sigma=1.0).fails_with(kappa).subsample(rate).tradeoff()
    assert (both.power(alphas) >= f.power(alphas) - 1e-14).all()


@pytest.mark.parametrize("sigma", [1e13, 1e162, 1e300])
@pytest.mark.parametrize("kind", [dl.Gaussian, dl.DiscreteGaussian])
def test_a_release_that_tells_next_to_nothing_changes_nothing(kind, sigma):
    """Squares of its shift underflow, its losses fall between two points of any lattice."""
    fixed = dl.compose(dl.RandomizedResponse(epsilon=1.0), dl.Gaussian(sigma=1.0))
    alone, found = (dl.Epsilon(delta=1e-6).of(m) for m in (fixed, dl.compose(fixed, kind(sigma=sigma))))
    assert found.low <= alone.high
    assert alone.low <= found.high <= alone.high * (1 + 1e-3)


@pytest.mark.parametrize("parts", [(dl.DiscreteGaussian, dl.DiscreteGaussian), (dl.Gaussian, dl.DiscreteGaussian)])
def test_mu_of_few_whole_number_releases(parts):
    """Brackets hold what laws on whole numbers need at moderate rates, and never exceed the root of summed squares."""
    single = [kind(sigma=3.5355339) for kind in parts]
    found = dl.Mu().of(dl.compose(*single))
    assert found.high <= math.hypot(*(dl.Mu().of(m).high for m in single)) * (1 + 1e-12)
    alpha = np.linspace(0.01, 0.99, 25)
    needed = ndtri(dl.compose(*single).tradeoff().power_bounds(alpha, 1 - alpha).lo) - ndtri(alpha)
    assert needed.max() <= found.high
    assert found.high - found.low <= 0.005
