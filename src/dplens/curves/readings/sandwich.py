"""The area under a ROC curve, enclosed by two polygons from the profile at as many losses as a tolerance requires.

A profile delta is convex in u = e^epsilon. Between two of its points it lies below their chord, and above the lines
through the points before and after. This needs no search for a threshold and is valid at kinks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dplens.curves.base import TradeOff
from dplens.curves.finite.polygons import Dots, polygon_above, polygon_below
from dplens.curves.readings.points import Points, concave_hull, subdivided
from dplens.numerics.enclosure import Floats

_TAIL = np.linspace(-40.0, -22.0, 19)  # logits of rates that matter where almost nothing is hidden
_ROUNDS, _MOST = 8, 20_000  # maximum number of refinements, and of losses in total


def area(curve: TradeOff, parts: Sequence[TradeOff] = ()) -> tuple[float, float]:
    """The area under the ROC curve, and a bound on its error; ``parts``: of a hull, the curves that it covers."""
    least, most = (float(end[0]) for end in curve.profile_bounds(np.zeros(1)))
    parts = parts or (curve,)
    searched = any(c.searches_profile for c in parts)
    wanted = 5e-7 if searched and curve.is_costly else 1.5e-7
    tolerance = wanted * max(1 - most, 1e-3)  # relative to 1 − area, which may be tiny
    # power is at most alpha + delta(0), with equality somewhere
    ends = (1 + least) / 2, 0.5 + most * (1 - most / 2)
    if ends[1] - ends[0] > tolerance:
        if searched:
            found = _area_of_points(parts, tolerance)
        else:
            up = _Side(curve, tolerance)
            down = up if curve.inverse() is curve else _Side(curve.inverse(), tolerance)
            high, more = polygon_above(up.above(), down.above())._auc()
            low, less = polygon_below(up.below(down), down.below(up))._auc()
            found = low - less, high + more
        ends = max(ends[0], found[0]), min(ends[1], found[1])
    return (ends[1] + ends[0]) / 2, max(ends[1] - ends[0], 0.0) / 2 + 1e-12


def _area_of_points(curves: Sequence[TradeOff], tolerance: float) -> tuple[float, float]:
    """Both bounds on the area under the concave hull of some ROC curves, from points of each."""
    read = [Points.first(curve) for curve in curves]
    low, high, gaps = _areas(read)
    if max(max(gap[0], gap[-1]) for gap in gaps) > 0.1 * tolerance:  # little is hidden
        tails = np.append(_TAIL, -_TAIL[::-1])
        read = [points.and_also(Points.at_logits(curve, tails)) for curve, points in zip(curves, read)]
        low, high, gaps = _areas(read)
    for _ in range(_ROUNDS):
        if high - low <= tolerance or sum(map(len, gaps)) > _MOST:
            break
        counts = _parts(np.concatenate([gap[1:-1] for gap in gaps]), tolerance) - 1
        for i, (curve, points) in enumerate(zip(curves, read)):
            mine, counts = np.split(counts, [len(gaps[i]) - 2])
            logit = subdivided(points.at[1:-1], mine)
            if len(logit):
                read[i] = points.and_also(Points.at_logits(curve, logit))
        low, high, gaps = _areas(read)
    return low, high


def _areas(read: Sequence[Points]) -> tuple[float, float, list[Floats]]:
    """Areas under the concave hulls of the polygons below and above, and the part of the difference due to each cell.

    The hulls of polygons below (above) some curves lie below (above) the hull of the curves.
    """
    corners = [points.above(math.inf) for points in read]
    x, y = _concave([(points.alpha, points.least_power) for points in read])[1:]
    touched, alpha, power = _concave([*corners, *((points.alpha, points.power) for points in read)])
    gap = np.zeros(sum(len(points.at) - 1 for points in read) + sum(len(points.at) for points in read))
    above = np.maximum(power - np.interp(alpha, x, y), 0.0)[1:-1]
    gap[touched[1:-1]] = above * (alpha[2:] - alpha[:-2]) / 2
    ends = np.cumsum([len(points.at) - 1 for points in read])
    return _under(x, y), _under(alpha, power), np.split(gap[: ends[-1]], ends[:-1])


def _concave(parts: Sequence[tuple[Floats, Floats]]) -> tuple[np.ndarray, Floats, Floats]:
    """The corners of the concave hull of some points: their indices and coordinates."""
    x, y = (np.concatenate(rows) for rows in zip(*parts))
    corners = concave_hull(x, y)
    return corners, x[corners], y[corners]


def _under(x: Floats, y: Floats) -> float:
    return math.fsum(np.diff(x) * (y[1:] + y[:-1]) / 2)


def _parts(gap: Floats, tolerance: float) -> np.ndarray:
    """The number of parts for each cell: k parts reduce a gap to 1/k² of it, so k grows with its cube root."""
    root = np.cbrt(gap)
    return np.clip(np.ceil(root * math.sqrt(1.2 * root.sum() / tolerance)), 1, 64).astype(int)


class _Side:
    """Losses from 0 upwards, with bounds on the profile."""

    def __init__(self, curve: TradeOff, tolerance: float) -> None:
        self.curve = curve
        self.loss = self._first(tolerance)
        self.low, self.high = self._ends(self.loss)
        for _ in range(_ROUNDS):
            gap, unknown = self._gaps()
            goal = max(tolerance, unknown)
            if float(gap.sum()) <= goal or len(self.loss) > _MOST:
                break
            more = subdivided(self.loss, _parts(gap, goal) - 1)
            order = np.argsort(np.append(self.loss, more), kind="stable")
            rows = zip((self.loss, self.low, self.high), (more, *self._ends(more)))
            self.loss, self.low, self.high = (np.append(*row)[order] for row in rows)

    def _ends(self, loss: Floats) -> tuple[Floats, Floats]:
        found = self.curve.profile_bounds(loss)
        return found.lo, found.hi

    def _first(self, tolerance: float) -> Floats:
        """Geometrically spaced losses up to where the profile is negligible."""
        apart, mass = float(self._ends(np.zeros(1))[1][0]), self.curve.infinity_mass().hi
        top = min(self.curve._max_loss()[1], 700.0)
        last = min(2 * apart, top)
        while last < top and float(self._ends(np.array([last]))[1][0]) - mass > 0.03 * tolerance:
            last = min(1.5 * last, top)
        least = min(1e-3 * apart, last / 2)
        return np.append(0.0, np.geomspace(least, last, 48)) if last > 0 else np.zeros(1)

    def _runs(self) -> Floats:
        """Widths of the cells in u."""
        return np.exp(self.loss[:-1]) * np.expm1(np.diff(self.loss))

    def _gaps(self) -> tuple[Floats, float]:
        """The approximate area between the chord and the lines below it, for each cell.

        Also the total uncertainty due to the points' own brackets, which more points would not reduce.
        """
        if len(self.loss) < 3:
            return np.zeros(len(self.loss) - 1), 0.0
        slope = np.maximum(-np.diff(self.high) / self._runs(), 0.0)
        before, after = np.append(slope[0], slope[:-1]), np.append(slope[1:], 0.0)
        bend = np.maximum(before - after, 0.0)
        return self._runs() * bend**2 / 6, float(bend @ (self.high - self.low)[:-1])

    def above(self) -> Dots:
        """Upper bounds."""
        high = np.minimum.accumulate(self.high)
        return Dots(self.loss, high, float(high[-1]))

    def below(self, other: _Side) -> Dots:
        """Lower bounds, with intersections of the lines from both sides of a cell; other: the mirror image's side."""
        mass = self.curve.infinity_mass().lo
        low = np.maximum(np.maximum.accumulate(self.low[::-1])[::-1], mass)
        if len(self.loss) < 2:
            return Dots(self.loss, low, mass)
        run, high = self._runs(), np.maximum(self.high, low)
        # the last point before 0: delta(−e) = 1 − e^−e + e^−e·(delta of the mirror image at e)
        near, back = (float(other.loss[1]), float(other.high[1])) if len(other.loss) > 1 else (1.0, 1.0)
        before = math.exp(-near) * back - math.expm1(-near), -math.expm1(-near)
        rises = np.append((low[0] - before[0]) / before[1], (low[1:-1] - high[:-2]) / run[:-1])
        flat = np.minimum(np.append((high[2:] - low[1:-1]) / run[1:], 0.0), 0.0)
        fall = np.diff(low)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(rises < flat, (fall - flat * run) / (rises - flat), 0.0)
        cross = self.loss[:-1] + np.log1p(np.maximum(at, 0.0) * np.exp(-self.loss[:-1]))
        inside = (at > 1e-9 * run) & (at < (1 - 1e-9) * run) & (self.loss[:-1] < cross) & (cross < self.loss[1:])
        dip = np.maximum(low[:-1] + rises * at, low[1:])
        # if both lines agree up to rounding, use that line
        from_right, from_left = low[1:] - flat * run, low[:-1] + rises * run
        early, late = ~inside & (at <= run / 2), ~inside & (at > run / 2)
        low[:-1] = np.where(early, np.minimum(low[:-1], from_right), low[:-1])
        low[1:] = np.where(late, np.minimum(low[1:], from_left), low[1:])
        place = np.flatnonzero(inside)
        return Dots(np.insert(self.loss, place + 1, cross[place]), np.insert(low, place + 1, dip[place]), mass)
