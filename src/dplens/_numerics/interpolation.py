"""Cubic interpolation from values and slopes."""

from __future__ import annotations

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
