"""Numbers known by two ends, and the one place where results are rounded outwards.

A curve answers with an :class:`Enclosure`: two arrays with ``lo`` ≤ truth ≤ ``hi``. An end may be given as a function;
it is then computed when it is first read, so that a search which only needs ``hi`` never pays for ``lo``.

Enclosures do not stand in for interval arithmetic on whole formulas. A formula that mentions a number twice loses
digits that way; evaluate it at both ends instead (:meth:`Enclosure.rising`), and widen the result by its rounding.
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
    """One number with ``lo`` ≤ truth ≤ ``hi``."""

    lo: float
    hi: float

    @property
    def mid(self) -> float:
        """A best guess."""
        return (self.lo + self.hi) / 2

    @classmethod
    def around(cls, value: float, relative: float, absolute: float = 0.0) -> Bounds:
        """A computed value ≥ 0 with a bound on its relative and on its absolute error."""
        return cls(max(value * (1 - relative) - absolute, 0.0), value * (1 + relative) + absolute)


class Enclosure:
    """Arrays ``lo`` ≤ truth ≤ ``hi``, element by element; each computed when it is first read.

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

    def rising(self, function: Callable[[Floats], Floats]) -> Enclosure:
        """A function that rises with the number, at both ends; its own rounding is not counted."""
        return Enclosure(lambda: function(self.lo), lambda: function(self.hi))

    def widened(self, relative: Floats | float = 0.0, absolute: Floats | float = 0.0) -> Enclosure:
        """The ends of a number ≥ 0, moved apart by a bound on a further error."""
        return Enclosure(
            lambda: np.maximum(self.lo * (1 - relative) - absolute, 0.0),
            lambda: self.hi * (1 + relative) + absolute,
        )

    def clipped(self, least: Floats | float, most: Floats | float) -> Enclosure:
        """The number is known to lie between ``least`` and ``most``."""
        return self.rising(lambda end: np.clip(end, least, most))

    def __getitem__(self, index: Any) -> Enclosure:
        return self.rising(lambda end: end[index])

    @staticmethod
    def largest(numbers: Sequence[Enclosure]) -> Enclosure:
        """The largest of several, element by element."""
        return _reduced(np.max, numbers)

    @staticmethod
    def smallest(numbers: Sequence[Enclosure]) -> Enclosure:
        """The smallest of several, element by element."""
        return _reduced(np.min, numbers)


def _reduced(reduce: Callable[..., Floats], numbers: Sequence[Enclosure]) -> Enclosure:
    return Enclosure(lambda: reduce([x.lo for x in numbers], axis=0), lambda: reduce([x.hi for x in numbers], axis=0))


def opposed(
    upper: Callable[[], tuple[Floats, Floats]], lower: Callable[[], tuple[Floats, Floats]]
) -> tuple[Enclosure, Enclosure]:
    """Power and beta whose ends are found together: one falls as the other rises.

    ``upper`` gives the upper end of the power with the lower end of beta, ``lower`` the other two. Each is called once
    at most.
    """
    upper, lower = cache(upper), cache(lower)
    return Enclosure(lambda: lower()[0], lambda: upper()[0]), Enclosure(lambda: upper()[1], lambda: lower()[1])


# ---- single numbers on a known side of the truth ----------------------------------------------------------


def float_above(number: Fraction) -> float:
    """The least float that is no less; the largest float stands for what is beyond all of them."""
    found = min(float(number), sys.float_info.max) if number < 2**1024 else sys.float_info.max
    return found if Fraction(found) >= number else min(math.nextafter(found, math.inf), sys.float_info.max)


def quotient_above(numerator: float | Fraction, denominator: float) -> float:
    """numerator/denominator rounded up, kept off 0 and infinity, which only rounding could have made of it."""
    quotient = min(max(float(numerator) / denominator, 5e-324), sys.float_info.max)
    (c, d), (e, f) = denominator.as_integer_ratio(), numerator.as_integer_ratio()
    while quotient < sys.float_info.max:
        a, b = quotient.as_integer_ratio()
        if a * c * f >= e * b * d:  # in whole numbers
            break
        quotient = math.nextafter(quotient, math.inf)
    return quotient


def multiple_above(factor: float, count: int) -> float:
    """factor·count rounded up, kept off infinity, which only rounding could have made of it."""
    return float_above(Fraction(factor) * count)


def float_below(number: Fraction) -> float:
    """The largest float that is no more."""
    found = float(number) if number < sys.float_info.max else sys.float_info.max
    return found if Fraction(found) <= number else math.nextafter(found, -math.inf)


def quotient_ends(rounded_up: float) -> tuple[float, float]:
    """Bounds on what was rounded up by the functions above; the largest float stands for what is beyond all of them."""
    # four steps up: a quotient, and multiples of it for groups of groups
    low = min(rounded_up * (1 - 1e-15), math.nextafter(rounded_up, 0.0))
    return low, math.inf if rounded_up >= sys.float_info.max else rounded_up


def elementwise(function: Callable[[Floats], Floats], values: Floats, given: Any, block: int = 32768) -> Any:
    """A function of flat arrays applied to checked ``values``; a number as it was given comes back as a float."""
    flat = np.atleast_1d(values).ravel()
    with np.errstate(over="ignore"):  # parameters next to the ends of floats: infinity is what is meant
        if len(flat) <= block:
            out = function(flat)
        else:
            out = np.concatenate([function(part) for part in np.array_split(flat, -(-len(flat) // block))])
    if values.ndim == 0 and not isinstance(given, np.ndarray):
        return float(out[0])
    return out.reshape(values.shape)
