"""Two mixtures seen through cells of their outputs: a certified bracket of the curve, for any number of releases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from dplens.correlated.views.output_cells import OutputCells
from dplens.curves.base import Floats
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
