"""The law of a published number: sampling error or count, plus noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws import tails
from dplens.analyst.laws.noise import DensityNoise, FiniteNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, WholeNoise
from dplens.analyst.laws.tails import Ends, TailLaw
from dplens.errors import Undefined
from dplens.numerics.normal import log_density
from dplens.numerics.quadrature import unit_nodes
from dplens.numerics.sharing import cached_property

_END = 38.5  # the normal mass beyond underflows


def normal_plus(s: float, noise: Noise) -> TailLaw:
    """N(0, s²) plus the noise; with s = 0 the noise alone."""
    if isinstance(noise, NoNoise):
        return tails.normal_tail(s) if s else tails.point_tail()
    if isinstance(noise, NormalNoise):
        return tails.normal_tail(math.hypot(s, noise.sigma), noise.at)
    if isinstance(noise, LaplaceNoise):
        return tails.normal_laplace_tail(s, noise.scale, noise.at) if s else tails.laplace_tail(noise.scale, noise.at)
    if isinstance(noise, WholeNoise) and s:
        reach, missing = reach_of(noise)
        k = np.arange(-reach, reach + 1.0)
        return SumTail(k * noise.unit, noise.masses(reach), tails.normal_tail(s), missing=missing)
    if isinstance(noise, FiniteNoise) and s:
        return SumTail(noise.places, noise.masses, tails.normal_tail(s))
    if isinstance(noise, (WholeNoise, FiniteNoise)):
        if noise.unit != 1:
            raise Undefined("Whole-number noise belongs on whole numbers: publish the count.")
        return whole_table(noise) if isinstance(noise, FiniteNoise) else tails.whole_tail(noise.lattice)
    if isinstance(noise, DensityNoise):
        return ConvolvedTail(s, noise)
    raise TypeError(f"unknown noise {noise!r}")


def whole_table(noise: FiniteNoise) -> TailLaw:
    """Whole-number noise with finitely many values."""
    return TableTail(noise.start, noise.masses)


def alone(noise: Noise) -> TailLaw:
    """The noise alone."""
    return normal_plus(0.0, noise)


def reach_of(noise: WholeNoise) -> tuple[int, float]:
    """The range of integers at which masses are tabulated, and the mass beyond; shorter tables for wide noise."""
    for level, most in ((1e-300, 500_000), (1e-40, 5_000_000)):
        reach = float(noise.lattice.first_below(np.array([level]))[0])
        if reach <= most:
            return int(reach), max(2.5 * level, 5e-300)
    raise Undefined(
        f"Whole-number noise of spread {noise.lattice.spread:g} is too wide for a table of masses; at that width it "
        "does not differ from its continuous counterpart: use dplens.Laplace or dplens.Gaussian."
    )


class TableTail(TailLaw):
    """A law on the integers from ``start`` on, by its masses.

    missing: the mass they may leave out. unsure: absolute error of any sum of masses. error: relative error of a mass.
    """

    step = 1.0

    def __init__(
        self, start: int, masses: Floats, missing: float = 0.0, unsure: float = 0.0, error: float = 0.0
    ) -> None:
        self.start, self.missing, self.unsure = start, missing, unsure
        self.error = 1e-13 + error + 2.3e-16 * len(masses)
        self.above: Floats = np.minimum(np.append(np.cumsum(masses[::-1])[::-1], 0.0), 1.0)
        self.below: Floats = np.minimum(np.append(0.0, np.cumsum(masses)), 1.0)
        self.centre = float(start + np.searchsorted(self.below[1:], 0.5))
        away = np.arange(start, start + len(masses)) - self.centre
        self.scale = max(1.0, math.sqrt(float(away**2 @ masses)))

    def tail(self, x: Floats, sign: int) -> Ends:
        at = np.ceil(x) - self.start if sign > 0 else np.floor(x) - self.start + 1
        tail = (self.above if sign > 0 else self.below)[np.clip(at, 0, len(self.above) - 1).astype(np.int64)]
        low, high = tail * (1 - self.error) - self.unsure, tail * (1 + self.error) + self.missing + self.unsure
        return np.maximum(low, 0.0), np.minimum(high, 1.0)


class SumTail(TailLaw):
    """A discrete variable plus an independent one: Σ mass·P(other ≥ x − place), a sum of positive terms.

    error: relative error of the masses. missing: the mass they may leave out. starts: for several discrete variables,
    the index at which the places of each begin; the largest of their tails is used.
    """

    def __init__(
        self,
        places: Floats,
        masses: Floats,
        other: TailLaw,
        error: float = 1e-13,
        missing: float = 0.0,
        starts: Sequence[int] = (0,),
    ) -> None:
        self.places, self.masses, self.other, self.error, self.missing = places, masses, other, error, missing
        self.starts = list(starts)
        self.route, self.note = other.route, other.note
        self.step = 1.0 if other.step == 1.0 and (places == np.floor(places)).all() else None
        middle = float(places @ masses / masses.sum())
        own = math.sqrt(float(((places - middle) ** 2) @ masses / masses.sum()))
        self.centre, self.scale = middle + other.centre, math.hypot(own, other.scale)

    def tail(self, x: Floats, sign: int) -> Ends:
        flat, rows = np.ravel(x), max(1, 4_000_000 // len(self.places))  # to bound memory
        low, high = np.empty_like(flat), np.empty_like(flat)
        for start in range(0, len(flat), rows):
            part = slice(start, start + rows)
            ends = self.other.tail(flat[part, None] - self.places, sign)
            low[part], high[part] = (
                end @ self.masses
                if len(self.starts) == 1
                else np.add.reduceat(end * self.masses, self.starts, axis=1).max(axis=1)
                for end in ends
            )
        high = np.minimum(high * (1 + self.error) + self.missing, 1.0)
        return (low * (1 - self.error)).reshape(x.shape), high.reshape(x.shape)


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

    P(S + N > x) = E g(Z) with g(z) = P(N > x − s·z), Z standard normal, and g is increasing. Cut the line into cells. A
    cell of mass p contributes between p·g(left) and p·g(right). If the density of the noise is monotone over the cell,
    g is convex or concave there, and with the conditional mean m of Z the contribution lies between p·g(m) (Jensen) and
    p times the chord at m; this gap is quadratic in the width of the cell. Cells with wide gaps are subdivided until
    the sum of all gaps is small relative to the answer. With s = 0, the noise alone.
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

    def quantile(self, level: float, sign: int, end: int = 1) -> float:
        """The quantile from a coarser enclosure, which is faster and keeps the level, too."""
        return TailLaw.quantile(ConvolvedTail(self.s, self.noise, 2e-7), level, sign, end)

    def tail(self, x: Floats, sign: int) -> Ends:
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

    def _bounds(self, g, a, b, mass, mean, at_a, at_b, x: float, sign: float) -> Ends:
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
