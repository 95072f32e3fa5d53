"""Find where a condition ceases to hold, from the side on which it holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dplens.numerics.roots import sign_change


def boundary(holds: Callable[[float], bool], inside: float, outside: float, width: float = 1e-13) -> float:
    """The last number from ``inside``, where ``holds`` is true, towards ``outside``, where it is false."""
    for _ in range(200):
        middle = inside + (outside - inside) / 2
        if middle in (inside, outside) or abs(outside - inside) <= width * max(abs(inside), abs(outside)):
            break
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def crossing(excess: Callable[[float], float], inside: float, outside: float, width: float = 1e-12) -> float:
    """Like ``boundary`` for a continuous excess, positive inside and negative outside, in fewer steps."""
    if excess(inside) <= 0:
        return inside
    found, _ = sign_change(
        lambda x: np.array([excess(float(v)) for v in x]), np.array([inside]), np.array([outside]), width=width
    )
    return float(found[0])
