"""Attainable values of a query: merging equal ones, their lattice, and the most that Laplace noise about them tells."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.mechanisms.additive import Geometric

Ints = npt.NDArray[np.int64]

_SPAN, _LAST = 2.0**-49, 2.0**-50  # of the span and of the largest sum, by rounding: 0.1 + 0.2 and 0.3
_WIDE = 3.0  # grains that sums taken for one may lie apart
_DENOMINATOR = 10_000
_ROWS = 4_000_000  # cases × places worked on at once


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


def whole(places: Floats, name: str) -> Floats:
    """The places as whole numbers."""
    rounded = np.round(places)
    if (np.abs(places - rounded) > 1e-9).any():
        worst = float(places.flat[int(np.argmax(np.abs(places - rounded)))])
        raise _validate.reject(
            "weights and values",
            f"to make the query a whole number for {name} noise",
            worst,
            "Use whole weights and values, or Laplace or Gaussian noise.",
        )
    return rounded


def log_sums(places: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """Running exponential sums of mixtures at sorted ``places`` (in units of the scale), in logs.

    ``logs``: log-masses (…, m). The first is log Σ_{j ≤ k} m_j·e^{s_j − s_k}, the second log Σ_{j ≥ k} m_j·e^{s_k −
    s_j}.
    """
    up = np.logaddexp.accumulate(logs + places, axis=-1) - places
    down = np.logaddexp.accumulate((logs - places)[..., ::-1], axis=-1)[..., ::-1] + places
    return up, down


def log_densities(places: Floats, logs: Floats) -> Floats:
    """log Σ_j m_j·e^{−|s_k − s_j|} at every place: the density of the output there, times twice the scale."""
    up, down = log_sums(places, logs)
    if logs.shape[-1] == 1:
        return up
    before = np.full_like(up, -np.inf)
    before[..., 1:] = up[..., :-1] - np.diff(places)
    return np.logaddexp(before, down)


def extreme_losses(places: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The largest log-ratio of the ``second`` mixture to the ``first``, and of the first to the second.

    ``first``, ``second``: log-masses (…, m) at the same sorted ``places`` in units of the scale.

    Between neighbouring places both densities are A·e^{−r} + B·e^{r}: their ratio is a Möbius function of e^{2r},
    hence monotone; beyond the outermost places it is constant. The supremum is therefore attained at a place
    (``docs/decisions/0008-correlated-records.md``). Rounding: below 4e-16·(m + range/scale), in logs.
    """
    loss = log_densities(places, second) - log_densities(places, first)
    return np.max(loss, axis=-1), np.max(-loss, axis=-1)


def rounding_of(places: Floats) -> float:
    """Absolute error of a log-density at the places."""
    return 4e-16 * (8 + len(places) ** 0.5 + 2 * float(np.max(np.abs(places), initial=0.0)))


def block_leakage(mechanism: Any, block: Any, chosen: tuple[int, int] | None = None) -> tuple[float, float]:
    """The largest log-ratio over rows and pairs of values that are possible in a row, and its absolute error.

    Geometric noise: the densities of Laplace noise at whole numbers are its masses up to a constant, so the same holds.
    """
    values = range(block.laws.shape[1])
    best, error = 0.0, 0.0
    for pair in [chosen] if chosen else itertools.combinations(values, 2):
        rows = np.flatnonzero(block.possible[:, pair].all(axis=1))
        step = max(1, _ROWS // (2 * block.places.shape[1]))
        for start in range(0, len(rows), step):
            places, laws = block.joined(pair, rows[start : start + step])
            sums = whole(places[:, 0], "Geometric") if isinstance(mechanism, Geometric) else places[:, 0]
            units = (sums - sums[0]) / mechanism.scale
            moved = 2 * merging_error(float(np.max(np.abs(sums)))) / mechanism.scale
            error = max(error, rounding_of(units) + moved)
            with np.errstate(divide="ignore"):
                logs = np.log(laws)
            up, down = extreme_losses(units, logs[:, 0], logs[:, 1])
            best = max(best, float(up.max()), float(down.max()))
    return best, error
