"""The discrete Gaussian on the integers, with full relative accuracy in its tails."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.polynomial.hermite_e import hermeval
from scipy.special import ndtr, ndtri

from dplens._numerics.lattice import reflect, settle
from dplens._numerics.sharing import Shared, cached_property

Floats = npt.NDArray[np.float64]

_TABLE_BELOW = 200.0  # from this sigma on the Euler–Maclaurin series is exact to the last digits
_MIDPOINT = ((1, 1 / 24), (3, -7 / 5760), (5, 31 / 967680), (7, -127 / 154828800))


@dataclass(frozen=True)
class DiscreteNormalNoise(Shared):
    """P(k) ∝ e^{−k²/(2·sigma²)} (Canonne, Kamath & Steinke 2020).

    Tails are summed from a table for small sigma. For large sigma they are the midpoint Euler–Maclaurin
    series about the normal tail, whose terms fall by (x/(2π·sigma))² each: below 1e-15 after four.
    """

    sigma: float

    @cached_property
    def _table(self) -> Floats | None:
        """P(N ≥ k) for k = 1, 2, …, for small sigma."""
        if self.sigma >= _TABLE_BELOW:
            return None
        k = np.arange(1, math.ceil(39 * self.sigma) + 4, dtype=np.longdouble)
        mass = np.exp(-0.5 * (k / self.sigma) ** 2)
        tail = np.cumsum(mass[::-1])[::-1]
        return np.concatenate([tail / (1 + 2 * tail[0]), [0.0]]).astype(np.float64)

    @cached_property
    def _corrections(self) -> Floats:
        """Coefficients of the series in Hermite's polynomials, which are the derivatives of the normal density."""
        found = np.zeros(8)
        for n, coefficient in _MIDPOINT:
            found[n] = -coefficient / math.sqrt(2 * math.pi) * (1 / self.sigma) ** (n + 1)
        return found

    @property
    def spread(self) -> float:
        return self.sigma

    def upper(self, k: Floats) -> Floats:
        m = np.where(k >= 1, k, 1 - k)
        if self._table is not None:
            return reflect(k, self._table[np.minimum(m, len(self._table)).astype(np.int64) - 1])
        x = (m - 0.5) / self.sigma
        near = np.minimum(x, 40.0)  # beyond, both terms are 0
        return reflect(k, ndtr(-x) + np.exp(-0.5 * near * near) * hermeval(near, self._corrections))

    def first_below(self, level: Floats) -> Floats:
        if self._table is not None:
            return np.searchsorted(-self._table, -level, side="left").astype(np.float64) + 1
        return settle(self, np.maximum(np.ceil(0.5 - self.sigma * ndtri(level)), 1.0), level)

    def condition(self, k: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return (k / self.sigma) ** 2

    def log_ratio(self, k: Floats, shift: int) -> Floats:
        with np.errstate(over="ignore", invalid="ignore"):
            loss = (2 * k - shift) / self.sigma * (shift / self.sigma / 2)
        return np.where(2 * k == shift, 0.0, loss)

    def log_mass(self, k: Floats) -> Floats:
        with np.errstate(over="ignore"):  # so far out that nothing is left
            return -0.5 * (k / self.sigma) ** 2

    def guess_first_above(self, loss: Floats, shift: int) -> Floats:
        with np.errstate(over="ignore"):
            return np.floor(loss * self.sigma * (self.sigma / shift) + shift / 2) + 1

    def max_loss(self, shift: int) -> float:
        return math.inf

    def renyi(self, shift: int, order: float) -> float:
        """order·shift²/(2·sigma²) plus the wobble of a theta sum, which only a small sigma shows.

        θ(c) = Σ e^{−(k − c)²/(2·sigma²)} has period 1, so θ(order·shift) = θ((order − 1)·shift).
        """
        # below ½ the worlds, which are mirror images, change places: (1 − a)·D_a = a·D_{1−a}
        a, h = (order, order - 1) if order >= 0.5 else (1 - order, -order)
        main = a * (shift / self.sigma) * (shift / self.sigma) / 2
        # at order 1 the mean of the loss is exact; the wobble of a wide law is < 1e-50
        wobble = 0.0 if h == 0 or self.sigma > 2.5 or math.isinf(main) else _log_theta_ratio(self.sigma, h * shift) / h
        return (main + wobble) * (1.0 if order >= 0.5 else order / (1 - order))


def _log_theta_ratio(sigma: float, centre: float) -> float:
    """log{θ(centre)/θ(0)} = log1p[Σ_{k>0} w_k·2·{cosh(k·c/sigma²) − 1}/θ(0)] − c²/(2·sigma²), c the offset of centre.

    w_k = e^{−k²/(2·sigma²)}; the terms of the sum are positive, and small for a small offset.
    """
    c = abs(centre - round(centre))
    k = np.arange(1.0, math.ceil(39 * sigma) + 3)
    with np.errstate(over="ignore", under="ignore"):
        weight, half = np.exp(-0.5 * (k / sigma) ** 2), k * (c / sigma) / sigma / 2
        far = np.exp(-k * (k - 2 * c) / sigma / sigma / 2) + np.exp(-k * (k + 2 * c) / sigma / sigma / 2) - 2 * weight
        terms = np.where(half < 1, weight * 4 * np.sinh(np.minimum(half, 1.0)) ** 2, far)
    return math.log1p(math.fsum(terms) / (1 + 2 * math.fsum(weight))) - (c / sigma) ** 2 / 2
