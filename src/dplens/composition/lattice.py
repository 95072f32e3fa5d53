"""Exact sums of losses on a common lattice, by tilted Fourier transforms with error bounds.

Losses without a common lattice are spread onto one instead (``grid/connect_the_dots.py``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dplens.composition.grid.products import Product, StepMasses, TiltedMasses, cgf_sum, round_length, unwrapped
from dplens.curves.base import Floats
from dplens.losses.atoms import Atoms
from dplens.numerics.sharing import cached_property


class LatticeLaw(NamedTuple):
    """Losses at some points of a lattice, counted from the first one, with how often the step occurs."""

    losses: Floats
    log_p: Floats
    at: np.ndarray
    times: int


def common_spacing(laws: Sequence[Atoms], widest: float = 1e9) -> float | None:
    """The spacing of a lattice that holds each law's losses (each with an origin of its own), if there is one.

    ``widest``: the largest ratio of two gaps between neighbouring losses.
    """
    with np.errstate(over="ignore"):
        gaps = np.concatenate([np.diff(law.loss) for law in laws])
    gaps = gaps[gaps > 0]
    if not len(gaps):
        return 1.0
    smallest, rounding = float(gaps.min()), 4e-16 * max(law.reach for law in laws)
    if math.isinf(gaps.max()) or gaps.max() / widest > smallest:
        return None
    for divisor in range(1, 13):
        whole = np.round(gaps / (smallest / divisor))
        spacing = float(gaps.sum() / whole.sum())
        if np.all(np.abs(gaps - whole * spacing) < 1e-13 * np.maximum(gaps, spacing) + rounding):
            return spacing
    return None


@dataclass(frozen=True, eq=False)
class LatticeSum:
    """The sum of lattice laws. ``depth``: −log of the mass that may be lost at either end of the window."""

    laws: Sequence[LatticeLaw]
    spacing: float
    moved: float  # how far the lattice may have moved a sum of losses
    infinity_masses: tuple[float, float]
    depth: float = 690.0

    @classmethod
    def of(cls, laws: Sequence[Atoms], counts: Sequence[int]) -> LatticeSum | None:
        """None if the laws have no common lattice, or one of more than 2^19 points for all of them together."""
        spacing = common_spacing(laws)
        if spacing is None or sum(law.span for law in laws) > spacing * (1 << 19):
            return None
        found, moved = [], 0.0
        for law, count in zip(laws, counts):
            index = np.round((law.loss - law.loss[0]) / spacing).astype(int)
            p = np.bincount(index, law.p)  # equal losses add up
            moved += count * float(np.max(np.abs(law.loss - law.loss[0] - spacing * index)))
            there = np.flatnonzero(p)
            found.append(LatticeLaw(law.loss[0] + spacing * there, np.log(p[there]), there, count))
        seen = (math.fsum(n * math.log1p(-law.infinity_masses[i]) for law, n in zip(laws, counts)) for i in (0, 1))
        at_h0, at_h1 = (-math.expm1(x) for x in seen)
        return cls(found, spacing, moved, (at_h0, at_h1))

    def cgf(self, c: float) -> tuple[float, float, float]:
        """K, K', K'' at a real tilt."""
        k, mean, variance = cgf_sum(((law.losses, law.log_p, law.times) for law in self.laws), np.array([c]))[:, 0]
        return float(k), float(mean), float(variance)

    @cached_property
    def _first(self) -> float:
        """The loss at index 0."""
        return math.fsum(law.times * (law.losses[0] - self.spacing * law.at[0]) for law in self.laws)

    @cached_property
    def window(self) -> tuple[int, int]:
        """The first and the last index beyond which either world has a mass of e^−depth at most (Chernoff)."""
        ends = 0, sum(law.times * int(law.at[-1]) for law in self.laws)
        start = 0.25 / math.sqrt(max(self.cgf(0.5)[2], 1e-12))
        found = []
        for sign, end in zip((-1, 1), ends):
            last, reach, step = math.inf, sign * (self._first + self.spacing * end), start
            while step < 50 / self.spacing:
                step *= 2
                # for c = 1 + step: Q(L ≥ x) ≤ e^{K(c) − step·x}, and P(L ≥ x) is smaller still; mirrored for c < 0
                further = (self.cgf(0.5 + sign * (0.5 + step))[0] + self.depth) / step
                if further > last:  # the bound is quasi-convex in c
                    break
                last = further
            index = (sign * min(reach, last) - self._first) / self.spacing
            found.append(min(max(sign * math.ceil(sign * index - 1e-6), ends[0]), ends[1]))
        return min(found), max(found)  # they may pass each other where nearly all mass is at infinity

    @property
    def size(self) -> int:
        """How many lattice points the window has."""
        return self.window[1] - self.window[0] + 1

    def masses(self) -> tuple[Floats, Floats, Floats]:
        """Losses in the window, the logs of their masses under H0, and the logs of the errors of these masses."""
        low, high = self.window
        x = self._first + self.spacing * np.arange(low, high + 1, dtype=float)
        scale = np.full(len(x), math.inf)
        log_p, log_error = np.full((2, len(x)), -math.inf)
        for c in self._tilts(x):
            steps = [(TiltedMasses.of(c, law.losses, law.log_p), law) for law in self.laws]
            k = math.fsum(law.times * step.k for step, law in steps)
            parts = (StepMasses(law.at, step.values, law.times) for step, law in steps)
            product = Product.of(parts, round_length(len(x) + 1))
            better = k - c * x < scale
            scale[better] = k - c * x[better]
            found = unwrapped(np.fft.irfft(product.value, product.size), low - product.first)[: len(x)][better]
            with np.errstate(divide="ignore"):
                log_p[better] = np.log(np.maximum(found, 0.0)) + scale[better]
            log_error[better] = math.log(product.largest_error() + 1e-300) + scale[better]
        return x, log_p, log_error

    def _tilts(self, x: Floats) -> list[float]:
        """Tilts for which (c' − c)·(x' − x) is at most 8 between neighbours, x and x' their mean losses."""
        found = [0.5]
        for sign, end in zip((1, -1), (x[-1], x[0])):
            c, (_, mean, variance) = 0.5, self.cgf(0.5)
            for _ in range(40):
                if not sign * (end - mean) >= math.sqrt(variance) > 0 or abs(c) * self.spacing > 60:
                    break
                step = sign * min(2.5 / math.sqrt(variance), 30 / self.spacing)
                while True:
                    _, further, variance = self.cgf(c + step)
                    if step * (further - mean) <= 8:
                        break
                    step /= 2
                c, mean = c + step, further
                found.append(c)
        return found


def bounding_atoms(total: LatticeSum) -> tuple[Atoms, Atoms]:
    """Finitely many losses that are riskier than the sum, and others that are milder."""
    x, log_p, log_error = total.masses()
    complete = total.size > sum(law.times * int(law.at[-1]) for law in total.laws)
    lost = 0.0 if complete else 2 * math.exp(-total.depth)
    with np.errstate(divide="ignore", invalid="ignore"):
        less = np.where(log_error < log_p, log_p + np.log1p(-np.exp(np.minimum(log_error - log_p, 0.0))), -math.inf)
    out = []
    for logs, extra in ((np.logaddexp(log_p, log_error), lost), (less, 0.0)):
        # under H1 a mass is e^x times as large, and may not vanish where that under H0 does; none exceeds 1
        p, q = np.exp(np.minimum(logs, 0.0)), np.exp(np.minimum(logs + x, 0.0))
        keep = (p > 0) | (q > 0)
        at_h0, at_h1 = total.infinity_masses
        if keep.any() or max(at_h0, at_h1) >= 1:
            out.append(Atoms(x[keep], p[keep], q[keep], (at_h0 + extra, at_h1 + extra)))
        else:  # everything drowned in rounding: the milder law knows of no risk except the masses at infinity
            seen = np.array([1 - at_h0, 1 - at_h1])
            out.append(Atoms(np.diff(np.log(seen)), seen[:1], seen[1:], total.infinity_masses))
    return out[0], out[1]
