"""What every curve's answers are clipped to, and the tolerance within which they may be requested."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING

import numpy as np

from dplens.errors import ToleranceNotMet
from dplens.numerics.enclosure import Enclosure, Floats

if TYPE_CHECKING:
    from dplens.curves.base import TradeOff


def possible_power(curve: TradeOff, power: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
    """Power of at least alpha, and at least the infinity mass."""
    mass = curve.infinity_mass()

    def end(upper: bool) -> Floats:
        with np.errstate(all="ignore"):
            found = np.clip(power.end(upper), alpha, 1.0)
        found = np.where(alpha <= 0, mass[upper], np.maximum(found, mass[upper]))
        return np.where(co <= 0, 1.0, found)

    return Enclosure(lambda: end(False), lambda: end(True))


def possible_beta(curve: TradeOff, beta: Enclosure, alpha: Floats, co: Floats) -> Enclosure:
    """Beta of at most 1 − alpha, and 0 only where the remaining outputs all prove H0."""
    most = curve.beta_at_zero()

    def end(upper: bool) -> Floats:
        with np.errstate(all="ignore"):
            found = beta.end(upper)
        tiny = (found < 1e-300) & (co > 0) & (alpha > 0)
        if tiny.any():  # values may have underflowed or lost digits
            above = np.where(co > curve.inverse().infinity_mass().lo, curve.grain, 0.0) if upper else -curve.grain
            found = np.where(tiny, found + above, found)
        found = np.clip(found, 0.0, co)
        found = np.where(alpha <= 0, most[upper], np.minimum(found, most[upper]))
        return np.where(co <= 0, 0.0, found) + 0.0  # never −0

    return Enclosure(lambda: end(False), lambda: end(True))


def guarded(curve: TradeOff, tolerance: float) -> TradeOff:
    """The same curve with a tolerance: its readings and those of its mirror image are :func:`checked`."""
    if math.isinf(tolerance):
        return curve
    sides = [curve] if curve.inverse() is curve else [curve, curve.inverse()]
    found = [copy.copy(side) for side in sides]
    for side, mirror in zip(found, found[::-1]):
        vars(side).update(tolerance=tolerance, _mirror=mirror)
        if side.origin is not side:
            vars(side)["_origin"] = mirror
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
