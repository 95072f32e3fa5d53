"""Enclosures of numbers by lower and upper bounds, and all outward rounding of results.

A curve returns an :class:`Enclosure`: two arrays with ``lo`` ≤ truth ≤ ``hi``. An end may be given as a function;
it is then computed on first access, so that a search that only needs ``hi`` never computes ``lo``.

Enclosures do not provide interval arithmetic, in which a formula that uses a number twice loses
digits. Evaluate the formula at both ends instead (:meth:`Enclosure.rising`), and widen the result by its rounding.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
End = Floats | Callable[[], Floats]


class Bounds(NamedTuple):
    """Bounds on one number: ``lo`` ≤ truth ≤ ``hi``."""

    lo: float
    hi: float

    @property
    def mid(self) -> float:
        """A point estimate."""
        return (self.lo + self.hi) / 2

    @classmethod
    def around(cls, value: float, relative: float, absolute: float = 0.0) -> Bounds:
        """A computed value ≥ 0 with bounds on its relative and absolute error."""
        return cls(max(value * (1 - relative) - absolute, 0.0), value * (1 + relative) + absolute)


class Enclosure:
    """Arrays with ``lo`` ≤ truth ≤ ``hi`` elementwise; each is computed on first access.

    >>> third = Enclosure.around(np.array([1 / 3]), 1e-15)
    >>> bool(third.lo[0] < 1 / 3 < third.hi[0])
    True
    """

    __slots__ = ("_hi", "_lo")

    def __init__(self, lo: End, hi: End) -> None:
        self._lo, self._hi = lo, hi

    @property
    def lo(self) -> Floats:
        """The lower end."""
        end = self._lo
        if callable(end):
            end = self._lo = end()
        return end

    @property
    def hi(self) -> Floats:
        """The upper end."""
        end = self._hi
        if callable(end):
            end = self._hi = end()
        return end

    def end(self, upper: bool) -> Floats:
        """One of the ends."""
        return self.hi if upper else self.lo

    def __iter__(self) -> Iterator[Floats]:
        """Both ends, ``lo`` first."""
        return iter((self.lo, self.hi))

    @classmethod
    def around(cls, value: Floats, relative: Floats | float, absolute: Floats | float = 0.0) -> Enclosure:
        """Computed values ≥ 0 with bounds on their relative and absolute error."""
        return cls(value, value).widened(relative, absolute)

    @classmethod
    def spanning(cls, lower: Enclosure, upper: Enclosure) -> Enclosure:
        """From the lower end of one number to the upper end of another."""
        return cls(lambda: lower.lo, lambda: upper.hi)

    def rising(self, function: Callable[[Floats], Floats]) -> Enclosure:
        """An increasing function of the number, evaluated at both ends without counting its rounding."""
        return Enclosure(lambda: function(self.lo), lambda: function(self.hi))

    def widened(self, relative: Floats | float = 0.0, absolute: Floats | float = 0.0) -> Enclosure:
        """The enclosure of a number ≥ 0, widened by a bound on a further error."""
        return Enclosure(
            lambda: np.maximum(self.lo * (1 - relative) - absolute, 0.0),
            lambda: self.hi * (1 + relative) + absolute,
        )

    def clipped(self, least: Floats | float, most: Floats | float) -> Enclosure:
        """The enclosure of a number that is known to lie between ``least`` and ``most``."""
        return self.rising(lambda end: np.clip(end, least, most))

    def __getitem__(self, index: Any) -> Enclosure:
        return self.rising(lambda end: end[index])

    @staticmethod
    def largest(numbers: Sequence[Enclosure]) -> Enclosure:
        """The elementwise maximum of several."""
        return _reduced(np.max, numbers)

    @staticmethod
    def smallest(numbers: Sequence[Enclosure]) -> Enclosure:
        """The elementwise minimum of several."""
        return _reduced(np.min, numbers)


def _reduced(reduce: Callable[..., Floats], numbers: Sequence[Enclosure]) -> Enclosure:
    return Enclosure(lambda: reduce([x.lo for x in numbers], axis=0), lambda: reduce([x.hi for x in numbers], axis=0))


def opposed(
    upper: Callable[[], tuple[Floats, Floats]], lower: Callable[[], tuple[Floats, Floats]]
) -> tuple[Enclosure, Enclosure]:
    """Enclosures of power and beta whose opposite ends are computed together.

    ``upper`` returns the upper end of power and the lower end of beta, ``lower`` the other two. Each is called at most
    once.
    """
    upper, lower = cache(upper), cache(lower)
    return Enclosure(lambda: lower()[0], lambda: upper()[0]), Enclosure(lambda: upper()[1], lambda: lower()[1])


# ---- single numbers on a known side of the truth ----------------------------------------------------------


def float_above(number: Fraction) -> float:
    """The smallest float that is not less; the largest float if the number exceeds all floats."""
    return _ratio_above(*number.as_integer_ratio())


def _ratio_above(numerator: int, denominator: int) -> float:
    try:
        found = numerator / denominator
    except OverflowError:
        return sys.float_info.max
    whole, parts = found.as_integer_ratio()
    return (
        found if whole * denominator >= numerator * parts else min(math.nextafter(found, math.inf), sys.float_info.max)
    )


def quotient_above(numerator: float | Fraction, denominator: float) -> float:
    """numerator/denominator rounded up, but never to 0 or infinity."""
    (a, b), (c, d) = numerator.as_integer_ratio(), denominator.as_integer_ratio()
    return max(_ratio_above(a * d, b * c), 5e-324)


def multiple_above(factor: float, count: int) -> float:
    """factor·count rounded up, but never to infinity."""
    return float_above(Fraction(factor) * count)


def float_below(number: Fraction) -> float:
    """The largest float that is not greater."""
    found = float(number) if number < sys.float_info.max else sys.float_info.max
    return found if Fraction(found) <= number else math.nextafter(found, -math.inf)


def quotient_ends(rounded_up: float) -> tuple[float, float]:
    """Bounds on a number rounded up by the functions above; the largest float may represent any larger number."""
    # up to four roundings: a quotient, and its multiples for groups of groups
    low = min(rounded_up * (1 - 1e-15), math.nextafter(rounded_up, 0.0))
    return low, math.inf if rounded_up >= sys.float_info.max else rounded_up


def elementwise(function: Callable[[Floats], Floats], values: Floats, given: Any, block: int = 32768) -> Any:
    """Apply a function of flat arrays to checked ``values``; a scalar argument returns a float."""
    flat = np.atleast_1d(values).ravel()
    with np.errstate(over="ignore"):  # extreme parameters may overflow; infinity is then correct
        if len(flat) <= block:
            out = function(flat)
        else:
            out = np.concatenate([function(part) for part in np.array_split(flat, -(-len(flat) // block))])
    if values.ndim == 0 and not isinstance(given, np.ndarray):
        return float(out[0])
    return out.reshape(values.shape)
