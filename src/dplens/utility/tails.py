"""Laws of published numbers, known by both their tails, each between two ends.

A tail is enclosed: low ≤ truth ≤ high. Critical values and p-values are taken from the high end, so a test never
rejects too often; power is quoted with both.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from dplens._numerics.lattice import LatticeNoise
from dplens._numerics.search import sign_change
from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.utility import normal_laplace

Bracket = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)


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
    def tail(self, x: Floats, sign: int) -> Bracket:
        """P(T ≥ x), with ``sign`` −1 P(T ≤ x), from below and from above."""

    def upper(self, x: Floats) -> Bracket:
        """P(T ≥ x), from below and from above."""
        return self.tail(np.asarray(x, float), +1)

    def lower(self, x: Floats) -> Bracket:
        """P(T ≤ x), from below and from above."""
        return self.tail(np.asarray(x, float), -1)

    def upper_quantile(self, level: float) -> float:
        """The least x with P(T ≥ x) ≤ level for sure: where a one-sided test at that level begins to reject."""
        return self._quantile(level, +1)

    def lower_quantile(self, level: float) -> float:
        """The largest x with P(T ≤ x) ≤ level for sure."""
        return self._quantile(level, -1)

    def least_quantile(self, level: float, found: float, sign: int) -> float:
        """A place no further out than the exact upper (``sign`` 1) or lower (−1) quantile, ``found`` being no nearer.

        Where the tail is at least the level for sure: a little inwards, by what its bracket leaves open there.
        """
        if self.step is not None or not math.isfinite(found):
            return found

        def missing(x: float) -> float:
            low = float(self.tail(np.array([x]), sign)[0][0])
            return math.log(level) - math.log(low) if low > 0 else math.inf

        near = 1e-4 * self.spread
        fall = (missing(found) - missing(found - sign * near)) / near  # of the logarithm of the tail
        start = missing(found) / fall if math.isfinite(fall) and fall > 0 else near
        step = max(start, 4 * _EPS * max(abs(found), self.spread))
        for _ in range(60):
            inner = found - sign * step
            if missing(inner) <= -_EPS * abs(math.log(level)):
                return inner
            step *= 1.25 if step < 8 * start else 4.0
        return -sign * math.inf

    def _quantile(self, level: float, sign: int) -> float:
        # a p-value at the quantile is at most the level in floats too, where logarithms are rounded
        most = math.log(level) - (0.0 if self.step is not None else 4e-16 * (1 + abs(math.log(level))))

        def excess(x: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(self.tail(x, sign)[1]) - most

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


def _enclosed(tail: Floats, error: Floats | float) -> Bracket:
    # a tail that underflows is not 0
    return tail * np.maximum(1 - error, 0.0), np.clip(tail * (1 + error), 5e-324, 1.0)


@dataclass(frozen=True, kw_only=True)
class SymmetricTail(TailLaw):
    """A law symmetric about ``at``, from one tail in closed form."""

    at: float = 0.0

    @property
    def centre(self) -> float:
        return self.at

    @abstractmethod
    def _tail(self, d: Floats) -> tuple[Floats, Floats]:
        """P(T ≥ at + d) and its relative error."""

    def tail(self, x: Floats, sign: int) -> Bracket:
        with np.errstate(under="ignore"):
            return _enclosed(*self._tail(sign * (x - self.at)))


@dataclass(frozen=True)
class NormalTail(SymmetricTail):
    """N(at, sd²); tails of many such laws at once where ``sd`` is an array."""

    sd: Any

    @property
    def spread(self) -> float:
        return self.sd

    def _tail(self, d: Floats) -> tuple[Floats, Floats]:
        with np.errstate(over="ignore"):
            return ndtr(-d / self.sd), normal_laplace.slack(d, self.sd)


@dataclass(frozen=True)
class NormalLaplaceTail(SymmetricTail):
    """N(at, s²) plus Laplace noise of the given scale; arrays as for :class:`NormalTail`."""

    s: Any
    scale: Any

    @property
    def spread(self) -> float:
        return math.hypot(self.s, self.scale)

    def _tail(self, d: Floats) -> tuple[Floats, Floats]:
        return np.exp(normal_laplace.log_upper(d, self.s, self.scale)), normal_laplace.slack(d, self.s, self.scale)


@dataclass(frozen=True)
class LaplaceTail(SymmetricTail):
    """Laplace noise by itself."""

    scale: float

    @property
    def spread(self) -> float:
        return self.scale

    def _tail(self, d: Floats) -> tuple[Floats, Floats]:
        y = d / self.scale
        tail = 0.5 * np.exp(-np.abs(y))
        return np.where(y >= 0, tail, 1 - tail), 8 * _EPS * (2 + np.clip(y, 0.0, 1e100))


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

    def tail(self, x: Floats, sign: int) -> Bracket:
        found = (sign * x <= 0).astype(float)
        return found, found


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

    def tail(self, x: Floats, sign: int) -> Bracket:
        k = np.ceil(sign * x)
        with np.errstate(under="ignore", over="ignore"):
            error = 16 * _EPS * (2 + np.where(k > 0, np.minimum(self.noise.condition(k), 1e100), 1.0))
            return _enclosed(np.minimum(self.noise.upper(k), 1.0), error)


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

    def tail(self, x: Floats, sign: int) -> Bracket:
        return self.base.tail(x - self.by, sign)

    def _quantile(self, level: float, sign: int) -> float:
        return self.base._quantile(level, sign) + self.by

    def least_quantile(self, level: float, found: float, sign: int) -> float:
        return self.base.least_quantile(level, found - self.by, sign) + self.by
