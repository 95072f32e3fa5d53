"""Attainable values of a query: merging equal ones, and the lattice on which they lie, if they do."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dplens._validate import Floats

Ints = npt.NDArray[np.int64]

_SPAN, _LAST = 2.0**-49, 2.0**-50  # of the span and of the largest sum, by rounding: 0.1 + 0.2 and 0.3
_WIDE = 3.0  # grains that sums taken for one may lie apart
_DENOMINATOR = 10_000


def grain_of(values: Floats) -> Floats:
    """How far apart, in each column of ``values`` (N, d), two of them may be by rounding."""
    largest = np.max(np.abs(values), axis=0, initial=0.0)
    grain = np.maximum(np.ptp(values, axis=0) * _SPAN, largest * _LAST)
    return np.where(grain > 0, grain, 1.0)


def merging_error(largest: float) -> float:
    """How far sums of up to this size may have been moved by rounding, and by being put together twice."""
    return 2 * _WIDE * max(2 * _SPAN, _LAST) * largest


def merged(values: Floats) -> tuple[Floats, Ints]:
    """Distinct rows of ``values`` (N, d) in increasing order, and the index of each row among them.

    Rows that differ by no more than rounding are one; the first of them stands for all. However many neighbours are
    that close, no row is moved by more than a few grains: many small steps make a large one.
    """
    grain = grain_of(values)
    if values.shape[1] == 1:
        order = np.argsort(values[:, 0], kind="stable")
        away = (values[order, 0] - values[order[0], 0]) / grain[0]
        fresh = np.concatenate([[True], np.diff(away) > 1.5])
        starts = np.flatnonzero(fresh)
        part = np.floor((away - away[starts][np.cumsum(fresh) - 1]) / _WIDE)
        fresh[1:] |= part[1:] != part[:-1]
        inverse = np.empty(len(order), dtype=np.int64)
        inverse[order] = np.cumsum(fresh) - 1
        return values[order[fresh]], inverse
    keys = np.round((values - values.min(axis=0)) / grain)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return values[first], inverse.ravel().astype(np.int64)


def added(places: Floats, more: Floats) -> tuple[Floats, Ints]:
    """Distinct sums of rows of ``places`` and of ``more``, and the index of each sum among them, as :func:`merged`."""
    return merged((places[:, None, :] + more[None, :, :]).reshape(-1, places.shape[1]))


def rounded(values: Floats) -> Floats:
    """The leading 42 bits of each number: equal for numbers that differ by rounding only, however small they are."""
    share, power = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(share, 42)), power - 42) + 0.0


def gathered(masses: Floats, inverse: Ints, count: int) -> Floats:
    """Masses (…, N) added up over rows with the same index: (…, count)."""
    flat = masses.reshape(-1, masses.shape[-1])
    if len(flat) == 1:
        out = np.zeros(count)
        np.add.at(out, inverse, flat[0])
        return out.reshape(*masses.shape[:-1], count)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(count))
    return np.add.reduceat(flat[:, order], starts, axis=1).reshape(*masses.shape[:-1], count)


def common_unit(values: Floats) -> float | None:
    """The largest unit of which all ``values`` are whole multiples, up to rounding; None where there is none."""
    found = np.unique(np.abs(values))
    found = found[found > 0]
    if not len(found):
        return 1.0
    if len(found) > 4096:
        return None
    base = float(found[-1])
    unit = Fraction(0)
    for value in found:
        share = Fraction(float(value) / base).limit_denominator(_DENOMINATOR)
        if abs(float(share) * base - value) > 4e-15 * base or share == 0:
            return None
        unit = Fraction(math.gcd(unit.numerator * share.denominator, share.numerator * unit.denominator),
                        unit.denominator * share.denominator) if unit else share  # fmt: skip
        if unit.denominator > _DENOMINATOR:
            return None
    return float(unit) * base
