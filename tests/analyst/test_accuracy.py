"""Accuracy requirements: against the laws of SciPy and sums of masses, simulations, and draws of OpenDP's samplers."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

import dplens as dl

HISTOGRAM = dl.Histogram(cells=12)
NOISES = {
    "gaussian": (dl.Gaussian, {"sigma": 3.0}, lambda m: stats.norm(scale=3.0).cdf(m) - stats.norm(scale=3.0).cdf(-m)),
    "laplace": (
        dl.Laplace,
        {"scale": 2.5},
        lambda m: stats.laplace(scale=2.5).cdf(m) - stats.laplace(scale=2.5).cdf(-m),
    ),
    "geometric": (dl.Geometric, {"scale": 2.5}, lambda m: whole("geometric", 2.5, m)),
    "discrete gaussian": (dl.DiscreteGaussian, {"sigma": 3.0}, lambda m: whole("normal", 3.0, m)),
}


def masses(kind, parameter, reach=400):
    k = np.arange(-reach, reach + 1.0)
    weights = np.exp(-np.abs(k) / parameter) if kind == "geometric" else np.exp(-(k**2) / (2 * parameter**2))
    return k, weights / weights.sum()


def whole(kind, parameter, margin):
    k, mass = masses(kind, parameter)
    return float(mass[np.abs(k) <= margin].sum())


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("margin", [0.0, 0.5, 1.0, 4.0, 7.9, 8.0, 20.0])
def test_errors_within_a_margin(name, margin):
    kind, noise, inside = NOISES[name]
    release = HISTOGRAM.release(kind, **noise)
    one = dl.ErrorWithin(query=HISTOGRAM, margin=margin, probability=0.5).of(release)
    wanted = float(inside(margin))
    assert one.low <= wanted * (1 + 1e-13) + 1e-15
    assert one.high >= wanted * (1 - 1e-13) - 1e-15
    assert one == pytest.approx(wanted, rel=1e-10, abs=1e-14)
    every = dl.AllWithin(query=HISTOGRAM, margin=margin, probability=0.5).of(release)
    assert every == pytest.approx(wanted**12, rel=1e-9, abs=1e-14)
    assert every.low <= every.high


def test_margins_are_the_decimal_numbers_that_were_typed():
    q, release = dl.Count(), dl.Geometric(scale=5.0)
    found = dl.RelativeError(query=q, margin=0.29, above=100, probability=0.5).of(
        release
    )  # 28.999999999999996 in floats
    assert found == dl.ErrorWithin(query=q, margin=29, probability=0.5).of(release)


def test_releases_made_of_several_have_one_noise():
    query = dl.Table(dimensions={"a": 4, "b": 3}, margins=[("a",), ("b",)])
    release = query.release(dl.DiscreteGaussian, sigma=2.0)
    assert release == dl.DiscreteGaussian(sigma=2.0).repeat(2)
    found = dl.ErrorWithin(query=query, margin=3, probability=0.9).of(release)
    assert found == pytest.approx(whole("normal", 2.0, 3), rel=1e-12)
    assert dl.ErrorWithin(query=query, margin=3, probability=0.9).of(release.fails_with(1e-9)) == found
    assert dl.ErrorWithin(query=query, margin=3, probability=0.9).of(None) == pytest.approx(1.0, rel=1e-14)
    with pytest.raises(dl.DplensError, match="different noise to different numbers"):
        dl.ErrorWithin(query=query, margin=3, probability=0.9).of(
            dl.compose(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0))
        )


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_widths_of_intervals(name, confidence):
    kind, noise, inside = NOISES[name]
    width = dl.IntervalWidth(query=HISTOGRAM, width=10, confidence=confidence).of(HISTOGRAM.release(kind, **noise))
    half = float(width) / 2
    assert float(inside(half)) >= confidence * (1 - 1e-12)
    smaller = half - 1 if kind in (dl.Geometric, dl.DiscreteGaussian) else half * (1 - 1e-9)
    assert smaller < 0 or float(inside(smaller)) < confidence
    assert width.low <= float(width) == width.high


def test_met_by():
    release = dl.Count().release(dl.Gaussian, sigma=2.0)
    q = dl.Count()
    exact = 2 * stats.norm.cdf(2.5) - 1
    assert dl.ErrorWithin(query=q, margin=5, probability=exact - 1e-6).met_by(release)
    assert not dl.ErrorWithin(query=q, margin=5, probability=exact + 1e-6).met_by(release)
    assert dl.IntervalWidth(query=q, width=7.84).met_by(release)
    assert not dl.IntervalWidth(query=q, width=7.83).met_by(release)


@pytest.mark.parametrize("gap", [1, 3, 3.5, 10])
def test_order_and_sign(gap):
    for name, parameter in (("geometric", 2.5), ("normal", 3.0)):
        k, mass = masses(name, parameter, 120)
        release = dl.Geometric(scale=2.5) if name == "geometric" else dl.DiscreteGaussian(sigma=3.0)
        both = np.convolve(mass, mass)
        wanted = both[np.arange(-240, 241) < gap].sum()
        found = dl.OrderKept(query=HISTOGRAM, difference=gap, probability=0.5).of(release)
        assert found == pytest.approx(wanted, rel=1e-10)
        found = dl.SignKept(query=HISTOGRAM, value=gap, probability=0.5).of(release)
        assert found == pytest.approx(mass[k > -gap].sum(), rel=1e-10)
    normal = dl.OrderKept(query=HISTOGRAM, difference=gap, probability=0.5).of(dl.Gaussian(sigma=3.0))
    assert normal == pytest.approx(stats.norm(scale=3 * math.sqrt(2)).cdf(gap), rel=1e-12)
    x = np.linspace(-400, gap, 4_000_001)  # the density of a difference of two Laplace laws of one scale
    density = (1 + np.abs(x) / 2.5) * np.exp(-np.abs(x) / 2.5) / (4 * 2.5)
    laplace = dl.OrderKept(query=HISTOGRAM, difference=gap, probability=0.5).of(dl.Laplace(scale=2.5))
    assert laplace == pytest.approx(integrate.trapezoid(density, x), rel=1e-7)
    sign = dl.SignKept(query=HISTOGRAM, value=gap, probability=0.5).of(dl.Laplace(scale=2.5))
    assert sign == pytest.approx(stats.laplace(scale=2.5).cdf(gap), rel=1e-12)


# ---- post-processing ---------------------------------------------------------------------------------------


def test_rounding_and_non_negative_results_keep_the_promise():
    """For many true counts, errors after the steps are within the margin at least as often as is said."""
    query = dl.Histogram(cells=3, processing=[dl.NonNegative(), dl.Rounding(base=5)])
    k, mass = masses("geometric", 3.0)
    for margin in (2, 4, 7, 10):
        for promised, count in ((dl.ErrorWithin, 1), (dl.AllWithin, 3)):
            found = promised(query=query, margin=margin, probability=0.5).of(dl.Geometric(scale=3.0))
            for true in range(12):
                published = 5 * np.round(np.maximum(true + k, 0) / 5)
                real = mass[np.abs(published - true) <= margin].sum()
                assert found.low <= real**count * (1 + 1e-12)
                assert real**count <= found.high * (1 + 1e-12)


def test_steps_of_disjoint_parts_count():
    parts = {"a": dl.Count(processing=[dl.Rounding(base=4)]), "b": dl.Count(processing=[dl.Rounding(base=10)])}
    query, release = dl.Disjoint(by="region", parts=parts), dl.Laplace(scale=2.0)
    found = dl.ErrorWithin(query=query, margin=9, probability=0.5).of(release)
    assert found == dl.ErrorWithin(query=dl.Count(), margin=4, probability=0.5).of(release)
    with pytest.raises(dl.DplensError, match="can make ties"):
        dl.OrderKept(query=query, difference=1, probability=0.5).of(release)
    hidden = {"a": dl.Suppressed(table=dl.Histogram(cells=2), threshold=5)}
    with pytest.raises(dl.DplensError, match="before suppression"):
        dl.ErrorWithin(query=dl.Disjoint(by="region", parts=hidden), margin=9, probability=0.5)


def test_rounding_widens_intervals():
    plain, rounded = (dl.Count(processing=p) for p in ([], [dl.Rounding(base=5)]))
    release = dl.Gaussian(sigma=2.0)
    before, after = (dl.IntervalWidth(query=q, width=10).of(release) for q in (plain, rounded))
    assert after == pytest.approx(before + 5, rel=1e-12)


def projected(table, errors):
    """Adjusted errors by solving the least-squares problem for the cells of the full table."""
    sizes = list(table.dimensions.values())
    full = list(itertools.product(*(range(n) for n in sizes)))
    names = list(table.dimensions)
    rows = []
    for margin in table.margins:
        for labels in itertools.product(*(range(table.dimensions[n]) for n in margin)):
            rows.append([all(c[names.index(n)] == x for n, x in zip(margin, labels)) for c in full])
    sums = np.array(rows, float)
    return sums @ np.linalg.lstsq(sums, errors, rcond=None)[0]


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_consistent_margins(kind):
    table = dl.Table(
        dimensions={"a": 3, "b": 2}, margins=[("a", "b"), ("a",), ("b",), ()], processing=[dl.ConsistentMargins()]
    )
    rng, draws = np.random.default_rng(5), 100_000
    shape = (table.size, draws)
    errors = np.abs(projected(table, rng.normal(0, 2, shape) if kind == "gaussian" else rng.laplace(0, 2, shape)))
    release = table.release(dl.Gaussian, sigma=2.0) if kind == "gaussian" else table.release(dl.Laplace, scale=2.0)
    for margin in (3.0, 5.0):
        real_each, real_all = (errors <= margin).mean(axis=1).min(), (errors <= margin).all(axis=0).mean()
        each = dl.ErrorWithin(query=table, margin=margin, probability=0.5).of(release)
        every = dl.AllWithin(query=table, margin=margin, probability=0.5).of(release)
        for found, real in ((each, real_each), (every, real_all)):
            error = 4 * math.sqrt(real * (1 - real) / draws)
            assert found.low <= real + error
            if kind == "gaussian":
                assert found.route == "exact"
            else:
                assert found.route == "simulation"
                assert found.point == pytest.approx(real, abs=2 * error)


def test_what_is_not_known_is_refused():
    table = dl.Table(dimensions={"a": 3, "b": 2}, margins=[("a",), ("b",)])
    late = dl.Table(
        dimensions={"a": 3, "b": 2}, margins=[("a",), ("b",)], processing=[dl.NonNegative(), dl.ConsistentMargins()]
    )
    rounded = dl.Histogram(cells=2, processing=[dl.Rounding(base=5)])

    def one(query):
        return dl.ErrorWithin(query=query, margin=1, probability=0.5)

    cases = [
        (lambda: one(late).of(dl.Gaussian(sigma=1.0)), "Put ConsistentMargins first"),
        (lambda: one(table).of(dl.ApproximateDP(epsilon=1.0)), "does not add one noise"),
        (lambda: dl.ErrorWithin(query=table, margin=-1, probability=0.5), "Expected margin >= 0"),
        (lambda: dl.ErrorWithin(query=table, margin=1, probability=1.0), "Expected probability in the open interval"),
        (lambda: dl.ErrorWithin(query=table, margin=1, probability=0.0), "Expected probability in the open interval"),
        (lambda: dl.ErrorWithin(query=table, margin=math.nan, probability=0.5), "Expected margin"),
        (lambda: dl.AllWithin(query="table", margin=1, probability=0.5), "Expected query to be a query"),
        (lambda: dl.AllWithin(query=dl.Custom(l1=1.0), margin=1, probability=0.5).of(None), "Give the query its size"),
        (lambda: dl.RelativeError(query=table, margin=0.1, above=0, probability=0.5), "Expected above > 0"),
        (lambda: dl.IntervalWidth(query=table, width=0), "Expected width > 0"),
        (lambda: dl.IntervalWidth(query=table, width=1, confidence=1.5), "Expected confidence"),
        (lambda: dl.OrderKept(query=dl.Count(), difference=1, probability=0.5).of(None), "no order to keep"),
        (lambda: dl.OrderKept(query=rounded, difference=1, probability=0.5).of(None), "can make ties"),
        (lambda: dl.RankError(query=table, margin=1, probability=0.5), "Expected query to be a Quantile"),
        (
            lambda: dl.AllWithin(query=dl.Suppressed(table=table, threshold=5), margin=1, probability=0.5),
            "before suppression",
        ),
    ]
    for call, message in cases:
        with pytest.raises(dl.DplensError, match=message):
            call()


# ---- quantiles ---------------------------------------------------------------------------------------------


def test_rank_errors_of_the_exponential_mechanism():
    """The exact law of the chosen point on many data sets, against the promise; nearly attained by the worst."""
    grid, epsilon, p = tuple(range(1, 9)), 1.0, 0.5
    query = dl.Quantile(probabilities=[p], grid=grid)
    release = query.release(dl.Exponential, epsilon=epsilon)
    rng = np.random.default_rng(3)
    data_sets = [rng.integers(0, 10, 30) for _ in range(50)] + [np.array([3.5] * n + [4.5] * n) for n in (3, 10, 40)]
    for margin in (1, 3, 8):
        promised = dl.RankError(query=query, margin=margin, probability=0.5).of(release).low
        kept = []
        for data in data_sets:
            ranks = np.array([abs((1 - p) * (data < g).sum() - p * (data > g).sum()) for g in grid])
            weights = np.exp(-epsilon * ranks / (2 * query.utilities[0]))
            kept.append(weights[ranks <= ranks.min() + margin].sum() / weights.sum())
        assert promised <= min(kept)
    # one point splits the records, all others are n/2 records away
    n = 20
    data, weights = np.array([3.5] * n + [4.5] * n), np.exp(-epsilon * n * np.array([1, 1, 1, 0, 1, 1, 1, 1.0]))
    found = dl.RankError(query=query, margin=n * (1 - 1e-12), probability=0.5).of(release)
    assert found == pytest.approx(weights[3] / weights.sum(), rel=1e-6)
    assert len(data) == 2 * n


def test_rank_errors_of_noisy_counts():
    grid, p, rng = np.arange(0, 10), 0.25, np.random.default_rng(8)
    query = dl.Quantile(probabilities=[p], grid=grid)
    release = query.release(dl.Laplace, scale=1.0)
    promised = dl.RankError(query=query, margin=20, probability=0.5).of(release).low
    data = rng.integers(0, 10, 400)
    counts = np.array([(data <= g).sum() for g in grid])
    ranks = np.abs(counts - p * counts[-1])
    noisy = counts + rng.laplace(0, 1.0, (20_000, 10))
    chosen = np.abs(noisy - p * noisy[:, -1:]).argmin(axis=1)
    assert (ranks[chosen] <= ranks.min() + 20).mean() >= promised > 0.9
