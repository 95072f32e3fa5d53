"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.losses.base import UNIT

_TOGETHER = 4  # short laws of which one is made: two and eight take as long
_DENSE = 8  # whole numbers for every mass, up to which a law is dense
_FAINT = 1e-18  # masses at either end of a law, and values of a transform, that may be left out
_FEW = 0.5  # frequencies times masses, of the points of a window, that are summed sooner than transformed


def round_length(count: int) -> int:
    """A length that Fourier sums like, no less than ``count``."""
    top = max(1 << (count - 1).bit_length(), 64)
    return min(n for n in (top // 64 * part for part in (36, 40, 45, 48, 50, 54, 60, 64)) if n >= count)


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

    at: np.ndarray
    values: Floats
    times: int = 1
    error: float = 0.0

    @property
    def length(self) -> int:
        """Of the sum of as many as there are."""
        return self.times * int(self.at[-1] - self.at[0]) + 1

    def trimmed(self) -> Part:
        """Without faint ends. What is left out is part of the errors."""
        least = max(0.1 * self.error, _FAINT) ** 2
        if min(self.values[0] ** 2, self.values[-1] ** 2) >= least:
            return self
        start, stop = (int(np.searchsorted(np.cumsum(x**2), least)) for x in (self.values, self.values[::-1]))
        kept = slice(start, max(len(self.values) - stop, start + 1))
        return Part(self.at[kept], self.values[kept], self.times, self.error + 1.5 * math.sqrt(least))

    def transform(self, size: int) -> np.ndarray:
        """Of the masses from the first on, wrapped around."""
        return np.fft.rfft(placed(self.at - self.at[0], self.values, size))

    def low_frequencies(self, end: int, size: int) -> np.ndarray:
        """The beginning of the transform, sooner where masses are few."""
        rows, known = np.ones((end, len(self.at)), dtype=complex), 1
        while known < end:  # twice as many each time
            turn = np.exp(-2j * math.pi / size * (known * (self.at - self.at[0]) % size))
            rows[known : 2 * known] = rows[: min(known, end - known)] * turn
            known *= 2
        return rows @ self.values


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
        for part in sorted(_fewer([part.trimmed() for part in parts], size), key=lambda part: -len(part.at)):
            product.first += part.times * int(part.at[0])
            product.before += 1.01 * part.times * part.error  # products of errors are smaller than one percent
            end = len(product.bound) - int(np.argmax(product.bound[::-1] > _FAINT))
            if end * len(part.at) < _FEW * size:
                more = UNIT * (2 * len(part.at) + 32 * math.log2(end + 1))  # of the sum and of doubling
                product._times(part.low_frequencies(end, size), part.times, more)
            else:
                product._times(part.transform(size), part.times)
        return product

    def times(self, masses: Floats, count: int) -> None:
        """A step more, which occurs ``count`` times."""
        self._times(np.fft.rfft(masses), count)

    def _times(self, row: np.ndarray, count: int, more: float = 0.0) -> None:
        """By its transform, or the beginning of it where the rest counts for nothing."""
        each = self.unit + 8 * UNIT + more  # a factor of a power: a complex product errs by √5 units
        end = len(row)
        with np.errstate(over="ignore", under="ignore"):
            self.bound[:end] *= power(np.abs(row) + each, count)
            clear = self.bound[:end] > _FAINT  # the rest would only underflow
            if count > 1:
                row[clear] = power(row[clear], count)
            self.value[:end] *= row
        self.value[:end][~clear], self.value[end:] = 0.0, 0.0
        np.maximum(self.bound, _FAINT, out=self.bound)

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
    """Those that are short and dense are summed by short transforms, some at a time."""
    rest = [part for part in parts if _DENSE * part.times * len(part.at) < part.length]
    dense = [part for part in parts if _DENSE * part.times * len(part.at) >= part.length]
    while len(dense) > _TOGETHER:
        dense.sort(key=lambda part: part.length)
        length = 1 + sum(part.length - 1 for part in dense[:_TOGETHER])
        if 2 * round_length(length) > size:
            break
        dense = [_summed(dense[:_TOGETHER], length), *dense[_TOGETHER:]]
    return rest + dense


def _summed(parts: list[Part], length: int) -> Part:
    """Their sum. Errors of parts add up, as masses add up to 1; a transform errs by ``unit`` of the root of squares."""
    size = round_length(length)
    value, error, unit = 1.0, 0.0, 8 * UNIT * (math.log2(size) + 5)
    for part in parts:
        value = value * power(part.transform(size), part.times)
        error += 1.01 * part.times * (part.error + unit * float(np.linalg.norm(part.values)))
    values = np.fft.irfft(value, size)[:length]
    error += unit * float(np.linalg.norm(values))
    return Part(sum(part.times * int(part.at[0]) for part in parts) + np.arange(length), values, 1, error).trimmed()


def placed(index: np.ndarray, values: Floats, size: int) -> Floats:
    """Values at whole numbers, wrapped around; those at the same one add up."""
    return np.asarray(np.bincount(index % size, values, size), dtype=float)
