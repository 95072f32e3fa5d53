"""Noise for what is published: in its norm, for its neighbours, whatever the number of records is."""

import re
from dataclasses import replace

import numpy as np
import pytest

import dplens as dl
from tests.decide.test_doors import ANALYST, first, options


def changes(records, published, neighbours):
    """Every change of what is published when one of these records is replaced, or added."""
    values = np.array([published(*r) for r in records])
    return (values[:, None] - values).reshape(-1, values.shape[1]) if neighbours == "replace" else values


@pytest.mark.parametrize("neighbours", ["replace", "add_remove"])
def test_several_numbers_each_noise_in_its_own_norm(neighbours):
    corners = [(x, y) for x in np.linspace(-1, 1, 21) for y in (-1, 1)]
    sums = dl.SlopeTest(n=200, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", rng=1,
                        draws=99)  # fmt: skip
    table = dl.ContingencyTest(n=300, probabilities=[[0.3, 0.2], [0.2, 0.3]], draws=99, rng=1)
    for test, records, published in (
        (sums, corners, lambda x, y: (x, y, x * x, x * y)), (table, [(i,) for i in range(4)], lambda i: np.eye(4)[i])
    ):  # fmt: skip
        if test is sums and neighbours == "add_remove":
            continue  # n is public there
        worst = changes(records, published, neighbours)
        norms = [np.linalg.norm(worst, ord=k, axis=1).max() for k in (1, 2)]
        assert [test.sensitivity_at(neighbours=neighbours, norm=k) for k in (1, 2)] == pytest.approx(norms, rel=1e-12)
        limit = dl.Mu().at_most(0.7)
        decision = first(analyst=test, limit=limit, families=["gaussian", "laplace"], neighbours=neighbours)
        found = options(decision)
        assert found["gaussian"].mechanism.sigma == pytest.approx(norms[1] / 0.7, rel=1e-8)
        assert found["laplace"].mechanism.sensitivity == pytest.approx(norms[0], rel=1e-12)
        split = dl.split_budget([test], limit, neighbours=neighbours)
        assert split.mechanisms[0].sigma == pytest.approx(norms[1] / 0.7, rel=1e-8)


def test_a_function_whose_noise_protects_less_than_it_says_is_refused():
    for call in (
        lambda f: first(families={"mine": f}).options[0].why,
        lambda f: dl.utility_first(ANALYST, family=f, min_power=0.8).options[0].why,
        lambda f: dl.split_budget([ANALYST], dl.Mu().at_most(1.0), family=f),
        lambda f: dl.solve(ANALYST, noise=None, power=0.8, family=f),
    ):
        for size in (0.001, 0.01):
            try:
                said = str(call(lambda x, size=size: dl.Gaussian(sigma=x, sensitivity=size)))
            except dl.DplensError as error:
                said = str(error)
            assert ("protect less than it says" in said) == (size < 0.01)
    mine = lambda x: dl.Gaussian(sigma=x, sensitivity=0.01)  # noqa: E731
    with pytest.raises(dl.DplensError, match="fit a count"):
        dl.split_budget([ANALYST], dl.Mu().at_most(1.0), family=mine, count_share=0.1)
    sums = dl.SlopeTest(n=200, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", rng=1)
    with pytest.raises(dl.DplensError, match="One record changes 4"):
        dl.solve(sums, noise=None, power=0.5, family="staircase")


@pytest.mark.parametrize("n", [300, 700])
def test_the_sensitivity_that_is_advised_is_accepted(n):
    test = dl.MeanTest(n=n, sd=0.4, effect=0.15, bounds=(0, 1))
    noise = dl.Gaussian(sigma=0.1, sensitivity=0.9999999 / n, neighbours="replace")
    with pytest.raises(dl.DplensError, match="protect less than it says") as refused:
        dl.assess(noise, analyst=test)
    advised = float(re.search(r"pass it sensitivity=(\S+)\.$", str(refused.value))[1])
    assert advised == pytest.approx(1 / n, rel=1e-5)
    dl.assess(replace(noise, sensitivity=advised), analyst=test)


def test_privacy_does_not_rest_on_an_estimated_n():
    n = dl.private_n(120, dl.Geometric(scale=2.0))
    mean = dl.MeanTest(n=n, sd=0.5, effect=0.3, bounds=(2, 3))
    limit = dl.Epsilon().at_most(1.0)
    found = first(analyst=mean, limit=limit, families="laplace")
    assert found.recommended.mechanism.neighbours == "add_remove"
    assert any(f"the planned number, {mean.n}, even if there are fewer records" in said for said in found.assumptions)
    published = lambda values: 2.5 + sum(v - 2.5 for v in values) / max(mean.n, len(values))  # noqa: E731
    for size in (0, 1, mean.n - 1, mean.n, mean.n + 1):  # whatever the true number is
        for rest, one in ((2.0, 3.0), (3.0, 2.0)):
            data = [rest] * size
            assert abs(published([*data, one]) - published(data)) <= mean.sensitivity_at() * (1 + 1e-9)
    known = dl.MeanTest(n=120, sd=0.5, effect=0.3, bounds=(2, 3), published="sum")
    found = first(analyst=known, limit=limit, families="laplace", neighbours="add_remove")
    assert found.recommended.mechanism.sensitivity == 3.0


def test_whole_number_noise_on_sums_is_offered_on_request_only():
    total = dl.MeanTest(n=100, sd=0.25, effect=0.2, bounds=(0, 1), published="sum")  # 0.25 + 0.5 keeps its digits
    assert not {"geometric", "discrete_gaussian"} & set(options(first(analyst=total)))
    assert options(first(analyst=total, families="geometric"))["geometric"].admissible
    count = dl.ProportionTest(n=100, null=0.5, effect=0.2)
    assert "geometric" in options(first(analyst=count))


def test_an_assessment_whose_test_says_that_a_record_changes_more_is_refused():
    for size, holds in ((0.01, True), (0.001, False)):
        noise = dl.Gaussian(sigma=0.05, sensitivity=size, neighbours="replace")
        if holds:
            assert dl.assess(noise, analyst=ANALYST).analyst[0].power > 0.8
            continue
        with pytest.raises(dl.DplensError, match=r"One record changes the result by up to 0\.01"):
            dl.assess(noise, analyst=ANALYST)


def test_too_few_records_are_measured_from_a_value_that_a_record_may_have():
    """Measured from 0, the null hypothesis of a difference, one record of (10, 20) would change up to 20/n."""
    n = dl.private_n(205, dl.Geometric(scale=5.0), confidence=0.99)
    for test in (
        dl.TwoMeansTest(n=n, sd=1.0, effect=1.0, bounds=(10, 20)),
        dl.MeanTest(n=n, sd=1.0, effect=1.0, bounds=(10, 20)),
    ):
        said = dl.utility_first(test, family="gaussian", min_power=0.5).assumptions[-1]
        assert "one value between 10 and 20" in said
        assert "the tested value" not in said
    inside = dl.MeanTest(n=n, sd=1.0, null=15, effect=1.0, bounds=(10, 20))
    assert "the tested value (15)" in dl.utility_first(inside, family="gaussian", min_power=0.5).assumptions[-1]
