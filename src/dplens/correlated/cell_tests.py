"""The best tests between two laws, from the masses of cells and the span of the log-ratio in each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._validate import Floats

_WIDE = 1e-12  # of log-ratios, by rounding
_NARROW = 1e-9  # spans of log-ratios that count as one value


@dataclass(frozen=True, eq=False)
class CellTests:
    """What is known of the cells in every case, a row each: P, Q, and the span of log Q/P."""

    p: Floats
    q: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, p: Floats, q: Floats, ends: Any, below: Floats, above: Floats) -> CellTests:
        """From masses, the log-ratios at both ends of each cell, and how far it may leave their span."""
        with np.errstate(invalid="ignore"):  # densities too small for floats are taken for proof
            low, high = np.minimum(*ends), np.maximum(*ends)
            wide = _WIDE * (1 + np.abs(low))
            low, high = low - wide - below, high + wide + above
        unsure = ~(np.isfinite(low) & np.isfinite(high))
        low[unsure], high[unsure] = -np.inf, np.inf
        return cls(p, q, low, high)

    def both(self) -> CellTests:
        """The same cases, and after them those with the two laws exchanged."""
        pairs = (self.p, self.q), (self.q, self.p), (self.low, -self.high), (self.high, -self.low)
        return CellTests(*(np.concatenate(pair) for pair in pairs))

    def row(self, at: int) -> CellTests:
        return CellTests(*(x[at : at + 1] for x in (self.p, self.q, self.low, self.high)))

    def profile(self, epsilon: float) -> Floats:
        """Σ over cells of the largest ∫(dq − e^eps·dp)⁺ with log-ratios inside the span: masses at its two ends."""
        out = np.maximum(self.q - np.exp(min(epsilon, 700.0)) * self.p, 0.0)
        out[self.high <= epsilon] = 0.0
        at = (self.low < epsilon) & (epsilon < self.high)
        lo, hi, mass = self.low[at], self.high[at], self.q[at]
        with np.errstate(over="ignore", invalid="ignore"):
            share = -np.expm1(epsilon - hi) / -np.expm1(np.minimum(lo - hi, -_NARROW))
            split = np.maximum(mass - np.exp(lo) * self.p[at], 0.0) * share
        out[at] = np.clip(np.nan_to_num(split, nan=np.inf, posinf=np.inf), out[at], mass) + _NARROW * mass
        return out.sum(axis=1) * (1 + _WIDE) + 1e-14

    def profiles(self, epsilons: Floats) -> Floats:
        """A bound of the profile of each row at many epsilons, relative to the mass that counts: small ones stay small.

        The masses of each cell at the two ends of its span, sorted, and added up from the largest log-ratio.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.maximum(self.high - self.low, _NARROW)
            up = (self.q - np.exp(self.low) * self.p) / -np.expm1(-width)
            up = np.clip(np.where(np.isfinite(self.low), up, self.q), 0.0, self.q)
        q, loss = self.q, self.high
        if (width[np.isfinite(width)] > _NARROW).any():  # else all mass may stay at the upper end
            q, loss = np.concatenate([up, self.q - up], axis=1), np.concatenate([self.high, self.low], axis=1)
        order = np.argsort(-loss, axis=1)
        q, loss = np.take_along_axis(q, order, axis=1), np.take_along_axis(loss, order, axis=1)
        power, alpha = np.cumsum(q, axis=1), np.cumsum(q * np.exp(-np.maximum(loss, 0.0)), axis=1)
        out = np.empty((len(q), len(epsilons)))
        for row in range(len(q)):
            count = np.searchsorted(-loss[row], -epsilons)
            a, b = (np.append(0.0, side[row])[count] for side in (power, alpha))
            out[row] = a * (1 + 4 * _NARROW) - np.exp(epsilons) * b  # also for what was moved within narrow spans
        return np.maximum(out, 0.0)

    def epsilon(self, delta: float, low: float, tolerance: float) -> float:
        """An upper bound of all rows at a delta, which lies above ``low``."""
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
