"""The mild side of a curve whose profile is known from both sides.

For any threshold e, delta(e) + e^e·alpha is at least the power at alpha, and equal for the best e. It is convex in e^e:
three neighbouring thresholds of which the middle one is surely lowest enclose the minimum, and the secants through
them bound it from below.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dplens.curves.base import MILD, RISKY, Floats, TradeOff

_TRIES = 19


class EnclosedCurve(TradeOff):
    """A curve whose power and beta are worked out together, from either side."""

    @abstractmethod
    def _both(self, side: int, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power and beta on one side."""

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._both(side, alpha, co)[0]

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._both(side, alpha, co)[1]

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self._power_on(RISKY, alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self._beta_on(RISKY, alpha, co)


class Errors(NamedTuple):
    """Brackets of the tangent at a threshold e, read at alpha: power and beta, each from both sides."""

    power: tuple[Floats, Floats]
    beta: tuple[Floats, Floats]
    by_power: np.ndarray  # where the power is the small one and keeps its digits


def errors_from_profile(curve: TradeOff, e: Floats, alpha: Floats, co: Floats) -> Errors:
    """From delta for positive thresholds, from that of the mirror image for negative ones."""
    up = e >= 0
    power, beta = [], []
    for side in (MILD, RISKY):
        height = np.empty_like(e)
        height[up] = curve.bounded_profile(side, e[up])
        height[~up] = curve.inverse().bounded_profile(side, -e[~up])
        slope = np.exp(np.minimum(e, 700.0))
        rise, miss = height + slope * alpha, slope * (co - height)
        power.append(np.where(up, rise, 1 - miss) * (1 + side * 1e-15))
        beta.append(np.where(up, 1 - rise, miss) - side * 1e-15 * np.where(up, 1.0, slope * (co + height)))
    return Errors((power[0], power[1]), (beta[1], beta[0]), up)


def mild_ends(
    errors: Callable[[Floats, Floats, Floats], Errors], e: Floats, nudge: Floats, alpha: Floats, co: Floats
) -> tuple[Floats, Floats, np.ndarray]:
    """(power from below, beta from above, where they could not be found), starting ``nudge`` to either side of e."""
    power, beta = alpha.copy(), co.copy()
    open_ = np.ones(len(e), dtype=bool)
    for widen in 2.0 ** np.arange(_TRIES):
        found, sure = _enclosed(errors, e[open_], widen * nudge[open_], alpha[open_], co[open_])
        index = np.flatnonzero(open_)[sure]
        power[index], beta[index] = found[0][sure], found[1][sure]
        open_[index] = False
        if not open_.any():
            break
    return power, beta, open_


def _enclosed(
    errors: Callable[[Floats, Floats, Floats], Errors], e: Floats, nudge: Floats, alpha: Floats, co: Floats
) -> tuple[tuple[Floats, Floats], np.ndarray]:
    """Power from below and beta from above by secants, and where the three thresholds enclose the optimum."""
    before, here, after = (errors(x, alpha, co) for x in (e - nudge, e, e + nudge))
    ratio = np.exp(-nudge)  # (x2 − x1)/(x3 − x2), x = e^e
    p0, p1, p2 = before.power, here.power, after.power
    b0, b1, b2 = before.beta, here.beta, after.beta
    power = p1[0] + np.minimum(np.minimum(ratio * (p1[0] - p2[1]), (p1[0] - p0[1]) / ratio), 0.0)
    beta = b1[1] + np.maximum(np.maximum(ratio * (b1[1] - b2[0]), (b1[1] - b0[0]) / ratio), 0.0)
    by_power = (p0[0] >= p1[1]) & (p2[0] >= p1[1])
    by_beta = (b0[1] <= b1[0]) & (b2[1] <= b1[0])
    sure = np.where(here.by_power, by_power, by_beta)
    power, beta = (  # one minus the other, moved by its rounding
        np.where(here.by_power, power, 1 - beta - 2e-16),
        np.where(here.by_power, 1 - power + 2e-16, beta),
    )
    return (power, beta), sure


def share_of(x: Floats, start: Floats, end: Floats) -> Floats:
    """Where x lies between start and end."""
    with np.errstate(all="ignore"):
        return np.clip(np.nan_to_num((x - start) / (end - start), nan=0.0), 0.0, 1.0)
