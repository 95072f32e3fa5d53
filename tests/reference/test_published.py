"""Numbers printed in the literature, reproduced through the public surface; where a print is wrong, it says how."""

import math

import pytest

import dplens as dl
from tests.reference.checks import check
from tests.reference.oracles.numerics import mp, mpf, quantile
from tests.reference.test_oracles import laplace_f_score

GAUSSIAN = dl.Gaussian(sigma=1.0, sensitivity=1.0)

# Gaussian with mu = 1, printed to 15 digits.
EPSILONS = {1e-5: "4.3771780956812", 1e-15: "8.16557969550425", 1e-30: "11.7438830252317"}
DELTAS = {1.0: "0.126936737506644", 20.0: "2.6647067053655e-86"}
POWERS = {1e-6: "8.72176101403892e-05", 1e-9: "2.89929863105432e-07", 1e-12: "7.97358010464109e-10"}
F_SCORES = {1.0: "0.709786615744729", 0.5: "0.698859736653778"}  # Laplace with epsilon 1, prior 1/2


def test_gaussian_reference_values():
    f = GAUSSIAN.tradeoff()
    check([(d, f.epsilon(d), mpf(e)) for d, e in EPSILONS.items()], 1e-12)
    check([(e, f.delta(e), mpf(d)) for e, d in DELTAS.items()], 1e-10, "high")
    check([(a, f.power(a), mpf(t)) for a, t in POWERS.items()], 1e-12)


def test_laplace_f_score_reference_values():
    m = dl.Laplace(scale=1.0, sensitivity=1.0)
    check([(w, dl.FScore(weight=w, prior=0.5).of(m), mpf(f)) for w, f in F_SCORES.items()], 1e-12)


# Liu et al. 2019, Table 1: the largest epsilon for a bound on the F-score, one row per weight, as printed.
BOUNDS = ("0.55", "0.58", "0.62", "0.67", "0.76", "0.83", "0.9", "0.95")
PRINTED = {
    "0.5": ("0.22", "0.34", "0.55", "0.82", "1.42", "2.04", "3", "4.29"),
    "0.6": (None, "0.33", "0.54", "0.83", "1.45", "2.11", "3.11", "4.43"),
    "0.8": (None, None, "0.49", "0.8", "1.46", "2.16", "3.21", "4.58"),
    "1": (None, None, None, "0.71", "1.4", "2.12", "3.2", "4.6"),
    "1.5": (None, None, None, None, "1.17", "1.88", "2.99", "4.41"),
    "2": (None, None, None, None, None, "1.61", "2.69", "4.12"),
}
# Two digits, but cut where they should be rounded.
CUT = {("0.5", "0.67"), ("1", "0.67"), ("1", "0.76"), ("1", "0.83"), ("1", "0.9"), ("1.5", "0.9"), ("1.5", "0.95")}
# No epsilon meets the bound, it lies below (1 + w^2)/(2 + w^2): log(1 + w^2) is printed, rounded or cut.
BELOW_FLOOR = {("0.5", "0.55"), ("0.8", "0.62"), ("1.5", "0.76"), ("2", "0.83")}
ENTRIES = [(w, bound, value) for w, row in PRINTED.items() for bound, value in zip(BOUNDS, row)]


def best_f_score(weight, epsilon):
    return dl.FScore(weight=weight, prior=0.5).of(dl.Laplace(scale=1.0, sensitivity=epsilon))


def inverted(weight, bound):
    """Liu et al. 2019, Eq. 12 solved for epsilon, from the printed decimals."""
    w, f = mpf(weight) ** 2, mpf(bound)
    s = ((1 + w) - f * (1 - w)) / ((1 + w) * (1 - f))
    return mp.log((s * s - 1) / (4 * w))


@pytest.mark.parametrize(("weight", "bound", "printed"), ENTRIES)
def test_liu_table_1(weight, bound, printed):
    w, floor = float(weight), (1 + mpf(weight) ** 2) / (2 + mpf(weight) ** 2)
    if printed is None or (weight, bound) in BELOW_FLOOR:
        assert mpf(bound) < floor
        assert best_f_score(w, 1e-6) > float(bound)
        if printed is not None:
            turning_point = 100 * math.log1p(w * w)
            assert round(100 * float(printed)) in {round(turning_point), math.floor(turning_point)}
        return
    assert mpf(bound) > floor
    exact = float(inverted(weight, bound))
    assert best_f_score(w, exact - 1e-10) < float(bound) < best_f_score(w, exact + 1e-10)
    digits = math.floor(100 * exact) if (weight, bound) in CUT else round(100 * exact)
    assert digits == round(100 * float(printed))
    if (weight, bound) in CUT:
        assert round(100 * exact) != digits


# Liu et al. 2019, Section 5: coefficients of prior knowledge, record and temporal correlation.
COEFFICIENTS = [(0.0, 0.0, 0.0), (0.2, 0.1, 0.1), (0.5, 0.25, 0.0), (0.0, 0.0, 0.3), (0.9, 0.05, 0.01)]


@pytest.mark.parametrize(("prior", "record", "temporal"), COEFFICIENTS)
def test_coefficients_move_the_prior(prior, record, temporal):
    p, c, t = mpf(prior), mpf(record), mpf(temporal)
    odds = 1 - p - (2 - p) * (c + t * (1 - c))
    got = dl.Adversary.from_coefficients(prior=prior, record=record, temporal=temporal).prior
    check([("prior", got, 1 / (1 + odds))], 1e-14)
    for weight in (0.5, 1.0, 2.0):
        for e in (0.1, 0.5, 1.0, 3.0):
            m = dl.Laplace(scale=1.0, sensitivity=e)
            truth = laplace_f_score(mpf(e), weight, 1 / (1 + odds))
            check([((weight, e), dl.FScore(weight=weight, prior=got).of(m), truth)], 1e-12)


@pytest.mark.parametrize(("prior", "record", "temporal"), [(0.5, 0.5, 0.0), (0.0, 0.4, 0.4), (0.99, 0.1, 0.0)])
def test_an_attacker_who_already_knows_is_refused(prior, record, temporal):
    with pytest.raises(ValueError, match=r"\d"):
        dl.Adversary.from_coefficients(prior=prior, record=record, temporal=temporal)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.1, 0.3, 0.5, 0.7, 0.99])
def test_laplace_likelihood_threshold(epsilon, alpha):
    """Liu et al. 2019, Section 4.1.5, which prints the branch above 1/2 inverted."""
    e, a = mpf(epsilon), mpf(alpha)
    ratio = mp.exp(-e) / (4 * a * a) if a <= 0.5 else mp.exp(-e)
    truth = min(max(ratio, mp.exp(-e)), mp.exp(e))
    attack = dl.Attack(dl.Laplace(scale=1.0, sensitivity=epsilon), fpr=alpha)
    check([(alpha, attack.likelihood_threshold, truth)], 1e-12)


@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.3, 0.5, 0.99])
def test_gaussian_likelihood_threshold(alpha):
    """The threshold on the output is the null law's quantile (Liu et al. 2019, Theorem 6)."""
    a = mpf(alpha)
    truth = mp.exp(quantile(1 - a, a) - mpf(1) / 2)
    check([(alpha, dl.Attack(GAUSSIAN, fpr=alpha).likelihood_threshold, truth)], 1e-12)
