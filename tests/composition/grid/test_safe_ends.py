"""Where the safe end was, or could be, on the wrong side: rare losses, two peaks, either direction, tiny losses."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats as st

import dplens as dl

SEEN = 0.01  # chance of taking part; the noise below hides nothing from those who do
REVEALING = [
    dl.Gaussian(sigma=0.06).subsample(SEEN),
    dl.Laplace(scale=0.01).subsample(SEEN),
    dl.Exponential(epsilon=100.0).subsample(SEEN),
    dl.GaussianDP(mu=17.0).subsample(SEEN),
    dl.Gaussian(sigma=0.1).repeat(3).subsample(SEEN),
    dl.Gaussian(sigma=0.06, neighbours="replace").subsample(SEEN, "without_replacement"),
]


@pytest.mark.parametrize("step", REVEALING)
def test_taking_part_at_all_is_seen(step):
    truth = -math.expm1(3 * math.log1p(-SEEN))  # to many digits: the two laws hardly overlap otherwise
    found = dl.Delta(epsilon=1.0).of(step.repeat(3))
    assert found.low <= truth
    assert found.high >= truth * (1 - 1e-9)
    assert found.high >= dl.Delta(epsilon=1.0).of(step).low
    assert found.high <= 1.001 * truth


@pytest.mark.verify
def test_taking_part_shows_beside_other_releases():
    m = dl.compose(dl.Gaussian(sigma=10.0), dl.DPSGD(noise_multiplier=0.05, sample_rate=1e-3, steps=10))
    seen = -math.expm1(10 * math.log1p(-1e-3))
    assert dl.Delta(epsilon=1.0).of(m).high >= seen * (1 - 1e-9)
    assert dl.AttackPower(fpr=0.01).of(m).high >= seen


def test_failing_steps_may_move_either_way():
    """Simulating the attack on one step up and one down gives an advantage of 0.4995 ± 0.0002."""
    up, down = (dl.AdditiveNoise(noise=law) for law in (st.gumbel_r(), st.gumbel_l()))
    plain = dl.Advantage().of(dl.compose(up, down))
    failing = dl.Advantage().of(dl.compose(up.fails_with(1e-15), down.fails_with(1e-15)))
    assert failing.high >= max(0.499, plain.low)


def test_groups_are_looked_at_after_sampling():
    with pytest.raises(dl.DplensError, match="Sample first"):
        dl.Gaussian(sigma=0.1).group(2).subsample(0.01)
    assert dl.Delta(epsilon=0.0).of(dl.Gaussian(sigma=0.1).subsample(0.01).group(2)) >= 1 - 0.99**2 - 1e-6


@pytest.mark.parametrize("count", [3, 51])
def test_losses_far_below_one_stay_apart(count):
    """The advantage of a majority of coins that differ by 1e-14, from the binomial law."""
    epsilon = 1e-14
    p = 1 / (1 + math.exp(epsilon))
    half = range(count // 2 + 1, count + 1)
    # p^k·(1 − p)^(n − k) against the same with k and n − k exchanged: a difference of e^{±(2k − n)·epsilon/2}
    scale = [math.comb(count, k) * (p * (1 - p)) ** (count / 2) for k in half]
    truth = math.fsum(s * 2 * math.sinh((2 * k - count) * epsilon / 2) for s, k in zip(scale, half))
    found = dl.Advantage().of(dl.RandomizedResponse(epsilon=epsilon).repeat(count))
    assert found.low <= truth * (1 + 1e-12)
    assert found.high >= truth * (1 - 1e-12)
    assert found.high - found.low <= 1e-9 * truth


@pytest.mark.parametrize(("sigma", "rate"), list(itertools.product([0.5, 1.0, 5.0], [1e-3, 0.1])))
def test_without_replacement_at_ordinary_settings(sigma, rate):
    step = dl.Gaussian(sigma=sigma, neighbours="replace").subsample(rate, "without_replacement")
    found = [dl.Epsilon(delta=1e-5).of(step.repeat(n)) for n in (100, 1000, 10_000)]
    assert all(a.high <= b.high for a, b in itertools.pairwise(found))
    assert all(e.high - e.low <= 1e-6 * e.high for e in found[1:])
    assert found[-1].high <= dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=sigma).repeat(10_000)).high


def test_many_small_losses_on_a_lattice():
    """Discrete noise of spread 100 is next to continuous noise, and its losses are whole multiples of one number."""
    release = dl.DiscreteGaussian(sigma=100.0).repeat(10)
    found, quick = dl.Advantage().of(release.tradeoff(route="lattice")), dl.Advantage().of(release)
    assert found.high - found.low <= 1e-9 * found
    assert quick.low <= found.low <= found.high <= quick.high <= found * (1 + 2e-6)
    assert found == pytest.approx(dl.Advantage().of(dl.Gaussian(sigma=100.0).repeat(10)), rel=1e-4)


def test_scales_that_fit_one_lattice_are_put_on_it():
    """Their ends carry most of the mass; between two points of a lattice they would widen the bracket a lot."""
    scales = (20.0, 25.0, 30.0)
    release = dl.compose(*(dl.Laplace(scale=scale).repeat(40) for scale in scales))
    found = dl.Epsilon(delta=1e-5).of(release)
    assert found.high - found.low < 1e-5
    # losses drawn under H1: |y| − |y − 1| in units of the scale, y about 1
    rng, size = np.random.default_rng(8), 40_000
    loss = np.zeros(size)
    for scale in scales:
        y = 1 + rng.laplace(scale=scale, size=(size, 40))
        loss += np.sum(np.abs(y) - np.abs(y - 1), axis=1) / scale
    drawn = np.maximum(-np.expm1(0.5 - loss), 0.0)
    delta, error = dl.Delta(epsilon=0.5).of(release), 4 * float(drawn.std()) / size**0.5
    assert delta.low - error <= drawn.mean() <= delta.high + error
