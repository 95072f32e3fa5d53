"""Enclosures against Arb balls: every operation holds what exact arithmetic gives, and is a few units wide."""

import threading

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from dplens.numerics.enclosure import Bounds, Enclosure, opposed

RATES = st.floats(min_value=0.0, max_value=1.0)


@pytest.fixture(autouse=True)
def precise():
    kept, ctx.prec = ctx.prec, 256
    yield
    ctx.prec = kept


def holds(number: Enclosure, truth: arb) -> bool:
    (low,), (high,) = number
    return bool(arb(low) <= truth) and bool(truth <= arb(high))


def one(x: float) -> np.ndarray:
    return np.array([x])


@given(st.floats(min_value=1e-150, max_value=1e150), st.floats(min_value=1e-14, max_value=0.5))
def test_a_value_with_a_relative_error_holds_whatever_it_came_from(x, error):
    number = Enclosure.around(one(x), error)
    for share in (-0.99, 0.0, 0.99):
        assert holds(number, arb(x) * (1 + arb(share) * arb(error)))
    low, high = Bounds.around(x, error)
    assert (low, high) == tuple(float(end[0]) for end in number)


@given(RATES, RATES, RATES)
def test_monotone_functions_take_ends_to_ends(a, b, c):
    low, high = min(a, b), max(a, b)
    number = Enclosure(one(low), one(high))
    inside = arb(low) + (arb(high) - arb(low)) * arb(c)
    assert holds(number.rising(lambda x: x * x).widened(1e-15, 1e-300), inside * inside)


def test_an_end_that_is_not_read_is_not_computed():
    def refuse() -> np.ndarray:
        raise AssertionError("computed")

    number = Enclosure(refuse, lambda: one(1.25)).clipped(0.0, 1.0)
    assert number.hi[0] == 1.0
    with pytest.raises(AssertionError):
        _ = number.lo


def test_power_and_beta_are_computed_once_for_each_end():
    calls = []

    def end(name: str, power: float) -> tuple[np.ndarray, np.ndarray]:
        calls.append(name)
        return one(power), one(1 - power)

    power, beta = opposed(lambda: end("upper", 0.6), lambda: end("lower", 0.5))
    assert (power.hi[0], beta.lo[0]) == (0.6, 0.4)
    assert calls == ["upper"]
    assert (power.lo[0], beta.hi[0]) == (0.5, 0.5)
    assert calls == ["upper", "lower"]


def test_threads_may_read_one_number():
    wrong = []
    for _ in range(200):
        number = Enclosure(lambda: one(1.0), lambda: one(2.0))
        start = threading.Barrier(4)

        def read(number=number, start=start):
            start.wait()
            if (number.lo[0], number.hi[0]) != (1.0, 2.0):
                wrong.append(number)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_the_largest_and_the_smallest_of_several():
    numbers = [
        Enclosure(np.array([0.1, 0.5]), np.array([0.4, 0.6])),
        Enclosure(np.array([0.2, 0.3]), np.array([0.3, 0.9])),
    ]
    assert [end.tolist() for end in Enclosure.largest(numbers)] == [[0.2, 0.5], [0.4, 0.9]]
    assert [end.tolist() for end in Enclosure.smallest(numbers)] == [[0.1, 0.3], [0.3, 0.6]]
