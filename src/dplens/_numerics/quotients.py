"""Quotients on a known side of the truth: what one record can change over the noise, in floats."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

_ROUNDINGS = 1e-15  # four steps up: a quotient, and multiples of it for groups of groups


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
    product = min(factor * count, sys.float_info.max)
    enough = product == sys.float_info.max or Fraction(product) >= Fraction(factor) * count
    return product if enough else math.nextafter(product, math.inf)


def float_above(number: Fraction) -> float:
    """The least float that is no less."""
    found = min(float(number), sys.float_info.max) if number < 2**1024 else sys.float_info.max
    return found if Fraction(found) >= number else math.nextafter(found, math.inf)


def float_below(number: Fraction) -> float:
    """The largest float that is no more."""
    found = float(number) if number < sys.float_info.max else sys.float_info.max
    return found if Fraction(found) <= number else math.nextafter(found, -math.inf)


def quotient_ends(rounded_up: float) -> tuple[float, float]:
    """Bounds on what was rounded up by the functions above; the largest float stands for what is beyond all of them."""
    low = min(rounded_up * (1 - _ROUNDINGS), math.nextafter(rounded_up, 0.0))
    return low, math.inf if rounded_up >= sys.float_info.max else rounded_up
