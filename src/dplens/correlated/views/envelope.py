"""The worst of several pairs of output laws: the lower hull of their curves, in both directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.enclosed import BY_BOUND, BY_LEAKAGE, EnclosedCurve, Ends
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.curves.finite.polygons import Dots, polygon_above
from dplens.numerics.enclosure import Enclosure


def worst_of(curves: Sequence[TradeOff]) -> TradeOff:
    """The lower hull of several curves, each in both directions; enclosed from both sides if there are several.

    The profile of the hull is the largest of the profiles. Its upper bound connects the dots on a grid of losses; its
    lower bound randomises between the tests that are best at these losses.
    """
    if len(curves) == 1:
        return both_directions(curves[0])
    both = with_mirrors(curves)
    ends = Ends.worst(both)
    grid = loss_grid(both, ends.top[1])
    profile = Enclosure.largest([curve.profile_bounds(grid) for curve in both])
    routes = {curve.route for curve in curves if isinstance(curve, EnclosedCurve)}
    route = next((r for r in (BY_LEAKAGE, BY_BOUND) if r in routes), "cells")
    return EnclosedCurve(upper_polygon(grid, profile.hi), best_tests(both, grid), (), route, (ends, ends))


def with_mirrors(curves: Sequence[TradeOff]) -> list[TradeOff]:
    """The curves in both directions; a symmetric one only once."""
    return [c for curve in curves for c in ((curve,) if curve.inverse() is curve else (curve, curve.inverse()))]


def loss_grid(curves: Sequence[TradeOff], top: float, knots: int = 4000) -> Floats:
    """Losses from 0 to ``top`` at which curves are compared, densest where most of the power is."""
    largest = 700.0  # e^loss is still a float

    def reached(delta: float) -> float:
        """The loss above which every delta is smaller than this."""
        found = max(float(c.epsilon_bounds(np.array([delta])).hi[0]) for c in curves)
        return min(found, largest)

    if math.isfinite(top):
        parts = [np.linspace(0.0, top, knots)]
    else:
        common, rare, far = (reached(delta) for delta in (1e-2, 1e-16, 1e-280))
        parts = [np.linspace(0.0, rare, knots), np.linspace(rare, max(far, rare), knots // 4)]
        if common < rare / 2:  # the losses grow fast in the tail
            parts.append(np.linspace(0.0, common, knots // 2))
    parts.append(np.array([high for _, high in (c._max_loss() for c in curves)]))
    for curve in curves:  # a polygon with few vertices has its corners on the grid
        law = curve.risky if isinstance(curve, EnclosedCurve) else curve
        if isinstance(law, PiecewiseCurve) and len(law.p) < 400:
            parts.append(law.loss)
    losses = np.unique(np.concatenate(parts))
    return losses[(losses >= 0) & (losses <= largest)]


def upper_polygon(grid: Floats, delta: Floats) -> PiecewiseCurve:
    """The symmetric curve that connects the dots of a profile's upper bounds."""
    delta = np.minimum.accumulate(delta)
    dots = Dots(grid, delta, float(delta[-1]))
    return replace(polygon_above(dots, dots), is_symmetric=True)


def best_tests(curves: Sequence[TradeOff], grid: Floats) -> PiecewiseCurve:
    """The symmetric curve of randomising between the tests that are best at the given losses."""
    rates = [(c.mild if type(c) is EnclosedCurve else c)._rates(grid) for c in curves]
    alpha, power = (np.array([r[i] for r in rates]) for i in (0, 2))
    with np.errstate(over="ignore", invalid="ignore"):
        height = np.nan_to_num(power - np.exp(grid) * alpha, nan=-1.0)
    # of equally good tests take the one with the smaller alpha: mirror images lie on the other side of loss 0
    tied = height >= height.max(axis=0) * (1 - 1e-13)
    best = np.argmin(np.where(tied, alpha, np.inf), axis=0), np.arange(len(grid))
    alpha, power = (np.maximum.accumulate(np.maximum(x[best][::-1], 0.0)) for x in (alpha, power * (1 - 1e-13)))
    p, q = np.diff(alpha, prepend=0.0), np.diff(power, prepend=0.0)
    middle = max(1.0 - alpha[-1] - power[-1], 0.0)
    first, second = np.concatenate([p, [middle], q[::-1]]), np.concatenate([q, [middle], p[::-1]])
    some = (first > 0) & (second > 0)
    lost = 1.0 - min(math.fsum(first[some]), math.fsum(second[some]))  # an underflowed mass must not prove anything
    first, second = first[some], second[some]
    at = int(np.argmin(np.abs(np.log(second) - np.log(first))))
    first[at] += max(lost, 0.0)
    second[at] += max(lost, 0.0)
    loss = np.log(second) - np.log(first)
    return PiecewiseCurve.from_pair(first, second, loss, 1e-14, 1e-12, rounding=2e-12, is_symmetric=True)
