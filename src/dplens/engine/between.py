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
    """risky ≤ f ≤ mild: each side of a bracket is read from the curve that bounds it. ``steps`` are the true ones."""

    risky: TradeOff
    mild: TradeOff
    steps: tuple[tuple[TradeOff, int], ...]
    route: str
    ceiling: Callable[[Floats], Floats] | None = None  # another bound on epsilon(delta), of both directions

    @property
    def certificate(self) -> Certificate:
        found = self.profile_bounds(np.zeros(1))
        width = float((found.hi - found.lo)[0] / max(found.hi[0], 1e-300)) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0")
        return imports_among(self.steps, found)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def depth(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.risky.depth

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

        def most() -> Floats:
            return upper.hi if self.ceiling is None else np.minimum(upper.hi, self.ceiling(delta))

        return Enclosure(lambda: lower.lo, most)

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._log_slope(alpha, co)

    def _rates(self, loss: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        return self.risky._rates(loss)

    def _expect(self, function: Callable[[Floats], Floats], present: bool) -> float:
        return self.risky._expect(function, present)

    def _mirrored(self) -> TradeOff:
        steps = tuple((step.inverse(), count) for step, count in self.steps)
        return BetweenCurve(self.risky.inverse(), self.mild.inverse(), steps, self.route, self.ceiling)

    def _max_loss(self) -> tuple[float, float]:
        low, high = (math.fsum(count * step._max_loss()[i] for step, count in self.steps) for i in (0, 1))
        return low, high

    def _power_at_zero(self) -> float:
        seen = math.fsum(count * math.log1p(-min(step._power_at_zero(), 1 - 1e-16)) for step, count in self.steps)
        return -math.expm1(seen)

    def _auc(self) -> tuple[float, float]:
        (high, above), (low, below) = self.risky._auc(), self.mild._auc()
        return (high + low) / 2, (high - low) / 2 + above + below

    def _mu(self) -> tuple[float, float]:
        most = math.hypot(*(math.sqrt(count) * step._mu()[1] for step, count in self.steps)) * (1 + 1e-14)
        return self.mild._mu()[0], min(most, self.risky._mu()[1])  # Gaussian guarantees add their squares

    def _renyi(self, order: float) -> float:
        return math.fsum(count * step._renyi(order) for step, count in self.steps)  # divergences add up

    def renyi_rounding(self, order: float) -> tuple[float, float]:
        return max(step.renyi_rounding(order)[0] for step, _ in self.steps), 0.0
