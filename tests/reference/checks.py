"""How a number of the package is held against a true one: relative error, and the side on which it must lie."""

from functools import cache

from tests.reference.cases import CASES, compute
from tests.reference.make_values import stored
from tests.reference.oracles.numerics import inf, mp, mpf

FLOOR = mpf(10) ** -300  # below it, truth is compared absolutely
CELLS = 1e-6  # what curves from cells of outputs claim, though not of rates below 1e-18
ROUNDING = mpf(10) ** -28  # true values are stored with 30 digits

VALUES = stored()


@cache
def computed(name):
    return compute(CASES[name])


def true_values(name, quantity):
    """In the order of the case's arguments, from the file or, where it costs nothing, from the oracle itself."""
    if not CASES[name].stored:
        return computed(name)[quantity]
    return [mpf(text) for text in VALUES[name][quantity]]


def error(got, truth):
    """Relative error; absolute in units of 1e-300 where truth is smaller than that."""
    got = mpf(float(got))
    if truth == inf or got == inf:
        return mpf(0) if got == truth else inf
    if mp.isnan(got):
        return inf
    if abs(truth) < FLOOR:
        return mpf(0) if abs(got - truth) <= FLOOR else inf
    return abs(got - truth) / abs(truth)


def on_side(got, truth, side):
    """Whether a number is not below ("high") or not above ("low") the truth; underflow is forgiven."""
    got = mpf(float(got))
    slack = 0 if truth == inf else FLOOR if abs(truth) < FLOOR else ROUNDING * abs(truth)
    return got >= truth - slack if side == "high" else got <= truth + slack


def complaints(rows, tolerance, side=None):
    """The rows (argument, got, truth) that are too far off or on the wrong side, ready to print."""
    bad = []
    for argument, got, truth in rows:
        deep = abs(truth) < 1e-30 or (isinstance(argument, float) and 0 < argument < 1e-30)
        rare = isinstance(argument, float) and 0 < argument < 1e-18
        wide = tolerance if tolerance != CELLS else 0.5 if deep else 1e-5 if rare else CELLS
        far, wrong = error(got, truth) > wide, side is not None and not on_side(got, truth, side)
        if tolerance >= 1e-9 and truth == 0 and 0 <= got <= 1e-20:
            far = False  # next to a largest loss that is known up to rounding
        if far or wrong:
            why = "far" if far else "unsafe"
            off = mp.nstr(error(got, truth), 3)
            bad.append(f"{argument}: got {float(got)!r}, true {mp.nstr(truth, 20)}, error {off} ({why})")
    return bad


def check(rows, tolerance, side=None):
    bad = complaints(rows, tolerance, side)
    assert not bad, "\n".join(bad)


def encloses(got, truth, width=1e-6):
    """low ≤ truth ≤ high, the answer is the high end and the bracket is narrow."""
    slack = mpf(10) ** -30
    assert mpf(got.low) <= truth * (1 + slack), (got.low, truth)
    assert mpf(got.high) >= truth * (1 - slack), (got.high, truth)
    assert float(got) == got.high
    assert got.high - got.low <= width * truth, (got.high - got.low) / truth
