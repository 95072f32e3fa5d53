"""Curves that answer only where both ends are as close as was asked for."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING

import numpy as np

from dplens.errors import ToleranceNotMet
from dplens.numerics.enclosure import Enclosure, Floats

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff


def guarded(curve: TradeOff, tolerance: float) -> TradeOff:
    """The same curve with a tolerance: what is read of it, or of its mirror image, is :func:`checked`."""
    if math.isinf(tolerance):
        return curve
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    found = [copy.copy(side) for side in sides]
    for side, mirror in zip(found, found[::-1]):
        vars(side).update(tolerance=tolerance, _mirror=mirror)
    return found[0]


def checked(curve: TradeOff, what: str, at: Floats, found: Enclosure) -> Enclosure:
    """An answer whose ends are no further apart than the curve's tolerance; else an error says how far they are.

    Epsilon and mu are compared absolutely, all else relatively.
    """
    relative = what not in ("epsilon", "mu")
    with np.errstate(invalid="ignore"):
        apart = np.where(found.hi == found.lo, 0.0, found.hi - found.lo)
        width = apart / np.maximum(found.hi, 1e-300) if relative else apart
    wide = np.flatnonzero(~(width <= curve.tolerance))
    if not len(wide):
        return found
    worst = wide[np.argmax(width[wide])]
    kind = "relatively " if relative else ""
    raise ToleranceNotMet(
        f"Expected {what} at {at[worst]:.6g} to be known {kind}to tolerance = {curve.tolerance:g}, "
        f"got a bracket of width {width[worst]:.2g} (route {curve.certificate.route!r}). "
        "Ask for a larger tolerance, or leave it out and read both ends from a question's Estimate.",
        float(width[worst]),
    )
