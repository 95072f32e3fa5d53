"""Binomial probabilities with relative accuracy for any number of trials, and noisy differences of two counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from dplens._validate import Floats
from dplens.numerics.sharing import Memo, Shared, remembered

Row = tuple[int, Floats]

_LEAST = 1e-60  # smaller masses of noisy counts are dropped


def masses_error(n: int) -> float:
    """Relative error of ``binomial_masses``, measured against 60 digits for up to 10^9 trials."""
    return 4e-13 + 2e-14 * math.sqrt(n)


def binomial_masses(n: int, p: float, least: float = 1e-340) -> Row:
    """(start, masses): P(X = start), P(X = start + 1), … for X ~ Bin(n, p), without tails of less than ``least``.

    The mass beyond t on either side is at most e^{−t²/(2·var + 2t/3)} (Bernstein). Masses are products of the ratios of
    neighbours, normalised to sum 1.
    """
    if p <= 0 or p >= 1:
        return (0 if p <= 0 else n), np.ones(1)
    third = -math.log(least) / 3 if least > 1e-300 else 262.0
    reach = third + math.sqrt(third * third + 6 * third * n * p * (1 - p))
    low, high = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach))
    middle = min(max(math.floor((n + 1) * p), low), high)
    k = np.arange(low, high + 1.0)
    with np.errstate(under="ignore"):
        up = (n - k[middle - low : -1]) / k[middle - low + 1 :] * (p / (1 - p))
        down = k[1 : middle - low + 1] / (n - k[: middle - low]) * ((1 - p) / p)
        shape = np.concatenate([np.cumprod(down[::-1])[::-1], [1.0], np.cumprod(up)])
        return low, shape / shape.sum()


def binomial_rows(n: int, p: Floats) -> Floats:
    """All masses of Bin(n, p), one row for each p; relative error at most ``rows_error(n)``."""
    k = np.arange(n + 1.0)
    choose = gammaln(n + 1.0) - gammaln(k + 1) - gammaln(n - k + 1)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        logs = choose + xlogy(k, p[:, None]) + xlog1py(n - k, -p[:, None])
        return np.exp(logs)


def some_rows(n: int, p: Floats, least: float) -> tuple[Floats, Floats]:
    """Masses for each proportion, and the counts at which one of them is at least ``least``."""
    rows = binomial_rows(n, p)
    rows[rows < least] = 0.0
    some = np.flatnonzero(rows.any(axis=0))
    return rows[:, some[0] : some[-1] + 1], np.arange(some[0], some[-1] + 1.0)


def rows_error(n: int) -> float:
    """Relative error of ``binomial_rows``: rounding of logarithms of size n·log n, at proportions down to 1e-8."""
    return 4e-15 * n * 20 + 1e-13


@dataclass(frozen=True, eq=False)
class SteppedSums(Shared):
    """Two counts with whole-number noise, or none: exact sums along one count.

    T = k1·A − k2·B, where A and B are binomial counts, each with its own noise. T ≥ x means B ≤ (k1·A − x)/k2, so
    P(T ≥ x) = Σ P(A = a)·P(B ≤ ⌊(k1·a − x)/k2⌋), with one term per value of A. All terms are positive, so sums keep
    their relative accuracy. noise: the masses of −r … r; missing: the mass they may leave out.
    """

    n1: int
    n2: int
    k1: int
    k2: int
    noise: Floats
    missing: float = 0.0
    _rows = Memo()

    def error(self) -> tuple[float, float]:
        """Relative and absolute error of a probability, from rounding of each term."""
        terms = self.n1 + self.n2 + 4 * len(self.noise)
        return 4e-12 + 2e-15 * terms, 2 * self.missing + 2 * terms * _LEAST

    def value(self, x: float, upper: bool, p1: Floats, p2: Floats) -> Floats:
        """P(T ≥ x), or P(T ≤ x), at pairs of proportions, for an integer x."""
        value = np.empty(len(p1))
        for at, (p, q) in enumerate(zip(p1.tolist(), p2.tolist())):
            (start, a), (first, b) = self._row(self.n1, p), self._row(self.n2, q)
            far = self.k1 * (start + np.arange(len(a))) - int(x)
            if upper:  # j ≤ far/k2: the number of masses from the first on
                many, sums = far // self.k2 - first + 1, np.cumsum(b)
            else:  # j ≥ far/k2: the number of masses up to the last
                many, sums = first + len(b) + far // -self.k2, np.cumsum(b[::-1])
            value[at] = a @ np.concatenate([[0.0], sums])[np.clip(many, 0, len(b))]
        return np.minimum(value, 1.0)

    def _row(self, n: int, p: float) -> Row:
        """(start, masses) of a noisy count; up to four million masses are kept for other x."""

        def make() -> Row:
            start, masses = binomial_masses(n, p, _LEAST)
            if len(self.noise) == 1:
                return start, masses
            return start - len(self.noise) // 2, np.convolve(masses, self.noise)

        most = max(4_000_000 // (max(self.n1, self.n2) + len(self.noise)), 2)
        return remembered(self._rows, (n, p), make, most)
