"""Two mixtures seen through cells of their outputs: a certified bracket of the curve, in any number of releases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.logits import from_logit
from dplens._numerics.sharing import cached_property
from dplens.correlated.axes import Axis
from dplens.curves.base import Floats, TradeOff
from dplens.curves.hull import hull_of
from dplens.curves.piecewise import PiecewiseCurve
from dplens.engine.bracket import BracketCurve
from dplens.estimate import Certificate

_BLOCK = 4_000_000
_NARROW = 1e-12  # spans of losses below this are rounding
_KNOTS = 4000  # losses at which many curves are compared
_APART = 1e-9  # knots closer than this are one
_MOST = 1e-2  # power above which losses are followed most finely
_FAR, _NEAR = 1e-280, 1e-16  # deltas that unbounded losses are followed to, coarsely and finely
BY_LEAKAGE, BY_BOUND = "leakage", "bound"
_NOTES = {
    "cells": "outputs cut into cells, bracketed by two finite laws; widest for power and beta from alpha = 1e-6 on",
    BY_LEAKAGE: "no output tells more than the leakage, which bounds the risk; fewer releases bound it from below",
    BY_BOUND: "what holds for every attacker bounds the risk from above, the worst that was found from below",
}


@dataclass(frozen=True, eq=False)
class CellCurve(BracketCurve):
    """risky ≤ f ≤ mild from finitely many cells of the outputs.

    Mild: an attacker who only sees the cell. Risky: one who is told, besides, at which end of its span of log-ratios
    the output lies: in each cell the masses (P, Q) are split over the two ends so that both are kept, and any split
    inside the span is a garbling of that one (Blackwell 1953). ``tops``, ``proofs`` as in the base class.
    """

    slack: float = 1e-13
    floors: tuple[float, float] = (0.0, 0.0)  # how large the extreme losses are at least
    symmetric: bool = False  # whether it covers both directions: its own mirror image

    @property
    def _certificate(self) -> Certificate:
        return Certificate(self.route, max(self._widest, self.slack, 1e-12), _NOTES[self.route])

    @cached_property
    def _widest(self) -> float:
        """Half the relative width of the bracket of power and beta, where it is widest."""
        alpha, co = from_logit(np.linspace(-13.8, 13.8, 200))
        widths = [0.0]
        for low, high in self.both_bounds(alpha, co):
            widths.append(float(np.max((high - low) / np.maximum(high, 1e-300))))
        return max(widths) / 2 * 1.2

    def _mirrored(self) -> TradeOff:
        if self.symmetric:
            return self
        risky, mild = self.risky.inverse(), self.mild.inverse()
        tops, proofs = (self.tops[1], self.tops[0]), (self.proofs[1], self.proofs[0])
        floors = (self.floors[1], self.floors[0])
        return CellCurve(risky, mild, (), tops, proofs, self.route, self.slack, floors)  # pyright: ignore

    def _max_loss(self) -> tuple[float, float]:
        return self.floors[0] * (1 - 1e-13), self.tops[0] * (1 + 1e-13)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        found, (low, high) = super().epsilon_bounds(delta), self._max_loss()
        tiny = delta < 1e-290  # masses too small for floats are left out of both finite laws
        return Enclosure(lambda: np.where(tiny, low, found.lo), lambda: np.where(tiny, high, found.hi))

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        found, grain = super()._enclose_profile(epsilon), 1e-300 if math.isinf(self.tops[0]) else 0.0
        return Enclosure(lambda: found.lo, lambda: found.hi + grain)

    def _renyi(self, order: float) -> float:
        curve = self.risky
        proofs = float(curve.q[np.isinf(curve.loss)].sum() + curve.p[np.isinf(curve.loss)].sum())
        if 0 < proofs < 1e-290 and order * float(np.max(np.abs(curve.loss[np.isfinite(curve.loss)]))) < 300:
            # tails too thin for floats, at orders at which they weigh nothing
            some = np.isfinite(curve.loss)
            curve = PiecewiseCurve(curve.p[some], curve.q[some], curve.loss[some])
        return curve._renyi(order)

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        high, low = self._renyi(order), self.mild._renyi(order)  # the attacker of the mild end knows no more
        return (0.0, 0.0) if math.isinf(high) else (1e-12, max(high - low, 0.0))


def cell_curve(axes: Sequence[Axis], p: Floats, q: Floats) -> CellCurve:
    """The bracket for masses ``p``, ``q`` on the places that the axes share."""
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
        floors = tuple(t if math.isinf(t) else min(f, t) for f, t in zip(floors, tops))  # pyright: ignore
    return CellCurve(risky, mild, (), tops, (0.0, 0.0), "cells", 1e-13, floors)  # pyright: ignore


def leakage_curve(fewer: CellCurve, up: float, down: float, error: float) -> TradeOff:
    """What is known of T(P, Q) whose log-ratios lie between −down and up, which are attained, each to within ``error``.

    Mild: an attacker who sees ``fewer`` releases. Risky: one who is told at which end of the span every output lies,
    the worst pair with such ratios (all outputs are one cell).
    """
    one, high = np.ones(1), (up + error, down + error)
    risky = _risky(one, one, np.array([-high[1]]), np.array([high[0]]))
    floors = max(up - error, 0.0), max(down - error, 0.0)
    return CellCurve(risky, fewer.mild, (), high, (0.0, 0.0), BY_LEAKAGE, fewer.slack, floors)


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
    return PiecewiseCurve.from_pair(p, q, _loss(p, q), 1e-15, 1e-13)


def _risky(p: Floats, q: Floats, low: Floats, high: Floats) -> PiecewiseCurve:
    closed = np.isfinite(low) & np.isfinite(high)
    proof_p, proof_q = float(p[~closed].sum()), float(q[~closed].sum())
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
    return PiecewiseCurve.from_pair(parts_p, parts_q, losses, 1e-14, 1e-13)


# ---- the worst of many ---------------------------------------------------------------------------------------------


def worst_of(curves: Sequence[TradeOff]) -> TradeOff:
    """Hull of the infimum over curves, each in both directions; certified from both sides where they are many.

    The profile of the hull is the largest of the profiles. Risky side: it is taken at many losses and joined by chords
    in e^loss, which lie above a convex function. Mild side: the tests that are best at those losses, joined by coins.
    """
    both = [c for curve in curves for c in ((curve,) if curve.inverse() is curve else (curve, curve.inverse()))]
    if len(both) == 1 or (len(curves) == 1 and not isinstance(curves[0], (CellCurve, PiecewiseCurve))):
        return hull_of(both)
    bounds = [c._max_loss() for c in both]
    top, floor = max(b[1] for b in bounds), max(b[0] for b in bounds)
    proof = max(c.infinity_mass().lo for c in both)
    grid = knots(both, bounds, top)
    risky = chords(grid, np.max([c.profile_bounds(grid).hi for c in both], axis=0))
    mild = coins(both, grid)
    slack = max((c.slack for c in curves if isinstance(c, CellCurve)), default=1e-13) + 1e-12
    routes = {c.route for c in curves if isinstance(c, CellCurve)}
    route = next((r for r in (BY_LEAKAGE, BY_BOUND) if r in routes), "cells")
    return CellCurve(risky, mild, (), (top, top), (proof, proof), route, slack, (floor, floor), symmetric=True)


def knots(curves: Sequence[TradeOff], bounds: Sequence[tuple[float, float]], top: float) -> Floats:
    """Losses from 0 to ``top`` at which curves are compared, closest where they tell most."""
    tops = np.array([b[1] for b in bounds if math.isfinite(b[1])])
    if math.isfinite(top):
        even = np.linspace(0.0, top, _KNOTS)
    else:
        most, near, far = (max(_reach(c, level) for c in curves) for level in (_MOST, _NEAR, _FAR))
        even = np.concatenate([np.linspace(0.0, near, _KNOTS), np.linspace(near, max(far, near), _KNOTS // 4)])
        if most < near / 2:  # losses that grow fast in the tail
            even = np.concatenate([np.linspace(0.0, most, _KNOTS // 2), even])
    finite = [c.risky.loss for c in curves if isinstance(c, CellCurve) and len(c.risky.p) < 400]
    finite += [c.loss for c in curves if isinstance(c, PiecewiseCurve) and len(c.p) < 400]
    own = np.concatenate([x[(x > 0) & (x < 700)] for x in finite]) if finite else np.zeros(0)
    losses = np.unique(np.concatenate([even, tops[tops <= 700], own]))
    return losses[losses <= 700.0]


def _reach(curve: TradeOff, level: float) -> float:
    """About the loss above which power is below the level."""
    if isinstance(curve, CellCurve):
        at = int(np.searchsorted(curve.risky.power_, level))
        finite = curve.risky.loss[np.isfinite(curve.risky.loss)]
        return float(finite[np.clip(at - 1, 0, len(finite) - 1)])
    found = float(curve.epsilon_bounds(np.array([level])).hi[0])
    return found if math.isfinite(found) else 700.0


def chords(grid: Floats, height: Floats) -> PiecewiseCurve:
    """The symmetric finite law whose profile lies below ``height`` at the knots, straight in e^loss between vertices.

    A profile is convex in e^loss, so the lower hull of points above it is above it too; with the points' mirror images,
    delta(−loss) = 1 − e^−loss·(1 − delta(loss)), the hull is the profile of a symmetric law. No slope is taken between
    knots that rounding sets apart.
    """
    grid, height = _lower_hull(grid, np.minimum.accumulate(height))
    gap = np.exp(grid[:-1]) * np.expm1(np.diff(grid))
    alpha = np.append((height[:-1] - height[1:]) / gap, 0.0)  # the slope of the profile to the right of each knot
    alpha = np.maximum.accumulate(alpha[::-1])[::-1]  # rounding apart it falls
    p = np.append(0.0, alpha[:-1] - alpha[1:])  # at the knots above 0
    p[0] = 0.0
    mass_p, mass_q = p[1:], p[1:] * np.exp(grid[1:])
    proof = float(height[-1])
    middle = max(1.0 - proof - math.fsum(mass_p) - math.fsum(mass_q), 0.0)
    first = np.concatenate([[0.0], mass_p[::-1], [middle], mass_q, [proof]])
    second = np.concatenate([[proof], mass_q[::-1], [middle], mass_p, [0.0]])
    loss = np.concatenate([[math.inf], grid[:0:-1], [0.0], -grid[1:], [-math.inf]])
    keep = (first > 0) | (second > 0)
    total = math.fsum(first)
    return PiecewiseCurve(first[keep] / total, second[keep] / total, loss[keep], 1e-14, 1e-12)


def _lower_hull(grid: Floats, height: Floats) -> tuple[Floats, Floats]:
    """Vertices at losses ≥ 0 of the lower hull of the points (e^loss, height) and their mirror images."""
    far = np.concatenate([[True], np.diff(grid) > _APART])
    far[-1] = True  # above the last knot there is nothing but proof
    grid, height = grid[far], height[far]
    at = np.concatenate([np.exp(-grid[:0:-1]), np.exp(grid)]).tolist()
    back = np.exp(-grid[:0:-1])
    value = np.concatenate([1 - back * (1 - height[:0:-1]), height]).tolist()
    kept: list[int] = []
    for i in range(len(at)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (value[b] - value[a]) * (at[i] - at[b]) < (value[i] - value[b]) * (at[b] - at[a]):
                break
            kept.pop()
        kept.append(i)
    start = len(grid) - 1
    losses = np.concatenate([-grid[:0:-1], grid])[kept]
    heights = np.array(value)[kept]
    middle = float(np.interp(1.0, np.array(at)[kept], heights)) if start not in kept else value[start]
    above = losses > 0
    return np.append(0.0, losses[above]), np.append(middle, heights[above])


def coins(curves: Sequence[TradeOff], grid: Floats) -> PiecewiseCurve:
    """Coins between the tests that are best at the knots."""
    rates = [(c.mild if isinstance(c, CellCurve) else c)._rates(grid) for c in curves]
    alpha, power = (np.array([r[i] for r in rates]) for i in (0, 2))
    with np.errstate(over="ignore", invalid="ignore"):
        height = np.nan_to_num(power - np.exp(grid) * alpha, nan=-1.0)
    # of tests that are as good as the best, the one that accuses least: on the other side of loss 0 lie mirror images
    tied = height >= height.max(axis=0) * (1 - 1e-13)
    best = np.argmin(np.where(tied, alpha, np.inf), axis=0), np.arange(len(grid))
    alpha, power = alpha[best][::-1], power[best][::-1] * (1 - 1e-13)
    alpha, power = np.maximum.accumulate(np.maximum(alpha, 0.0)), np.maximum.accumulate(np.maximum(power, 0.0))
    p, q = np.diff(alpha, prepend=0.0), np.diff(power, prepend=0.0)
    middle = max(1.0 - alpha[-1] - power[-1], 0.0)
    first, second = np.concatenate([p, [middle], q[::-1]]), np.concatenate([q, [middle], p[::-1]])
    some = (first > 0) & (second > 0)
    lost = 1.0 - min(math.fsum(first[some]), math.fsum(second[some]))  # proofs too rare for floats prove nothing here
    first, second = first[some], second[some]
    middle_at = int(np.argmin(np.abs(np.log(second) - np.log(first))))
    first[middle_at] += max(lost, 0.0)
    second[middle_at] += max(lost, 0.0)
    return PiecewiseCurve.from_pair(first, second, np.log(second) - np.log(first), 1e-14, 1e-12)
