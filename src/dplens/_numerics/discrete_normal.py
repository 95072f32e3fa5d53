"""The discrete Gaussian on the integers, with full relative accuracy in its tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, ndtri_exp

from dplens._numerics import normal
from dplens._numerics.lattice import reflect, settle

Floats = npt.NDArray[np.float64]

_TABLE_BELOW = 200.0  # from this sigma on the Euler–Maclaurin series is exact to the last digits
_MIDPOINT = ((1, 1 / 24), (3, -7 / 5760), (5, 31 / 967680), (7, -127 / 154828800))


@dataclass(frozen=True)
class DiscreteNormalNoise:
    """P(k) ∝ e^{−k²/(2·sigma²)} (Canonne, Kamath & Steinke 2020).

    Tails are summed from a table for small sigma. For large sigma they are the midpoint Euler–Maclaurin
    series about the normal tail, whose terms fall by (x/(2π·sigma))² each: below 1e-15 after four.
    """

    sigma: float
    _table: Floats | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = None
        if self.sigma < _TABLE_BELOW:
            k = np.arange(1, math.ceil(39 * self.sigma) + 4, dtype=np.longdouble)
            mass = np.exp(-0.5 * (k / self.sigma) ** 2)
            tail = np.cumsum(mass[::-1])[::-1]
            table = np.concatenate([tail / (1 + 2 * tail[0]), [0.0]]).astype(np.float64)
        object.__setattr__(self, "_table", table)

    @property
    def spread(self) -> float:
        return self.sigma

    def upper(self, k: Floats) -> Floats:
        m = np.where(k >= 1, k, 1 - k)
        if self._table is not None:
            return reflect(k, self._table[np.minimum(m, len(self._table)).astype(np.int64) - 1])
        x = (m - 0.5) / self.sigma
        square = x * x
        a, b, c, d = self._series_coefficients
        series = x * (a + square * (b + square * (c + square * d)))
        return reflect(k, ndtr(-x) + np.exp(-0.5 * square) * series)

    @cached_property
    def _series_coefficients(self) -> tuple[float, ...]:
        """The midpoint corrections of the tail as an odd polynomial in x, times the normal density."""
        total = np.zeros(8)
        for n, c in _MIDPOINT:
            total[: n + 1] -= c * np.polynomial.hermite_e.herme2poly([0.0] * n + [1.0]) / self.sigma ** (n + 1)
        return tuple((total[1::2] / math.sqrt(2 * math.pi)).tolist())

    def first_below(self, level: Floats) -> Floats:
        if self._table is not None:
            return np.searchsorted(-self._table, -level, side="left").astype(np.float64) + 1
        return settle(self, np.maximum(np.ceil(0.5 - self.sigma * ndtri(level)), 1.0), level)

    def condition(self, k: Floats) -> Floats:
        return (k / self.sigma) ** 2

    def log_ratio(self, k: Floats, shift: int) -> Floats:
        return (2 * k - shift) * (shift / (2 * self.sigma**2))

    def log_mass(self, k: Floats) -> Floats:
        return -0.5 * (k / self.sigma) ** 2

    def guess_first_above(self, loss: Floats, shift: int) -> Floats:
        return np.floor(loss * self.sigma**2 / shift + shift / 2) + 1

    def max_loss(self, shift: int) -> float:
        return math.inf

    def profile(self, k: float, shift: int, epsilon: float) -> float:
        # rounding may have put the threshold a step too high or too low
        k = next(j for j in (k - 1, k, k + 1) if self._beyond(j, shift, epsilon) > 0)
        gap = self._beyond(k, shift, epsilon)
        return self._summed(k, shift, gap) if self._table is not None else self._series(k, shift, epsilon, gap)

    def _beyond(self, k: float, shift: int, epsilon: float) -> float:
        """loss(k) − epsilon without cancellation."""
        twice_variance = 2 * Fraction(self.sigma) ** 2
        return float(((2 * int(k) - shift) * shift - twice_variance * Fraction(epsilon)) / twice_variance)

    def _summed(self, k: float, shift: int, gap: float) -> float:
        """Σ P(N = j − shift)·(1 − e^{epsilon − loss(j)}): every term ≥ 0, nothing cancels."""
        j = np.arange(k, max(k, shift) + 40 * self.sigma + 2)
        mass = np.exp(-0.5 * ((j - shift) / self.sigma) ** 2)
        gain = -np.expm1(-gap - (j - k) * (shift / self.sigma**2))
        return math.fsum(mass * gain) / _theta(self.sigma, 0.0)

    def _series(self, k: float, shift: int, epsilon: float, gap: float) -> float:
        """The same sum by Euler–Maclaurin about its integral from k − ½, in Mills ratios."""
        width = shift / self.sigma
        u = (k - 0.5 - shift) / self.sigma
        log_w = shift / (2 * self.sigma**2) - gap  # epsilon − loss(k − ½)
        at, after = np.array([u]), np.array([u + width])
        density = math.exp(float(normal.log_density(at)[0]))
        if u < -5:
            integral = float(ndtr(-u) - np.exp(epsilon + normal.log_ndtr(-after)[0]))
        else:
            drop = normal.mills_drop(at, width)[0] - math.expm1(log_w) * normal.mills(after)[0]
            integral = density * float(drop)
        ends = _midpoint_terms(self.sigma, lambda n: math.exp(log_w) * _hermite(n, after) - _hermite(n, at))
        return integral + density * float(ends[0])

    def normal_quantile(self, k: Floats) -> Floats:
        """Φ⁻¹ of P(N ≥ k); in logs where the noise is so small that its tails underflow.

        The largest step between neighbours is at the centre, (1 + 1/(24·sigma²))/sigma for large sigma.
        """
        if self.sigma > 0.2:
            return normal.quantile(self.upper(k), self.upper(1 - k))
        m = np.where(k >= 1, k, 1 - k)
        j = np.arange(8.0)[:, None]
        log_tail = -0.5 * (m / self.sigma) ** 2 + np.log(np.exp(-(j * j + 2 * j * m) / (2 * self.sigma**2)).sum(axis=0))
        z = ndtri_exp(log_tail - math.log(_theta(self.sigma, 0.0)))
        return np.where(k >= 1, z, -z)

    def renyi(self, shift: int, order: float) -> float:
        """order·shift²/(2·sigma²) plus the wobble of a theta sum, which only a small sigma shows."""
        main = order * shift**2 / (2 * self.sigma**2)
        if order == 1 or self.sigma > 2.5:  # at order 1 the mean of the loss is exact; the wobble is < 1e-50
            return main
        wobble = math.log(_theta(self.sigma, order * shift)) - math.log(_theta(self.sigma, 0.0))
        return main + wobble / (order - 1)


def _theta(sigma: float, centre: float) -> float:
    """Σ_k e^{−(k − centre)²/(2·sigma²)}."""
    offset = centre - round(centre)
    reach = math.ceil(39 * sigma) + 2
    k = np.arange(-reach, reach + 1.0)
    return math.fsum(np.exp(-0.5 * ((k - offset) / sigma) ** 2))


def _midpoint_terms(sigma: float, derivative: Callable[[int], Floats]) -> Floats:
    """The end corrections of the midpoint Euler–Maclaurin series, from odd derivatives in units of sigma."""
    return np.sum([c * derivative(n) / sigma ** (n + 1) for n, c in _MIDPOINT], axis=0)


def _hermite(n: int, x: Floats) -> Floats:
    """The probabilists' Hermite polynomial Heₙ(x), n ≥ 1."""
    previous, current = np.ones_like(x), x
    for j in range(1, n):
        previous, current = current, x * current - j * previous
    return current
