"""A curve between tests that are known: cubics through neighbouring tests, with an error seen halfway."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplens._numerics.enclosure import Enclosure
from dplens.curves.base import Floats
from dplens.curves.ratio_tests import Rows, ThresholdTests

_SETTLED = 1e-12  # relative error of a cubic that is good enough
_ALIKE = 1.2e-10  # losses so little apart
_GOOD = 1e-11  # relative error of what is read
_CAREFUL = 4.0  # times the error halfway, for what is elsewhere
_ROUNDS = 12  # of halving the cells that are not good enough
_MOST = 60_000  # tests
_MORE = 1 + 1e-9  # a quotient of differences that is as good as another


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells between neighbouring tests, in each of which power and beta are cubics of alpha.

    A cubic takes over the rates and slopes (e^loss) of both tests. Its error grows and falls across the cell as the
    square of the distances to both ends, so a third test in the middle shows it. ``settled``: where it is small.
    """

    tests: ThresholdTests
    settled: npt.NDArray[np.bool_]
    from_alpha: npt.NDArray[np.bool_]  # drawn from alpha, or from 1 − alpha
    start: Floats
    per_width: Floats
    power: Floats  # one row for each Bernstein coefficient
    beta: Floats
    power_error: Floats  # relative, with roundings
    beta_error: Floats

    def serve(self, rows: tuple[Rows, Rows]) -> tuple[Rows, Rows, Rows]:
        """Of alphas between such tests: which can be read here, which from tangents at the ends, which not at all."""
        before, after = rows
        good = (after > before) & self.settled[np.minimum(before, len(self.settled) - 1)]
        # tangents of nearly the same slope are nearly the same line
        alike = ~good & (self.tests.loss[before] - self.tests.loss[after] <= _ALIKE) & (after > before)
        return np.flatnonzero(good), np.flatnonzero(alike), np.flatnonzero(~good & ~alike)

    def read(self, cell: Rows, alpha: Floats, co: Floats, as_power: bool, rounding: float) -> Enclosure:
        """Power or beta, with a further relative error."""
        place = np.where(self.from_alpha[cell], alpha, co)
        t = np.abs(place - self.start[cell]) * self.per_width[cell]
        b, error = (self.power, self.power_error) if as_power else (self.beta, self.beta_error)
        return Enclosure.around(_cubic(b, cell, t), error[cell] + rounding)


def _cubic(b: Floats, cell: Rows, t: Floats) -> Floats:
    s = 1 - t
    return s * s * (s * b[0][cell] + t * b[1][cell]) + t * t * (s * b[2][cell] + t * b[3][cell])


def cells_between(tests: ThresholdTests, more: Callable[[Floats], ThresholdTests]) -> Cells:
    """Cells of a table of tests, halved until each is settled or no halving helps; ``more`` gives tests at losses."""
    power_error = np.full(len(tests.loss) - 1, math.inf)
    beta_error = power_error.copy()
    fresh = np.ones(len(power_error), dtype=bool)  # cells whose middle is not known
    for _ in range(_ROUNDS):
        at = np.flatnonzero(fresh & (_widths(tests)[0] > 0))
        fresh[:] = False
        if not len(at) or len(tests.loss) + len(at) > _MOST:
            break
        middle = more((tests.loss[at] + tests.loss[at + 1]) / 2)
        power_error[at], beta_error[at] = _seen(_drawn(tests, power_error, beta_error), at, middle)
        poor = ~(power_error[at] <= _SETTLED * middle.power) | ~(beta_error[at] <= _SETTLED * middle.beta)
        split = np.flatnonzero(poor & _fits(tests, at, middle) & _fits(middle, np.arange(len(at)), tests, at + 1))
        where = at[split] + 1
        tests = tests.with_more(where, middle, split)
        power_error, beta_error, fresh = (
            np.insert(_set(old, at[split], new), where, new)
            for old, new in ((power_error, math.inf), (beta_error, math.inf), (fresh, True))
        )
    return _drawn(tests, power_error, beta_error)


def _set(old: np.ndarray, at: Rows, new: float) -> np.ndarray:
    old[at] = new
    return old


def _widths(tests: ThresholdTests) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Of the cells, and which are drawn from alpha: each from the end where it has digits."""
    from_alpha = tests.alpha[1:] <= tests.co[1:]
    return np.where(from_alpha, np.diff(tests.alpha), -np.diff(tests.co)), from_alpha


@np.errstate(all="ignore")  # cells without width are not settled
def _drawn(tests: ThresholdTests, power_error: Floats, beta_error: Floats) -> Cells:
    width, from_alpha = _widths(tests)
    slopes = [tests.climb(ends, width / 3) for ends in (slice(-1), slice(1, None))]
    power, beta = (
        np.array([y[:-1], 3 * (y[:-1] + sign * slopes[0]), 3 * (y[1:] - sign * slopes[1]), y[1:]])
        for y, sign in ((tests.power, 1), (tests.beta, -1))
    )
    slack = [np.where(from_alpha, s[0][:-1] + s[0][1:], s[1][:-1] + s[1][1:]) for s in tests.slacks]
    hidden = 0.0 if tests.hidden is None else tests.hidden[:-1] + tests.hidden[1:]
    seen, rounded = (_CAREFUL * power_error, _CAREFUL * beta_error), (slack[0] + hidden, slack[1] + hidden)
    first = (16 * seen[0] + rounded[0]) / tests.power[1:]
    errors = [
        # from 0 power grows with alpha, and so do roundings; the error of a cubic with its square, up to what was seen
        np.where(tests.power[:-1] > 0, (seen[0] + rounded[0]) / tests.power[:-1], first),
        (seen[1] + rounded[1]) / tests.beta[1:],
    ]
    settled = (width > 0) & (errors[0] <= _GOOD) & (errors[1] <= _GOOD)
    start = np.where(from_alpha, tests.alpha[:-1], tests.co[:-1])
    return Cells(tests, settled, from_alpha, start, 1 / width, power, beta, errors[0], errors[1])


@np.errstate(all="ignore")
def _fits(
    first: ThresholdTests, rows: Rows, second: ThresholdTests, others: Rows | slice = slice(None)
) -> npt.NDArray[np.bool_]:
    """Whether from one test to the next, of less loss, power grows by between e^loss of either times alpha.

    Sets of outputs that are narrower than floats are apart have rates without digits, which do not.
    """
    alpha, co = first.alpha[rows], first.co[rows]
    power, beta = first.power[rows], first.beta[rows]
    width = np.where(alpha <= co, second.alpha[others] - alpha, co - second.co[others])
    rise = np.where(power <= beta, second.power[others] - power, beta - second.beta[others])
    steep, flat = first.climb(rows, width), second.climb(others, width)
    return (second.loss[others] < first.loss[rows]) & (width > 0) & (rise <= steep * _MORE) & (rise * _MORE >= flat)


@np.errstate(all="ignore")
def _seen(cells: Cells, at: Rows, middle: ThresholdTests) -> tuple[Floats, Floats]:
    """Largest errors in the cells ``at``, from those at tests in their middles."""
    place = np.where(cells.from_alpha[at], middle.alpha, middle.co)
    t = np.abs(place - cells.start[at]) * cells.per_width[at]
    share = np.where((t > 0.1) & (t < 0.9), 16 * (t * (1 - t)) ** 2, 0.0)  # of the largest error, seen there
    return (
        np.abs(_cubic(cells.power, at, t) - middle.power) / share,
        np.abs(_cubic(cells.beta, at, t) - middle.beta) / share,
    )
