"""Two counts with noise on the whole numbers, or with none: exact sums along one count only.

T = k1·A − k2·B with A and B each a binomial count plus its own noise. T ≥ x means B ≤ (k1·A − x)/k2, so P(T ≥ x) is
Σ P(A = a)·P(B ≤ ⌊(k1·a − x)/k2⌋): as many terms as A has values, not as many as there are pairs. All terms are
positive, so sums keep their relative accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplens._numerics.sharing import Memo, Shared, remembered
from dplens._validate import Floats
from dplens.utility.binomial import binomial_ratios

Row = tuple[int, Floats]

_LEAST = 1e-60  # masses below are left out
_KEPT = 4_000_000  # masses that are kept for other x


@dataclass(frozen=True, eq=False)
class SteppedSums(Shared):
    """noise: masses of −r … r, the noise on either count; missing: what they may leave out."""

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
        start, masses = binomial_ratios(n, p, _LEAST)
        if len(self.noise) > 1:
            start, masses = start - len(self.noise) // 2, np.convolve(masses, self.noise)
        return start, masses
