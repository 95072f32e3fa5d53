"""Ends of a support next to which floats are too coarse for the likelihood ratio."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dplens._numerics.laws import Floats, Law
from dplens._numerics.masses import interval_mass
from dplens._numerics.ratio_grid import RatioGrid

_ZONE = 64  # floats next to an end on which nothing is known of the ratio
_MOVES = 1e-6  # a ratio that moves less than this within the zone has settled
_NOTHING = 1e-300  # mass that no float shows


class CoarseEnd(NamedTuple):
    """An end where log q/p runs off like ``rate``·log(1/distance) among the last floats.

    ``loss``: at the inner border of the zone; ``p``, ``q``: masses within the zone.
    """

    loss: float
    rate: float
    p: float
    q: float


def coarse_ends(grid: RatioGrid) -> list[CoarseEnd]:
    """All of them: a pole or a zero of one density at an end that is not 0, or a pole so sharp that 0 is no better."""
    found = []
    for room in grid.rooms:
        for end, inward in ((room.start, 1.0), (room.end, -1.0)):
            if math.isfinite(end):
                found += _looked_at(grid, end, inward)
    return found


def _looked_at(grid: RatioGrid, end: float, inward: float) -> list[CoarseEnd]:
    unit = max(float(np.spacing(abs(end))), 5e-324)
    steps = np.exp2(np.arange(math.log2(_ZONE) + 1, dtype=np.float64))
    losses = grid.loss(end + inward * steps * unit)
    known = np.flatnonzero(np.isfinite(losses))
    if len(known) < 2:
        return []
    near, far = known[0], known[-1]
    change = float(losses[near] - losses[far])
    p, q = (_mass(law, end, end + inward * _ZONE * unit) for law in (grid.p, grid.q))
    if abs(change) < _MOVES or max(p, q) < _NOTHING:
        return []
    rate = change / (math.log(2) * float(far - near))
    return [CoarseEnd(float(losses[far]), rate, p, q)]


def _mass(law: Law, end: float, inner: float) -> float:
    low, high = sorted((end, inner))
    return float(interval_mass(law, np.array([low]), np.array([high]))[0])


def hidden_gain(ends: list[CoarseEnd], loss: Floats, power: Floats, co: Floats) -> Floats:
    """How much power − e^loss·alpha of the best test may exceed what the floats show, at each threshold.

    ``power`` and ``co``: of outputs that both laws have.
    Beyond the border of a zone all of its mass may lie on the wrong side of the threshold. Before it, the place where
    the ratio passes the threshold is off by half a float: the outputs between lie on the wrong side, a share of those
    beyond, each by the little that the ratio changes there.
    """
    gain = np.zeros_like(loss)
    with np.errstate(over="ignore"):
        for end in ends:
            outward = math.copysign(1.0, end.rate)
            before = np.maximum(outward * (end.loss - loss), 0.0) / abs(end.rate)
            share = (1 + abs(end.rate)) ** 2 / _ZONE**2 * np.exp(-2 * before)
            price = np.exp(np.minimum(loss, 700.0))
            if outward > 0:
                gain += np.where(loss >= end.loss, end.q, np.minimum(share, 1.0) * power)
            else:
                gain += price * np.where(loss <= end.loss, end.p, np.minimum(share, 1.0) * co)
    return gain
