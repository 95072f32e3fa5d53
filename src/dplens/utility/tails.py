"""Laws of published numbers, known by both their tails, each between two ends.

A tail is enclosed: low ≤ truth ≤ high. Critical values and p-values are taken from the high end, so a test never
rejects too often; power is quoted with both.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dplens._numerics.lattice import LatticeNoise
from dplens._numerics.search import sign_change
from dplens.errors import Undefined
from dplens.utility import normal_laplace

Floats = npt.NDArray[np.float64]
Bracket = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)
_CELLS = 4_000_000  # entries of a table worked on at a time


class TailLaw(ABC):
    """The law of a published number T.

    route and note: how it is known, for certificates. step: T lies on the whole multiples of it, None where it is
    continuous. centre and spread: where, and how widely, it lies. width: how closely quantiles are searched.
    """

    route: str = "exact"
    note: str = ""
    step: float | None = None
    width: float = 4 * _EPS

    @property
    @abstractmethod
    def centre(self) -> float:
        """Somewhere in the middle."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """A length over which its tails change."""

    @abstractmethod
    def upper(self, x: Floats) -> Bracket:
        """P(T ≥ x), from below and from above."""

    @abstractmethod
    def lower(self, x: Floats) -> Bracket:
        """P(T ≤ x), from below and from above."""

    def upper_quantile(self, level: float) -> float:
        """The least x with P(T ≥ x) ≤ level for sure: where a one-sided test at that level begins to reject."""
        return self._quantile(level, self.upper, +1)

    def lower_quantile(self, level: float) -> float:
        """The largest x with P(T ≤ x) ≤ level for sure."""
        return self._quantile(level, self.lower, -1)

    def _quantile(self, level: float, tail: Callable[[Floats], Bracket], sign: int) -> float:
        def excess(x: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(tail(x)[1]) - math.log(level)

        def at(x: float) -> float:
            return float(excess(np.array([x]))[0])

        unit = self.spread
        near, far = self.centre, self.centre
        for _ in range(1100):
            if at(far) <= 0:
                break
            near, far, unit = far, far + sign * unit, 2 * unit
            if not math.isfinite(far):
                raise Undefined(
                    f"The tail of the published number is not known closely enough for a level of {level:g}. "
                    f"{self.note} Use a larger level, or noise whose tails are known."
                )
        unit = self.spread
        while at(near) <= 0:
            near, unit = near - sign * unit, 2 * unit
            if not math.isfinite(near):
                return -sign * math.inf
        if self.step is not None:
            return self._on_lattice(at, near, far, sign)
        _, right = sign_change(excess, np.array([near]), np.array([far]), width=self.width)
        return float(right[0])

    def _on_lattice(self, at: Callable[[float], float], near: float, far: float, sign: int) -> float:
        step = self.step or 1.0
        a, b = math.floor(sign * near / step), math.ceil(sign * far / step)
        while b - a > 1:
            m = (a + b) // 2
            a, b = (a, m) if at(sign * m * step) <= 0 else (m, b)
        return sign * b * step


def _symmetric(tail: Floats, error: Floats) -> Bracket:
    # a tail that underflows is not 0
    return tail * np.maximum(1 - error, 0.0), np.clip(tail * (1 + error), 5e-324, 1.0)


@dataclass(frozen=True)
class NormalTail(TailLaw):
    """N(at, sd²)."""

    sd: float
    at: float = 0.0

    @property
    def centre(self) -> float:
        return self.at

    @property
    def spread(self) -> float:
        return self.sd

    def upper(self, x: Floats) -> Bracket:
        d = np.asarray(x, float) - self.at
        with np.errstate(under="ignore"):
            return _symmetric(ndtr(-d / self.sd), normal_laplace.slack(d, self.sd))

    def lower(self, x: Floats) -> Bracket:
        return NormalTail(self.sd).upper(self.at - np.asarray(x, float))


@dataclass(frozen=True)
class NormalLaplaceTail(TailLaw):
    """N(at, s²) plus Laplace noise of the given scale."""

    s: float
    scale: float
    at: float = 0.0

    @property
    def centre(self) -> float:
        return self.at

    @property
    def spread(self) -> float:
        return math.hypot(self.s, self.scale)

    def upper(self, x: Floats) -> Bracket:
        d = np.asarray(x, float) - self.at
        with np.errstate(under="ignore"):
            tail = np.exp(normal_laplace.log_upper(d, self.s, self.scale))
            return _symmetric(tail, normal_laplace.slack(d, self.s, self.scale))

    def lower(self, x: Floats) -> Bracket:
        return NormalLaplaceTail(self.s, self.scale).upper(self.at - np.asarray(x, float))


@dataclass(frozen=True)
class PointTail(TailLaw):
    """0, always: no noise on a whole number."""

    step = 1.0

    @property
    def centre(self) -> float:
        return 0.0

    @property
    def spread(self) -> float:
        return 1.0

    def upper(self, x: Floats) -> Bracket:
        found = (np.asarray(x, float) <= 0).astype(float)
        return found, found

    def lower(self, x: Floats) -> Bracket:
        found = (np.asarray(x, float) >= 0).astype(float)
        return found, found


@dataclass(frozen=True)
class LaplaceTail(TailLaw):
    """Laplace noise by itself."""

    scale: float
    at: float = 0.0

    @property
    def centre(self) -> float:
        return self.at

    @property
    def spread(self) -> float:
        return self.scale

    def upper(self, x: Floats) -> Bracket:
        y = (np.asarray(x, float) - self.at) / self.scale
        with np.errstate(under="ignore"):
            tail = 0.5 * np.exp(-np.abs(y))
        return _symmetric(np.where(y >= 0, tail, 1 - tail), 8 * _EPS * (2 + np.minimum(np.abs(y), 1e100)))

    def lower(self, x: Floats) -> Bracket:
        return LaplaceTail(self.scale).upper(self.at - np.asarray(x, float))


@dataclass(frozen=True)
class WholeTail(TailLaw):
    """Whole-number noise by itself."""

    noise: LatticeNoise
    step = 1.0

    @property
    def centre(self) -> float:
        return 0.0

    @property
    def spread(self) -> float:
        return max(self.noise.spread, 1.0)

    def upper(self, x: Floats) -> Bracket:
        k = np.ceil(np.asarray(x, float))
        with np.errstate(under="ignore", over="ignore"):
            error = 16 * _EPS * (2 + np.minimum(self.noise.condition(k), 1e100))
            return _symmetric(np.minimum(self.noise.upper(k), 1.0), error)

    def lower(self, x: Floats) -> Bracket:
        return self.upper(-np.asarray(x, float))


@dataclass(frozen=True, eq=False)
class TableTail(TailLaw):
    """A law on the whole numbers from ``start`` on, by its masses; ``missing`` is what they may leave out."""

    start: int
    masses: Floats
    missing: float = 0.0
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

    def upper(self, x: Floats) -> Bracket:
        i = np.clip(np.ceil(np.asarray(x, float)) - self.start, 0, len(self.masses)).astype(np.int64)
        return self._enclosed(self._sums[0][i])

    def lower(self, x: Floats) -> Bracket:
        i = np.clip(np.floor(np.asarray(x, float)) - self.start + 1, 0, len(self.masses)).astype(np.int64)
        return self._enclosed(self._sums[1][i])

    def _enclosed(self, tail: Floats) -> Bracket:
        error = 1e-13 + 4 * _EPS * math.sqrt(len(self.masses))
        return np.maximum(tail * (1 - error), 0.0), np.minimum(tail * (1 + error) + self.missing, 1.0)


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

    def upper(self, x: Floats) -> Bracket:
        return self._mixed(np.asarray(x, float), self.other.upper)

    def lower(self, x: Floats) -> Bracket:
        return self._mixed(np.asarray(x, float), self.other.lower)

    def _mixed(self, x: Floats, tail: Callable[[Floats], Bracket]) -> Bracket:
        flat = np.ravel(x)
        low, high = np.empty_like(flat), np.empty_like(flat)
        rows = max(1, _CELLS // len(self.places))
        for start in range(0, len(flat), rows):
            part = slice(start, start + rows)
            ends = tail(flat[part, None] - self.places)
            low[part], high[part] = (np.asarray(e) @ self.masses for e in ends)
        high = np.minimum(high * (1 + self.error) + self.missing, 1.0)
        return (low * (1 - self.error)).reshape(x.shape), high.reshape(x.shape)


@dataclass(frozen=True, eq=False)
class ShiftedTail(TailLaw):
    """T + by."""

    base: TailLaw
    by: float

    def __post_init__(self) -> None:
        for name in ("route", "note", "width"):
            object.__setattr__(self, name, getattr(self.base, name))

    @property
    def centre(self) -> float:
        return self.base.centre + self.by

    @property
    def spread(self) -> float:
        return self.base.spread

    def upper(self, x: Floats) -> Bracket:
        return self.base.upper(np.asarray(x, float) - self.by)

    def lower(self, x: Floats) -> Bracket:
        return self.base.lower(np.asarray(x, float) - self.by)

    def upper_quantile(self, level: float) -> float:
        return self.base.upper_quantile(level) + self.by

    def lower_quantile(self, level: float) -> float:
        return self.base.lower_quantile(level) + self.by
