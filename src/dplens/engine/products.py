"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.engine.laws import UNIT


def round_length(count: int) -> int:
    """A length that Fourier sums like, no less than ``count``."""
    top = 1 << (count - 1).bit_length()
    return min(n for n in (top, top // 4 * 3, top // 8 * 5) if n >= count)


_TOGETHER = 4  # short laws of which one is made: two and eight take as long
_FAINT = 1e-17  # mass at either end of a law that may be left out


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
        self.before = 0.0  # errors that the masses came with

    def times(self, masses: Floats, count: int) -> None:
        """A step more, which occurs ``count`` times."""
        row = np.fft.rfft(masses)
        each = self.unit + 8 * UNIT  # a factor of a power: a complex product errs by √5 units
        with np.errstate(over="ignore", under="ignore"):
            self.value *= power(row, count)
            self.bound *= power(np.abs(row) + each, count)

    def add(self, part: Part) -> None:
        """The same, from a part."""
        index = part.first + np.arange(len(part.values))
        self.times(placed(index, part.values, self.size), part.count)
        self.before += 1.01 * part.count * part.error

    def _wrong(self) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            size = np.abs(self.value)
            return np.minimum(self.bound - size, 2.0) + self.unit * size

    def error(self) -> float:
        """Root of the sum of the squared errors of the masses, by Parseval's theorem."""
        return math.sqrt(2 / self.size) * float(np.linalg.norm(self._wrong())) + self.before

    def largest_error(self) -> float:
        """Of a mass."""
        return 2 / self.size * float(np.sum(self._wrong())) + self.before


class Part(NamedTuple):
    """Masses from a whole number on, how often they occur, and the root of the sum of their squared errors."""

    first: int
    values: Floats
    count: int = 1
    error: float = 0.0

    def trimmed(self) -> Part:
        """Without faint ends. What is left out is part of the errors."""
        size, least = self.values**2, max(0.1 * self.error, _FAINT) ** 2
        start, stop = int(np.searchsorted(np.cumsum(size), least)), int(np.searchsorted(np.cumsum(size[::-1]), least))
        if start + stop >= len(size):
            return self
        values = self.values[start : len(size) - stop]
        error = self.error + math.sqrt(float(np.sum(size[:start])) + float(np.sum(size[len(size) - stop :])))
        return Part(self.first + start, values, self.count, error * (1 + 1e-9))


def multiplied(parts: Iterable[Part], size: int) -> Product:
    """The product of their transforms. Those that are short beside ``size`` are summed by short transforms first.

    The error of a sum, by the root of its squares, is at most the sum of those of its parts, as masses add up to 1; all
    of it is small enough for one percent to cover products of errors.
    """
    heap = [(part.count * (len(part.values) - 1) + 1, i, part) for i, part in enumerate(p.trimmed() for p in parts)]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > _TOGETHER:
        length = sum(total - 1 for total, _, _ in heapq.nsmallest(_TOGETHER, heap)) + 1
        if 2 * round_length(length) > size:
            break
        product = Product(round_length(length))
        first = 0
        for _, _, part in (heapq.heappop(heap) for _ in range(_TOGETHER)):
            product.add(part._replace(first=0))
            first += part.count * part.first
        values = np.fft.irfft(product.value, product.size)[:length]
        whole = Part(first, values, 1, product.error()).trimmed()
        number += 1
        heapq.heappush(heap, (len(whole.values), number, whole))
    product = Product(size)
    for _, _, part in heap:
        product.add(part)
    return product


def placed(index: np.ndarray, values: Floats, size: int) -> Floats:
    """Values at whole numbers, wrapped around; those at the same one add up."""
    return np.asarray(np.bincount(index % size, values, size), dtype=float)
