"""Curves that only give answers within a requested tolerance."""

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
    """The same curve with a tolerance: its readings and those of its mirror image are :func:`checked`."""
    if math.isinf(tolerance):
        return curve
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    found = [copy.copy(side) for side in sides]
    for side, mirror in zip(found, found[::-1]):
        vars(side).update(tolerance=tolerance, _mirror=mirror)
    return found[0]


def checked(curve: TradeOff, what: str, at: Floats, found: Enclosure) -> Enclosure:
    """Return an answer whose ends are within the curve's tolerance; otherwise raise with their distance.

    Epsilon and mu are compared absolutely, everything else relatively.
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
