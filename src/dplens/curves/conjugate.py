"""Privacy profile and epsilon of a curve that has no closed form for them: one search over alpha."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from dplens._numerics.logits import GRID, from_logit
from dplens._numerics.sharing import remembered
from dplens.curves.base import LEAST, MILD, RISKY, Floats, TradeOff

# Where epsilon − log delta is larger, the alpha that decides may be below the smallest float, and a search misses it.
DEEPEST = 690.0
_ROUNDS, _POINTS, _ROWS = 7, 129, 256
_DIGITS = 2.5e-16
_NEAR = GRID[np.abs(GRID) <= 40]  # looked at first: far out some curves take long


def searched_profile(curve: TradeOff, epsilon: Floats, side: int = 0) -> Floats:
    """sup over alpha of power − e^eps·alpha for eps ≥ 0, from one side of the curve's bracket (0: in between)."""

    def gap(power: Floats, alpha: Floats, e: Floats) -> Floats:
        e = e[:, None]
        log_alpha = np.log(np.maximum(alpha, LEAST))
        far = np.exp(np.minimum(e + log_alpha - side * _DIGITS * (e - log_alpha), 700.0))  # e^eps may be no float
        price = np.where(e < 700, np.exp(np.minimum(e, 700.0)) * alpha * (1 - side * 2 * _DIGITS), far)
        return power - price

    floor = curve.proof(side) if side else curve._power_at_zero()
    return np.maximum(_maximum(curve, gap, epsilon, side) * (1 + side * 1e-15), floor)


def searched_epsilon(curve: TradeOff, delta: Floats, side: int) -> Floats:
    """sup over alpha of log{(power − delta)/alpha}, at least 0: the least eps with power − e^eps·alpha ≤ delta."""

    def ratio(power: Floats, alpha: Floats, d: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_alpha = np.log(alpha)
            value = np.log(power - d[:, None]) - log_alpha * (1 + side * _DIGITS)
        return np.where(np.isnan(value), -np.inf, value)

    return np.maximum(_maximum(curve, ratio, delta, side), 0.0)


def _maximum(
    curve: TradeOff, function: Callable[[Floats, Floats, Floats], Floats], parameter: Floats, side: int
) -> Floats:
    """The largest value over alpha of a function of (power, alpha), one parameter a row.

    It must be quasi-concave in alpha. The best node of a table is found first, then the two cells around it
    are divided again and again, down to 1e-13 of a logit. The risky side adds what may lie between the last nodes, at a
    kink: no more than with the power of a cell's upper end at the alpha of its lower one. The mild side is no larger
    than the function where the risky one is largest, and need not be searched.
    """
    searched = RISKY if side else side
    out = np.empty_like(parameter)
    for start in range(0, len(parameter), _ROWS):
        row = parameter[start : start + _ROWS]
        grid, nodes = _looked_at(curve, function, row, searched)
        best = np.clip(np.argmax(nodes, axis=1), 1, len(grid) - 2)
        low, high = grid[best - 1], grid[best + 1]
        top = nodes.max(axis=1)
        rows = np.arange(len(row))
        at, cells = grid[best], np.zeros((len(row), 0))
        for _ in range(_ROUNDS):
            logit = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, _POINTS)
            power = _powers(curve, searched, logit.ravel()).reshape(logit.shape)
            alpha = expit(logit)
            value = function(power, alpha, row)
            j = np.clip(np.argmax(value, axis=1), 1, _POINTS - 2)
            top = np.maximum(top, value.max(axis=1))
            low, at, high = logit[rows, j - 1], logit[rows, j], logit[rows, j + 1]
            upper = np.stack([j, j + 1], axis=1)
            cells = function(power[rows[:, None], upper], alpha[rows[:, None], upper - 1], row)
        if side == RISKY:
            top = np.maximum(top, cells.max(axis=1))
        elif side == MILD:
            # on a straight stretch many tests are as good: the one with the least power has the least rounding
            equal = nodes >= top[:, None] * (1 - 1e-12) - 4 * curve.rounding * _powers(curve, searched, at)[:, None]
            first = grid[np.argmax(equal, axis=1)]
            both = np.stack([at, first], axis=1)
            power = _powers(curve, side, both.ravel()).reshape(both.shape)
            top = function(power, expit(both), row).max(axis=1)
        out[start : start + _ROWS] = top
    return out


def _powers(curve: TradeOff, side: int, logit: Floats) -> Floats:
    alpha, co = from_logit(logit)
    return curve.bounded_power(side, alpha, co) if side else curve._power(alpha, co)


def _looked_at(
    curve: TradeOff, function: Callable[[Floats, Floats, Floats], Floats], row: Floats, side: int
) -> tuple[Floats, Floats]:
    """Logits and the function there, a row a parameter: near the middle alone where nothing beyond can be larger.

    Below the least alpha no power is larger than there, above the largest none is larger than 1.
    """
    for name, grid in (("_near_power", _NEAR), ("_grid_power", GRID)):
        power, alpha = _table(curve, side, name, grid), expit(grid)
        nodes = function(power, alpha, row)
        beyond = function(np.array([power[0], 1.0]), np.array([0.0, alpha[-1]]), row)
        if np.all(beyond.max(axis=1) < nodes.max(axis=1)):
            break
    return grid, nodes


def _table(curve: TradeOff, side: int, name: str, grid: Floats) -> Floats:
    """Power at the nodes of a common grid, computed once for a side of a curve."""
    return remembered(vars(curve), f"{name}_{side}", lambda: _powers(curve, side, grid))
