"""The privacy profile of a curve that has no closed form for it."""

from __future__ import annotations

import numpy as np

from dplens._numerics.logits import GRID, from_logit
from dplens.curves.base import Floats, TradeOff

_ROUNDS, _POINTS = 12, 17


def searched_profile(curve: TradeOff, epsilon: Floats) -> Floats:
    """sup over alpha of power − e^eps·alpha for eps ≥ 0.

    The gap is quasi-concave in logit(alpha): its best node on a table is found first, then the two cells
    around it are divided again and again, down to 1e-11 of a logit, so that even a kink is met.
    """
    power = _table(curve)
    out = np.empty_like(epsilon)
    for start in range(0, len(epsilon), 512):
        e = epsilon[start : start + 512]
        gap = power - _price(e, GRID)
        best = np.clip(np.argmax(gap, axis=1), 1, len(GRID) - 2)
        low, high = GRID[best - 1], GRID[best + 1]
        value = gap[np.arange(len(e)), best]
        for _ in range(_ROUNDS):
            logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
            a, co = from_logit(logit.ravel())
            inner = curve._power(a, co).reshape(logit.shape) - _price(e, logit)
            j = np.clip(np.argmax(inner, axis=1), 1, _POINTS - 2)
            rows = np.arange(len(e))
            value = np.maximum(value, inner.max(axis=1))
            low, high = logit[rows, j - 1], logit[rows, j + 1]
        out[start : start + 512] = value
    return np.maximum(out, curve._power_at_zero())


def _price(epsilon: Floats, logit: Floats) -> Floats:
    """e^eps·alpha for each eps (rows) and alpha given by its logit (columns)."""
    return np.exp(np.minimum(epsilon[:, None] - np.logaddexp(0, -logit), 700.0))


def _table(curve: TradeOff) -> Floats:
    """Power at the nodes of the common grid, computed once for a curve."""
    known = curve.__dict__.get("_grid_power")
    if known is None:
        known = curve._power(*from_logit(GRID))
        object.__setattr__(curve, "_grid_power", known)
    return known
