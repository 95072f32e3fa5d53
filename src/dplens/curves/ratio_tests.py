"""Tests by a threshold on a likelihood ratio, with their rates and the lines through them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats

Rows = npt.NDArray[np.intp]

_ROUND = 4e-15  # relative error of the masses of intervals that are not small
_DIGITS = 4.5e-16  # the same for each unit of the log of a small one, which is as good as that log


@dataclass(frozen=True, eq=False)
class ThresholdTests:
    """Tests that accuse where log q/p exceeds ``loss``; ``co`` is 1 − alpha, ``beta`` 1 − power.

    ``hidden``: by how much the power over e^loss·alpha of each may exceed what floats show.
    ``doubts``: errors of the four rates beyond their usual rounding, one row each.
    """

    loss: Floats
    alpha: Floats
    co: Floats
    power: Floats
    beta: Floats
    hidden: Floats | None = None
    doubts: Floats | None = None

    @cached_property
    def _keys(self) -> Floats:
        return np.maximum.accumulate(_key(self.alpha, self.co))

    def about(self, alpha: Floats, co: Floats) -> tuple[Rows, Rows]:
        """Of a table of falling thresholds: the nearest tests that accuse no more often than alpha, and more often."""
        after = np.searchsorted(self._keys, _key(alpha, co), side="right")
        return np.maximum(after - 1, 0), np.minimum(after, len(self.loss) - 1)

    @cached_property
    def _half(self) -> Floats:
        return half_ratio(self.loss)

    def with_more(self, where: Rows, others: ThresholdTests, rows: Rows) -> ThresholdTests:
        """These and some of the ``others``, each before the test at ``where``."""
        mine, new = ((t.loss, t.alpha, t.co, t.power, t.beta, t.hidden, t.doubts) for t in (self, others))
        merged = [None if x is None or y is None else np.insert(x, where, y[..., rows], -1) for x, y in zip(mine, new)]
        return ThresholdTests(*merged)  # pyright: ignore[reportArgumentType]

    @property
    def errors(self) -> Floats:
        return np.zeros((4, len(self.loss))) if self.doubts is None else self.doubts

    def surely(self, rows: Rows, low: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats, Floats]:
        """The four rates, with no more power than there is at that alpha, or that co where not ``low``."""
        alpha, co, power, beta = self.errors[:, rows]
        with np.errstate(over="ignore"):
            fewer = np.where(low, alpha, co) * self._half[rows] * self._half[rows]
        power = np.maximum(self.power[rows] - power - fewer, 0.0)
        return self.alpha[rows], self.co[rows], power, self.beta[rows] + beta + fewer

    @cached_property
    def slacks(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Rounding errors of power and of beta, each for lines that are drawn from alpha and from co."""
        with np.errstate(over="ignore"):
            low, high = ((blur(y) + e) * self._half * self._half for y, e in zip((self.alpha, self.co), self.errors))
        power, beta = (blur(y) + e for y, e in zip((self.power, self.beta), self.errors[2:]))
        return (power + low, power + high), (beta + low, beta + high)

    def line(self, rows: Rows, alpha: Floats, co: Floats, as_power: bool, seen: bool) -> tuple[Floats, Floats]:
        """Power, or −beta, on the tangents at the tests of ``rows``, which no curve exceeds, and its error.

        ``seen``: without what is hidden from floats.
        """
        low = alpha <= co
        rise = self.climb(rows, np.where(low, alpha - self.alpha[rows], self.co[rows] - co))
        slack = self.slacks[0 if as_power else 1]
        error = np.where(low, slack[0][rows], slack[1][rows])
        if self.hidden is not None and not seen:
            error = error + self.hidden[rows]
        return (self.power[rows] + rise if as_power else rise - self.beta[rows]), error

    def climb(self, rows: Rows | slice, step: Floats) -> Floats:
        """e^loss·step."""
        half = self._half[rows]
        with np.errstate(over="ignore"):
            return step * half * half


def _key(alpha: Floats, co: Floats) -> Floats:
    """A number that rises with alpha and tells rates apart that are next to 0 or next to 1."""
    with np.errstate(divide="ignore", over="ignore"):
        return 1 / np.where(alpha <= co, -alpha, co)


def half_ratio(loss: Floats) -> Floats:
    """e^(loss/2): a product with it twice neither overflows on the way nor costs digits of what is multiplied."""
    return np.exp(np.minimum(loss, 1400.0) / 2)  # beyond that a step is 0, or the product is not a float


def blur(mass: Floats) -> Floats:
    """How far a mass may be off: tails are exponentials, whose relative error grows with the size of the exponent."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mass > 0, mass * (_ROUND - _DIGITS * np.log(mass)), 0.0)


def least(rows: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Of several lines with their rounding errors, the one whose upper end is least."""
    line, slack = rows[0]
    for other, doubt in rows[1:]:
        below = other + doubt < line + slack
        line, slack = np.where(below, other, line), np.where(below, doubt, slack)
    return line, slack
