"""Monotone interpolation that stays put beyond its ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def hermite(at: Floats, x: Floats, y: Floats, slope: Floats) -> Floats:
    """Cubics with the given values and slopes at increasing x."""
    width, rise = np.diff(x), np.diff(y)
    left, right = width * slope[:-1], width * slope[1:]
    cubics = np.array([x[:-1], width, y[:-1], left, 3 * rise - 2 * left - right, left + right - 2 * rise])
    start, width, value, first, second, third = cubics[:, x[1:-1].searchsorted(at, side="right")]
    u = (at - start) / width
    return value + u * (first + u * (second + u * third))


def clamped_interpolation(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """Shape-preserving cubic through (x, y), x increasing; constant outside, and for a single point."""
    if len(x) < 2:
        level = float(y[0]) if len(y) else 0.0
        return lambda at: np.full_like(at, level)
    from scipy.interpolate import PchipInterpolator

    curve = PchipInterpolator(x, y)
    return lambda at: curve(np.clip(at, x[0], x[-1]))


def branched_interpolation(x: Floats, y: Floats, jump: float) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Interpolation of a function that jumps: the values of the branches left and right of each point.

    Branches are parted where neighbouring y differ by more than ``jump``; each reaches one cell beyond its ends.
    """
    from scipy.interpolate import PchipInterpolator

    cuts = np.concatenate([[0], np.flatnonzero(np.abs(np.diff(y)) > jump) + 1, [len(x)]])
    branch_of = np.repeat(np.arange(len(cuts) - 1), np.diff(cuts))
    curves = [
        PchipInterpolator(x[a:b], y[a:b]) if b - a > 1 else (lambda at, level=y[a]: np.full_like(at, level))
        for a, b in pairwise(cuts)
    ]

    def branch(at: Floats, number: npt.NDArray[np.intp]) -> Floats:
        out = np.empty_like(at)
        for i in np.unique(number):
            here = number == i
            out[here] = curves[i](at[here])
        return out

    def both(at: Floats) -> tuple[Floats, Floats]:
        at = np.clip(at, x[0], x[-1])
        right = np.clip(np.searchsorted(x, at), 1, len(x) - 1)
        return branch(at, branch_of[right - 1]), branch(at, branch_of[right])

    return both
