"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.engine.laws import UNIT


def round_length(count: int) -> int:
    """A length that Fourier sums like, no less than ``count``."""
    top = 1 << (count - 1).bit_length()
    return min(n for n in (top, top // 4 * 3, top // 8 * 5) if n >= count)


def power(x: np.ndarray, times: int) -> np.ndarray:
    """x to a whole power by squaring: the same as e^(times·log x), sooner."""
    out = None
    while times:
        if times & 1:
            out = x if out is None else out * x
        times >>= 1
        if times:
            x = x * x
    return np.ones_like(x) if out is None else out


class Weights(NamedTuple):
    """Masses of a step under a tilt, scaled to add up to 1; the logarithm of their sum, and its error."""

    values: Floats
    k: float
    blur: float

    @classmethod
    def of(cls, c: float, losses: Floats, log_p: Floats) -> Weights:
        tilt = c * losses
        exponent = tilt + log_p
        top = float(exponent.max())
        values = np.exp(exponent - top)
        total = float(values.sum())
        values /= total
        some = values > 0
        sizes = float(values[some] @ (np.abs(tilt[some]) - log_p[some]))  # of what exponents are sums of
        return cls(values, top + math.log(total), UNIT * (8 + 4 * sizes + 2 * abs(top)))


class Product:
    """A product of transforms of masses that add up to 1, and bounds on each of its values."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.value, self.bound = np.ones(size // 2 + 1, dtype=complex), np.ones(size // 2 + 1)
        self.unit = 8 * UNIT * (math.log2(size) + 4)  # rounding of a Fourier sum

    def times(self, masses: Floats, count: int) -> None:
        """A step more, which occurs ``count`` times."""
        row = np.fft.rfft(masses)
        each = self.unit + 8 * UNIT  # a factor of a power: a complex product errs by √5 units
        with np.errstate(over="ignore", under="ignore"):
            self.value *= power(row, count)
            self.bound *= power(np.abs(row) + each, count)

    def _wrong(self) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            size = np.abs(self.value)
            return np.minimum(self.bound - size, 2.0) + self.unit * size

    def error(self) -> float:
        """Root of the sum of the squared errors of the masses, by Parseval's theorem."""
        return math.sqrt(2 / self.size) * float(np.linalg.norm(self._wrong()))

    def largest_error(self) -> float:
        """Of a mass."""
        return 2 / self.size * float(np.sum(self._wrong()))


def placed(index: np.ndarray, values: Floats, size: int) -> Floats:
    """Values at whole numbers, wrapped around; those at the same one add up."""
    return np.asarray(np.bincount(index % size, values, size), dtype=float)
