"""Liu et al. 2019: Table 1 and the data of Figures 3 to 8, from one call each."""

import json
import math

import pytest
from mpmath import mp, mpf

import dplens as dl
from tests.decide.test_closed_forms import liu_f, phi, quantile

BOUNDS = (0.55, 0.58, 0.62, 0.67, 0.76, 0.83, 0.9, 0.95)
PRINTED = {
    0.5: (0.22, 0.34, 0.55, 0.82, 1.42, 2.04, 3, 4.29),
    0.6: (None, 0.33, 0.54, 0.83, 1.45, 2.11, 3.11, 4.43),
    0.8: (None, None, 0.49, 0.8, 1.46, 2.16, 3.21, 4.58),
    1.0: (None, None, None, 0.71, 1.4, 2.12, 3.2, 4.6),
    1.5: (None, None, None, None, 1.17, 1.88, 2.99, 4.41),
    2.0: (None, None, None, None, None, 1.61, 2.69, 4.12),
}
# Printed although the bound lies below what accusing everyone reaches: log(1 + w²), no epsilon will do.
BELOW_FLOOR = {(0.5, 0.55), (0.8, 0.62), (1.5, 0.76), (2.0, 0.83)}


def test_table_1_from_one_call():
    table = dl.fscore_table()
    assert len(table.entries) == 48
    for entry in table.entries:
        printed = PRINTED[entry.weight][BOUNDS.index(entry.bound)]
        if printed is None or (entry.weight, entry.bound) in BELOW_FLOOR:
            assert entry.value is None
            assert entry.floor > entry.bound
            continue
        assert entry.achieved.high <= entry.bound
        w2, f = mpf(entry.weight) ** 2, mpf(entry.bound)
        s = ((1 + w2) - f * (1 - w2)) / ((1 + w2) * (1 - f))  # Equation 12 solved
        exact = mp.log((s * s - 1) / (4 * w2))
        assert 0 <= 1 - entry.value / exact <= 1e-9
        assert round(100 * printed) in (round(100 * entry.value), int(100 * entry.value))  # rounded, or cut


def test_rows_are_found_by_name():
    table = dl.fscore_table(bounds=[0.8, 0.9], weights=[1.0], priors=[0.5, 0.2])
    assert table.row(weight=1.0, prior=0.2) == tuple(e.value for e in table.entries[2:])
    with pytest.raises(ValueError, match="in the table"):
        table.row(weight=3.0)


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.7])
def test_other_priors_and_families(prior):
    families = {"laplace": lambda e: dl.Laplace(scale=1 / e), "gaussian": lambda m: dl.GaussianDP(mu=m)}
    table = dl.fscore_table(bounds=[0.9], weights=[0.7], priors=[prior], families=families)
    laplace, gaussian = table.entries
    assert laplace.value == pytest.approx(dl.epsilon_from_fscore(0.9, weight=0.7, prior=prior), rel=2e-9)
    assert liu_f(mpf(laplace.value), 0.7, prior) <= mpf(0.9)
    # the best threshold against Gaussian noise, by a fine scan of the definition
    w2, p, mu = mpf(0.7) ** 2, mpf(prior), mpf(gaussian.value)
    best = 0
    for k in range(-400, 800):
        z = mpf(k) / 100
        power, alpha = 1 - phi(z - mu), 1 - phi(z)
        best = max(best, (1 + w2) * p * power / (w2 * p + p * power + (1 - p) * alpha))
    assert mpf(0.9) - mpf(10) ** -4 <= best <= mpf(0.9)


COEFFICIENTS = [(0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.2, 0.1, 0.0), (0.2, 0.1, 0.1), (0.5, 0.1, 0.2)]


@pytest.mark.parametrize(("prior", "record", "temporal"), COEFFICIENTS)
def test_precision_under_auxiliary_knowledge(prior, record, temporal):
    """Figures 3a to 7b: Equations 9, 14, 17, 20 and 23 from the definition of the optimal thresholds."""
    adversary = dl.Adversary.from_coefficients(prior=prior, record=record, temporal=temporal)
    p, c, t = mpf(prior), mpf(record), mpf(temporal)
    weight = 1 - p - (2 - p) * (c + t * (1 - c))
    recalls = [0.01, 0.2, 0.5, 0.8, 0.99]
    for mu in (0.5, 2.0):
        figure = dl.pr_curve(dl.GaussianDP(mu=mu), adversary, recalls=recalls)
        for r, got in zip(recalls, figure.precisions):
            truth = 1 / (1 + weight * phi(quantile(mpf(r)) - mpf(mu)) / mpf(r))
            assert got.low <= truth * (1 + mpf(10) ** -15)
            assert truth <= got.high * (1 + mpf(10) ** -15)
            assert got.high - got.low < 1e-12
    for e in (0.5, 2.0):
        figure = dl.pr_curve(dl.Laplace(scale=1 / e), adversary, recalls=recalls)
        for r, got in zip(recalls, figure.precisions):
            x, eps = mpf(r), mpf(e)
            theta = eps - mp.log(2 * x) if x <= 0.5 else eps + mp.log(2 * (1 - x))  # P(Lap(eps) > theta) = r
            alpha = mp.exp(-theta) / 2 if theta >= 0 else 1 - mp.exp(theta) / 2
            truth = 1 / (1 + weight * alpha / x)
            assert abs(got - truth) <= mpf(10) ** -13


@pytest.mark.parametrize(("prior", "record", "temporal"), COEFFICIENTS)
def test_best_f_scores_under_auxiliary_knowledge(prior, record, temporal):
    """Figures 3b and 8: Equation 24, checked against the maximum over thresholds."""
    adversary = dl.Adversary.from_coefficients(prior=prior, record=record, temporal=temporal)
    figure = dl.fscore_curve([0.1, 0.5, 1.0, 2.0, 4.0], adversary)
    for e, got in zip(figure.values, figure.scores):
        assert abs(got - liu_f(mpf(e), 1.0, adversary.prior)) <= mpf(10) ** -12


@pytest.mark.parametrize(
    ("family", "end"),
    [
        (lambda mu: dl.GaussianDP(mu=mu), math.inf),
        (lambda sigma: dl.Gaussian(sigma=sigma), 0.0),
        (lambda rate: dl.Gaussian(sigma=0.5).subsample(rate), 1.0),
        (lambda sigma: dl.Gaussian(sigma=sigma).subsample(0.1), pytest.approx(1 / 22)),  # less noise is refused
    ],
)
def test_where_every_parameter_will_do_the_riskiest_end_is_given(family, end):
    below, above = dl.fscore_table(bounds=[0.5, 1.0], weights=[1.0], families={"f": family}).entries
    assert (below.value, above.value) == (None, end)
    assert "by guessing" in below.why
    assert (above.why == "") == (above.achieved is not None)


@pytest.mark.parametrize(("weight", "prior"), [(1.0, 0.5), (0.5, 0.5), (1.0, 1 / 3), (1.0, 0.1)])
def test_the_floor_itself_can_be_had(weight, prior):
    """Two ways: Liu's formula, and a search."""
    bound = (1 + weight**2) * prior / (weight**2 * prior + 1)
    (entry,) = dl.fscore_table(bounds=[bound], weights=[weight], priors=[prior]).entries
    assert entry.value == pytest.approx(dl.epsilon_from_fscore(bound, weight=weight, prior=prior), rel=1e-9)
    assert entry.achieved.low == entry.achieved.high == entry.floor == bound


def test_bounds_in_percent_are_refused():
    with pytest.raises(ValueError, match=r"bounds.* in \[0, 1\]"):
        dl.fscore_table(bounds=[0.5, 76.0], weights=[1.0])


def test_no_epsilon_is_a_release_that_tells_nothing():
    assert dl.fscore_curve([0.0]).scores[0] == pytest.approx(2 / 3, rel=1e-14)


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.fscore_curve([1.0, -2.0]),
        lambda: dl.fscore_curve([1.0, -2.0], family=lambda mu: dl.GaussianDP(mu=mu)),
        lambda: dl.conversion_curves([1.0, -2.0], order=2.0),
    ],
)
def test_the_parameter_that_a_family_refuses_is_named(call):
    with pytest.raises(dl.FamilyError, match="At the parameter -2 of the family"):
        call()


def test_weights_without_measure():
    (entry,) = dl.fscore_table(bounds=[0.9], weights=[1e200]).entries
    assert (entry.value, entry.floor) == (None, 1.0)
    with pytest.raises(ValueError, match=r"fscore in \[1, 1\)"):
        dl.epsilon_from_fscore(0.9, weight=1e200)


def test_results_serialise():
    for result in (
        dl.fscore_table(bounds=[0.6, 0.9], weights=[1.0]),
        dl.pr_curve(dl.Laplace(scale=1.0), recalls=[0.0, 1.0]),
        dl.fscore_curve([1.0]),
    ):
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False))


@pytest.mark.parametrize(
    "call",
    [
        lambda: dl.fscore_table(bounds=[]),
        lambda: dl.fscore_table(weights=[0.0]),
        lambda: dl.fscore_table(priors=[1.0]),
        lambda: dl.fscore_table(families={}),
        lambda: dl.pr_curve(3),
        lambda: dl.pr_curve(dl.Laplace(scale=1.0), 0.5),
        lambda: dl.pr_curve(dl.Laplace(scale=1.0), recalls=[1.5]),
        lambda: dl.fscore_curve([]),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(dl.DplensError, match="Expected"):
        call()
