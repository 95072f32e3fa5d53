"""Losses on a common lattice: masses of the whole composition by tilted Fourier sums, with their error.

Laws whose losses lie on a common lattice are composed exactly; others are spread onto one (``connect_the_dots.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens.composition.grid.products import Product, Weights, placed, round_length
from dplens.curves.base import Floats
from dplens.losses.atoms import Atoms
from dplens.losses.base import log_sum

SIZE = 1 << 19  # nodes of a Fourier sum
_RANGE = 1e9  # of gaps: no lattice with so many points is summed
DEPTH = 690.0  # −log of what may be lost at either end of the window


@dataclass(frozen=True, eq=False)
class LatticeLaw:
    """Losses first + index·spacing with masses under H0."""

    first: float
    p: Floats
    unseen: tuple[float, float] = (0.0, 0.0)


def common_spacing(laws: list[Atoms]) -> float | None:
    """The spacing of a lattice that holds each law's losses (each with an origin of its own), if there is one."""
    with np.errstate(over="ignore"):
        gaps = np.concatenate([np.diff(law.loss) for law in laws if len(law.loss) > 1] or [np.ones(1)])
    gaps = gaps[gaps > 0]
    if len(gaps) and (math.isinf(gaps.max()) or gaps.max() / _RANGE > gaps.min()):
        return None
    if not len(gaps):
        return 1.0
    smallest = float(gaps.min())
    size = max(float(np.max(np.abs(law.loss))) for law in laws)  # a gap carries the rounding of the losses
    for divisor in range(1, 13):
        spacing = smallest / divisor
        whole = np.round(gaps / spacing)
        spacing = float(gaps.sum() / whole.sum())
        if np.all(np.abs(gaps - whole * spacing) < 1e-13 * np.maximum(gaps, spacing) + 4e-16 * size):
            return spacing
    return None


def on_lattice(law: Atoms, spacing: float) -> LatticeLaw:
    """A law whose losses lie on the lattice already."""
    index = np.round((law.loss - law.loss[0]) / spacing).astype(int)
    p = np.zeros(index[-1] + 1)
    np.add.at(p, index, law.p)  # losses that are equal add up
    return LatticeLaw(float(law.loss[0]), p, law.unseen)


def off_lattice(law: Atoms, spacing: float) -> float:
    """How far a loss may lie from its place on the lattice."""
    steps = law.loss - law.loss[0]
    return float(np.max(np.abs(steps - spacing * np.round(steps / spacing)), initial=0.0))


class LatticeSum:
    """Masses of the sum of lattice laws, each with a count."""

    def __init__(self, laws: list[tuple[LatticeLaw, int]], spacing: float, depth: float = DEPTH) -> None:
        self.laws, self.spacing, self.depth = laws, spacing, depth
        self.first = math.fsum(law.first * count for law, count in laws)
        self.length = sum((len(law.p) - 1) * count for law, count in laws) + 1
        seen = [math.fsum(count * math.log1p(-law.unseen[i]) for law, count in laws) for i in (0, 1)]
        self.unseen = (-math.expm1(seen[0]), -math.expm1(seen[1]))

    def cumulant(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real tilt."""
        total = np.zeros(3)
        for law, count in self.laws:
            x = law.first + self.spacing * np.arange(len(law.p))
            with np.errstate(divide="ignore"):
                exponent = c * x + np.log(law.p)
            k = log_sum(exponent)
            weight = np.exp(exponent - k)
            mean = float(np.sum(weight * x))
            with np.errstate(over="ignore", invalid="ignore"):  # losses whose squares are no floats
                variance = float(np.sum(weight * (x - mean) ** 2))
            total += count * np.array([k, mean, math.inf if math.isnan(variance) else variance])
        return float(total[0]), float(total[1]), float(total[2])

    def window(self) -> tuple[int, int, float]:
        """(first index, last index, mass that may lie outside): Chernoff's bound on either side."""
        ends, lost = [], 0.0
        for sign in (1, -1):
            best = self.length - 1 if sign > 0 else 0
            c = 0.5
            for _ in range(60):
                c = 0.5 + sign * (2 * abs(c - 0.5) if c != 0.5 else 0.25 / math.sqrt(max(self.cumulant(0.5)[2], 1e-12)))
                k = self.cumulant(c)[0]
                # for c > 1: Q(L ≥ x) ≤ e^{K(c) − (c − 1)·x}, and P(L ≥ x) is less still; mirrored for c < 0
                tilt = c - 1 if sign > 0 else -c
                if tilt <= 0:
                    continue
                x = sign * (k + self.depth) / tilt
                index = (x - self.first) / self.spacing
                better = index < best if sign > 0 else index > best
                if not better and abs(c) > 50 / self.spacing:
                    break
                if better:
                    best = math.ceil(index) if sign > 0 else math.floor(index)
                elif abs(tilt) * abs(x) > 1e4:
                    break
            ends.append(best)
        high, low = min(ends[0], self.length - 1), max(ends[1], 0)
        low = min(low, high)  # where hardly anything is seen, the ends pass each other
        high = max(low, high)
        if (low, high) != (0, self.length - 1):
            lost = 2 * math.exp(-self.depth)
        return low, high, lost

    def masses(self) -> tuple[Floats, Floats, Floats, float]:
        """(losses, log of the masses under H0, log of their errors, mass outside the window)."""
        low, high, lost = self.window()
        count = high - low + 1
        size = round_length(count + 1)
        x = self.first + self.spacing * np.arange(low, high + 1, dtype=float)
        best, log_p = np.full(count, math.inf), np.full(count, -math.inf)
        log_error = np.full(count, -math.inf)
        for c in self._tilts(x):
            k, found, noise = self._tilted(c, size, low, count)
            scale = k - c * x
            better = scale < best
            best[better] = scale[better]
            with np.errstate(divide="ignore"):
                log_p[better] = np.log(np.maximum(found[better], 0.0)) + scale[better]
            log_error[better] = math.log(noise) + scale[better]
        return x, log_p, log_error, lost

    def _tilts(self, x: Floats) -> list[float]:
        """Tilts so close that between neighbours, with their mean losses, (c' − c)·(x' − x) stays below 8."""
        found = [0.5]
        for sign in (1, -1):
            c = 0.5
            _, mean, variance = self.cumulant(c)
            for _ in range(40):
                spread = math.sqrt(max(variance, 1e-300))
                reached = mean > x[-1] - spread if sign > 0 else mean < x[0] + spread
                if reached or abs(c) * self.spacing > 60:
                    break
                step = sign * min(2.5 / spread, 30 / self.spacing)
                _, further, variance = self.cumulant(c + step)
                while step * (further - mean) > 8:
                    step /= 2
                    _, further, variance = self.cumulant(c + step)
                c, mean = c + step, further
                found.append(c)
        return found

    def _tilted(self, c: float, size: int, low: int, count: int) -> tuple[float, Floats, float]:
        """(K(c), masses·e^{c·x − K(c)}, bound on their error)."""
        product, k = Product(size), 0.0
        for law, times in self.laws:
            index = np.arange(len(law.p))
            with np.errstate(divide="ignore"):
                weights = Weights.of(c, law.first + self.spacing * index.astype(float), np.log(law.p))
            k += times * weights.k
            product.times(placed(index, weights.values, size), times)
        masses = np.fft.irfft(product.value, size)
        return k, np.roll(masses, -(low % size))[:count], product.largest_error() + 1e-300


def lattice_atoms(laws: list[tuple[LatticeLaw, int]], spacing: float, depth: float = DEPTH) -> tuple[Atoms, Atoms]:
    """The composition's losses: (from the risky side, from the mild side)."""
    total = LatticeSum(laws, spacing, depth)
    x, log_p, log_error, lost = total.masses()
    with np.errstate(divide="ignore", invalid="ignore"):
        less = np.where(log_error < log_p, log_p + np.log1p(-np.exp(np.minimum(log_error - log_p, 0.0))), -math.inf)
    out = []
    for logs, extra in ((np.logaddexp(log_p, log_error), lost), (less, 0.0)):
        # under H1 a mass is e^x times as large, and may be there when that under H0 has vanished
        # no mass is larger than 1, whatever its error
        p, q = np.exp(np.minimum(logs, 0.0)), np.exp(np.minimum(logs + x, 0.0))
        keep = (p > 0) | (q > 0)
        if not keep.any() and max(total.unseen) < 1:
            # all drowned in rounding: the mild side knows of no risk besides the proofs
            seen = 1 - np.array(total.unseen)
            out.append(Atoms(np.diff(np.log(seen)), seen[:1], seen[1:], total.unseen))
            continue
        out.append(Atoms(x[keep], p[keep], q[keep], (total.unseen[0] + extra, total.unseen[1] + extra)))
    return out[0], out[1]
