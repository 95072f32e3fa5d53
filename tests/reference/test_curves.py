"""f, power, delta and epsilon of every mechanism against the stored oracle values: error, and the safe side."""

from functools import cache

import numpy as np
import pytest

import dplens as dl
from tests.reference.cases import CASES
from tests.reference.checks import check, true_values


@cache
def curve(name):
    case = CASES[name]
    return case.make(dl).tradeoff(direction=case.direction)


def asking(quantity):
    """The cases that have values of this quantity."""
    return pytest.mark.parametrize("name", [n for n, case in CASES.items() if case.requests()[quantity]])


def rows(name, quantity, found):
    return zip(CASES[name].requests()[quantity], found, true_values(name, quantity))


@asking("beta")
def test_beta_is_accurate_and_never_above_the_truth(name):
    case = CASES[name]
    check(rows(name, "beta", curve(name)(np.array(case.alphas))), case.tolerance, "low")


@asking("power")
def test_power_is_accurate_and_never_below_the_truth(name):
    case = CASES[name]
    check(rows(name, "power", curve(name).power(np.array(case.alphas))), case.tolerance, "high")


@asking("delta")
def test_delta_is_accurate_and_never_below_the_truth(name):
    found = [curve(name).delta(epsilon) for epsilon in CASES[name].epsilons]
    check(rows(name, "delta", found), CASES[name].delta_tolerance, "high")


@asking("epsilon")
def test_epsilon_is_accurate_and_never_below_the_truth(name):
    found = [curve(name).epsilon(delta) for delta in CASES[name].deltas]
    check(rows(name, "epsilon", found), CASES[name].tolerance, "high")


@asking("beta")
def test_one_number_at_a_time_gives_the_same(name):
    f, alphas = curve(name), CASES[name].alphas
    at = alphas[len(name) % len(alphas)]
    assert isinstance(f(at), float)
    check([(at, f(at), true_values(name, "beta")[alphas.index(at)])], CASES[name].tolerance, "low")
    check([(at, f.power(at), true_values(name, "power")[alphas.index(at)])], CASES[name].tolerance, "high")


INVERSES = [
    (f"finite pair {name} {there}", f"finite pair {name} {back}")
    for name in ("four", "zeros", "skewed")
    for there, back in (("add", "remove"), ("remove", "add"), ("both", "both"))
]


@pytest.mark.parametrize(("name", "mirrored"), [*INVERSES, ("gumbel add", "gumbel remove")])
def test_the_inverse_is_the_other_direction(name, mirrored):
    found = curve(name).inverse()(np.array(CASES[name].alphas))
    check(rows(mirrored, "beta", found), CASES[name].tolerance, "low")


# At the ends of the curve: (mechanism, power at 0, least alpha with beta 0), exact floats.
ENDS = [
    ("gaussian 1.0", 0.0, 1.0),
    ("laplace 1.0", 0.0, 1.0),
    ("logistic 1.0", 0.0, 1.0),
    ("cauchy 1.0", 0.0, 1.0),
    ("only delta", 0.125, 0.875),
    ("uniform 0.25", 0.25, 0.75),
    ("finite pair zeros add", 0.125, 1.0),
    ("finite pair zeros remove", 0.0, 0.875),
    ("finite pair zeros both", 0.125, 0.875),
    ("laplace fails", 0.03125, 0.96875),
]


@pytest.mark.parametrize(("name", "at_zero", "reaches_zero"), ENDS)
def test_the_ends(name, at_zero, reaches_zero):
    f = curve(name)
    assert at_zero <= f.power(0.0) <= at_zero * (1 + 1e-12)
    assert 1 - at_zero >= f(0.0) >= (1 - at_zero) * (1 - 1e-12)
    assert f(1.0) == 0
    assert f.power(1.0) == 1
    assert f(reaches_zero) == 0
    assert f(reaches_zero - 1e-3) > 0
    assert f.delta(np.inf) == pytest.approx(at_zero, rel=1e-12)
    assert f.epsilon(1.0) == 0


def test_exponential_renyi_lies_between_the_worst_pair_and_the_whole_curve():
    """No single pair has the curve f: the worst two-point pair is a floor, f's own canonical pair a ceiling."""
    from tests.reference.oracles.discrete import two_point
    from tests.reference.oracles.numerics import digits, maximum, mp, mpf

    for epsilon, order in ((0.3, 2), (1.0, 2), (3.0, 8)):
        with digits(30):
            e, a = mpf(epsilon), mpf(order)
            floor = maximum(lambda t, e=e, a=a: two_point(t, e).renyi(a), e / 10**9, e * (1 - mpf(10) ** -9))
            odds = mp.expm1(e)
            slope = lambda x, odds=odds: (1 + odds) / (1 + odds * x) ** 2  # noqa: E731
            ceiling = mp.log(mp.quad(lambda x, a=a, s=slope: s(x) ** a, [0, 0.01, 0.1, 1])) / (a - 1)
            found = dl.Exponential(epsilon=epsilon).tradeoff().renyi(order)
            assert floor * (1 - mpf(10) ** -15) <= found <= ceiling * (1 + mpf(10) ** -9)
