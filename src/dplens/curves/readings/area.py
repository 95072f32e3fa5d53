"""The area under the ROC curve, by quadrature of the power."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics import quadrature
from dplens._numerics.logits import from_logit
from dplens.curves.base import Floats, TradeOff

_DEEP = 60.0  # logit of alpha beyond which a curve that is not costly has an area below 1e-26
_COSTLY = 40.0  # the same for one whose points take long
_REACHES, _NOTHING = (20.0, 30.0), 1e-16  # logits that an area may end at, if so little is left
_NOTHING_TOLD = 1e-14  # a total variation that no area shows
_LAST_DIGIT = 2e-16  # more than the rounding of a sum near 1/2
_LINES, _STEEPEST = 2001, 40.0  # tangents of a polygon, and the largest loss worth one
_ROUNDED = 1e-11  # what the rounding of such sums and differences may add up to
_NEAR, _CLOSE = 16.0, 1e-6  # logits between which an area comes about, if power is known so closely beyond


def area(curve: TradeOff) -> tuple[float, float]:
    """The area and a bound on its error."""
    apart = float(curve.profile_bounds(np.zeros(1)).hi[0])
    if apart < _NOTHING_TOLD:  # power exceeds alpha by no more than delta(0)
        return 0.5 + apart / 2, apart / 2 + (_LAST_DIGIT if apart else 0.0)
    reach = _COSTLY if curve.is_costly else _DEEP
    beyond, rest = 0.0, 2 * math.exp(-reach)
    if curve.is_bracket and (near := _short_reach(curve)) is not None:
        reach, beyond, rest = near
    tail = [] if curve.is_costly else [-700.0]
    wings = min(30, round(0.75 * reach))  # about as long each, whatever the reach
    edges = [tail, np.linspace(-reach, -2, wings), np.linspace(-1.5, 2, 8), np.linspace(3, reach, wings)]
    edges = np.concatenate(edges)
    turns = curve._turns()
    turns = turns[np.abs(turns) < reach]

    def weighted(logit: Floats) -> Floats:
        alpha, co = from_logit(logit)
        return curve.power_bounds(alpha, co).hi * alpha * co

    def width(logit: Floats) -> Floats:
        alpha, co = from_logit(logit)
        low, high = curve.power_bounds(alpha, co)
        return (high - low) * alpha * co

    apart, tolerance = 0.0, max(1e-13, 64 * curve.rounding)
    if curve.is_bracket:
        wide = curve.certificate.tolerance
        near = edges if wide > _CLOSE else edges[np.abs(edges) < _NEAR]  # beyond, next to nothing is left
        between = max(quadrature.once(width, near), 0.0) + 4 * wide * math.exp(-float(near[-1]))
        apart, tolerance = 1.1 * between, max(tolerance, between / 100)  # no more digits than there are
    # across a jump two rules may agree by accident
    value, error = quadrature.adaptive(weighted, np.union1d(edges, turns), tolerance=tolerance)
    error += 2 * curve.rounding + (0.0 if tail else rest)  # the upper end was integrated
    return value + beyond - apart / 2, error + apart / 2


def _short_reach(curve: TradeOff) -> tuple[float, float, float] | None:
    """A logit beyond which next to nothing is left of power at one end, and of beta at the other.

    Also the area beyond it, and how far that may be off.
    """
    for reach in _REACHES:
        (rare,), (often,) = from_logit(np.array([-reach]))
        ends = np.array([rare, often])
        power, beta = curve.power_bounds(ends[:1], ends[1:]).hi, curve.beta_bounds(ends[1:], ends[:1]).hi
        rest = float(rare * (power + beta)[0])
        if rest < _NOTHING:
            return reach, float(rare), rest
    return None


def polygon_area(curve: TradeOff) -> tuple[float, float]:
    """The area between tangents and chords, which no kink escapes, and half of what lies between them.

    The lines of slope e^l through delta(l) lie above the ROC, and the chords through its points below it.
    """
    reach = min(max(curve._max_loss()[1], curve.inverse()._max_loss()[1]), _STEEPEST)
    loss = np.linspace(reach, -reach, _LINES)
    slope, delta = np.exp(loss), curve.profile_bounds(loss).hi
    # where neighbouring lines meet, from the steepest on
    alpha = np.maximum.accumulate(np.clip(np.diff(delta) / -np.diff(slope), 0.0, 1.0))
    power = np.clip(delta[:-1] + slope[:-1] * alpha, 0.0, 1.0)
    ends = np.concatenate([[0.0], alpha, [1.0]])
    above = np.concatenate([[delta[0]], power, [1.0]])
    below = curve.power_bounds(ends, 1 - ends).lo
    upper, lower = (float(np.diff(ends) @ (line[1:] + line[:-1])) / 2 for line in (above, below))
    upper = max(upper, lower)
    return (upper + lower) / 2, (upper - lower) / 2 + _ROUNDED
