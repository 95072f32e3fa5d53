"""One number for a whole curve: the tightest mu of Gaussian DP, and how much that number hides."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from scipy.special import ndtr

from dplens._numerics import normal
from dplens._numerics.enclosure import Enclosure
from dplens._numerics.search import golden_maximum
from dplens._numerics.sharing import remembered
from dplens.curves.base import Floats, TradeOff

_INNER, _OUTER = -34.0, -36.0  # what grows without bound has grown visibly from the one to beyond the other
_BEYOND = 20.0  # |z| of the inner place over the distance to the outer one, and some more
_HALVINGS = 62  # golden sections, down to the rounding of z
_LOW, _HIGH = -37.5, 8.2  # Φ⁻¹ of the smallest and the largest alpha that floats tell apart from 0 and 1

_MODERATE = np.linspace(-8.0, 8.0, 33)  # Φ⁻¹ of alphas that are known soon
_LOOKS, _CLOSER, _PEAKS = 3, 30, 8  # at the worst alphas, each so many times as close as the one before


def tightest_mu(curve: TradeOff) -> tuple[float, float]:
    """Bounds on sup over alpha of Φ⁻¹(1 − alpha) − Φ⁻¹(f(alpha)) (Dong, Roth & Su 2022, Section 2.3).

    The supremum is searched on both mirror images, so that small betas are as well resolved as small alphas.
    Where it still grows at the smallest alpha of floating point it may be infinite, and is said to be.
    """
    if curve._power_at_zero() > 0 or curve.inverse()._power_at_zero() > 0:
        return math.inf, math.inf
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    # both ends of a bracket are asked for, one after the other
    bounds = [remembered(vars(side), "_found_mu", partial(_one_side, side)) for side in sides]
    return max(b[0] for b in bounds), max(b[1] for b in bounds)


def moderate_mu(curve: TradeOff) -> float:
    """A lower bound from some moderate alphas, in both directions."""
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    return max(float(np.max(_gap(side, _MODERATE).lo, initial=0.0)) for side in sides) * (1 - 1e-13)


def _gap(curve: TradeOff, z: Floats) -> Enclosure:
    """Φ⁻¹(power) − Φ⁻¹(alpha) at alpha = Φ(z)."""
    alpha, co = ndtr(z), ndtr(-z)
    power, beta = curve.both_bounds(alpha, co)
    return Enclosure(lambda: normal.quantile(power.lo, beta.hi) - z, lambda: normal.quantile(power.hi, beta.lo) - z)


def grid_mu(curve: TradeOff) -> tuple[tuple[float, float, float], Floats, Floats]:
    """One look along the axis: a lower bound, the largest value seen or infinity, and the tail; places and values."""
    if curve._power_at_zero() > 0:
        return (math.inf, math.inf, math.inf), np.zeros(0), np.zeros(0)
    grid = np.linspace(_LOW, _HIGH, 240 if curve.is_costly else 1200)
    gap = _gap(curve, grid)
    values = gap.hi
    best, tail = float(np.nanmax(values)), _tail_mu(curve, grid, values)
    if math.isinf(best) or math.isinf(tail):  # or a beta is below the smallest float
        mild = gap.lo
        return (float(np.max(mild[np.isfinite(mild)], initial=0.0)), math.inf, math.inf), grid, values
    return (0.0, best, tail), grid, values


def _one_side(curve: TradeOff) -> tuple[float, float]:
    (low, top, tail), grid, values = grid_mu(curve)
    if math.isinf(top):
        return low, top
    tops = peaks(values, 100)
    low, high = grid[np.maximum(tops - 1, 0)], grid[np.minimum(tops + 1, len(grid) - 1)]
    where, risky = golden_maximum(lambda z: _gap(curve, z).hi, low, high, iterations=_HALVINGS)
    # Φ⁻¹(power) rises with z: at a kink inside the last bracket the gap is larger by no more than its width
    width = float(np.max(high - low)) * 0.6181**_HALVINGS
    top = max(float(np.max(risky)), top, tail) + width
    mild = float(np.max(_gap(curve, where).lo))
    return max(min(mild, top) * (1 - 1e-13) - 1e-15, 0.0), top * (1 + 1e-13) + 1e-15


def _tail_mu(curve: TradeOff, grid: Floats, values: Floats) -> float:
    """What the gap may reach beyond the smallest alpha of floating point; infinite where it surely still grows.

    It is level where f is Gaussian. Where brackets may hide growth between two places far out, and the gap nears its
    limit as fast as 1/|z| or faster, it grows by no more than so many times as much beyond them.
    """
    rest = float(np.nanmax(values[grid > _INNER]))
    far, near = (_gap(curve, grid[here]) for here in (grid < _OUTER, (grid > _INNER) & (grid < _INNER + 1)))
    if np.nanmax(far.lo) > rest + 1e-13 * (1 + abs(rest)):
        return math.inf
    hidden = np.maximum(far.hi - np.nanmax(near.lo), 0.0)
    return float(np.nanmin(far.hi + _BEYOND * hidden))


def peaks(values: Floats, count: int) -> np.ndarray:
    """Indices of the ``count`` highest local maxima."""
    padded = np.concatenate([[-math.inf], values, [-math.inf]])
    found = np.flatnonzero((padded[1:-1] >= padded[:-2]) & (padded[1:-1] >= padded[2:]))
    return found[np.argsort(-values[found])][:count]


def looseness(curve: TradeOff) -> float:
    """The least d ≥ 0 with f(alpha + d) − d ≤ G_mu(alpha) for all alpha, mu the tightest (to 1e-8)."""
    mu, found, z = curve.mu(), 0.0, np.linspace(_LOW, _HIGH, 4000)
    apart, worst = float(z[1] - z[0]), np.zeros(0)
    for rows in (z[::50], z):  # the first pass leaves few to the second
        found, worst = _needed(curve, mu, rows, found, worst)
    for _ in range(_LOOKS if len(worst) else 0):  # the worst alpha may lie between two that were looked at
        z = np.unique(np.clip(worst[:, None] + apart * np.linspace(-1, 1, 2 * _CLOSER + 1), _LOW, _HIGH))
        found, worst = _needed(curve, mu, z, found, worst)
        apart /= _CLOSER
    return found


def _needed(curve: TradeOff, mu: float, z: Floats, found: float, worst: Floats) -> tuple[float, Floats]:
    """The least d that covers all alphas = Φ(z), if more than what was found, and at which z that is."""
    alpha = ndtr(z)
    below = np.zeros_like(alpha) if math.isinf(mu) else ndtr(normal.quantile(1 - alpha, alpha) - mu)

    def uncovered(d: float, rows: np.ndarray) -> np.ndarray:
        """The rows whose alpha needs a larger d; once an alpha is covered, it stays so."""
        shifted = np.minimum(alpha[rows] + d, 1.0)
        return rows[curve.beta_bounds(shifted, 1 - shifted).lo - d > below[rows] + 1e-12]

    left, low, high = uncovered(found, np.arange(len(alpha))), found, 1.0
    if not len(left):
        return found, worst
    while high - low > 1e-9:
        middle = (low + high) / 2
        rest = uncovered(middle, left)
        if len(rest):
            low, left = middle, rest
        else:
            high = middle
    return high, z[left[:_PEAKS]]
