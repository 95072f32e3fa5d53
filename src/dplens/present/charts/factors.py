"""Factors as they are printed."""

from __future__ import annotations

from dplens.present.rounding import number, up

_NEARLY_ONE = 1.1
_ONE = 1 + 1e-9  # what is no more than this is 1 and rounding


def times(x: float) -> str:
    """A factor on its risky side; next to 1 it keeps the digits of what is more than 1.

    >>> times(2.71828), times(1.0010005), times(1.0)
    ('2.72', '1.0011', '1')
    """
    if 1 <= x < _ONE:
        return "1"
    if 1 < x < _NEARLY_ONE:
        return f"{1 + up(float(x) - 1, 2):.15g}"
    return number(x)
