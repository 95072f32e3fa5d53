"""From a sampling error, or a count, and a noise to the law of the published number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens._validate import Floats
from dplens.analyst.laws.convolution import ConvolvedTail, PairNoise
from dplens.analyst.laws.noise import DensityNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, WholeNoise
from dplens.analyst.laws.tails import (
    Bracket,
    TailLaw,
    laplace_tail,
    normal_laplace_tail,
    normal_tail,
    point_tail,
    whole_tail,
)
from dplens.errors import Undefined

_TABLE, _LONG_TABLE = 500_000, 5_000_000  # whole numbers that noise may reach
_LEAST, _SMALL = 1e-300, 1e-40
_EPS = float(np.finfo(float).eps)
_ENTRIES = 4_000_000  # of a table, worked on at a time
_CELLS, _MANY_CELLS = 1 << 17, 1 << 18  # of each noise: where tails are sums over cells, and where they are looked up


class TableTail(TailLaw):
    """A law on the whole numbers from ``start`` on, by its masses; ``missing`` is what they may leave out.

    unsure: absolute error of any sum of them. error: relative, of the masses.
    """

    step = 1.0

    def __init__(
        self, start: int, masses: Floats, missing: float = 0.0, unsure: float = 0.0, error: float = 0.0
    ) -> None:
        self.start, self.missing, self.unsure = start, missing, unsure
        self.error = 1e-13 + error + _EPS * len(masses)
        self.above: Floats = np.minimum(np.append(np.cumsum(masses[::-1])[::-1], 0.0), 1.0)
        self.below: Floats = np.minimum(np.append(0.0, np.cumsum(masses)), 1.0)
        self.centre = float(start + np.searchsorted(self.below[1:], 0.5))
        away = np.arange(start, start + len(masses)) - self.centre
        self.spread = max(1.0, math.sqrt(float(away**2 @ masses)))

    def tail(self, x: Floats, sign: int) -> Bracket:
        at = np.ceil(x) - self.start if sign > 0 else np.floor(x) - self.start + 1
        tail = (self.above if sign > 0 else self.below)[np.clip(at, 0, len(self.above) - 1).astype(np.int64)]
        low, high = tail * (1 - self.error) - self.unsure, tail * (1 + self.error) + self.missing + self.unsure
        return np.maximum(low, 0.0), np.minimum(high, 1.0)


class SumTail(TailLaw):
    """A discrete variable plus an independent other one: Σ mass·P(other ≥ x − place), terms that are all positive.

    error: relative, of the masses. missing: mass that they may leave out. starts: where the places of each of several
    discrete variables begin, of which the largest tail counts.
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
        self.centre, self.spread = middle + other.centre, math.hypot(own, other.spread)

    def tail(self, x: Floats, sign: int) -> Bracket:
        flat, rows = np.ravel(x), max(1, _ENTRIES // len(self.places))
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


class GriddedTail(TailLaw):
    """The difference W of two noises, or N(0, s²) + W, enclosed on a grid.

    a·N and b·N' are rounded down to whole multiples of h. What is lost lies in [0, h) for either, so W = a·N − b·N'
    lies between K − h and K + h, where K is the difference of the rounded ones: a law on the grid, by one transform.
    Hence P(K ≥ x + h) ≤ P(W ≥ x) ≤ P(K ≥ x − h), with or without an independent sampling error beside W. What lies
    beyond the grid is added to the upper end and missing from the lower one. The gap is about 2h times the hazard of W.
    """

    route = "grid"
    width = 1e-9

    def __init__(self, noise: PairNoise, s: float = 0.0) -> None:
        self.h, start, masses, self.lost, unsure = noise.grid(_CELLS if s else _MANY_CELLS)
        # masses are differences of tails: rounding of numbers up to ½, in each of the cells
        self.unsure = unsure + 1e-15 * len(masses)
        places = np.arange(start, start + len(masses), dtype=float)
        self.on_grid = SumTail(places, masses, normal_tail(s / self.h)) if s else TableTail(start, masses)
        self.centre, self.spread = self.h * self.on_grid.centre, self.h * self.on_grid.spread
        self.note = f"Enclosed on a grid of {len(masses)} cells; {self.lost:.1g} lies beyond it."

    def tail(self, x: Floats, sign: int) -> Bracket:
        low, high = (self.on_grid.tail(x / self.h + at, sign)[i] for i, at in enumerate((sign, -sign)))
        return np.maximum(low - self.unsure, 0.0), np.minimum(high + self.unsure + self.lost, 1.0)


def normal_plus(s: float, noise: Noise) -> TailLaw:
    """N(0, s²) plus the noise; with s = 0 the noise by itself."""
    if isinstance(noise, NoNoise):
        return normal_tail(s) if s else point_tail()
    if isinstance(noise, NormalNoise):
        return normal_tail(math.hypot(s, noise.sigma), noise.at)
    if isinstance(noise, LaplaceNoise):
        return normal_laplace_tail(s, noise.scale, noise.at) if s else laplace_tail(noise.scale, noise.at)
    if isinstance(noise, WholeNoise) and s:
        reach, missing = reach_of(noise)
        k = np.arange(-reach, reach + 1.0)
        return SumTail(k * noise.unit, noise.masses(reach), normal_tail(s), missing=missing)
    if isinstance(noise, WholeNoise):
        if noise.unit != 1:
            raise Undefined("Whole-number noise belongs on whole numbers: publish the count.")
        return whole_tail(noise.lattice)
    if isinstance(noise, DensityNoise):
        return ConvolvedTail(s, noise)
    if isinstance(noise, PairNoise):
        return GriddedTail(noise, s)
    raise TypeError(f"unknown noise {noise!r}")


def alone(noise: Noise) -> TailLaw:
    """The noise by itself."""
    return normal_plus(0.0, noise)


def reach_of(noise: WholeNoise) -> tuple[int, float]:
    """How far the masses are listed, and what they leave out."""
    for level, most in ((_LEAST, _TABLE), (_SMALL, _LONG_TABLE)):
        reach = float(noise.lattice.first_below(np.array([level]))[0])
        if reach <= most:
            return int(reach), 2.5 * level if level > _LEAST else 5e-300
    raise Undefined(
        f"Whole-number noise of spread {noise.lattice.spread:g} is not worked out number by number; at that width it "
        "does not differ from its continuous counterpart: use dplens.Laplace or dplens.Gaussian."
    )
