"""Polygons from privacy profiles: finite pairs of laws whose profiles pass through given points.

A profile delta(e) is convex in u = e^e. Straight lines in u between some of its points are the profile of a finite pair
whose losses are those points (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, connect-the-dots). Lines through
upper bounds lie above the profile, and so does their greatest convex minorant, because the profile is convex. A list of
(epsilon, delta) guarantees is also such a set of points.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dplens.curves.finite.piecewise import PiecewiseCurve, vertex_profile
from dplens.numerics.enclosure import Floats

_ROUNDING = 1e-12  # relative: exceeds the effect of rounding of slopes, masses and sums on a profile
_STEEPEST = 690.0  # largest loss of a polygon
_LEVEL = 1e-13  # a mass at 0 up to this size may be due to rounding


class Dots(NamedTuple):
    """Points of a profile at increasing losses from 0 on, and the infinity mass, its limit."""

    epsilon: Floats
    delta: Floats
    infinity: float

    def moved(self, relative: float) -> Dots:
        """All bounds moved outwards, or inwards."""
        return Dots(self.epsilon, self.delta + relative * np.abs(self.delta), self.infinity * (1 + relative))


def polygon_above(up: Dots, down: Dots) -> PiecewiseCurve:
    """The finite pair through upper bounds of both directions' profiles: never safer than the truth."""
    up, down = (_cut(dots, above=True).moved(_ROUNDING) for dots in (up, down))
    return _polygon(up, down) or revealing(1.0, 1.0)


def polygon_below(up: Dots, down: Dots) -> PiecewiseCurve:
    """The finite pair below lines that bound both directions' profiles from below: never riskier than the truth."""
    up, down = (_cut(dots, above=False).moved(-_ROUNDING) for dots in (up, down))
    start = max(float(up.delta[0]), float(down.delta[0]), up.infinity, down.infinity)
    return _polygon(_from(start, up), _from(start, down)) or revealing(0.0, 0.0)


def dots_of(mass: Floats, loss: Floats, infinity: float) -> Dots:
    """The profile of losses and their masses under H1, at 0 and the positive losses; in between linear in e^epsilon."""
    up = (loss > 0) & np.isfinite(loss) & (mass > 0)
    order = np.argsort(-loss[up])
    epsilon, q = np.append(loss[up][order], 0.0), np.append(mass[up][order], 0.0)
    delta = vertex_profile(epsilon, q)[0] + infinity
    epsilon, kept = np.unique(epsilon, return_index=True)
    return Dots(epsilon, delta[kept], infinity)


def revealing(under_h1: float, under_h0: float) -> PiecewiseCurve:
    """Outcomes that prove their world, with these masses, and one more that reveals as little as possible."""
    p, q = np.array([0.0, 1 - under_h0, under_h0]), np.array([under_h1, 1 - under_h1, 0.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.nan_to_num(np.log(q[1]) - np.log(p[1]))
    return PiecewiseCurve.from_pair(p, q, np.array([math.inf, float(middle), -math.inf]))


def _cut(dots: Dots, *, above: bool) -> Dots:
    """Drop losses at which e^loss or slopes leave the float range: infinite from above, ignored from below."""
    epsilon, delta, infinity = dots
    beyond = epsilon > _STEEPEST
    left = delta[:-1] - infinity
    with np.errstate(over="ignore"):
        beyond[:-1] |= (left > 0) & (left < 1e-307 * _runs(epsilon))
    if not beyond.any():
        return dots
    first = int(np.argmax(beyond))
    if above:
        first = max(first, 1)
        return Dots(epsilon[:first], delta[:first], float(delta[first - 1]))
    # a line that ends at the last loss lies below one that continues
    last = min(float(epsilon[first]), _STEEPEST + 1)
    return Dots(np.append(epsilon[:first], last), np.append(delta[:first], infinity), infinity)


def _from(start: float, dots: Dots) -> Dots:
    """Lower bounds that start from a larger lower bound on delta(0), if that helps.

    From there the profile decreases by at most du, the only bound known in the first cell.
    """
    run = math.expm1(dots.epsilon[1]) if len(dots.epsilon) > 1 else math.inf
    if not dots.delta[0] < start - run:
        return dots
    delta = dots.delta.copy()
    delta[0] = start
    delta[1] = min(delta[1], start - run)
    return Dots(dots.epsilon, delta, dots.infinity)


def _polygon(up: Dots, down: Dots) -> PiecewiseCurve | None:
    """The greatest convex function below the dots of both sides; None if it cannot be found.

    On either side of 0, slopes are made to decrease outwards. If the profile is still not convex at 0, delta(0) is
    lowered by Newton's method. The steps never overshoot, since lines only get longer.
    """
    start = min(float(up.delta[0]), float(down.delta[0]))
    for _ in range(200):
        right, left = _falling(up, start), _falling(down, start)
        middle = 1 - start - right.first - left.first
        if middle >= -_LEVEL:
            return _law(right, left, max(middle, 0.0))
        start = min(start + middle / (1 + 1 / right.width + 1 / left.width), math.nextafter(start, 0.0))
        if not start > 0:
            break
    return None


class _Side(NamedTuple):
    """Losses above 0 at which the slope −d delta/du changes, the slope before each, and the infinity mass."""

    loss: Floats
    slope: Floats
    infinity: float
    width: float  # of the first line, in u

    @property
    def first(self) -> float:
        return float(self.slope[0]) if len(self.slope) else 0.0


def touched(epsilon: Floats, delta: Floats) -> tuple[np.ndarray, Floats]:
    """The dots, except the first, on the greatest convex minorant of their polygon, and the slopes before them.

    Computed by pooling adjacent violators.
    """
    run = _runs(epsilon)
    slope = -np.diff(delta) / run
    if np.any(np.diff(slope) > 0):
        from scipy.optimize import isotonic_regression

        slope = isotonic_regression(slope, weights=run, increasing=False).x
    ends = np.append(np.flatnonzero(np.diff(slope) < 0) + 1, len(slope))
    return ends, slope[ends - 1]


def _runs(epsilon: Floats) -> Floats:
    """Distances between consecutive losses in u."""
    return np.exp(epsilon[:-1]) * np.expm1(np.diff(epsilon))


def _falling(dots: Dots, start: float) -> _Side:
    """The greatest convex minorant, from a given delta(0) down to the infinity mass."""
    epsilon, delta, infinity = dots.epsilon, dots.delta.copy(), min(dots.infinity, start)
    delta[0] = start
    if len(epsilon) < 2:
        return _Side(np.zeros(0), np.zeros(0), infinity, math.inf)
    ends, slope = touched(epsilon, delta)
    low = np.append(0, ends[:-1])
    used = (slope > 0) & (delta[low] > infinity)
    count = len(used) if used.all() else int(np.argmin(used))
    loss, slope, low = epsilon[ends[:count]], slope[:count], low[:count]
    if count and delta[ends[count - 1]] < infinity:  # the last line ends at the infinity mass
        at = low[-1]
        loss[-1] = epsilon[at] + math.log1p((delta[at] - infinity) / slope[-1] * math.exp(-epsilon[at]))
    rest = infinity if not count else max(float(delta[ends[count - 1]]), infinity)
    return _Side(loss, slope, rest, math.expm1(epsilon[ends[0]]) if count else math.inf)


def _law(right: _Side, left: _Side, middle: float) -> PiecewiseCurve:
    up = -np.diff(right.slope, append=0.0)  # under H0, at losses above 0
    down = -np.diff(left.slope, append=0.0)  # under H1, at losses below 0
    loss = np.concatenate([[math.inf], right.loss[::-1], [0.0], -left.loss, [-math.inf]])
    p = np.concatenate([[0.0], up[::-1], [middle], down * np.exp(left.loss), [left.infinity]])
    q = np.concatenate([[right.infinity], (up * np.exp(right.loss))[::-1], [middle], down, [0.0]])
    return PiecewiseCurve.from_pair(p, q, loss, 1e-15, 1e-15, 1e-15)


def profile_curve(epsilons: Floats, deltas: Floats, note: str = "", back: Floats | None = None) -> PiecewiseCurve:
    """max over i of f_{eps_i, delta_i}: the worst curve allowed by guarantees at finitely many epsilons ≥ 0.

    Between them delta is linear in e^epsilon, which assumes nothing beyond the guarantees. Points
    above the convex hull in (e^epsilon, delta) have no effect. deltas: of H1 against H0, and of H0 against H1 unless
    ``back`` has these. The former bound the steep part of the curve, the latter the flat part.
    """
    near = epsilons <= _STEEPEST  # larger ones have no effect in floating point; dropping them is safe
    sides = [_stated(epsilons[near], delta[near]) for delta in (deltas, back) if delta is not None]
    found = _polygon(sides[0], sides[-1]) or revealing(1.0, 1.0)
    # stated numbers are exact, including the infinity mass: epsilon at the last delta is the last epsilon
    exact = {"input_rounding": 0.0, "total_rounding": _LEVEL, "rounding": _LEVEL}
    return replace(found, **exact, route="imported", note=note)


def _stated(epsilon: Floats, delta: Floats) -> Dots:
    """Guarantees of one direction by increasing epsilon, with the bound they imply at epsilon 0."""
    least = float(np.min(delta * np.exp(-epsilon) - np.expm1(-epsilon), initial=1.0))
    delta = np.minimum.accumulate(np.append(least, delta))
    epsilon, count = np.unique(np.append(0.0, epsilon), return_counts=True)
    delta = delta[np.cumsum(count) - 1]  # the smallest delta of each epsilon
    return Dots(epsilon, delta, float(delta[-1]))


def points_curve(alphas: Floats, betas: Floats, note: str = "") -> PiecewiseCurve:
    """The piecewise linear curve through corners from alpha = 0 to alpha = 1."""
    p, q = np.diff(alphas), -np.diff(betas)
    if betas[0] < 1:
        p, q = np.append(0.0, p), np.append(1 - betas[0], q)
    with np.errstate(divide="ignore"):
        loss = np.minimum.accumulate(np.log(q) - np.log(p))  # equal slopes may differ by rounding
    return PiecewiseCurve(p, q, loss, 4e-15, 6e-16, 6e-16, route="imported", note=note)
