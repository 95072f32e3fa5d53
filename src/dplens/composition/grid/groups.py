"""Fast profiles of curves whose profile is otherwise found by a search.

Points of a curve enclose it between two polygons (``curves/readings/points.py``), so that thousands of slopes need no
search each. The points are placed where the polygons are furthest apart.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.derived.groups import FailingCurve, GroupedCurve
from dplens.curves.derived.hull import HullCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.enclosed import EnclosedCurve, Ends
from dplens.curves.finite.polygons import Dots, polygon_above, polygon_below
from dplens.curves.readings.points import Points, subdivided
from dplens.numerics.sharing import remembered

_LARGEST = 700.0  # e to a larger loss overflows
_UNIT = 4e-16


def _most_open(points: Points, top: float, count: int) -> Floats:
    """Logits of about ``count`` more points, where the polygons are far apart relative to delta."""
    alpha, power = points.above(top)
    run, least = np.diff(points.alpha), points.least_power
    slope = np.maximum(np.diff(least), 0.0) / run
    gap = power - (least[:-1] + slope * (alpha - points.alpha[:-1]))
    delta = np.maximum(power - slope * alpha, 1e-300)
    unknown = points.power - least + _UNIT * points.power  # more points would not help
    wide = (gap > 2 * (unknown[1:] + unknown[:-1])) & (gap > 1e-13 * delta) & (run > 1e-9 * points.alpha[1:])
    wide &= np.diff(points.power) > 0.5 * run  # flatter stretches belong to the mirror image
    wide[[0, -1]] = False
    wide &= (points.power[1:] > 1e-80) | (top < _LARGEST)
    worth = np.where(wide, np.sqrt(np.maximum(gap, 0.0) / delta), 0.0)
    counts = np.minimum(np.ceil(worth * (count / max(np.sum(worth), 1e-300))), 63).astype(int)
    return subdivided(points.at, counts)


def _dots(alpha: Floats, power: Floats, sign: int) -> Dots:
    """The profile of the least concave polygon above points in order of alpha, moved up or down by its rounding."""
    starts = np.flatnonzero(np.append(True, np.diff(alpha) > 0))
    alpha, power = alpha[starts], np.maximum.reduceat(power, starts)
    even = 0
    while True:
        slope = np.diff(power) / np.diff(alpha)
        below = slope[1:] >= slope[:-1]
        if not below.any():
            break
        drop = 1 + np.flatnonzero(below & (np.arange(len(below)) % 2 == even))  # no two neighbours at once
        alpha, power, even = np.delete(alpha, drop), np.delete(power, drop), 1 - even
    price = np.append(1.0, slope[::-1][slope[::-1] > 1])
    k = np.searchsorted(-slope, -price)
    delta = power[k] * (1 + sign * 1e-14) - price * alpha[k] * (1 - sign * 4 * _UNIT)
    delta = np.minimum.accumulate(delta) if sign > 0 else np.maximum.accumulate(delta[::-1])[::-1]
    delta = np.maximum(delta, power[0] * (1 + sign * 1e-14))
    epsilon = np.log(price)
    apart = np.diff(epsilon) > 0
    kept = np.append(True, apart) if sign > 0 else np.append(apart, True)
    return Dots(epsilon[kept], delta[kept], float(delta[-1]))


def _enclosed(curve: GroupedCurve) -> EnclosedCurve:
    top = curve._max_loss()[1]
    # fewer points, and none at the smallest alphas, where each point takes long
    start, rounds = (-300.0, (1500,)) if curve.is_costly else (-700.0, (1500, 6000, 30000))
    first = np.concatenate([np.linspace(-700.0, -41.0, 120), np.linspace(-40.0, 30.0, 400)])
    logit = np.concatenate([[-math.inf], first[first >= start], [math.inf]])
    points = Points.at_logits(curve, logit)
    for count in rounds:
        points = points.and_also(Points.at_logits(curve, _most_open(points, top, count)))
    alpha, power = points.above(top)
    above = [np.append(np.stack(x, axis=1), 1.0) for x in ((points.alpha[:-1], alpha), (points.power[:-1], power))]
    high, low = _dots(above[0], above[1], +1), _dots(points.alpha, points.least_power, -1)
    ends = Ends(curve._max_loss(), curve.infinity_mass())
    return EnclosedCurve(polygon_above(high, high), polygon_below(low, low), ((curve, 1),), "points", (ends, ends))


def with_fast_profile(curve: TradeOff) -> TradeOff:
    """The same curve with a profile that is fast to evaluate; the curve itself if its own profile is."""
    return remembered(vars(curve), "_with_fast_profile", lambda: _with_fast_profile(curve))


def _with_fast_profile(curve: TradeOff) -> TradeOff:
    match curve:
        case GroupedCurve():
            return _enclosed(curve)
        case SampledCurve(backward=True):
            forward = with_fast_profile(curve.inverse())
            return curve if forward is curve.inverse() else forward.inverse()
        case FailingCurve() | SampledCurve():
            base = with_fast_profile(curve.base)
            return curve if base is curve.base else replace(curve, base=base)
        case HullCurve():
            parts = tuple(with_fast_profile(part) for part in curve.parts)
            return curve if all(map(operator.is_, parts, curve.parts)) else HullCurve(parts)
    return curve
