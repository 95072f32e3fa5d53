"""Sensitivities against OpenDP's stability maps, and accuracy against draws of its samplers."""

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as opendp
import pytest

import dplens as dl
from tests.effort import SEARCHING

pytestmark = pytest.mark.verify
CATEGORIES = ["a", "b", "c"]


@pytest.fixture(autouse=True)
def features():
    opendp.enable_features("contrib", "honest-but-curious", "idealized-numerics")


def unit(r, exact=False):
    return dl.Unit(name="person", max_records=r, exact=exact)


def texts():
    return opendp.vector_domain(opendp.atom_domain(T=str))


@pytest.mark.parametrize("r", [1, 2, 3, 7])
def test_counts_and_histograms(r):
    counted = opendp.t.make_count(texts(), opendp.symmetric_distance())
    assert dl.Count(unit=unit(r)).l1 == counted.map(r)
    for metric, norm in ((opendp.L1Distance[int], "l1"), (opendp.L2Distance[float], "l2")):
        table = opendp.t.make_count_by_categories(
            texts(), opendp.symmetric_distance(), CATEGORIES, MO=metric, null_category=False
        )
        assert getattr(dl.Histogram(cells=3, unit=unit(r)), norm) == table.map(r)


@pytest.mark.parametrize("r", [1, 2, 5])
@pytest.mark.parametrize("bounds", [(10, 12), (-3, 1), (0, 7)])
def test_sums(r, bounds):
    records = opendp.vector_domain(opendp.atom_domain(bounds=bounds))
    added = opendp.t.make_sum(records, opendp.symmetric_distance())
    assert dl.Sum(bounds=bounds, unit=unit(r)).l1 == added.map(r)
    sized = opendp.vector_domain(opendp.atom_domain(bounds=bounds), size=20)
    replaced = opendp.t.make_sum(sized, opendp.symmetric_distance())
    assert dl.Sum(bounds=bounds, unit=unit(r, exact=True), neighbours="replace").l1 == replaced.map(2 * r)


@pytest.mark.parametrize("r", [1, 2])
def test_means(r):
    sized = opendp.vector_domain(opendp.atom_domain(bounds=(10.0, 30.0), nan=False), size=500)
    replaced = opendp.t.make_mean(sized, opendp.symmetric_distance())
    query = dl.Mean(bounds=(10, 30), n=500, unit=unit(r), neighbours="replace")
    assert query.l1 == pytest.approx(replaced.map(2 * r), rel=1e-8)  # it adds what floats may lose in the sum


@pytest.mark.parametrize("p", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("r", [1, 2])
def test_utilities_of_quantiles(r, p):
    """OpenDP multiplies the scores by the denominator of p."""
    scale = Fraction(p).denominator
    for neighbours, size, distance in (("add_remove", None, r), ("replace", 10, 2 * r)):
        records = opendp.vector_domain(opendp.atom_domain(T=float, nan=False), size=size)
        scores = opendp.t.make_quantile_score_candidates(records, opendp.symmetric_distance(), [1.0, 2.0, 3.0], alpha=p)
        query = dl.Quantile(probabilities=p, grid=[1, 2, 3], unit=unit(r), neighbours=neighbours)
        assert query.utilities[0] * scale == scores.map(distance)


@pytest.mark.parametrize("r", [1, 3])
def test_releases_of_histograms(r):
    """The whole chain: OpenDP's epsilon and rho of a noisy histogram, and those of the mechanism."""
    data = texts(), opendp.symmetric_distance()
    query = dl.Histogram(cells=3, unit=unit(r))
    table = opendp.t.make_count_by_categories(*data, CATEGORIES, MO=opendp.L1Distance[int], null_category=False)
    pure = table >> opendp.m.then_laplace(scale=4.0)
    assert query.release(dl.Geometric, scale=4.0).tradeoff().epsilon(0.0) == pytest.approx(pure.map(r), rel=1e-12)
    table = opendp.t.make_count_by_categories(*data, CATEGORIES, MO=opendp.L2Distance[float], null_category=False)
    concentrated = table >> opendp.m.then_gaussian(scale=4.0)
    assert query.release(dl.Gaussian, sigma=4.0).mu ** 2 / 2 == pytest.approx(concentrated.map(r), rel=1e-12)
    whole = query.release(dl.DiscreteGaussian, sigma=4.0).tradeoff()
    for order in (1.5, 2.0, 8.0):
        assert float(whole.renyi(order)) <= concentrated.map(r) * order * (1 + 1e-6)


# ---- accuracy ----------------------------------------------------------------------------------------------

DRAWS = 1_000_000 if SEARCHING else 100_000


def drawn(kind, parameter):
    """Real noise: many numbers that are truly 0, published by OpenDP."""
    atom = opendp.atom_domain(T=int) if kind in (dl.Geometric, dl.DiscreteGaussian) else None
    domain = opendp.vector_domain(atom or opendp.atom_domain(T=float, nan=False))
    whole = int if atom is not None else float
    if kind in (dl.Gaussian, dl.DiscreteGaussian):
        release = opendp.m.make_gaussian(domain, opendp.l2_distance(T=float), scale=parameter)
    else:
        release = opendp.m.make_laplace(domain, opendp.l1_distance(T=whole), scale=parameter)
    return np.array(release([whole(0)] * DRAWS), float)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(dl.Geometric, "scale"), (dl.DiscreteGaussian, "sigma"), (dl.Laplace, "scale"), (dl.Gaussian, "sigma")],
    ids=["geometric", "discrete gaussian", "laplace", "gaussian"],
)
def test_many_draws(kind, name):
    """Every promise against shares of real draws, within three standard errors."""
    query = dl.Histogram(cells=10)
    release, noise = query.release(kind, **{name: 3.0}), drawn(kind, 3.0)
    tables = np.abs(noise).reshape(-1, query.cells or 1)
    pairs = noise.reshape(-1, 2)

    def check(promise, hits):
        share, found = hits.mean(), promise.of(release)
        error = 3 * math.sqrt(max(found * (1 - found), 1 / len(hits)) / len(hits))
        assert found.low - error <= share <= found.high + error, promise

    for margin in (1, 2.5, 6, 10):
        check(dl.ErrorWithin(query=query, margin=margin, probability=0.5), np.abs(noise) <= margin)
        check(dl.AllWithin(query=query, margin=margin, probability=0.5), (tables <= margin).all(axis=1))
        check(dl.OrderKept(query=query, difference=margin, probability=0.5), pairs[:, 1] - pairs[:, 0] < margin)
        check(dl.SignKept(query=query, value=margin, probability=0.5), noise + margin > 0)
    check(dl.RelativeError(query=query, margin=0.1, above=50, probability=0.5), np.abs(noise) <= 5)
    for confidence in (0.5, 0.9, 0.99):
        half = float(dl.IntervalWidth(query=query, width=1, confidence=confidence).of(release)) / 2
        covered = (np.abs(noise) <= half * (1 + 1e-12)).mean()
        assert covered >= confidence - 3 * math.sqrt(confidence * (1 - confidence) / DRAWS)


def test_all_within_covers_as_promised():
    """At the margin that is just promised with 90 %, a table is within it 90 % of the time, and not much more often."""
    query = dl.Table(dimensions={"a": 4, "b": 5}, margins=[("a",), ("b",), ()])
    release, noise = query.release(dl.Geometric, scale=3.0), drawn(dl.Geometric, 3.0)
    tables = np.abs(noise[: DRAWS // query.size * query.size]).reshape(-1, query.size).max(axis=1)
    margin = next(m for m in range(100) if dl.AllWithin(query=query, margin=m, probability=0.9).met_by(release))
    error = 3 * math.sqrt(0.09 / len(tables))
    assert (tables <= margin).mean() >= 0.9 - error
    assert (tables <= margin - 1).mean() <= 0.9 + error
