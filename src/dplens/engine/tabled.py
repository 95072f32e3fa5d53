"""Curves whose profile has to be searched for, read from two polygons instead where thousands of slopes are asked.

Points of a curve, each known from both sides, enclose all of it. Its ROC is concave: the polygon through the points
from the mild side lies below it, and between two points it lies below the lines through the two points on either side.
Where these lines meet is the corner of a polygon above it. That takes one look at every point, not a search for every
slope; the gap falls with the square of their number, and they are put where it is widest.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dplens._numerics.logits import from_logit
from dplens._numerics.sharing import remembered
from dplens.curves.base import Floats, TradeOff
from dplens.curves.between import EnclosedCurve, Ends
from dplens.curves.hull import HullCurve
from dplens.curves.polygons import Dots, polygon_above, polygon_below
from dplens.curves.sampled import SampledCurve
from dplens.curves.transforms import FailingCurve, GroupedCurve

_FIRST = np.concatenate([np.linspace(-700.0, -41.0, 120), np.linspace(-40.0, 30.0, 400)])  # logits of alpha
_MORE = (1500, 6000, 30000)  # points of later rounds
_SPLIT = 64  # parts into which a cell is divided at once
_NARROW = 1e-9  # of alpha: no cell is divided further
_CLOSE = 1e-13  # relative gap that needs no more points
_RARE = 1e-80  # power below which losses without end are next to never seen
_LARGEST = 700.0  # e to more is no float
_UNIT = 4e-16


class Points(NamedTuple):
    """Points of a ROC from alpha 0 to 1 with their logits, and the power from both sides."""

    logit: Floats
    alpha: Floats
    risky: Floats
    mild: Floats

    def corners(self, top: float) -> tuple[Floats, Floats]:
        """(alpha, power) of a point above the curve for every cell: where the lines from either side of it meet.

        Slopes fall: after a point the curve rises no faster than before it, before a point no slower than after it.
        From alpha 0 it rises no faster than e^``top``. Every rounding is towards more power.
        """
        run = np.diff(self.alpha)
        loose = _UNIT * self.alpha[1:]
        steep = np.maximum(self.risky[1:] - self.mild[:-1], 0.0) / (run - loose) * (1 + _UNIT)
        level = np.maximum(self.mild[1:] - self.risky[:-1], 0.0) / (run + loose) * (1 - _UNIT)
        bounded = top < _LARGEST
        before = np.append(math.exp(top) * (1 + _UNIT) if bounded else 1.0, steep[:-1])
        after = np.append(level[1:], 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            meet = (np.diff(self.risky) - after * run) / (before - after)
        # where noise has the lines in the wrong order, the one from the left holds for the whole cell
        meet = np.where(before > after, np.clip(meet, 0.0, run), run)
        power = self.risky[:-1] + before * meet
        if not bounded:  # all below the first point that is not 0 may be proof, for all that is known
            meet[0], power[0] = 0.0, self.risky[1] - after[0] * run[0] * (1 - _UNIT)
        return self.alpha[:-1] + meet, np.clip(power * (1 + 2 * _UNIT), self.risky[:-1], 1.0)

    def and_also(self, other: Points) -> Points:
        """The points of both; the ends they share."""
        order = np.argsort(np.concatenate([self.logit, other.logit[1:-1]]), kind="stable")
        return Points(*(np.concatenate([own, more[1:-1]])[order] for own, more in zip(self, other)))

    def most_open(self, top: float, count: int) -> Floats:
        """Logits of about ``count`` more points: where the polygons are far apart beside the delta that they decide."""
        alpha, power = self.corners(top)
        run = np.diff(self.alpha)
        slope = np.maximum(np.diff(self.mild), 0.0) / run
        gap = power - (self.mild[:-1] + slope * (alpha - self.alpha[:-1]))
        delta = np.maximum(power - slope * alpha, 1e-300)
        unknown = self.risky - self.mild + _UNIT * self.risky  # more points would not help
        wide = (gap > 2 * (unknown[1:] + unknown[:-1])) & (gap > _CLOSE * delta) & (run > _NARROW * self.alpha[1:])
        wide &= np.diff(self.risky) > 0.5 * run  # flatter stretches belong to the mirror image
        wide[[0, -1]] = False
        wide &= (self.risky[1:] > _RARE) | (top < _LARGEST)
        worth = np.where(wide, np.sqrt(np.maximum(gap, 0.0) / delta), 0.0)
        parts = np.minimum(np.ceil(worth * (count / max(np.sum(worth), 1e-300))), _SPLIT - 1).astype(int)
        cell = np.repeat(np.arange(len(parts)), parts)
        nth = np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts) + 1
        return self.logit[cell] + (self.logit[cell + 1] - self.logit[cell]) * (nth / (parts[cell] + 1))


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
    points = _looked_at(curve, _FIRST)
    for count in _MORE:
        points = points.and_also(_looked_at(curve, points.most_open(top, count)))
    alpha, power = points.corners(top)
    above = [np.append(np.stack(x, axis=1), 1.0) for x in ((points.alpha[:-1], alpha), (points.risky[:-1], power))]
    high, low = _dots(above[0], above[1], +1), _dots(points.alpha, points.mild, -1)
    ends = Ends(curve._max_loss(), curve.infinity_mass())
    return EnclosedCurve(polygon_above(high, high), polygon_below(low, low), ((curve, 1),), "points", (ends, ends))


def _looked_at(curve: TradeOff, logit: Floats) -> Points:
    logit = np.concatenate([[-np.inf], logit, [np.inf]])
    alpha, co = from_logit(logit)
    mild, risky = curve.power_bounds(alpha, co)
    return Points(logit, alpha, risky, np.minimum(mild, risky))


def tabled(curve: TradeOff) -> TradeOff:
    """The same curve with a profile that may be asked for at thousands of slopes; itself where it always may."""
    return remembered(vars(curve), "_tabled", lambda: _tabled(curve))


def _tabled(curve: TradeOff) -> TradeOff:
    match curve:
        case GroupedCurve():
            return _enclosed(curve)
        case SampledCurve(backward=True):
            forward = tabled(curve.inverse())
            return curve if forward is curve.inverse() else forward.inverse()
        case FailingCurve() | SampledCurve():
            base = tabled(curve.base)
            return curve if base is curve.base else replace(curve, base=base)
        case HullCurve():
            parts = tuple(tabled(part) for part in curve.parts)
            return curve if all(map(operator.is_, parts, curve.parts)) else HullCurve(parts)
    return curve
