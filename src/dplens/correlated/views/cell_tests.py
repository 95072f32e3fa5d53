"""Many pairs of laws on the same cells of the outputs: upper bounds on their profiles, and the worst at a delta."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._validate import Floats

_ROUNDING = 1e-12  # of log-ratios, times 1 + their size, and of sums over cells
_NARROW = 1e-9  # a span of log-ratios this narrow counts as a single value; results are raised by as much


@dataclass(frozen=True, eq=False)
class CellTests:
    """One row for each case: masses of the cells under P and Q, and the span of log Q/P in each cell."""

    p: Floats
    q: Floats
    low: Floats
    high: Floats

    def both(self) -> CellTests:
        """The same cases, followed by those with the two laws exchanged."""
        pairs = (self.p, self.q), (self.q, self.p), (self.low, -self.high), (self.high, -self.low)
        return CellTests(*(np.concatenate(pair) for pair in pairs))

    def case(self, at: int) -> CellTests:
        """One case in both directions."""
        return CellTests(*(x[at :: len(self.p) // 2] for x in (self.p, self.q, self.low, self.high)))

    def worst(self, delta: float, floor: float, epsilon: Callable[[int, float], float]) -> tuple[float, int | None]:
        """The largest epsilon(delta) of all cases in both directions, and its case, or ``floor`` and None.

        ``epsilon(case, floor)`` computes that of one case. A case is skipped only if its upper bound stays below the
        largest found so far, so the worst cannot be missed.
        """
        best, which, left = floor, None, np.ones(len(self.p) // 2, dtype=bool)
        bound = self.profile(best).reshape(2, -1).max(axis=0)
        while True:
            bound[~left] = -1.0
            at = int(np.argmax(bound))
            if bound[at] <= delta:
                return best, which
            left[at] = False
            value = epsilon(at, best)
            if value > best:
                best, which, bound = value, at, self.profile(value).reshape(2, -1).max(axis=0)

    def profile(self, epsilon: float) -> Floats:
        """Upper bounds on ∫(dq − e^eps·dp)⁺: in each cell the masses move to the two ends of its span."""
        out = np.maximum(self.q - np.exp(min(epsilon, 700.0)) * self.p, 0.0)
        out[self.high <= epsilon] = 0.0
        at = (self.low < epsilon) & (epsilon < self.high)
        lo, hi, mass = self.low[at], self.high[at], self.q[at]
        with np.errstate(over="ignore", invalid="ignore"):
            share = -np.expm1(epsilon - hi) / -np.expm1(np.minimum(lo - hi, -_NARROW))
            split = np.maximum(mass - np.exp(lo) * self.p[at], 0.0) * share
        out[at] = np.clip(np.nan_to_num(split, nan=np.inf, posinf=np.inf), out[at], mass) + _NARROW * mass
        return out.sum(axis=1) * (1 + _ROUNDING) + 1e-14

    def profiles(self, epsilons: Floats) -> Floats:
        """The same at many epsilons, with relative accuracy for small values.

        Sorts the masses at the ends of the spans and sums them from the largest log-ratio down.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.maximum(self.high - self.low, _NARROW)
            up = (self.q - np.exp(self.low) * self.p) / -np.expm1(-width)
            up = np.clip(np.where(np.isfinite(self.low), up, self.q), 0.0, self.q)
        q, loss = self.q, self.high
        if (width[np.isfinite(width)] > _NARROW).any():  # otherwise all mass may stay at the upper end
            q, loss = np.concatenate([up, q - up], axis=1), np.concatenate([self.high, self.low], axis=1)
        order = np.argsort(-loss, axis=1)
        q, loss = np.take_along_axis(q, order, axis=1), np.take_along_axis(loss, order, axis=1)
        power, alpha = np.cumsum(q, axis=1), np.cumsum(q * np.exp(-np.maximum(loss, 0.0)), axis=1)
        out = np.empty((len(q), len(epsilons)))
        for row in range(len(q)):
            count = np.searchsorted(-loss[row], -epsilons)
            a, b = (np.append(0.0, side[row])[count] for side in (power, alpha))
            out[row] = a * (1 + 4 * _NARROW) - np.exp(epsilons) * b
        return np.maximum(out, 0.0)

    def epsilon(self, delta: float, low: float, tolerance: float) -> float:
        """An upper bound over all rows, at a delta, which is known to exceed ``low``."""
        step = max(tolerance, 1e-3)
        high = low + step
        while float(self.profile(high).max()) > delta:
            low, step = high, 4 * step
            high = low + step
            if high > 700:
                return math.inf
        while high - low > tolerance:
            middle = (low + high) / 2
            low, high = (middle, high) if float(self.profile(middle).max()) > delta else (low, middle)
        return high


@dataclass(frozen=True, eq=False)
class CellLaws:
    """N laws on C cells: masses, log-densities at both ends, and how far these can lie below their chord."""

    mass: Floats
    left: Floats
    right: Floats
    gap: Floats

    def tests(self, first: Any, second: Any) -> CellTests:
        """The cases of the laws ``first`` (P) against the laws ``second`` (Q)."""
        with np.errstate(invalid="ignore"):
            ends = [side[second] - side[first] for side in (self.left, self.right)]
            low, high = np.minimum(*ends), np.maximum(*ends)
            wide = _ROUNDING * (1 + np.abs(low))
            low, high = low - wide - self.gap[second], high + wide + self.gap[first]
        unknown = ~(np.isfinite(low) & np.isfinite(high))  # the densities underflowed
        low[unknown], high[unknown] = -np.inf, np.inf
        return CellTests(self.mass[first], self.mass[second], low, high)
