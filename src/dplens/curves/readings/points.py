"""Points of a curve with bounds on both sides, and the polygons below and above the curve that they imply.

Power is concave in alpha, so the polygon through the lower ends of the points lies below it. After a point, power lies
below the line through it and the previous point; before a point, below the line through it and the next one. These two
lines intersect in a corner of the upper polygon. The gap shrinks with the square of the distance of the points.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.logits import from_logit
from dplens.numerics.sharing import remembered

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff

LOOSE = 1e-15  # relative rounding of a quantile, or of a sum of a few terms
_FIRST = np.concatenate([[-math.inf], np.linspace(-21.0, 21.0, 64), [math.inf]])  # logits; tails may take long


class Points(NamedTuple):
    """Points in increasing order of alpha, with bounds on power and beta; ``at``: their coordinates on the axis."""

    at: Floats
    alpha: Floats
    co: Floats
    power: Floats
    beta: Floats  # a lower bound, matching the upper one of power
    least_power: Floats
    most_beta: Floats

    @classmethod
    def of(cls, curve: TradeOff, at: Floats, alpha: Floats, co: Floats) -> Points:
        """The points of a curve at these alphas."""
        power, beta = curve.both_bounds(alpha, co)
        return cls(at, alpha, co, power.hi, beta.lo, np.minimum(power.lo, power.hi), np.maximum(beta.hi, beta.lo))

    @classmethod
    def at_logits(cls, curve: TradeOff, logit: Floats) -> Points:
        """The points of a curve at these logits of alpha."""
        return cls.of(curve, logit, *from_logit(logit))

    @classmethod
    def first(cls, curve: TradeOff) -> Points:
        """A few points from alpha 0 to 1, from which searches start."""
        return remembered(vars(curve), "_first_points", lambda: cls.at_logits(curve, _FIRST))

    def and_also(self, other: Points) -> Points:
        """The union of both sets of points."""
        order = np.argsort(np.concatenate([self.at, other.at]), kind="stable")
        return Points(*(np.concatenate(both)[order] for both in zip(self, other)))

    def runs(self) -> Floats:
        """Distances between neighbouring alphas."""
        return np.where(self.alpha[1:] < 0.5, np.diff(self.alpha), -np.diff(self.co))

    def corners(self, steepest: float = math.inf) -> tuple[Floats, Floats]:
        """Offsets of the corner after each point except the last, in alpha and in power.

        Before the first point the slope is at most ``steepest``. If brackets are so wide that the lines
        are in the wrong order, the line between the two points lies above one of them, and there is no corner.
        """
        run, small = self.runs(), self.power[1:] < 0.5  # take differences of the smaller of power and beta
        rise = np.where(small, np.diff(self.power), -np.diff(self.beta))
        most = np.where(small, self.power[1:] - self.least_power[:-1], self.most_beta[:-1] - self.beta[1:])
        least = np.where(small, self.least_power[1:] - self.power[:-1], self.beta[:-1] - self.most_beta[1:])
        loose = LOOSE * np.minimum(self.alpha[1:], self.co[:-1])  # alpha and 1 − alpha may disagree by rounding
        with np.errstate(invalid="ignore", divide="ignore"):
            steep = np.append(steepest, (most / np.maximum(run - loose, 0.0))[:-1]) * (1 + LOOSE)
            level = np.append((np.maximum(least, 0.0) / (run + loose))[1:], 0.0) * (1 - LOOSE)
            meet = np.where(steep > level, (rise - level * run) / (steep - level), run).clip(0.0, run)
        return meet, np.maximum(rise - level * (run - meet), 0.0) * (1 + LOOSE)

    def above(self, top: float) -> tuple[Floats, Floats]:
        """(alpha, power) at the corner of every cell; from alpha 0 the curve rises no faster than e^``top``."""
        meet, gain = self.corners(math.exp(top) if top < 700 else math.inf)
        power = np.clip((self.power[:-1] + gain) * (1 + LOOSE), self.power[:-1], 1.0)
        return np.maximum((self.alpha[:-1] + meet) * (1 - LOOSE), self.alpha[:-1]), power


def subdivided(x: Floats, counts: np.ndarray) -> Floats:
    """New points in each cell, ``counts`` of them, equally spaced."""
    cell = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    return x[cell] + np.diff(x)[cell] * (number / (counts[cell] + 1))


def concave_hull(x: Floats, y: Floats) -> np.ndarray:
    """The indices of the corners of the concave hull of some points, from left to right."""
    from scipy.optimize import isotonic_regression

    order = np.lexsort((y, x))
    order = order[np.append(np.diff(x[order]) > 0, True)]  # the highest of those at the same place
    run = np.diff(x[order])
    slope = isotonic_regression(np.diff(y[order]) / run, weights=run, increasing=False).x
    return order[np.append(np.append(0, np.flatnonzero(np.diff(slope) < 0) + 1), len(slope))]
