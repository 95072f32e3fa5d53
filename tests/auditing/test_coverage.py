"""Bounds hold at least as often as promised; a true claim is refuted no more often than allowed."""

import numpy as np
import pytest

import dplens as dl
from tests.auditing.simulated import AUDITS, MANY, WORLDS, most_failures


@pytest.mark.filterwarnings("ignore:The scores look reversed")
@pytest.mark.parametrize("confidence", [0.95, 0.6] if MANY else [0.6])
@pytest.mark.parametrize("name", WORLDS)
def test_scores(name, confidence):
    draw, truth = WORLDS[name]
    rng, curve = np.random.default_rng(5), truth.tradeoff()
    fpr, delta = np.array([0.001, 0.01, 0.1, 0.5, 0.9]), np.array([0.0, 1e-5, 0.1])
    power, epsilon, mu = curve.power(fpr), curve.epsilon(delta), curve.mu()
    failed = 0
    for _ in range(AUDITS):
        n_in, n_out = rng.choice([20, 57, 150, 400], 2)
        found = dl.audit(draw(rng, n_in, True), draw(rng, n_out, False), confidence)
        wrong = bool(found.refutes(curve))
        # what is read from the points is wrong only if the claim itself is refuted
        off = (
            (found.power(fpr) > power).any() or (found.epsilon_at(delta) > epsilon + 1e-9).any() or found.mu > mu + 1e-9
        )
        assert wrong or not off
        failed += wrong
    assert failed <= most_failures(AUDITS, 1 - confidence)


def test_either_end_of_the_scores():
    rng, failed = np.random.default_rng(6), 0
    for _ in range(AUDITS):
        found = dl.audit(rng.normal(0, 1, 100), rng.normal(0, 1, 100), 0.8, members="either")
        failed += bool(found.refutes(dl.GaussianDP(mu=0.0)))
    assert failed <= most_failures(AUDITS, 0.2)


@pytest.mark.parametrize("fixed", [True, False])
def test_points_picked_beforehand_or_by_the_largest_gap(fixed):
    rng, failed, truth = np.random.default_rng(7), 0, dl.Gaussian(sigma=1.0)
    for _ in range(AUDITS):
        inside, outside = np.sort(rng.normal(1, 1, 200)), np.sort(rng.normal(0, 1, 300))
        grid = np.linspace(-1, 3, 41)
        tpr, fpr = 1 - np.searchsorted(inside, grid) / 200, 1 - np.searchsorted(outside, grid) / 300
        picked = [10, 20, 30] if fixed else [int(np.argmax(tpr - truth.tradeoff().power(fpr)))]
        found = dl.audit_points(fpr[picked], tpr[picked], n_in=200, n_out=300, confidence=0.8, fixed_beforehand=fixed)
        failed += bool(found.refutes(truth))
    assert failed <= most_failures(AUDITS, 0.2)


def test_counts_at_one_threshold():
    rng, failed = np.random.default_rng(8), 0
    for _ in range(4 * AUDITS):
        tp, fp = (
            rng.binomial(200, 0.69146246, 1)[0],
            rng.binomial(150, 0.30853754, 1)[0],
        )  # the Gaussian's best threshold
        found = dl.audit_counts(true_positives=tp, n_in=200, false_positives=fp, n_out=150, confidence=0.8)
        failed += bool(found.refutes(dl.Gaussian(sigma=1.0)))
    assert failed <= most_failures(4 * AUDITS, 0.2)
