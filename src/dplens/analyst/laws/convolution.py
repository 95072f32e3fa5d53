"""The sum of a normal variable and any noise with a density, enclosed without relying on a quadrature rule.

P(S + N > x) = E g(Z) with g(z) = P(N > x − s·z), Z standard normal, and g is increasing. Cut the line into cells. A
cell of mass p contributes between p·g(left) and p·g(right). If the density of the noise is monotone over the cell, g is
convex or concave there, and with the conditional mean m of Z the contribution lies between p·g(m) (Jensen) and p times
the chord at m; this gap is quadratic in the width of the cell. Cells with wide gaps are subdivided until the sum of all
gaps is small relative to the answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws.noise import DensityNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, TwoLaplaceLaw
from dplens.analyst.laws.tails import Bracket, TailLaw
from dplens.errors import Undefined
from dplens.numerics.normal import log_density
from dplens.numerics.quadrature import unit_nodes
from dplens.numerics.sharing import cached_property

_END = 38.5  # the normal mass beyond underflows


def _cells(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mass and conditional mean of a standard normal variable in each cell, without cancellation."""
    t, w = unit_nodes(12)
    h = (b - a)[:, None]
    with np.errstate(under="ignore"):
        inner = np.exp(-h * t * (a[:, None] + h * t / 2)) * w
    whole = inner.sum(axis=1)
    with np.errstate(under="ignore"):
        mass = np.exp(log_density(a)) * (b - a) * whole
    return mass, a + (b - a) * ((inner @ t) / whole)


@lru_cache(maxsize=1)
def _first_cells() -> tuple[Floats, Floats, Floats, Floats]:
    edges = np.unique(np.concatenate([np.linspace(-_END, _END, 770), np.linspace(-9, 9, 1441)]))
    return edges[:-1], edges[1:], *_cells(edges[:-1], edges[1:])


class ConvolvedTail(TailLaw):
    """N(0, s²) plus noise with a density, enclosed to a relative ``tolerance`` unless that takes too many cells.

    With s = 0, the noise alone.
    """

    def __init__(self, s: float, noise: DensityNoise, tolerance: float = 2e-8) -> None:
        self.s, self.noise, self.tolerance = s, noise, tolerance
        if not noise.sure:
            self.note = "The noise's own tails are known to about 1e-15 absolutely."
        if s > 0:
            self.route, self.width = "convolution", 1e-9 if noise.mode is not None else 1e-7

    @cached_property
    def centre(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.noise.centre()

    @cached_property
    def scale(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return math.hypot(self.s, self.noise.iqr())

    def _quantile(self, level: float, sign: int) -> float:
        """The quantile from a coarser enclosure, which is faster and keeps the level, too."""
        return TailLaw._quantile(ConvolvedTail(self.s, self.noise, 2e-7), level, sign)

    def tail(self, x: Floats, sign: int) -> Bracket:
        if self.s == 0:
            low = high = self.noise.sf(x) if sign > 0 else self.noise.cdf(x)
        else:
            found = np.array([self._one(float(v), sign) for v in np.ravel(x)]).reshape((*x.shape, 2))
            low, high = found[..., 0], found[..., 1] + 5e-324
        rounding, unsure = 1e-12, 0.0 if self.noise.sure else 4e-15  # relative and absolute
        return np.maximum(low * (1 - rounding) - unsure, 0.0), np.minimum(high * (1 + rounding) + unsure, 1.0)

    def _one(self, x: float, sign: float) -> tuple[float, float]:
        """Both ends of P(S + N > x), or of P(S + N < x) = P(S − N > −x)."""
        noise, s = self.noise, self.s

        def g(z: Floats) -> Floats:
            with np.errstate(all="ignore"):
                return noise.sf(x - s * z) if sign > 0 else noise.cdf(x + s * z)

        a, b, mass, mean = _first_cells()
        cuts = [sign * (x - place) / s for place in noise.landmarks()]
        cuts = np.unique([c for c in cuts if -_END < c < _END])
        if len(cuts):
            edges = np.unique(np.concatenate([a, b[-1:], cuts]))
            a, b = edges[:-1], edges[1:]
            mass, mean = _cells(a, b)
        ends = g(np.append(a, b[-1]))
        low, high = self._bounds(g, a, b, mass, mean, ends[:-1], ends[1:], x, sign)
        done_low, done_high, count = 0.0, 0.0, len(a)
        while True:
            total = done_low + low.sum()
            gap = done_high - done_low + (high - low).sum()
            # without a known mode the gap is linear in the width of cells, so more cells gain little
            if gap <= self.tolerance * total or count > (20_000 if noise.mode is None else 120_000):
                break
            wide = (high - low) > 0.25 * self.tolerance * total / max(len(a), 1)
            wide &= (b - a) > 1e-12
            if not wide.any():
                break
            done_low += float(low[~wide].sum())
            done_high += float(high[~wide].sum())
            edges = np.linspace(a[wide], b[wide], 5, axis=1)
            a, b = edges[:, :-1].ravel(), edges[:, 1:].ravel()
            mass, mean = _cells(a, b)
            low, high = self._bounds(g, a, b, mass, mean, g(a), g(b), x, sign)
            count += len(a)
        return done_low + float(low.sum()), done_high + float(high.sum())

    def _bounds(self, g, a, b, mass, mean, at_a, at_b, x: float, sign: float) -> Bracket:
        """Both ends of each cell's contribution."""
        low, high = mass * at_a, mass * at_b
        if self.noise.mode is None:
            return low, np.maximum(high, low)
        # g is convex where the argument sign·(x − s·z), which decreases in z, exceeds the mode
        first, last = (sign * self.noise.unit * m for m in self.noise.mode)
        first, last = min(first, last), max(first, last)
        at = sign * x
        convex = at - self.s * b >= last
        concave = at - self.s * a <= first
        shaped = convex | concave
        middle = np.where(shaped, g(np.where(shaped, mean, a)), 0.0)
        with np.errstate(invalid="ignore"):
            share = np.clip((mean - a) / (b - a), 0.0, 1.0)
        chord = at_a + (at_b - at_a) * share
        low = np.where(convex, mass * middle, np.where(concave, mass * chord, low))
        high = np.where(convex, mass * chord, np.where(concave, mass * middle, high))
        # rounding may exchange ends that are nearly equal
        return np.minimum(low, high), np.maximum(low, high)


@dataclass(frozen=True, eq=False)
class PairNoise(Noise):
    """first·N − second·N' for two independent noises N, N' of the same kind."""

    _scales = ("first", "second")
    noise: DensityNoise
    first: float
    second: float

    def draw(self, rng: np.random.Generator, size: Any) -> Floats:
        return self.first * self.noise.draw(rng, size) - self.second * self.noise.draw(rng, size)

    def grid(self, cells: int) -> tuple[float, int, Floats, float, float]:
        """(h, start, masses of K/h from start on, mass beyond the grid, absolute error of a sum of masses)."""
        wide = [self.noise.scaled(f) for f in (self.first, self.second)]
        ends = [_ends(n) for n in wide]
        h = max(high - low for low, high in ends) / cells
        from scipy.signal import fftconvolve

        (i, one, lost), (j, two, gone) = (_masses(n, h, *e) for n, e in zip(wide, ends))
        both = np.maximum(fftconvolve(one, two[::-1]), 0.0)
        unsure = 1e-14 * float(np.linalg.norm(one) * np.linalg.norm(two)) * len(both)
        return h, i - (j + len(two) - 1), both, lost + gone, unsure


def difference(noise: Noise, first: float, second: float) -> Noise:
    """The law of first·N − second·N' for two independent noises of the same kind, in closed form if there is one."""
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
    raise Undefined(f"The difference of two numbers with {noise!r} is not supported. Use dplens.SimulatedTest.")


def _ends(noise: Any) -> tuple[float, float]:
    """The ends of the grid: the quantiles at 1e-15, or 200 interquartile ranges from the median."""
    reach = 200 * noise.iqr()
    low, high = (noise.unit * float(np.asarray(q(np.array([1e-15])))[0]) for q in (noise.law.ppf, noise.law.isf))
    return max(low, noise.centre() - reach), min(high, noise.centre() + reach)


def _masses(noise: Any, h: float, low: float, high: float) -> tuple[int, Floats, float]:
    """(first, masses of floor(N/h) from there on, mass they leave out), each computed from the smaller tail."""
    first, last = int(np.floor(low / h)), int(np.floor(high / h))
    edges = h * np.arange(first, last + 2.0)
    below, above = noise.cdf(edges), noise.sf(edges)
    masses = np.where(edges[:-1] < noise.centre(), np.diff(below), -np.diff(above))
    return first, np.maximum(masses, 0.0), float(below[0] + above[-1]) + (0.0 if noise.sure else 4e-15)
