"""The level holds: by enumeration for whole numbers, by simulation for the rest; the next critical value breaks it."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats

import dplens as dl
from tests.analyst.oracles import DRAWS, SEARCHING, close, discrete_gaussian_mass, geometric_mass, noisy_count

ALTERNATIVES = ("larger", "smaller", "two-sided")
WHOLE = {
    "none": (None, lambda k: float(k == 0), 0),
    "geometric": (dl.Geometric(scale=1.5), lambda k: geometric_mass(k, 1.5), 120),
    "discrete_gaussian": (dl.DiscreteGaussian(sigma=2.2), lambda k: discrete_gaussian_mass(k, 2.2), 25),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "p"), [(7, 0.5), (23, 0.2), (40, 0.85)])
def test_whole_number_tests_by_enumeration(name, alternative, n, p):
    mechanism, mass, reach = WHOLE[name]
    law = noisy_count(n, p, mass, reach)
    for level in (0.05, 0.011) if SEARCHING else (0.05 if n < 30 else 0.011,):
        test = dl.ProportionTest(n=n, null=p, effect=-0.1 if alternative == "smaller" else 0.1, level=level,
                                 alternative=alternative)  # fmt: skip
        region = test.critical(mechanism)
        upper = math.fsum(m for k, m in law.items() if k >= region.high)
        lower = math.fsum(m for k, m in law.items() if k <= region.low)
        share = level / 2 if alternative == "two-sided" else level
        assert max(upper, lower) <= share
        assert upper + lower <= level
        if alternative != "smaller":
            assert upper + law.get(region.high - 1, 0.0) > share
        if alternative != "larger":
            assert lower + law.get(region.low + 1, 0.0) > share
        # decisions, p-values and region agree, value by value
        for k in range(-3, n + 4):
            if mechanism is None and not 0 <= k <= n:
                continue
            tails = math.fsum(m for j, m in law.items() if j >= k), math.fsum(m for j, m in law.items() if j <= k)
            truth = {"larger": tails[0], "smaller": tails[1], "two-sided": min(1, 2 * min(tails))}[alternative]
            found = test.p_value(k, mechanism)
            assert found.low <= truth * (1 + 1e-11)
            assert found == pytest.approx(truth, rel=1e-11)
            assert (found <= level) == region.rejects(k)


@pytest.mark.parametrize("mechanism", [None, dl.Geometric(scale=1.2), dl.Laplace(scale=1.0)], ids=["no", "geo", "lap"])
@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_two_proportions_keep_the_level_at_every_common_proportion(mechanism, ratio):
    test = dl.TwoProportionsTest(n=12, ratio=ratio, baseline=0.2, effect=0.5, level=0.05)
    n1, n2 = test.n, test.n2
    c = test.critical(mechanism).high
    places = [i / n1 - j / n2 for i, j in itertools.product(range(n1 + 1), range(n2 + 1))]
    if mechanism is None:
        beyond = [float(t >= c - 1e-12) for t in places]
    elif isinstance(mechanism, dl.Geometric):
        noise = [(a / n1 - b / n2, geometric_mass(a, 1.2) * geometric_mass(b, 1.2))
                 for a, b in itertools.product(range(-45, 46), repeat=2)]  # fmt: skip
        shifts, masses = (np.array(v) for v in zip(*noise))
        beyond = [float(masses[shifts >= c - t - 1e-12].sum()) for t in places]
    else:
        draws = np.random.default_rng(3).laplace(size=(2, DRAWS))
        shifts = np.sort(draws[0] / n1 - draws[1] / n2)
        beyond = [1 - np.searchsorted(shifts, c - t) / DRAWS for t in places]
    beyond = np.array(beyond).reshape(n1 + 1, n2 + 1)
    grid = np.linspace(0, 1, 401)
    reached = np.array([stats.binom.pmf(np.arange(n1 + 1), n1, p) @ beyond @ stats.binom.pmf(np.arange(n2 + 1), n2, p)
                        for p in grid])  # fmt: skip
    slack = 4 * math.sqrt(0.05 / DRAWS) if isinstance(mechanism, dl.Laplace) else 1e-9
    assert reached.max() <= 0.05 + slack
    if isinstance(mechanism, dl.Laplace):
        assert reached.max() >= 0.05 * (1 - 2e-3) - slack
    else:
        pair = test._pair(mechanism)
        assert pair.worst(round(c * pair.unit) - 1, True, 0.0, (0.0, 1.0))[0] > 0.05
    # the p-value is the worst over proportions, and a declared range makes it smaller
    observed = (8, 4)
    p = test.p_value(observed, mechanism)
    narrow = test.with_(common=(0.0, 0.2), baseline=0.1, effect=0.05).p_value(observed, mechanism)
    assert narrow < p
    assert p.low <= p <= p.low * (1 + 3e-3)


@pytest.mark.parametrize(("n", "n2", "observed"), [(9, 16, (7, 6)), (13, 17, (9, 5)), (60, 72, (35, 30))])
def test_levels_that_are_all_but_reached_are_proven(n, n2, observed):
    k = np.arange(n + 1)
    least = np.floor((k / n - observed[0] / n + observed[1] / n2) * n2 + 1e-9)

    def tail(p):
        return -float(stats.binom.pmf(k, n, p) @ stats.binom.cdf(least, n2, p))

    grid = np.linspace(0, 1, 401)
    at = int(np.argmin([tail(p) for p in grid]))
    worst = -optimize.minimize_scalar(tail, bounds=(grid[at - 1], grid[at + 1]), options={"xatol": 1e-12}).fun
    test = dl.TwoProportionsTest(n=n, ratio=n2 / n, baseline=0.3, effect=0.2)
    for level, rejected in ((worst * (1 + 2e-6), True), (worst * (1 - 2e-6), False)):
        close_by = test.with_(level=level)
        assert close_by.critical().rejects(observed[0] / n - observed[1] / n2 + 1e-12) == rejected
        assert bool(close_by.decide(observed, interval=False)) == rejected


NOISE = {
    "none": (None, lambda rng, k: np.zeros(k)),
    "gaussian": (dl.Gaussian(sigma=0.3), lambda rng, k: rng.normal(0, 0.3, k)),
    "laplace": (dl.Laplace(scale=0.3), lambda rng, k: rng.laplace(0, 0.3, k)),
    "student": (dl.AdditiveNoise(noise=stats.t(3, scale=0.2)), lambda rng, k: 0.2 * rng.standard_t(3, k)),
    "gumbel": (dl.AdditiveNoise(noise=stats.gumbel_r(scale=0.2)), lambda rng, k: rng.gumbel(0, 0.2, k)),
    "shifted": (dl.AdditiveNoise(noise=stats.norm(0.4, 0.3)), lambda rng, k: rng.normal(0.4, 0.3, k)),
}


@pytest.mark.parametrize("name", NOISE)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_means_level_power_and_coverage_by_simulation(name, alternative):
    if name in ("student", "gumbel") and alternative != "two-sided" and not SEARCHING:
        pytest.skip("a two-sided test looks at both of its tails")
    mechanism, draw = NOISE[name]
    rng = np.random.default_rng(11)
    effect = -0.5 if alternative == "smaller" else 0.5
    test = dl.MeanTest(n=25, sd=1.5, effect=effect, null=1.0, level=0.03, alternative=alternative)
    error = rng.normal(0, 1.5, (5, DRAWS // 5)).ravel() / math.sqrt(25) + draw(rng, DRAWS)
    region = test.critical(mechanism)
    null, true = 1.0 + error, 1.0 + effect + error
    assert close(np.mean((null >= region.high) | (null <= region.low)), 0.03, DRAWS)
    power = test.power(mechanism)
    assert close(np.mean((true >= region.high) | (true <= region.low)), float(power), DRAWS)
    assert power.high - power.low < 1e-7
    # the interval is a constant around the published number
    low, high = test.interval(0.0, mechanism, 0.9)
    assert close(np.mean((error + low <= 0) & (error + high >= 0)), 0.9, DRAWS)


@pytest.mark.parametrize("mechanism", [None, dl.Geometric(scale=2.0), dl.Laplace(scale=1.5)], ids=["no", "geo", "lap"])
def test_intervals_of_proportions_cover(mechanism):
    runs = 300 if SEARCHING or not isinstance(mechanism, dl.Laplace) else 25
    rng = np.random.default_rng(5)
    test = dl.ProportionTest(n=30, null=0.5, effect=0.1)
    for p in (0.07, 0.4):
        counts = rng.binomial(30, p, runs)
        if isinstance(mechanism, dl.Geometric):
            share = 1 - math.exp(-1 / 2.0)
            counts = counts + rng.geometric(share, runs) - rng.geometric(share, runs)
        elif mechanism is not None:
            counts = counts + rng.laplace(0, 1.5, runs)
        values, times = np.unique(counts, return_counts=True)
        held = [p in test.interval(x, mechanism, 0.9) for x in values.tolist()]
        assert np.average(held, weights=times) >= 0.9 - 4 * math.sqrt(0.09 / times.sum())


def test_clopper_and_pearson_without_noise():
    from statsmodels.stats.proportion import proportion_confint

    test = dl.ProportionTest(n=50, null=0.3, effect=0.2)
    for k in (0, 1, 20, 50):
        assert tuple(test.interval(k)) == pytest.approx(proportion_confint(k, 50, method="beta"), abs=1e-10)


def test_intervals_hold_exactly_what_is_not_rejected():
    mechanism = dl.Geometric(scale=1.5)
    test = dl.ProportionTest(n=20, null=0.5, effect=0.1)
    low, high = test.interval(14, mechanism, 0.95)
    for p, inside in ((low - 1e-6, False), (low + 1e-6, True), (high - 1e-6, True), (high + 1e-6, False)):
        other = dl.ProportionTest(n=20, null=p, effect=-p / 2, alternative="two-sided")
        assert (other.p_value(14, mechanism) > 0.05) is inside
    bound = test.interval(14, mechanism, 0.95, alternative="larger")
    assert bound.low > low
    assert bound.high == 1


def test_intervals_of_two_proportions_cover():
    rng = np.random.default_rng(8)
    test = dl.TwoProportionsTest(n=15, baseline=0.3, effect=0.2)
    first, second = rng.binomial(15, 0.7, 200), rng.binomial(15, 0.4, 200)
    pairs, times = np.unique(np.stack([first, second]), axis=1, return_counts=True)
    order = np.argsort(-times)[: 60 if SEARCHING else 15]
    held = [0.3 in test.interval(tuple(map(int, pairs[:, i])), None, 0.9) for i in order]
    assert np.average(held, weights=times[order]) >= 0.9


def test_deep_p_values():
    test = dl.MeanTest(n=100, sd=1.0, effect=0.1)
    p = test.p_value(1.2, dl.Gaussian(sigma=0.05))
    assert p == pytest.approx(stats.norm.sf(1.2 / math.hypot(0.1, 0.05)), rel=1e-12)
    assert p.low <= stats.norm.sf(1.2 / math.hypot(0.1, 0.05)) <= p.high
    assert 1e-27 < p < 1e-26
    count = dl.ProportionTest(n=400, null=0.3, effect=0.1)
    assert count.p_value(300) == pytest.approx(stats.binom.sf(299, 400, 0.3), rel=1e-10)
    assert count.p_value(300) < 1e-60


def test_the_level_does_not_rest_on_an_estimated_n():
    n = dl.private_n(205, dl.Geometric(scale=5.0), confidence=0.99)
    mean = dl.MeanTest(n=n, sd=0.5, null=0.1, effect=0.1, bounds=(0, 1))
    share = dl.ProportionTest(n=n, null=0.1, effect=0.1, published="proportion")
    c, d = mean.critical(dl.Gaussian(sigma=0.01)).high, share.critical(dl.Laplace(scale=0.01)).high
    for true in (150, mean.n - 1, mean.n, 200, 400):  # published: null + Σ (x − null)/max(n, true)
        by = max(mean.n, true)
        assert stats.norm.sf((c - 0.1) / math.hypot(0.5 * math.sqrt(true) / by, 0.01)) <= 0.05
        k = np.arange(true + 1)
        tails = stats.laplace.sf(d - 0.1 - (k - 0.1 * true) / by, scale=0.01)
        assert stats.binom.pmf(k, true, 0.1) @ tails <= 0.05
    few = dl.ProportionTest(
        n=dl.PlanningValue(value=50, source="worst_case"), null=0.3, effect=0.2, published="proportion"
    )
    d = few.critical(dl.Laplace(scale=1 / 400)).high  # so little noise that the steps of a proportion show
    for true in range(20, 90):
        k = np.arange(true + 1)
        tails = stats.laplace.sf(d - 0.3 - (k - 0.3 * true) / max(50, true), scale=1 / 400)
        assert stats.binom.pmf(k, true, 0.3) @ tails <= 0.05
    two = dl.TwoProportionsTest(
        n=dl.PlanningValue(value=20, source="worst_case"), baseline=0.3, effect=0.3, published="difference"
    )
    d = two.critical(dl.Laplace(scale=1 / 160)).high
    for sizes in itertools.product(range(20, 25), repeat=2):
        shares, (first, second) = (
            (np.arange(m + 1) / m for m in sizes),
            (stats.binom.pmf(np.arange(m + 1), m, 0.5) for m in sizes),
        )
        tails = stats.laplace.sf(d - np.subtract.outer(*shares), scale=1 / 160)
        assert first @ tails @ second <= 0.05
    for total in (
        lambda: dl.ProportionTest(n=n, null=0.5, effect=0.1),
        lambda: dl.MeanTest(n=n, sd=0.5, effect=0.1, published="sum"),
        lambda: dl.TwoProportionsTest(n=dl.PlanningValue(value=50, source="worst_case"), baseline=0.3, effect=0.2),
        lambda: dl.SlopeTest(n=n, sd=0.2, effect=0.15, x_bounds=(0, 1), y_bounds=(0, 1)),
        lambda: dl.ContingencyTest(n=n, probabilities=[[0.3, 0.2], [0.2, 0.3]], rng=1),
    ):
        with pytest.raises(ValueError, match="Expected n to be public where a total is published"):
            total()


def test_a_critical_value_is_rejected_in_units_of_what_is_published():
    rng = np.random.default_rng(1)
    for i in range(60):
        null, amount = float(rng.normal() * 10.0 ** rng.integers(-2, 6)), rng.uniform(0.1, 3)
        test = dl.MeanTest(n=int(rng.integers(5, 500)), sd=1.0, effect=0.3, null=null, alternative="two-sided",
                           published=("sum", "mean")[i % 2])  # fmt: skip
        mechanism = dl.Gaussian(sigma=amount) if i % 4 < 2 else dl.Laplace(scale=amount)
        region = test.critical(mechanism)
        assert all(test.p_value(end, mechanism) <= 0.05 for end in (region.low, region.high))


@pytest.mark.parametrize("scale", [None, 3.0], ids=["none", "laplace"])
def test_groups_of_thousands(scale):
    n, release = 8000, None if scale is None else dl.Laplace(scale=scale)
    test = dl.TwoProportionsTest(n=n, baseline=0.3, effect=0.02)
    at = test.critical(release).high * n
    t = np.arange(-n, n + 1)
    if scale is None:
        beyond, one_less = (t >= at) * 1.0, (t >= at - 1) * 1.0
    else:  # the difference of two Laplace noises: P(W ≥ x) = (2 + x/b)·e^{−x/b}/4 for x ≥ 0
        z = np.abs(at - t) / scale
        tail = (2 + z) * np.exp(-z) / 4
        beyond = np.where(at >= t, tail, 1 - tail)
        one_less = beyond * 1.003
    null = stats.binom.pmf(t + n, 2 * n, 0.5)  # X1 + (n − X2) at a common proportion of a half
    assert null @ beyond <= 0.05 < null @ one_less
    first, second = (stats.binom.pmf(np.arange(n + 1), n, p) for p in (0.32, 0.3))
    assert test.power(release) == pytest.approx(np.convolve(first, second[::-1]) @ beyond, rel=1e-8)
