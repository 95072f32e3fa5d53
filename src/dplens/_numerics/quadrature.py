"""Gauss–Legendre integration with an error estimate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=8)
def unit_nodes(count: int) -> tuple[Floats, Floats]:
    """Nodes and weights of the Gauss–Legendre rule on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(count)
    return (x + 1) / 2, w / 2


_MANY = 20_000  # panels from which on halving them would be chasing rounding errors


def adaptive(
    function: Callable[[Floats], Floats],
    edges: Sequence[float] | Floats = (),
    tolerance: float = 1e-13,
    rounds: int = 40,
    panels: tuple[Floats, Floats] | None = None,
) -> tuple[float, float]:
    """Integral over the panels between ``edges`` (or over ``panels``) and an estimate of its absolute error.

    Each panel is integrated with 10 and 21 points; panels on which the two differ are halved, at most
    ``rounds`` times and never beyond 20,000 of them, so that a kink or noise costs a bounded number of calls.
    """
    low, high = panels or (np.asarray(edges[:-1], float), np.asarray(edges[1:], float))
    total, error = 0.0, 0.0
    for remaining in range(rounds, -1, -1):
        coarse, fine = (_panels(function, low, high, n) for n in (10, 21))
        gap = np.abs(fine - coarse)
        scale = abs(total) + float(np.abs(fine).sum())
        done = gap <= tolerance * scale / 64
        if remaining == 0 or (~done).sum() > _MANY:
            done[:] = True
        total += float(fine[done].sum())
        error += float(gap[done].sum())
        if done.all():
            break
        middle = (low[~done] + high[~done]) / 2
        low, high = np.concatenate([low[~done], middle]), np.concatenate([middle, high[~done]])
    return total, error


def once(function: Callable[[Floats], Floats], edges: Floats) -> float:
    """Integral over the panels between ``edges`` by one rule, where a few digits are enough."""
    return float(_panels(function, edges[:-1], edges[1:], 10).sum())


def _panels(function: Callable[[Floats], Floats], low: Floats, high: Floats, count: int) -> Floats:
    x, w = unit_nodes(count)
    points = low[:, None] + (high - low)[:, None] * x
    return (high - low) * (function(points.ravel()).reshape(points.shape) @ w)


def intervals(
    function: Callable[[Floats, npt.NDArray[np.intp]], tuple[Floats, Floats]],
    panels: tuple[Floats, Floats, npt.NDArray[np.intp]],
    count: int,
    tolerance: float = 1e-13,
    rounds: int = 40,
) -> tuple[Floats, Floats]:
    """Many integrals at once, of a function that is nowhere negative: values and bounds on their errors.

    ``panels``: starts, ends and the number (below ``count``) of the integral to which each panel belongs.
    ``function(x, number)`` gives the integrand and the rounding error in it. A panel is halved until the rules
    with 10 and 21 points agree to ``tolerance`` of its integral or to the rounding error, or until it is a
    rounding error wide. The error is the sum of those differences and of the rounding errors: an estimate on the
    high side, as the larger rule is closer than the difference tells, for integrands that the rules resolve.
    """
    low, high, owner = panels
    total, error = np.zeros(count), np.zeros(count)
    for remaining in range(rounds, -1, -1):
        real = high > low
        low, high, owner = low[real], high[real], owner[real]
        if not len(low):
            break
        coarse, _ = _owned(function, low, high, owner, 10)
        fine, noise = _owned(function, low, high, owner, 21)
        known = np.isfinite(coarse) & np.isfinite(fine)
        fine, gap = np.where(known, fine, 0.0), np.where(known, np.abs(np.where(known, fine, 0.0) - coarse), np.inf)
        # zeros may hide what a rule missed only where the whole integral is zero so far
        scale = total + np.bincount(owner, fine, count)
        done = (gap <= tolerance * scale[owner] / 8) | (gap <= noise)
        done |= (high - low) <= 4e-16 * np.maximum(np.abs(low), np.abs(high))
        done |= ~known
        if remaining == 0 or (~done).sum() > 400_000:
            done[:] = True
        total += np.bincount(owner[done], fine[done], count)
        error += np.bincount(owner[done], (gap + noise)[done], count)
        if done.all():
            break
        low, high, owner = low[~done], high[~done], owner[~done]
        middle = low + (high - low) / 2
        low, high, owner = np.concatenate([low, middle]), np.concatenate([middle, high]), np.concatenate([owner, owner])
    return total, error


def _owned(
    function: Callable[[Floats, npt.NDArray[np.intp]], tuple[Floats, Floats]],
    low: Floats,
    high: Floats,
    owner: npt.NDArray[np.intp],
    count: int,
) -> tuple[Floats, Floats]:
    x, w = unit_nodes(count)
    width = high - low
    points = low[:, None] + width[:, None] * x
    value, noise = function(points.ravel(), np.repeat(owner, count))
    value[np.isinf(value)] = np.nan  # a pole: unknown
    return width * (value.reshape(points.shape) @ w), width * (noise.reshape(points.shape) @ w)
