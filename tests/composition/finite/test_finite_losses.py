"""Finite losses that no list and no lattice holds: sampled ones, and those beside a law of another kind."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from scipy.special import gammaln, ndtr
from scipy.stats import binom

import dplens as dl
from dplens.composition.contour import curve
from dplens.composition.contour.line_readings import LineReadings
from dplens.losses.bounded import AtomicLoss


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(40):
        yield


def coins(epsilon, count):
    """Losses of so many binary responses with their probabilities under H1."""
    truth = 1 / (1 + mp.exp(-mp.mpf(epsilon)))
    return [
        ((2 * k - count) * mp.mpf(epsilon), mp.binomial(count, k) * truth**k * (1 - truth) ** (count - k))
        for k in range(count + 1)
    ]


def laplace_delta(epsilon, x):
    """sup of power − e^x·alpha of one Laplace release."""
    if x >= epsilon:
        return mp.mpf(0)
    return 1 - mp.exp(x) if x <= -epsilon else 1 - mp.exp((x - epsilon) / 2)


@pytest.fixture(scope="module")
def coins_and_laplace():
    """Noise on whole numbers with one unit of change is a coin, too: P(loss = ±1/scale)."""
    with mp.workdps(40):
        one, two = coins(0.1, 60), coins(mp.mpf(1) / 50, 80)
        atoms = [(a + b, q * r) for a, q in one for b, r in two]
    release = dl.compose(
        dl.Laplace(scale=2.0), dl.RandomizedResponse(epsilon=0.1).repeat(60), dl.Geometric(scale=50.0).repeat(80)
    )
    return release, atoms


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0, 5.0, 7.0, 7.9])
def test_deltas_beside_a_laplace_release_far_out(coins_and_laplace, epsilon):
    release, atoms = coins_and_laplace
    truth = mp.fsum(q * laplace_delta(mp.mpf("0.5"), epsilon - loss) for loss, q in atoms)
    found = dl.Delta(epsilon=epsilon).of(release)
    assert found.low <= truth <= found.high
    if epsilon < 7:  # then next to the largest loss, at deltas below 1e-20
        assert found.high <= found.low * (1 + 3e-5)


@pytest.mark.parametrize("loss", [4.0, 2.01, 0.6, -0.25, -2.3, -4.4])
def test_tests_beside_a_laplace_release_are_on_the_curve(coins_and_laplace, loss):
    """Power and alpha of the test by a threshold, summed in many digits, are a point of the curve."""
    release, atoms = coins_and_laplace
    half = mp.mpf("0.5")

    def power(x):
        return mp.mpf(0) if x >= half else mp.mpf(1) if x < -half else 1 - mp.exp((x - half) / 2) / 2

    def alpha(x):
        return mp.mpf(0) if x >= half else mp.mpf(1) if x < -half else mp.exp(-(x + half) / 2) / 2

    one = mp.fsum(q * mp.exp(-at) * alpha(loss - at) for at, q in atoms)
    caught = mp.fsum(q * power(loss - at) for at, q in atoms)
    f = release.tradeoff()
    rates = np.array([float(one)]), np.array([float(1 - one)])
    low, high = (float(end[0]) for end in f.power_bounds(*rates))
    assert low <= float(caught) * (1 + 4e-16)
    assert float(caught) * (1 - 1e-15) <= high <= low * (1 + 1e-5)
    low, high = (float(end[0]) for end in f.beta_bounds(*rates))
    assert low <= float(1 - caught) * (1 + 1e-15)
    assert float(1 - caught) * (1 - 1e-15) <= high <= low * (1 + 1e-4)


def test_area_beside_a_laplace_release(coins_and_laplace):
    """No less than under the chords between many tests, and no more than those fall short of."""
    release, atoms = coins_and_laplace
    at, q = (np.array([float(x) for x in column]) for column in zip(*atoms))
    order = np.argsort(at)
    starts = np.flatnonzero(np.append(True, np.diff(at[order]) > 1e-9))
    at, q = at[order][starts], np.add.reduceat(q[order], starts)
    x = np.subtract.outer(np.linspace(-9.0, 9.0, 20_001), at)
    inner = np.clip(x, -0.5, 0.5)
    power = np.where(x >= 0.5, 0.0, np.where(x < -0.5, 1.0, 1 - np.exp((inner - 0.5) / 2) / 2)) @ q
    alpha = np.where(x >= 0.5, 0.0, np.where(x < -0.5, 1.0, np.exp(-(inner + 0.5) / 2) / 2)) @ (q * np.exp(-at))
    chords = -np.diff(alpha) @ (power[1:] + power[:-1]) / 2
    found = dl.AUC().of(release)
    assert chords - 1e-12 <= found.high <= chords + 1e-5
    assert found.low <= chords + 1e-7


def test_less_gaussian_loss_beside_whole_numbers_never_tells_more():
    """Across the amount at which another route takes over, and down to none."""
    noise = dl.DiscreteGaussian(sigma=2.0).repeat(3)
    releases = [noise, *(dl.compose(noise, dl.Gaussian(sigma=s)) for s in (1e7, 1e4, 900.0, 700.0, 100.0, 60.0, 40.0))]
    told = [dl.Epsilon(delta=1e-6).of(m) for m in releases]
    assert all(b.high >= a.low for a, b in itertools.pairwise(told))
    assert all(x.high - x.low <= 2e-4 for x in told)
    areas = [dl.AUC().of(m) for m in releases[:4]]
    assert all(x.high - x.low <= 2e-5 for x in areas)
    assert all(b.high >= a.low for a, b in itertools.pairwise(areas))


@pytest.mark.parametrize(("steps", "epsilon"), [(300, 0.5), (300, 6.0), (120, 3.0)])
def test_sampled_responses_against_all_their_counts(steps, epsilon):
    """Three losses: one multinomial probability for each pair of counts."""
    rate, e = 0.05, math.exp(2.0)
    p = np.array([1.0, e, 2.0]) / (e + 3)  # the other answer, the own one, any of the rest: without the target
    q = (1 - rate) * p + rate * p[[1, 0, 2]]
    i, j = np.meshgrid(np.arange(steps + 1), np.arange(steps + 1), indexing="ij")
    i, j = i[i + j <= steps], j[i + j <= steps]
    counts = np.stack([i, j, steps - i - j])
    log = gammaln(steps + 1) - gammaln(counts + 1).sum(axis=0) + np.log(q) @ counts
    loss = (np.log(q) - np.log(p)) @ counts
    truth = math.fsum(np.exp(log) * np.maximum(-np.expm1(epsilon - loss), 0.0))
    release = dl.RandomizedResponse(epsilon=2.0, categories=4).subsample(rate).repeat(steps)
    f = release.tradeoff(direction="add")
    low, high = (float(end[0]) for end in f.profile_bounds(np.array([epsilon])))
    assert low <= truth * (1 + 1e-11)
    assert truth * (1 - 1e-11) <= high <= low * (1 + 1e-4)


def test_sampled_noise_on_whole_numbers_is_close():
    """Close to what continuous noise of the same variance costs, and enclosed far more closely than they differ."""
    found = dl.Epsilon(delta=1e-6).of(dl.DiscreteGaussian(sigma=2.0).subsample(0.01).repeat(1000))
    beside = dl.Epsilon(delta=1e-6).of(dl.Gaussian(sigma=2.0).subsample(0.01).repeat(1000))
    assert found.high - found.low <= 2e-5
    assert abs(found.high - beside.high) <= 1e-3


@pytest.mark.parametrize("step", [0.01, 3.0])
def test_products_of_few_rotations_are_all_of_them(step):
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.ones(40)), rng.dirichlet(np.ones(40))
    loss = np.log(q / p)
    t = step * np.arange(2000.0)
    k, error = AtomicLoss(p, loss).evaluate(1.7, t)
    for i in (1, 30, 1999):
        s = mp.mpc(1.7, float(t[i]))
        truth = mp.fsum(mp.mpf(float(a)) * mp.exp(s * mp.mpf(float(b))) for a, b in zip(p, loss))
        assert abs(mp.exp(mp.mpc(complex(k[i]))) / truth - 1) <= error[i] <= 1e-8


def test_power_and_area_beside_gaussian_loss_that_leaves_gaps():
    """Between losses that are far apart beside the Gaussian loss, next to no test has the rate that is asked for."""
    k, truth = np.arange(21), 1 / (1 + math.exp(-0.3))
    masses = [binom.pmf(k, 20, p) for p in (1 - truth, truth)]
    told = []
    for sigma in (30.0, 20.0, 15.0, 8.0):
        release = dl.compose(dl.RandomizedResponse(epsilon=0.3).repeat(20), dl.Gaussian(sigma=sigma))
        f, mu = release.tradeoff(), 1 / sigma
        loss = np.linspace(-6.5, 6.5, 4001)
        x = np.subtract.outer(loss, 0.3 * (2 * k - 20)) / mu
        alpha, power = ndtr(-x - mu / 2) @ masses[0], ndtr(mu / 2 - x) @ masses[1]
        inner = (alpha > 1e-9) & (alpha < 0.999)
        for some in (inner, np.flatnonzero(inner)[::397]):  # many at once, and few
            assert np.all(f.power_bounds(alpha[some], 1 - alpha[some]).hi >= power[some] * (1 - 1e-12))
            assert np.all(f.power_bounds(alpha[some], 1 - alpha[some]).hi <= power[some] * (1 + 1e-8))
        area, chords = dl.AUC().of(release), -np.diff(alpha) @ (power[1:] + power[:-1]) / 2
        assert chords - 1e-12 <= area.low <= area.high <= chords + 1e-5
        told.append((dl.AttackPower(fpr=0.2).of(release), area))
    for before, after in itertools.pairwise(told):
        assert after[0] > before[0]
        assert after[1] > before[1]


def test_thresholds_that_are_found_are_left_alone(monkeypatch):
    """Each look at tails is a sum over a line: a few for each point, where the loss has a density."""
    looks = [0, 0]
    tail, found = LineReadings.tail, curve.thresholds

    def counted_tail(self, e):
        looks[0] += len(e)
        return tail(self, e)

    def counted_points(readings, alpha, co):
        looks[1] += len(alpha)
        return found(readings, alpha, co)

    monkeypatch.setattr(LineReadings, "tail", counted_tail)
    monkeypatch.setattr(curve, "thresholds", counted_points)
    release = dl.DPSGD(noise_multiplier=0.6, sample_rate=0.001, steps=100_000)
    dl.Epsilon(delta=1e-5).of(release.group(2))
    assert 0 < looks[0] <= 12 * looks[1]


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_repeated_samples_of_several_responses_are_listed(direction):
    """Two responses, of which a record sees both or none, three times: all 64 outcomes of exact products."""
    with mp.workdps(30):
        answers = [[(p, 1 - p), (1 - p, p)] for p in (mp.exp(e) / (1 + mp.exp(e)) for e in (2, 1))]
        rate = mp.mpf(0.3)
        step = [(a * c, (1 - rate) * a * c + rate * b * d) for (a, b), (c, d) in itertools.product(*answers)]
        worlds = [[mp.fprod(x[i] for x in seen) for seen in itertools.product(step, repeat=3)] for i in (0, 1)]
        p, q = worlds if direction == "add" else worlds[::-1]
        responses = dl.compose(dl.RandomizedResponse(epsilon=2.0), dl.RandomizedResponse(epsilon=1.0))
        curve = responses.subsample(0.3).repeat(3).tradeoff(direction)
        for epsilon in (0.0, 0.3, 1.0):
            truth = mp.fsum(max(b - mp.exp(epsilon) * a, 0) for a, b in zip(p, q))
            found = dl.Delta(epsilon=epsilon).of(curve)
            assert found.low <= truth <= found.high
            assert found.high - found.low < 1e-11 * found.high
