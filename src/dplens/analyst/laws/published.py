"""The law of a published number: sampling error or count, plus noise."""

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

    def tail(self, x: Floats, sign: int) -> Bracket:
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

    def tail(self, x: Floats, sign: int) -> Bracket:
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


class GriddedTail(TailLaw):
    """The difference W of two noises, or N(0, s²) + W, enclosed on a grid.

    Round a·N and b·N' down to multiples of h. Both rounding errors lie in [0, h), so W = a·N − b·N' lies between K − h
    and K + h, where K is the difference of the rounded values; its law on the grid takes one transform. Hence P(K ≥ x +
    h) ≤ P(W ≥ x) ≤ P(K ≥ x − h), also with an independent sampling error added to W. The mass beyond the grid is added
    to the upper end and omitted from the lower one. The gap is about 2h times the hazard of W.
    """

    route = "grid"
    width = 1e-9

    def __init__(self, noise: PairNoise, s: float = 0.0) -> None:
        # tails of a table are lookups, and cheaper than sums over it
        self.h, start, masses, self.lost, unsure = noise.grid(
            1 << 17 if s else 1 << 18
        )  # table lookups are cheaper than sums
        # masses are differences of tails, each rounded
        self.unsure = unsure + 1e-15 * len(masses)
        places = np.arange(start, start + len(masses), dtype=float)
        self.on_grid = SumTail(places, masses, normal_tail(s / self.h)) if s else TableTail(start, masses)
        self.centre, self.scale = self.h * self.on_grid.centre, self.h * self.on_grid.scale
        self.note = f"Enclosed on a grid of {len(masses)} cells; {self.lost:.1g} lies beyond it."

    def tail(self, x: Floats, sign: int) -> Bracket:
        low, high = (self.on_grid.tail(x / self.h + at, sign)[i] for i, at in enumerate((sign, -sign)))
        return np.maximum(low - self.unsure, 0.0), np.minimum(high + self.unsure + self.lost, 1.0)


def normal_plus(s: float, noise: Noise) -> TailLaw:
    """N(0, s²) plus the noise; with s = 0 the noise alone."""
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
