"""Binomial masses with relative accuracy for any number of trials, and sums of two counts with noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from dplens._validate import Floats
from dplens.numerics.sharing import Memo, Shared, remembered

Row = tuple[int, Floats]

_LEAST = 1e-60  # masses of noisy counts below are left out
_KEPT = 4_000_000  # and so many are kept for other x


def masses_error(n: int) -> float:
    """Relative error of ``binomial_masses``, measured against 60 digits for up to 10^9 trials."""
    return 4e-13 + 2e-14 * math.sqrt(n)


def binomial_masses(n: int, p: float, least: float = 1e-340) -> Row:
    """(start, masses): P(X = start), P(X = start + 1), … for X ~ Bin(n, p); what is left out is less than ``least``.

    Beyond t on either side lies at most e^{−t²/(2·var + 2t/3)} (Bernstein): a rare event's tail falls more slowly than
    a normal one. Masses come from ratios of neighbours and their sum, which is 1.
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
    """All masses of Bin(n, p) for each p, one row each; relative error at most ``rows_error(n)``."""
    k = np.arange(n + 1.0)
    choose = gammaln(n + 1.0) - gammaln(k + 1) - gammaln(n - k + 1)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        logs = choose + xlogy(k, p[:, None]) + xlog1py(n - k, -p[:, None])
        return np.exp(logs)


def some_rows(n: int, p: Floats, least: float) -> tuple[Floats, Floats]:
    """Masses for each proportion, and the counts at which any of them is at least ``least``."""
    rows = binomial_rows(n, p)
    rows[rows < least] = 0.0
    some = np.flatnonzero(rows.any(axis=0))
    return rows[:, some[0] : some[-1] + 1], np.arange(some[0], some[-1] + 1.0)


def rows_error(n: int) -> float:
    """Relative error of ``binomial_rows``: rounding of logarithms of size n·log n, at proportions down to 1e-8."""
    return 4e-15 * n * 20 + 1e-13


@dataclass(frozen=True, eq=False)
class SteppedSums(Shared):
    """Two counts with noise on the whole numbers, or with none: exact sums along one count only.

    T = k1·A − k2·B with A and B each a binomial count plus its own noise. T ≥ x means B ≤ (k1·A − x)/k2, so P(T ≥ x) is
    Σ P(A = a)·P(B ≤ ⌊(k1·a − x)/k2⌋): as many terms as A has values, not as many as there are pairs. All terms are
    positive, so sums keep their relative accuracy. noise: masses of −r … r, the noise on either count; missing: what
    they may leave out.
    """

    n1: int
    n2: int
    k1: int
    k2: int
    noise: Floats
    missing: float = 0.0
    _rows = Memo()

    def error(self) -> tuple[float, float]:
        """Relative and absolute error of a probability: products and sums are rounded term by term."""
        terms = self.n1 + self.n2 + 4 * len(self.noise)
        return 4e-12 + 2e-15 * terms, 2 * self.missing + 2 * terms * _LEAST

    def value(self, x: float, upper: bool, p1: Floats, p2: Floats) -> Floats:
        """P(T ≥ x), or P(T ≤ x), at pairs of proportions; x is a whole number."""
        value = np.empty(len(p1))
        for at, (p, q) in enumerate(zip(p1.tolist(), p2.tolist())):
            (start, a), (first, b) = self._row(self.n1, p), self._row(self.n2, q)
            far = self.k1 * (start + np.arange(len(a))) - int(x)
            if upper:  # j ≤ far/k2: so many masses from the first one on
                many, sums = far // self.k2 - first + 1, np.cumsum(b)
            else:  # j ≥ far/k2: so many up to the last one
                many, sums = first + len(b) + far // -self.k2, np.cumsum(b[::-1])
            value[at] = a @ np.concatenate([[0.0], sums])[np.clip(many, 0, len(b))]
        return np.minimum(value, 1.0)

    def _row(self, n: int, p: float) -> Row:
        """(start, masses of a noisy count from there on)."""
        most = max(_KEPT // (max(self.n1, self.n2) + len(self.noise)), 2)
        return remembered(self._rows, (n, p), lambda: self._made(n, p), most)

    def _made(self, n: int, p: float) -> Row:
        start, masses = binomial_masses(n, p, _LEAST)
        if len(self.noise) > 1:
            start, masses = start - len(self.noise) // 2, np.convolve(masses, self.noise)
        return start, masses
