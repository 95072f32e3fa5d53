"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.engine.laws import UNIT


def round_length(count: int) -> int:
    """A length that Fourier sums like, no less than ``count``."""
    top = max(1 << (count - 1).bit_length(), 64)
    return min(n for n in (top // 64 * part for part in (36, 40, 45, 48, 50, 54, 60, 64)) if n >= count)


_TOGETHER = 4  # short laws of which one is made: two and eight take as long
_DENSE = 8  # whole numbers for every mass, up to which a law is dense
_FAINT = 1e-18  # masses at either end of a law, and values of a transform, that may be left out
_FEW = 0.5  # frequencies times masses, of the points of a window, that are summed sooner than transformed


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


class Part(NamedTuple):
    """Masses at increasing whole numbers, how often they occur, and the root of the sum of their squared errors."""

    index: np.ndarray
    values: Floats
    count: int = 1
    error: float = 0.0

    @property
    def length(self) -> int:
        """Of the sum of as many as there are."""
        return self.count * int(self.index[-1] - self.index[0]) + 1

    @property
    def first(self) -> int:
        """Where that sum starts."""
        return self.count * int(self.index[0])

    def trimmed(self) -> Part:
        """Without faint ends. What is left out is part of the errors."""
        size, least = self.values**2, max(0.1 * self.error, _FAINT) ** 2
        start, stop = (int(np.searchsorted(np.cumsum(end), least)) for end in (size, size[::-1]))
        kept = slice(start, len(size) - stop)
        if start + stop >= len(size):
            return self
        return Part(self.index[kept], self.values[kept], self.count, self.error + 1.5 * math.sqrt(least))

    def transform(self, size: int) -> np.ndarray:
        """Of the masses from the first on, wrapped around."""
        return np.fft.rfft(placed(self.index - self.index[0], self.values, size))


class Product:
    """A product of transforms of masses that add up to 1, and bounds on each of its values."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.value, self.bound = np.ones(size // 2 + 1, dtype=complex), np.ones(size // 2 + 1)
        self.unit = 8 * UNIT * (math.log2(size) + 4)  # rounding of a Fourier sum
        self.first, self.before = 0, 0.0  # where the masses start; errors that they came with

    @classmethod
    def of(cls, parts: Iterable[Part], size: int) -> Product:
        """Those with most masses first. As soon as only low frequencies are left, the others need no transform."""
        product = cls(size)
        for part in sorted(_fewer([part.trimmed() for part in parts], size), key=lambda part: -len(part.index)):
            product.first += part.first
            product.before += 1.01 * part.count * part.error  # products of errors are smaller than one percent
            end = len(product.bound) - int(np.argmax(product.bound[::-1] > _FAINT))
            if end * len(part.index) < _FEW * size:
                product._times(_low_frequencies(part, end, size), part.count, UNIT * len(part.index))
            else:
                product._times(part.transform(size), part.count)
        return product

    def times(self, masses: Floats, count: int) -> None:
        """A step more, which occurs ``count`` times."""
        self._times(np.fft.rfft(masses), count)

    def _times(self, row: np.ndarray, count: int, more: float = 0.0) -> None:
        """By its transform, or the beginning of it where the rest counts for nothing."""
        each = self.unit + 8 * UNIT + more  # a factor of a power: a complex product errs by √5 units
        end = len(row)
        with np.errstate(over="ignore", under="ignore"):
            self.value[:end] *= power(row, count)
            self.value[end:] = 0.0
            self.bound[:end] *= power(np.abs(row) + each, count)
        faint = self.bound < _FAINT  # what is next to nothing would only underflow
        self.value[faint], self.bound[faint] = 0.0, _FAINT

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


def _fewer(parts: list[Part], size: int) -> list[Part]:
    """Those that are short and dense are summed by short transforms, some at a time.

    The error of a sum is at most the sum of those of its parts, as masses add up to 1; a transform errs by ``unit`` of
    the root of the sum of squares.
    """
    dense = [_DENSE * part.count * len(part.index) >= part.length for part in parts]
    rest = [part for part, is_dense in zip(parts, dense) if not is_dense]
    heap = [(part.length, i, part) for i, part in enumerate(parts) if dense[i]]
    heapq.heapify(heap)
    for number in itertools.count(len(parts)):
        some = heapq.nsmallest(_TOGETHER, heap)
        length = sum(short - 1 for short, _, _ in some) + 1
        window = round_length(length)
        if len(heap) <= _TOGETHER or 2 * window > size:
            return rest + [part for _, _, part in heap]
        value, first, error = 1.0, 0, 0.0
        unit = 8 * UNIT * (math.log2(window) + 5)
        for _, _, part in (heapq.heappop(heap) for _ in some):
            value = value * power(part.transform(window), part.count)
            first += part.first
            error += 1.01 * part.count * (part.error + unit * float(np.linalg.norm(part.values)))
        values = np.fft.irfft(value, window)[:length]
        whole = Part(first + np.arange(length), values, 1, error + unit * float(np.linalg.norm(values))).trimmed()
        heapq.heappush(heap, (whole.length, number, whole))
    raise AssertionError


def _low_frequencies(part: Part, end: int, size: int) -> np.ndarray:
    """The beginning of the transform of few masses."""
    rows = np.ones((end, len(part.index)), dtype=complex)
    index, known = part.index - part.index[0], 1
    while known < end:  # twice as many each time
        more = min(known, end - known)
        rows[known : known + more] = rows[:more] * np.exp(-2j * math.pi / size * (known * index % size))
        known += more
    return rows @ part.values


def placed(index: np.ndarray, values: Floats, size: int) -> Floats:
    """Values at whole numbers, wrapped around; those at the same one add up."""
    return np.asarray(np.bincount(index % size, values, size), dtype=float)
