"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.engine.laws import UNIT

_VANISHED = 1e-15  # error of the masses by leaving out high frequencies
_NOTABLE = 1e-6  # value that has surely not vanished
FEW = 1 / 64  # of all frequencies


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
        self.dropped = self.shorter = 0.0  # norms of what was left out, and of errors of sums on shorter lattices

    def kept(self) -> int:
        """How many values have not vanished, as far as these may be few."""
        if self.bound[int(FEW * self.size) :].max() > _NOTABLE:
            return len(self.bound)
        left = np.cumsum(self.bound[::-1] ** 2) * (2 / self.size)
        return max(len(left) - int(np.searchsorted(left, _VANISHED**2)), 1)

    def drop(self, kept: int) -> None:
        """Leave out what has vanished."""
        self.dropped += float(np.linalg.norm(self.bound[kept:]))
        self.value, self.bound = self.value[:kept], self.bound[:kept]

    def times(self, rows: np.ndarray, counts: Sequence[int], error: float = 0.0) -> None:
        """Steps more, each with how often it occurs; ``error``: of their transforms besides rounding."""
        each = self.unit + 8 * UNIT + error  # a factor of a power: a complex product errs by √5 units
        sizes = np.abs(rows) + each
        with np.errstate(over="ignore", under="ignore"):
            for row, size, count in zip(rows, sizes, counts):
                self.value *= power(row, count)
                self.bound *= power(size, count)

    def _wrong(self) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            size = np.abs(self.value)
            return np.minimum(self.bound - size, 2.0) + self.unit * size

    def error(self) -> float:
        """Root of the sum of the squared errors of the masses, by Parseval's theorem."""
        return math.sqrt(2 / self.size) * (float(np.linalg.norm(self._wrong())) + self.dropped) + self.shorter

    def largest_error(self) -> float:
        """Of a mass, where nothing was left out."""
        return 2 / self.size * float(np.sum(self._wrong()))


def placed(index: np.ndarray, values: Floats, size: int) -> Floats:
    """Values at whole numbers; those at the same one add up."""
    return np.asarray(np.bincount(index, values, size), dtype=float)
