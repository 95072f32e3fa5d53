"""One run with many canaries: published formulas, an independent optimum, coverage, bad input."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog

import dplens as dl
from dplens.auditing.one_run import _Inverse, chance_of_guesses, exceeds, most_mass
from tests.auditing.simulated import AUDITS, MANY, most_failures


def by_definition(m, r, v, epsilon, delta):
    """Theorem 5.2 of Steinke, Nasr & Jagielski (2023), term by term in 40 digits."""
    with mpmath.workdps(40):
        q = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
        mass = [mpmath.binomial(r, k) * q**k * (1 - q) ** (r - k) for k in range(r + 1)]
        beta = mpmath.fsum(mass[v:])
        alpha = max(mpmath.fsum(mass[v - i : v]) / i for i in range(1, v + 1))
        return float(min(1, beta + 2 * m * delta * alpha))


@pytest.mark.parametrize(("m", "r", "v"), [(100, 50, 45), (60, 60, 41), (10, 1, 1), (500, 80, 80)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (1.0, 0.0), (0.5, 1e-4), (2.0, 1e-3)])
def test_the_bound_for_epsilon_and_delta(m, r, v, epsilon, delta):
    assert chance_of_guesses(m, r, v, epsilon, delta) == pytest.approx(by_definition(m, r, v, epsilon, delta), rel=1e-9)


def test_sums_over_many_guesses_leave_nothing_out():
    """A million guesses: only those near what is expected are summed."""
    r, v, epsilon = 1_000_000, 600_000, 0.4
    spread = int(12 * r**0.5)
    with mpmath.workdps(30):
        q = 1 / (1 + mpmath.exp(-mpmath.mpf(epsilon)))
        expected = int(r * q)
        k = v - 1
        term = mpmath.binomial(r, k) * q**k * (1 - q) ** (r - k)
        total, worst = mpmath.mpf(0), mpmath.mpf(0)
        while k > expected - spread:
            total += term
            worst = max(worst, total / (v - k))
            term *= mpmath.mpf(k) / (r - k + 1) * (1 - q) / q
            k -= 1
        true = float(1 - total + 2 * r * mpmath.mpf("1e-9") * worst)
    assert chance_of_guesses(r, r, v, epsilon, 1e-9) == pytest.approx(true, rel=1e-6)
    assert chance_of_guesses(r, r, v, epsilon, 1e-9) >= true * (1 - 1e-9)


def test_ten_thousand_million_guesses_are_answered():
    found = dl.audit_one_run(correct=6 * 10**9, guesses=10**10, canaries=10**10)
    assert 0.4053 < found.epsilon < math.log(1.5) < 0.4055
    assert not found.notes


def test_epsilon_is_where_the_bound_meets_the_error():
    found = dl.audit_one_run(correct=90, guesses=100, canaries=300)
    for delta in (0.0, 1e-4):
        at = found.epsilon_at(delta)
        assert by_definition(300, 100, 90, at - 1e-6, delta) < 0.05 <= by_definition(300, 100, 90, at + 1e-6, delta)
    assert found.epsilon == found.epsilon_at(0.0) > found.epsilon_at(1e-4)
    assert dl.audit_one_run(correct=50, guesses=100).epsilon == 0


def largest_chance(m, r, c, curve, slopes):
    """The linear programme behind the bound for f: tangents of the power in place of the power itself."""
    rows, most = [], []
    for j in range(1, r + 1):
        for offset, slope in slopes(curve):
            row = np.zeros(r + 1)
            row[j:] += np.arange(j, r + 1) / m
            row[j - 1 : r] -= slope * (r - np.arange(j, r + 1) + 1) / m
            rows.append(row)
            most.append(offset)
    goal = -(np.arange(r + 1) >= c).astype(float)
    found = linprog(goal, A_ub=np.array(rows), b_ub=np.array(most), A_eq=np.ones((1, r + 1)), b_eq=[1.0])
    return -found.fun


def lines(curve):
    """(offset, slope) of tangents: power(x) ≤ offset + slope·x; delta(epsilon) is where they meet the axis."""
    losses = np.linspace(0, 9, 91)
    above, below = curve.delta(losses), curve.inverse().delta(losses)
    yield from zip(above, np.exp(losses))
    yield from zip(-np.expm1(-losses) + np.exp(-losses) * below, np.exp(-losses))


@pytest.mark.parametrize(("m", "r", "c"), [(12, 12, 10), (20, 10, 8), (9, 3, 3)])
@pytest.mark.parametrize(
    "claim", [dl.GaussianDP(mu=0.8), dl.ApproximateDP(epsilon=0.7, delta=0.01), dl.Laplace(scale=1.0)]
)
def test_the_bound_for_f_is_the_optimum_of_its_inequalities(m, r, c, claim):
    curve = claim.tradeoff()
    optimum = largest_chance(m, r, c, curve, lines)
    found = most_mass(_Inverse(curve), m, r, c)
    assert found == pytest.approx(optimum, rel=0.02)  # tangents and nodes are as dense as that
    assert found >= optimum * (1 - 1e-3) if isinstance(claim, dl.ApproximateDP) else found >= optimum * 0.98


def test_pure_epsilon_is_nearly_as_sharp_by_the_curve():
    found = dl.audit_one_run(correct=930, guesses=1000)
    assert found.least("approximate_dp").value == pytest.approx(found.epsilon, rel=0.02)
    assert found.least("approximate_dp").value < found.epsilon


def test_the_curve_is_sharper_where_the_mechanism_is_gaussian():
    # what 10 000 canaries under Gaussian noise of mu 1 give: the curve uses all guesses, epsilon only the surest
    rng = np.random.default_rng(0)
    included = rng.random(10_000) < 0.5
    scores = included + rng.normal(0, 1, 10_000)
    found = dl.audit_one_run(included=included, scores=scores, guess=800)
    assert 0.5 < found.mu < 1
    assert found.epsilon_at(1e-5) < dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5)
    assert not found.refutes(dl.Gaussian(sigma=1.0))
    assert found.refutes(dl.Gaussian(sigma=3.0))
    assert "guesses were right" in str(found.refutes(dl.Gaussian(sigma=3.0)))
    assert "does not confirm the claim" in str(found.refutes(dl.Gaussian(sigma=1.0)))
    assert found.p_value(dl.Gaussian(sigma=3.0)) < 0.05 < found.p_value(dl.Gaussian(sigma=1.0))


def canaries(kind, rng, m):
    included = rng.random(m) < 0.5
    if kind == "gaussian":
        return included, included + rng.normal(0, 1, m)
    if kind == "laplace":
        return included, included + rng.laplace(0, 1, m)
    if kind == "response":
        return included, np.where(rng.random(m) < math.e / (1 + math.e), included, ~included).astype(float)
    return included, rng.normal(0, 1, m)


TRUTH = {
    "gaussian": dl.Gaussian(sigma=1.0),
    "laplace": dl.Laplace(scale=1.0),
    "response": dl.RandomizedResponse(epsilon=1.0),
    "nothing": dl.ApproximateDP(epsilon=0.0),
}


@pytest.mark.parametrize("guess", [20, 50, None] if MANY else [50, None])
@pytest.mark.parametrize("kind", TRUTH)
def test_coverage(kind, guess):
    rng, confidence = np.random.default_rng(3), 0.8
    claim, bound = TRUTH[kind], _Inverse(TRUTH[kind].tradeoff())
    epsilon = {"gaussian": claim.tradeoff().epsilon(1e-3), "nothing": 0.0}.get(kind, 1.0)
    delta = 1e-3 if kind == "gaussian" else 0.0
    refuted = wrong = 0
    for _ in range(AUDITS):
        included, scores = canaries(kind, rng, 100)
        found = dl.audit_one_run(included=included, scores=scores, guess=guess, confidence=confidence)
        refuted += any(exceeds(bound, 100, r, c, found._error) for r, c in found._all)
        wrong += any(chance_of_guesses(100, r, c, epsilon, delta) < found._error for r, c in found._all)
    assert refuted <= most_failures(AUDITS, 1 - confidence)
    assert wrong <= most_failures(AUDITS, 1 - confidence)
    if kind == "response" and guess == 50:
        assert wrong > 0.05 * AUDITS  # there the bound is exact but for the steps of a binomial


def test_guesses_scores_and_counts_agree():
    rng = np.random.default_rng(1)
    included = rng.random(200) < 0.5
    scores = included + rng.normal(0, 0.7, 200)
    order = np.argsort(-scores)
    guesses = np.zeros(200)
    guesses[order[:30]], guesses[order[-30:]] = 1, -1
    right = int(included[order[:30]].sum() + (~included[order[-30:]]).sum())
    by_scores = dl.audit_one_run(included=included, scores=scores, guess=30)
    by_guesses = dl.audit_one_run(included=included.astype(int), guesses=guesses)
    by_counts = dl.audit_one_run(correct=right, guesses=60, canaries=200)
    assert by_scores.epsilon == by_guesses.epsilon == by_counts.epsilon > 1
    assert dl.audit_one_run(included=included, guesses=scores > 0.5).guesses == 200
    several = dl.audit_one_run(included=included, scores=scores)
    assert several.tries > 1
    assert several.to_dict()["bounds"]["epsilon"] == several.epsilon


BAD = {
    "nothing": ({}, "included"),
    "no guesses": ({"included": [1, 0]}, "guesses or scores"),
    "both": ({"included": [1, 0], "guesses": [1, 1], "scores": [1, 2]}, "not both"),
    "lengths": ({"included": [1, 0], "guesses": [1]}, "one entry for each canary"),
    "values": ({"included": [1, 0], "guesses": [1, 2]}, "no guess"),
    "truth": ({"included": [1, 3], "guesses": [1, 1]}, "left out"),
    "abstains": ({"included": [1, 0], "guesses": [0, 0]}, "at least one guess"),
    "too many": ({"correct": 3, "guesses": 2}, "correct"),
    "canaries": ({"correct": 2, "guesses": 3, "canaries": 2}, "guesses"),
    "nan": ({"included": [1, 0], "scores": [1.0, math.nan]}, "finite"),
    "guess": ({"included": [1, 0], "scores": [1.0, 2.0], "guess": 3}, "between 1 and 2"),
    "confidence": ({"correct": 1, "guesses": 2, "confidence": 0.0}, "confidence"),
    "counts and canaries": ({"correct": 1, "guesses": 2, "included": [1, 0]}, "included not to be given"),
    "guess and guesses": ({"included": [1, 0], "guesses": [1, -1], "guess": 1}, "guess not to be given"),
    "other canaries": ({"included": [1, 0], "guesses": [1, -1], "canaries": 3}, "as many as included"),
    "masked": ({"included": np.ma.masked_array([1, 0], mask=[0, 1]), "guesses": [1, -1]}, "masked"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named_and_explained(case):
    given, said = BAD[case]
    with pytest.raises(dl.DplensError, match=said):
        dl.audit_one_run(**given)


def test_equal_scores_prove_nothing_in_whatever_order_the_canaries_are_listed():
    # those put in first, as two files one after the other would have them
    found = dl.audit_one_run(included=[1] * 500 + [0] * 500, scores=[0.5] * 1000)
    assert found.epsilon < 0.2
    assert found.refutes(dl.ApproximateDP(epsilon=0.2)).verdict == "not refuted"


def test_the_sentence_tells_the_guesses_that_decide():
    rng = np.random.default_rng(3)
    for _ in range(6):
        included = rng.random(400) < 0.5
        found = dl.audit_one_run(included=included, scores=rng.normal(1.5 * included, 1))
        for claim in (dl.Gaussian(sigma=1.2), dl.Gaussian(sigma=2.0)):
            said = found.refutes(claim)
            assert said.refuted == (said.measured >= said.claimed)
            assert said.refuted == (found.p_value(claim) < 0.05)
    claim = dl.ApproximateDP(epsilon=1.0, delta=1e-6)
    said = [dl.audit_one_run(correct=c, guesses=100, canaries=1000).refutes(claim) for c in range(75, 90)]
    assert [s.refuted for s in said] == [s.measured >= s.claimed for s in said]
    assert len({s.claimed for s in said}) == 1


def test_a_claim_of_one_direction_is_held_to_both():
    # one rare output proves absence, so right guesses of "out" say little against what is claimed of "in"
    pair = dl.FinitePair(p=[0.5, 0.5], q=[0.99, 0.01])
    rng = np.random.default_rng(5)
    included = rng.random(400) < 0.5
    absent = np.where(included, rng.random(400) < 0.01, rng.random(400) < 0.5)
    found = dl.audit_one_run(included=included, guesses=np.where(absent, -1, 0))
    assert found.accuracy > 0.95
    assert not found.refutes(pair.tradeoff(direction="add"))
    assert not found.refutes(pair.tradeoff(direction="remove"))


@pytest.mark.parametrize("put", [0.0, 0.1, 1.0])
def test_coins_that_are_not_fair_are_refused(put):
    included = np.random.default_rng(6).random(300) < put
    with pytest.raises(dl.DplensError, match=r"fair coin.* of 300 put in"):
        dl.audit_one_run(included=included, guesses=np.full(300, 1 if put > 0.5 else -1))


def test_reversed_guesses_are_told_and_not_turned():
    with pytest.warns(dl.DplensWarning, match="70 of 1,000 were right"):
        found = dl.audit_one_run(correct=70, guesses=1000)
    assert found.epsilon == 0
    assert "reversed" in found.notes[0]
    assert dl.assess(dl.Gaussian(sigma=2.0), audit=found).audits[0].notes == found.notes
    included = np.arange(400) % 2
    with pytest.warns(dl.DplensWarning, match="reversed"):
        dl.audit_one_run(included=included, scores=-1.0 * included)


def test_guesses_of_0_and_1_are_asked_about():
    included = np.arange(40) % 2 == 0
    with pytest.warns(dl.DplensWarning, match="we read a guess of 0 as no guess"):
        found = dl.audit_one_run(included=included, guesses=included.astype(int))
    assert (found.guesses, found.correct) == (20, 20)
    assert found.notes
    for clear in (included, np.where(included, 1, -1)):
        assert not dl.audit_one_run(included=included, guesses=clear).notes


def test_a_ragged_guess_is_refused_in_words():
    with pytest.raises(dl.DplensError, match="guess"):
        dl.audit_one_run(included=[True, False] * 20, scores=np.arange(40.0), guess=([0.1, 0.2], 1))
