"""Mixtures seen through cells of their outputs: certified curves, and many pairs of laws compared at a delta."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.views.output_cells import OutputCells
from dplens.curves.finite.enclosed import BY_LEAKAGE, EnclosedCurve, Ends
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.enclosure import Bounds

# Relative rounding of masses that are sums of products, and rounding of losses that are logarithms of their ratios.
_MASS, _LOSS = 1e-13, 1e-14


def cell_curve(axes: Sequence[OutputCells], p: Floats, q: Floats) -> EnclosedCurve:
    """The enclosure for masses ``p`` and ``q`` on the places that the axes share, one axis for each release.

    Lower bound on risk: an attacker who only sees the cell. Upper bound: one who also sees at which end of its span of
    log-ratios the output lies. In each cell the masses (P, Q) are split over the two ends so that both are kept; any
    split inside the span is a garbling of that one (Blackwell 1953).
    """
    per_row = len(p) * math.prod(axis.count for axis in axes[1:])
    rows = max(1, 4_000_000 // per_row)  # blocks of the first axis, so that arrays stay small
    blocks = [_block(axes, slice(i, i + rows), p, q) for i in range(0, axes[0].count, rows)]
    mass_p, mass_q, low, high, open_ = (np.concatenate(column) for column in zip(*blocks))
    seen = ~open_ & (mass_p > 0) & (mass_q > 0)
    least = float(np.max(low[seen], initial=0.0)), float(np.max(-high[seen], initial=0.0))
    most = max(float(high.max()), 0.0), max(float(-low.min()), 0.0)
    # without a bound, the losses are unbounded; for several releases only if a single one leaks without bound
    if len(axes) == 1:
        least = tuple(t if math.isinf(t) else min(f, t) for f, t in zip(least, most))
    return EnclosedCurve(_upper(mass_p, mass_q, low, high), _lower(mass_p, mass_q), (), "cells", _ends(least, most))


def leakage_curve(fewer: EnclosedCurve, up: float, down: float, error: float) -> EnclosedCurve:
    """The enclosure if log-ratios lie between −down and up, both attained, each known to within ``error``.

    Lower bound on risk: an attacker who sees ``fewer`` releases. Upper bound: every output lies at one end of the span,
    the worst pair with such ratios (a single cell).
    """
    one, high = np.ones(1), (up + error, down + error)
    upper = _upper(one, one, np.array([-high[1]]), np.array([high[0]]))
    return EnclosedCurve(upper, fewer.mild, (), BY_LEAKAGE, _ends((max(up - error, 0.0), max(down - error, 0.0)), high))


def _ends(least: Sequence[float], most: Sequence[float]) -> tuple[Ends, Ends]:
    """Ends of losses without infinity mass, from bounds on the largest loss in both directions."""
    one, other = (Ends((a * (1 - 1e-13), b * (1 + 1e-13)), Bounds(0.0, 0.0)) for a, b in zip(least, most))
    return one, other


def _block(
    axes: Sequence[OutputCells], rows: slice, p: Floats, q: Floats
) -> tuple[Floats, Floats, Floats, Floats, np.ndarray]:
    """Masses of cells under both laws, bounds on the log-ratio in each, and which are open.

    ``rows``: of the first axis; all of the others.
    """
    cut = [rows, *(slice(None) for _ in axes[1:])]

    def outer(combine: np.ufunc, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Combine (m, C1), (m, C2), … to (m, C1·C2·…)."""
        chosen = (part[:, at] for part, at in zip(parts, cut))
        return reduce(lambda x, y: combine(x[:, :, None], y[:, None, :]).reshape(len(x), -1), chosen)

    mass = outer(np.multiply, [axis.mass for axis in axes])
    single = all(axis.left is axis.right for axis in axes)
    sides = [(axis.left,) if single else (axis.left, axis.right) for axis in axes]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_p, log_q = np.log(p)[:, None], np.log(q)[:, None]
        losses = [
            _log_sum(log + log_q) - _log_sum(log + log_p)
            for log in (outer(np.add, ends) for ends in itertools.product(*sides))
        ]
        low, high = reduce(np.minimum, losses), reduce(np.maximum, losses)
        excess = outer(np.add, [axis.excess[None] for axis in axes])[0]
        rounding = 1e-15 * (4 + np.abs(low))
        wide = np.where(excess > 0, excess + rounding, 0.0 if single else rounding)
        low, high = low - wide, high + wide
        open_ = outer(np.logical_or, [axis.is_open[None] for axis in axes])[0]
        if open_.any():
            # Each log-density relative to that of one place is monotone on a cell, so it lies between its values at the
            # ends, or at the edge and at infinity. The ratio lies between the quotients of opposite bounds.
            least, most = (outer(np.add, [axis.relative[side] for axis in axes])[:, open_] for side in (0, 1))
            low[open_] = np.nan_to_num(
                _log_sum(log_q + least) - _log_sum(log_p + most), nan=-math.inf, neginf=-math.inf
            )
            high[open_] = np.nan_to_num(_log_sum(log_q + most) - _log_sum(log_p + least), nan=math.inf, posinf=math.inf)
    return p @ mass, q @ mass, low, high, open_


def _log_sum(logs: Floats) -> Floats:
    top = logs.max(axis=0)
    shift = np.where(np.isfinite(top), top, 0.0)
    return shift + np.log(np.exp(logs - shift).sum(axis=0))


def _lower(p: Floats, q: Floats) -> PiecewiseCurve:
    """The curve if only the cell is seen. Masses whose counterpart underflowed prove nothing and are pooled."""
    seen = (p > 0) & (q > 0)
    p, q = np.append(p[seen], p[~seen].sum()), np.append(q[seen], q[~seen].sum())
    keep = (p > 0) & (q > 0)
    p, q = p[keep], q[keep]
    return PiecewiseCurve.from_pair(p, q, np.log(q) - np.log(p), 1e-15, 1e-13, _LOSS, rounding=_MASS)


def _upper(p: Floats, q: Floats, low: Floats, high: Floats) -> PiecewiseCurve:
    """The curve if the cell and the end of its span are seen. Cells without bounds count as infinity mass."""
    closed = np.isfinite(low) & np.isfinite(high)
    faint = 0.0 if (closed & (p > 0) & (q > 0)).all() else 1e-300  # more than all masses that underflowed
    infinite_p, infinite_q = float(p[~closed].sum()) + faint, float(q[~closed].sum()) + faint
    closed &= (p > 0) | (q > 0)
    p, q, low, high = p[closed], q[closed], low[closed], high[closed]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        middle = np.clip(np.where((p > 1e-290) & (q > 1e-290), np.log(q) - np.log(p), (low + high) / 2), low, high)
        width = high - low
        share = np.where(width > 1e-12, np.expm1(middle - low) / np.expm1(width), 0.5)  # else rounding
        share = np.where(width > 600, np.exp(middle - high), share)  # the lower end has almost no mass under Q
        up = np.clip(share, 0.0, 1.0)
        p_up, p_down = p * up, p * (1 - up)
        q_up, q_down = p_up * np.exp(high), p_down * np.exp(low)
        total = q_up + q_down
        fit = np.where(total > 0, q / total, 1.0)  # both laws keep their masses; the rest is rounding
    parts_p = np.concatenate([p_up, p_down, [0.0, infinite_p]])
    parts_q = np.concatenate([q_up * fit, q_down * fit, [infinite_q, 0.0]])
    losses = np.concatenate([high, low, [math.inf, -math.inf]])
    return PiecewiseCurve.from_pair(parts_p, parts_q, losses, 1e-14, 1e-13, _LOSS, rounding=_MASS)


_ROUNDING = 1e-12  # of log-ratios, times 1 + their size, and of sums over cells
_NARROW = 1e-9  # a span of log-ratios this narrow counts as a single value; results are raised by as much


@dataclass(frozen=True, eq=False)
class CellTests:
    """One row for each case: masses of the cells under P and Q, and the span of log Q/P in each cell."""

    p: Floats
    q: Floats
    low: Floats
    high: Floats

    def both(self) -> CellTests:
        """The same cases, followed by those with the two laws exchanged."""
        pairs = (self.p, self.q), (self.q, self.p), (self.low, -self.high), (self.high, -self.low)
        return CellTests(*(np.concatenate(pair) for pair in pairs))

    def case(self, at: int) -> CellTests:
        """One case in both directions."""
        return CellTests(*(x[at :: len(self.p) // 2] for x in (self.p, self.q, self.low, self.high)))

    def worst(self, delta: float, floor: float, epsilon: Callable[[int, float], float]) -> tuple[float, int | None]:
        """The largest epsilon(delta) of all cases in both directions, and its case, or ``floor`` and None.

        ``epsilon(case, floor)`` computes that of one case. A case is skipped only if its upper bound stays below the
        largest found so far, so the worst cannot be missed.
        """
        best, which, left = floor, None, np.ones(len(self.p) // 2, dtype=bool)
        bound = self.profile(best).reshape(2, -1).max(axis=0)
        while True:
            bound[~left] = -1.0
            at = int(np.argmax(bound))
            if bound[at] <= delta:
                return best, which
            left[at] = False
            value = epsilon(at, best)
            if value > best:
                best, which, bound = value, at, self.profile(value).reshape(2, -1).max(axis=0)

    def profile(self, epsilon: float) -> Floats:
        """Upper bounds on ∫(dq − e^eps·dp)⁺: in each cell the masses move to the two ends of its span."""
        out = np.maximum(self.q - np.exp(min(epsilon, 700.0)) * self.p, 0.0)
        out[self.high <= epsilon] = 0.0
        at = (self.low < epsilon) & (epsilon < self.high)
        lo, hi, mass = self.low[at], self.high[at], self.q[at]
        with np.errstate(over="ignore", invalid="ignore"):
            share = -np.expm1(epsilon - hi) / -np.expm1(np.minimum(lo - hi, -_NARROW))
            split = np.maximum(mass - np.exp(lo) * self.p[at], 0.0) * share
        out[at] = np.clip(np.nan_to_num(split, nan=np.inf, posinf=np.inf), out[at], mass) + _NARROW * mass
        return out.sum(axis=1) * (1 + _ROUNDING) + 1e-14

    def profiles(self, epsilons: Floats) -> Floats:
        """The same at many epsilons, with relative accuracy for small values.

        Sorts the masses at the ends of the spans and sums them from the largest log-ratio down.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.maximum(self.high - self.low, _NARROW)
            up = (self.q - np.exp(self.low) * self.p) / -np.expm1(-width)
            up = np.clip(np.where(np.isfinite(self.low), up, self.q), 0.0, self.q)
        q, loss = self.q, self.high
        if (width[np.isfinite(width)] > _NARROW).any():  # otherwise all mass may stay at the upper end
            q, loss = np.concatenate([up, q - up], axis=1), np.concatenate([self.high, self.low], axis=1)
        order = np.argsort(-loss, axis=1)
        q, loss = np.take_along_axis(q, order, axis=1), np.take_along_axis(loss, order, axis=1)
        power, alpha = np.cumsum(q, axis=1), np.cumsum(q * np.exp(-np.maximum(loss, 0.0)), axis=1)
        out = np.empty((len(q), len(epsilons)))
        for row in range(len(q)):
            count = np.searchsorted(-loss[row], -epsilons)
            a, b = (np.append(0.0, side[row])[count] for side in (power, alpha))
            out[row] = a * (1 + 4 * _NARROW) - np.exp(epsilons) * b
        return np.maximum(out, 0.0)

    def epsilon(self, delta: float, low: float, tolerance: float) -> float:
        """An upper bound over all rows, at a delta, which is known to exceed ``low``."""
        step = max(tolerance, 1e-3)
        high = low + step
        while float(self.profile(high).max()) > delta:
            low, step = high, 4 * step
            high = low + step
            if high > 700:
                return math.inf
        while high - low > tolerance:
            middle = (low + high) / 2
            low, high = (middle, high) if float(self.profile(middle).max()) > delta else (low, middle)
        return high


@dataclass(frozen=True, eq=False)
class CellLaws:
    """N laws on C cells: masses, log-densities at both ends, and how far these can lie below their chord."""

    mass: Floats
    left: Floats
    right: Floats
    gap: Floats

    @classmethod
    def of(cls, cells: OutputCells, masses: Floats) -> CellLaws:
        """The cells under mixtures: masses (N, m) of the places."""
        with np.errstate(divide="ignore"):
            ends = [cells.left] if cells.left is cells.right else [cells.left, cells.right]
            logs = [np.log(masses @ np.exp(end - end.max(axis=0))) for end in ends]
        gap = np.broadcast_to(np.where(cells.is_open, np.inf, cells.excess), logs[0].shape)
        return cls(masses @ cells.mass, logs[0], logs[-1], gap)

    def tests(self, first: Any, second: Any) -> CellTests:
        """The cases of the laws ``first`` (P) against the laws ``second`` (Q)."""
        with np.errstate(invalid="ignore"):
            ends = [side[second] - side[first] for side in (self.left, self.right)]
            low, high = np.minimum(*ends), np.maximum(*ends)
            wide = _ROUNDING * (1 + np.abs(low))
            low, high = low - wide - self.gap[second], high + wide + self.gap[first]
        unknown = ~(np.isfinite(low) & np.isfinite(high))  # the densities underflowed
        low[unknown], high[unknown] = -np.inf, np.inf
        return CellTests(self.mass[first], self.mass[second], low, high)
