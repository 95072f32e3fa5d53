"""The reference values of the mathematics page, to the digits printed there."""

import math

import pytest

import dplens as dl


def bracket(curve, question, argument):
    return tuple(getattr(reading, question)(argument) for reading in curve.readings()[::-1])


def agrees(ends, printed):
    """What was printed, give or take half a unit of its last digit, lies in a bracket no wider than 1e-9."""
    value = float(printed)
    half = 0.5001 * 10.0 ** -len(printed.split(".")[1]) + 4e-16 * abs(value)
    low, high = ends
    assert low - half <= value <= high + half
    assert 0 <= high - low <= 1e-9


GAUSSIAN = [
    ("epsilon", 1e-5, "4.3771780956812"),
    ("epsilon", 1e-15, "8.16557969550425"),
    ("epsilon", 1e-30, "11.7438830252317"),
    ("delta", 1.0, "0.126936737506644"),
    ("delta", 20.0, "2.6647067053655e-86"),
    ("power", 1e-6, "8.72176101403892e-05"),
    ("power", 1e-9, "2.89929863105432e-07"),
    ("power", 1e-12, "7.97358010464109e-10"),
]


@pytest.mark.parametrize("steps", [1, 100, 10**6])
@pytest.mark.parametrize(("question", "argument", "printed"), GAUSSIAN)
def test_gaussian_however_it_is_cut_into_steps(steps, question, argument, printed):
    m = dl.Gaussian(sigma=math.sqrt(steps)).repeat(steps)
    low, high = bracket(m.tradeoff("add"), question, argument)
    assert low <= high
    # a rounded sigma moves delta(20) = 2.7e-86 by 400 times its own relative rounding
    assert low == pytest.approx(float(printed), rel=2e-13)
    assert high == pytest.approx(float(printed), rel=2e-13)


LAPLACE = [(10, "9.99897808944722"), (100, "71.5460036596749"), (1000, "486.297509443425"), (10000, "4060.82248896158")]


@pytest.mark.parametrize(("steps", "printed"), LAPLACE)
def test_laplace_epsilon(steps, printed):
    e = dl.Epsilon(delta=1e-6).of(dl.Laplace(scale=1.0, sensitivity=1.0).repeat(steps))
    assert e.low <= float(printed) * (1 + 1e-14)
    assert float(printed) * (1 - 1e-14) <= e.high
    close = 5e-12 if steps < 10_000 else 1e-8  # an epsilon of 4,061 needs no more digits
    assert e.high - float(printed) <= 1e-9 + close * float(printed)
    # few steps with atoms go over a grid: the reported end is as tight, the mild end is not
    assert e.high - e.low <= (2e-9 + 2 * close * e.high if steps > 10 else 1e-3)


@pytest.mark.parametrize(("steps", "printed"), [(10, "0.83379997904098"), (100, "0.999986475661375")])
def test_laplace_advantage(steps, printed):
    a = dl.Advantage().of(dl.Laplace(scale=1.0).repeat(steps))
    assert a.low <= float(printed) + 1e-15
    assert float(printed) - 1e-15 <= a.high <= float(printed) * (1 + 1e-9)


SETTINGS = {
    (1.0, 0.01, 1000): ("1.82823666652", "1.4167", "0.161017619698"),
    (0.8, 0.004, 10_000): ("3.53482129263", "2.9618", "0.295869875757"),
    (1.1, 256 / 60000, 14_063): ("2.38168972614", "2.2437", "0.224469317095"),
    (0.6, 0.001, 100_000): ("6.11282518361", "4.8648", "0.443829257842"),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_dpsgd(setting):
    sigma, rate, steps = setting
    forward, backward, advantage = SETTINGS[setting]
    m = dl.DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps)
    agrees(bracket(m.tradeoff("add"), "epsilon", 1e-5), forward)
    agrees(bracket(m.tradeoff("remove"), "epsilon", 1e-5), backward)
    a, e = dl.Advantage().of(m), dl.Epsilon(delta=1e-5).of(m)
    agrees((a.low, a.high), advantage)
    agrees((e.low, e.high), forward)
    assert max(e.high - e.low, a.high - a.low) < 1e-9
    by_hand = dl.Gaussian(sigma=sigma).subsample(rate).repeat(steps)
    assert float(dl.Epsilon(delta=1e-5).of(by_hand)) == float(e)


def test_power_where_a_grid_is_tenfold_optimistic():
    m = dl.DPSGD(noise_multiplier=0.6, sample_rate=0.001, steps=100_000)
    agrees(bracket(m.tradeoff("add"), "power", 2.01e-3), "0.05043")
    p = dl.AttackPower(fpr=2.01e-3).of(m)
    assert float(p) == p.high >= 0.050425
