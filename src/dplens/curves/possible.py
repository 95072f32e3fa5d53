"""Power and beta clipped to the bounds that hold for every curve, at the ends of the axis and after underflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dplens.numerics.enclosure import Enclosure, Floats

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff


def possible_power(curve: TradeOff, power: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
    """Power of at least alpha, and at least the infinity mass."""
    mass = curve.infinity_mass()

    def end(read: Callable[[], Floats], least: float) -> Floats:
        with np.errstate(all="ignore"):
            found = np.clip(read(), alpha, 1.0)
        found = np.where(alpha <= 0, least, np.maximum(found, least))
        return np.where(co <= 0, 1.0, found)

    return Enclosure(lambda: end(lambda: power.lo, mass.lo), lambda: end(lambda: power.hi, mass.hi))


def possible_beta(curve: TradeOff, beta: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
    """Beta of at most 1 − alpha, and 0 only where the remaining outputs all prove H0."""
    most = curve.beta_at_zero()

    def end(read: Callable[[], Floats], most: float, grain: Callable[[], Floats | float]) -> Floats:
        with np.errstate(all="ignore"):
            found = read()
        tiny = (found < 1e-300) & (co > 0) & (alpha > 0)
        if tiny.any():  # values may have underflowed or lost digits
            found = np.where(tiny, found + grain(), found)
        found = np.clip(found, 0.0, co)
        found = np.where(alpha <= 0, most, np.minimum(found, most))
        return np.where(co <= 0, 0.0, found) + 0.0  # never −0

    def grain_above() -> Floats:
        return np.where(co > curve.inverse().infinity_mass().lo, curve.grain, 0.0)

    return Enclosure(
        lambda: end(lambda: beta.lo, most.lo, lambda: -curve.grain), lambda: end(lambda: beta.hi, most.hi, grain_above)
    )
