"""Curves that combine several, and the best of several guarantees on one mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.readings.mu import tightest_mu
from dplens.curves.readings.profile import searched_profile
from dplens.curves.readings.renyi import known_renyi, narrowed_renyi
from dplens.estimate import Certificate
from dplens.numerics.enclosure import Bounds, Enclosure


class CombinedCurve(TradeOff):
    """A curve that combines several others: the worst of its ``parts``, or the best."""

    parts: tuple[TradeOff, ...]
    is_worst: bool

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(c.rounding for c in self.parts) + (4e-15 if self.is_worst else 1e-15)

    @property
    def _certificate(self) -> Certificate:
        inner = max((c.certificate for c in self.parts), key=lambda c: c.tolerance)
        return replace(inner, tolerance=max(inner.tolerance, self.claimed_tolerance))

    def _mirrored(self) -> TradeOff:
        mirrored = tuple(c.inverse() for c in self.parts)
        same = all(any(m is c for c in self.parts) for m in mirrored)
        return self if same else replace(self, parts=mirrored)  # pyright: ignore[reportArgumentType]

    def _power_at_zero(self) -> float:
        return (max if self.is_worst else min)(c._power_at_zero() for c in self.parts)

    def infinity_mass(self) -> Bounds:
        choose = max if self.is_worst else min
        return Bounds(*map(choose, zip(*(c.infinity_mass() for c in self.parts))))

    def beta_at_zero(self) -> Bounds:
        choose = min if self.is_worst else max
        return Bounds(*map(choose, zip(*(c.beta_at_zero() for c in self.parts))))


@dataclass(frozen=True, eq=False)
class SupremumCurve(CombinedCurve):
    """The pointwise maximum of the curves of several guarantees on the same mechanism.

    It is convex as a maximum of convex functions, and below the true curve because each of them is.
    """

    parts: tuple[TradeOff, ...]
    is_worst = False
    searches_profile = True  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    @property
    def _certificate(self) -> Certificate:
        return replace(super()._certificate, note="best of several guarantees on one mechanism", why="")

    def _enclose_power(self, alpha: Floats, co: Floats) -> Enclosure:
        return Enclosure.smallest([c.power_bounds(alpha, co) for c in self.parts])

    def _enclose_beta(self, alpha: Floats, co: Floats) -> Enclosure:
        return Enclosure.largest([c.beta_bounds(alpha, co) for c in self.parts])

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        return Enclosure.smallest([searched_profile(self, epsilon), *(c.profile_bounds(epsilon) for c in self.parts)])

    def profile_upper(self, epsilon: Floats, enough: Floats | float = math.inf) -> Floats:
        return np.min([c.profile_upper(epsilon, enough) for c in self.parts], axis=0)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        return Enclosure.smallest([super().epsilon_bounds(delta), *(c.epsilon_bounds(delta) for c in self.parts)])

    def _mu(self) -> tuple[float, float]:
        low, high = tightest_mu(self)
        bound = min(c._mu()[1] for c in self.parts)
        return min(low, bound), min(high, bound)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        # where parts tie, the right derivative of the maximum is that of the flattest part
        power = np.array([c.power_bounds(alpha, co).hi for c in self.parts])
        slope = np.array([c._log_slope(alpha, co) for c in self.parts])
        return np.min(np.where(power <= power.min(axis=0), slope, math.inf), axis=0)

    def _max_loss(self) -> tuple[float, float]:
        # only the parts with the smallest infinity mass bound the power near alpha = 0
        least = self._power_at_zero()
        bounds = [c._max_loss() for c in self.parts if c._power_at_zero() <= least]
        return min(b[0] for b in bounds), min(b[1] for b in bounds)

    def _enclose_renyi(self, order: float) -> Bounds:
        alone = min(c.renyi_bounds(order).hi for c in self.parts)
        bound = known_renyi(self, order, alone, 16 * self.rounding)
        if bound.hi == 0:
            return bound
        # the guarantees together allow less than each of them alone
        low, high = map(max, zip(*(narrowed_renyi(c, order) for c in {self, self.inverse()})))
        return Bounds(min(bound.lo, low), min(bound.hi, high))
