"""Bad input to queries is named, with its place and the remedy."""

import math

import pytest

import dplens as dl

PERSON = dl.Unit(name="person")
ONE = dl.Unit(name="person", max_records=1)
TABLE = {"age": 5, "region": 8}


@pytest.mark.parametrize(
    "bounds", [(3, 1), (2, 2), (0, math.nan), (0, math.inf), (-math.inf, 0), 3, (1,), "ab", None, []]
)
@pytest.mark.parametrize("make", [lambda b: dl.Sum(bounds=b), lambda b: dl.Mean(bounds=b, n=10)])
def test_bounds(make, bounds):
    with pytest.raises(dl.DplensError, match="Expected bounds"):
        make(bounds)


def test_bounds_of_columns_are_named_by_their_place():
    with pytest.raises(
        dl.DplensError, match=r"Expected bounds\[1\] to be \(low, high\) with low < high, got \(5.0, 2.0\)"
    ):
        dl.Sum(bounds=[(0, 1), (5, 2)])
    with pytest.raises(dl.DplensError, match=r"Expected bounds\[0\]"):
        dl.Covariance(bounds=[(1, 1), (0, 2)])
    with pytest.raises(
        dl.DplensError, match=r"Expected bounds to be a list of pairs .* Write bounds=\[\(low, high\)\]"
    ):
        dl.Covariance(bounds=(0, 1))
    with pytest.raises(dl.DplensError, match="Expected response to be one pair"):
        dl.Regression(bounds=[(0, 1)], response=[(0, 1), (0, 2)])


@pytest.mark.parametrize(
    ("query", "needs"),
    [
        (lambda: dl.Count(unit=PERSON), "max_cells or max_records"),
        (lambda: dl.Histogram(cells=3, unit=PERSON), "max_cells or max_records"),
        (lambda: dl.Table(dimensions=TABLE, unit=PERSON), "max_cells or max_records"),
        (lambda: dl.Sum(bounds=(0, 1), unit=PERSON), "max_records"),
        (lambda: dl.Sum(bounds=(0, 1), unit=dl.Unit(name="person", max_cells=2)), "max_records"),
        (lambda: dl.Mean(bounds=(0, 1), n=10, unit=PERSON), "max_records"),
        (lambda: dl.Quantile(probabilities=0.5, grid=[0, 1], unit=PERSON), "max_records"),
        (lambda: dl.Regression(bounds=[(0, 1)], response=(0, 1), unit=PERSON), "max_records"),
        (lambda: dl.Covariance(bounds=[(0, 1)], unit=PERSON), "max_records"),
    ],
)
def test_missing_bounds_are_refused_with_the_remedy(query, needs):
    with pytest.raises(
        dl.DplensError, match=f"Expected unit to have {needs}.*Pass for instance Unit\\(name='person', max_"
    ):
        query()


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ({"name": ""}, "Expected name to say whose data"),
        ({"name": 3}, "Expected name to be a text"),
        ({"max_records": 0, "name": "person"}, "Expected max_records to be a whole number >= 1"),
        ({"max_cells": 1.5}, "Expected max_cells"),
        ({"max_records": 3}, "to be 1 for the unit 'record', got 3. Name the unit"),
        (
            {"name": "person", "max_records": 1, "max_cells": 3},
            "to be at most max_records = 1, got 3. A record is counted",
        ),
        ({"name": "person", "exact": True}, "to come with max_records"),
        ({"name": "person", "exact": 1}, "Expected exact to be True or False"),
    ],
)
def test_units(unit, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.Unit(**unit)


@pytest.mark.parametrize(
    ("margins", "message"),
    [
        (["region"], r"Expected margins\[0\] to be a tuple of names of dimensions, got 'region'. Write \('region',\)"),
        ("region", "Expected margins to be a list of at least one tuple"),
        ([("sex",)], r"Expected margins\[0\] to name dimensions of the table: 'age', 'region', got 'sex'"),
        ([("age",), ("age", "agee")], r"Expected margins\[1\] to name dimensions"),
        ([("age", "age")], r"Expected margins\[0\] to name each dimension once"),
        ([("age", "region"), ("region", "age")], r"Expected margins\[1\] to be named once"),
        ([3], r"Expected margins\[0\] to be a tuple"),
        (3, "Expected margins to be a list"),
    ],
)
def test_margins_that_are_not_margins(margins, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.Table(dimensions=TABLE, margins=margins)


@pytest.mark.parametrize("dimensions", [{}, {"age": 0}, {"age": 2.5}, {3: 4}, ["age"], {"a": 10**7, "b": 10**7}])
def test_dimensions(dimensions):
    with pytest.raises(dl.DplensError, match="dimensions"):
        dl.Table(dimensions=dimensions)


def test_overlapping_parts():
    parts = {("A", "B"): dl.Count(), ("B", "C"): dl.Count()}
    with pytest.raises(
        dl.DplensError, match=r"parts\[\('B', 'C'\)\] to be disjoint from the part \('A', 'B'\); both hold 'B'"
    ):
        dl.Disjoint(by="region", parts=parts)
    with pytest.raises(dl.DplensError, match=r"Expected parts\['a'\] to be a query"):
        dl.Disjoint(by="region", parts={"a": dl.Count})
    with pytest.raises(dl.DplensError, match="to hold at least one part"):
        dl.Disjoint(by="region", parts={})
    with pytest.raises(dl.DplensError, match="to have the same unit"):
        dl.Disjoint(by="region", parts={"a": dl.Count(), "b": dl.Count(unit=ONE)})
    with pytest.raises(dl.DplensError, match="to have the same neighbours"):
        dl.Disjoint(by="region", parts={"a": dl.Count(), "b": dl.Count(neighbours="replace")})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: dl.Mean(bounds=(0, 1), n=0), "Expected n to be a whole number >= 1"),
        (lambda: dl.Mean(bounds=(0, 1), n=2, unit=dl.Unit(name="p", max_records=3)), "at least the number of records"),
        (lambda: dl.Histogram(cells=0), "Expected cells"),
        (lambda: dl.Quantile(probabilities=[0.5, 1.0], grid=[0, 1]), "open interval"),
        (lambda: dl.Quantile(probabilities=[], grid=[0, 1]), "Expected probabilities"),
        (lambda: dl.Quantile(probabilities=0.5, grid=[0, 0]), "Expected grid to be at least two rising numbers"),
        (lambda: dl.Quantile(probabilities=0.5, grid=[0, math.nan]), "Expected grid"),
        (lambda: dl.Custom(), "Expected l1 to be given, or l2 or linf"),
        (lambda: dl.Custom(l1=1.0, l2=2.0), "Expected l2 to be at most l1 = 1.0"),
        (lambda: dl.Custom(l1=-1.0), "Expected l1 > 0"),
        (lambda: dl.Custom(l1=1.5, whole=True), "Expected l1 to be whole"),
        (lambda: dl.Sum(bounds=(0, 1.5), whole=True), "Expected bounds to be whole numbers"),
        (lambda: dl.Sum(bounds=(0, 1), neighbours="both"), "Expected neighbours to be"),
        (lambda: dl.Sum(bounds=(0, 1), unit="person"), "Expected unit to be a Unit"),
        (lambda: dl.Sum(bounds=(-1, 1), processing=[dl.NonNegative()]), "only for results >= 0"),
        (lambda: dl.Count(processing=[dl.ConsistentMargins()]), "only for a Table with several margins"),
        (lambda: dl.Count(processing=dl.NonNegative()), "Expected processing to be a list"),
        (lambda: dl.Count(processing=["rounding"]), r"Expected processing\[0\] to be a post-processing step"),
        (lambda: dl.Rounding(base=-5), "Expected base > 0"),
        (lambda: dl.Suppressed(table=dl.Count(), threshold=5), "Expected table to be a Histogram or a Table"),
        (lambda: dl.Suppressed(table=dl.Histogram(cells=3), threshold=-5), "Expected threshold > 0"),
        (lambda: dl.Suppressed(table=dl.Histogram(cells=3), threshold=5, counts="true"), "Suppression by true counts"),
        (lambda: dl.Histogram(cells=None).release(dl.Laplace, scale=1.0), "Expected cells to be a public list"),
        (
            lambda: dl.Custom(l1=1.0, neighbours="replace").sensitivity("add_remove"),
            "Expected neighbours to be 'replace'",
        ),
    ],
)
def test_other_arguments(make, message):
    with pytest.raises(dl.DplensError, match=message):
        make()


@pytest.mark.parametrize(
    ("kind", "noise", "message"),
    [
        (dl.Gaussian, {}, r"Expected sigma to be given for Gaussian, got None. Pass for instance query.release\("),
        (dl.Gaussian, {"sigma": 0}, "Expected sigma > 0"),
        (dl.Gaussian, {"scale": 1.0}, "Expected scale to be an argument of Gaussian: sigma"),
        (dl.Gaussian, {"sigma": 1.0, "sensitivity": 2.0}, "Expected sensitivity to be left out"),
        (dl.Gaussian, {"sigma": 1.0, "neighbours": "replace"}, "State neighbours in the query"),
        (dl.Gaussian(sigma=1.0), {}, "Expected mechanism to be a class of noise"),
        (dl.RandomizedResponse, {"epsilon": 1.0}, "Expected mechanism to be a class of noise"),
        ("gaussian", {}, "Expected mechanism to be a class of noise"),
        (dl.Geometric, {"scale": 1.0}, "publish whole numbers for Geometric noise.*Use Laplace; or"),
        (dl.DiscreteGaussian, {"sigma": 1.0}, "publish whole numbers"),
        (dl.Exponential, {"epsilon": 1.0}, "Expected mechanism to be a class of noise"),
        (dl.Staircase, {"epsilon": 1.0}, "Expected query to be one number for staircase noise"),
    ],
)
def test_releases(kind, noise, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.Sum(bounds=[(0, 1), (0, 2)]).release(kind, **noise)


def test_lists_that_depend_on_the_data_are_released_by_suppression_alone():
    hidden = dl.Histogram(cells=None)
    for part in (hidden, dl.Suppressed(table=hidden, threshold=10)):
        with pytest.raises(
            dl.DplensError, match=r"Expected cells to be a public list, got None\. The list of cells would"
        ):
            dl.Disjoint(by="region", parts={"a": part}).release(dl.Laplace, scale=1.0)


def test_a_result_beyond_floats_is_refused():
    with pytest.raises(dl.DplensError, match="Expected Sum to have a sensitivity that is a float"):
        dl.Sum(bounds=(0, 1e300), unit=dl.Unit(name="person", max_records=10**9))
