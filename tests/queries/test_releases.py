"""Mechanisms made from queries: that the curve of a vector holds for every change that one unit can make."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from tests.queries.brute import records_in_cells

EPSILONS = (0.0, 0.1, 0.4, 1.0, 2.0)


def masses(kind, parameter, reach=60):
    """The law of whole-number noise, from its definition."""
    k = np.arange(-reach, reach + 1.0)
    weights = np.exp(-np.abs(k) / parameter) if kind == "geometric" else np.exp(-(k**2) / (2 * parameter**2))
    return weights / weights.sum()


def delta_of_shifts(law, shifts, epsilon):
    """sup (Q − e^epsilon·P)(S) for independent noise on several numbers, shifted; by enumeration of all outputs."""
    p = q = np.ones(1)
    for shift in shifts:
        moved = np.roll(law, shift)
        if shift > 0:
            moved[:shift] = 0.0
        elif shift < 0:
            moved[shift:] = 0.0
        p, q = np.outer(p, law).ravel(), np.outer(q, moved).ravel()
    return float(np.maximum(q - math.exp(epsilon) * p, 0.0).sum())


UNITS = [
    dl.Unit(),
    dl.Unit(name="person", max_cells=2),
    dl.Unit(name="person", max_records=2),
    dl.Unit(name="person", max_records=3, max_per_cell=2),
]


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.max_records}-{u.max_cells}-{u.max_per_cell}")
@pytest.mark.parametrize("kind", ["geometric", "discrete_gaussian"])
def test_whole_noise_on_a_histogram(kind, unit, neighbours):
    """delta of every change of a histogram of three cells, all output triples enumerated, against the release."""
    cells, parameter = 3, 1.3
    query = dl.Histogram(cells=cells, unit=unit, neighbours=neighbours)
    release = {
        "geometric": lambda: query.release(dl.Geometric, scale=parameter),
        "discrete_gaussian": lambda: query.release(dl.DiscreteGaussian, sigma=parameter),
    }[kind]()
    curve, law = release.tradeoff(), masses(kind, parameter, 25 if kind == "geometric" else 12)
    lost = 3 * 2 * math.exp(-22 / parameter) if kind == "geometric" else 1e-12  # masses beyond the table
    counts = [np.array([c.count(i) for i in range(cells)]) for c in records_in_cells(unit, cells)]
    nothing = np.zeros(cells, int)
    pairs = [(c, nothing) for c in counts] if neighbours == "add_remove" else itertools.combinations(counts, 2)
    changes = {tuple(sorted(a - b)) for a, b in pairs}
    worst = dict.fromkeys(EPSILONS, 0.0)
    for shifts in changes:
        for epsilon in EPSILONS:
            found = delta_of_shifts(law, shifts, epsilon)
            assert found <= float(curve.delta(epsilon)) * (1 + 1e-9) + lost
            worst[epsilon] = max(worst[epsilon], found)
    if kind == "discrete_gaussian" and unit.max_per_cell is None:  # exact
        for epsilon, found in worst.items():
            assert found == pytest.approx(float(curve.delta(epsilon)), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kind", ["geometric", "discrete_gaussian"])
def test_merging_changes_reveals_more(kind):
    law = masses(kind, 1.7, 30)
    for a, b in ((1, 1), (2, 1), (2, 2), (3, 1)):
        for epsilon in EPSILONS:
            assert delta_of_shifts(law, (a, b), epsilon) <= delta_of_shifts(law, (a + b,), epsilon) + 1e-12
            assert delta_of_shifts(law, (a, -b), epsilon) <= delta_of_shifts(law, (a + b,), epsilon) + 1e-12


def test_laplace_on_a_vector_is_at_most_the_scalar_case():
    unit = dl.Unit(name="person", max_cells=3)
    vector = dl.Histogram(cells=9, unit=unit).release(dl.Laplace, scale=2.0)
    each = dl.Laplace(scale=2.0).repeat(3)
    for epsilon in EPSILONS:
        assert float(each.tradeoff().delta(epsilon)) <= float(vector.tradeoff().delta(epsilon)) * (1 + 1e-9)


def test_logistic_noise_on_a_vector_and_other_noise_refused():
    query = dl.Histogram(cells=4, unit=dl.Unit(name="person", max_cells=2))
    assert query.release(dl.AdditiveNoise, noise=stats.logistic(scale=2.0)).sensitivity == 2.0
    for noise in (stats.cauchy(scale=2.0), stats.gumbel_r(scale=2.0), stats.t(df=3)):
        with pytest.raises(dl.DplensError, match="symmetric and log-concave on several numbers"):
            query.release(dl.AdditiveNoise, noise=noise)
    assert dl.Count().release(dl.AdditiveNoise, noise=stats.t(df=3)).sensitivity == 1.0


def test_each_noise_gets_its_norm():
    query = dl.Table(
        dimensions={"age": 4, "region": 3}, margins=[("age",), ("region",)], unit=dl.Unit(name="person", max_cells=1)
    )
    for q in (query, query.as_replace()):
        k = {"neighbours": q.neighbours}
        assert q.release(dl.Gaussian, sigma=3.0) == dl.Gaussian(sigma=3.0, sensitivity=q.l2, **k)
        assert q.release(dl.Laplace, scale=3.0) == dl.Laplace(scale=3.0, sensitivity=q.l1, **k)
        assert q.release(dl.Geometric, scale=3.0) == dl.Geometric(scale=3.0, sensitivity=int(q.l1), **k)
        assert q.release(dl.DiscreteGaussian, sigma=3.0) == dl.DiscreteGaussian(sigma=3.0, **k).repeat(int(q.l1))
        assert q.release(dl.Gaussian, sigma=3.0).neighbours == q.neighbours
    assert dl.Count().release(dl.Staircase, epsilon=1.0) == dl.Staircase(epsilon=1.0, sensitivity=1.0)
    three = dl.Count(unit=dl.Unit(name="person", max_records=3))
    assert three.release(dl.DiscreteGaussian, sigma=2.0) == dl.DiscreteGaussian(sigma=2.0, sensitivity=3)
    whole = dl.Sum(bounds=(0, 4), whole=True)
    assert whole.release(dl.DiscreteGaussian, sigma=2.0) == dl.DiscreteGaussian(sigma=2.0, sensitivity=4)


def test_a_wide_discrete_gaussian_agrees_with_the_gaussian():
    unit = dl.Unit(name="person", max_records=4)
    query = dl.Histogram(cells=10, unit=unit, neighbours="replace")
    discrete = dl.Epsilon(delta=1e-6).of(query.release(dl.DiscreteGaussian, sigma=60.0))
    smooth = dl.Epsilon(delta=1e-6).of(query.release(dl.Gaussian, sigma=60.0))
    assert discrete == pytest.approx(smooth, rel=1e-3)


def test_quantiles_are_released_one_by_one():
    q = dl.Quantile(probabilities=[0.25, 0.5, 0.75], grid=range(10), neighbours="replace")
    assert q.release(dl.Exponential, epsilon=0.5) == dl.Exponential(epsilon=0.5, neighbours="replace").repeat(3)
    assert q.release(dl.Gaussian, sigma=4.0).sensitivity == pytest.approx(math.sqrt(10))


# ---- suppression -------------------------------------------------------------------------------------------


def test_suppression_on_a_public_list_is_free():
    table = dl.Histogram(cells=5)
    assert dl.Suppressed(table=table, threshold=10).release(dl.Laplace, scale=2.0) == table.release(
        dl.Laplace, scale=2.0
    )


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("c", [1, 2])
def test_suppression_on_cells_that_depend_on_the_data(m, c):
    unit = dl.Unit(name="person", max_cells=m, max_per_cell=c)
    query = dl.Suppressed(table=dl.Histogram(cells=None, unit=unit), threshold=7)
    for kind, noise, tail in (
        (dl.Laplace, {"scale": 2.0}, stats.laplace(scale=2.0).sf(7 - c)),
        (dl.Gaussian, {"sigma": 2.0}, stats.norm(scale=2.0).sf(7 - c)),
        (dl.Geometric, {"scale": 2.0}, masses("geometric", 2.0, 200)[200 + 7 - c :].sum()),
        (dl.DiscreteGaussian, {"sigma": 2.0}, masses("discrete_gaussian", 2.0)[60 + 7 - c :].sum()),
        (dl.BoundedNoise, {"values": [-6, 0, 6], "probabilities": [0.25, 0.5, 0.25]}, 0.25),
    ):
        release = query.release(kind, **noise)
        wanted = 1 - (1 - tail) ** m
        assert release.probability == pytest.approx(wanted, rel=1e-9)
        assert release.mechanism == dl.Histogram(cells=1000, unit=unit).release(kind, **noise)


def suppressed_law(counts, noise, threshold, names):
    """The law of the published list {(cell, noisy count)}, by enumeration."""
    reach = len(noise) // 2
    found = {(): 1.0}
    for name in names:
        outcomes = {None: 1.0}
        if counts.get(name):
            values = {k: counts[name] + k for k in range(-reach, reach + 1)}
            outcomes = {None: sum(noise[k + reach] for k, v in values.items() if v < threshold)}
            outcomes |= {v: noise[k + reach] for k, v in values.items() if v >= threshold}
        found = {(*seen, v): mass * w for seen, mass in found.items() for v, w in outcomes.items()}
    return found


@pytest.mark.parametrize(
    ("before", "after", "neighbours"),
    [
        ({"old": 3}, {"old": 4, "new": 1}, "add_remove"),
        ({"old": 3}, {"old": 3, "new": 1, "other": 1}, "add_remove"),
        ({"old": 3, "gone": 1}, {"old": 3, "new": 1}, "replace"),
        ({"old": 4, "gone": 1}, {"old": 3, "new": 1, "other": 1}, "replace"),
    ],
)
def test_suppressed_outputs_stay_within_the_curve(before, after, neighbours):
    """The exact laws of the published list with and without a person in up to two cells, against the release."""
    unit = dl.Unit(name="person", max_cells=2)
    threshold, scale = 4, 1.0
    query = dl.Suppressed(table=dl.Histogram(cells=None, unit=unit, neighbours=neighbours), threshold=threshold)
    assert query.neighbours == neighbours
    curve = query.release(dl.Geometric, scale=scale).tradeoff()
    noise, names = masses("geometric", scale, 30), sorted(before | after)
    p, q = (suppressed_law(counts, noise, threshold, names) for counts in (before, after))
    outputs = p.keys() | q.keys()
    for epsilon in EPSILONS:
        for first, second in ((p, q), (q, p)):
            found = sum(max(second.get(o, 0.0) - math.exp(epsilon) * first.get(o, 0.0), 0.0) for o in outputs)
            assert found <= float(curve.delta(epsilon)) * (1 + 1e-9) + 1e-10


def test_post_processing_is_stated_and_free():
    steps = [dl.ConsistentMargins(), dl.NonNegative(), dl.Rounding(base=5)]
    table = dl.Table(dimensions={"a": 2, "b": 2}, margins=[("a",), ("b",)], processing=steps)
    assert table.processing == tuple(steps)
    plain = dl.Table(dimensions={"a": 2, "b": 2}, margins=[("a",), ("b",)])
    assert table.release(dl.Gaussian, sigma=2.0) == plain.release(dl.Gaussian, sigma=2.0)


def test_queries_are_values():
    import copy
    import pickle

    from dplens.registry import QUERIES, docstring_phrase

    unit = dl.Unit(name="person", max_records=2)
    queries = [
        dl.Count(unit=unit),
        dl.Sum(bounds=(0, 1), unit=unit),
        dl.Mean(bounds=[(0, 1), (2, 3)], n=10, unit=unit),
        dl.Histogram(cells=3, unit=unit),
        dl.Table(dimensions={"a": 2}, unit=unit),
        dl.Quantile(probabilities=0.5, grid=[0, 1], unit=unit),
        dl.Regression(bounds=[(0, 1)], response=(0, 1), unit=unit),
        dl.Covariance(bounds=[(0, 1)], unit=unit),
        dl.Custom(l1=1.0, unit=unit),
        dl.Disjoint(by="x", parts={0: dl.Count(unit=unit), 1: dl.Count(unit=unit)}),
        dl.Suppressed(table=dl.Histogram(cells=None, unit=unit), threshold=9),
    ]
    for query in queries:
        assert pickle.loads(pickle.dumps(query)) == copy.deepcopy(query) == query
        assert hash(query) == hash(copy.copy(query))
        assert docstring_phrase(query)
        assert query.as_replace().as_replace() == query.as_replace()
        assert type(query).__name__.lower() in QUERIES
    assert {type(q) for q in queries} == {QUERIES[n] for n in QUERIES if QUERIES[n].__module__.startswith("dplens.")}


# ---- bounded noise -----------------------------------------------------------------------------------------

OFFICES = {
    "log-concave": (0.1, 0.2, 0.4, 0.2, 0.1),
    "symmetric": (0.2, 0.1, 0.4, 0.1, 0.2),
    "with gaps": (0.3, 0.0, 0.4, 0.0, 0.3),
    "skewed": (0.05, 0.4, 0.35, 0.15, 0.05),
    "skewed with gaps": (0.1, 0.5, 0.0, 0.15, 0.25),
}


def roomy(law, reach=8):
    return np.concatenate([np.zeros(reach), np.array(law), np.zeros(reach)])


@pytest.mark.parametrize("name", OFFICES)
@pytest.mark.parametrize("sensitivity", [1, 2, 3, 7])
def test_bounded_noise_covers_every_shift(name, sensitivity):
    """Against all shifts up to the sensitivity in both directions; attained by one of them at every epsilon."""
    law = roomy(OFFICES[name])
    curve = dl.BoundedNoise(values=range(-2, 3), probabilities=OFFICES[name], sensitivity=sensitivity).tradeoff()
    for epsilon in EPSILONS:
        shifts = [s for d in range(1, sensitivity + 1) for s in (d, -d)]
        found = max(delta_of_shifts(law, (s,), epsilon) for s in shifts)
        assert float(curve.delta(epsilon)) == pytest.approx(found, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", OFFICES)
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.max_records}-{u.max_cells}-{u.max_per_cell}")
def test_bounded_noise_on_a_histogram(name, unit, neighbours):
    query = dl.Histogram(cells=3, unit=unit, neighbours=neighbours)
    release = query.release(dl.BoundedNoise, values=range(-2, 3), probabilities=OFFICES[name])
    curve, law = release.tradeoff(), roomy(OFFICES[name], 4)
    counts = [np.array([c.count(i) for i in range(3)]) for c in records_in_cells(unit, 3)]
    pairs = [(c, 0 * c) for c in counts] if neighbours == "add_remove" else itertools.combinations(counts, 2)
    changes = {tuple(sorted(sign * (a - b))) for a, b in pairs for sign in (1, -1)}
    for epsilon in EPSILONS:
        worst = max(delta_of_shifts(law, shifts, epsilon) for shifts in changes)
        assert worst <= float(curve.delta(epsilon)) * (1 + 1e-9) + 1e-12


def test_bounded_noise_is_checked():
    good = {"values": [-1, 0, 1], "probabilities": [0.25, 0.5, 0.25]}
    for bad, message in (
        ({"values": [0, 0, 1]}, "different whole numbers, one for each of the 3"),
        ({"values": [0, 1]}, "different whole numbers, one for each of the 3"),
        ({"values": [0, 0.5, 1]}, "different whole numbers"),
        ({"values": [0, 1, 10**7]}, "to span at most"),
        ({"probabilities": [0.5, 0.5, 0.5]}, "Expected probabilities to sum to 1"),
        ({"sensitivity": 0}, "Expected sensitivity"),
    ):
        with pytest.raises(dl.DplensError, match=message):
            dl.BoundedNoise(**{**good, **bad})
    uneven = {"values": [0, 1000], "probabilities": [0.5, 0.5], "sensitivity": 500}
    with pytest.raises(dl.DplensError, match="to be at most 200 for noise that is not log-concave"):
        dl.BoundedNoise(**uneven)


def test_the_accuracy_of_bounded_noise():
    query = dl.Histogram(cells=4)
    release = query.release(dl.BoundedNoise, values=range(-2, 3), probabilities=OFFICES["skewed"])
    assert dl.ErrorWithin(query=query, margin=1, probability=0.5).of(release) == pytest.approx(0.9, rel=1e-12)
    assert dl.AllWithin(query=query, margin=2, probability=0.5).of(release) == pytest.approx(1.0, rel=1e-12)
    assert dl.IntervalWidth(query=query, width=4).of(release) == 4.0
    law = np.array(OFFICES["skewed"])
    lost = sum(law[i] * law[j] for i in range(5) for j in range(5) if i - j >= 1)
    assert dl.OrderKept(query=query, difference=1, probability=0.5).of(release) == pytest.approx(1 - lost, rel=1e-12)
    assert dl.SignKept(query=query, value=2, probability=0.5).of(release) == pytest.approx(0.95, rel=1e-12)
