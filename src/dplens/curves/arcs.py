"""Which part of a hull touches where: arcs of the parts, and knots between them."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from dplens._numerics.logits import from_logit, to_logit
from dplens._numerics.search import sign_change
from dplens.curves.base import Floats, TradeOff

_STEEPEST = 745.0  # e^loss·alpha is at most 1: beyond, alpha is below the smallest float


class Arc(NamedTuple):
    """A stretch of the hull that belongs to one part: its losses from steep to flat, its logits of alpha."""

    part: TradeOff
    steep: float
    flat: float
    start: float
    end: float

    @classmethod
    def of(cls, part: TradeOff, steep: float, flat: float) -> Arc:
        start = -math.inf if math.isinf(steep) else _logit_of(part, steep)
        end = math.inf if math.isinf(flat) else _logit_of(part, flat)
        return cls(part, steep, flat, start, end)


def compared(parts: tuple[TradeOff, ...], reach: float) -> tuple[Floats, Floats]:
    """Losses that logits of alpha up to ``reach`` belong to, and the profiles of all parts there."""
    losses = _loss_grid(parts, reach)
    return losses, _profiles(parts, losses)


def find_arcs(parts: tuple[TradeOff, ...], losses: Floats, table: Floats) -> tuple[Arc, ...]:
    """The arcs of the hull, from the profiles of its parts over a grid of losses."""
    best = np.argmax(table, axis=0)
    # parts that agree to rounding count as one: the first stays in charge
    agree = 1e-13 + 8 * max(c.rounding for c in parts)
    for j in range(1, len(losses)):
        stay = table[best[j - 1], j]
        if table[best[j], j] <= stay + agree * abs(stay):
            best[j] = best[j - 1]
    changes = np.flatnonzero(best[:-1] != best[1:])[::-1]  # from the steep end down
    knots, before, after = losses[changes], best[changes + 1], best[changes]
    open_ = table[after, changes] > table[before, changes] * (1 + agree)  # no tie
    for pair in set(zip(before.tolist(), after.tolist())):
        mine = np.flatnonzero(open_ & (before == pair[0]) & (after == pair[1]))
        j = changes[mine]
        knots[mine] = _knots(parts[pair[0]], parts[pair[1]], losses[j], losses[j + 1])
    ends = [math.inf, *knots.tolist(), -math.inf]
    touching = [parts[i] for i in (best[-1], *after)]
    return tuple(Arc.of(part, steep, flat) for part, (steep, flat) in zip(touching, itertools.pairwise(ends)))


def _mirrored_pair(parts: tuple[TradeOff, ...]) -> bool:
    return len(parts) == 2 and parts[0].inverse() is parts[1]


def _loss_grid(parts: tuple[TradeOff, ...], reach: float) -> Floats:
    if reach > 600:
        logit = np.concatenate([np.linspace(-690, -40, 80), np.linspace(-39, 39, 160), np.linspace(40, 690, 60)])
    else:
        logit = np.linspace(-reach, reach, 60)
    alpha, co = from_logit(logit)
    mirrored = _mirrored_pair(parts)
    slopes = np.concatenate([c._log_slope(alpha, co) for c in (parts[:1] if mirrored else parts)])
    if mirrored:
        slopes = np.concatenate([slopes, -slopes])
    finite = slopes[np.abs(slopes) <= _STEEPEST]
    ends = [b for c in parts for b in (c._max_loss()[0], -c.inverse()._max_loss()[0]) if abs(b) <= _STEEPEST]
    inside = [b for b in ends if reach > 600 or abs(b) <= np.max(np.abs(finite), initial=0.0)]
    grid = np.unique(np.concatenate([finite, inside, [0.0]]))
    return np.unique(np.concatenate([grid, (grid[1:] + grid[:-1]) / 2]))


def _profiles(parts: tuple[TradeOff, ...], loss: Floats) -> Floats:
    """delta(l) for l ≥ 0; for l < 0 the mirror's delta(−l), which orders curves in the same way."""
    if _mirrored_pair(parts) and np.array_equal(loss, -loss[::-1]):
        up = loss >= 0
        right = np.array([c.profile_bounds(loss[up]).hi for c in parts])
        return np.concatenate([right[::-1, :0:-1], right], axis=1)
    return np.array([_signed_profile(c, loss) for c in parts])


def _signed_profile(curve: TradeOff, loss: Floats) -> Floats:
    out = np.empty_like(loss)
    up = loss >= 0
    out[up] = curve.profile_bounds(loss[up]).hi
    out[~up] = curve.inverse().profile_bounds(-loss[~up]).hi
    return out


def _knots(before: TradeOff, after: TradeOff, low: Floats, high: Floats) -> Floats:
    """Losses between ``low`` and ``high`` at which one part takes over from the other."""

    def excess(loss: Floats) -> Floats:
        return _signed_profile(after, loss) - _signed_profile(before, loss)

    out, some = low.copy(), (low >= 0) | (high <= 0)  # 0 is always on the grid
    some[some] = excess(low[some]) > 0
    if some.any():
        enough = 1e-3 * max(before.rounding, after.rounding) + 1e-15  # profiles tell knots apart no better
        left, right = sign_change(excess, low[some], high[some], width=enough, floor=enough, limit=80)
        out[some] = (left + right) / 2
    return out


def _logit_of(curve: TradeOff, loss: float) -> float:
    alpha, co, _, _ = curve._rates(np.array([loss]))
    return float(to_logit(alpha, co)[0])
