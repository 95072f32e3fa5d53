"""Two numbers with a noise each, of any shape: against closed forms, mpmath and simulation."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.analyst.laws.convolution import PairNoise, difference
from dplens.analyst.laws.noise import noise_of
from dplens.analyst.laws.published import alone, normal_plus
from tests.analyst.oracles import SEARCHING, close

DRAWS = 1_000_000 if SEARCHING else 100_000
SHAPES = {
    "staircase": dl.Staircase(epsilon=1.0, sensitivity=0.1),
    "student": dl.AdditiveNoise(noise=stats.t(3, scale=0.1)),
}
if SEARCHING:
    SHAPES["gumbel"] = dl.AdditiveNoise(noise=stats.gumbel_r(scale=0.1))


@pytest.mark.parametrize(("first", "second"), [(1.0, 1.0), (3.0, 2.0)])
def test_laplace_noise_under_another_name_holds_the_closed_form(first, second):
    law = alone(difference(noise_of(dl.AdditiveNoise(noise=stats.gennorm(1.0))), first, second))
    for x in (-3.0, 0.0, 1.0, 8.0):
        with mp.workdps(40):
            a, b, y = mp.mpf(first), mp.mpf(second), mp.mpf(abs(x))
            tail = mp.exp(-y) * (2 + y) / 4 if a == b else (a**2 * mp.exp(-y / a) - b**2 * mp.exp(-y / b)) / (
                2 * (a**2 - b**2))  # fmt: skip
            truth = float(tail if x >= 0 else 1 - tail)
        for ends, at in ((law.upper(np.array([x])), truth), (law.lower(np.array([x])), 1 - truth)):
            assert float(ends[0][0]) <= at <= float(ends[1][0])
            assert float(ends[1][0]) - float(ends[0][0]) < 1e-3 * at


def test_normal_noise_under_another_name_beside_a_sampling_error():
    shape = stats.gennorm(2.0, scale=math.sqrt(2) * 0.7)  # N(0, 0.49)
    law = normal_plus(0.5, difference(noise_of(dl.AdditiveNoise(noise=shape)), 1.0, 1.0))
    sd = math.hypot(0.5, math.hypot(0.7, 0.7))
    for x in (-1.0, 0.3, 4.0):
        low, high = (float(v[0]) for v in law.upper(np.array([x])))
        assert low <= stats.norm.sf(x / sd) <= high
        assert high - low < 2e-3 * high


@pytest.mark.parametrize("name", SHAPES)
def test_two_noisy_means_keep_the_level_and_their_power(name):
    mechanism, rng = SHAPES[name], np.random.default_rng(5)
    test = dl.TwoMeansTest(n=50, sd=0.5, effect=0.3, published="means")
    noise, region = noise_of(mechanism), test.critical(mechanism)
    assert isinstance(test._noise(mechanism), PairNoise)
    x = rng.normal(0, 0.1, DRAWS) + noise.draw(rng, DRAWS) - noise.draw(rng, DRAWS)
    assert close(np.mean(x >= region.high), 0.05, DRAWS)
    power = test.power(mechanism)
    assert power.high - power.low < 0.005
    assert close(np.mean(x + 0.3 >= region.high), (power.low + power.high) / 2, DRAWS)
    held = test.interval((0.4, 0.1), mechanism)
    assert (0.0 in held) == (test.with_(alternative="two-sided").p_value((0.4, 0.1), mechanism) > 0.05)


def test_two_noisy_counts_with_a_staircase_each():
    mechanism, rng = dl.Staircase(epsilon=1.0), np.random.default_rng(6)
    test = dl.TwoProportionsTest(n=40, baseline=0.3, effect=0.3)
    noise, power = noise_of(mechanism), test.power(mechanism)

    def rejected(p, q):
        counts = rng.binomial(40, p, DRAWS) - rng.binomial(40, q, DRAWS)
        return np.mean((counts + noise.draw(rng, DRAWS) - noise.draw(rng, DRAWS)) / 40 >= test.critical(mechanism).high)

    assert rejected(0.5, 0.5) <= 0.05 + 4 * math.sqrt(0.05 / DRAWS)
    assert power.high - power.low < 1e-3
    assert close(rejected(0.6, 0.3), float(power), DRAWS)


def test_laplace_noise_that_is_not_about_zero():
    shifted = dl.AdditiveNoise(noise=stats.laplace(5, 0.1))
    test = dl.TwoMeansTest(n=50, sd=0.5, effect=0.3, published="means")
    assert test.power(shifted) == test.power(dl.Laplace(scale=0.1))
    law = alone(difference(noise_of(shifted), 3.0, 1.0))  # about 10
    assert float(law.upper(np.array([10.0]))[1][0]) == pytest.approx(0.5, abs=1e-9)
