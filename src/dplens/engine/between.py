"""A curve known only to lie between two others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens._numerics.enclosure import Bounds, Enclosure
from dplens.curves.base import Floats, TradeOff
from dplens.curves.profile_lines import imports_among
from dplens.estimate import Certificate


@dataclass(frozen=True, eq=False)
class BetweenCurve(TradeOff):
    """risky ≤ f ≤ mild: each side of a bracket is read from the curve that bounds it.

    ``steps`` are the true ones; ``top`` encloses the largest loss.
    """

    risky: TradeOff
    mild: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    route: str
    top: tuple[float, float] = (0.0, math.inf)

    @property
    def _certificate(self) -> Certificate:
        found = self.profile_bounds(np.zeros(1))
        width = float((found.hi - found.lo)[0] / max(found.hi[0], 1e-300)) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0")
        return imports_among(self.steps, found)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def is_costly(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.risky.is_costly

    def infinity_mass(self) -> Bounds:
        return Bounds(self.mild.infinity_mass().lo, self.risky.infinity_mass().hi)

    def power_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        lower, upper = self.mild.power_bounds(alpha, co), self.risky.power_bounds(alpha, co)
        return Enclosure(lambda: lower.lo, lambda: upper.hi)

    def beta_bounds(self, alpha: Floats, co: Floats) -> Enclosure:
        lower, upper = self.risky.beta_bounds(alpha, co), self.mild.beta_bounds(alpha, co)
        return Enclosure(lambda: lower.lo, lambda: upper.hi)

    def profile_bounds(self, epsilon: Floats) -> Enclosure:
        lower, upper = self.mild.profile_bounds(epsilon), self.risky.profile_bounds(epsilon)
        return Enclosure(lambda: lower.lo, lambda: upper.hi)

    def error_bounds(self, loss: Floats) -> Enclosure:
        lower, upper = self.risky.error_bounds(loss), self.mild.error_bounds(loss)
        return Enclosure(lambda: lower.lo, lambda: upper.hi)

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        lower, upper = self.mild.epsilon_bounds(delta), self.risky.epsilon_bounds(delta)
        return Enclosure(lambda: np.where(delta <= 0, self.top[0], lower.lo), lambda: upper.hi)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self.risky._expect(function, present)

    def _mirrored(self) -> TradeOff:
        risky, mild = self.risky.inverse(), self.mild.inverse()
        if risky is self.risky and mild is self.mild:
            return self
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return BetweenCurve(risky, mild, steps, self.route, self.top)

    def _max_loss(self) -> tuple[float, float]:
        return self.top

    def _power_at_zero(self) -> float:
        return self.risky._power_at_zero()

    def _auc(self) -> tuple[float, float]:
        (high, above), (low, below) = self.risky._auc(), self.mild._auc()
        return (high + low) / 2, (high - low) / 2 + above + below

    def _mu(self) -> tuple[float, float]:
        return self.mild._mu()[0], self.risky._mu()[1]

    def _renyi(self, order: float) -> float:
        return self.risky._renyi(order)

    def renyi_bounds(self, order: float) -> Bounds:
        if math.isinf(order):
            found = self.epsilon_bounds(np.zeros(1))
            return Bounds(float(found.lo[0]), float(found.hi[0]))
        return Bounds(self.mild.renyi_bounds(order).lo, self.risky.renyi_bounds(order).hi)
