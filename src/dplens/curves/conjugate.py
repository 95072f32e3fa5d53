"""Privacy profile and epsilon of a curve that has no closed form for them: one search over alpha."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dplens._numerics.logits import GRID, from_logit
from dplens.curves.base import Floats, TradeOff

# Where epsilon − log delta is larger, the alpha that decides may be below the smallest float, and a search misses it.
DEEPEST = 690.0
_ROUNDS, _POINTS, _ROWS = 7, 129, 256


def searched_profile(curve: TradeOff, epsilon: Floats) -> Floats:
    """sup over alpha of power − e^eps·alpha for eps ≥ 0."""

    def gap(power: Floats, log_alpha: Floats, e: Floats) -> Floats:
        return power - np.exp(np.minimum(e[:, None] + log_alpha, 700.0))

    return np.maximum(_maximum(curve, gap, epsilon), curve._power_at_zero())


def searched_epsilon(curve: TradeOff, delta: Floats) -> Floats:
    """sup over alpha of log{(power − delta)/alpha}, at least 0: the least eps with power − e^eps·alpha ≤ delta."""

    def ratio(power: Floats, log_alpha: Floats, d: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.log(power - d[:, None]) - log_alpha
        return np.where(np.isnan(value), -np.inf, value)

    known = curve.__dict__.get("_latest_epsilon")  # both ends of a bracket are asked for, one after the other
    if known is None or not np.array_equal(known[0], delta):
        known = delta.copy(), np.maximum(_maximum(curve, ratio, delta), 0.0)
        object.__setattr__(curve, "_latest_epsilon", known)
    return known[1].copy()


def _maximum(curve: TradeOff, function: Callable[[Floats, Floats, Floats], Floats], parameter: Floats) -> Floats:
    """The largest value over alpha of a function of (power, log alpha), one parameter a row.

    It must be quasi-concave in alpha. The best node of a table is found first, then the two cells around it
    are divided again and again, down to 1e-13 of a logit, so that even a kink is met within rounding.
    """
    table = _table(curve)
    out = np.empty_like(parameter)
    for start in range(0, len(parameter), _ROWS):
        row = parameter[start : start + _ROWS]
        value = function(table, -np.logaddexp(0, -GRID), row)
        best = np.clip(np.argmax(value, axis=1), 1, len(GRID) - 2)
        low, high = GRID[best - 1], GRID[best + 1]
        top = value.max(axis=1)
        for _ in range(_ROUNDS):
            logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
            power = curve._power(*from_logit(logit.ravel())).reshape(logit.shape)
            value = function(power, -np.logaddexp(0, -logit), row)
            j = np.clip(np.argmax(value, axis=1), 1, _POINTS - 2)
            rows = np.arange(len(row))
            top = np.maximum(top, value.max(axis=1))
            low, high = logit[rows, j - 1], logit[rows, j + 1]
        out[start : start + _ROWS] = top
    return out


def _table(curve: TradeOff) -> Floats:
    """Power at the nodes of the common grid, computed once for a curve."""
    known = curve.__dict__.get("_grid_power")
    if known is None:
        known = curve._power(*from_logit(GRID))
        object.__setattr__(curve, "_grid_power", known)
    return known
