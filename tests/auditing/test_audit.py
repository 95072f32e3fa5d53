"""Audits of scores: sharpness, readings, ties, claims, families, bad input."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import beta, mannwhitneyu

import dplens as dl


@pytest.fixture(scope="module")
def sharp():
    rng = np.random.default_rng(2026)
    return dl.audit(rng.normal(1, 1, 10**5), rng.normal(0, 1, 10**5))


def test_a_hundred_thousand_scores_of_mu_one_prove_nine_tenths(sharp):
    assert 0.95 < sharp.mu < 1


def test_every_reading_is_below_the_truth_and_near_it(sharp):
    f = dl.Gaussian(sigma=1.0).tradeoff()
    fpr = np.array([1e-3, 0.01, 0.1, 0.3, 0.7])
    assert (sharp.power(fpr) <= f.power(fpr)).all()
    # a rate is known to some 4.5 standard deviations of its count, so the power is at least that at a rate so much less
    nearby = fpr - 4.5 * np.sqrt(fpr * (1 - fpr) / 10**5)
    assert (sharp.power(fpr) > f.power(nearby) - 4.5 * np.sqrt(f.power(fpr) / 10**5)).all()
    assert 0.33 < sharp.advantage < 2 * ndtr(0.5) - 1
    assert f.epsilon(1e-2) > sharp.epsilon_at(1e-2) > 0.8 * f.epsilon(1e-2)
    assert dl.RelativeRisk(fpr=0.01).of(f) > sharp.relative_risk(0.01) > 5
    assert sharp.epsilon == sharp.epsilon_at(0.0) >= sharp.epsilon_at(1e-3)


def test_the_measured_curve_gives_the_same_readings(sharp):
    f = sharp.tradeoff()
    assert f.certificate.route == "measured"
    assert "0.95" in f.certificate.note
    assert f.mu() == pytest.approx(sharp.mu, abs=1e-6)
    assert f.epsilon(1e-3) == pytest.approx(sharp.epsilon_at(1e-3), abs=1e-8)
    assert f.delta(1.0) == pytest.approx(sharp.delta_at(1.0), abs=1e-9)
    assert sharp.tradeoff("add").power(0.2) == pytest.approx(sharp.power(0.2), rel=1e-9)
    assert f.power(0.2) >= sharp.power(0.2) * (1 - 1e-12)
    assert dl.Advantage().of(sharp).low == pytest.approx(sharp.advantage, rel=1e-9)
    assert sharp.tradeoff("remove").power(0.2) == pytest.approx(sharp.tradeoff("add").inverse().power(0.2))


def test_claims(sharp):
    for mild in (1.05, 1.5, 4.0):
        found = sharp.refutes(dl.Gaussian(sigma=mild))
        assert found
        assert found.refuted
        assert found.verdict == "refuted"
        assert found.excess > 0
        assert found.claimed == pytest.approx(dl.Gaussian(sigma=mild).tradeoff().power(found.fpr))
        assert "The claim is refuted (confidence 95 %)" in str(found)
    for true in (dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=0.5), dl.ApproximateDP(epsilon=10.0)):
        found = sharp.refutes(true)
        assert not found
        assert found.verdict == "not refuted"
        assert "does not confirm it" in str(found)
        assert "verified" not in str(found).lower()


def test_the_verdict_says_where_and_by_how_much():
    found = dl.audit_counts(true_positives=90, n_in=100, false_positives=10, n_out=100).refutes(
        dl.ApproximateDP(epsilon=1.0)
    )
    error = 1 - math.sqrt(0.95)
    high = beta.isf(error, 11, 90)
    low = beta.ppf(error, 90, 11)
    assert found.fpr == pytest.approx(high, rel=1e-9)
    assert found.measured == pytest.approx(low, rel=1e-9)
    assert found.claimed == pytest.approx(min(math.e * high, 1 - (1 - high) / math.e), rel=1e-9)


def test_area_under_the_curve_is_that_of_mann_and_whitney():
    rng = np.random.default_rng(0)
    inside, outside = np.round(rng.normal(0.5, 1, 300), 1), np.round(rng.normal(0, 1, 200), 1)
    expected = mannwhitneyu(inside, outside).statistic / (300 * 200)
    assert dl.audit(inside, outside).auc == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_ties_are_counted_whole(inside, outside):
    if len({*inside, *outside}) == 1:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dl.DplensWarning)
        found = dl.audit(inside, outside)
    table = found.roc()
    for t, fpr, tpr in zip(table["threshold"], table["fpr"], table["tpr"]):
        assert tpr == sum(x >= t for x in inside) / len(inside)
        assert fpr == sum(x >= t for x in outside) / len(outside)
    assert (found.tpr_low <= found.tpr).all()
    assert (found.tpr_high >= found.tpr).all()
    assert (found.fpr_low <= found.fpr).all()
    assert (found.fpr_high >= found.fpr).all()
    assert 0 <= found.advantage < 1


@given(st.integers(0, 2**32), st.floats(0.1, 10), st.floats(-5, 5))
def test_only_the_order_of_scores_matters(seed, factor, shift):
    rng = np.random.default_rng(seed)
    inside, outside = rng.normal(1.5, 1, 80), rng.normal(0, 1, 60)
    plain, moved = (
        dl.audit(inside, outside),
        dl.audit(np.exp(inside) * factor + shift, np.exp(outside) * factor + shift),
    )
    assert plain.mu == moved.mu
    assert plain.epsilon == moved.epsilon


def test_more_confidence_proves_less():
    rng = np.random.default_rng(3)
    inside, outside = rng.normal(1.5, 1, 1000), rng.normal(0, 1, 1000)
    bounds = [dl.audit(inside, outside, c).mu for c in (0.5, 0.9, 0.99, 1 - 1e-6, 1 - 1e-12)]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 5


def test_perfectly_separated_scores_are_bounded_by_their_number():
    found = dl.audit(np.arange(1000) + 5000, np.arange(1000))
    assert 4 < found.epsilon < math.log(1000)
    assert found.mu > 4
    assert dl.audit([1.0], [0.0]).advantage == 0  # one score each proves nothing at 95 %


def test_reversed_scores_are_said_and_not_flipped():
    rng = np.random.default_rng(4)
    inside, outside = rng.normal(0, 1, 500), rng.normal(2, 1, 500)
    with pytest.warns(dl.DplensWarning, match="look reversed"):
        found = dl.audit(inside, outside)
    assert found.mu < 0.1
    assert any("reversed" in note for note in found.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lower, either = dl.audit(inside, outside, members="lower"), dl.audit(inside, outside, members="either")
    assert 1.5 < either.mu < lower.mu < 2
    assert lower.mu == dl.audit(-inside, -outside).mu
    assert set(lower.roc()["threshold"]) <= {*inside, *outside}


def test_precision_and_recall_follow_from_the_rates(sharp):
    rows = sharp.precision_recall(prior=0.1)
    j = int(np.searchsorted(sharp.tpr, 0.5))
    for side, (t, f) in {"": ("tpr", "fpr"), "_low": ("tpr_low", "fpr_high"), "_high": ("tpr_high", "fpr_low")}.items():
        tpr, fpr = getattr(sharp, t)[j], getattr(sharp, f)[j]
        assert rows[f"precision{side}"][j] == pytest.approx(0.1 * tpr / (0.1 * tpr + 0.9 * fpr))
        assert rows[f"recall{side}"][j] == tpr


@pytest.mark.parametrize("prior", [5e-324, 1e-310, 1 - 1e-16])
def test_precision_at_the_least_prior_is_a_number(sharp, prior):
    rows = sharp.precision_recall(prior=prior)
    accused = (sharp.tpr > 0) | (sharp.fpr > 0)
    assert ((rows["precision"][accused] >= 0) & (rows["precision"][accused] <= 1)).all()
    assert (rows["precision"][(sharp.fpr == 0) & accused] == 1).all()


def test_least_parameters(sharp):
    gaussian = sharp.least("gaussian")
    assert gaussian.value == pytest.approx(sharp.mu, rel=1e-6)
    assert gaussian.parameter == "mu"
    assert gaussian.refutation is not None
    for name in ("laplace", "randomized_response", "exponential", "approximate_dp"):
        least = sharp.least(name)
        assert not sharp.refutes(least.mechanism)  # the mildest that explains it
        assert least.refutation  # what is any milder does not
    assert sharp.least("approximate_dp").value == pytest.approx(sharp.epsilon, abs=1e-5)
    own = sharp.least(lambda mu: dl.Gaussian(sigma=1 / mu, sensitivity=2.0))
    assert own.value == pytest.approx(sharp.mu / 2, rel=1e-6)
    assert sharp.least("gaussian", high=0.5).value == 0.5  # all of them are refuted


def test_nothing_measured_leaves_every_member_of_a_family():
    rng = np.random.default_rng(9)
    found = dl.audit(rng.normal(0, 1, 50), rng.normal(0, 1, 50))
    assert found.least("laplace").value == 0
    assert found.least("laplace").refutation is None


def test_least_recovers_liu_precision_recall_of_the_optimal_attacker():
    # an attacker who is optimal against Laplace noise of epsilon 1 has that relation; with many scores it is recovered
    rng = np.random.default_rng(10)
    n = 200_000
    found = dl.audit(rng.laplace(1, 1, n), rng.laplace(0, 1, n))
    assert 0.93 < found.least("laplace").value < 1
    recall, p = 0.6, 0.5
    least = found.least("laplace").mechanism
    assert dl.Precision(recall=recall, prior=p).of(least) <= dl.Precision(recall=recall, prior=p).of(
        dl.Laplace(scale=1.0)
    )


def test_published_points_and_counts_agree():
    counts = dl.audit_counts(true_positives=600, n_in=1000, false_positives=20, n_out=2000)
    points = dl.audit_points(0.01, 0.6, n_in=1000, n_out=2000, fixed_beforehand=True)
    relation = dl.audit_precision_recall(600 / 620, 0.6, n_in=1000, n_out=2000, fixed_beforehand=True)
    assert counts.epsilon == points.epsilon == relation.epsilon
    assert relation.source == "precision and recall"
    same = dl.audit_precision_recall(0.3 / 0.305, 0.6, n_in=1000, n_out=2000, prior=0.5, fixed_beforehand=True)
    assert same.epsilon == pytest.approx(counts.epsilon)
    assert dl.audit_points(0.01, 0.6, n_in=1000, n_out=2000).epsilon < points.epsilon  # picked after the fact
    rounded = dl.audit_points(0.01, 0.6, n_in=1000, n_out=2000, digits=2)
    assert rounded.fpr[0] == 0.015
    assert rounded.tpr[0] == pytest.approx(0.595)


BAD = {
    "empty": (lambda: dl.audit([], [1.0]), "at least one score"),
    "constant": (lambda: dl.audit([1.0, 1.0], [1.0]), "all the same"),
    "nan": (lambda: dl.audit([1.0, math.nan], [1.0]), "index 1"),
    "infinite": (lambda: dl.audit([1.0], [math.inf]), "finite scores"),
    "table": (lambda: dl.audit([[1.0]], [1.0]), "one-dimensional"),
    "text": (lambda: dl.audit(["a"], [1.0]), "numbers"),
    "confidence 1": (lambda: dl.audit([1.0], [0.0], 1.0), "confidence"),
    "confidence 0": (lambda: dl.audit([1.0], [0.0], 0.0), "confidence"),
    "confidence 95": (lambda: dl.audit([1.0], [0.0], 95), "confidence"),
    "members": (lambda: dl.audit([1.0], [0.0], members="up"), "members"),
    "too many": (lambda: dl.audit_counts(true_positives=3, n_in=2, false_positives=0, n_out=2), "true_positives"),
    "halves": (lambda: dl.audit_counts(true_positives=1.5, n_in=2, false_positives=0, n_out=2), "whole number"),
    "lengths": (lambda: dl.audit_points([0.1], [0.1, 0.2], n_in=5, n_out=5), "tpr"),
    "rates": (lambda: dl.audit_points([1.1], [0.1], n_in=5, n_out=5), "fpr"),
    "precision": (lambda: dl.audit_precision_recall(0.0, 0.1, n_in=5, n_out=5), "precision"),
    "too little precision": (  # 900 of 1000 members and at most all 1000 others are accused
        lambda: dl.audit_precision_recall([0.6, 0.1], [0.5, 0.9], n_in=1000, n_out=1000),
        r"precision to be at least 0\.474 at recall 0\.9 and prior 0\.5, got 0\.1\..*prior=",
    ),
    "claim": (lambda: dl.audit([1.0, 2.0], [0.0, 1.0]).refutes(3), "claim"),
    "family": (lambda: dl.audit([1.0, 2.0], [0.0, 1.0]).least("gauss"), "family"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named_and_explained(case):
    call, said = BAD[case]
    with pytest.raises(dl.DplensError, match=said):
        call()


def test_the_least_precision_that_can_be_is_taken():
    for precision, digits in ((1 / 3, None), (0.33, 2)):  # everyone is accused
        found = dl.audit_precision_recall(precision, 1.0, n_in=1000, n_out=2000, digits=digits)
        assert found.fpr[0] == 1
    assert dl.audit_precision_recall(0.1, 0.9, n_in=1000, n_out=1000, prior=0.1).fpr[0] == pytest.approx(0.9)


def test_rates_that_no_count_rounds_to_gain_nothing():
    found = dl.audit_points([0.05], [0.55], n_in=10, n_out=10, digits=2)  # of 10 scores none is at 0.55
    assert (found.tpr[0], found.fpr[0]) == (0.5, 0.1)


@pytest.mark.parametrize("confidence", [1e-300, 1e-5, 1 - 1e-16])
@pytest.mark.parametrize("members", ["higher", "either"])
def test_every_confidence_has_bounds(confidence, members):
    found = dl.audit(np.arange(40.0), np.arange(40.0) - 3, confidence, members=members)
    assert 0 <= found.mu < 2


@pytest.mark.parametrize(
    "made",
    [
        lambda: dl.audit_counts(true_positives=20, n_in=1000, false_positives=600, n_out=1000),
        lambda: dl.audit_points([0.1, 0.6], [0.0, 0.02], n_in=1000, n_out=1000),
    ],
)
def test_reversed_rates_are_told_too(made):
    with pytest.warns(dl.DplensWarning, match="look reversed"):
        found = made()
    assert found.mu == 0
    assert "We changed nothing" in found.notes[-1]


def test_a_measurement_does_not_show_that_nothing_worse_happens():
    rng = np.random.default_rng(0)
    found = dl.audit(rng.normal(1, 1, 500), rng.normal(0, 1, 500))
    for direction in ("both", "add", "remove"):  # its slopes are finite, as are those of releases that never fail
        assert dl.failure_mode(found.tradeoff(direction)) is dl.FailureMode.UNDETERMINED


def test_a_family_that_leaks_less_the_larger_its_parameter_is_refused():
    rng = np.random.default_rng(0)
    found = dl.audit(rng.normal(2, 1, 500), rng.normal(0, 1, 500))
    with pytest.raises(dl.errors.InvalidValue, match="to leak more the larger"):
        found.least(lambda sigma: dl.Gaussian(sigma=sigma), low=0.1, high=10.0)
