"""Laws of published numbers, described by enclosed tail probabilities.

Every tail probability comes with two ends, low ≤ truth ≤ high. Critical values and p-values use the high end, so a test
never rejects too often; power is reported with both.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtr

from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.numerics.laws import normal_laplace
from dplens.numerics.laws.discrete_gaussian import LatticeNoise
from dplens.numerics.roots import sign_change

Ends = tuple[Floats, Floats]

_EPS = float(np.finfo(float).eps)


class TailLaw(ABC):
    """The law of a published number T.

    route and note: for certificates. step: the spacing of T's lattice, None if T is continuous. centre and
    scale: location and scale. width: relative tolerance of quantiles.
    """

    route: str = "exact"
    note: str = ""
    step: float | None = None
    width: float = 4 * _EPS
    centre: float
    scale: float

    @abstractmethod
    def tail(self, x: Floats, sign: int) -> Ends:
        """Both ends of P(T ≥ x), or with ``sign`` −1 of P(T ≤ x)."""

    def quantile(self, level: float, sign: int, end: int = 1) -> float:
        """The first x outwards whose upper (``sign`` 1) or lower (−1) tail is at most ``level`` for certain.

        That is the critical value of a one-sided test at that level. With ``end`` 0, a point just inside of it, at
        which the tail is certain to reach the level (on a lattice the quantile itself).
        """
        end = end if self.step is None else 1
        # allow for rounding of the logarithms, so that the p-value at the quantile is at most the level
        slack = 0.0 if self.step is not None else 4e-16 * (1 + abs(math.log(level)))
        most = math.log(level) - (slack if end else -slack)

        def excess(x: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.log(self.tail(x, sign)[end]) - most

        def at(x: float) -> float:
            return float(excess(np.array([x]))[0])

        near, far = bracket(at, sign, float(self.scale), float(self.centre))
        if not math.isfinite(near):
            return near
        if self.step is not None:
            return self._on_lattice(at, near, far, sign)
        return float(sign_change(excess, np.array([near]), np.array([far]), width=self.width)[end][0])

    def _on_lattice(self, at: Callable[[float], float], near: float, far: float, sign: int) -> float:
        step = self.step or 1.0
        a, b = math.floor(sign * near / step), math.ceil(sign * far / step)
        while b - a > 1:
            m = (a + b) // 2
            a, b = (a, m) if at(sign * m * step) <= 0 else (m, b)
        return sign * b * step


def bracket(excess: Callable[[float], float], sign: int, unit: float, start: float = 0.0) -> tuple[float, float]:
    """Two numbers between which a decreasing excess crosses 0, the outer one last; gives up if it stops decreasing."""
    near, far, step, last, still = start, start + sign * unit, 2 * unit, math.inf, 0
    while (over := excess(far)) > 0:
        near, far, step = far, far + sign * step, 2 * step
        still = still + 1 if over >= last - 1e-6 else 0
        last = over
        if still == 4 or not math.isfinite(far):
            raise Undefined(
                "No critical value keeps the level: the tails of the published number are not known to be that small. "
                "Use a larger level, or noise whose tails are known closely, such as dplens.Laplace or dplens.Gaussian."
            )
    inner, step = near == start, unit
    while inner and math.isfinite(near) and excess(near) <= 0:  # a level above one half
        near, far, step = near - sign * step, near, 2 * step
    return near, far


def _enclosed(tail: Floats, error: Floats | float) -> Ends:
    # subnormal tails have lost their digits, and a tail that underflows is positive
    least = 1e-307
    low = np.where(tail > least, tail * np.maximum(1 - error, 0.0), 0.0)
    return low, np.clip(tail * (1 + error), least, 1.0)


class SymmetricTail(TailLaw):
    """A law symmetric about ``centre`` with a tail in closed form.

    above: maps d to P(T ≥ centre + d) and its relative error; parameters may be arrays, one law each.
    """

    def __init__(
        self, above: Callable[[Floats], tuple[Any, Any]], scale: Any, centre: float = 0.0, step: float | None = None
    ) -> None:
        self.above, self.scale, self.centre, self.step = above, scale, centre, step

    def tail(self, x: Floats, sign: int) -> Ends:
        with np.errstate(under="ignore", over="ignore"):
            return _enclosed(*self.above(sign * (x - self.centre)))


def normal_tail(sd: Any, at: float = 0.0) -> SymmetricTail:
    """N(at, sd²)."""
    return SymmetricTail(lambda d: (ndtr(-d / sd), normal_laplace.slack(d, sd)), sd, at)


def normal_laplace_tail(s: Any, scale: Any, at: float = 0.0) -> SymmetricTail:
    """N(at, s²) plus Laplace noise."""

    def above(d: Floats) -> tuple[Floats, Floats]:
        return np.exp(normal_laplace.log_upper(d, s, scale)), normal_laplace.slack(d, s, scale)

    return SymmetricTail(above, np.hypot(s, scale), at)


def laplace_tail(scale: float, at: float = 0.0) -> SymmetricTail:
    """Laplace noise alone."""

    def above(d: Floats) -> tuple[Floats, Floats]:
        tail = 0.5 * np.exp(-np.abs(d / scale))
        return np.where(d >= 0, tail, 1 - tail), 8 * _EPS * (2 + np.clip(d / scale, 0.0, 1e100))

    return SymmetricTail(above, scale, at)


def point_tail() -> SymmetricTail:
    """The constant 0: no noise on a whole number."""
    return SymmetricTail(lambda d: ((d <= 0).astype(float), 0.0), 1.0, step=1.0)


def whole_tail(noise: LatticeNoise) -> SymmetricTail:
    """Whole-number noise alone."""

    def above(d: Floats) -> tuple[Floats, Floats]:
        k = np.ceil(d)
        error = 16 * _EPS * (2 + np.where(k > 0, np.minimum(noise.condition(k), 1e100), 1.0))
        return np.minimum(noise.upper(k), 1.0), error

    return SymmetricTail(above, max(noise.spread, 1.0), step=1.0)


class ShiftedTail(TailLaw):
    """The law of base + by; with a ``unit``, a continuous approximation to a lattice variable on k·unit − at.

    With the continuity correction P(T ≥ k) is that of the continuous law beyond k − ½. Without it, a test whose
    critical value lies between two lattice points would exceed its level.
    """

    def __init__(self, base: TailLaw, by: float, unit: float = 0.0, at: float = 0.0) -> None:
        self.base, self.by, self.unit, self.at = base, by, unit, at
        self.route, self.note, self.width = base.route, base.note, base.width
        self.centre, self.scale = base.centre + by, base.scale

    def nearest(self, x: Any, sign: int = 0) -> Floats:
        """The nearest lattice points of T, or with a sign the next ones outwards."""
        if not self.unit:
            return np.asarray(x, float)
        k = (np.asarray(x, float) + self.at) / self.unit
        close = np.abs(k - np.rint(k)) <= 1e-9 * (1 + np.abs(k))  # on the lattice but for rounding
        return np.where(close | (sign == 0), np.rint(k), sign * np.ceil(sign * k)) * self.unit - self.at

    def tail(self, x: Floats, sign: int) -> Ends:
        return self.base.tail(self.nearest(x, sign) - self.by - sign * self.unit / 2, sign)

    def quantile(self, level: float, sign: int, end: int = 1) -> float:
        """The quantile; on a lattice the first point that keeps the level, one further if rounding moved it inwards."""
        if not self.unit:
            return self.base.quantile(level, sign, end) + self.by
        found = self.nearest([self.base.quantile(level, sign) + self.by + sign * self.unit / 2], sign)
        return float(found[0]) + (sign * self.unit if self.tail(found, sign)[1][0] > level else 0.0)
