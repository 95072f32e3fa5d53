"""Two mixtures seen through cells of their outputs: a certified bracket of the curve, in any number of releases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from dplens.correlated.views.axes import Axis
from dplens.curves.base import Floats
from dplens.curves.finite.enclosed import BY_LEAKAGE, EnclosedCurve, Ends
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.enclosure import Bounds

_BLOCK = 4_000_000
_NARROW = 1e-12  # spans of losses below this are rounding
_ROUNDING = 1e-13  # relative, of the masses
_OFF = 1e-14  # of the losses, which are logarithms of quotients of sums
_FAINT = 1e-300  # more than all masses that underflowed
_NO_PROOF = Bounds(0.0, 0.0)


def cell_curve(axes: Sequence[Axis], p: Floats, q: Floats) -> EnclosedCurve:
    """The enclosure for masses ``p``, ``q`` on the places that the axes share.

    Mild: an attacker who only sees the cell. Risky: one who is told, besides, at which end of its span of log-ratios
    the output lies: in each cell the masses (P, Q) are split over the two ends so that both are kept, and any split
    inside the span is a garbling of that one (Blackwell 1953).
    """
    rows = [_cells(block, p, q) for block in _blocks(axes)]
    mass_p, mass_q, low, high = (np.concatenate(column) for column in zip(*(row[:4] for row in rows)))
    open_ = np.concatenate([row[4] for row in rows])
    if open_.any():
        low[open_], high[open_] = _open_losses(axes, np.flatnonzero(open_), p, q)
    mild, risky = _mild(mass_p, mass_q), _risky(mass_p, mass_q, low, high)
    seen = ~open_ & (mass_p > 0) & (mass_q > 0)
    floors = float(np.max(low[seen], initial=0.0)), float(np.max(-high[seen], initial=0.0))
    tops = max(float(high.max()), 0.0), max(float(-low.min()), 0.0)
    # losses that are not bounded are unbounded; of several releases too if one of them alone tells without bound
    if len(axes) == 1:
        floors = tuple(t if math.isinf(t) else min(f, t) for f, t in zip(floors, tops))
    return EnclosedCurve(risky, mild, (), "cells", _ends(floors, tops))


def _ends(floors: Sequence[float], tops: Sequence[float]) -> tuple[Ends, Ends]:
    """Of losses without proofs, from bounds of the largest ones of both directions."""
    one, other = (Ends((low * (1 - 1e-13), high * (1 + 1e-13)), _NO_PROOF) for low, high in zip(floors, tops))
    return one, other


def leakage_curve(fewer: EnclosedCurve, up: float, down: float, error: float) -> EnclosedCurve:
    """What is known of T(P, Q) whose log-ratios lie between −down and up, which are attained, each to within ``error``.

    Mild: an attacker who sees ``fewer`` releases. Risky: one who is told at which end of the span every output lies,
    the worst pair with such ratios (all outputs are one cell).
    """
    one, high = np.ones(1), (up + error, down + error)
    risky = _risky(one, one, np.array([-high[1]]), np.array([high[0]]))
    floors = max(up - error, 0.0), max(down - error, 0.0)
    return EnclosedCurve(risky, fewer.mild, (), BY_LEAKAGE, _ends(floors, high))


def _open_losses(axes: Sequence[Axis], cells: np.ndarray, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Bounds of the log-ratio in those cells that reach to infinity.

    In each release the log-density about a place, relative to that about another, goes one way: on a closed cell it
    lies between its values at the ends, on an open one between its value at the edge and its limit. So each mixture
    lies between two, and the ratio between the quotients of opposite ends.
    """
    spans = [_relative(axis) for axis in axes]
    at = np.unravel_index(cells, [axis.count for axis in axes])
    low, high = np.empty(len(cells)), np.empty(len(cells))
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p)[:, None], np.log(q)[:, None]
    rows = max(1, _BLOCK // len(p))
    for i in range(0, len(cells), rows):
        least, most = (sum(span[side][:, k[i : i + rows]] for span, k in zip(spans, at)) for side in (0, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            low[i : i + rows] = _log_sum(log_q + least) - _log_sum(log_p + most)
            high[i : i + rows] = _log_sum(log_q + most) - _log_sum(log_p + least)
    return np.nan_to_num(low, nan=-math.inf, neginf=-math.inf), np.nan_to_num(high, nan=math.inf, posinf=math.inf)


def _relative(axis: Axis) -> tuple[Floats, Floats]:
    """(places, cells): between what the log-densities lie, relative to one of the places."""
    with np.errstate(invalid="ignore"):
        ends = [side - side[0] for side in (axis.left, axis.right)]
        least, most = np.minimum(*ends), np.maximum(*ends)
    if axis.limits is not None:
        for cell, limit, edge in ((0, axis.limits[0], axis.left[:, 0]), (-1, axis.limits[1], axis.right[:, -1])):
            near = edge - edge[int(np.argmax(limit))]
            least[:, cell], most[:, cell] = np.minimum(limit, near), np.maximum(limit, near)
    elif axis.open_.any():
        least[:, axis.open_], most[:, axis.open_] = -math.inf, math.inf
    return least, most


def _blocks(axes: Sequence[Axis]) -> list[tuple[Axis, ...]]:
    """The cells in blocks of the first axis, so that arrays stay small."""
    first = axes[0]
    others = math.prod(axis.count for axis in axes[1:])
    rows = max(1, _BLOCK // max(others * first.mass.shape[0], 1))
    return [(_part(first, slice(i, i + rows)), *axes[1:]) for i in range(0, first.count, rows)]


def _part(axis: Axis, rows: slice) -> Axis:
    return Axis(axis.mass[:, rows], axis.left[:, rows], axis.right[:, rows], axis.excess[rows], axis.open_[rows])


def _outer(combine: np.ufunc, parts: Sequence[np.ndarray]) -> np.ndarray:
    """(m, C1), (m, C2), … to (m, C1·C2·…), multiplied or added."""
    return reduce(lambda x, y: combine(x[:, :, None], y[:, None, :]).reshape(len(x), -1), parts)


def _cells(axes: Sequence[Axis], p: Floats, q: Floats) -> tuple[Floats, Floats, Floats, Floats, np.ndarray]:
    """Masses of all cells under both laws, the span of the log-ratio in each, and which are open."""
    mass = _outer(np.multiply, [axis.mass for axis in axes])
    mass_p, mass_q = p @ mass, q @ mass
    with np.errstate(divide="ignore"):
        log_p, log_q = np.log(p)[:, None], np.log(q)[:, None]
    low, high = np.full(mass.shape[1], math.inf), np.full(mass.shape[1], -math.inf)
    single = all(axis.left is axis.right for axis in axes)
    for ends in [("left",) * len(axes)] if single else itertools.product(("left", "right"), repeat=len(axes)):
        log = _outer(np.add, [getattr(axis, end) for axis, end in zip(axes, ends)])
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = _log_sum(log + log_q) - _log_sum(log + log_p)
        low, high = np.minimum(low, loss), np.maximum(high, loss)
    excess = _outer(np.add, [axis.excess[None, :] for axis in axes])[0]
    rounding = 1e-15 * (4 + np.abs(low))
    wide = np.where(excess > 0, excess + rounding, 0.0 if single else rounding)
    open_ = _outer(np.logical_or, [axis.open_[None, :] for axis in axes])[0]
    return mass_p, mass_q, low - wide, high + wide, open_


def _log_sum(logs: Floats) -> Floats:
    top = logs.max(axis=0)
    shift = np.where(np.isfinite(top), top, 0.0)
    return shift + np.log(np.exp(logs - shift).sum(axis=0))


def _loss(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(q) - np.log(p)


def _mild(p: Floats, q: Floats) -> PiecewiseCurve:
    """What the cell alone tells. Masses that underflowed in one world only are left to the other's neighbour."""
    alone = (p <= 0) != (q <= 0)
    some = (p > 0) & (q > 0)
    # a mass beside which the other has underflowed proves nothing: it is given the ratio 1 instead
    extra_p, extra_q = float(p[alone].sum()), float(q[alone].sum())
    p, q = p[some], q[some]
    if extra_p + extra_q > 0:
        p, q = np.append(p, extra_p), np.append(q, extra_q)
        keep = (p > 0) & (q > 0)
        p, q = p[keep], q[keep]
    return PiecewiseCurve.from_pair(p, q, _loss(p, q), 1e-15, 1e-13, _OFF, rounding=_ROUNDING)


def _risky(p: Floats, q: Floats, low: Floats, high: Floats) -> PiecewiseCurve:
    closed = np.isfinite(low) & np.isfinite(high)
    faint = 0.0 if (closed & (p > 0) & (q > 0)).all() else _FAINT
    proof_p, proof_q = float(p[~closed].sum()) + faint, float(q[~closed].sum()) + faint
    closed &= (p > 0) | (q > 0)
    p, q, low, high = p[closed], q[closed], low[closed], high[closed]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        middle = np.clip(np.where((p > 1e-290) & (q > 1e-290), np.log(q) - np.log(p), (low + high) / 2), low, high)
        width = high - low
        share = np.where(width > _NARROW, np.expm1(middle - low) / np.expm1(width), 0.5)
        share = np.where(width > 600, np.exp(middle - high), share)  # the lower end is as good as proof
    up = np.clip(share, 0.0, 1.0)
    p_up, p_down = p * up, p * (1 - up)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        q_up, q_down = p_up * np.exp(high), p_down * np.exp(low)
        total = q_up + q_down
        fit = np.where(total > 0, q / total, 1.0)  # both laws keep their masses; what is left is rounding
    parts_p = np.concatenate([p_up, p_down, [0.0, proof_p]])
    parts_q = np.concatenate([q_up * fit, q_down * fit, [proof_q, 0.0]])
    losses = np.concatenate([high, low, [math.inf, -math.inf]])
    return PiecewiseCurve.from_pair(parts_p, parts_q, losses, 1e-14, 1e-13, _OFF, rounding=_ROUNDING)
