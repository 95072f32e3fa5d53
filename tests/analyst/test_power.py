"""Power against other libraries, published numbers and simulation."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import dplens as dl
from tests.analyst.oracles import DRAWS, close


def test_without_noise_as_statsmodels():
    from statsmodels.stats.power import NormalIndPower, normal_power

    for alternative, effect in (("larger", 0.2), ("smaller", -0.2), ("two-sided", 0.2)):
        test = dl.MeanTest(n=40, sd=0.7, effect=effect, level=0.03, alternative=alternative)
        theirs = normal_power(effect / 0.7, 40, 0.03, alternative=alternative)
        assert test.power() == pytest.approx(theirs, rel=1e-10)
        pair = dl.TwoMeansTest(n=40, ratio=1.5, sd=0.7, effect=effect, level=0.03, alternative=alternative)
        theirs = NormalIndPower().power(effect / 0.7, 40, 0.03, ratio=1.5, alternative=alternative)
        assert pair.power() == pytest.approx(theirs, rel=1e-10)


def test_counts_without_noise_as_the_binomial_law():
    test = dl.ProportionTest(n=60, null=0.4, effect=0.15, level=0.05)
    c = test.critical().high
    assert c == stats.binom.isf(0.05, 60, 0.4) + 1
    assert test.power() == pytest.approx(stats.binom.sf(c - 1, 60, 0.55), rel=1e-12)


def test_tables_without_noise_as_statsmodels():
    from statsmodels.stats.power import GofChisquarePower

    test = dl.ContingencyTest(n=400, probabilities=[[0.24, 0.16, 0.1], [0.16, 0.24, 0.1]], draws=20_000, rng=2)
    theirs = GofChisquarePower().power(test.w, 400, 0.05, n_bins=2, ddof=-1)  # two degrees of freedom
    assert test.power().point == pytest.approx(theirs, abs=0.015)
    counts = [[100, 60, 45], [60, 90, 45]]
    theirs = stats.chi2_contingency(counts, correction=False).pvalue
    assert test.p_value(counts).point == pytest.approx(theirs, abs=0.003)


MINIMUM_MU = [(0.25, 15, 7.9101), (0.25, 100, 0.2860), (0.25, 500, 0.0482),
              (0.5, 15, 5.2535), (0.5, 100, 0.9272), (0.5, 500, 0.0545)]  # fmt: skip


@pytest.mark.parametrize(("sd", "n", "printed"), MINIMUM_MU)
def test_fondevilles_minimum_mu(sd, n, printed):
    test = dl.MeanTest(n=n, sd=sd, effect=0.2, level=0.01, alternative="larger")
    mu = test.min_mu(max_power_loss=0.01, sensitivity=1 / n)
    assert round(mu, 4) == printed
    with mp.workdps(30):  # from the definition: power falls to 99 % of what it was
        z = mp.sqrt(2) * mp.erfinv(2 * mp.mpf("0.99") - 1)
        without = mp.ncdf(mp.mpf("0.2") * mp.sqrt(n) / mp.mpf(sd) - z)
        wide = mp.mpf("0.2") / (z + mp.sqrt(2) * mp.erfinv(2 * without * mp.mpf("0.99") - 1))
        truth = 1 / (n * mp.sqrt(wide**2 - mp.mpf(sd) ** 2 / n))
    assert mu == pytest.approx(float(truth), rel=1e-9)
    assert mu.low <= truth <= mu.high
    bounded = dl.MeanTest(n=n, sd=sd, effect=0.2, level=0.01, bounds=(0, 1))
    assert bounded.min_mu(max_power_loss=0.01) == mu


def test_fondevilles_figure_5():
    figure = dl.fondeville_analysis()
    rows = list(figure.power)
    assert {row["n"] for row in rows} == {15, 100, 500}
    assert len(rows) == len(figure.power) == 3 * 4 * 101
    for row in rows[::37]:
        wide = math.hypot(0.25 / math.sqrt(row["n"]), 1 / (row["n"] * row["mu"]))
        assert row["power"] == pytest.approx(stats.norm.sf(stats.norm.isf(0.01) - row["effect"] / wide), rel=1e-9)
    for row in list(figure.roc)[::61]:
        wide = math.hypot(0.25 / math.sqrt(row["n"]), 1 / (row["n"] * row["mu"]))
        assert row["power"] == pytest.approx(stats.norm.sf(stats.norm.isf(row["level"]) - 0.2 / wide), rel=1e-9)
    at = {(r["n"], r["mu"]): r["power"] for r in rows if r["effect"] == 0.2}
    assert at[500, 0.1] == pytest.approx(1, abs=1e-6)  # the paper: only mu = 0.01 costs the largest data set much
    assert at[500, 0.01] < 0.5


def test_fondevilles_figure_4():
    for row in dl.fondeville_power(mus=[0.5, 2.0, 6.0], fprs=[0.001, 0.05]):
        mu, a = row["mu"], row["fpr"]
        if row["family"] == "gaussian":
            truth = stats.norm.sf(stats.norm.isf(a) - mu)
        else:
            truth = math.exp(mu) * a if a < math.exp(-mu) / 2 else 1 - math.exp(-mu) / (4 * a)
        assert row["power"] == pytest.approx(truth, rel=1e-12)


def test_many_designs_at_once_agree_with_one_by_one():
    for alternative, effect in (("larger", 0.3), ("two-sided", -0.3)):
        test = dl.MeanTest(n=50, sd=1.1, effect=effect, level=0.04, alternative=alternative)
        n, noise = np.array([[10], [50]]), np.array([0.01, 0.2])
        for family, make in (("gaussian", lambda x: dl.Gaussian(sigma=x)), ("laplace", lambda x: dl.Laplace(scale=x))):
            found = test.powers(family, noise, n=n, effect=2 * effect)
            one = [[float(test.with_(n=int(k), effect=2 * effect).power(make(float(x)))) for x in noise] for (k,) in n]
            assert found == pytest.approx(np.array(one), rel=1e-9)
        assert test.powers(n=[10, 50]) == pytest.approx([float(test.with_(n=10).power()), float(test.power())])
        assert test.powers("laplace", 0.0) == pytest.approx(float(test.power()), rel=1e-8)


def test_sums_of_whole_numbers_with_whole_noise():
    k = np.arange(-700, 701)
    for n, sd, null, scale in ((30, 2.0, 3.0, 8.0), (10, 0.5, 0.37, 1.0)):
        test = dl.MeanTest(n=n, sd=sd, effect=1.0, null=null, published="sum", bounds=(0, 10))
        mechanism = dl.Geometric(scale=scale, sensitivity=10)
        edges = np.append(k - 0.5, k[-1] + 0.5)  # the sum is the whole number next to a normal one
        noise = np.exp(-np.abs(k) / scale) / np.exp(-np.abs(k) / scale).sum()
        at, beyond = {}, np.arange(-1400, 1401)
        for mean in (null, null + 1):
            at[mean] = np.convolve(np.diff(stats.norm.cdf(edges, n * mean, sd * math.sqrt(n))), noise)
        c = test.critical(mechanism).high
        assert c == math.floor(c)
        level, before = (at[null][beyond >= x].sum() for x in (c, c - 1))
        assert level <= 0.05 < before
        assert test.power(mechanism) == pytest.approx(at[null + 1][beyond >= c].sum(), rel=1e-9)
        assert test.p_value(c, mechanism) == pytest.approx(level, rel=1e-9)
        assert test.decide(c, mechanism)
        assert not test.decide(c - 1, mechanism)
        low, _ = test.interval(c, mechanism, alternative="larger")  # in units of the mean
        assert null < low < test.interval(c + 1, mechanism, alternative="larger").low
        assert test.interval(c - 1, mechanism, alternative="larger").low < null
    with pytest.raises(ValueError, match="whole number, as the sum"):
        test.p_value(3.5, mechanism)


def test_two_means_with_a_noise_each():
    rng = np.random.default_rng(4)
    test = dl.TwoMeansTest(n=40, sd=1.0, effect=0.6, published="means")
    for mechanism, noise in ((dl.Laplace(scale=0.2), rng.laplace(0, 0.2, (2, DRAWS))),
                             (dl.Gaussian(sigma=0.2), rng.normal(0, 0.2, (2, DRAWS)))):  # fmt: skip
        gap = 0.6 + rng.normal(0, math.sqrt(2 / 40), DRAWS) + noise[0] - noise[1]
        assert close(np.mean(gap >= test.critical(mechanism).high), float(test.power(mechanism)), DRAWS)
        assert test.p_value((1.5, 1.0), mechanism) == test.p_value((0.5, 0.0), mechanism)


def test_slopes():
    rng = np.random.default_rng(6)
    n, draws = 60, 20_000
    test = dl.SlopeTest(n=n, sd=0.3, effect=0.4, x_bounds=(0, 2), y_bounds=(0, 3), sd_x=0.5)
    x = np.concatenate([np.full(n // 2, 0.5), np.full(n // 2, 1.5)])  # sd 0.5
    y = 1 + 0.4 * x + rng.normal(0, 0.3, (draws, n))
    cross = y @ (x - x.mean())
    mechanism = dl.Laplace(scale=3.0, sensitivity=test.sensitivity_at())
    published = cross + rng.laplace(0, 3.0, draws)
    assert close(np.mean(published >= test.critical(mechanism).high), float(test.power(mechanism)), draws)
    slopes = cross / (n * 0.25) + rng.normal(0, 0.1, draws)
    direct = test.with_(published="slope")
    mechanism = dl.Gaussian(sigma=0.1)
    assert close(np.mean(slopes >= direct.critical(mechanism).high), float(direct.power(mechanism)), draws)


def test_slopes_from_noisy_sums():
    test = dl.SlopeTest(n=100, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics",
                        mean_x=0.5, mean_y=0.5, draws=1000, rng=1)  # fmt: skip
    rng, mechanism = np.random.default_rng(9), dl.Laplace(scale=1.0, sensitivity=7.0)
    region, hits, held = test.critical(mechanism), 0, 0
    for i in range(1500):
        u = rng.uniform(-1, 1, 100)
        v = 2 * np.clip(0.5 + rng.normal(0, 0.2, 100), 0, 1) - 1
        sums = np.array([u.sum(), v.sum(), (u * u).sum(), (u * v).sum()]) + rng.laplace(0, 1.0, 4)
        a, b, c, d = sums / 100
        slope = (d - a * b) / np.clip(c - a * a, 1 / 6, 2 / 3)
        hits += slope >= region.high
        if i < 6:
            held += 0.0 in test.interval(sums, mechanism, 0.9)
    low, high = test._simulated.level_bracket(mechanism)
    assert low - 0.02 <= hits / 1500 <= high + 0.02
    assert held >= 3
    assert test.power(mechanism).point < test.power().point


def test_power_falls_with_noise_and_rises_with_everything_else():
    test = dl.MeanTest(n=50, sd=1.0, effect=0.4)
    for make in (lambda x: dl.Gaussian(sigma=x), lambda x: dl.Laplace(scale=x), lambda x: dl.Staircase(epsilon=1 / x)):
        powers = [float(test.power(make(x))) for x in (0.02, 0.1, 0.5, 2.0)]
        assert powers == sorted(powers, reverse=True)
    m = dl.Laplace(scale=0.1)
    assert test.power(m) < test.with_(n=60).power(m) < test.with_(n=60, effect=0.5).power(m)
    assert test.power(m, effect=0.0) == pytest.approx(0.05, rel=1e-9)


def test_frames():
    test = dl.MeanTest(n=30, sd=1.0, effect=0.5)
    frame = dl.power_function(test, {"none": None, "noisy": dl.Laplace(scale=0.3)}, effects=[0.0, 0.5, 1.0])
    assert frame["power"][:3] == tuple(float(test.power(effect=e)) for e in (0.0, 0.5, 1.0))
    assert frame.to_dict()["release"] == ["none"] * 3 + ["noisy"] * 3
    curve = dl.roc(test, {"noisy": dl.Laplace(scale=0.3)}, levels=[0.01, 0.5])
    assert curve["power"][0] < curve["power"][1]


@pytest.mark.parametrize("spread", [0.1, 0.4])
def test_noisy_sums_of_a_regression_heed_the_spread_of_x(spread):
    t = dl.SlopeTest(n=200, sd=0.1, effect=0.1, x_bounds=(0, 1), y_bounds=(0, 1), sd_x=spread, published="statistics",
                     draws=4000, rng=1)  # fmt: skip
    without = t.power()  # y is hardly ever cut off
    assert without.low <= stats.norm.sf(stats.norm.isf(0.05) - 0.1 * spread * math.sqrt(200) / 0.1) <= without.high
    x, _, xx, _ = t._simulated.simulate(np.random.default_rng(1), 2000, 0.0, 20).sum(axis=0) / 40_000
    assert math.sqrt(xx - x * x) / 2 == pytest.approx(spread, rel=0.02)


@pytest.mark.parametrize("noise", ["normal", "laplace"])
def test_noisy_sums_of_a_regression_keep_the_level_whatever_the_means_are(noise):
    """Data sets drawn record by record, and the slope as one would compute it."""
    n, size, scale, width = 100, 20_000, 3.0, 0.2 * math.sqrt(3)
    mechanism = dl.Gaussian(sigma=scale) if noise == "normal" else dl.Laplace(scale=scale)
    plan = {"n": n, "sd": 0.05, "effect": 0.3, "x_bounds": (0, 1), "y_bounds": (0, 1), "sd_x": 0.2,
            "published": "statistics", "alternative": "two-sided", "rng": 1}  # fmt: skip
    careful = dl.SlopeTest(**plan)
    assert {careful.sources()[name].source for name in ("mean_x", "mean_y")} == {"worst_case"}
    rng, region, found = np.random.default_rng(5), careful.critical(mechanism), []
    for mean_x, mean_y in ((0.5, 0.5), (0.65, 0.05), (0.65, 0.95), (0.9583, 1.0)):
        u = 2 * rng.uniform(mean_x - width, mean_x + width, (size, n)) - 1
        v = 2 * (mean_y + rng.normal(0, 0.05, (size, n))) - 1
        sums = np.stack([u.sum(1), v.sum(1), (u * u).sum(1), (u * v).sum(1)]) + getattr(rng, noise)(0, scale, (4, size))
        x, y, xx, xy = sums / n
        slopes = (xy - x * y) / np.clip(xx - x * x, 0.08, 0.32)
        found.append(region.count(slopes) / size)
        if mean_x < 0.9:  # one that leaves room for values spread evenly within the bounds
            mean = dl.PlanningValue(value=mean_y, source="private_estimate")
            known = dl.SlopeTest(**plan, mean_x=mean_x, mean_y=mean)
            assert known.sources()["mean_y"].source == "private_estimate"
            assert abs(known.critical(mechanism).count(slopes) / size - 0.05) < 0.01
            assert known.power(mechanism) > careful.power(mechanism)
    assert max(found) < 0.055
    assert found[-1] > 0.015  # at the bound it comes near


def _normal(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def _beyond(x, s, b):
    """P(N(0, s²) + Laplace > x)."""
    z, h = x / s, s / b
    return _normal(-z) + (mp.exp(h * h / 2 - x / b) * _normal(z - h) - mp.exp(h * h / 2 + x / b) * _normal(-z - h)) / 2


def _exact_power(n, sd, effect, level, published, scale):
    """Power of the one-sided test of exactly that level on a mean with Laplace noise."""
    s, b = mp.mpf(sd) / mp.sqrt(n), mp.mpf(scale) / (n if published == "sum" else 1)
    low, high = mp.mpf(0), 2 * (s + b)
    while _beyond(high, s, b) > level:
        high *= 2
    for _ in range(180):
        middle = (low + high) / 2
        low, high = (middle, high) if _beyond(middle, s, b) > level else (low, middle)
    return _beyond(low - mp.mpf(effect), s, b)


def test_brackets_of_noisy_means_hold_the_power_of_the_exact_level():
    rng = np.random.default_rng(5)
    plans = [(793, 1.03309, 0.0258043, 1.12481e-05, "sum", 5.93079)]
    for _ in range(40):
        n, sd = int(10 ** rng.uniform(0.5, 5)), float(10 ** rng.uniform(-1, 1))
        published = ("sum", "mean")[int(rng.integers(2))]
        scale = float(10 ** rng.uniform(-0.8, 1) * sd / np.sqrt(n))
        effect = float(rng.uniform(0.01, 6) * np.hypot(sd / np.sqrt(n), scale))
        scale = scale * n if published == "sum" else scale
        plans.append((n, sd, effect, float(10 ** rng.uniform(-8, -0.4)), published, scale))
    for n, sd, effect, level, published, scale in plans:
        plan = dl.MeanTest(n=n, sd=sd, effect=effect, level=level, alternative="larger", published=published)
        found = plan.power(dl.Laplace(scale=scale))
        with mp.workdps(70):
            truth = _exact_power(n, sd, effect, level, published, scale)
            assert mp.mpf(found.low) <= truth <= mp.mpf(found.high)
        assert found.high - found.low <= 1e-12 * found.high
