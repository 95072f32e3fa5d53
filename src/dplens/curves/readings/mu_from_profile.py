"""The tightest mu of Gaussian DP where powers differ from alpha by less than their digits show."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics import normal
from dplens._numerics.enclosure import Enclosure
from dplens._numerics.search import golden_maximum, sign_change
from dplens.curves.base import Floats, TradeOff
from dplens.curves.readings.mu import peaks

_LEAST = 1e-280  # deltas below are left to powers


def mu_from_profile(curve: TradeOff, losses: Floats) -> tuple[float, float]:
    """Bounds on the least mu with delta_mu(eps) ≥ delta(eps) for all eps ≥ 0, of the curve and of its mirror image.

    That is f ≥ G_mu (Dong, Roth & Su 2022, Proposition 2.12 with Corollary 2.13). A delta keeps its relative
    accuracy however small the shift. ``losses``: thresholds between which the search starts.
    """
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    epsilon = np.unique(np.append(np.abs(losses), 0.0))
    epsilon = epsilon[np.linspace(0, len(epsilon) - 1, min(len(epsilon), 400)).astype(int)]
    bounds = [_one_side(side, epsilon) for side in sides]
    return max(b[0] for b in bounds), max(b[1] for b in bounds)


def least_mu(curve: TradeOff, epsilon: Floats) -> float:
    """The mu that the deltas at some epsilons ≥ 0 need at least."""
    return float(np.max(_mu_at(curve, epsilon).lo, initial=0.0))


def _one_side(curve: TradeOff, epsilon: Floats) -> tuple[float, float]:
    if 0 < float(curve.profile_bounds(np.zeros(1)).hi[0]) <= _LEAST:  # delta(0) is the largest: none tells anything
        return 0.0, math.inf
    values = _mu_at(curve, epsilon).hi
    best = peaks(values, 20)
    low, high = epsilon[np.maximum(best - 1, 0)], epsilon[np.minimum(best + 1, len(epsilon) - 1)]
    where, top = golden_maximum(lambda e: _mu_at(curve, e).hi, low, high, iterations=20)
    where = np.append(where, epsilon[best[0]])
    return float(np.max(_mu_at(curve, where).lo)), max(float(np.max(top)), float(np.max(values)))


def _mu_at(curve: TradeOff, epsilon: Floats) -> Enclosure:
    """The mu whose Gaussian mechanism has the curve's delta at each epsilon; 0 where that is too small to tell."""
    delta = curve.profile_bounds(epsilon)
    return Enclosure(
        lambda: _gaussian_mu(epsilon, delta.lo)[0] * (1 - 1e-13),
        lambda: _gaussian_mu(epsilon, delta.hi)[1] * (1 + 1e-13),
    )


def _gaussian_mu(epsilon: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Both ends of the last bracket of mu."""
    some = (delta > _LEAST) & (delta < 1)
    e, goal = epsilon[some], np.log(delta[some])

    def short(log_mu: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return goal - np.maximum(np.log(normal.gaussian_profile(e, np.exp(log_mu))), -800.0)

    ends = sign_change(short, np.full_like(e, -240.0), np.full_like(e, 5.0), floor=4e-16)
    low, high = np.zeros_like(delta), np.zeros_like(delta)
    low[some], high[some] = np.exp(ends[0]), np.exp(ends[1])
    return low, high
