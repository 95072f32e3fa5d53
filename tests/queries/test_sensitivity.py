"""Sensitivities against all neighbouring data sets of small sizes."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest

import dplens as dl
from dplens.queries import overlapping, tables
from tests.queries.brute import compare, largest_norms, records_in_cells

RELATIONS = ("add_remove", "replace")
UNITS = [
    dl.Unit(),
    dl.Unit(name="person", max_records=1),
    dl.Unit(name="person", max_records=2),
    dl.Unit(name="person", max_records=3),
    dl.Unit(name="person", max_cells=1),
    dl.Unit(name="person", max_cells=2),
    dl.Unit(name="person", max_cells=3),
    dl.Unit(name="person", max_cells=1, max_per_cell=3),
    dl.Unit(name="person", max_cells=2, max_per_cell=2),
    dl.Unit(name="person", max_records=3, max_cells=2),
    dl.Unit(name="person", max_records=3, max_per_cell=2),
    dl.Unit(name="person", max_records=4, max_cells=2, max_per_cell=3),
    dl.Unit(name="person", max_records=5, max_cells=2, max_per_cell=2),
    dl.Unit(name="person", max_records=3, max_per_cell=1),
]


def shown(unit):
    return f"{unit.max_records}-{unit.max_cells}-{unit.max_per_cell}"


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", UNITS, ids=shown)
@pytest.mark.parametrize("cells", [1, 2, 3, 4, 5])
def test_histograms(cells, unit, neighbours):
    vectors = [[chosen.count(c) for c in range(cells)] for chosen in records_in_cells(unit, cells)]
    query = dl.Histogram(cells=cells, unit=unit, neighbours=neighbours)
    said = compare(query, largest_norms(vectors, [0] * cells, neighbours))
    assert said.sharp


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", UNITS, ids=shown)
def test_counts(unit, neighbours):
    vectors = {(len(chosen),) for chosen in records_in_cells(unit, 6)}
    compare(dl.Count(unit=unit, neighbours=neighbours), largest_norms(sorted(vectors), [0], neighbours), attained=True)


def all_margins(names):
    return [m for size in range(len(names) + 1) for m in itertools.combinations(names, size)]


def table_vector(chosen, sizes, margins):
    """The published counts of a contribution, cell by cell, from the definition of a margin."""
    names = list(sizes)
    full = list(itertools.product(*(range(n) for n in sizes.values())))
    counted = []
    for margin in margins:
        for labels in itertools.product(*(range(sizes[name]) for name in margin)):
            inside = [
                full[c] for c in chosen if all(full[c][names.index(n)] == label for n, label in zip(margin, labels))
            ]
            counted.append(len(inside))
    return counted


TABLES = [{"a": 2, "b": 2}, {"a": 3, "b": 2}, {"a": 1, "b": 3}, {"a": 2, "b": 1, "c": 2}]
FEW = [u for u in UNITS if (u.max_records or 2) <= 3 and (u.max_cells or 1) * (u.max_per_cell or 1) <= 4]


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", FEW, ids=shown)
@pytest.mark.parametrize("sizes", TABLES, ids=lambda s: "x".join(map(str, s.values())))
def test_tables_with_every_set_of_margins(sizes, unit, neighbours):
    cells = math.prod(sizes.values())
    contributions = list(records_in_cells(unit, cells))
    every = all_margins(tuple(sizes))
    counts = {m: [table_vector(chosen, sizes, [m]) for chosen in contributions] for m in every}
    sets = [s for size in (1, 2, len(every)) for s in itertools.combinations(every, size)]
    together = unit.max_cells == 1 or (unit.max_per_cell is None and unit.max_records is not None) or unit == dl.Unit()
    for margins in sets:
        vectors = {tuple(x for m in margins for x in counts[m][i]) for i in range(len(contributions))}
        query = dl.Table(dimensions=sizes, margins=list(margins), unit=unit, neighbours=neighbours)
        nothing = table_vector((), sizes, margins)
        assert query.size == len(nothing)
        said = compare(query, largest_norms(sorted(vectors), nothing, neighbours))
        if together or len(margins) == 1 or (unit.max_records or 2) <= 2 or neighbours == "add_remove":
            assert said.sharp
        if neighbours == "add_remove":  # these are always attained
            found = largest_norms(sorted(vectors), nothing, neighbours)
            assert (said.l1, said.linf) == (found[0], found[2])


def sums_of(records, unit):
    """The sums of every admissible list of records, each a tuple of values."""
    least = unit.max_records or 1 if unit.is_exact else 0
    sizes = range(least, (unit.max_records or 1) + 1)
    width = len(records[0])
    return {
        tuple(sum((Fraction(r[j]) for r in chosen), Fraction(0)) for j in range(width))
        for size in sizes
        for chosen in itertools.combinations_with_replacement(records, size)
    }


BOUNDS = [(0, 1), (-1, 1), (-3, 1), (10, 12), (-12, -10), (0.1, 0.7), (-2, 0)]
SUM_UNITS = [
    *(dl.Unit(name="person", max_records=r, exact=e) for r in (1, 2, 3) for e in (False, True)),
    dl.Unit(),
]


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", SUM_UNITS, ids=lambda u: f"{u.name}{u.max_records}{u.exact}")
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_sums(bounds, unit, neighbours):
    low, high = bounds
    values = [(low,), ((low + high) / 2,), (high,)]
    vectors = sums_of(values, unit)
    found = largest_norms(sorted(vectors), (0,), neighbours)
    query = dl.Sum(bounds=bounds, unit=unit, neighbours=neighbours)
    compare(query, found, attained=True)
    r = unit.max_records or 1
    if neighbours == "replace" and not unit.is_exact:  # as it is written in textbooks
        assert query.l1 == pytest.approx(max(0, r * high) - min(0, r * low), rel=1e-15)


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", SUM_UNITS, ids=lambda u: f"{u.name}{u.max_records}{u.exact}")
@pytest.mark.parametrize("pair", [((0, 1), (-1, 1)), ((10, 12), (-1, 1)), ((10, 12), (-12, -11)), ((-1, 2), (-2, 1))])
def test_sums_of_several_columns(pair, unit, neighbours):
    records = list(itertools.product(*pair))
    found = largest_norms(sorted(sums_of(records, unit)), (0, 0), neighbours)
    compare(dl.Sum(bounds=list(pair), unit=unit, neighbours=neighbours), found, attained=True)


def test_the_sum_of_the_specification():
    household = dl.Unit(name="household", max_records=5)
    assert dl.Sum(bounds=(10, 12), unit=household).l1 == 60
    assert dl.Sum(bounds=(10, 12), unit=household, neighbours="replace").l1 == 60
    exact = dl.Unit(name="household", max_records=5, exact=True)
    assert dl.Sum(bounds=(10, 12), unit=exact, neighbours="replace").l1 == 10


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("r", [1, 2])
def test_means(bounds, r):
    """Over all data sets of n records, of which a unit has t ≤ r: replaced, it keeps t; added, it has t or none."""
    n, unit = 3, dl.Unit(name="person", max_records=r)
    values = [bounds[0], sum(bounds) / 2, bounds[1]]
    largest = {"add_remove": Fraction(0), "replace": Fraction(0)}
    for t in range(1, r + 1):
        for others in itertools.combinations_with_replacement(values, n - t):
            rest = sum(map(Fraction, others), Fraction(0)) / n
            means = [sum(map(Fraction, own)) / n + rest for own in itertools.product(values, repeat=t)]
            largest["replace"] = max(largest["replace"], max(means) - min(means))
            largest["add_remove"] = max(largest["add_remove"], *(abs(m - rest) for m in means))
    for neighbours, found in largest.items():
        query = dl.Mean(bounds=bounds, n=n, unit=unit, neighbours=neighbours)
        compare(query, (found, found**2, found), attained=True)


def moments(products, record):
    return tuple(math.prod((Fraction(record[j]) for j in p), start=Fraction(1)) for p in products)


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("unit", SUM_UNITS[:4], ids=lambda u: f"{u.max_records}{u.exact}")
@pytest.mark.parametrize(
    "query",
    [
        dl.Covariance(bounds=[(0, 1)]),
        dl.Covariance(bounds=[(-1, 1), (-2, 1)]),
        dl.Regression(bounds=[(0, 1)], response=(-1, 1)),
        dl.Regression(bounds=[(2, 3)], response=(-1, 2), intercept=False),
        dl.Regression(bounds=[(-1, 1), (0, 2)], response=(0, 1)),
    ],
    ids=["one column", "two columns", "line", "through the origin", "plane"],
)
def test_moments(query, unit, neighbours):
    grid = [sorted({low, (low + high) / 2, high, min(max(0, low), high)}) for low, high in query._box]
    corners = [(low, high) for low, high in query._box]
    points = itertools.product(*(grid if unit.max_records == 1 else corners))
    vectors = sums_of([moments(query.products, z) for z in points], unit)
    nothing = (0,) * query.size
    changed = replace(query, unit=unit, neighbours=neighbours)
    compare(changed, largest_norms(sorted(vectors), nothing, neighbours), attained=neighbours == "add_remove")


def test_the_entries_of_a_regression_are_those_of_its_matrices():
    query = dl.Regression(bounds=[(0, 1), (0, 2)], response=(0, 3))
    x, y = (1, 0.5, 1.5), 2.5
    columns = [moments([()], ())[0], Fraction(x[1]), Fraction(x[2])]
    wanted = [a * b for i, a in enumerate(columns) for b in columns[i:]] + [c * Fraction(y) for c in columns]
    assert sorted(moments(query.products, (x[1], x[2], y))) == sorted(wanted)


# ---- quantiles ---------------------------------------------------------------------------------------------


def utility(data, point, p):
    return -abs((1 - p) * sum(x < point for x in data) - p * sum(x > point for x in data))


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize("r", [1, 2])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)])
def test_quantiles(p, r, neighbours):
    grid, values = (1, 2, 3, 4), (0, 1, 1.5, 2, 3.5, 5)
    unit = dl.Unit(name="person", max_records=r)
    query = dl.Quantile(probabilities=[float(p)], grid=grid, unit=unit, neighbours=neighbours)
    own = [c for size in range(r + 1) for c in itertools.combinations_with_replacement(values, size)]
    pairs = [((), c) for c in own] if neighbours == "add_remove" else list(itertools.combinations(own, 2))
    worst, widest, cumulative = Fraction(0), Fraction(0), [Fraction(0)] * 3
    small = [c for size in range(3) for c in itertools.combinations_with_replacement(values, size)]
    for others in [*small, *((1.5,) * k for k in range(3, 9))]:  # those with a gap between two points reach the most
        before = {own_: [utility((*others, *own_), g, p) for g in grid] for own_ in [(), *own]}
        for first, second in pairs:
            changes = [a - b for a, b in zip(before[first], before[second])]
            worst, widest = max(worst, *map(abs, changes)), max(widest, max(changes) - min(changes))
    for first, second in pairs:
        counts = [abs(sum(x <= g for x in first) - sum(x <= g for x in second)) for g in grid]
        norms = sum(counts), sum(c * c for c in counts), max(counts)
        cumulative = [max(a, Fraction(b)) for a, b in zip(cumulative, norms)]
    assert query.utilities == (worst,)
    assert widest == 2 * worst  # a range of epsilon, and no less
    compare(query, tuple(cumulative), attained=True)


def test_the_exponential_mechanism_for_a_quantile_stays_within_its_curve():
    """The chosen point's law in both worlds, from the definition, against the curve of the release."""
    grid, epsilon, p = range(1, 6), 1.2, 0.25
    query = dl.Quantile(probabilities=[p], grid=grid)
    curve = query.release(dl.Exponential, epsilon=epsilon).tradeoff()
    worst = 0.0
    for size in range(4):
        for others in itertools.product(range(7), repeat=size):
            for own in range(7):
                laws = []
                for data in (others, (*others, own)):
                    weights = [math.exp(epsilon * utility(data, g, p) / (2 * query.utilities[0])) for g in grid]
                    laws.append([w / sum(weights) for w in weights])
                losses = [math.log(b / a) for a, b in zip(*laws)]
                assert max(losses) - min(losses) <= epsilon * (1 + 1e-12)
                advantage = sum(max(b - a, 0) for a, b in zip(*laws))
                worst = max(worst, advantage)
                assert advantage <= float(curve.delta(0.0)) * (1 + 1e-12)
    assert worst > 0.6 * float(curve.delta(0.0))


# ---- disjoint parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("max_parts", [1, 2])
@pytest.mark.parametrize("neighbours", RELATIONS)
def test_disjoint_parts(neighbours, max_parts, fixed):
    """A unit has up to one record in each of up to ``max_parts`` parts; a part changes by its own sum or histogram."""
    unit = dl.Unit(name="person", max_records=1)
    parts = {
        "north": dl.Sum(bounds=(-1, 3), unit=unit),
        "south": dl.Histogram(cells=3, unit=unit),
        "east": dl.Sum(bounds=(0, 2), unit=unit),
    }
    own = {
        "north": [(x,) for x in (0, -1, 1, 3)],
        "south": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        "east": [(x,) for x in (0, 1, 2)],
    }
    inside = [
        (where, tuple(x for name in parts for x in (value[name] if name in where else (0,) * len(own[name][0]))))
        for size in range(1, max_parts + 1)
        for where in itertools.combinations(parts, size)
        for chosen in itertools.product(*(own[name] for name in where))
        for value in [dict(zip(where, chosen))]
    ]
    nothing = (0,) * 5
    query = dl.Disjoint(by="region", parts=parts, neighbours=neighbours, max_parts=max_parts, fixed=fixed)
    if neighbours == "add_remove":
        found = largest_norms([v for _, v in inside], nothing, neighbours)
    else:
        pairs = [(a, b) for (i, a), (j, b) in itertools.combinations(inside, 2) if not fixed or i == j]
        every = [largest_norms([a, b], nothing, "replace") for a, b in pairs]
        found = tuple(max(norms[k] for norms in every) for k in range(3))
    compare(query, found, attained=True)


def test_parts_of_ones_own_are_stated_for_added_and_removed_units():
    parts = {"a": dl.Custom(l1=2.0), "b": dl.Custom(l1=3.0)}
    assert dl.Disjoint(by="region", parts=parts).l1 == 3.0
    assert dl.Disjoint(by="region", parts=parts, neighbours="replace").l1 == 6.0  # in b, twice; 5 for a move
    replaced = {name: query.as_replace() for name, query in parts.items()}
    assert dl.Disjoint(by="region", parts=replaced, fixed=True).l1 == 6.0
    with pytest.raises(dl.DplensError, match="State the norms for add_remove"):
        dl.Disjoint(by="region", parts=replaced)


def test_replacing_is_at_most_twice_adding_and_never_less():
    for unit in UNITS:
        for query in (
            dl.Histogram(cells=4, unit=unit),
            dl.Table(dimensions={"a": 2, "b": 3}, margins=[("a",), ()], unit=unit),
        ):
            for norm in ("l1", "l2", "linf"):
                first, second = getattr(query, norm), getattr(query.as_replace(), norm)
                assert first <= second * (1 + 1e-15)
                assert second <= 2 * first * (1 + 1e-15)


def test_a_custom_query_fills_in_what_follows():
    query = dl.Custom(l2=2.0, size=4)
    assert (query.l1, query.l2, query.linf) == (4.0, 2.0, 2.0)
    assert dl.Custom(l1=3.0).l2 == 3.0
    assert dl.Custom(linf=1.0, size=9).l2 == 3.0
    assert (query.as_replace().l1, query.as_replace().neighbours) == (8.0, "replace")
    assert dl.Custom(l2=1.0).l1 == math.inf
    with pytest.raises(dl.DplensError, match="Expected l1 to be known for this noise"):
        dl.Custom(l2=1.0).release(dl.Laplace, scale=1.0)


@pytest.mark.parametrize("cells", [2, 3])
@pytest.mark.parametrize("margins", [[("a",), ("b",)], [("a", "b"), ("a",), ("b",)], [("a",), ("b",), ()]])
def test_overlapping_margins_without_a_search(margins, cells, monkeypatch):
    """The bound for replaced units, from that for added ones, is never below what the search finds."""
    for size in (3, 2 * cells):
        unit = dl.Unit(name="person", max_cells=cells)
        query = dl.Table(dimensions={"a": size, "b": size}, margins=margins, unit=unit, neighbours="replace")
        found = query.sensitivity()
        assert found.sharp
        with monkeypatch.context() as without:
            without.setattr(tables, "searched", lambda *given: None if given[-1] else overlapping.searched(*given))
            bound = query.sensitivity()
        assert found.l1 <= bound.l1
        assert found.l2 <= bound.l2
        if bound.sharp:
            assert bound == found
        assert bound.sharp == (size == 2 * cells and () not in margins)


def test_many_cells_of_overlapping_margins_have_bounds_alone():
    """Beyond what can be searched, the bound is above a contribution that is easy to see, and said to be a bound."""
    unit = dl.Unit(name="person", max_cells=9)
    table = dl.Table(dimensions={"a": 10, "b": 10}, margins=[("a",), ("b",)], unit=unit)
    assert not table.sensitivity().sharp
    square = [(i, j) for i in range(3) for j in range(3)]
    squares = sum(sum(cell[d] == label for cell in square) ** 2 for d in (0, 1) for label in range(3))
    line = 9**2 + 9
    assert max(squares, line) <= table.l2**2 <= 2 * 9**2 * (1 + 1e-12)
    two = dl.Table(dimensions={"a": 10, "b": 10}, margins=[("a",), ("b",)], unit=dl.Unit(name="person", max_cells=2))
    assert two.l2 == pytest.approx(math.sqrt(6), rel=1e-15)


def test_the_table_of_the_specification():
    t = dl.Table(dimensions={"age": 5, "region": 8}, margins=[("region",)], unit=dl.Unit(name="resident", max_cells=1))
    assert (t.l1, t.l2, t.size) == (1.0, 1.0, 8)
    assert t.release(dl.Gaussian, sigma=2.0) == dl.Gaussian(sigma=2.0, sensitivity=1.0)
    full = dl.Table(dimensions={"age": 5, "region": 8}, unit=dl.Unit(name="resident", max_cells=1))
    assert full.size == 40
    assert full.margins == (("age", "region"),)
