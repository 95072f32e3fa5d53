"""Monotone interpolation that stays put beyond its ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def clamped_interpolation(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """Shape-preserving cubic through (x, y), x increasing; constant outside, and for a single point."""
    if len(x) < 2:
        level = float(y[0]) if len(y) else 0.0
        return lambda at: np.full_like(at, level)
    from scipy.interpolate import PchipInterpolator

    curve = PchipInterpolator(x, y)
    return lambda at: curve(np.clip(at, x[0], x[-1]))
