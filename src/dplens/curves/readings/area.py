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
_NEAR, _CLOSE = 16.0, 1e-6  # logits between which an area comes about, if power is known so closely beyond


def area(curve: TradeOff) -> tuple[float, float]:
    """The area and a bound on its error."""
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
