"""The difference of two noises with densities, enclosed on a grid.

a·N and b·N' are rounded down to whole multiples of h. What is lost lies in [0, h) for either, so W = a·N − b·N' lies
between K − h and K + h, where K is the difference of the rounded ones: a law on the grid, by one transform. Hence
P(K ≥ x + h) ≤ P(W ≥ x) ≤ P(K ≥ x − h), with or without an independent sampling error beside W. What lies beyond the
grid is added to the upper end and missing from the lower one. The gap is about 2h times the hazard of W.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.utility.noise import DensityNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, TwoLaplaceLaw
from dplens.utility.tails import Bracket, TailLaw

_CELLS, _MANY_CELLS = 1 << 17, 1 << 18  # of each noise: where tails are sums over cells, and where they are looked up
_NEAR = 9.0  # standard errors; what lies beyond is less than 1e-18
_FAR, _WIDEST = 1e-15, 400.0  # the grid ends at this tail, or so many spreads from the median


@dataclass(frozen=True, eq=False)
class PairNoise(Noise):
    """first·N − second·N' for two independent noises N, N' of the same kind."""

    noise: DensityNoise
    first: float
    second: float

    def scaled(self, factor: float) -> Noise:
        return PairNoise(self.noise, self.first * factor, self.second * factor)

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return self.first * self.noise.draw(rng, size) - self.second * self.noise.draw(rng, size)

    def grid(self, cells: int) -> tuple[float, int, Floats, float, float]:
        """(h, start, masses of K/h from start on, mass beyond the grid, error of a sum of masses)."""
        wide = [self.noise.scaled(f) for f in (self.first, self.second)]
        ends = [_ends(n) for n in wide]
        h = max(high - low for low, high in ends) / cells
        from scipy.signal import fftconvolve

        (i, one, lost), (j, two, gone) = (_masses(n, h, *e) for n, e in zip(wide, ends))
        both = np.maximum(fftconvolve(one, two[::-1]), 0.0)
        unsure = 1e-14 * float(np.linalg.norm(one) * np.linalg.norm(two)) * len(both)
        return h, i - (j + len(two) - 1), both, lost + gone, unsure


def difference(noise: Noise, first: float, second: float) -> Noise:
    """The law of first·N − second·N' for two independent noises of the same kind: closed where it is."""
    if isinstance(noise, NoNoise):
        return noise
    if isinstance(noise, NormalNoise):
        return NormalNoise(noise.sigma * math.hypot(first, second), noise.at * (first - second))
    if isinstance(noise, LaplaceNoise):
        at = noise.at * (first - second)
        law = TwoLaplaceLaw(noise.scale * first, noise.scale * second, at)
        return DensityNoise(law, (at, at), True, None)  # pyright: ignore[reportArgumentType]
    if isinstance(noise, DensityNoise):
        return PairNoise(noise, first, second)
    raise Undefined(f"The difference of two numbers with {noise!r} is not worked out. Use dplens.SimulatedTest.")


def _ends(noise: Any) -> tuple[float, float]:
    reach = _WIDEST / 2 * noise.spread()
    low, high = (noise.unit * float(np.asarray(q(np.array([_FAR])))[0]) for q in (noise.law.ppf, noise.law.isf))
    return max(low, noise.centre() - reach), min(high, noise.centre() + reach)


def _masses(noise: Any, h: float, low: float, high: float) -> tuple[int, Floats, float]:
    """(first, masses of floor(N/h) from there on, what they leave out); from the smaller of two tails, each."""
    first, last = int(np.floor(low / h)), int(np.floor(high / h))
    edges = h * np.arange(first, last + 2.0)
    below, above = noise.cdf(edges), noise.sf(edges)
    masses = np.where(edges[:-1] < noise.centre(), np.diff(below), -np.diff(above))
    return first, np.maximum(masses, 0.0), float(below[0] + above[-1]) + (0.0 if noise.sure else 4e-15)


class GriddedTail(TailLaw):
    """W, or N(0, s²) + W, between two shifted laws of the grid."""

    route = "grid"
    width = 1e-9

    def __init__(self, noise: PairNoise, s: float = 0.0) -> None:
        self.h, start, self.masses, self.lost, unsure = noise.grid(_CELLS if s else _MANY_CELLS)
        self.s = s
        self.places: Floats = self.h * np.arange(start, start + len(self.masses), dtype=float)
        self.above: Floats = np.append(np.cumsum(self.masses[::-1])[::-1], 0.0)
        self.below: Floats = np.append(0.0, np.cumsum(self.masses))
        # masses are differences of tails: rounding of numbers up to ½, in each of the cells
        self.unsure = unsure + 1e-15 * len(self.masses)
        self.centre = float(self.places[int(np.searchsorted(self.below, 0.5 * self.below[-1])) - 1])
        low, high = np.searchsorted(self.below, [0.25, 0.75])
        self.spread = math.hypot(s, self.h * float(high - low + 1))
        self.note = f"Enclosed on a grid of {len(self.masses)} cells; {self.lost:.1g} lies beyond it."

    def tail(self, x: Floats, sign: int) -> Bracket:
        low, high = (self._on_grid(x + at, sign) for at in (sign * self.h, -sign * self.h))
        return np.maximum(low - self.unsure, 0.0), np.minimum(high + self.unsure + self.lost, 1.0)

    def _on_grid(self, x: Floats, sign: int) -> Floats:
        """P(K ≥ x), or P(S + K ≥ x): cells that are nine standard errors away count wholly or not at all."""
        if not self.s and sign > 0:
            return self.above[np.searchsorted(self.places, x, "left")]
        if not self.s:
            return self.below[np.searchsorted(self.places, x, "right")]
        found = np.empty(x.size)
        for k, at in enumerate(np.ravel(x)):
            i, j = np.searchsorted(self.places, [at - _NEAR * self.s, at + _NEAR * self.s])
            beyond = self.above[j] if sign > 0 else self.below[i]
            found[k] = beyond + self.masses[i:j] @ ndtr(sign * (self.places[i:j] - at) / self.s)
        return found.reshape(x.shape)
