"""Two polygons around a curve, from its profile at as many losses as a tolerance needs.

A profile delta is convex in u = e^epsilon. Between two of its points it lies below their chord, and above the lines
through the points before and after. No search for a threshold is needed, and no kink escapes.
"""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.enclosure import Bounds, Floats
from dplens._numerics.logits import from_logit
from dplens.curves.base import TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.polygons import Dots, polygon_above, polygon_below

_FIRST = 48  # losses at first
_LEAST, _REST = 1e-3, 0.03  # the first loss, of delta(0); what is left beyond the last one, of the tolerance
_ROUNDS, _MOST = 8, 20_000  # refinements, and losses in all
_FAR, _REACH = 700.0, 40.0  # largest loss, and logit of alpha
_ROUNDED = 1e-12  # more than the rounding of points and of their sum
_NARROW = 1e-12  # width of cells, relatively, that hold no area to speak of
_AREA = 1e-7  # width of an area, of what is left to 1


def sandwich(curve: TradeOff, tolerance: float) -> tuple[PiecewiseCurve, PiecewiseCurve]:
    """A polygon that is no safer than the curve, and one no riskier; their areas differ by about the tolerance."""
    one, other = curve, curve.inverse()
    up = _Side(one, tolerance)
    down = up if other is one else _Side(other, tolerance)
    return polygon_above(up.above(), down.above()), polygon_below(up.below(down), down.below(up))


def area(curve: TradeOff) -> tuple[float, float]:
    """The area under the ROC curve, and a bound on its error."""
    least, most = (float(end[0]) for end in curve.profile_bounds(np.zeros(1)))
    tolerance = _AREA * max(1 - most, 1e-3)  # the area may be next to 1
    # no power exceeds alpha + delta(0), and one reaches it
    ends = (1 + least) / 2, 0.5 + most * (1 - most / 2)
    if ends[1] - ends[0] > tolerance:
        if curve.searches_profile or type(curve)._enclose_profile is TradeOff._enclose_profile:
            found = _area_of_points(curve, tolerance)
        else:
            above, below = sandwich(curve, tolerance)
            (high, more), (low, less) = above._auc(), below._auc()
            found = low - less, high + more
        ends = max(ends[0], found[0]), min(ends[1], found[1])
    return (ends[1] + ends[0]) / 2, max(ends[1] - ends[0], 0.0) / 2 + _ROUNDED


def _area_of_points(curve: TradeOff, tolerance: float) -> tuple[float, float]:
    """Both ends from points of the ROC curve: chords lie below it, and lines through the points beside it above."""
    logit = np.linspace(-_REACH, _REACH, 2 * _FIRST)
    high = low = np.zeros(0)
    for _ in range(_ROUNDS):
        alpha, co = from_logit(logit)
        power = curve.power_bounds(alpha, co)
        low, high = _areas(alpha, co, power.lo, power.hi, curve.infinity_mass())
        gap = np.maximum(high - low, 0.0)
        if float(gap.sum()) <= tolerance or len(logit) > _MOST:
            break
        logit = _split(logit, gap[1:-1], tolerance)
    return math.fsum(low), math.fsum(high)


def _areas(alpha: Floats, co: Floats, low: Floats, high: Floats, mass: Bounds) -> tuple[Floats, Floats]:
    """Areas from below and from above between neighbouring points, from alpha = 0 to alpha = 1."""
    run = np.concatenate([alpha[:1], np.where(alpha[1:] < 0.5, np.diff(alpha), -np.diff(co)), co[-1:]])
    low, high = np.concatenate([[mass.lo], low, [1.0]]), np.concatenate([[mass.hi], high, [1.0]])
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    below = run * (low[1:] + low[:-1]) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        before = np.append(math.inf, (high[1:-1] - low[:-2]) / run[:-1])  # slopes from above
        after = np.maximum(np.append((low[2:] - high[1:-1]) / run[1:], 0.0), 0.0)  # and from below
        at = np.clip(np.nan_to_num((np.diff(high) - after * run) / (before - after)), 0.0, run)
    peak = np.clip(high[1:] - after * (run - at), high[:-1], high[1:])
    above = (at * (high[:-1] + peak) + (run - at) * (peak + high[1:])) / 2
    return below, np.where(before > after, above, run * high[1:])


def _split(x: Floats, gap: Floats, tolerance: float) -> Floats:
    """Cells in parts: k of them leave 1/k² of a gap, so k grows with its cube root."""
    root = np.cbrt(gap)
    parts = np.clip(np.ceil(root * math.sqrt(1.2 * root.sum() / tolerance)), 1, 64).astype(int)
    cell = np.repeat(np.arange(len(gap)), parts)
    number = np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts)
    return np.append(x[cell] + np.diff(x)[cell] * number / parts[cell], x[-1])


class _Side:
    """Losses from 0 upwards, with both ends of the profile."""

    def __init__(self, curve: TradeOff, tolerance: float) -> None:
        self.curve = curve
        self.loss = self._first(tolerance)
        self.low, self.high = self._ends(self.loss)
        for _ in range(_ROUNDS):
            gap = self._gaps()
            if float(gap.sum()) <= tolerance or len(self.loss) > _MOST:
                break
            self.loss = _split(self.loss, gap, tolerance)
            self.low, self.high = self._ends(self.loss)

    def _ends(self, loss: Floats) -> tuple[Floats, Floats]:
        found = self.curve.profile_bounds(loss)
        return found.lo, found.hi

    def _first(self, tolerance: float) -> Floats:
        """A geometric row up to where next to nothing is left."""
        apart, mass = float(self._ends(np.zeros(1))[1][0]), self.curve.infinity_mass().hi
        top = min(self.curve._max_loss()[1], _FAR)
        last = min(2 * apart, top)
        while last < top and float(self._ends(np.array([last]))[1][0]) - mass > _REST * tolerance:
            last = min(1.5 * last, top)
        least = min(_LEAST * apart, last / 2)
        return np.append(0.0, np.geomspace(least, last, _FIRST)) if last > 0 else np.zeros(1)

    def _runs(self) -> Floats:
        """Widths of the cells in u."""
        return np.exp(self.loss[:-1]) * np.expm1(np.diff(self.loss))

    def _gaps(self) -> Floats:
        """About how much of the area lies between the chord and the lines below it, a cell."""
        if len(self.loss) < 3:
            return np.zeros(len(self.loss) - 1)
        slope = np.maximum(-np.diff(self.high) / self._runs(), 0.0)
        before, after = np.append(slope[0], slope[:-1]), np.append(slope[1:], 0.0)
        bend = np.maximum(before - after, 0.0)
        gap = self._runs() * bend**2 / 6 + bend * (self.high - self.low)[:-1]
        return np.where(np.diff(self.loss) > _NARROW * (1 + self.loss[1:]), gap, 0.0)

    def above(self) -> Dots:
        """Upper bounds."""
        high = np.minimum.accumulate(self.high)
        return Dots(self.loss, high, float(high[-1]))

    def below(self, other: _Side) -> Dots:
        """Lower bounds, with the points where lines from both sides of a cell cross; other: the worlds exchanged."""
        mass = self.curve.infinity_mass().lo
        low = np.maximum(np.maximum.accumulate(self.low[::-1])[::-1], mass)
        if len(self.loss) < 2:
            return Dots(self.loss, low, mass)
        run, high = self._runs(), np.maximum(self.high, low)
        # the last point before 0: at −e delta is 1 − e^−e + e^−e·(delta of the worlds exchanged)
        near, back = (float(other.loss[1]), float(other.high[1])) if len(other.loss) > 1 else (1.0, 1.0)
        before = math.exp(-near) * back - math.expm1(-near), -math.expm1(-near)
        rises = np.append((low[0] - before[0]) / before[1], (low[1:-1] - high[:-2]) / run[:-1])
        flat = np.minimum(np.append((high[2:] - low[1:-1]) / run[1:], 0.0), 0.0)
        fall = np.diff(low)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(rises < flat, (fall - flat * run) / (rises - flat), 0.0)
            crossing = self.loss[:-1] + np.log1p(at * np.exp(-self.loss[:-1]))
        inside = (at > 1e-9 * run) & (at < (1 - 1e-9) * run)
        inside &= (crossing > self.loss[:-1]) & (crossing < self.loss[1:])
        dip = np.maximum(low[:-1] + rises * at, low[1:])
        # where both lines are one but for rounding, that line serves by itself
        from_right, from_left = low[1:] - flat * run, low[:-1] + rises * run
        early, late = ~inside & (at <= run / 2), ~inside & (at > run / 2)
        low[:-1] = np.where(early, np.minimum(low[:-1], from_right), low[:-1])
        low[1:] = np.where(late, np.minimum(low[1:], from_left), low[1:])
        place = np.flatnonzero(inside)
        loss = np.insert(self.loss, place + 1, crossing[place])
        return Dots(loss, np.insert(low, place + 1, dip[place]), mass)
