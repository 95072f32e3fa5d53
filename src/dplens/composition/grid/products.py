"""Products of Fourier transforms of masses that add up to 1, with bounds on their errors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dplens.curves.base import Floats
from dplens.losses.base import UNIT

_FAINT = 1e-18  # masses at either end of a law, and values of a transform, that may be dropped
_CHUNK = 1 << 14  # values of a transform that are raised to a power at once


def round_length(count: int) -> int:
    """A length of at least ``count`` with a fast Fourier transform."""
    top = max(1 << (count - 1).bit_length(), 64)
    return min(n for n in (top // 64 * part for part in (36, 40, 45, 48, 50, 54, 60, 64)) if n >= count)


def unwrapped(wrapped: Floats, low: int) -> Floats:
    """Values at whole numbers from ``low`` on, from values that are wrapped around."""
    return np.roll(wrapped, -(low % len(wrapped)))


def power(x: np.ndarray, count: int) -> np.ndarray:
    """x to a positive whole power by squaring: the same as e^(count·log x), but faster."""
    out = None
    while True:
        if count & 1:
            out = x if out is None else out * x
        count >>= 1
        if not count:
            return x if out is None else out
        x = x * x


def cgf_sum(laws: Iterable[tuple[Floats, Floats, int]], c: Floats) -> Floats:
    """Rows of K, K' and K'' at real tilts, summed over (losses, log masses, count)."""
    total = np.zeros((3, len(c)))
    for losses, log_p, count in laws:
        with np.errstate(over="ignore"):  # of the largest tilts, which then bound nothing
            exponent = np.clip(np.multiply.outer(c, losses), -1e300, 1e300) + log_p
        top = exponent.max(axis=1)
        weight = np.exp(exponent - top[:, None])
        mass = weight.sum(axis=1)
        mean = weight @ losses / mass
        with np.errstate(over="ignore"):  # squares of the largest losses overflow
            variance = np.sum(weight * (losses - mean[:, None]) ** 2, axis=1) / mass
        total += count * np.array([top + np.log(mass), mean, variance])
    return total


def tilted_masses(c: float, losses: Floats, log_p: Floats) -> tuple[Floats, float, float]:
    """Masses of a step under a tilt, scaled to add up to 1; the log of their sum, and its error."""
    tilt = c * losses
    exponent = tilt + log_p
    top = float(exponent.max())
    values = np.exp(exponent - top)
    total = float(values.sum())
    values /= total
    size = float(values @ (np.abs(tilt) - log_p))  # mean size of what the exponents are sums of
    return values, top + math.log(total), UNIT * (8 + 4 * size + 2 * abs(top))


class StepMasses(NamedTuple):
    """Masses at increasing whole numbers, how often the step occurs, and the l2 norm of the errors of the masses."""

    at: np.ndarray
    values: Floats
    times: int = 1
    error: float = 0.0

    @property
    def length(self) -> int:
        """The number of lattice points that the sum of all these steps spans."""
        return self.times * int(self.at[-1] - self.at[0]) + 1

    @property
    def is_dense(self) -> bool:
        """Whether the sum has a mass at about every eighth lattice point or more."""
        return 8 * self.times * len(self.at) >= self.length

    def trimmed(self) -> StepMasses:
        """Drop faint ends, and count them among the errors."""
        least = max(0.1 * self.error, _FAINT) ** 2
        if min(self.values[0] ** 2, self.values[-1] ** 2) >= least:
            return self
        start, stop = (int(np.searchsorted(np.cumsum(x**2), least)) for x in (self.values, self.values[::-1]))
        kept = slice(start, max(len(self.values) - stop, start + 1))
        return StepMasses(self.at[kept], self.values[kept], self.times, self.error + 1.5 * math.sqrt(least))

    def transform(self, size: int) -> np.ndarray:
        """The transform of the masses from the first one on, wrapped around; masses at equal places add up."""
        place = self.at - self.at[0]
        place %= size
        return np.fft.rfft(np.bincount(place, self.values, size))

    def low_frequencies(self, end: int, size: int) -> np.ndarray:
        """The first ``end`` values of the transform, which is faster where masses are few."""
        fine = math.isqrt(end - 1) + 1
        steps, places = np.arange(fine), self.at - self.at[0]
        turns = ((np.multiply.outer(k, places) + size // 2) % size - size // 2 for k in (steps, fine * steps))
        near, far = (np.exp(-2j * math.pi / size * turn) for turn in turns)
        return ((far * self.values) @ near.T).ravel()[:end]


class Product:
    """A product of transforms of masses that add up to 1, with a bound on the modulus of each value."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.value, self.bound = np.ones(size // 2 + 1, dtype=complex), np.ones(size // 2 + 1)
        self.unit = 8 * UNIT * (math.log2(size) + 4)  # relative rounding of a Fourier sum
        self.first = 0  # the lattice point of the first mass
        self.input_error = 0.0  # from the errors of the masses themselves

    @classmethod
    def of(cls, steps: Iterable[StepMasses], size: int) -> Product:
        """Multiply the longest lists of masses first. Once only low frequencies are left, the rest need no FFT."""
        product = cls(size)
        for step in sorted(_merged([step.trimmed() for step in steps], size), key=lambda step: -len(step.at)):
            product.first += step.times * int(step.at[0])
            product.input_error += 1.01 * step.times * step.error  # products of errors are below one percent
            end = len(product.bound) - int(np.argmax(product.bound[::-1] > _FAINT))
            if end * len(step.at) < 4 * size:
                error = UNIT * (2 * len(step.at) + 24)  # of the sum, and of two angles up to pi
                product._multiply(step.low_frequencies(end, size), step.times, error)
            else:
                product._multiply(step.transform(size), step.times, product.unit)
        return product

    def _multiply(self, row: np.ndarray, count: int, error: float) -> None:
        """Multiply by a power of a transform, or of its beginning where the rest is negligible."""
        each = error + 8 * UNIT  # a factor of a power: a complex product errs by √5 units
        end = len(row)
        for start in range(0, end, _CHUNK):
            part = slice(start, min(start + _CHUNK, end))
            some, value, bound = row[part], self.value[part], self.bound[part]
            with np.errstate(over="ignore", under="ignore"):
                bound *= power(np.abs(some) + each, count)
                clear = bound > _FAINT  # the rest would only underflow
                some[clear] = power(some[clear], count)
                value *= some
            value[~clear] = 0.0
        self.value[end:] = 0.0
        np.maximum(self.bound, _FAINT, out=self.bound)

    def _errors(self) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            size = np.abs(self.value)
            return np.minimum(self.bound - size, 2.0) + self.unit * size

    def error(self) -> float:
        """The l2 norm of the errors of the masses, by Parseval's theorem."""
        return math.sqrt(2 / self.size) * float(np.linalg.norm(self._errors())) + self.input_error


def _merged(steps: list[StepMasses], size: int) -> list[StepMasses]:
    """Sum short dense lists by short transforms, four at a time: two and eight take as long."""
    rest, dense = ([step for step in steps if step.is_dense == wanted] for wanted in (False, True))
    while len(dense) > 4:
        dense.sort(key=lambda step: step.length)
        length = 1 + sum(step.length - 1 for step in dense[:4])
        if 2 * round_length(length) > size:
            break
        dense = [_summed(dense[:4], length), *dense[4:]]
    return rest + dense


def _summed(steps: list[StepMasses], length: int) -> StepMasses:
    """The sum of some steps. Their errors add up, as masses add up to 1; a transform errs by ``unit`` in l2 norm."""
    size = round_length(length)
    value, error, unit = 1.0, 0.0, 8 * UNIT * (math.log2(size) + 5)
    for step in steps:
        value = value * power(step.transform(size), step.times)
        error += 1.01 * step.times * (step.error + unit * float(np.linalg.norm(step.values)))
    values = np.fft.irfft(value, size)[:length]
    error += unit * float(np.linalg.norm(values))
    first = sum(step.times * int(step.at[0]) for step in steps)
    return StepMasses(first + np.arange(length), values, 1, error).trimmed()
