"""A curve known only to lie between two others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import RISKY, Floats, TradeOff
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

    def _of(self, side: int) -> TradeOff:
        return self.risky if side == RISKY else self.mild

    @property
    def certificate(self) -> Certificate:
        high, low = (float(self.bounded_profile(side, np.zeros(1))[0]) for side in (RISKY, -RISKY))
        width = (high - low) / max(high, 1e-300) / 2
        found = Certificate(self.route, max(width, 1e-12), "between two curves; width at epsilon 0")
        return imports_among(self.steps, found)

    @property
    def rounding(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return max(self.risky.rounding, self.mild.rounding)

    @property
    def depth(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.risky.depth

    def proof(self, side: int) -> float:
        return self._of(side).proof(side)

    def bounded_power(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_power(side, alpha, co)

    def bounded_beta(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._of(side).bounded_beta(side, alpha, co)

    def bounded_profile(self, side: int, epsilon: Floats) -> Floats:
        return self._of(side).bounded_profile(side, epsilon)

    def bounded_error(self, side: int, loss: Floats) -> Floats:
        return self._of(side).bounded_error(side, loss)

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        found = self._of(side).bounded_epsilon(side, delta)
        return found if side == RISKY else np.where(delta <= 0, self.top[0], found)

    # ---- what has no side is read from the risky one --------------------------------------------------

    def _power(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._power(alpha, co)

    def _beta(self, alpha: Floats, co: Floats) -> Floats:
        return self.risky._beta(alpha, co)

    def _profile(self, epsilon: Floats) -> Floats:
        return self.risky._profile(epsilon)

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

    def bounded_renyi(self, side: int, order: float) -> float:
        if math.isinf(order):
            return float(self.bounded_epsilon(side, np.zeros(1))[0])
        return self._of(side).bounded_renyi(side, order)
