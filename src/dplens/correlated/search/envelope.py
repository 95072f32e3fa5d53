"""The worst of many pairs of output laws: the hull from below of their curves, in both directions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.enclosed import BY_BOUND, BY_LEAKAGE, EnclosedCurve, Ends
from dplens.curves.finite.piecewise import PiecewiseCurve

_KNOTS = 4000  # losses at which many curves are compared
_ROUNDING = 2e-12  # relative, of the masses
_APART = 1e-9  # knots closer than this are one
_MOST = 1e-2  # power above which losses are followed most finely
_FAR, _NEAR = 1e-280, 1e-16  # deltas that unbounded losses are followed to, coarsely and finely


def worst_of(curves: Sequence[TradeOff]) -> TradeOff:
    """Hull of the infimum over curves, each in both directions; certified from both sides where they are many.

    The profile of the hull is the largest of the profiles. Risky side: it is taken at many losses and joined by chords
    in e^loss, which lie above a convex function. Mild side: the tests that are best at those losses, joined by coins.
    """
    both = [c for curve in curves for c in ((curve,) if curve.inverse() is curve else (curve, curve.inverse()))]
    if len(curves) == 1:
        return both_directions(curves[0])
    ends = Ends.worst(both)
    grid = knots(both, [c._max_loss() for c in both], ends.top[1])
    risky = chords(grid, np.max([c.profile_bounds(grid).hi for c in both], axis=0))
    mild = coins(both, grid)
    routes = {c.route for c in curves if isinstance(c, EnclosedCurve)}
    route = next((r for r in (BY_LEAKAGE, BY_BOUND) if r in routes), "cells")
    return EnclosedCurve(risky, mild, (), route, (ends, ends))


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
    laws = [c.risky if isinstance(c, EnclosedCurve) else c for c in curves]
    finite = [law.loss for law in laws if isinstance(law, PiecewiseCurve) and len(law.p) < 400]
    own = np.concatenate([x[(x > 0) & (x < 700)] for x in finite]) if finite else np.zeros(0)
    losses = np.unique(np.concatenate([even, tops[tops <= 700], own]))
    return losses[losses <= 700.0]


def _reach(curve: TradeOff, level: float) -> float:
    """The loss above which delta is below the level."""
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
    masses = first[keep] / total, second[keep] / total, loss[keep]
    return PiecewiseCurve(*masses, 1e-14, 1e-12, rounding=_ROUNDING, is_symmetric=True)


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
    rates = [(c.mild if type(c) is EnclosedCurve else c)._rates(grid) for c in curves]
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
    known = {"rounding": _ROUNDING, "is_symmetric": True}
    return PiecewiseCurve.from_pair(first, second, np.log(second) - np.log(first), 1e-14, 1e-12, **known)
