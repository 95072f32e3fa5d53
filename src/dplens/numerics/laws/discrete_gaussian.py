"""The discrete Gaussian on the integers, with full relative accuracy in its tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.special import ndtr, ndtri

from dplens.numerics import normal
from dplens.numerics.enclosure import Floats
from dplens.numerics.laws.geometric import GeometricNoise, reflect, settle, two_product
from dplens.numerics.sharing import Memo, Shared, remembered

_MIDPOINT = ((1, 1 / 24), (3, -7 / 5760), (5, 31 / 967680), (7, -127 / 154828800))


@dataclass(frozen=True)
class DiscreteNormalNoise(Shared):
    """P(k) ∝ e^{−k²/(2·sigma²)} (Canonne, Kamath & Steinke 2020).

    Tails are summed from a table for small sigma. For large sigma they are computed by the midpoint Euler–Maclaurin
    series about the normal tail, whose terms decrease by (x/(2π·sigma))² each: below 1e-15 after four.
    """

    sigma: float
    _table: Floats | None = field(init=False, repr=False, compare=False)
    _known_sums = Memo()

    def __post_init__(self) -> None:
        table = None
        if self.sigma < 1000:  # from there on the series is exact to the last digits for any shift
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
        near = np.minimum(x, 40.0)  # beyond, both are 0
        excess = _midpoint_terms(self.sigma, lambda n: -_hermite(n, near))
        return reflect(k, ndtr(-x) + np.exp(normal.log_density(near)) * excess)

    def first_below(self, level: Floats) -> Floats:
        if self._table is not None:
            return np.searchsorted(-self._table, -level, side="left").astype(np.float64) + 1
        return settle(self.upper, np.maximum(np.ceil(0.5 - self.sigma * ndtri(level)), 1.0), level)

    def condition(self, k: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return (k / self.sigma) ** 2

    def log_ratio(self, k: Floats, shift: int) -> Floats:
        with np.errstate(over="ignore", invalid="ignore"):
            loss = (2 * k - shift) / self.sigma * (shift / self.sigma / 2)
        return np.where(2 * k == shift, 0.0, loss)

    def log_mass(self, k: Floats) -> Floats:
        with np.errstate(over="ignore"):  # far out, where the tail is 0
            return -0.5 * (k / self.sigma) ** 2

    def guess_first_above(self, loss: Floats, shift: int) -> Floats:
        with np.errstate(over="ignore"):
            return np.floor(loss * self.sigma * (self.sigma / shift) + shift / 2) + 1

    def max_loss(self, shift: int) -> float:
        return math.inf

    def profile(self, epsilon: Floats, shift: int) -> Floats:
        """Σ P(N = j − shift)·(1 − e^{epsilon − loss(j)}) over the outputs j whose loss exceeds epsilon."""
        out = np.zeros_like(epsilon)
        # further out than 45·sigma every mass underflows
        near = epsilon < (45 + 0.5 * shift / self.sigma) * (shift / self.sigma)
        offset, gap = self._first_above(epsilon[near], shift)
        if self._table is None:
            out[near] = self._series(offset, shift, epsilon[near], gap)
        else:
            start, whole, first = self._sums(shift)
            i = np.clip(offset - start, 0, len(whole) - 1).astype(np.int64)
            value = whole[i] - first[i] * np.expm1(-gap)
            # the mass outside the table is below 1e-300
            out[near] = np.where(offset < start, 1.0, np.where(offset - start < len(whole), value, 0.0))
        return out

    def _first_above(self, epsilon: Floats, shift: int) -> tuple[Floats, Floats]:
        """k − shift for the smallest k with loss(k) > epsilon, and loss(k) − epsilon, without cancellation.

        loss(k) = epsilon at k − shift = epsilon·sigma²/shift − shift/2, computed in double working precision, or in
        rational numbers if that cannot distinguish the threshold from an integer.
        """
        h = shift / self.sigma / self.sigma
        if self.sigma > 1e100:  # single integers no longer matter
            return epsilon * self.sigma * (self.sigma / shift) - 0.5 * shift, np.full_like(epsilon, h / 2)
        exact = Fraction(self.sigma) ** 2 / shift
        factor = float(exact)
        remainder = float(exact - Fraction(factor))
        product, rest = two_product(epsilon, factor)
        rest = rest + epsilon * remainder
        half = 0.5 * shift
        place = product - half
        back = place + half
        lost = (product - back) + ((back - place) - half)  # Knuth's sum: place + lost is exact
        whole = np.round(place + (lost + rest))
        over = ((place - whole) + lost) + rest
        offset = np.where(over >= 0, whole + 1, whole)
        gap = np.where(over >= 0, 1 - over, -over)
        for i in np.flatnonzero((np.abs(over) < 1e-18 * product) & (rest != 0)):
            target = Fraction(float(epsilon[i])) * exact - Fraction(shift, 2)
            offset[i] = math.floor(target) + 1
            gap[i] = float(math.floor(target) + 1 - target)
        return offset, np.clip(gap, 0.0, 1.0) * h  # larger only by rounding of offsets beyond 2⁵³

    def _sums(self, shift: int) -> tuple[float, Floats, Floats]:
        """Two sums over the outputs from k on, by k − shift from the first entry on.

        With h = shift/sigma² and B(k) = Σ_{j ≥ k} P(N = j − shift)·e^{−(j − k)·h}, the profile at a gap g below loss(k)
        is A(k) + B(k)·(1 − e^−g), and A(k) = (1 − e^−h)·Σ_{j > k} B(j): all terms are positive.
        """
        return remembered(self._known_sums, shift, lambda: self._summed(shift))

    def _summed(self, shift: int) -> tuple[float, Floats, Floats]:
        sigma = max(self.sigma, 1e-100)  # below this, all mass is at 0
        reach = math.ceil(40 * sigma) + 2
        start = max(-(shift // 2), -reach)
        offset = np.arange(start, reach + 1, dtype=np.longdouble)
        square = np.longdouble(sigma) ** 2
        h = float(shift) / square
        mass = np.exp(-0.5 * offset * offset / square) / _theta(sigma)
        fade = np.exp(-h)
        first, reach = mass, 1
        while reach < len(first):  # sums over twice as many outputs each time
            first[:-reach] += fade**reach * first[reach:]
            reach *= 2
        later = np.zeros_like(first)
        later[:-1] = np.cumsum(first[:0:-1])[::-1]
        return float(start), (-np.expm1(-h) * later).astype(np.float64), first.astype(np.float64)

    def _series(self, offset: Floats, shift: int, epsilon: Floats, gap: Floats) -> Floats:
        """The same sum by the Euler–Maclaurin series about its integral from k − ½, in terms of Mills' ratios."""
        width = shift / self.sigma
        u = (offset - 0.5) / self.sigma
        log_w = width / (2 * self.sigma) - gap  # epsilon − loss(k − ½)
        after = u + width
        density = np.exp(normal.log_density(u))
        with np.errstate(over="ignore", invalid="ignore"):  # the branch that is not taken
            body = ndtr(-u) - np.exp(epsilon + normal.log_ndtr(-after))
            tail = density * (normal.mills_drop(u, width) - np.expm1(log_w) * normal.mills(after))
        ends = _midpoint_terms(self.sigma, lambda n: np.exp(log_w) * _hermite(n, after) - _hermite(n, u))
        return np.where(u < -5, body, tail) + density * ends

    def renyi(self, shift: int, order: float) -> float:
        """order·shift²/(2·sigma²) plus the oscillation of a theta sum, which only matters for small sigma.

        θ(c) = Σ e^{−(k − c)²/(2·sigma²)} has period 1, so θ(order·shift) = θ((order − 1)·shift).
        """
        # below ½ exchange the worlds, which are mirror images: (1 − a)·D_a = a·D_{1−a}
        a, h = (order, order - 1) if order >= 0.5 else (1 - order, -order)
        main = a * (shift / self.sigma) * (shift / self.sigma) / 2
        # at order 1 the mean of the loss is exact; the oscillation for large sigma is < 1e-50
        wobble = 0.0 if h == 0 or self.sigma > 2.5 or math.isinf(main) else _log_theta_ratio(self.sigma, h * shift) / h
        return (main + wobble) * (1.0 if order >= 0.5 else order / (1 - order))


LatticeNoise = GeometricNoise | DiscreteNormalNoise


def _log_theta_ratio(sigma: float, centre: float) -> float:
    """log{θ(centre)/θ(0)} = log1p[Σ_{k>0} w_k·2·{cosh(k·c/sigma²) − 1}/θ(0)] − c²/(2·sigma²), c the offset of centre.

    w_k = e^{−k²/(2·sigma²)}. The terms of the sum are positive, and small for small offsets.
    """
    c = abs(centre - round(centre))
    k = np.arange(1.0, math.ceil(39 * sigma) + 3)
    with np.errstate(over="ignore", under="ignore"):
        weight, half = np.exp(-0.5 * (k / sigma) ** 2), k * (c / sigma) / sigma / 2
        far = np.exp(-k * (k - 2 * c) / sigma / sigma / 2) + np.exp(-k * (k + 2 * c) / sigma / sigma / 2) - 2 * weight
        terms = np.where(half < 1, weight * 4 * np.sinh(np.minimum(half, 1.0)) ** 2, far)
    return math.log1p(math.fsum(terms) / (1 + 2 * math.fsum(weight))) - (c / sigma) ** 2 / 2


def _theta(sigma: float) -> float:
    """Σ_k e^{−k²/(2·sigma²)}."""
    if sigma > 10:  # the integral, with error e^{−2π²·sigma²}
        return sigma * math.sqrt(2 * math.pi)
    k = np.arange(1.0, math.ceil(39 * sigma) + 3)
    return 1 + 2 * math.fsum(np.exp(-0.5 * (k / sigma) ** 2))


def _midpoint_terms(sigma: float, derivative: Callable[[int], Floats]) -> Floats:
    """The end corrections of the midpoint Euler–Maclaurin series, from odd derivatives in units of sigma."""
    return np.sum([c * derivative(n) * (1 / sigma) ** (n + 1) for n, c in _MIDPOINT], axis=0)


def _hermite(n: int, x: Floats) -> Floats:
    """The probabilists' Hermite polynomial Heₙ(x), n ≥ 1."""
    previous, current = np.ones_like(x), x
    for j in range(1, n):
        previous, current = current, x * current - j * previous
    return current
