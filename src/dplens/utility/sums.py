"""Laws on whole numbers, and sums of a discrete variable and another one: finite sums of positive terms."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import Shared, cached_property
from dplens._validate import Floats
from dplens.utility.tails import Bracket, TailLaw

_EPS = float(np.finfo(float).eps)
_CELLS = 4_000_000  # entries of a table worked on at a time


@dataclass(frozen=True, eq=False)
class TableTail(Shared, TailLaw):
    """A law on the whole numbers from ``start`` on, by its masses; ``missing`` is what they may leave out.

    unsure: absolute error of any sum of them. error: relative, of the masses.
    """

    start: int
    masses: Floats
    missing: float = 0.0
    unsure: float = 0.0
    error: float = 0.0
    step = 1.0

    @property
    def centre(self) -> float:
        return float(self.start + np.searchsorted(np.cumsum(self.masses), 0.5))

    @property
    def spread(self) -> float:
        return max(1.0, math.sqrt(len(self.masses)))

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        above = np.concatenate([np.cumsum(self.masses[::-1])[::-1], [0.0]])
        below = np.concatenate([[0.0], np.cumsum(self.masses)])
        return np.minimum(above, 1.0), np.minimum(below, 1.0)

    def tail(self, x: Floats, sign: int) -> Bracket:
        at = np.ceil(x) - self.start if sign > 0 else np.floor(x) - self.start + 1
        tail = self._sums[0 if sign > 0 else 1][np.clip(at, 0, len(self.masses)).astype(np.int64)]
        error = 1e-13 + self.error + _EPS * len(self.masses)
        low, high = tail * (1 - error) - self.unsure, tail * (1 + error) + self.missing + self.unsure
        return np.maximum(low, 0.0), np.minimum(high, 1.0)


@dataclass(frozen=True, eq=False)
class SumTail(TailLaw):
    """A discrete variable plus an independent other one: Σ mass·P(other ≥ x − place), terms that are all positive.

    error: relative, of the masses. missing: mass that they may leave out.
    """

    places: Floats
    masses: Floats
    other: TailLaw
    error: float = 1e-13
    missing: float = 0.0

    def __post_init__(self) -> None:
        whole = self.other.step == 1.0 and bool((self.places == np.floor(self.places)).all())
        object.__setattr__(self, "step", 1.0 if whole else None)
        object.__setattr__(self, "route", self.other.route)
        object.__setattr__(self, "note", self.other.note)

    @property
    def centre(self) -> float:
        return float(self.places @ self.masses / self.masses.sum()) + self.other.centre

    @property
    def spread(self) -> float:
        middle = self.places @ self.masses / self.masses.sum()
        own = math.sqrt(float(((self.places - middle) ** 2) @ self.masses / self.masses.sum()))
        return math.hypot(own, self.other.spread)

    def tail(self, x: Floats, sign: int) -> Bracket:
        low, high = (end.reshape(x.shape) for end in self._mixed(np.ravel(x), sign))
        return low * (1 - self.error), np.minimum(high * (1 + self.error) + self.missing, 1.0)

    def _mixed(self, x: Floats, sign: int) -> Bracket:
        low, high = np.empty_like(x), np.empty_like(x)
        rows = max(1, _CELLS // len(self.places))
        for start in range(0, len(x), rows):
            part = slice(start, start + rows)
            low[part], high[part] = (end @ self.masses for end in self.other.tail(x[part, None] - self.places, sign))
        return low, high


@dataclass(frozen=True, eq=False)
class WorstSum(SumTail):
    """The largest tail of several such sums with the same other variable; places of the i-th begin at ``starts[i]``."""

    starts: tuple[int, ...] = (0,)

    def _mixed(self, x: Floats, sign: int) -> Bracket:
        found = []
        for at in x:
            terms = (end * self.masses for end in self.other.tail(at - self.places, sign))
            found.append([np.add.reduceat(t, self.starts).max() for t in terms])
        low, high = np.array(found).reshape(-1, 2).T
        return low, high


@dataclass(frozen=True, eq=False)
class RoundedTail(TailLaw):
    """A whole number whose law is only known as a smooth one, ``base``: P(T ≥ k) is that of the smooth one ≥ k − ½.

    Without that half a test that rejects from some place between two whole numbers on would reject at more than its
    level. unit and at: T lies on k·unit − at.
    """

    base: TailLaw
    unit: float
    at: float

    def __post_init__(self) -> None:
        for name in ("route", "note", "width"):
            object.__setattr__(self, name, getattr(self.base, name))

    @property
    def centre(self) -> float:
        return self.base.centre

    @property
    def spread(self) -> float:
        return self.base.spread

    def nearest(self, x: Floats, rounding: Callable[[Floats], Floats] = np.rint) -> Floats:
        """The places of T at x, or next to it."""
        k = (np.asarray(x, float) + self.at) / self.unit
        close = np.abs(k - np.rint(k)) <= 1e-9 * (1 + np.abs(k))  # a place itself, but for rounding
        return np.where(close, np.rint(k), rounding(k)) * self.unit - self.at

    def tail(self, x: Floats, sign: int) -> Bracket:
        return self.base.tail(self.nearest(x, _outwards(sign)) - sign * self.unit / 2, sign)

    def _quantile(self, level: float, sign: int) -> float:
        """The first place that keeps the level: the next one, where rounding made one of what lies before."""
        found = self.nearest(np.array([self.base._quantile(level, sign) + sign * self.unit / 2]), _outwards(sign))
        return float(found[0]) + (0.0 if self.tail(found, sign)[1][0] <= level else sign * self.unit)

    def least_quantile(self, level: float, found: float, sign: int) -> float:
        return found  # a place, as the quantile itself is


def _outwards(sign: int) -> Callable[[Floats], Floats]:
    return np.ceil if sign > 0 else np.floor
