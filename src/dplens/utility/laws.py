"""From a sampling error and a noise to the law of the published number."""

from __future__ import annotations

import math

import numpy as np

from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.utility.convolution import ConvolvedTail
from dplens.utility.gridded import GriddedTail, PairNoise
from dplens.utility.noise import DensityNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, WholeNoise
from dplens.utility.sums import SumTail, TableTail
from dplens.utility.tails import (
    Bracket,
    LaplaceTail,
    NormalLaplaceTail,
    NormalTail,
    PointTail,
    TailLaw,
    WholeTail,
)

_TABLE, _LONG_TABLE = 500_000, 5_000_000  # whole numbers that noise may reach
_LEAST, _SMALL = 1e-300, 1e-40
_ROUNDING = 1e-12  # relative: of tails of well-known laws


def normal_plus(s: float, noise: Noise) -> TailLaw:
    """N(0, s²) plus the noise."""
    if isinstance(noise, NoNoise):
        return NormalTail(s)
    if isinstance(noise, NormalNoise):
        return NormalTail(math.hypot(s, noise.sigma), at=noise.at)
    if isinstance(noise, LaplaceNoise):
        return NormalLaplaceTail(s, noise.scale, at=noise.at)
    if isinstance(noise, WholeNoise):
        reach, missing = _reach(noise)
        k = np.arange(-reach, reach + 1.0)
        return SumTail(k * noise.unit, noise.masses(reach), NormalTail(s), missing=missing)
    if isinstance(noise, DensityNoise):
        return ConvolvedTail(s, noise)
    if isinstance(noise, PairNoise):
        return GriddedTail(noise, s)
    raise TypeError(f"unknown noise {noise!r}")


def _reach(noise: WholeNoise) -> tuple[int, float]:
    """How far the masses are listed, and what they leave out."""
    for level, most in ((_LEAST, _TABLE), (_SMALL, _LONG_TABLE)):
        reach = float(noise.lattice.first_below(np.array([level]))[0])
        if reach <= most:
            return int(reach), 2.5 * level if level > _LEAST else 5e-300
    raise Undefined(
        f"Whole-number noise of spread {noise.lattice.spread:g} is not worked out number by number; at that width it "
        "does not differ from its continuous counterpart: use dplens.Laplace or dplens.Gaussian."
    )


def count_plus(masses: Floats, start: int, noise: Noise, error: float = 1e-13) -> TailLaw:
    """A count with the given masses from ``start`` on, plus the noise."""
    if isinstance(noise, NoNoise):
        return TableTail(start, masses, error=error)
    places = start + np.arange(len(masses), dtype=float)
    return SumTail(places, masses, alone(noise), error)


def alone(noise: Noise) -> TailLaw:
    """The noise by itself."""
    if isinstance(noise, NoNoise):
        return PointTail()
    if isinstance(noise, NormalNoise):
        return NormalTail(noise.sigma, at=noise.at)
    if isinstance(noise, LaplaceNoise):
        return LaplaceTail(noise.scale, at=noise.at)
    if isinstance(noise, WholeNoise):
        if noise.unit != 1:
            raise Undefined("Whole-number noise belongs on whole numbers: publish the count.")
        return WholeTail(noise.lattice)
    if isinstance(noise, DensityNoise):
        return DensityTail(noise)
    if isinstance(noise, PairNoise):
        return GriddedTail(noise)
    raise TypeError(f"unknown noise {noise!r}")


class DensityTail(TailLaw):
    """Noise with a density by itself."""

    def __init__(self, noise: DensityNoise) -> None:
        self.noise = noise
        if not noise.sure:
            self.note = "The noise's own tails are known to about 1e-15 absolutely."

    @property
    def centre(self) -> float:
        return self.noise.centre()

    @property
    def spread(self) -> float:
        return self.noise.spread()

    def tail(self, x: Floats, sign: int) -> Bracket:
        tail = self.noise.sf(x) if sign > 0 else self.noise.cdf(x)
        unsure = 0.0 if self.noise.sure else 4e-15
        return np.maximum(tail * (1 - _ROUNDING) - unsure, 0.0), np.minimum(tail * (1 + _ROUNDING) + unsure, 1.0)
